"""What the made-up sites of designs.py have in common: kinds of records, habits of a site, and the frame of its pages.

A family is a kind of records with a language: its function draws one record, a dict of raw values in which optional ones
may lack. The frame of a page has menus, side bars, cookie banners, pagers and footers.
"""

import dataclasses
import datetime
import html
import random
import types

WORDS = {
    "en": "harbour lantern copper willow stone river silver garden winter cedar amber northern quiet velvet marble autumn coastal prairie summit canvas".split(),
    "de": "Birke Hafen Kupfer Linde Stein Fluss Silber Garten Winter Zeder Bernstein Norden Mühle Samt Marmor Herbst Küste Gipfel Brücke Laterne".split(),
    "fr": "rivage lanterne cuivre saule pierre rivière argent jardin hiver cèdre ambre nord moulin velours marbre automne côte sommet pont forêt".split(),
    "es": "puerto farol cobre sauce piedra río plata jardín invierno cedro ámbar norte molino seda mármol otoño costa cumbre puente bosque".split(),
    "pl": "przystań latarnia miedź wierzba kamień rzeka srebro ogród zima cedr bursztyn północ młyn aksamit marmur jesień brzeg szczyt most las".split(),
    "ja": "港 灯台 銅 柳 石 川 銀 庭 冬 杉 琥珀 北 水車 絹 大理石 秋 海岸 山頂 橋 森".split(),
}
PROSE = {
    "en": "a careful account of how the small town changed after the mill closed and what people there remember about the years before it".split(),
    "de": "ein ruhiger Blick auf die kleine Stadt am Fluss und auf alles was die Leute dort über die alten Jahre noch wissen und erzählen".split(),
    "fr": "un regard tranquille sur la petite ville au bord du fleuve et sur tout ce que les gens se rappellent encore des années passées".split(),
    "es": "una mirada tranquila a la pequeña ciudad junto al río y a todo lo que la gente recuerda todavía de los años pasados".split(),
    "pl": "spokojne spojrzenie na małe miasto nad rzeką i na wszystko co ludzie pamiętają jeszcze z dawnych lat kiedy młyn pracował".split(),
    "ja": "小さな町の静かな物語 川のほとりで人々が語る 昔の日々の記憶 水車が回っていたころ".split(),
}
FIRST = "Ada Boris Carla Dmitri Elena Felix Greta Hugo Ines Jonas Karin Luis Marta Nils Olga Pavel Rosa Sven Tina Ugo Vera Wim Xenia Yuri Zoe".split()
LAST = "Abel Berger Costa Duval Eriksson Ferrer Gomez Haas O'Neill Jensen Kovac Lopez Meyer Novak Olsen Petrov Quinn Rossi Svensson Tanaka Urban Vidal Weber Young Zorn".split()
TOWNS = "Lyon,Graz,Turin,Malmö,Porto,Split,Ghent,Leeds,Basel,Brno,Parma,Tampa,Buenos Aires,Palm Springs,San Diego,Saint-Malo,York,Bergen".split(",")
FIRMS = "Acme & Sons,Blue Heron Ltd,Corvid Systems,Delta Works,Ember Labs,Fjord Group,Granite & Co,Hollow Oak,Ibis Media,Juniper Health,Kestrel Energy,Lumen Foods".split(",")
STREETS = "Oak,Maple,Mill,Church,Park,Lake,Hill,Station,Cedar,Elm,Harbor,Bridge".split(",")
MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia".split(),
}
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
FRENCH_DAYS = "lundi mardi mercredi jeudi vendredi samedi dimanche".split()


# --- values


def name(r):
    return f"{r.choice(FIRST)} {r.choice(LAST)}"


def title(r, lang="en", low=2, high=4):
    words = r.sample(WORDS[lang], r.randint(low, high))
    return "の".join(words) if lang == "ja" else " ".join(word[0].upper() + word[1:] for word in words)


def prose(r, lang="en", low=8, high=20):
    words = [r.choice(PROSE[lang]) for _ in range(r.randint(low, high))]
    text = " ".join(words)
    return text[0].upper() + text[1:] + ("。" if lang == "ja" else ".")


def date(r, first=2017, last=2019):
    return datetime.date(r.randint(first, last), r.randint(1, 12), r.randint(1, 28))


def clock(r):
    return f"{r.randint(8, 20)}:{r.choice(['00', '15', '30', '45'])}"


