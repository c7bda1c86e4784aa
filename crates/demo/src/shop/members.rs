//! The login, and the pages that need it.
//!
//! There is one member. The session is a cookie whose value follows from the member's name, so the server keeps no
//! state. In a real shop that would be a security hole; here it makes every run the same.

use crate::html::{Text, page};
use crate::server::{Request, Response};
use std::fmt::Write;

/// The name of the one member.
pub const MEMBER: &str = "ada";

/// The password of the one member.
pub const PASSWORD: &str = "lighthouse";

const COOKIE: &str = "lantern-session";
const SESSION: &str = "ada-7f3c91";

/// Did this client log in?
pub(super) fn is_member(request: &Request) -> bool {
    request.cookie(COOKIE) == Some(SESSION)
}

/// The login form, or the result of sending it.
///
/// A wrong password is a page like any other (200), as in most shops: a wrapper must read the text of the page.
pub(super) fn login(request: &Request) -> Response {
    if request.method != "POST" {
        return form("", "");
    }
    let fields = request.form();
    let field = |name: &str| {
        let found = fields.iter().find(|(field, _)| field == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    if field("name") == MEMBER && field("password") == PASSWORD {
        let cookie = format!("{COOKIE}={SESSION}; Path=/shop; HttpOnly; SameSite=Lax");
        return Response::see_other("/shop/members").with_header("Set-Cookie", cookie);
    }
    let wrong = "<p class=\"error\" role=\"alert\">Wrong name or password. Please try again.</p>\n";
    form(wrong, field("name"))
}

/// Ends the session.
pub(super) fn logout() -> Response {
    let cookie = format!("{COOKIE}=; Path=/shop; Max-Age=0");
    Response::see_other("/shop/").with_header("Set-Cookie", cookie)
}

/// The prices for members, or a redirect to the form.
pub(super) fn prices(request: &Request) -> Response {
    if !is_member(request) {
        return Response::see_other("/shop/login");
    }
    let mut out = format!(
        "<h1>Member prices</h1>\n<p class=\"welcome\">Welcome back, {MEMBER}. <a href=\"/shop/logout\">Log out</a></p>\n\
         <table class=\"results\">\n<thead><tr><th>Product</th><th class=\"number\">List price</th><th class=\"number\">Your price</th></tr></thead>\n<tbody>\n"
    );
    for product in super::for_members() {
        let _ = writeln!(
            out,
            "<tr><td><a href=\"/shop/product/{}\">{}</a></td><td class=\"number\"><s>{}</s></td>\
             <td class=\"number yours\">{}</td></tr>",
            product.id,
            Text(&product.name),
            product.price(),
            product.member_price()
        );
    }
    page("shop", "Member prices · Lantern Row", &(out + "</tbody>\n</table>\n"))
}

fn form(message: &str, name: &str) -> Response {
    let main = format!(
        "<h1>Log in</h1>\n{message}<form class=\"stack card\" method=\"post\" action=\"/shop/login\">\n\
         <label>Name <input name=\"name\" autocomplete=\"username\" value=\"{}\"></label>\n\
         <label>Password <input type=\"password\" name=\"password\" autocomplete=\"current-password\"></label>\n\
         <button type=\"submit\">Log in</button>\n</form>\n\
         <p class=\"count\">The demo has one member: {MEMBER}, with the password {PASSWORD}.</p>\n",
        Text(name)
    );
    page("shop", "Log in · Lantern Row", &main)
}
