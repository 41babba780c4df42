//! `require!`, `expect!` and `expect_eq!`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, Result, Token};

use crate::text::text;

/// The kind of a clause, which determines the meaning of its failure.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Require,
    Expect,
}

/// `condition, "location: text"`; the text is optional.
pub(crate) struct Condition {
    condition: Expr,
    text: Option<Expr>,
}

/// `got, want, "location: text"`; the text is optional.
pub(crate) struct Equality {
    got: Expr,
    want: Expr,
    text: Option<Expr>,
}

impl Parse for Condition {
    fn parse(input: ParseStream<'_>) -> Result<Condition> {
        Ok(Condition {
            condition: input.parse()?,
            text: parse_text(input)?,
        })
    }
}

impl Parse for Equality {
    fn parse(input: ParseStream<'_>) -> Result<Equality> {
        let got = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok(Equality {
            got,
            want: input.parse()?,
            text: parse_text(input)?,
        })
    }
}

fn parse_text(input: ParseStream<'_>) -> Result<Option<Expr>> {
    if input.is_empty() {
        return Ok(None);
    }
    input.parse::<Token![,]>()?;
    if input.is_empty() {
        return Ok(None);
    }
    let text = input.parse()?;
    input.parse::<Option<Token![,]>>()?;
    Ok(Some(text))
}

/// Expands a condition, whose conjuncts are evaluated and reported separately.
pub(crate) fn condition(clause: Condition, kind: Kind) -> TokenStream {
    let mut conjuncts = Vec::new();
    collect_conjuncts(&clause.condition, &mut conjuncts);
    let several = conjuncts.len() > 1;
    let checks = conjuncts
        .into_iter()
        .map(|conjunct| check(conjunct, several));
    wrap(
        kind,
        clause.text.as_ref(),
        &clause.condition,
        quote!(#(#checks)*),
    )
}

/// Expands a comparison with named sides.
pub(crate) fn equality(clause: Equality) -> TokenStream {
    let Equality {
        got,
        want,
        text: said,
    } = &clause;
    let check = compare(
        got,
        want,
        &quote!(==),
        ("got", "want"),
        &quote!(::core::option::Option::None),
    );
    wrap(Kind::Expect, said.as_ref(), &quote!(#got == #want), check)
}

fn wrap(
    kind: Kind,
    said: Option<&Expr>,
    source: &impl ToTokens,
    checks: TokenStream,
) -> TokenStream {
    let kind = match kind {
        Kind::Require => quote!(Require),
        Kind::Expect => quote!(Expect),
    };
    let said = match said {
        Some(said) => quote!(#said),
        None => {
            let source = text(source.to_token_stream());
            quote! { ::core::concat!(::core::file!(), ":", ::core::line!(), ": ", #source) }
        }
    };
    let clause = hygienic("clause");
    quote! {
        {
            #[allow(unused_imports)]
            use ::dunit::harness::{RenderByPrint as _, RenderNothing as _};
            let #clause = ::dunit::harness::enter(::dunit::harness::ClauseKind::#kind, #said);
            #checks
            ::core::mem::drop(#clause);
        }
    }
}

fn collect_conjuncts<'a>(condition: &'a Expr, conjuncts: &mut Vec<&'a Expr>) {
    match condition {
        Expr::Binary(ExprBinary {
            left,
            op: BinOp::And(_),
            right,
            ..
        }) => {
            collect_conjuncts(left, conjuncts);
            collect_conjuncts(right, conjuncts);
        }
        Expr::Paren(inner) => collect_conjuncts(&inner.expr, conjuncts),
        Expr::Group(inner) => collect_conjuncts(&inner.expr, conjuncts),
        other => conjuncts.push(other),
    }
}

fn check(conjunct: &Expr, several: bool) -> TokenStream {
    let shown = text(conjunct.to_token_stream());
    let named = if several {
        quote!(::core::option::Option::Some(#shown))
    } else {
        quote!(::core::option::Option::None)
    };
    if let Expr::Binary(ExprBinary {
        left, op, right, ..
    }) = conjunct
    {
        if matches!(
            op,
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
        ) {
            return compare(left, right, &quote!(#op), ("left", "right"), &named);
        }
    }
    let clause = hygienic("clause");
    let holds = hygienic("holds");
    quote! {
        let #holds: bool = #conjunct;
        if !#holds {
            #clause.fail(#named, ::std::vec::Vec::new());
        }
    }
}

fn compare(
    left: &Expr,
    right: &Expr,
    operator: &TokenStream,
    (left_role, right_role): (&str, &str),
    named: &TokenStream,
) -> TokenStream {
    let (clause, left_value, right_value) =
        (hygienic("clause"), hygienic("left"), hygienic("right"));
    let (left_text, right_text) = (text(left.to_token_stream()), text(right.to_token_stream()));
    // The span of the left side makes the compiler point at it if the two sides cannot be compared.
    let compared = quote_spanned!(left.span()=> *#left_value #operator *#right_value);
    let holds = hygienic("holds");
    quote! {
        match (&(#left), &(#right)) {
            (#left_value, #right_value) => {
                let #holds: bool = #compared;
                if !#holds {
                    #[allow(clippy::needless_borrow)]
                    let sides = ::std::vec![
                        ::dunit::harness::Side {
                            role: #left_role,
                            expression: #left_text,
                            value: (&::dunit::harness::Probe(#left_value)).render(),
                        },
                        ::dunit::harness::Side {
                            role: #right_role,
                            expression: #right_text,
                            value: (&::dunit::harness::Probe(#right_value)).render(),
                        },
                    ];
                    #clause.fail(#named, sides);
                }
            }
        }
    }
}

/// Returns a hygienic variable, which the user's expressions cannot see.
fn hygienic(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