def maybe(r, record, share, **values):
    """Puts the values into the record with this probability."""
    if r.random() < share:
        record.update(values)
    return record


def us(d):
    return f"{MONTHS['en'][d.month - 1]} {d.day}, {d.year}"


def us_short(d):
    return f"{MONTHS['en'][d.month - 1][:3]} {d.day}, {d.year}"


def slashed(d):
    return f"{d.month}/{d.day}/{d.year}"


def with_day(d):
    return f"{DAYS[d.weekday()]}, {us(d)}"


def iso(d):
    return d.isoformat()


def dotted(d):
    return f"{d.day:02}.{d.month:02}.{d.year}"


def french(d):
    return f"{d.day} {MONTHS['fr'][d.month - 1]} {d.year}"


def french_day(d):
    return f"{FRENCH_DAYS[d.weekday()]} {french(d)}"


def british(d):
    return f"{d.day} {MONTHS['en'][d.month - 1]} {d.year}"


def dollars(x):
    return f"${x:,.2f}"


def round_dollars(x):
    return f"${x:,.0f}"


def zloty(x):
    return f"{x:,.0f} zł".replace(",", " ")


def yen(x):
    return f"{x:,.0f}円"


def thousands(x):
    return f"{x:,}"


# --- families: a kind of records, and its language

FAMILIES = {}
DESIGNS = {}


@dataclasses.dataclass
class Family:
    name: str
    lang: str
    main: str
    draw: types.FunctionType
    single: bool = False
    twins: tuple = ()


@dataclasses.dataclass
class Design:
    name: str
    family: str
    body: types.FunctionType
    style: str
    forms: dict
    title: str
    steady: bool


class Row(dict):
    """The values of a record as HTML; what it lacks is an empty text."""

    def __getattr__(self, key):
        return self.get(key, "")


def family(key, main, lang="en", single=False, twins=()):
    """Makes a family of the function that draws its records. `twins` are two fields of one kind."""
    def keep(draw):
        FAMILIES[key] = Family(key, lang, main, draw, single, twins)
        return draw
    return keep


def design(key, of, style="plain", title="", steady=False, **forms):
    """Makes a design of a function. `forms` say how a field is written, `steady` that all pages have as many records."""
    def keep(body):
        DESIGNS[key] = Design(key, of, body, style, forms, title, steady)
        return body
    return keep


@family("shop", "title", twins=("price", "old"))
def draw_shop(r, lang):
    price = r.randint(500, 90000) / 100
    record = dict(title=title(r), price=price)
    maybe(r, record, .4, old=round(price * r.uniform(1.1, 1.6), 2))
    maybe(r, record, .7, rating=f"{r.randint(20, 50) / 10}")
    return maybe(r, record, .3, badge=r.choice(["New", "Sale!", "Bestseller"]))


@family("tea", "title", "ja", twins=("price", "points"))
def draw_tea(r, lang):
    record = dict(title=title(r, lang), price=r.randint(300, 20000), maker=title(r, lang, 1, 2) + "堂", points=r.randint(10, 290))
    return maybe(r, record, .5, note=r.choice(["送料無料", "在庫わずか", "新着"]))


@family("product", "title", single=True, twins=("price", "old"))
def draw_product(r, lang):
    price = r.randint(900, 90000) / 100
    record = dict(title=title(r), price=price, sku=f"{r.choice('ABKLT')}{r.choice('XYZ')}-{r.randint(1000, 9999)}", brand=r.choice(FIRMS),
                  weight=f"{r.randint(2, 90) / 10} kg", description=prose(r, low=12, high=30))
    maybe(r, record, .4, old=round(price * r.uniform(1.1, 1.6), 2))
    return maybe(r, record, .5, colour=r.choice(["Red", "Moss green", "Black", "Ivory"]))


@family("jobs", "title", twins=("company", "place"))
def draw_job(r, lang):
    role = r.choice("Engineer Analyst Nurse Editor Driver Welder Buyer Teacher Planner Auditor".split())
    record = dict(title=f"{r.choice(['Senior', 'Junior', 'Lead', 'Night', 'Field', 'Head'])} {role} {r.choice(['I', 'II', '(m/f)', '- ' + title(r, low=1, high=1)])}",
                  company=r.choice(FIRMS), place=f"{r.choice(TOWNS)}, {r.choice(['CA', 'NY', 'TX', 'FL'])}", posted=date(r, 2019))
    maybe(r, record, .5, salary=f"${r.randint(30, 80)},000 - ${r.randint(81, 150)},000")
    return maybe(r, record, .8, kind=r.choice(["Full-time", "Part-time", "Contract", "Temporary"]))


