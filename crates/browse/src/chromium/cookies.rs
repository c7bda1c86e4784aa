//! The cookies of a browser: set before its first page, and read at the end.
//!
//! Pages from private addresses have a browser context of their own (see [`browser`](super::browser)), and with it
//! cookies of their own. Both contexts start with the same cookies. At the end there is one list again: a cookie that was
//! deleted in one context is gone, one that was changed has its new value, one that is new is added. A host is in one
//! context only, so the two never disagree about more than a domain with hosts in both.
//!
//! Known gaps: the cookies of a browser that crashed are lost, and the next one starts with those of the file; what the
//! file format lacks (`SameSite`, partitions) is lost; the browser shortens expiry dates to 400 days.

use crate::cookies::Cookie;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What sets a cookie in a browser; none if it has no valid host.
fn to_browser(cookie: &Cookie) -> Option<Value> {
    let mut told = json!({
        "name": cookie.name,
        "value": cookie.value,
        "path": cookie.path,
        "secure": cookie.secure,
        "httpOnly": cookie.http_only,
        // A file does not say how a cookie was set; it may be sent by http and https, to any port.
        "sourceScheme": "Unset",
        "sourcePort": -1,
    });
    // With an address and without a domain it is for one host only.
    match cookie.below {
        true => told["domain"] = format!(".{}", cookie.host).into(),
        false => told["url"] = cookie.address()?.as_str().into(),
    }
    if let Some(expires) = cookie.expires {
        told["expires"] = expires.into();
    }
    Some(told)
}

/// What sets cookies in a browser.
pub(super) fn all_to_browser(cookies: &[Cookie]) -> Vec<Value> {
    cookies.iter().filter_map(to_browser).collect()
}

fn from_browser(told: &Value) -> Option<Cookie> {
    let text = |name: &str| told[name].as_str().map(str::to_owned);
    let domain = text("domain")?;
    let host = domain.trim_start_matches('.').to_owned();
    let expires = told["expires"].as_f64().filter(|at| *at > 0.0);
    Some(Cookie {
        below: host.len() < domain.len(),
        host: host.trim_matches(['[', ']']).to_owned(),
        path: text("path")?,
        name: text("name")?,
        value: text("value")?,
        secure: told["secure"] == true,
        http_only: told["httpOnly"] == true,
        expires: expires.map(|at| at as u64),
    })
}

/// The cookies that a browser tells.
pub(super) fn all_from_browser(told: &Value) -> Vec<Cookie> {
    let told = told["cookies"].as_array();
    told.into_iter().flatten().filter_map(from_browser).collect()
}

/// One list of the cookies of several contexts that all started with the same ones.
pub(super) fn merged(first: &[Cookie], contexts: &[Vec<Cookie>]) -> Vec<Cookie> {
    type Key<'c> = (&'c str, bool, &'c str, &'c str);
    fn key(cookie: &Cookie) -> Key<'_> {
        (&cookie.host, cookie.below, &cookie.path, &cookie.name)
    }
    let first: BTreeMap<Key, &Cookie> = first.iter().map(|cookie| (key(cookie), cookie)).collect();
    let mut found: BTreeMap<Key, Vec<&Cookie>> = BTreeMap::new();
    for cookie in contexts.iter().flatten() {
        found.entry(key(cookie)).or_default().push(cookie);
    }
    let chosen = found.into_iter().filter_map(|(key, cookies)| {
        let Some(old) = first.get(&key) else {
            return cookies.last().copied();
        };
        match cookies.len() == contexts.len() {
            true => cookies
                .into_iter()
                .max_by_key(|cookie| (cookie.value != old.value, cookie.expires)),
            // Deleted in one of them.
            false => None,
        }
    });
    chosen.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(name: &str, value: &str) -> Cookie {
        Cookie {
            host: "a.test".to_owned(),
            below: false,
            path: "/".to_owned(),
            name: name.to_owned(),
            value: value.to_owned(),
            secure: false,
            http_only: true,
            expires: None,
        }
    }

    #[test]
    fn contexts_become_one_list() {
        let list = |pairs: &[(&str, &str)]| -> Vec<Cookie> { pairs.iter().map(|(n, v)| cookie(n, v)).collect() };
        let first = list(&[("kept", "1"), ("changed", "1"), ("deleted", "1")]);
        let public = list(&[("kept", "1"), ("changed", "1"), ("deleted", "1"), ("new", "5")]);
        let private = list(&[("kept", "1"), ("changed", "2")]);
        let told: Vec<(String, String)> = merged(&first, &[public.clone(), private])
            .into_iter()
            .map(|cookie| (cookie.name, cookie.value))
            .collect();
        let pairs: Vec<(&str, &str)> = told.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(pairs, [("changed", "2"), ("kept", "1"), ("new", "5")]);
        let mut alone = merged(&first, std::slice::from_ref(&public));
        alone.sort();
        let mut expected = public;
        expected.sort();
        assert_eq!(alone, expected);
    }

    #[test]
    fn what_a_browser_tells_is_a_cookie() {
        let told = json!({ "cookies": [
            { "name": "a", "value": "1", "domain": "a.test", "path": "/", "expires": -1, "secure": false, "httpOnly": true },
            { "name": "b", "value": "2", "domain": ".b.test", "path": "/x", "expires": 99.5, "secure": true },
            { "name": "broken" },
        ] });
        let found = all_from_browser(&told);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], cookie("a", "1"));
        assert_eq!(
            (found[1].below, found[1].host.as_str(), found[1].expires),
            (true, "b.test", Some(99))
        );
        let back = all_to_browser(&found);
        assert_eq!(back[0]["url"], "http://a.test/");
        assert_eq!(back[1]["domain"], ".b.test");
        assert_eq!(back[1]["expires"], 99);
    }
}
