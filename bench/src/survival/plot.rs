//! Curves as SVG.
//!
//! Strength increases to the right, the share of wrappers that are still good increases upwards. Each kind of wrapper
//! has a colour and a mark; its line is solid with repair and dashed without.

use std::fmt::Write;

/// One line.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The kind of wrapper; curves of one kind have one colour.
    pub kind: String,
    /// Is it solid?
    pub repaired: bool,
    /// For each strength a share, from 0 to 1.
    pub shares: Vec<f64>,
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 460.0;
/// The corners of the area of the curves.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 390.0;
/// Colours that people with colour blindness can tell apart too (Okabe and Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// Draws curves with a title and the names of both axes; `steps` are the strengths.
pub fn plot(title: &str, across: &str, up: &str, steps: &[usize], curves: &[Curve]) -> String {
    let most = steps.iter().copied().max().unwrap_or(0).max(1);
    let x = |number: usize| {
        let step = steps.get(number).copied().unwrap_or(most);
        LEFT + 10.0 + (RIGHT - LEFT - 20.0) * step as f64 / most as f64
    };
    let y = |share: f64| BOTTOM - (BOTTOM - TOP) * share.clamp(0.0, 1.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut put = |line: String| {
        out += &line;
        out.push('\n');
    };
    put(text((LEFT + RIGHT) / 2.0, 26.0, "middle", "16", title));
    for tenth in (0..=10).step_by(2) {
        let at = y(f64::from(tenth) / 10.0);
        put(format!("<path d=\"M{LEFT} {at:.1}H{RIGHT}\" stroke=\"#ddd\"/>"));
        put(text(LEFT - 8.0, at + 4.0, "end", "13", &format!("{} %", tenth * 10)));
    }
    for (number, step) in steps.iter().enumerate() {
        put(format!("<path d=\"M{:.1} {BOTTOM}v5\" stroke=\"#333\"/>", x(number)));
        put(text(x(number), BOTTOM + 20.0, "middle", "13", &step.to_string()));
    }
    put(format!(
        "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"#333\"/>"
    ));
    put(text((LEFT + RIGHT) / 2.0, BOTTOM + 48.0, "middle", "13", across));
    let middle = (TOP + BOTTOM) / 2.0;
    put(format!(
        "<g transform=\"rotate(-90 18 {middle})\">{}</g>",
        text(18.0, middle, "middle", "13", up)
    ));
    let mut kinds: Vec<&str> = Vec::new();
    for (number, curve) in curves.iter().enumerate() {
        let at = kinds.iter().position(|kind| *kind == curve.kind).unwrap_or_else(|| {
            kinds.push(&curve.kind);
            kinds.len() - 1
        });
        let colour = COLOURS[at % COLOURS.len()];
        let dashes = if curve.repaired {
            ""
        } else {
            " stroke-dasharray=\"6 4\""
        };
        let mut path = String::new();
        for (step, share) in curve.shares.iter().enumerate() {
            let _ = write!(
                path,
                "{}{:.1} {:.1}",
                if step == 0 { "M" } else { "L" },
                x(step),
                y(*share)
            );
        }
        put(format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>"
        ));
        for (step, share) in curve.shares.iter().enumerate() {
            put(mark(at, x(step), y(*share), colour, curve.repaired));
        }
        let row = TOP + 14.0 + 26.0 * number as f64;
        let (from, to) = (RIGHT + 24.0, RIGHT + 64.0);
        put(format!(
            "<path d=\"M{from} {row}H{to}\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>"
        ));
        put(mark(at, (from + to) / 2.0, row, colour, curve.repaired));
        let how = if curve.repaired { "with repair" } else { "without" };
        put(text(
            to + 10.0,
            row + 4.0,
            "start",
            "13",
            &format!("{}, {how}", curve.kind),
        ));
    }
    out + "</svg>\n"
}

fn text(x: f64, y: f64, anchor: &str, size: &str, words: &str) -> String {
    let words = page::xml_text(words);
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{words}</text>")
}

/// A mark for each kind: circle, square, triangle, diamond, inverted triangle, bar; hollow if nothing is repaired.
fn mark(kind: usize, x: f64, y: f64, colour: &str, full: bool) -> String {
    let fill = if full { colour } else { "white" };
    let path = match kind % 6 {
        0 => {
            return format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
            );
        }
        1 => format!("M{:.1} {:.1}h8v8h-8z", x - 4.0, y - 4.0),
        2 => format!("M{x:.1} {:.1}l5 9h-10z", y - 5.5),
        3 => format!("M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z", y - 5.5),
        4 => format!("M{x:.1} {:.1}l5 -9h-10z", y + 5.5),
        _ => format!("M{:.1} {:.1}h5v12h-5z", x - 2.5, y - 6.0),
    };
    format!("<path d=\"{path}\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>")
}