@family("houses", "address", twins=("beds", "baths"))
def draw_house(r, lang):
    record = dict(address=f"{r.randint(10, 9900)} {r.choice(STREETS)} {r.choice(['St', 'Ave', 'Rd', 'Ct'])}, {r.choice(TOWNS)}", price=r.randint(90, 2500) * 1000,
                  beds=r.randint(1, 6), baths=r.choice([1, 2, 3, 4, "1.5", "2.5"]), area=r.randint(600, 5200))
    maybe(r, record, .6, agent=f"{r.choice(LAST)} Realty")
    return maybe(r, record, .25, flag=r.choice(["Open house", "New listing", "Price cut"]))


@family("hotels", "name", "es")
def draw_hotel(r, lang):
    record = dict(name=f"{r.choice(['Hotel', 'Hostal', 'Casa', 'Apartamentos'])} {title(r, lang, 1, 2)}", place=f"{title(r, lang, 1, 1)}, {r.choice(TOWNS)}",
                  price=r.randint(40, 380))
    maybe(r, record, .75, rating=f"{r.randint(60, 98) / 10}".replace(".", ","), reviews=r.randint(12, 5200))
    return maybe(r, record, .3, offer=r.choice(["Cancelación gratis", "Oferta de última hora"]))


@family("meetings", "date")
def draw_meeting(r, lang):
    record = dict(body=r.choice(["City Council", "Planning Commission", "Board of Zoning Appeals", "Finance Committee", "Parks & Recreation Board", "Library Board", "Harbor Commission"]),
                  date=date(r, 2018), time=f"{r.randint(1, 11)}:{r.choice(['00', '30'])} {r.choice(['AM', 'PM'])}",
                  place=r.choice(["Council Chambers", "Room 204", "City Hall, 2nd Floor", "Virtual", "Library Annex", "Civic Center"]))
    return maybe(r, record, .25, status=r.choice(["Cancelled", "Rescheduled", "Special meeting"]))


@family("dockets", "number", twins=("caption", "judge"))
def draw_docket(r, lang):
    record = dict(number=f"{r.choice(['CV', 'CR', 'PB'])}-{r.randint(2015, 2019)}-{r.randint(100, 9999):05}", caption=f"{r.choice(LAST)} v. {r.choice(LAST + FIRMS)}",
                  filed=date(r, 2015), judge=f"Hon. {name(r)}", status=r.choice(["Open", "Closed", "Pending", "On appeal"]))
    return maybe(r, record, .5, hearing=date(r, 2019, 2020))


@family("papers", "title")
def draw_paper(r, lang):
    record = dict(title=f"{title(r)}: {r.choice(['a survey', 'theory and practice', 'new bounds', 'an experiment', 'revisited'])}",
                  authors=", ".join(name(r) for _ in range(r.randint(1, 4))), code=f"19{r.randint(1, 12):02}.{r.randint(100, 99999):05}", subject=r.choice(["Databases", "Optics", "Number Theory", "Robotics"]))
    return maybe(r, record, .6, comments=f"{r.randint(4, 40)} pages, {r.randint(1, 9)} figures")


@family("library", "title", "de", twins=("author", "publisher"))
def draw_library(r, lang):
    record = dict(title=title(r, lang), author=f"{r.choice(LAST)}, {r.choice(FIRST)}", publisher=f"{r.choice(LAST)} Verlag", year=r.randint(1950, 2019),
                  shelf=f"{r.choice('ABCDK')} {r.randint(100, 999)}/{r.randint(1, 99)}")
    maybe(r, record, .4, edition=f"{r.randint(2, 9)}. Auflage")
    return maybe(r, record, .8, state=r.choice(["verfügbar", "ausgeliehen", "vorgemerkt", "Präsenzbestand"]))


@family("threads", "title")
def draw_thread(r, lang):
    record = dict(title=f"{title(r)}{r.choice(['?', '', ' (help)', ' - solved'])}", author=r.choice(FIRST).lower() + str(r.randint(1, 99)), replies=r.randint(0, 400),
                  views=r.randint(410, 90000), last=date(r, 2019))
    return maybe(r, record, .2, tag=r.choice(["Sticky", "Poll", "Announcement"]))


