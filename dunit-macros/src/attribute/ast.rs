//! The parsed form of a test.

use proc_macro2::TokenStream;
use syn::{Expr, Ident, ItemFn, Local, Pat, Result, Stmt};

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
    /// Whether it is the first statement after the inputs, and there are inputs.
    pub(super) ends_inputs: bool,
}

/// A variable of the test.
pub(super) struct Variable<'a> {
    pub(super) name: &'a Ident,
    /// Whether it is computed before the call.
    pub(super) is_input: bool,
}

impl Test {
    pub(super) fn parse(arguments: TokenStream, item: TokenStream) -> Result<Test> {
        // The item is parsed first, because an error in it is the most important one.
        let function = syn::parse2(item)?;
        Ok(Test {
            arguments: syn::parse2(arguments)?,
            function,
        })
    }

    /// Returns the statements of the body.
    pub(super) fn steps(&self) -> Vec<Step<'_>> {
        let statements = &self.function.block.stmts;
        let made = inputs_end(statements);
        let mut steps = Vec::new();
        for (at, statement) in statements.iter().enumerate() {
            let declared = if let Stmt::Local(local) = statement {
                declared_name(local)
            } else {
                None
            };
            let variable = declared.map(|name| Variable {
                name,
                is_input: at < made,
            });
            steps.push(Step {
                statement,
                variable,
                ends_inputs: at == made && at > 0,
            });
        }
        steps
    }
}

/// Returns the number of statements that compute the inputs: those before the first `require!`,
/// before `let before = Snapshot::take()`, or before a loop or branch. If an expectation comes
/// first, those before the statement in front of it, which is the call.
fn inputs_end(statements: &[Stmt]) -> usize {
    for (at, statement) in statements.iter().enumerate() {
        match statement {
            Stmt::Macro(call) => match call
                .mac
                .path
                .segments
                .last()
                .map(|s| s.ident.to_string())
                .as_deref()
            {
                Some("require") => return at,
                Some(name) if name.starts_with("expect") || name.starts_with("assert") => {
                    return at.saturating_sub(1);
                }
                Some(_) | None => {}
            },
            Stmt::Local(local) if is_snapshot(local) || is_mutable(local) => return at,
            Stmt::Expr(e, _)
                if !matches!(e, Expr::Call(_) | Expr::MethodCall(_) | Expr::Assign(_)) =>
            {
                return at;
            }
            Stmt::Local(_) | Stmt::Expr(..) | Stmt::Item(_) => {}
        }
    }
    statements.len().saturating_sub(1)
}

/// Whether a `let` is `let before = Snapshot::take();`.
fn is_snapshot(local: &Local) -> bool {
    let Some(Expr::Call(call)) = local.init.as_ref().map(|init| &*init.expr) else {
        return false;
    };
    let Expr::Path(function) = &*call.func else {
        return false;
    };
    let mut names = function.path.segments.iter().rev().map(|s| &s.ident);
    names.next().is_some_and(|n| n == "take") && names.next().is_some_and(|n| n == "Snapshot")
}

/// Whether a `let` is `let mut name = ..;`.
fn is_mutable(local: &Local) -> bool {
    matches!(pattern(local), Pat::Ident(name) if name.mutability.is_some())
}

fn pattern(local: &Local) -> &Pat {
    match &local.pat {
        Pat::Type(typed) => &typed.pat,
        pattern => pattern,
    }
}

/// Returns the name of `let name = ..;` or `let name: T = ..;`. A `mut` variable has none, because
/// the report would show its first value only.
fn declared_name(local: &Local) -> Option<&Ident> {
    match pattern(local) {
        Pat::Ident(name)
            if local.init.is_some()
                && name.by_ref.is_none()
                && name.mutability.is_none()
                && name.subpat.is_none() =>
        {
            Some(&name.ident)
        }
        _ => None,
    }
}
