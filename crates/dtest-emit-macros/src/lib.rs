//! Templates of Rust: `expr!(#receiver.get(#index))` is the tree of `dtest-emit` that stands for this text.
//!
//! A template is parsed when the emitter is compiled, so that a mistake in its syntax is an error at its place, and expands to
//! constructors of the tree: nothing is parsed when the tool runs.
//!
//! - `#x` is the value of the variable `x`. What it may be depends on where it stands: an expression takes what is `Into<Expr>`, a pattern
//!   `Into<Pat>`, a type `Into<Type>`, the start of a path `Into<Path>`; a member, a method and a variable that is declared take a name. It
//!   is moved by its last mention in the template, and cloned by the others.
//! - `#..xs` stands for all of `xs` in a list: arguments, elements, fields, patterns, type arguments, statements; of an item, its generic
//!   parameters, parameters, variants, members and, as `#[#..xs]`, attributes.
//! - `#&&xs` stands for all of `xs` joined by `&&`, `#||xs` by `||`.
//! - `#'x` is a label with the text of `x`.
//! - `(&mut #x).f()` is a call that changes its receiver, and is written `x.f()`.
//! - `#[borrows]` before a `let` says that the variable is a reference into what its value mentions, `#[unassigned]` that the value is none
//!   of the program's.
#![deny(missing_docs)]

mod constructors;
mod items;
mod splice;

use proc_macro::TokenStream;
use syn::parse::{ParseStream, Parser};

use constructors::Constructors;

/// An expression.
#[proc_macro]
pub fn expr(template: TokenStream) -> TokenStream {
    expand(template, |input| input.parse(), |c, e| c.expr(e))
}

/// Statements, as a `Vec<Stmt>`; an expression without a `;` at the end is the value of the block that they become.
#[proc_macro]
pub fn stmts(template: TokenStream) -> TokenStream {
    expand(template, syn::Block::parse_within, |c, stmts| {
        c.stmts(stmts)
    })
}

/// A pattern.
#[proc_macro]
pub fn pat(template: TokenStream) -> TokenStream {
    expand(template, syn::Pat::parse_multi, |c, pat| c.pat(pat))
}

/// A type.
#[proc_macro]
pub fn ty(template: TokenStream) -> TokenStream {
    expand(template, |input| input.parse(), |c, ty| c.ty(ty))
}

/// A path, as an expression has it.
#[proc_macro]
pub fn path(template: TokenStream) -> TokenStream {
    expand(
        template,
        |input| input.parse::<syn::ExprPath>(),
        |c, p| c.path(p.qself, p.path),
    )
}

/// Items, as a `Vec<Item>`: structs, enums, traits, `impl`s, modules, aliases and functions.
#[proc_macro]
pub fn items(template: TokenStream) -> TokenStream {
    expand(template, |input| input.parse(), Constructors::items)
}

/// A function with its body, as a `FnItem`.
#[proc_macro]
pub fn function(template: TokenStream) -> TokenStream {
    expand(template, |input| input.parse(), Constructors::function)
}

/// A function without its body, as a `Signature`.
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