@family("posts", "text")
def draw_post(r, lang):
    record = dict(author=r.choice(FIRST).lower() + r.choice(LAST).lower().replace("'", ""), date=date(r, 2018), text=prose(r, low=6, high=40))
    return maybe(r, record, .5, home=r.choice(TOWNS))


@family("links", "title", twins=("points", "comments"))
def draw_link(r, lang):
    record = dict(title=title(r, low=3, high=6), points=r.randint(301, 900), author=r.choice(FIRST).lower() + str(r.randint(1, 99)),
                  age=f"{r.randint(2, 23)} hours ago", comments=r.randint(2, 299))
    return maybe(r, record, .85, site=f"{r.choice(WORDS['en'])}.{r.choice(['com', 'org', 'net'])}")


@family("repos", "name")
def draw_repo(r, lang):
    record = dict(name="-".join(r.sample(WORDS["en"], 2)), stars=r.randint(1, 9000), updated=date(r, 2019))
    maybe(r, record, .8, about=prose(r, low=5, high=14))
    return maybe(r, record, .8, language=r.choice(["Rust", "Python", "C++", "Go", "HTML"]))


@family("questions", "title", twins=("votes", "answers"))
def draw_question(r, lang):
    return dict(title=f"How do I {' '.join(r.sample(WORDS['en'], 3))} in {title(r, low=1, high=1)}?", votes=r.randint(30, 400), answers=r.randint(0, 9), views=r.randint(500, 90000),
                user=name(r), tags=r.sample(WORDS["en"], r.randint(1, 5)))


@family("blog", "title")
def draw_blog(r, lang):
    record = dict(title=title(r, low=3, high=6), date=date(r), excerpt=prose(r, low=12, high=35), category=r.choice(["Travel", "Books & Letters", "Local news", "Opinion"]))
    return maybe(r, record, .8, author=name(r))


@family("article", "title", "fr", single=True)
def draw_article(r, lang):
    record = dict(title=title(r, lang, 3, 6), author=name(r), date=date(r), lead=prose(r, lang, 10, 20), section=r.choice(["Culture", "Économie", "Sport", "Société"]))
    return maybe(r, record, .5, minutes=f"{r.randint(2, 14)} min")


@family("recipes", "title", twins=("time", "prep"))
def draw_recipe(r, lang):
    record = dict(title=f"{title(r, low=1, high=2)} {r.choice(['Soup', 'Pie', 'Salad', 'Stew', 'Bread'])}", time=f"{r.randint(30, 120)} mins", prep=f"{r.randint(5, 29)} mins", author=name(r))
    maybe(r, record, .6, rating=f"{r.randint(30, 50) / 10}")
    return maybe(r, record, .7, serves=r.randint(2, 12))


@family("events", "title")
def draw_event(r, lang):
    record = dict(title=f"{title(r, low=1, high=3)} {r.choice(['Concert', 'Workshop', 'Walk', 'Lecture', 'Fair'])}", date=date(r, 2019), time=f"{r.randint(1, 11)}:{r.choice(['00', '30'])} {r.choice(['am', 'pm'])}",
                  venue=f"{title(r, low=1, high=1)} {r.choice(['Hall', 'Park', 'Museum', 'Theatre'])}")
    return maybe(r, record, .5, cost=r.choice(["Free", "$5", "$12", "$25.50"]))


@family("podcasts", "title", "fr")
def draw_podcast(r, lang):
    record = dict(title=title(r, lang, 3, 5), date=date(r), length=f"{r.randint(8, 95)} min", about=prose(r, lang))
    return maybe(r, record, .5, guest=name(r))


@family("apps", "name", twins=("maker", "category"))
def draw_app(r, lang):
    record = dict(name=title(r, low=1, high=3), maker=r.choice(FIRMS), category=r.choice(["Games", "Health & Fitness", "Utilities", "Photo & Video"]), price=r.choice(["Free", "$0.99", "$4.99", "$12.99"]))
    return maybe(r, record, .7, rating=f"{r.randint(20, 50) / 10}")


@family("league", "team", twins=("won", "lost"))
def draw_league(r, lang):
    won = r.randint(0, 20)
    return dict(team=f"{r.choice(TOWNS)} {r.choice(['FC', 'United', 'Rovers', 'City'])}", played=r.randint(31, 38), won=won, drawn=r.randint(0, 9), lost=r.randint(0, 15), points=40 + won)


