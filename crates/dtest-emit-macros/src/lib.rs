//! Templates of Rust code: `expr!(#receiver.get(#index))` builds the tree of `dtest-emit` that
//! represents this text.
//!
//! A template is parsed when the emitter is compiled, so that a syntax error is reported at its
//! location, and expands to constructors of the tree: nothing is parsed at run time.
//!
//! - `#x` is the value of the variable `x`. The accepted types depend on its position: an
//!   expression takes `Into<Expr>`, a pattern `Into<Pat>`, a type `Into<Type>`, the start of a path
//!   `Into<Path>`; a member, a method and a declared variable take a name. The variable is moved at
//!   its last mention in the template, and cloned at the others.
//! - `#..xs` represents all of `xs` in a list: arguments, elements, fields, patterns, type
//!   arguments, statements; in an item, its generic parameters, parameters, variants, members and,
//!   as `#[#..xs]`, attributes.
//! - `#&&xs` represents all of `xs` joined by `&&`, `#||xs` by `||`.
//! - `#'x` is a label with the text of `x`.
//! - `(&mut #x).f()` is a call that changes its receiver, and is written `x.f()`.
//! - `#[borrows]` before a `let` marks the variable as a reference into a variable that its value
//!   mentions; `#[unassigned]` marks the value as not one of the program's.
#![deny(missing_docs)]

mod constructors;
mod items;
mod splice;

use proc_macro::TokenStream;
use syn::parse::{ParseStream, Parser};

use constructors::Constructors;

/// Builds an expression.
#[proc_macro]
pub fn expr(template: TokenStream) -> TokenStream {
    expand(template, |input| input.parse(), |c, e| c.expr(e))
}

/// Builds statements, as a `Vec<Stmt>`; an expression without a `;` at the end is the value of
/// their block.
#[proc_macro]
pub fn stmts(template: TokenStream) -> TokenStream {
    expand(template, syn::Block::parse_within, |c, stmts| {
        c.stmts(stmts)
    })
}

/// Builds a pattern.
#[proc_macro]
pub fn pat(template: TokenStream) -> TokenStream {
    expand(template, syn::Pat::parse_multi, |c, pat| c.pat(pat))
}

/// Builds a type.
#[proc_macro]
pub fn ty(template: TokenStream) -> TokenStream {
    expand(template, |input| input.parse(), |c, ty| c.ty(ty))
}

/// Builds a path, in the form of expressions.
#[proc_macro]
pub fn path(template: TokenStream) -> TokenStream {
    expand(
        template,
        |input| input.parse::<syn::ExprPath>(),
        |c, p| c.path(p.qself, p.path),
    )
}

/// Builds items, as a `Vec<Item>`: structs, enums, traits, `impl`s, modules, aliases and functions.
#[proc_macro]
pub fn items(template: TokenStream) -> TokenStream {
    expand(template, |input| input.parse(), Constructors::items)
}

/// Builds a function with its body, as a `FnItem`.
#[proc_macro]
pub fn function(template: TokenStream) -> TokenStream {
    expand(template, |input| input.parse(), Constructors::function)
}

/// Builds a function without its body, as a `Signature`.
#[proc_macro]
pub fn signature(template: TokenStream) -> TokenStream {
    expand(template, |input| input.parse(), Constructors::signature)
}

fn expand<T>(
    template: TokenStream,
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    build: impl FnOnce(&mut Constructors, T) -> syn::Result<proc_macro2::TokenStream>,
) -> TokenStream {
    let (template, mentions) = splice::marked(template.into());
    let parsed = parse.parse2(template);
    let built = parsed.and_then(|parsed| build(&mut Constructors::new(mentions), parsed));
    built.unwrap_or_else(syn::Error::into_compile_error).into()
}
