//! Kestrel Fares: the flight search of Fig. 3 in the OXPath paper.
//!
//! The paper's site toggles the number of stops by script. Here each toggle is a link to the same list with one filter
//! more or less, so the same two clicks do the same thing without a script.

use crate::chance::Chance;
use crate::html::{Money, Text, address, missing, page};
use crate::server::{Request, Response};
use std::fmt::Write;

/// A flight, with or without stops.
#[derive(Clone, Debug)]
pub struct Flight {
    /// Its rank among the flights between its two cities.
    pub id: usize,
    /// Who flies.
    pub airline: &'static str,
    /// When it leaves, in minutes after midnight.
    pub departs: usize,
    /// Its parts; one more than its stops.
    pub legs: Vec<Leg>,
    /// The price in pence.
    pub pence: u32,
}

/// A part of a flight.
#[derive(Clone, Debug)]
pub struct Leg {
    /// Where it starts.
    pub from: &'static str,
    /// Where it ends.
    pub to: &'static str,
    /// The aeroplane.
    pub plane: &'static str,
    /// How long it takes.
    pub minutes: usize,
}

impl Flight {
    /// The number of stops.
    #[must_use]
    pub fn stops(&self) -> usize {
        self.legs.len() - 1
    }

    /// The price as the pages show it.
    #[must_use]
    pub fn price(&self) -> String {
        format!("£{}", Money(self.pence))
    }

    fn minutes(&self) -> usize {
        // An hour and a half on the ground at each stop.
        self.legs.iter().map(|leg| leg.minutes).sum::<usize>() + 90 * self.stops()
    }
}

/// The cities: name, its latitude and its longitude in degrees.
pub const CITIES: [(&str, f64, f64); 8] = [
    ("London", 51.5, -0.1),
    ("Seattle", 47.6, -122.3),
    ("Hyderabad", 17.4, 78.5),
    ("Lisbon", 38.7, -9.1),
    ("Bergen", 60.4, 5.3),
    ("Halifax", 44.6, -63.6),
    ("Toronto", 43.7, -79.4),
    ("Istanbul", 41.0, 29.0),
];

