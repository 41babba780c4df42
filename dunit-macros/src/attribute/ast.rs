//! A test as it was written.

use proc_macro2::TokenStream;
use syn::{Ident, ItemFn, Local, Pat, Result, Stmt};

use super::arguments::Arguments;

/// A function with its `#[dunit(..)]`.
pub(super) struct Test {
    pub(super) arguments: Arguments,
    pub(super) function: ItemFn,
}

/// A statement of the body, with the variable that the report shows after it.
pub(super) struct Step<'a> {
    pub(super) statement: &'a Stmt,
    pub(super) variable: Option<Variable<'a>>,
}

/// A variable of the test.
pub(super) struct Variable<'a> {
    pub(super) name: &'a Ident,
    /// Whether nothing but declarations came before it.
    pub(super) is_input: bool,
}

impl Test {
    pub(super) fn parse(arguments: TokenStream, item: TokenStream) -> Result<Test> {
        // The item first: if it is no function, that is what the user has to hear.
        let function = syn::parse2(item)?;
        Ok(Test { arguments: syn::parse2(arguments)?, function })
    }

    /// The statements of the body.
    pub(super) fn steps(&self) -> Vec<Step<'_>> {
        let mut is_input = true;
        let mut steps = Vec::new();
        for statement in &self.function.block.stmts {
            let declared = match statement {
                Stmt::Local(local) => declared_name(local),
                _ => {
                    is_input = false;
                    None
                }
            };
            let variable = declared.map(|name| Variable { name, is_input });
            steps.push(Step { statement, variable });
        }
        steps
    }
}

/// The name of `let name = ..;` or `let mut name: T = ..;`.
fn declared_name(local: &Local) -> Option<&Ident> {
    let pattern = match &local.pat {
        Pat::Type(typed) => &*typed.pat,
        pattern => pattern,
    };
    match pattern {
        Pat::Ident(name) if local.init.is_some() && name.by_ref.is_none() && name.subpat.is_none() => Some(&name.ident),
        _ => None,
    }
}
