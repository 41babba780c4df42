//! Converts the calls of macros.
//!
//! Most become calls of functions with marked names, so that the printer lays out their arguments.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Expr as E;

use super::exprs::{binary, call};
use super::types::type_of;
use super::{Writer, print, single, token};
use crate::rust::{Argument, Macro, MacroName};

impl<N> Writer<'_, N> {
    /// Converts a macro that the printer does not reformat.
    pub(super) fn one_line_macro(&self, m: Macro<N>) -> syn::Macro {
        let args = m.args.into_iter().map(|a| self.argument(a));
        let mut path: syn::Path = token(m.name.text()).into();
        if m.name == MacroName::Offer {
            path.segments.insert(0, token("dunit").into());
        }
        let delimiter = syn::MacroDelimiter::Paren(Default::default());
        syn::Macro {
            path,
            bang_token: Default::default(),
            delimiter,
            tokens: quote!(#(#args),*),
        }
    }

    fn argument(&self, a: Argument<N>) -> TokenStream {
        match a {
            Argument::Value(e) => self.expr(e).into_token_stream(),
            Argument::Pair(key, value) => {
                let (key, value) = (self.expr(key), self.expr(value));
                quote!(#key => #value)
            }
            Argument::Times(value, count) => {
                let (value, count) = (self.expr(value), self.expr(count));
                quote!(#value; #count)
            }
            Argument::Pattern(p) => self.pattern(p).into_token_stream(),
            Argument::Type(ty) => type_of(ty).into_token_stream(),
        }
    }

    pub(super) fn call_of_macro(&self, m: Macro<N>) -> E {
        let argument = |a: Argument<N>| match a {
            Argument::Value(e) => self.expr(e),
            Argument::Pair(key, value) => binary(self.expr(key), print::arrow(), self.expr(value)),
            Argument::Times(value, count) => {
                binary(self.expr(value), print::semicolon(), self.expr(count))
            }
            // These occur only in macros on one line.
            Argument::Pattern(_) | Argument::Type(_) => E::Verbatim(self.argument(a)),
        };
        call(
            single(print::macro_function(m.name.text(), m.in_brackets)),
            m.args.into_iter().map(argument).collect(),
        )
    }
}

impl MacroName {
    /// Returns the name of the macro.
    fn text(self) -> &'static str {
        match self {
            Self::DafnyPrint => "dafny_print",
            Self::Expect => "expect",
            Self::ExpectCalls => "expect_calls",
            Self::ExpectDistinct => "expect_distinct",
            Self::ExpectEq => "expect_eq",
            Self::ExpectFrame => "expect_frame",
            Self::ExpectPrints => "expect_prints",
            Self::Format => "format",
            Self::Map => "map",
            Self::Matches => "matches",
            Self::Multiset => "multiset",
            Self::Offer => "offer",
            Self::Panic => "panic",
            Self::Require => "require",
            Self::Seq => "seq",
            Self::Set => "set",
            Self::Stub => "stub",
            Self::StubOnce => "stub_once",
            Self::Unreachable => "unreachable",
        }
    }
}
