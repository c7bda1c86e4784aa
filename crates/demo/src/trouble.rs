//! Pages that misbehave: arrive late, end early, send wrong headers.

use crate::html::{missing, page};
use crate::server::{Answer, Request, Response};
use std::time::Duration;

/// The longest that the slow page may be asked to take, in seconds.
const SLOWEST: f64 = 60.0;

/// `/slow?seconds=2`.
pub(crate) fn slow(request: &Request) -> Answer {
    let seconds = request.value("seconds").and_then(|seconds| seconds.parse::<f64>().ok());
    let seconds = seconds
        .filter(|seconds| !seconds.is_nan())
        .unwrap_or(2.0)
        .clamp(0.0, SLOWEST);
    let main = format!("<h1>Slow</h1>\n<p>This page took <span class=\"seconds\">{seconds}</span> seconds.</p>\n");
    Answer::Late(page("trouble", "Slow", &main), Duration::from_secs_f64(seconds))
}

/// The pages below `/broken/`.
pub(crate) fn broken(rest: &str) -> Answer {
    match rest {
        "" => page("trouble", "Broken", INDEX).into(),
        "500" => page(
            "trouble",
            "Broken",
            "<h1>Something went wrong</h1>\n<p>It is us, not you.</p>\n",
        )
        .with_status(500)
        .into(),
        "truncated" => {
            let response = long();
            let after = response.body.len() / 2;
            Answer::Cut { response, after }
        }
        "reset" => Answer::Reset,
        "length" => {
            let response = long();
            let length = response.body.len() as u64 + 1000;
            Answer::Misstated { response, length }
        }
        "endless" => Answer::Endless {
            response: Response::html("<p>And so on.</p>\n".repeat(500)),
            pause: Duration::ZERO,
        },
        "loop" => Response::see_other("/broken/loop").into(),
        _ => missing("trouble").into(),
    }
}

fn long() -> Response {
    let items: String = (1..=200).map(|n| format!("<li>Item {n} of 200</li>\n")).collect();
    page(
        "trouble",
        "A long list",
        &format!("<h1>A long list</h1>\n<ul>\n{items}</ul>\n"),
    )
}

const INDEX: &str = "\
<h1>Broken pages</h1>
<ul>
<li><a href=\"/broken/500\">An error of the server</a>: status 500</li>
<li><a href=\"/broken/truncated\">A page that breaks off</a> in the middle</li>
<li><a href=\"/broken/reset\">A connection that is reset</a></li>
<li><a href=\"/broken/length\">A wrong length</a>: more is promised than comes</li>
<li><a href=\"/broken/endless\">A page without an end</a></li>
<li><a href=\"/broken/loop\">A redirect to itself</a></li>
<li><a href=\"/slow?seconds=2\">A slow page</a>: two seconds</li>
<li><a href=\"/private/\">A page that robots.txt forbids</a></li>
</ul>
";
