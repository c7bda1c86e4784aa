use wrapwright::learn::tend::Alarm;
use wrapwright::profile::Profile;
pub(crate) fn render(alarm: &Alarm, _known: &Profile, _now: &Profile, _width: usize, _color: bool) -> String {
    format!("{alarm:#?}\n")
}
pub(crate) fn json(alarm: &Alarm, _known: &Profile, _now: &Profile) -> serde_json::Value {
    serde_json::json!(format!("{alarm:?}"))
}