@family("stocks", "symbol", twins=("last", "high"))
def draw_stock(r, lang):
    last = r.randint(300, 40000) / 100
    return dict(symbol="".join(r.sample("ABCDEFGHKLMNPRST", r.choice([3, 4]))), company=f"{r.choice(FIRMS)} {r.choice(['', 'Holdings', 'Inc.'])}".strip(), last=last, high=round(last * 1.02, 2),
                change=f"{r.choice('+-')}{r.randint(1, 900) / 100}%", volume=r.randint(10000, 9000000))


@family("departures", "time", "de")
def draw_departure(r, lang):
    record = dict(time=f"{r.randint(5, 23):02}:{r.randint(0, 59):02}", train=f"{r.choice(['ICE', 'RE', 'S', 'IC'])} {r.randint(1, 999)}", to=f"{r.choice(TOWNS)} Hbf", platform=f"{r.randint(1, 24)}")
    return maybe(r, record, .3, note=r.choice(["+5 Min.", "fällt aus", "+12 Min."]))


@family("obituaries", "name")
def draw_obituary(r, lang):
    record = dict(name=f"{name(r)}", died=date(r, 2019), age=r.randint(31, 101), town=r.choice(TOWNS), text=prose(r, low=10, high=25))
    return maybe(r, record, .6, home=f"{r.choice(LAST)} Funeral Home")


@family("auctions", "title", twins=("current", "start"))
def draw_auction(r, lang):
    start = r.randint(5, 900)
    record = dict(lot=r.randint(1, 900), title=title(r), start=float(start), current=float(start * r.randint(2, 6)), bids=r.randint(1, 60), ends=date(r, 2020, 2020))
    return maybe(r, record, .3, reserve=r.choice(["Reserve met", "No reserve"]))


@family("mountains", "name")
def draw_mountain(r, lang):
    record = dict(name=f"{r.choice(['Mount', 'Pic', 'Cerro', 'Pico'])} {title(r, low=1, high=2)}", height=r.randint(2100, 8600), range=f"{title(r, low=1, high=1)} Range", country=r.choice(["Chile", "Nepal", "Peru", "France", "Kenya"]))
    return maybe(r, record, .8, climbed=r.randint(1786, 1975))


@family("courses", "title", twins=("teacher", "assistant"))
def draw_course(r, lang):
    record = dict(code=f"{r.choice(['BIO', 'CHEM', 'HIST', 'MATH'])} {r.randint(100, 499)}", title=f"{r.choice(['Introduction to', 'Advanced', 'Topics in'])} {title(r, low=1, high=2)}", teacher=name(r), credits=r.randint(1, 5),
                  days=r.choice(["MWF", "TR", "MW", "F"]))
    return maybe(r, record, .6, assistant=name(r))


@family("staff", "name", single=True, twins=("phone", "fax"))
def draw_staff(r, lang):
    person = name(r)
    record = dict(name=person, role=r.choice(["Professor", "Lecturer", "Dean", "Research Fellow"]), phone=f"(555) {r.randint(200, 499)}-{r.randint(1000, 9999)}", email=f"{person.split()[0].lower()}{r.randint(1, 99)}@example.edu",
                  unit=f"Department of {r.choice(['History', 'Biology', 'Law', 'Physics'])}", text=prose(r, low=15, high=40))
    maybe(r, record, .6, fax=f"(555) {r.randint(500, 999)}-{r.randint(1000, 9999)}")
    return maybe(r, record, .5, office=f"{r.choice(['North', 'Old', 'West'])} Hall {r.randint(100, 499)}")


@family("cars", "title", "pl", twins=("year", "built"))
def draw_car(r, lang):
    record = dict(title=f"{r.choice(['Skoda', 'Fiat', 'Opel', 'Ford', 'Toyota'])} {title(r, lang, 1, 1)} {r.choice(['1.4', '2.0', '1.9 TDI'])}", price=r.randint(5, 190) * 500, year=r.randint(2001, 2018),
                  mileage=f"{r.randint(10, 290)} 000 km", fuel=r.choice(["Benzyna", "Diesel", "Hybryda", "LPG"]), town=r.choice(["Kraków", "Łódź", "Gdańsk", "Poznań"]))
    return maybe(r, record, .3, flag=r.choice(["Wyróżnione", "Okazja"]))


@family("members", "name", twins=("phone", "mobile"))
def draw_member(r, lang):
    record = dict(name=name(r), role=r.choice(["Chair", "Treasurer", "Ward 3", "Ward 5", "Clerk"]), phone=f"555-{r.randint(1000, 4999)}", email=f"{r.choice(LAST).lower().replace(chr(39), '')}{r.randint(1, 99)}@example.org")
    return maybe(r, record, .6, mobile=f"555-{r.randint(5000, 9999)}")


