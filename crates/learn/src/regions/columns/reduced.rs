//! Reduced prices: what a thing costs now is one field, whether or not its old price is beside it.
//!
//! Shops write a reduced price in another way than others: `<del>$9</del> <ins>$7</ins>` here, and there `$8` alone. So the records with two prices
//! and those with one have no price in the same place. If of two prices that are always together one is always the lower one, that is the price, and
//! what the other records have instead belongs to the same field. The higher one is a field of its own.
//!
//! Prices in like elements, one or two in a record, are told by their number: `<b><s>$9</s></b> <b>$7</b>` has the price at its end.
//!
//! Two optional prices that mean different things (to buy, to rent) are not taken for one: they are not together, or neither is always the lower one.
//!
//! Linear in the values of the records that are looked at, for each three columns of prices.

use super::{Made, Maker, Way};
use page::NodeId;
use record::values::{Convention, Kind, kinds, price};
use wrapper::rule::paths::{PathField, value};

/// One pair of prices may be in order by chance.
const PAIRS: usize = 2;
/// More columns of prices than this are a table of prices.
const PRICES: usize = 8;

/// What each record says in a column, if that is a price in each record that has one.
type Amounts = Vec<Option<f64>>;

/// The amounts of texts, if all of them are prices.
fn amounts<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> Option<Vec<f64>> {
    const LONGEST: usize = 40;
    if !texts
        .clone()
        .all(|text| text.len() <= LONGEST && kinds(text).contains(Kind::Price))
    {
        return None;
    }
    let here = Convention::of(texts.clone()).or_default();
    texts
        .map(|text| Some(price(text, &here).ok()?.amount.to_f64()))
        .collect()
}

/// The amounts of the records of a column with at most one price in each.
fn column(values: &[Vec<String>]) -> Option<Amounts> {
    if values.iter().any(|values| values.len() > 1) {
        return None;
    }
    let mut all = amounts(values.iter().flatten().map(String::as_str))?.into_iter();
    let each = values.iter().map(|values| values.first().and_then(|_| all.next()));
    Some(each.collect())
}

/// Are two columns always together, and is the first one always lower?
fn is_lower(one: &Amounts, other: &Amounts) -> bool {
    let mut pairs = one.iter().zip(other);
    let together = one.iter().flatten().count() >= PAIRS;
    together
        && pairs.all(|pair| match pair {
            (Some(one), Some(other)) => one < other,
            (one, other) => one.is_none() && other.is_none(),
        })
}

/// Has no record both?
fn are_apart(one: &Amounts, other: &Amounts) -> bool {
    other.iter().any(Option::is_some)
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| one.is_none() || other.is_none())
}

impl Maker<'_, '_> {
    /// Makes one field of the prices of things with an old price, and of the prices of those without.
    pub(super) fn unite_prices(&self, made: &mut Vec<Made>) {
        let is_plain = |one: &&Made| one.attribute.is_none() && !one.field.many;
        let amounts = |one: &Made| column(&self.values(&one.field)).filter(|all| all.iter().any(Option::is_some));
        let prices = made.iter().map(|one| Some(one).filter(is_plain).and_then(amounts));
        let prices: Vec<(usize, Amounts)> = prices.enumerate().filter_map(|(at, all)| Some((at, all?))).collect();
        if prices.len() < 3 || prices.len() > PRICES {
            return;
        }
        for (now, lower) in &prices {
            let old = prices.iter().find(|(_, old)| is_lower(lower, old));
            let mut alone = prices.iter().filter(|(_, all)| are_apart(lower, all));
            let (Some((old, _)), Some((alone, _)), None) = (old, alone.next(), alone.next()) else {
                continue;
            };
            // What it costs now is the price, so it comes before what it has cost.
            let first = *now.min(alone).min(old);
            let [one, other] = [now.max(alone), now.min(alone)].map(|at| made.remove(*at));
            let (mut one, other) = if now > alone { (one, other) } else { (other, one) };
            one.field.ways.extend(other.field.ways);
            one.nodes.extend(other.nodes);
            one.label = one.label.filter(|label| other.label.as_ref() == Some(label));
            made.insert(first, one);
            return;
        }
    }

