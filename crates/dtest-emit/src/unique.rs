//! Unique names for the variables of a function, while passes work on it.
//!
//! A variable that hides another one gets a number behind its name, so that a pass can tell variables by their names
//! alone; [`restore`] takes the numbers off again.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Pat, Stmt};

use super::code::ident;

/// What stands between a name and its number: a letter to Rust, and to no Dafny program.
const MARK: char = 'ǀ';

/// Gives the variables of a function unique names.
pub(super) fn rename(signature: &syn::Signature, body: &mut Block) {
    let mut pass = Rename::default();
    for input in &signature.inputs {
        if let syn::FnArg::Typed(t) = input {
            for name in super::moves::bound(&t.pat) {
                pass.seen.insert(name);
            }
        }
    }
    pass.visit_block_mut(body);
}

/// Gives the variables their own names back.
pub(super) fn restore(body: &mut Block) {
    Restore.visit_block_mut(body);
}

/// The name without its number.
pub(super) fn plain(name: &str) -> &str {
    name.split(MARK).next().unwrap_or(name)
}

#[derive(Default)]
struct Rename {
    /// What was declared so far.
    seen: BTreeSet<String>,
    /// For each scope around, innermost last: the names that are declared in it, with those that stand for them.
    scopes: Vec<BTreeMap<String, Ident>>,
    count: usize,
}

impl Rename {
    fn scoped(&mut self, f: impl FnOnce(&mut Self)) {
        self.scopes.push(BTreeMap::new());
        f(self);
        self.scopes.pop();
    }

    fn found(&self, name: &Ident) -> Option<&Ident> {
        let name = name.to_string();
        self.scopes.iter().rev().find_map(|s| s.get(&name))
    }

    fn replace(&self, name: &mut Ident) {
        if let Some(other) = self.found(name) {
            *name = other.clone();
        }
    }

    /// Brings the variables of a pattern into scope.
    fn declare(&mut self, p: &mut Pat) {
        // All that a pattern binds comes into scope at once; alternatives bind the same.
        let mut names: BTreeMap<String, Ident> = BTreeMap::new();
        for name in super::moves::bound(p) {
            let new = if self.seen.insert(name.clone()) {
                ident(&name)
            } else {
                self.count += 1;
                ident(&format!("{}{MARK}{}", name.trim_start_matches("r#"), self.count))
            };
            names.insert(name, new);
        }
        Binders(&names).visit_pat_mut(p);
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(names);
        }
    }

    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let each = tokens.into_iter().map(|t| match t {
            TokenTree::Ident(mut i) => {
                self.replace(&mut i);
                TokenTree::Ident(i)
            }
            TokenTree::Group(g) => TokenTree::Group(Group::new(g.delimiter(), self.tokens(g.stream()))),
            TokenTree::Punct(_) | TokenTree::Literal(_) => t,
        });
        each.collect()
    }
}

/// Renames what a pattern binds.
struct Binders<'n>(&'n BTreeMap<String, Ident>);

impl VisitMut for Binders<'_> {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        if let Some(new) = self.0.get(&p.ident.to_string()) {
            p.ident = new.clone();
        }
        visit_mut::visit_pat_ident_mut(self, p);
    }
}

impl VisitMut for Rename {
    fn visit_block_mut(&mut self, b: &mut Block) {
        self.scoped(|pass| b.stmts.iter_mut().for_each(|s| pass.visit_stmt_mut(s)));
    }