# --- a site and its pages


class Site:
    """What all pages of one site share: random class names, habits of writing, and a generator for each page."""

    def __init__(self, kind, seed):
        self.kind, self.family = kind, FAMILIES[kind.family]
        self.lang, self.seed = self.family.lang, seed
        self.r = random.Random(f"site {seed} {kind.name}")
        self.hashes, self.nbsp = {}, self.r.random() < .3
        self.label = title(self.r, self.lang, 1, 2)
        self.page, self.pages, self.p = 1, 1, self.r

    def h(self, key):
        """A class that a build tool would make, the same on all pages."""
        if key not in self.hashes:
            self.hashes[key] = "".join(self.r.choice("abcdefghkmnpqrstuvwxyzABCDEFGHK") for _ in range(6)) + str(self.r.randint(0, 9))
        return self.hashes[key]

    def spell(self, field, value):
        """The text that a reader sees."""
        return [str(v) for v in value] if isinstance(value, list) else self.kind.forms.get(field, DEFAULTS.get(type(value), str))(value)

    def code(self, text):
        """The same text as HTML."""
        if isinstance(text, list):
            return [self.code(part) for part in text]
        text = html.escape(text, quote=False)
        return text.replace(" €", "&nbsp;€").replace(" kg", "&nbsp;kg").replace(" zł", "&nbsp;zł") if self.nbsp else text

    def write(self, number, pages, records):
        """A page with these records, and what a reader sees of each."""
        self.page, self.pages = number, pages
        self.p = random.Random(f"page {self.seed} {self.kind.name} {number}")
        truth = [{field: self.spell(field, value) for field, value in record.items()} for record in records]
        rows = [Row({field: self.code(text) for field, text in row.items()}) for row in truth]
        order = getattr(self.kind.body, "order", None)
        if order:
            pairs = sorted(zip(records, truth, rows, range(len(rows))), key=lambda it: (order(it[0]), it[3]))
            truth, rows = [it[1] for it in pairs], [it[2] for it in pairs]
        return frame(self, self.kind.body(self, rows), rows), truth


DEFAULTS = {float: dollars, datetime.date: us}


def by_date(body):
    """Says that a design shows its records by date."""
    body.order = lambda record: record["date"]
    return body


def opt(value, pattern):
    """The pattern with the value, or nothing if there is none."""
    return pattern.replace("{}", value) if value else ""


def join(rows, item):
    return "\n".join(item(row) for row in rows)


def slug(text):
    return "".join(c if c.isalnum() else "-" for c in text.lower())[:40]


# --- frames: everything around the main part

MENU = {
    "en": "Home,Shop,About us,Journal,Contact,Search,Log in,Your cart,Help,Imprint,Privacy,Newsletter,Previous,Next,Accept cookies,We use cookies to make this site better.,You may also like,Subscribe to our newsletter",
    "de": "Startseite,Angebote,Über uns,Magazin,Kontakt,Suche,Anmelden,Warenkorb,Hilfe,Impressum,Datenschutz,Newsletter,Zurück,Weiter,Alle akzeptieren,Wir verwenden Cookies.,Das könnte Sie auch interessieren,Newsletter abonnieren",
    "fr": "Accueil,Boutique,À propos,Journal,Contact,Recherche,Connexion,Panier,Aide,Mentions légales,Confidentialité,Lettre,Précédent,Suivant,Tout accepter,Nous utilisons des cookies.,À lire aussi,Abonnez-vous à la lettre",
    "es": "Inicio,Tienda,Nosotros,Revista,Contacto,Buscar,Entrar,Carrito,Ayuda,Aviso legal,Privacidad,Boletín,Anterior,Siguiente,Aceptar,Usamos cookies propias y de terceros.,También te puede gustar,Suscríbete al boletín",
    "pl": "Start,Sklep,O nas,Magazyn,Kontakt,Szukaj,Zaloguj,Koszyk,Pomoc,Regulamin,Prywatność,Newsletter,Poprzednia,Następna,Akceptuję,Ta strona używa plików cookies.,Zobacz także,Zapisz się do newslettera",
    "ja": "ホーム,商品,会社概要,読み物,お問い合わせ,検索,ログイン,カート,ヘルプ,特定商取引,プライバシー,メルマガ,前へ,次へ,同意する,当サイトはクッキーを使用します。,おすすめ商品,メルマガ登録",
}


