//! Specification functions of tests that stay as they are.

/// Adds those items that are not there yet, by their names; modules are gone through.
pub(super) fn add_missing(items: &mut Vec<syn::Item>, old: Vec<syn::Item>) {
    for item in old {
        let twin = items.iter_mut().find(|i| is_same(i, &item));
        match (twin, item) {
            (Some(syn::Item::Mod(new)), syn::Item::Mod(old)) => {
                let inner = old.content.map(|(_, items)| items).unwrap_or_default();
                add_missing(&mut new.content.get_or_insert_with(Default::default).1, inner);
            }
            (Some(_), _) => {}
            (None, item) => items.push(item),
        }
    }
}

fn is_same(a: &syn::Item, b: &syn::Item) -> bool {
    match (a, b) {
        (syn::Item::Mod(a), syn::Item::Mod(b)) => a.ident == b.ident,
        (syn::Item::Fn(a), syn::Item::Fn(b)) => a.sig.ident == b.sig.ident,
        (a, b) => a == b,
    }
}

/// Puts items in an order that does not depend on who came first: imports, functions by name, modules by name.
pub(super) fn sort(items: &mut [syn::Item]) {
    for item in items.iter_mut() {
        if let syn::Item::Mod(m) = item {
            m.content.iter_mut().for_each(|(_, inner)| sort(inner));
        }
    }
    items.sort_by_cached_key(|item| match item {
        syn::Item::Use(u) => (0, String::from(if matches!(&u.tree, syn::UseTree::Path(p) if p.ident == "dunit") { "" } else { "crate" })),
        syn::Item::Fn(f) => (1, f.sig.ident.to_string()),
        syn::Item::Mod(m) => (3, m.ident.to_string()),
        _ => (2, String::new()),
    });
}

#[cfg(test)]
mod tests {
    use super::{add_missing, sort};

    #[test]
    fn the_order_is_that_of_names() {
        let mut items: syn::File = syn::parse_quote!(
            use dunit::prelude::*;
            fn g() {}
            mod m {
                fn b() {}
                fn a() {}
            }
            use crate::subject;
            fn f() {}
        );
        sort(&mut items.items);
        let expected: syn::File = syn::parse_quote!(
            use dunit::prelude::*;
            use crate::subject;
            fn f() {}
            fn g() {}
            mod m {
                fn a() {}
                fn b() {}
            }
        );
        assert_eq!(items, expected);
    }

    #[test]
    fn what_is_new_wins_and_the_rest_stays() {
        let mut new: syn::File = syn::parse_quote!(
            use a::b;
            fn f() -> i32 {
                2
            }
            mod m {
                fn g() {}
            }
        );
        let old: syn::File = syn::parse_quote!(
            use a::b;
            fn f() -> i32 {
                1
            }
            mod m {
                fn h() {}
            }
            mod n {}
        );
        add_missing(&mut new.items, old.items);
        let expected: syn::File = syn::parse_quote!(
            use a::b;
            fn f() -> i32 {
                2
            }
            mod m {
                fn g() {}
                fn h() {}
            }
            mod n {}
        );
        assert_eq!(new, expected);
    }
}
