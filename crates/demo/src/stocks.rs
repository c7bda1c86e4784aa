//! Tickerboard: the stock quotes of Fig. 4 in the OXPath paper.
//!
//! The members of an index in a table whose first row is its head, as was usual then: the change of a price is a number
//! beside an arrow that says `Up` or `Down`; without a change there is no arrow.

use crate::chance::Chance;
use crate::html::{Money, Text, address, grouped, missing, page};
use crate::server::{Request, Response};
use std::fmt::Write;
use std::sync::LazyLock;

/// A company with its quote.
#[derive(Clone, Debug)]
pub struct Stock {
    /// `HRN.L` and so on.
    pub symbol: &'static str,
    /// The company.
    pub name: &'static str,
    /// What it does.
    pub sector: &'static str,
    /// The last price in hundredths of a penny.
    pub last: u32,
    /// The change of the price in hundredths of a penny.
    pub change: i32,
    /// How many shares were traded.
    pub volume: u64,
    /// What the company is worth, in millions of pounds.
    pub market_cap: u32,
}

impl Stock {
    /// The size of the change as the table shows it: `4.25 (1.03%)`.
    #[must_use]
    pub fn change_text(&self) -> String {
        let size = self.change.unsigned_abs();
        let basis = u64::from(size) * 10_000 / u64::from(self.last.max(1));
        format!("{} ({}.{:02}%)", Money(size), basis / 100, basis % 100)
    }

    /// What the company is worth, as its page shows it: `1.25B` or `840M`.
    #[must_use]
    pub fn market_cap_text(&self) -> String {
        if self.market_cap >= 1000 {
            format!("{}.{:02}B", self.market_cap / 1000, self.market_cap % 1000 / 10)
        } else {
            format!("{}M", self.market_cap)
        }
    }
}

/// The indices: symbol, name, whether it has all companies or every third of them.
const INDICES: [(&str, &str, usize); 2] = [("^FTAS", "All-Share", 1), ("^FTLC", "Large", 3)];

const COMPANIES: [(&str, &str, &str); 24] = [
    ("ALB.L", "Albion Tea Estates", "Food"),
    ("ARD.L", "Ardent Instruments", "Engineering"),
    ("BKL.L", "Birch & Kell Insurance", "Insurance"),
    ("BRW.L", "Brightwater Utilities", "Utilities"),
    ("CAI.L", "Cairnford Minerals", "Mining"),
    ("COB.L", "Cobalt Street Bank", "Banking"),
    ("DUN.L", "Dunmore Paper", "Paper"),
    ("ELV.L", "Elvaston Motors", "Vehicles"),
    ("FEN.L", "Fenwright Energy", "Energy"),
    ("GAL.L", "Gallowglass Brewing", "Food"),
    ("HRN.L", "Heron Shipping", "Transport"),
    ("ISL.L", "Islay Telecom", "Telecoms"),
    ("KES.L", "Kestrel Holidays", "Travel"),
    ("LOM.L", "Lomax Pharmaceuticals", "Health"),
    ("MER.L", "Meridian Rail", "Transport"),
    ("NOR.L", "Northlight Media", "Media"),
    ("ORC.L", "Orchard Retail Group", "Retail"),
    ("PEM.L", "Pemberton Ceramics", "Building"),
    ("QUA.L", "Quarry Lane Aggregates", "Building"),
    ("RIV.L", "Riverbend Software", "Software"),
    ("SKU.L", "Skua Aerospace", "Engineering"),
    ("TID.L", "Tidewater Foods", "Food"),
    ("VAN.L", "Vantress Capital", "Banking"),
    ("WIN.L", "Winterbourne Textiles", "Textiles"),
];

