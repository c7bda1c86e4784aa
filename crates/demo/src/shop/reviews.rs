//! Reviews of products.

use crate::chance::Chance;
use crate::people;

/// A review.
#[derive(Clone, Debug)]
pub struct Review {
    /// Who wrote it.
    pub author: String,
    /// Stars, from one to five.
    pub stars: usize,
    /// When, as `2024-03-18`.
    pub date: String,
    /// The headline.
    pub title: &'static str,
    /// The text.
    pub text: String,
}

/// Headlines and first sentences, for one star to five.
const OPINIONS: [&[(&str, &str)]; 5] = [
    &[
        ("Sent it back", "Mine arrived with a crack, and the second one too."),
        ("Not for me", "I wanted to like this {} and could not."),
    ],
    &[
        ("Disappointing", "The photographs promise more than the {} keeps."),
        ("It works, barely", "For this price I expected a better {}."),
    ],
    &[
        ("Does what it should", "A decent {}, no more and no less."),
        ("Good, with a but", "I like the {}, but the instructions are a riddle."),
        ("Fine", "Our third {} in ten years, and not the best of them."),
    ],
    &[
        ("Very good", "A well made {} that I use every day."),
        ("Nearly perfect", "If this {} came in green, I would have two."),
        ("Happy with it", "Bought the {} as a present and kept it."),
        ("Solid", "You notice at once that somebody thought about this {}."),
    ],
    &[
        ("Wonderful", "The best {} I have ever owned."),
        (
            "Worth every cent",
            "I read about this {} for weeks before I bought it, and it is even better.",
        ),
        ("Could not be happier", "Friends ask where the {} is from, every time."),
        ("A small joy", "I did not know that a {} could make me smile."),
    ],
];

const DETAILS: [&str; 14] = [
    "It came well packed, without any plastic.",
    "Delivery took two days longer than promised.",
    "My neighbour has one from 2009 and it still looks new.",
    "The colour is a little darker than on my screen.",
    "It is heavier than it looks, so check the weight first.",
    "The cat has claimed the box.",
    "I wrote to the makers with a question and had an answer within the hour.",
    "After half a year there is not a scratch on it.",
    "It took a week until the smell was gone.",
    "My only wish would be a smaller size.",
    "We use it in the cabin, where things have a hard life.",
    "I would buy it again, but on sale.",
    "One screw was missing and came by post the day after.",
    "It fits exactly where the old one stood.",
];

/// Zero to fourteen reviews of a product, newest first.
pub(super) fn make(thing: &str, chance: &mut Chance) -> Vec<Review> {
    let thing = thing.to_lowercase();
    let mut details = DETAILS;
    chance.shuffle(&mut details);
    let mut reviews: Vec<Review> = (0..chance.below(15))
        .map(|rank| {
            let stars = [5, 5, 5, 4, 4, 4, 3, 3, 2, 1][chance.below(10)];
            let (title, opinion) = chance.pick(OPINIONS[stars - 1]);
            Review {
                author: people::short(chance),
                stars,
                date: format!(
                    "{}-{:02}-{:02}",
                    chance.between(2021, 2025),
                    chance.between(1, 12),
                    chance.between(1, 28)
                ),
                title,
                text: format!("{} {}", opinion.replace("{}", &thing), details[rank]),
            }
        })
        .collect();
    reviews.sort_by(|one, other| other.date.cmp(&one.date));
    reviews
}
