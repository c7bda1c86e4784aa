//! Style values as a browser computes them, for constants that are compared with styles.
//!
//! A browser computes every colour to `rgb(…)` or `rgba(…)`, so `style::color = "#767676"` and `= "grey"` can be true
//! only if the constant is computed in the same way. On a page lengths are numbers of pixels, so `"16px"` is `16`. All
//! other values are left as written.

/// The value of a constant as the browser would compute it for a property.
pub(super) fn computed(property: &str, value: &str) -> Option<String> {
    let value = value.trim();
    if property.ends_with("color") || matches!(property, "fill" | "stroke") {
        return colour(value);
    }
    let number = value.strip_suffix("px")?;
    number.parse::<f64>().ok().map(|_| number.to_owned())
}

fn colour(value: &str) -> Option<String> {
    let lower = value.to_ascii_lowercase();
    if lower == "transparent" {
        return Some("rgba(0, 0, 0, 0)".to_owned());
    }
    if let Ok(at) = NAMES.binary_search_by(|(name, _)| (*name).cmp(lower.as_str())) {
        let number = NAMES[at].1;
        return Some(format!(
            "rgb({}, {}, {})",
            number >> 16,
            number >> 8 & 255,
            number & 255
        ));
    }
    if let Some(digits) = lower.strip_prefix('#') {
        return hex(digits);
    }
    let inside = lower
        .strip_prefix("rgba")
        .or_else(|| lower.strip_prefix("rgb"))?
        .trim()
        .strip_prefix('(')?
        .strip_suffix(')')?;
    let parts: Vec<&str> = inside
        .split([',', ' ', '/'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let channel = |part: &str| -> Option<f64> {
        let number = match part.strip_suffix('%') {
            Some(percent) => percent.parse::<f64>().ok()? * 2.55,
            None => part.parse::<f64>().ok()?,
        };
        Some(number.clamp(0.0, 255.0).round())
    };
    let alpha = match parts.get(3) {
        None => 1.0,
        Some(part) => match part.strip_suffix('%') {
            Some(percent) => percent.parse::<f64>().ok()? / 100.0,
            None => part.parse::<f64>().ok()?,
        },
    };
    if !(3..=4).contains(&parts.len()) {
        return None;
    }
    let [r, g, b] = [channel(parts[0])?, channel(parts[1])?, channel(parts[2])?];
    Some(written(r, g, b, alpha))
}

fn hex(digits: &str) -> Option<String> {
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let full: String = match digits.len() {
        3 | 4 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        6 | 8 => digits.to_owned(),
        _ => return None,
    };
    let part = |at: usize| {
        let pair = full.get(at..at + 2)?;
        u8::from_str_radix(pair, 16).ok().map(f64::from)
    };
    let alpha = part(6).map_or(1.0, |alpha| (alpha / 255.0 * 1000.0).round() / 1000.0);
    Some(written(part(0)?, part(2)?, part(4)?, alpha))
}

fn written(r: f64, g: f64, b: f64, alpha: f64) -> String {
    match alpha >= 1.0 {
        true => format!("rgb({r}, {g}, {b})"),
        false => format!("rgba({r}, {g}, {b}, {})", alpha.max(0.0)),
    }
}

/// The named colours of CSS, sorted.
#[rustfmt::skip]
const NAMES: [(&str, u32); 148] = [
    ("aliceblue", 0xF0F8FF), ("antiquewhite", 0xFAEBD7), ("aqua", 0x00FFFF), ("aquamarine", 0x7FFFD4),
    ("azure", 0xF0FFFF), ("beige", 0xF5F5DC), ("bisque", 0xFFE4C4), ("black", 0x000000), ("blanchedalmond", 0xFFEBCD),
    ("blue", 0x0000FF), ("blueviolet", 0x8A2BE2), ("brown", 0xA52A2A), ("burlywood", 0xDEB887),
    ("cadetblue", 0x5F9EA0), ("chartreuse", 0x7FFF00), ("chocolate", 0xD2691E), ("coral", 0xFF7F50),
    ("cornflowerblue", 0x6495ED), ("cornsilk", 0xFFF8DC), ("crimson", 0xDC143C), ("cyan", 0x00FFFF),
    ("darkblue", 0x00008B), ("darkcyan", 0x008B8B), ("darkgoldenrod", 0xB8860B), ("darkgray", 0xA9A9A9),
    ("darkgreen", 0x006400), ("darkgrey", 0xA9A9A9), ("darkkhaki", 0xBDB76B), ("darkmagenta", 0x8B008B),
    ("darkolivegreen", 0x556B2F), ("darkorange", 0xFF8C00), ("darkorchid", 0x9932CC), ("darkred", 0x8B0000),
    ("darksalmon", 0xE9967A), ("darkseagreen", 0x8FBC8F), ("darkslateblue", 0x483D8B), ("darkslategray", 0x2F4F4F),
    ("darkslategrey", 0x2F4F4F), ("darkturquoise", 0x00CED1), ("darkviolet", 0x9400D3), ("deeppink", 0xFF1493),
    ("deepskyblue", 0x00BFFF), ("dimgray", 0x696969), ("dimgrey", 0x696969), ("dodgerblue", 0x1E90FF),
    ("firebrick", 0xB22222), ("floralwhite", 0xFFFAF0), ("forestgreen", 0x228B22), ("fuchsia", 0xFF00FF),
    ("gainsboro", 0xDCDCDC), ("ghostwhite", 0xF8F8FF), ("gold", 0xFFD700), ("goldenrod", 0xDAA520),
    ("gray", 0x808080), ("green", 0x008000), ("greenyellow", 0xADFF2F), ("grey", 0x808080), ("honeydew", 0xF0FFF0),
    ("hotpink", 0xFF69B4), ("indianred", 0xCD5C5C), ("indigo", 0x4B0082), ("ivory", 0xFFFFF0), ("khaki", 0xF0E68C),
    ("lavender", 0xE6E6FA), ("lavenderblush", 0xFFF0F5), ("lawngreen", 0x7CFC00), ("lemonchiffon", 0xFFFACD),
    ("lightblue", 0xADD8E6), ("lightcoral", 0xF08080), ("lightcyan", 0xE0FFFF), ("lightgoldenrodyellow", 0xFAFAD2),
    ("lightgray", 0xD3D3D3), ("lightgreen", 0x90EE90), ("lightgrey", 0xD3D3D3), ("lightpink", 0xFFB6C1),
    ("lightsalmon", 0xFFA07A), ("lightseagreen", 0x20B2AA), ("lightskyblue", 0x87CEFA), ("lightslategray", 0x778899),
    ("lightslategrey", 0x778899), ("lightsteelblue", 0xB0C4DE), ("lightyellow", 0xFFFFE0), ("lime", 0x00FF00),
    ("limegreen", 0x32CD32), ("linen", 0xFAF0E6), ("magenta", 0xFF00FF), ("maroon", 0x800000),
    ("mediumaquamarine", 0x66CDAA), ("mediumblue", 0x0000CD), ("mediumorchid", 0xBA55D3), ("mediumpurple", 0x9370DB),
    ("mediumseagreen", 0x3CB371), ("mediumslateblue", 0x7B68EE), ("mediumspringgreen", 0x00FA9A),
    ("mediumturquoise", 0x48D1CC), ("mediumvioletred", 0xC71585), ("midnightblue", 0x191970), ("mintcream", 0xF5FFFA),
    ("mistyrose", 0xFFE4E1), ("moccasin", 0xFFE4B5), ("navajowhite", 0xFFDEAD), ("navy", 0x000080),
    ("oldlace", 0xFDF5E6), ("olive", 0x808000), ("olivedrab", 0x6B8E23), ("orange", 0xFFA500),
    ("orangered", 0xFF4500), ("orchid", 0xDA70D6), ("palegoldenrod", 0xEEE8AA), ("palegreen", 0x98FB98),
    ("paleturquoise", 0xAFEEEE), ("palevioletred", 0xDB7093), ("papayawhip", 0xFFEFD5), ("peachpuff", 0xFFDAB9),
    ("peru", 0xCD853F), ("pink", 0xFFC0CB), ("plum", 0xDDA0DD), ("powderblue", 0xB0E0E6), ("purple", 0x800080),
    ("rebeccapurple", 0x663399), ("red", 0xFF0000), ("rosybrown", 0xBC8F8F), ("royalblue", 0x4169E1),
    ("saddlebrown", 0x8B4513), ("salmon", 0xFA8072), ("sandybrown", 0xF4A460), ("seagreen", 0x2E8B57),
    ("seashell", 0xFFF5EE), ("sienna", 0xA0522D), ("silver", 0xC0C0C0), ("skyblue", 0x87CEEB),
    ("slateblue", 0x6A5ACD), ("slategray", 0x708090), ("slategrey", 0x708090), ("snow", 0xFFFAFA),
    ("springgreen", 0x00FF7F), ("steelblue", 0x4682B4), ("tan", 0xD2B48C), ("teal", 0x008080), ("thistle", 0xD8BFD8),
    ("tomato", 0xFF6347), ("turquoise", 0x40E0D0), ("violet", 0xEE82EE), ("wheat", 0xF5DEB3), ("white", 0xFFFFFF),
    ("whitesmoke", 0xF5F5F5), ("yellow", 0xFFFF00), ("yellowgreen", 0x9ACD32),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_colour_has_many_names() {
        for same in [
            "#767676",
            "rgb(118,118,118)",
            "rgb(118 118 118)",
            "RGBA(118, 118, 118, 1)",
            "#767676FF",
        ] {
            assert_eq!(computed("color", same).as_deref(), Some("rgb(118, 118, 118)"), "{same}");
        }
        for same in ["grey", "Gray", "#808080", " rgb( 128 , 128 , 128 ) "] {
            assert_eq!(
                computed("background-color", same).as_deref(),
                Some("rgb(128, 128, 128)"),
                "{same}"
            );
        }
        assert_eq!(computed("color", "#f00").as_deref(), Some("rgb(255, 0, 0)"));
        assert_eq!(
            computed("color", "rgb(100%, 0%, 0%)").as_deref(),
            Some("rgb(255, 0, 0)")
        );
        assert_eq!(
            computed("color", "rgba(1,2,3,.5)").as_deref(),
            Some("rgba(1, 2, 3, 0.5)")
        );
        assert_eq!(computed("color", "transparent").as_deref(), Some("rgba(0, 0, 0, 0)"));
    }

    #[test]
    fn what_is_no_colour_stays() {
        for other in [
            "",
            "#12",
            "#xyz",
            "rgb(1,2)",
            "rgb(a,b,c)",
            "no-colour",
            "rgb",
            "#é12345",
        ] {
            assert_eq!(computed("color", other), None, "{other}");
        }
        assert_eq!(computed("font-size", "16px").as_deref(), Some("16"));
        assert_eq!(computed("font-size", "1.5px").as_deref(), Some("1.5"));
        assert_eq!(computed("display", "block"), None);
        assert!(NAMES.is_sorted_by_key(|(name, _)| *name));
    }
}