def menu(s, first=0, last=6, item="<li><a href=\"/{}\">{}</a></li>"):
    return "".join(item.replace("{}", str(i), 1).replace("{}", word) for i, word in enumerate(MENU[s.lang].split(",")[first:last]))


def pager(s, link, now):
    """Links to the pages of a list, as far as there are some."""
    if s.family.single:
        return ""
    words = MENU[s.lang].split(",")
    parts = [link.format(n=s.page - 1, t=words[12])] if s.page > 1 else []
    parts += [now.format(t=n) if n == s.page else link.format(n=n, t=n) for n in range(1, s.pages + 1)]
    parts += [link.format(n=s.page + 1, t=words[13])] if s.page < s.pages else []
    return "".join(parts)


def heading(s, rows):
    """The title of the page: of a record if there is only one."""
    if s.family.single:
        return rows[0][s.family.main]
    return s.kind.title or s.label


def side(s, item, count=4):
    return "".join(item.replace("{t}", title(s.p, s.lang)).replace("{p}", f"${s.p.randint(5, 90)}.00") for _ in range(count))


def wordpress(s, main, head, words):
    return f"""<body class="archive paged-{s.page} wp-theme hfeed"><a class="skip-link screen-reader-text" href="#content">Skip to content</a>
<header id="masthead" class="site-header"><div class="site-branding"><p class="site-title"><a href="/" rel="home">{s.label} &amp; Co</a></p></div>
<nav id="site-navigation" class="main-navigation"><button class="menu-toggle">Menu</button><ul id="primary-menu" class="menu">{menu(s, item='<li class="menu-item menu-item-type-post_type menu-item-{}"><a href="#">{}</a></li>')}</ul></nav></header>
<div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main">{main}
<nav class="navigation pagination"><div class="nav-links">{pager(s, '<a class="page-numbers" href="/page/{n}/">{t}</a>', '<span aria-current="page" class="page-numbers current">{t}</span>')}</div></nav></main></div>
<aside id="secondary" class="widget-area"><section class="widget widget_search"><form role="search"><input type="search" name="s"><button>{words[5]}</button></form></section>
<section class="widget widget_recent_entries"><h2 class="widget-title">{words[16]}</h2><ul>{side(s, '<li><a href="#">{t}</a></li>', 5)}</ul></section></aside></div>
<footer id="colophon" class="site-footer"><div class="site-info">&copy; 2019 {s.label} <span class="sep"> | </span> <a href="/privacy">{words[10]}</a></div></footer></body>"""


def bootstrap(s, main, head, words):
    return f"""<body><nav class="navbar navbar-expand-lg navbar-dark bg-dark"><a class="navbar-brand" href="/">{s.label}</a><div class="collapse navbar-collapse"><ul class="navbar-nav">{menu(s, item='<li class="nav-item"><a class="nav-link" href="/{}">{}</a></li>')}</ul></div></nav>
<div class="container"><nav aria-label="breadcrumb"><ol class="breadcrumb"><li class="breadcrumb-item"><a href="/">{words[0]}</a></li><li class="breadcrumb-item active">{head}</li></ol></nav>
<h1 class="display-4">{head}</h1>{main}<nav><ul class="pagination">{pager(s, '<li class="page-item"><a class="page-link" href="?page={n}">{t}</a></li>', '<li class="page-item active"><span class="page-link">{t}</span></li>')}</ul></nav></div>
<div class="alert alert-info fixed-bottom" id="cookie">{words[15]} <button class="btn btn-primary">{words[14]}</button></div>
<footer class="bg-light py-5"><div class="container"><div class="row"><div class="col-md-4"><h5>{words[17]}</h5><form><input class="form-control" type="email"><button class="btn">OK</button></form></div><div class="col-md-4"><ul class="list-unstyled">{menu(s, 8, 12)}</ul></div><div class="col-md-4">&copy; {s.label} 2019</div></div></div></footer></body>"""


