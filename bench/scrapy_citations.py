"""The crawl of bench/crawl.oxp in Scrapy, for bench/crawl.py, which starts it in a process of its own.

    python scrapy_citations.py SITE DEPTH CONCURRENCY OUTPUT.jsonl

It is meant to be as good as Scrapy gets without leaving its ways: XPath on the response, a plain dict for each item, links
followed by `response.follow_all` to where they lead, the JSON lines feed. All that costs time and is not needed here is
off: logs, statistics, telnet, cookies, the filter of duplicates, robots.txt, AutoThrottle, delays, retries, redirects.
"""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess


class Citations(scrapy.Spider):
    name = "citations"

    def __init__(self, site, depth):
        super().__init__()
        self.site = site
        self.depth = depth

    async def start(self):
        yield scrapy.Request(self.site, dont_filter=True)

    def parse(self, response):
        for paper in response.xpath("//div[@class='paper']"):
            yield {
                "page": response.url,
                "title": paper.xpath("string(h3)").get(),
                "authors": paper.xpath("string(.//span[@class='authors'])").get(),
                "venue": paper.xpath("string(.//span[@class='venue'])").get(),
                "year": paper.xpath("string(.//span[@class='year'])").get(),
            }
        if response.meta["depth"] < self.depth:
            links = response.xpath("//a[contains(., 'Cited by')]/@href")
            yield from response.follow_all(links, dont_filter=True)


def settings(concurrency, output):
    return {
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
        "REDIRECT_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
        "EXTENSIONS": {
            "scrapy.extensions.corestats.CoreStats": None,
            "scrapy.extensions.logstats.LogStats": None,
            "scrapy.extensions.memusage.MemoryUsage": None,
        },
        "FEEDS": {output: {"format": "jsonlines", "overwrite": True}},
    }


def main():
    site, depth, concurrency, output = sys.argv[1:]
    process = CrawlerProcess(settings(int(concurrency), output))
    process.crawl(Citations, site=site, depth=int(depth))
    process.start()


if __name__ == "__main__":
    main()
