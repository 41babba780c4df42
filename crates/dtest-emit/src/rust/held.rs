//! Bodies of functions whose items are still tokens.

use std::cell::RefCell;

use proc_macro2::TokenStream;
use quote::ToTokens;

use super::{Stmts, marks};

/// Bodies, for each of which a name stands between the braces of its function.
#[derive(Debug, Default)]
pub(crate) struct Bodies(RefCell<Vec<Stmts>>);

impl Bodies {
    /// Keeps a body; the result stands for it.
    pub(crate) fn keep(&self, body: Stmts) -> TokenStream {
        let mut kept = self.0.borrow_mut();
        kept.push(body);
        marks::body(kept.len() - 1).into_token_stream()
    }

    /// The body that a block stands for.
    pub(super) fn of(&self, block: &syn::Block) -> Option<Stmts> {
        match block.stmts.as_slice() {
            [syn::Stmt::Expr(syn::Expr::Path(p), None)] => self.0.borrow().get(marks::body_number(p.path.get_ident()?)?).cloned(),
            _ => None,
        }
    }
}