type Place = (&'static str, f64, f64);

const AIRLINES: [&str; 6] = [
    "Kittiwake Air",
    "Meridian",
    "Polar & Pacific",
    "Aerolinea Sur",
    "Skua Airways",
    "Great Circle",
];

/// Those for long flights first.
const PLANES: [&str; 6] = [
    "Boeing 787-9",
    "Airbus A350-900",
    "Boeing 777-300ER",
    "Airbus A330-200",
    "Airbus A321neo",
    "Embraer 195",
];

/// All flights from one city to another, cheapest first; none for a city that is not in [`CITIES`].
#[must_use]
pub fn between(origin: &str, destination: &str) -> Vec<Flight> {
    let known = |name: &str| {
        CITIES
            .into_iter()
            .find(|place| place.0.eq_ignore_ascii_case(name.trim()))
    };
    let (Some(origin), Some(destination)) = (known(origin), known(destination)) else {
        return Vec::new();
    };
    if origin == destination {
        return Vec::new();
    }
    let mut chance = Chance::named(&format!("{}-{}", origin.0, destination.0));
    let others = CITIES
        .into_iter()
        .filter(|place| *place != origin && *place != destination);
    let mut others: Vec<Place> = others.collect();
    let mut flights: Vec<Flight> = (0..18)
        .map(|rank| {
            chance.shuffle(&mut others);
            let mut places = vec![origin];
            places.extend(&others[..rank % 3]);
            places.push(destination);
            let legs: Vec<Leg> = places
                .windows(2)
                .map(|ends| leg(ends[0], ends[1], &mut chance))
                .collect();
            // Flights with stops are cheaper.
            let pounds = chance.between(210, 980) * 2 / (legs.len() + 1);
            Flight {
                id: 0,
                airline: chance.pick(&AIRLINES),
                departs: chance.between(60, 275) * 5,
                legs,
                pence: pounds as u32 * 100,
            }
        })
        .collect();
    flights.sort_by_key(|flight| (flight.pence, flight.departs));
    for (id, flight) in flights.iter_mut().enumerate() {
        flight.id = id;
    }
    flights
}

fn leg(from: Place, to: Place, chance: &mut Chance) -> Leg {
    let (south, north) = (from.1.to_radians(), to.1.to_radians());
    let cosine = south.sin() * north.sin() + south.cos() * north.cos() * (to.2 - from.2).to_radians().cos();
    let kilometres = 6371.0 * cosine.acos();
    // Fourteen kilometres in a minute, after half an hour for climbing; on a timetable of five minutes.
    let minutes = (30.0 + kilometres / 14.0) as usize / 5 * 5 + chance.below(4) * 5;
    let planes = if minutes > 400 { &PLANES[..4] } else { &PLANES[3..] };
    Leg {
        from: from.0,
        to: to.0,
        plane: chance.pick(planes),
        minutes,
    }
}

pub(crate) fn answer(request: &Request, rest: &str) -> Response {
    let origin = request.value("origin").unwrap_or("");
    let destination = request.value("destination").unwrap_or("");
    match rest {
        "" => {
            let mut main = String::from(
                "<h1>Kestrel Fares</h1>\n<p class=\"lead\">Fares of six airlines between eight cities.</p>\n",
            );
            main += &form("", "");
            let _ = writeln!(
                main,
                "<p class=\"count\">We know {}.</p>",
                CITIES.map(|place| place.0).join(", ")
            );
            page("flights", "Kestrel Fares", &main)
        }
        "search" => results(request, origin, destination),
        "detail" => {
            let id = request.value("flight").and_then(|id| id.parse::<usize>().ok());
            match between(origin, destination).get(id.unwrap_or(usize::MAX)) {
                Some(flight) => detail(flight),
                None => missing("flights"),
            }
        }
        _ => missing("flights"),
    }
}

fn form(origin: &str, destination: &str) -> String {
    format!(
        "<form class=\"bar\" action=\"/flights/search\">\n\
         <label>From <input id=\"origin\" name=\"origin\" value=\"{}\" autocomplete=\"off\"></label>\n\
         <label>To <input id=\"destination\" name=\"destination\" value=\"{}\" autocomplete=\"off\"></label>\n\
         <input type=\"submit\" name=\"Search\" value=\"Search\">\n</form>\n",
        Text(origin),
        Text(destination)
    )
}

const STOPS: [&str; 3] = ["non-stop", "1 stop", "2 stops"];

fn results(request: &Request, origin: &str, destination: &str) -> Response {
    let without: Vec<usize> = request
        .value("without")
        .unwrap_or("")
        .split(',')
        .filter_map(|stops| stops.parse().ok())
        .collect();
    let flights: Vec<Flight> = between(origin, destination)
        .into_iter()
        .filter(|flight| !without.contains(&flight.stops()))
        .collect();
    let mut out = form(origin, destination);
    out += "<div class=\"columns\">\n<aside>\n<h2>Stops</h2>\n<ul class=\"plain\">\n";
    for (stops, name) in STOPS.into_iter().enumerate() {
        let on = !without.contains(&stops);
        let left: Vec<String> = (0..STOPS.len())
            .filter(|n| without.contains(n) != (*n == stops))
            .map(|n| n.to_string())
            .collect();
        let query = [
            ("origin", origin),
            ("destination", destination),
            ("without", &left.join(",")),
        ];
        let _ = writeln!(
            out,
            "<li><a id=\"stops{stops}\" class=\"toggle {}\" href=\"{}\">{name}</a></li>",
            if on { "on" } else { "off" },
            Text(&address("/flights/search", query))
        );
    }
    let _ = write!(
        out,
        "</ul>\n</aside>\n<section>\n<h1>{} to {}</h1>\n<p class=\"count\">{} flights, cheapest first</p>\n\
         <table class=\"results\">\n<thead><tr><th>Departs</th><th>Airline</th><th>Duration</th><th>Stops</th><th></th>\
         <th class=\"number\">Price</th></tr></thead>\n",
        Text(origin),
        Text(destination),
        flights.len()
    );
    for flight in &flights {
        let id = flight.id.to_string();
        let query = [("origin", origin), ("destination", destination), ("flight", &id)];
        let href = address("/flights/detail", query);
        let href = Text(&href);
        let _ = writeln!(
            out,
            "<tbody class=\"resultrow\"><tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td><a class=\"resultdetaillink\" href=\"{href}\">Details</a></td>\
             <td class=\"number\"><a class=\"results_price\" href=\"{href}\">{}</a></td></tr></tbody>",
            clock(flight.departs),
            Text(flight.airline),
            hours(flight.minutes()),
            STOPS[flight.stops()],
            flight.price()
        );
    }
    out += "</table>\n</section>\n</div>\n";
    page("flights", &format!("{origin} to {destination} · Kestrel Fares"), &out)
}

fn detail(flight: &Flight) -> Response {
    let mut out = format!(
        "<h1>{}, {}</h1>\n<p><span class=\"price\">{}</span></p>\n<ol class=\"legs\">\n",
        Text(flight.airline),
        STOPS[flight.stops()],
        flight.price()
    );
    for leg in &flight.legs {
        let _ = writeln!(
            out,
            "<li class=\"card\"><h3>{} to {}</h3>\n<p class=\"flight_detailsExtra\">{}<i>|</i>{}<i>|</i>\
             economy</p></li>",
            Text(leg.from),
            Text(leg.to),
            Text(leg.plane),
            hours(leg.minutes)
        );
    }
    page("flights", "A flight · Kestrel Fares", &(out + "</ol>\n"))
}

fn clock(minutes: usize) -> String {
    format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
}

fn hours(minutes: usize) -> String {
    format!("{} h {:02} min", minutes / 60, minutes % 60)
}
