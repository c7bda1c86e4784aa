//! Invented people, for all sites.

use crate::chance::Chance;

const FIRST: [&str; 40] = [
    "Ada", "Jonas", "Ines", "Tobias", "Mirela", "Owen", "Priya", "Lukas", "Noor", "Hanne", "Mateo", "Yuki", "Greta",
    "Samir", "Elodie", "Arvid", "Tamsin", "Kofi", "Ruth", "Dario", "Signe", "Amara", "Pavel", "Leila", "Rowan", "Bao",
    "Clara", "Ivo", "Marit", "Felix", "Zofia", "Hugo", "Nadia", "Emil", "Wren", "Rafael", "Astrid", "Milo", "Thea",
    "Joaquin",
];

const LAST: [&str; 40] = [
    "Merrow",
    "Thule",
    "Calder",
    "Ashgrove",
    "Vantress",
    "Lindqvist",
    "Okonjo",
    "Pelletier",
    "Harrow",
    "Brandt",
    "Castellan",
    "Nakahara",
    "Feldspar",
    "Osei",
    "Marchetti",
    "Kowal",
    "Thornbury",
    "Ibarra",
    "Wexley",
    "Dragan",
    "Solberg",
    "Achterberg",
    "Novotny",
    "Fairweather",
    "Quill",
    "Sorrell",
    "Tennant",
    "Umarov",
    "Vasquez",
    "Winterbourne",
    "Yarrow",
    "Zeller",
    "Birkeland",
    "Corrigan",
    "Delacroix",
    "Eastlake",
    "Fontaine",
    "Grimshaw",
    "Holloway",
    "Jessop",
];

/// A full name.
pub(crate) fn full(chance: &mut Chance) -> String {
    format!("{} {}", chance.pick(&FIRST), chance.pick(&LAST))
}

/// A name as reviewers sign: `Ada M.`
pub(crate) fn short(chance: &mut Chance) -> String {
    format!("{} {}.", chance.pick(&FIRST), initial(chance.pick(&LAST)))
}

/// A name as papers cite it: `A Merrow`, sometimes `AK Merrow`.
pub(crate) fn cited(chance: &mut Chance) -> String {
    let mut name = initial(chance.pick(&FIRST)).to_string();
    if chance.below(3) == 0 {
        name.push(initial(chance.pick(&FIRST)));
    }
    format!("{name} {}", chance.pick(&LAST))
}

fn initial(name: &str) -> char {
    name.chars().next().unwrap_or('X')
}
