//! The products of the shop, and how they are generated.

use super::{Product, reviews};
use crate::chance::Chance;

/// The categories.
pub const CATEGORIES: [&str; 6] = ["Lighting", "Kitchen", "Textiles", "Garden", "Writing", "Travel"];

/// The makers.
pub const MAKERS: [&str; 8] = [
    "Halden Works",
    "Osier & Finch",
    "Brackwater",
    "Studio Lumen",
    "Tallow Street",
    "Marram Goods",
    "Kiln & Kettle",
    "Foxglove Supply",
];

/// A category: products, materials, sentences about them, price in cents and weight in grams of the cheapest.
struct Shelf {
    things: &'static [&'static str],
    materials: &'static [&'static str],
    lines: &'static [&'static str],
    cents: usize,
    grams: usize,
}

const SHELVES: [Shelf; 6] = [
    Shelf {
        things: &[
            "Desk Lamp",
            "Floor Lamp",
            "Wall Lamp",
            "Bedside Lamp",
            "Reading Lamp",
            "Pendant",
            "Storm Lantern",
        ],
        materials: &["brushed brass", "powder-coated steel", "oak and linen", "blown glass"],
        lines: &[
            "A warm, even light without glare, dimmed by a turn of the knob.",
            "The shade tilts in every direction and stays where it is put.",
            "The bulb is included and can be replaced, as it should be.",
        ],
        cents: 3900,
        grams: 900,
    },
    Shelf {
        things: &["Kettle", "Skillet", "Mixing Bowl", "Bread Knife", "Tea Pot"],
        materials: &["stoneware", "cast iron", "enamelled steel", "beech"],
        lines: &[
            "Heavy enough to stand firmly, light enough to be used every day.",
            "It goes from the stove to the table and into the dishwasher.",
            "The handle stays cool, and the spout does not drip.",
        ],
        cents: 1800,
        grams: 600,
    },
    Shelf {
        things: &["Blanket", "Cushion", "Tea Towel", "Bath Mat"],
        materials: &["lambswool", "washed linen", "organic cotton"],
        lines: &[
            "Woven in small batches, so no two are quite the same.",
            "It softens with every wash and keeps its shape.",
            "The colours come from plants and fade gracefully.",
        ],
        cents: 1400,
        grams: 300,
    },
    Shelf {
        things: &["Watering Can", "Trowel", "Plant Stand", "Bird Feeder"],
        materials: &["galvanised steel", "ash and steel", "larch"],
        lines: &[
            "Made to be left outside and forgotten about until spring.",
            "Balanced so well that an hour of work feels like half of it.",
            "Every part can be ordered again, down to the last screw.",
        ],
        cents: 1600,
        grams: 500,
    },
    Shelf {
        things: &["Notebook", "Fountain Pen", "Pencil Case", "Letter Tray"],
        materials: &["waxed canvas", "recycled paper", "aluminium"],
        lines: &[
            "It lies flat when it is open and takes any ink.",
            "Small enough for a coat pocket, sturdy enough for a bag.",
            "Refills of every common size fit.",
        ],
        cents: 900,
        grams: 90,
    },
    Shelf {
        things: &["Rucksack", "Flask", "Wash Bag"],
        materials: &["waxed canvas", "stainless steel", "recycled nylon"],
        lines: &[
            "Waterproof where it matters, and mended for free for ten years.",
            "The zip runs all the way round, so nothing hides at the bottom.",
            "Tested on night trains, ferries and one camel.",
        ],
        cents: 2400,
        grams: 350,
    },
];

const SERIES: [&str; 9] = [
    "Alder", "Bramble", "Cove", "Dunlin", "Ember", "Fennel", "Gable", "Heath", "Islet",
];

/// Things that came into the shop later, with the number of their shelf.
const LATER: [(usize, &str); 7] = [
    (1, "Ladle"),
    (1, "Salt Cellar"),
    (2, "Apron"),
    (3, "Garden Fork"),
    (4, "Ink Stand"),
    (5, "Luggage Tag"),
    (5, "Map Tube"),
];

/// The number of products.
const ALL: usize = 300;

/// The catalogue.
pub(super) fn make() -> Vec<Product> {
    let mut chance = Chance::new(3);
    let mut products = Vec::new();
    for (number, shelf) in SHELVES.iter().enumerate() {
        for thing in shelf.things {
            products.extend(SERIES.map(|series| product(number, thing, series, &mut chance)));
        }
    }
    chance.shuffle(&mut products);
    for (number, thing) in LATER {
        products.extend(SERIES.map(|series| product(number, thing, series, &mut chance)));
    }
    products.truncate(ALL);
    for (id, product) in products.iter_mut().enumerate() {
        product.id = id;
    }
    products
}

/// A product, without its number.
fn product(shelf: usize, thing: &str, series: &str, chance: &mut Chance) -> Product {
    let category = CATEGORIES[shelf];
    let shelf = &SHELVES[shelf];
    let material = chance.pick(shelf.materials);
    let name = format!("{series} {thing}");
    let mut lines: Vec<&str> = shelf.lines.to_vec();
    chance.shuffle(&mut lines);
    let blurb = format!("The {name} is made of {material}. {} {}", lines[0], lines[1]);
    Product {
        id: 0,
        category,
        maker: chance.pick(&MAKERS),
        cents: (shelf.cents + chance.below(shelf.cents * 3)) as u32 / 50 * 50,
        stock: if chance.below(5) == 0 { 0 } else { chance.between(1, 60) },
        material,
        grams: (shelf.grams + chance.below(shelf.grams * 2)) / 10 * 10,
        blurb,
        reviews: reviews::make(thing, chance),
        name,
    }
}
