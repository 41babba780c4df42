//! Encoding of splices as names that Rust's grammar accepts at their positions.

use std::collections::BTreeMap;

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};

/// Prefix of the names of single values.
const ONE: &str = "__one_";
/// Prefix of the names of lists.
const EACH: &str = "__each_";

/// Prefixes of the names of lists that represent one expression: all elements, joined by an
/// operator.
const JOINED: [(char, &str, &str); 2] = [('&', "__all_", "all"), ('|', "__any_", "any")];

/// The number of mentions of each variable.
pub(crate) type Mentions = BTreeMap<String, usize>;

/// Returns the variable that a name represents as a single value.
pub(crate) fn one(name: &Ident) -> Option<Ident> {
    stripped(name, ONE)
}

/// Returns the variable that a name represents as a list.
pub(crate) fn each(name: &Ident) -> Option<Ident> {
    stripped(name, EACH)
}

/// Returns the list whose elements a name represents joined by an operator, and the constructor
/// that joins them.
pub(crate) fn joined(name: &Ident) -> Option<(Ident, Ident)> {
    JOINED.iter().find_map(|(_, prefix, join)| {
        Some((stripped(name, prefix)?, Ident::new(join, name.span())))
    })
}

fn stripped(name: &Ident, prefix: &str) -> Option<Ident> {
    name.to_string()
        .strip_prefix(prefix)
        .map(|variable| Ident::new(variable, name.span()))
}

/// Replaces the splices of a template by names.
pub(crate) fn marked(template: TokenStream) -> (TokenStream, Mentions) {
    let mut mentions = Mentions::new();
    let marked = mark(template, &mut mentions);
    (marked, mentions)
}

fn mark(template: TokenStream, mentions: &mut Mentions) -> TokenStream {
    let mut rest: Vec<TokenTree> = template.into_iter().collect();
    rest.reverse();
    let mut out = TokenStream::new();
    while let Some(token) = rest.pop() {
        match token {
            TokenTree::Punct(hash) if hash.as_char() == '#' => {
                splice(hash, &mut rest, &mut out, mentions)
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), mark(group.stream(), mentions));
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

fn operator(p: &Punct) -> Option<&'static str> {
    JOINED
        .iter()
        .find(|(operator, ..)| *operator == p.as_char())
        .map(|(_, prefix, _)| *prefix)
}

/// Encodes the splice after a `#`; `rest` has the remaining tokens in reverse order.
fn splice(hash: Punct, rest: &mut Vec<TokenTree>, out: &mut TokenStream, mentions: &mut Mentions) {
    let (name, consumed, prefix) = match rest.as_slice() {
        [.., TokenTree::Ident(name)] => (name.clone(), 1, ONE),
        [.., TokenTree::Ident(name), TokenTree::Punct(quote)] if quote.as_char() == '\'' => {
            out.extend([TokenTree::Punct(quote.clone())]);
            (name.clone(), 2, ONE)
        }
        [
            ..,
            TokenTree::Ident(name),
            TokenTree::Punct(b),
            TokenTree::Punct(a),
        ] if a.as_char() == '.' && b.as_char() == '.' => (name.clone(), 3, EACH),
        [
            ..,
            TokenTree::Ident(name),
            TokenTree::Punct(b),
            TokenTree::Punct(a),
        ] if a.as_char() == b.as_char() && operator(a).is_some() => {
            (name.clone(), 3, operator(a).unwrap_or(ONE))
        }
        _ => {
            out.extend([TokenTree::Punct(hash)]);
            return;
        }
    };
    rest.truncate(rest.len() - consumed);
    *mentions.entry(name.to_string()).or_default() += 1;
    out.extend([TokenTree::Ident(Ident::new(
        &format!("{prefix}{name}"),
        name.span(),
    ))]);
    // In Rust's grammar, a list of statements that is followed by others is a macro call.
    let ends = match rest.last() {
        None => true,
        Some(TokenTree::Punct(next)) => matches!(next.as_char(), ',' | '|' | '>'),
        Some(_) => false,
    };
    if prefix == EACH && !ends {
        out.extend([
            TokenTree::Punct(Punct::new('!', Spacing::Alone)),
            TokenTree::Group(Group::new(
                proc_macro2::Delimiter::Brace,
                TokenStream::new(),
            )),
        ]);
    }
}