    fn visit_stmt_mut(&mut self, s: &mut Stmt) {
        match s {
            // Functions within functions have variables of their own.
            Stmt::Item(_) => {}
            Stmt::Local(_) | Stmt::Expr(..) | Stmt::Macro(_) => visit_mut::visit_stmt_mut(self, s),
        }
    }

    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        if let Some(init) = &mut l.init {
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, els)) = &mut init.diverge {
                self.visit_expr_mut(els);
            }
        }
        self.declare(&mut l.pat);
    }

    fn visit_arm_mut(&mut self, a: &mut syn::Arm) {
        self.scoped(|pass| {
            pass.declare(&mut a.pat);
            if let Pat::Guard(g) = &mut a.pat {
                pass.visit_expr_mut(&mut g.guard);
            }
            pass.visit_expr_mut(&mut a.body);
        });
    }

    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        self.scoped(|pass| {
            c.inputs.iter_mut().for_each(|p| pass.declare(p));
            pass.visit_expr_mut(&mut c.body);
        });
    }

    fn visit_expr_for_loop_mut(&mut self, f: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut f.expr);
        self.scoped(|pass| {
            pass.declare(&mut f.pat);
            pass.visit_block_mut(&mut f.body);
        });
    }

    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        self.scoped(|pass| {
            pass.visit_expr_mut(&mut i.cond);
            pass.visit_block_mut(&mut i.then_branch);
        });
        if let Some((_, els)) = &mut i.else_branch {
            self.visit_expr_mut(els);
        }
    }

    fn visit_expr_while_mut(&mut self, w: &mut syn::ExprWhile) {
        self.scoped(|pass| {
            pass.visit_expr_mut(&mut w.cond);
            pass.visit_block_mut(&mut w.body);
        });
    }

    fn visit_expr_let_mut(&mut self, l: &mut syn::ExprLet) {
        self.visit_expr_mut(&mut l.expr);
        self.declare(&mut l.pat);
    }

    fn visit_expr_path_mut(&mut self, p: &mut syn::ExprPath) {
        if p.path.get_ident().is_some()
            && let Some(segment) = p.path.segments.first_mut()
        {
            self.replace(&mut segment.ident);
        }
        visit_mut::visit_expr_path_mut(self, p);
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        m.tokens = self.tokens(std::mem::take(&mut m.tokens));
    }
}

struct Restore;

impl VisitMut for Restore {
    fn visit_ident_mut(&mut self, i: &mut Ident) {
        let name = i.to_string();
        if name.contains(MARK) {
            *i = ident(plain(&name));
        }
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        fn restored(tokens: TokenStream) -> TokenStream {
            let each = tokens.into_iter().map(|t| match t {
                TokenTree::Ident(i) => {
                    let name = i.to_string();
                    TokenTree::Ident(if name.contains(MARK) { ident(plain(&name)) } else { i })
                }
                TokenTree::Group(g) => TokenTree::Group(Group::new(g.delimiter(), restored(g.stream()))),
                TokenTree::Punct(_) | TokenTree::Literal(_) => t,
            });
            each.collect()
        }
        m.tokens = restored(std::mem::take(&mut m.tokens));
    }

    fn visit_field_value_mut(&mut self, f: &mut syn::FieldValue) {
        visit_mut::visit_field_value_mut(self, f);
        // `Point { x: x }` → `Point { x }`.
        if let (syn::Member::Named(name), Expr::Path(p)) = (&f.member, &f.expr)
            && p.path.get_ident() == Some(name)
        {
            f.colon_token = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::visit_mut::VisitMut;

    /// The body with unique names, whose numbers stand behind a `9`.
    fn check(text: &str, expected: &str) {
        let mut f: syn::ItemFn = syn::parse_str(text).unwrap();
        super::rename(&f.sig, &mut f.block);
        let block = &f.block;
        let expected: proc_macro2::TokenStream = expected.parse().unwrap();
        assert_eq!(quote!(#block).to_string().replace(super::MARK, "9"), expected.to_string());
    }

    #[test]
    fn variables_that_hide_others_get_numbers() {
        check("fn f(x: u8) { let x = x; g(x); { let x = h(x); x }; x }", "{ let x91 = x; g(x91); { let x92 = h(x91); x92 }; x91 }");
        check(
            "fn f() { match a { A { x } => x, B(x) if x => m!(x.y, x), _ => x } }",
            "{ match a { A { x } => x, B(x91) if x91 => m!(x91.y, x91), _ => x } }",
        );
        check("fn f() { if let Some(x) = x && x { x } else { h(|x| x) } }", "{ if let Some(x) = x && x { x } else { h(|x91| x91) } }");
    }

    #[test]
    fn names_come_back() {
        let text = "fn f(x: u8, r#match: u8) { let x = S { x, y: 0 }; let r#match = x; for x in x { m!(x, r#match); } }";
        let mut f: syn::ItemFn = syn::parse_str(text).unwrap();
        let before = quote!(#f).to_string();
        super::rename(&f.sig, &mut f.block);
        super::Restore.visit_block_mut(&mut f.block);
        assert_eq!(quote!(#f).to_string(), before);
    }
}
