//! What a translation step by step leaves behind and a person would not write: blocks in blocks, variables that are
//! returned at once, values that are given and never read, `return` at the end, types that are known from the result.
//!
//! Each pass takes the tree of a function ([`crate::rust`]) to another that computes the same.

mod blocks;
mod declarations;
mod ends;
mod moves;
mod mutability;
mod rounds;
mod simplify;
mod unused;

use std::collections::BTreeSet;

use crate::rust::{self, Bodies, Function, VisitMut as _, resolved::Stmt};
use syn::visit_mut::{self, VisitMut};

/// Tidies the functions among the items, beside which others declare these names, with the bodies that are kept elsewhere. None of it
/// changes what they compute.
pub(super) fn tidy(items: &mut [syn::Item], kept: &Bodies, beside: &BTreeSet<String>) -> Result<(), String> {
    each_function(items, kept, beside, function)
}

/// Whether the items have nothing that the tree has no node for.
pub(super) fn check(items: &mut [syn::Item], kept: &Bodies) -> Result<(), String> {
    each_function(items, kept, &BTreeSet::new(), |_| {})
}

fn each_function(items: &mut [syn::Item], kept: &Bodies, beside: &BTreeSet<String>, passes: fn(&mut Function)) -> Result<(), String> {
    let mut functions = Functions { declared: declared(items), beside, kept, passes, refused: None };
    items.iter_mut().for_each(|i| functions.visit_item_mut(i));
    functions.refused.map_or(Ok(()), |e| Err(e.to_string()))
}

/// The types, traits and modules that items declare or import, at any depth: the run-time library has none of these names there.
fn declared(items: &[syn::Item]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for item in items {
        match item {
            syn::Item::Struct(i) => found.extend([i.ident.to_string()]),
            syn::Item::Enum(i) => found.extend([i.ident.to_string()]),
            syn::Item::Trait(i) => found.extend([i.ident.to_string()]),
            syn::Item::Type(i) => found.extend([i.ident.to_string()]),
            syn::Item::Mod(i) => {
                found.insert(i.ident.to_string());
                found.extend(i.content.iter().flat_map(|(_, inner)| declared(inner)));
            }
            syn::Item::Use(i) => imported(&i.tree, &mut found),
            _ => {}
        }
    }
    found
}

/// The names that an import brings, but those of the run-time library and of Rust.
fn imported(tree: &syn::UseTree, found: &mut BTreeSet<String>) {
    match tree {
        syn::UseTree::Path(p) if p.ident != "dunit" && p.ident != "std" => imported(&p.tree, found),
        syn::UseTree::Name(n) => found.extend([n.ident.to_string()]),
        syn::UseTree::Rename(r) => found.extend([r.rename.to_string()]),
        syn::UseTree::Group(g) => g.items.iter().for_each(|t| imported(t, found)),
        _ => {}
    }
}

/// The passes over one function, in their order.
fn function(f: &mut Function) {
    blocks::open(&mut f.body);
    unused::unreachable(&mut f.body);
    rounds::settle(&mut f.body);
    blocks::open(&mut f.body);
    ends::without_return(f);
    unused::settle(f);
    declarations::at_first_value(&mut f.body);
    ends::without_return(f);
    moves::settle(f);
    blocks::redundant(&mut f.body);
    simplify::simplify(&mut f.body);
    if f.has_result {
        ends::value(&mut f.body);
    }
    mutability::settle(f);
}

/// Hands the functions among items to the passes, reads and writes the expressions outside of functions, and takes off the
/// invisible groups around types.
struct Functions<'d> {
    /// What the items declare.
    declared: BTreeSet<String>,
    /// What others declare beside them.
    beside: &'d BTreeSet<String>,
    /// Bodies that are kept elsewhere.
    kept: &'d Bodies,
    /// What is done to each function.
    passes: fn(&mut Function),
    /// What has no node in the tree.
    refused: Option<syn::Error>,
}

impl Functions<'_> {
    fn declares(&self, name: &str) -> bool {
        self.declared.contains(name) || self.beside.contains(name)
    }

    fn function(&mut self, signature: &mut syn::Signature, body: &mut syn::Block) {
        self.visit_signature_mut(signature);
        let empty = syn::Block { brace_token: Default::default(), stmts: Vec::new() };
        match rust::read(signature, std::mem::replace(body, empty), self.kept, &|name| self.declares(name)) {
            Ok(mut f) => {
                (self.passes)(&mut f);
                Inner(self).block(&mut f.body);
                rust::write(f, signature, body);
            }
            Err(e) => self.refused = Some(e),
        }
    }
}

impl VisitMut for Functions<'_> {
    fn visit_item_fn_mut(&mut self, f: &mut syn::ItemFn) {
        self.function(&mut f.sig, &mut f.block);
    }

    fn visit_impl_item_fn_mut(&mut self, f: &mut syn::ImplItemFn) {
        self.function(&mut f.sig, &mut f.block);
    }

    fn visit_trait_item_fn_mut(&mut self, f: &mut syn::TraitItemFn) {
        if let Some(body) = &mut f.default {
            self.function(&mut f.sig, body);
        }
    }

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_type_mut(&mut self, t: &mut syn::Type) {
        rust::ungroup(t);
        visit_mut::visit_type_mut(self, t);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        match rust::read_alone(std::mem::replace(e, syn::Expr::PLACEHOLDER), &|name| self.declares(name)) {
            Ok((names, read)) => *e = rust::write_alone(&names, read),
            Err(refused) => self.refused = Some(refused),
        }
    }
}

/// The functions within a function.
struct Inner<'f, 'd>(&'f mut Functions<'d>);

impl rust::VisitMut for Inner<'_, '_> {
    fn stmt(&mut self, s: &mut Stmt) {
        match s {
            Stmt::Item(item) => self.0.visit_item_mut(item.inner_mut()),
            Stmt::Let(_) | Stmt::Run(_) | Stmt::Value(_) | Stmt::Space | Stmt::Unread(_) => self.inside_stmt(s),
        }
    }
}

/// Items as they are printed, for the tests of the passes.
#[cfg(test)]
#[allow(clippy::unwrap_used)]
fn tidied(text: &str) -> String {
    crate::print::print_items(crate::print::items(text.parse().unwrap()).unwrap())
}
