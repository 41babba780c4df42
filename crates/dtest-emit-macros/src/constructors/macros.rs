//! Calls of macros in templates.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr as E, Pat as P, Result, Token};

use super::{Constructors, each_of, node, refused};

impl Constructors {
    pub(super) fn call_of_macro(&mut self, m: syn::Macro) -> Result<TokenStream> {
        // The tree identifies a macro by its name alone.
        let Some(name) = m.path.segments.last().map(|s| &s.ident) else {
            return refused(&m.path, "this macro");
        };
        let in_brackets = matches!(m.delimiter, syn::MacroDelimiter::Bracket(_));
        let parsed: Vec<Argument> = if name == "matches" {
            Argument::of_matches.parse2(m.tokens)?
        } else {
            Punctuated::<Argument, Token![,]>::parse_terminated
                .parse2(m.tokens)?
                .into_iter()
                .collect()
        };
        let each = |a: &Argument| match a {
            Argument::Value(E::Path(p)) => each_of(&p.path),
            Argument::Value(_)
            | Argument::Pair(..)
            | Argument::Times(..)
            | Argument::Pattern(_) => None,
        };
        let args = self.list(parsed, &node("Argument"), each, Self::argument)?;
        let (expr, node) = (node("Expr"), node("Macro"));
        let name = Ident::new(&camel_case(&name.to_string()), name.span());
        Ok(
            quote!(#expr::Macro(#node { name: crate::rust::MacroName::#name, in_brackets: #in_brackets, args: #args })),
        )
    }

    fn argument(&mut self, a: Argument) -> Result<TokenStream> {
        let node = node("Argument");
        Ok(match a {
            Argument::Value(e) => {
                let e = self.expr(e)?;
                quote!(#node::Value(#e))
            }
            Argument::Pair(key, value) => {
                let (key, value) = (self.expr(key)?, self.expr(value)?);
                quote!(#node::Pair(#key, #value))
            }
            Argument::Times(value, count) => {
                let (value, count) = (self.expr(value)?, self.expr(count)?);
                quote!(#node::Times(#value, #count))
            }
            Argument::Pattern(p) => {
                let p = self.pat(p)?;
                quote!(#node::Pattern(#p))
            }
        })
    }
}

/// An argument of a macro.
enum Argument {
    Value(E),
    /// `key => value`
    Pair(E, E),
    /// `value; count`
    Times(E, E),
    Pattern(P),
}

impl Argument {
    /// Parses `value, pattern`.
    fn of_matches(input: ParseStream<'_>) -> Result<Vec<Self>> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok(vec![
            Self::Value(value),
            Self::Pattern(P::parse_multi(input)?),
        ])
    }
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let first: E = input.parse()?;
        if input.peek(Token![=>]) {
            input.parse::<Token![=>]>()?;
            return Ok(Self::Pair(first, input.parse()?));
        }
        if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
            return Ok(Self::Times(first, input.parse()?));
        }
        Ok(Self::Value(first))
    }
}

/// Converts the name of a macro to that of its variant in the tree: `stub` becomes `Stub`.
fn camel_case(name: &str) -> String {
    let word = |w: &str| {
        let mut chars = w.chars();
        chars
            .next()
            .map(|c| c.to_ascii_uppercase())
            .into_iter()
            .chain(chars)
            .collect::<String>()
    };
    name.split('_').map(word).collect()
}