static STOCKS: LazyLock<Vec<Stock>> = LazyLock::new(|| {
    let mut chance = Chance::new(4);
    COMPANIES
        .iter()
        .map(|(symbol, name, sector)| {
            let last = chance.between(4_000, 240_000) as u32;
            let size = chance.between(1, last as usize / 25) as i32;
            Stock {
                symbol,
                name,
                sector,
                last,
                change: [size, size, -size, -size, 0][chance.below(5)],
                volume: chance.between(20_000, 9_000_000) as u64,
                market_cap: chance.between(150, 1_000) as u32 * [1, 10, 30][chance.below(3)],
            }
        })
        .collect()
});

/// The members of an index; none for an unknown index.
#[must_use]
pub fn index(symbol: &str) -> Vec<&'static Stock> {
    let found = INDICES.into_iter().find(|(index, _, _)| *index == symbol);
    found.map_or(Vec::new(), |(_, _, every)| STOCKS.iter().step_by(every).collect())
}

pub(crate) fn answer(request: &Request, rest: &str) -> Response {
    let symbol = request.value("s").unwrap_or("");
    match rest {
        "" => page("stocks", "Tickerboard", &front()),
        "q" => match STOCKS.iter().find(|stock| stock.symbol == symbol) {
            Some(stock) => quote(stock),
            None => match INDICES.into_iter().find(|(index, _, _)| *index == symbol) {
                Some((_, name, _)) => table(name, &index(symbol)),
                None => missing("stocks"),
            },
        },
        _ => missing("stocks"),
    }
}

fn front() -> String {
    let mut out = String::from(
        "<h1>Tickerboard</h1>\n<p class=\"lead\">Yesterday's prices, every day.</p>\n<form class=\"bar\" action=\"/stocks/q\">\n\
         <label>Symbol <input name=\"s\" required></label>\n<button>Quote</button>\n</form>\n<h2>Indices</h2>\n\
         <ul class=\"tags\">\n",
    );
    for (symbol, name, _) in INDICES {
        let href = address("/stocks/q", [("s", symbol)]);
        let _ = writeln!(out, "<li><a href=\"{}\">{name} ({symbol})</a></li>", Text(&href));
    }
    out + "</ul>\n"
}

fn table(name: &str, stocks: &[&Stock]) -> Response {
    let mut out = format!(
        "<h1>{name} index</h1>\n<p class=\"count\">{} companies; prices in pence</p>\n<table class=\"results\">\n<tbody>\n\
         <tr class=\"head\"><td>Symbol</td><td>Name</td><td class=\"number\">Last trade</td><td class=\"number\">Change</td>\
         <td class=\"number\">Volume</td></tr>\n",
        stocks.len()
    );
    for stock in stocks {
        let arrow = match stock.change {
            0 => "",
            1.. => "<img src=\"/up.svg\" alt=\"Up\" width=\"10\" height=\"10\">",
            _ => "<img src=\"/down.svg\" alt=\"Down\" width=\"10\" height=\"10\">",
        };
        let _ = writeln!(
            out,
            "<tr><td><a href=\"{}\">{}</a></td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{arrow}{}</td>\
             <td class=\"number\">{}</td></tr>",
            Text(&address("/stocks/q", [("s", stock.symbol)])),
            stock.symbol,
            Text(stock.name),
            Money(stock.last),
            stock.change_text(),
            grouped(stock.volume)
        );
    }
    page(
        "stocks",
        &format!("{name} index · Tickerboard"),
        &(out + "</tbody>\n</table>\n"),
    )
}

fn quote(stock: &Stock) -> Response {
    let main = format!(
        "<h1>{} ({})</h1>\n<table class=\"results narrow\">\n<tbody>\n<tr><th>Sector:</th><td><span>{}</span></td></tr>\n\
         <tr><th>Last trade:</th><td><span>{}</span></td></tr>\n<tr><th>Volume:</th><td><span>{}</span></td></tr>\n\
         <tr><th>Market Cap:</th><td><span>{}</span></td></tr>\n</tbody>\n</table>\n",
        Text(stock.name),
        stock.symbol,
        Text(stock.sector),
        Money(stock.last),
        grouped(stock.volume),
        stock.market_cap_text()
    );
    page("stocks", stock.name, &main)
}