def tailwind(s, main, head, words):
    return f"""<body class="antialiased bg-gray-50"><div class="lg:hidden fixed inset-0 z-40"><div class="px-4 py-5">{menu(s, item='<a class="block p-2 text-sm" href="/{}">{}</a>')}</div></div>
<header class="bg-white shadow"><div class="max-w-7xl mx-auto flex justify-between px-4"><a class="font-bold text-xl" href="/">{s.label}</a><div class="hidden lg:flex space-x-8">{menu(s, item='<a class="text-gray-500 hover:text-gray-900" href="/{}">{}</a>')}</div></div></header>
<main class="max-w-7xl mx-auto py-6"><h1 class="text-3xl font-bold">{head}</h1>{main}<div class="flex mt-8">{pager(s, '<a class="px-3 py-2 border" href="?p={n}">{t}</a>', '<span class="px-3 py-2 border bg-indigo-50">{t}</span>')}</div>
<section class="mt-16"><h2 class="text-xl">{words[16]}</h2><div class="flex space-x-4">{side(s, '<a class="block w-1/4" href="#"><img src="x.jpg" alt=""><p class="text-sm">{t}</p><p class="text-sm font-medium">{p}</p></a>')}</div></section></main>
<footer class="bg-gray-800 text-white"><div class="grid grid-cols-4">{menu(s, 6, 12, '<a class="text-gray-300" href="/{}">{}</a>')}</div><p class="text-xs">&copy; 2019 {s.label}</p></footer></body>"""


def oldschool(s, main, head, words):
    return f"""<body bgcolor="#FFFFFF" link="#0000CC"><table width="100%" border="0" cellpadding="0" cellspacing="0"><tr><td colspan="2" bgcolor="#003366"><font color="white" size="5"><b>{s.label}</b></font></td></tr>
<tr><td width="150" valign="top" bgcolor="#EEEEEE"><br>{menu(s, item='<a href="/{}">{}</a><br>')}</td><td valign="top"><h2>{head}</h2>
{main}
<p align="center">{pager(s, '<a href="list.jsp?p={n}">{t}</a>&nbsp;', '<b>{t}</b>&nbsp;')}</p></td></tr><tr><td colspan="2" align="center"><hr><font size="1">{menu(s, 8, 12, '<a href="/{}">{}</a> | ')} &copy; 2004-2019 {s.label}</font></td></tr></table></body>"""


def drupal(s, main, head, words):
    return f"""<body class="html not-front page-list"><div id="page-wrapper"><div id="page"><div id="header"><a href="/" id="logo"><img src="logo.png" alt="{words[0]}"></a><div id="block-search"><form><input name="q"><input type="submit" value="{words[5]}"></form></div></div>
<div id="navigation"><ul id="main-menu" class="links inline clearfix">{menu(s, item='<li class="menu-{} leaf"><a href="#">{}</a></li>')}</ul></div>
<div id="main-wrapper"><div id="breadcrumb"><a href="/">{words[0]}</a> » <a href="/list">{s.label}</a></div><div id="content" class="column"><a id="main-content"></a><h1 class="title" id="page-title">{head}</h1><div class="region region-content">{main}
<ul class="pager">{pager(s, '<li class="pager-item"><a href="?page={n}">{t}</a></li>', '<li class="pager-current">{t}</li>')}</ul></div></div>
<div id="sidebar-second" class="column sidebar"><div class="block"><h2>{words[16]}</h2><div class="content"><div class="item-list"><ul>{side(s, '<li class="views-row"><a href="#">{t}</a></li>')}</ul></div></div></div></div></div>
<div id="footer">{menu(s, 8, 12, '<a href="/{}">{}</a> ')}</div></div></div></body>"""


def plain(s, main, head, words):
    return f"""<body><div id="top"><a href="/">{s.label}</a> {menu(s, item='<a href="/{}">{}</a> ')}</div><div id="main"><h1>{head}</h1>{main}<div class="pages">{pager(s, '<a href="?p={n}">{t}</a> ', '<b>{t}</b> ')}</div></div><div id="foot">{menu(s, 8, 12, '<a href="/{}">{}</a> ')}</div></body>"""


FRAMES = {"wp": wordpress, "bootstrap": bootstrap, "tailwind": tailwind, "old": oldschool, "drupal": drupal, "plain": plain}


def frame(s, main, rows):
    words, head = MENU[s.lang].split(","), heading(s, rows)
    body = FRAMES[s.kind.style](s, main, head, words)
    number = f" - {s.page}" if s.page > 1 and not s.family.single else ""
    return f'<!DOCTYPE html>\n<html lang="{s.lang}"><head><meta charset="utf-8"><title>{head}{number} | {s.label}</title><link rel="stylesheet" href="/a.css"><script>var p={s.page};</script></head>\n{body}</html>\n'