    /// The price, and then the old price, of elements on the same path, one or two in a record: those that are last or first.
    pub(super) fn reduced(&self, nodes: &[Vec<NodeId>], path: &str) -> Option<[Made; 2]> {
        let said = |nodes: &Vec<NodeId>| -> Vec<String> { nodes.iter().map(|node| value(self.page, *node)).collect() };
        let values: Vec<Vec<String>> = nodes.iter().map(said).collect();
        let two = |values: &&Vec<String>| values.len() == 2;
        let is_single = values.iter().any(|values| values.len() == 1);
        if !is_single || values.iter().any(|values| values.len() > 2) || values.iter().filter(two).count() < PAIRS {
            return None;
        }
        let mut all = amounts(values.iter().flatten().map(String::as_str))?.into_iter();
        let each: Vec<Vec<f64>> = values
            .iter()
            .map(|values| all.by_ref().take(values.len()).collect())
            .collect();
        let mut pairs = each.iter().filter(|each| each.len() == 2);
        let falls = pairs.clone().all(|pair| pair[0] > pair[1]);
        if !falls && !pairs.all(|pair| pair[0] < pair[1]) {
            return None;
        }
        let (now, old) = match falls {
            true => ("last()", "position() < last()"),
            false => ("1", "2"),
        };
        let one = |test: &str, node: fn(&Vec<NodeId>) -> Option<&NodeId>| Made {
            field: PathField {
                many: false,
                ways: vec![Way {
                    path: format!("({path})[{test}]"),
                    ..Way::default()
                }],
            },
            nodes: nodes.iter().filter_map(node).copied().collect(),
            attribute: None,
            label: None,
        };
        Some(match falls {
            true => [
                one(now, |nodes| nodes.last()),
                one(old, |nodes| nodes.first().filter(|_| nodes.len() == 2)),
            ],
            false => [one(now, |nodes| nodes.first()), one(old, |nodes| nodes.get(1))],
        })
    }
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    /// The current prices of a shop with eight things, by the first name with `price` in it, for things with (`true`) and without an old price.
    fn prices(item: fn(&str, usize, bool) -> String, reduced: [bool; 8]) -> Vec<String> {
        let names = ["Kelp", "Moss", "Fern", "Reed", "Oak", "Elm", "Ash", "Ivy"];
        let items = |reduced: [bool; 8]| {
            let items: String = (0..8).map(|at| item(names[at], at, reduced[at])).collect();
            Page::parse_str(&format!("<h1>Plants</h1><ul>{items}</ul>"), &Default::default()).unwrap()
        };
        let learned = [true, false, true, true, false, false, true, false];
        let best = crate::regions::find(&items(learned), &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&items(reduced));
        let price = best
            .names
            .iter()
            .position(|name| name == "price")
            .unwrap_or_else(|| panic!("{:?}", best.names));
        let said = records.iter().map(|record| {
            let values = record.values.iter().filter(|value| value.field == price);
            values.map(|value| value.text.as_str()).collect::<Vec<_>>().join("|")
        });
        said.collect()
    }

    const WANTED: [&str; 8] = [
        "$10.50", "$11.50", "$12.50", "$13.50", "$14.50", "$15.50", "$16.50", "$17.50",
    ];

    #[test]
    fn a_reduced_price_and_a_usual_one_are_one_field() {
        let deleted = |name: &str, at: usize, reduced: bool| {
            let price = match reduced {
                true => format!(
                    "<del><span>${}.90</span></del> <ins><span>${}.50</span></ins>",
                    at + 20,
                    at + 10
                ),
                false => format!("<span>${}.50</span>", at + 10),
            };
            format!("<li><h2><a href=/{at}>{name} for shade</a></h2><span class=price>{price}</span></li>")
        };
        for reduced in [
            [true; 8],
            [false; 8],
            [true, true, false, false, true, false, true, false],
        ] {
            assert_eq!(prices(deleted, reduced), WANTED);
        }
    }

    #[test]
    fn the_last_of_two_prices_is_the_lower_one() {
        let beside = |name: &str, at: usize, reduced: bool| {
            let old = match reduced {
                true => format!("<span class=\"small struck\">${}.90</span> ", at + 20),
                false => String::new(),
            };
            format!(
                "<li><h2><a href=/{at}>{name} for shade</a></h2><h5>{old}<span>${}.50</span></h5></li>",
                at + 10
            )
        };
        for reduced in [
            [true; 8],
            [false; 8],
            [true, true, false, false, true, false, true, false],
        ] {
            assert_eq!(prices(beside, reduced), WANTED);
        }
    }

    #[test]
    fn prices_that_are_not_in_order_stay_fields() {
        let either = |name: &str, at: usize, reduced: bool| {
            let (buy, rent) = (at * 7 % 5 + 10, at * 5 % 7 + 10);
            let prices = match reduced {
                true => format!("<b>${buy}.20</b> <i>${rent}.70</i>"),
                false => format!("<u>${buy}.50</u>"),
            };
            format!("<li><h2><a href=/{at}>{name} for shade</a></h2><p>{prices}</p></li>")
        };
        let said = prices(either, [false; 8]);
        assert!(said.iter().all(String::is_empty), "{said:?}");
    }
}
