//! Merging of the specification functions that staying tests need.

use crate::rust::{Ident, resolved::Item};

/// Adds the items that are missing, by name; modules are merged recursively.
pub(super) fn add_missing(items: &mut Vec<Item>, old: Vec<Item>) {
    for item in old {
        let twin = items.iter_mut().find(|i| is_same(i, &item));
        match (twin, item) {
            (Some(Item::Mod(new)), Item::Mod(old)) => add_missing(&mut new.items, old.items),
            // The new form of a function replaces the old one, which may be outdated.
            (Some(_), _) => {}
            (None, item) => items.push(item),
        }
    }
}

fn is_same(a: &Item, b: &Item) -> bool {
    match (a, b) {
        (Item::Mod(a), Item::Mod(b)) => a.head.name == b.head.name,
        (a, b) => match (function(a), function(b)) {
            (Some(a), Some(b)) => a == b,
            // Anything else has no name by which it could be replaced.
            (Some(_), None) | (None, Some(_)) => false,
            (None, None) => a == b,
        },
    }
}

/// Returns the name of a function.
fn function(item: &Item) -> Option<Ident> {
    match item {
        Item::Fn(f) => Some(f.signature.head.name.clone()),
        Item::Kept(kept) => kept.function(),
        Item::Struct(_)
        | Item::Enum(_)
        | Item::Trait(_)
        | Item::Impl(_)
        | Item::Mod(_)
        | Item::Use(_)
        | Item::Alias(_) => None,
    }
}

/// Sorts items independently of their origin: imports, functions by name, modules by name.
pub(super) fn sort(items: &mut [Item]) {
    for item in items.iter_mut() {
        if let Item::Mod(m) = item {
            sort(&mut m.items);
        }
    }
    // The text of a suite must not depend on which of its tests are new.
    items.sort_by_cached_key(|item| match (item, function(item)) {
        (_, Some(name)) => (1, name.to_string()),
        (Item::Use(u), None) => {
            let is_prelude = u.path.segments.first().is_some_and(|s| s.name == "dunit");
            (0, String::from(if is_prelude { "" } else { "crate" }))
        }
        (Item::Kept(kept), None) if kept.is_import() => (0, "crate".to_owned()),
        (Item::Mod(m), None) => (3, m.head.name.to_string()),
        (
            Item::Struct(_)
            | Item::Enum(_)
            | Item::Trait(_)
            | Item::Impl(_)
            | Item::Alias(_)
            | Item::Fn(_)
            | Item::Kept(_),
            None,
        ) => (2, String::new()),
    });
}

#[cfg(test)]
mod tests {
    use super::{Item, add_missing, sort};
    use crate::rust::kept_items;
    use crate::rust::print::print_items;

    fn read(text: &str) -> Vec<Item> {
        kept_items(text).unwrap_or_default()
    }

    #[test]
    fn the_order_is_that_of_names() {
        let mut items = read(
            "use dunit::prelude::*; fn g() {} mod m { fn b() {} fn a() {} } use crate::subject; fn f() {}",
        );
        sort(&mut items);
        let expected = read(
            "use dunit::prelude::*; use crate::subject; fn f() {} fn g() {} mod m { fn a() {} fn b() {} }",
        );
        assert_eq!(print_items(items), print_items(expected));
    }

    #[test]
    fn new_tests_win_and_the_rest_stays() {
        let mut new = read("use a::b; fn f() -> i32 { 2 } mod m { fn g() {} }");
        add_missing(
            &mut new,
            read("use a::b; fn f() -> i32 { 1 } mod m { fn h() {} } mod n {} struct S;"),
        );
        let expected =
            read("use a::b; fn f() -> i32 { 2 } mod m { fn g() {} fn h() {} } mod n {} struct S;");
        assert_eq!(print_items(new), print_items(expected));
    }
}
