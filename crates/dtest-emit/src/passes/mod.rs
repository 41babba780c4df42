//! Passes that remove artifacts of the step-by-step translation which a person would not write:
//! nested blocks, variables that are returned immediately, values that are never read, `return` at
//! the end, types that are known from the result.
//!
//! Each pass transforms the tree of a function ([`crate::rust`]) and preserves its meaning.
//! [`function`] has their order.

mod blocks;
mod declarations;
mod ends;
mod moves;
mod mutability;
mod rounds;
mod simplify;
mod unused;

use crate::rust::print::print_items;
use crate::rust::{self, Expr, FnItem, Item, NameTable, Use, VisitMut, items, resolved};
use dtest_sorted::SortedSet;
use resolved::{Function, Stmt};

/// Resolves the names of the functions among the items and runs the passes on them. `beside` has
/// the names that other items declare.
pub(super) fn tidy(items: Vec<Item>, beside: &SortedSet<String>) -> Vec<resolved::Item> {
    // A pass that knows a function of the run-time library must not take one of the program for
    // it.
    let mut declared = SortedSet::new();
    items.iter().for_each(|i| note_declared(i, &mut declared));
    let mut tidied =
        |f| resolved_and_tidied(f, &|name| declared.contains(name) || beside.contains(name));
    items.into_iter().map(|i| i.map(&mut tidied)).collect()
}

/// Runs [`tidy`] on a single function.
pub(super) fn tidy_function(f: FnItem) -> resolved::Item {
    resolved::Item::Fn(resolved_and_tidied(f, &|_| false))
}

/// Formats an expression after the passes.
pub(super) fn print_expr(e: &Expr) -> String {
    // The printer formats items only, so the expression is printed within one.
    let text = print_items(tidy(items!(fn f() { let _ = #e; }), &SortedSet::new()));
    let inner = text
        .trim()
        .strip_prefix("fn f() {")
        .and_then(|t| t.strip_suffix('}'))
        .unwrap_or("")
        .trim();
    let value = inner
        .strip_prefix("let _ =")
        .and_then(|t| t.strip_suffix(';'))
        .unwrap_or("")
        .trim();
    let lines: Vec<&str> = value
        .lines()
        .map(|l| l.strip_prefix("    ").unwrap_or(l))
        .collect();
    lines.join("\n")
}

fn resolved_and_tidied(f: FnItem, declares: &dyn Fn(&str) -> bool) -> Function {
    let mut f = rust::resolve(f, declares);
    function(&mut f);
    Inner(&mut f.names).block(&mut f.body);
    f
}

/// Collects the types, traits and modules that an item declares or imports, at any depth. Inside
/// their scope, these names do not refer to the run-time library.
fn note_declared(item: &Item, found: &mut SortedSet<String>) {
    found.extend(item.declared_type().map(ToString::to_string));
    match item {
        Item::Mod(m) => {
            found.insert(m.head.name.to_string());
            m.items.iter().for_each(|i| note_declared(i, found));
        }
        Item::Use(u) if !is_of_library(u) => found.extend(u.names().into_iter().map(str::to_owned)),
        Item::Struct(_)
        | Item::Enum(_)
        | Item::Trait(_)
        | Item::Impl(_)
        | Item::Use(_)
        | Item::Alias(_)
        | Item::Fn(_)
        | Item::Kept(_) => {}
    }
}

/// Whether an import is from the run-time library or from Rust's own libraries.
fn is_of_library(u: &Use) -> bool {
    u.path.segments.len() > 1
        && u.path
            .segments
            .first()
            .is_some_and(|s| s.name == "dunit" || s.name == "std")
}

/// Runs the passes on one function, in their order.
fn function(f: &mut Function) {
    // Blocks in blocks hide the ends that the next passes look for.
    blocks::open(&mut f.body);
    // Unreachable code would keep variables needed and loops in need of a `continue`.
    unused::unreachable(&mut f.body);
    rounds::settle(&mut f.body);
    // A loop without its `continue` may leave a block of one statement.
    blocks::open(&mut f.body);
    // Without `return`, the values at the ends are those that declarations can move to.
    ends::without_return(f);
    unused::settle(f);
    declarations::at_first_value(&mut f.body);
    // A declaration that became the last value may have ended in a `return`.
    ends::without_return(f);
    // Liveness needs the final positions of reads and writes.
    moves::settle(f);
    blocks::redundant(&mut f.body);
    simplify::simplify(&mut f.body);
    if f.signature.result.is_some() {
        ends::value(&mut f.body);
    }
    // Only now is it known which variables change after their declaration.
    mutability::settle(f);
}

/// Processes nested functions, whose names are in the table of the outer function.
struct Inner<'f>(&'f mut NameTable);

impl VisitMut for Inner<'_> {
    fn stmt(&mut self, s: &mut Stmt) {
        *s = match std::mem::replace(s, Stmt::Space) {
            // Its names are in the same table, so the table moves into the inner function and back.
            Stmt::Fn(inner) => {
                let FnItem { signature, body } = *inner;
                let mut f = Function {
                    names: std::mem::take(self.0),
                    signature,
                    body,
                };
                function(&mut f);
                *self.0 = f.names;
                self.block(&mut f.body);
                Stmt::Fn(Box::new(FnItem {
                    signature: f.signature,
                    body: f.body,
                }))
            }
            mut other @ (Stmt::Let(_) | Stmt::Run(_) | Stmt::Value(_) | Stmt::Space) => {
                self.inside_stmt(&mut other);
                other
            }
        };
    }
}

/// Formats items after the passes, for tests.
#[cfg(test)]
fn tidied(items: Vec<Item>) -> String {
    print_items(tidy(items, &SortedSet::new()))
}
