//! Pieces of Rust with what is known of their ownership, and their printed form.
//!
//! A [`Code`] is an expression wrapped in an invisible group, so that pieces compose without parentheses; those that
//! precedence needs are put in when the whole is printed.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::rust::marks;

/// Who owns the value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// A temporary: moving it is free.
    Owned,
    /// A place of the value's own type: moving out of it takes a clone.
    Place,
    /// A reference to the value.
    Ref,
}

/// A Rust expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    tokens: TokenStream,
    own: Own,
    /// The value's type is `Copy`.
    copy: bool,
    /// A place or reference that outlives the statement.
    stable: bool,
    /// It is a variable of the value's own type: whether that is needed again is not known here.
    is_variable: bool,
    /// The `Lazy` that holds the value, as a place or reference: with it, the value need not be computed.
    lazy: Option<TokenStream>,
}

impl Code {
    /// A temporary.
    pub(super) fn owned(tokens: TokenStream, copy: bool) -> Self {
        Self { tokens, own: Own::Owned, copy, stable: false, is_variable: false, lazy: None }
    }

    /// A variable.
    pub(super) fn variable(name: &Ident, copy: bool) -> Self {
        Self { is_variable: true, ..Self::place(quote!(#name), copy) }
    }

    /// A variable with a name of ours, such as `this`.
    pub(super) fn named(name: &str, copy: bool) -> Self {
        Self::variable(&ident(name), copy)
    }

    /// A place that outlives the statement and is no variable.
    pub(super) fn place(tokens: TokenStream, copy: bool) -> Self {
        Self { tokens, own: Own::Place, copy, stable: true, is_variable: false, lazy: None }
    }

    /// A variable that is a reference.
    pub(super) fn reference(tokens: TokenStream, copy: bool) -> Self {
        Self { tokens, own: Own::Ref, copy, stable: true, is_variable: false, lazy: None }
    }

    /// A place or reference that lives as long as `root` does.
    pub(super) fn within(tokens: TokenStream, own: Own, copy: bool, root: &Code) -> Self {
        Self { tokens, own, copy, stable: root.stable, is_variable: false, lazy: None }
    }

    /// The same, of a value that `lazy` holds.
    pub(super) fn held_by(self, lazy: TokenStream) -> Self {
        Self { lazy: Some(group(lazy)), ..self }
    }

    /// A variable that is a `Lazy` of the value, or a reference to one.
    pub(super) fn lazy_variable(name: &Ident, is_reference: bool) -> Self {
        let value = if is_reference { quote!(**#name) } else { quote!(*#name) };
        Self::place(value, false).held_by(quote!(#name))
    }

    /// The `Lazy` that holds the value, if one does.
    pub(super) fn lazy(&self) -> Option<&TokenStream> {
        self.lazy.as_ref()
    }

    /// Whether it owns its value.
    pub(super) fn own(&self) -> Own {
        self.own
    }

    /// Whether it may be bound by reference.
    pub(super) fn is_stable(&self) -> bool {
        self.stable
    }

    /// An expression that yields the value itself.
    pub(super) fn owned_value(&self) -> TokenStream {
        let t = &self.grouped();
        match (self.own, self.copy) {
            (Own::Owned, _) | (Own::Place, true) => t.clone(),
            (Own::Ref, true) => group(quote!(*#t)),
            (Own::Place, false) if self.is_variable => group(marks::take(t)),
            (Own::Place | Own::Ref, false) => group(quote!(#t.clone())),
        }
    }

    /// An expression that yields a reference to the value.
    pub(super) fn borrowed(&self) -> TokenStream {
        let t = &self.grouped();
        match self.own {
            Own::Owned | Own::Place => group(quote!(&#t)),
            Own::Ref => t.clone(),
        }
    }

    /// An operand of an operator that takes values and references alike.
    pub(super) fn operand(&self) -> TokenStream {
        let t = &self.grouped();
        match (self.own, self.copy) {
            (Own::Owned, _) | (Own::Place, true) => t.clone(),
            (Own::Place, false) => group(quote!(&#t)),
            (Own::Ref, true) => group(quote!(*#t)),
            (Own::Ref, false) => t.clone(),
        }
    }

    /// A place or temporary of the value's own type that is only looked at: a side of a comparison, a condition.
    pub(super) fn looked_at(&self) -> TokenStream {
        let t = &self.grouped();
        match self.own {
            Own::Owned | Own::Place => t.clone(),
            Own::Ref => group(quote!(*#t)),
        }
    }

    /// The receiver of a method that takes `&self`.
    pub(super) fn receiver(&self) -> TokenStream {
        self.grouped()
    }

    fn grouped(&self) -> TokenStream {
        group(self.tokens.clone())
    }
}

/// Tokens held together.
pub(super) fn group(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_)), None) => tokens,
        _ => TokenTree::Group(Group::new(Delimiter::None, tokens)).into(),
    }
}

/// The most components of a tuple that Rust's own tuples serve.
const MOST_PLAIN: usize = 12;
/// The most components of a tuple.
pub(super) const MOST_COMPONENTS: usize = 21;

/// `(a, b)`, as an expression or a pattern; a component that is alone stands for itself.
pub(super) fn tuple(parts: &[TokenStream]) -> TokenStream {
    match parts {
        [one] => one.clone(),
        many if many.len() > MOST_PLAIN => {
            let name = ident(&format!("Tuple{}", many.len()));
            quote!(dunit::#name(#(#many),*))
        }
        many => quote!((#(#many),*)),
    }
}

/// `(A, B)`, as a type.
pub(super) fn tuple_type(parts: &[TokenStream]) -> TokenStream {
    match parts {
        many if many.len() > MOST_PLAIN => {
            let name = ident(&format!("Tuple{}", many.len()));
            quote!(dunit::#name<#(#many),*>)
        }
        parts => tuple(parts),
    }
}

/// An identifier; raw where it is a keyword of Rust.
pub(super) fn ident(name: &str) -> Ident {
    // A keyword since the edition of 2024.
    if name == "gen" {
        return Ident::new_raw(name, Span::call_site());
    }
    match syn::parse_str::<Ident>(name) {
        Ok(plain) => plain,
        Err(_) if matches!(name, "self" | "Self" | "super" | "crate" | "_") => Ident::new(&format!("{name}_"), Span::call_site()),
        Err(_) => syn::parse_str::<Ident>(&format!("r#{name}")).unwrap_or_else(|_| Ident::new("unnamed", Span::call_site())),
    }
}

/// The identifier of a name that was one before.
pub(super) fn known_ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// The name without the `r#` that makes it an identifier.
pub(super) fn without_raw(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// Whether a name can be that of a module as it is: it is an identifier and no keyword.
pub(super) fn is_plain_name(name: &str) -> bool {
    name != "gen" && syn::parse_str::<Ident>(name).is_ok()
}

/// A lifetime such as `'outer`.
pub(super) fn lifetime(name: &str) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'{name}"), Span::call_site())
}

/// A literal without a suffix.
pub(super) fn number(digits: &str) -> TokenStream {
    // A negative number as one token, so that nothing comes between the sign and the digits.
    if let Ok(n) = digits.parse::<i64>() {
        return TokenTree::from(proc_macro2::Literal::i64_unsuffixed(n)).into();
    }
    digits.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_become_raw_identifiers() {
        assert_eq!(ident("match").to_string(), "r#match");
        assert_eq!(ident("self").to_string(), "self_");
        assert_eq!(ident("size").to_string(), "size");
    }
}
