//! Variables are declared where they get their first value.

use crate::rust::resolved::{Block, Expr, NameId, Stmt, Visit, VisitMut, bound, mentions, stmt_mentions};

/// Moves declarations without a value of the program's to the statement that gives the variable its first value, where one
/// does in all cases.
pub(super) fn at_first_value(body: &mut Block) {
    Declarations.block(body);
}

struct Declarations;

impl VisitMut for Declarations {
    fn block(&mut self, b: &mut Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            if !declare_later(b, at) {
                at += 1;
            }
        }
        self.inside_block(b);
    }

    fn stmt(&mut self, s: &mut Stmt) {
        if let Stmt::Let(l) = s {
            l.unassigned = false;
        }
        self.inside_stmt(s);
    }
}

/// Moves the declaration at this place; whether it did.
fn declare_later(b: &mut Block, at: usize) -> bool {
    let Some(Stmt::Let(l)) = b.stmts.get(at).filter(|s| matches!(s, Stmt::Let(l) if l.unassigned)) else { return false };
    let Some(&name) = bound(&l.pat).first() else { return false };
    let later = b.stmts.iter().enumerate().skip(at + 1).find(|(_, s)| stmt_mentions(s).contains(&name));
    let Some((place, _)) = later else { return false };
    let Some(value) = b.stmts.get_mut(place).and_then(|s| first_value(s, name)) else { return false };
    let Stmt::Let(mut declaration) = b.stmts.remove(at) else { return false };
    declaration.unassigned = false;
    declaration.ty = declaration.ty.take().filter(|_| needs_type(&value));
    declaration.value = Some(value);
    // One was taken away before it.
    if let Some(s) = b.stmts.get_mut(place.saturating_sub(1)) {
        *s = Stmt::Let(declaration);
    }
    true
}

/// The value that a statement gives the variable, in all cases.
fn first_value(s: &mut Stmt, name: NameId) -> Option<Expr> {
    let (Stmt::Run(e) | Stmt::Value(e)) = s else { return None };
    if let Expr::Assign(a) = e
        && a.place == Expr::Name(name)
        && !mentions(&a.value).contains(&name)
    {
        Some(std::mem::replace(&mut a.value, Expr::Ignored))
    } else if matches!(e, Expr::If(_) | Expr::Match(..)) && gives_value(e, name) {
        let mut value = std::mem::replace(e, Expr::Ignored);
        into_value(&mut value);
        Some(value)
    } else {
        None
    }
}

/// Whether a branching statement gives the variable a value at the end of each of its branches, and does not speak of it
/// before that.
fn gives_value(e: &Expr, name: NameId) -> bool {
    if let Expr::If(i) = e {
        !mentions(&i.cond).contains(&name) && block_gives_value(&i.then, name) && i.els.as_ref().is_some_and(|e| gives_value(e, name))
    } else if let Expr::Match(e, arms) = e {
        !mentions(e).contains(&name)
            && arms.iter().all(|a| {
                let in_guard = a.guard.as_ref().is_some_and(|g| mentions(g).contains(&name));
                !in_guard && !bound(&a.pat).contains(&name) && gives_value(&a.body, name)
            })
    } else if let Expr::Block { label: None, block } = e {
        block_gives_value(block, name)
    } else if let Expr::Assign(a) = e {
        a.place == Expr::Name(name) && !mentions(&a.value).contains(&name)
    } else {
        leaves(e) && !mentions(e).contains(&name)
    }
}

/// Whether control does not come to what stands after the expression.
fn leaves(e: &Expr) -> bool {
    matches!(e, Expr::Return(_) | Expr::Break(..) | Expr::Continue(_)) || e.diverges()
}

fn block_gives_value(b: &Block, name: NameId) -> bool {
    let Some((last, before)) = b.stmts.split_last() else { return false };
    if before.iter().any(|s| stmt_mentions(s).contains(&name)) {
        return false;
    }
    match last {
        Stmt::Run(e) | Stmt::Value(e) => gives_value(e, name),
        Stmt::Let(_) | Stmt::Space | Stmt::Fn(_) => false,
    }
}

/// The branching statement as an expression: assignments at the ends of its branches become their values.
fn into_value(e: &mut Expr) {
    if let Expr::If(i) = e {
        block_into_value(&mut i.then);
        if let Some(els) = &mut i.els {
            into_value(els);
        }
    } else if let Expr::Match(_, arms) = e {
        arms.iter_mut().for_each(|a| into_value(&mut a.body));
    } else if let Expr::Block { block, .. } = e {
        block_into_value(block);
    } else if let Expr::Assign(a) = e {
        *e = std::mem::replace(&mut a.value, Expr::Ignored);
    }
}

fn block_into_value(b: &mut Block) {
    let Some(Stmt::Run(last) | Stmt::Value(last)) = b.stmts.last_mut() else { return };
    if leaves(last) {
        return;
    }
    into_value(last);
    let value = std::mem::replace(last, Expr::Ignored);
    b.stmts.pop();
    b.stmts.push(Stmt::Value(value));
}

/// Whether a value may not show its type to Rust: a null reference, a function, what is never there.
fn needs_type(value: &Expr) -> bool {
    struct Untyped(bool);
    impl Visit for Untyped {
        fn expr(&mut self, e: &Expr) {
            self.0 |= if let Expr::Path(p) = e {
                p.last() == "null" || p.segments.iter().any(|s| s.name.starts_with("Fun"))
            } else {
                e.diverges()
            };
            self.inside_expr(e);
        }
    }
    let mut found = Untyped(false);
    found.expr(value);
    found.0
}

#[cfg(test)]
mod tests {
    use super::super::tidied;
    use crate::rust::items;

    #[test]
    fn variables_are_declared_with_their_first_value() {
        assert_eq!(
            tidied(items!(
                fn f(c: bool) -> u8 {
                    #[unassigned]
                    let mut a: u8 = 0;
                    g();
                    if c {
                        a = 1;
                    } else {
                        h();
                        a = 2;
                    }
                    a
                }
            )),
            "fn f(c: bool) -> u8 {\n    g();\n    if c {\n        1\n    } else {\n        h();\n        2\n    }\n}\n"
        );
        let kept = "fn f(c: bool) -> u8 {\n    let mut a: u8 = 0;\n    if c {\n        a = 1;\n    }\n    a\n}\n";
        assert_eq!(
            tidied(items!(
                fn f(c: bool) -> u8 {
                    #[unassigned]
                    let mut a: u8 = 0;
                    if c {
                        a = 1;
                    }
                    a
                }
            )),
            kept
        );
    }
}
