//! Removes nested blocks, blocks of one expression, and variables that are returned immediately.

use crate::rust::resolved::{Block, Expr, If, Stmt, VisitMut};

/// Flattens blocks at the end of blocks, and turns `else { if … }` into `else if …`.
pub(super) fn open(body: &mut Block) {
    Open.block(body);
}

/// Removes constructs that the insertion of moves leaves behind: variables that are returned
/// immediately, and blocks around a call.
pub(super) fn redundant(body: &mut Block) {
    Redundant.block(body);
}

struct Open;

impl VisitMut for Open {
    fn block(&mut self, b: &mut Block) {
        // Inner blocks first, so that one pass flattens any depth.
        self.inside_block(b);
        open_end(b);
        open_breaks(b);
        returned_variable(b, false);
    }

    fn expr(&mut self, e: &mut Expr) {
        self.inside_expr(e);
        // A block of one expression is replaced by the expression.
        if let Some(only) = only_value(e, |_| true) {
            *e = only;
        }
        // Branches keep their braces.
        if let Expr::If(i) = e
            && let Some(els) = &mut i.els
            && els.plain_block().is_none()
            && !matches!(els, Expr::If(_))
        {
            let value = std::mem::replace(els, Expr::Ignored);
            *els = Expr::block(vec![Stmt::Value(value)]);
        }
    }
}

/// Flattens unlabelled blocks at the end of a block.
fn open_end(b: &mut Block) {
    while let Some(Stmt::Value(Expr::Block { label: None, .. })) = b.stmts.last() {
        if let Some(Stmt::Value(Expr::Block { block, .. })) = b.stmts.pop() {
            b.stmts.extend(block.stmts);
        }
    }
}

/// Rewrites `break 'label { …; e };` to `…; break 'label e;`: a block directly after a label is
/// easily misread, and rustc warns of it.
fn open_breaks(b: &mut Block) {
    let is_block = |e: &Expr| matches!(e, Expr::Block { .. } | Expr::Loop(_));
    let ends_in_value = |e: &Expr| {
        e.plain_block()
            .is_some_and(|b| matches!(b.stmts.last(), Some(Stmt::Value(e)) if !is_block(e)))
    };
    for s in std::mem::take(&mut b.stmts) {
        match s {
            Stmt::Run(Expr::Break(label, Some(value))) if ends_in_value(&value) => {
                let Expr::Block { block, .. } = *value else {
                    continue;
                };
                b.stmts.extend(block.stmts);
                if let Some(Stmt::Value(e)) = b.stmts.pop() {
                    b.stmts
                        .push(Stmt::Run(Expr::Break(label, Some(Box::new(e)))));
                }
            }
            s @ (Stmt::Let(_) | Stmt::Run(_) | Stmt::Value(_) | Stmt::Space | Stmt::Fn(_)) => {
                b.stmts.push(s)
            }
        }
    }
}

/// Takes the expression of an unlabelled block that consists of one expression, if it satisfies the
/// predicate.
fn only_value(e: &mut Expr, is_wanted: impl FnOnce(&Expr) -> bool) -> Option<Expr> {
    let Expr::Block { label: None, block } = e else {
        return None;
    };
    let [Stmt::Value(only)] = block.stmts.as_mut_slice() else {
        return None;
    };
    is_wanted(only).then(|| std::mem::replace(only, Expr::Ignored))
}

/// Rewrites `let x = e; x` to `e`, and the same with `return x;`. With `typed`, also if the `let`
/// has a type.
pub(super) fn returned_variable(b: &mut Block, typed: bool) {
    let [.., Stmt::Let(l), last] = b.stmts.as_mut_slice() else {
        return;
    };
    let (name, returns) = match last {
        Stmt::Value(Expr::Name(n)) => (*n, false),
        Stmt::Value(Expr::Return(Some(e))) | Stmt::Run(Expr::Return(Some(e))) => {
            let Expr::Name(n) = **e else { return };
            (n, true)
        }
        Stmt::Let(_) | Stmt::Run(_) | Stmt::Value(_) | Stmt::Space | Stmt::Fn(_) => return,
    };
    // A returned value has the type of the function's result, so the type of the `let` is
    // redundant.
    let may_have_type = typed || returns;
    // A reference must outlive the block, and a value that is not one of the program's must not be
    // returned.
    let is_plain = !l.borrows && !l.unassigned && l.or_else.is_none();
    if l.variable() != Some(name) || !is_plain || l.ty.is_some() && !may_have_type {
        return;
    }
    let Some(value) = l.value.take() else { return };
    // The declaration and the statement that returns the variable.
    b.stmts.truncate(b.stmts.len().saturating_sub(2));
    if returns {
        b.stmts.push(Stmt::Run(Expr::Return(Some(Box::new(value)))));
        return;
    }
    b.stmts.push(Stmt::Value(value));
    open_end(b);
}

struct Redundant;

impl VisitMut for Redundant {
    fn block(&mut self, b: &mut Block) {
        self.inside_block(b);
        returned_variable(b, false);
    }

    fn expr(&mut self, e: &mut Expr) {
        if let Expr::If(i) = e {
            return self.branch(i);
        }
        self.inside_expr(e);
        let is_call = |only: &Expr| {
            matches!(
                only,
                Expr::Call(_) | Expr::Method(_) | Expr::Macro(_) | Expr::Take(_)
            )
        };
        if let Some(call) = only_value(e, is_call) {
            *e = call;
        }
    }
}

impl Redundant {
    /// Branches keep their braces.
    fn branch(&mut self, i: &mut If) {
        self.expr(&mut i.cond);
        self.block(&mut i.then);
        match &mut i.els {
            Some(Expr::Block { block, .. }) => self.block(block),
            Some(other) => self.expr(other),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tidied;
    use crate::rust::{Expr, Ident, Stmts, items, stmts};

    #[test]
    fn blocks_in_blocks_are_opened() {
        assert_eq!(
            tidied(items!(
                fn f() -> u8 {
                    {
                        {
                            let a = g();
                            a + 1
                        }
                    }
                }
            )),
            "fn f() -> u8 {\n    let a = g();\n    a + 1\n}\n"
        );
        assert_eq!(
            tidied(items!(
                fn f() -> u8 {
                    h(|x| g(x))
                }
            )),
            "fn f() -> u8 {\n    h(|x| g(x))\n}\n"
        );
    }

    #[test]
    fn a_copy_for_a_closure_leaves_the_parameter_of_its_name() {
        let a = Expr::Take(Ident::new("a"));
        let text = tidied(items!(fn f(a: A) { let c = { let a = #a; move || a.b }; a.g(c) }));
        assert!(text.contains("let a = a.clone();"), "{text}");
    }

    #[test]
    fn statements_of_a_value_stand_before_the_break() {
        let broken = |value: Stmts| {
            tidied(items!(fn f() -> u8 { 'm: { if a() { break 'm { #..value }; } b() } }))
        };
        let with = |lines: &str| {
            format!(
                "fn f() -> u8 {{\n    'm: {{\n        if a() {{\n{lines}        }}\n        b()\n    }}\n}}\n"
            )
        };
        assert_eq!(broken(stmts!(f(x))), with("            break 'm f(x);\n"));
        assert_eq!(
            broken(stmts!(let a = 1; g(a); a + 1)),
            with("            let a = 1;\n            g(a);\n            break 'm a + 1;\n")
        );
    }
}
