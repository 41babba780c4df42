//! Moves declarations of variables to their first assignment.

use crate::rust::resolved::{
    Block, Expr, NameId, Stmt, Visit, VisitMut, bound, mentions, stmt_mentions,
};

/// Moves declarations without an initial value to the statement that assigns the first value, if
/// one does on all paths.
pub(super) fn at_first_value(body: &mut Block) {
    Declarations.block(body);
}

struct Declarations;

impl VisitMut for Declarations {
    fn block(&mut self, b: &mut Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            // A declaration that moved leaves its place to the next statement.
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

/// Moves the declaration at this index. Returns whether it did.
fn declare_later(b: &mut Block, at: usize) -> bool {
    let Some(Stmt::Let(l)) = b
        .stmts
        .get(at)
        .filter(|s| matches!(s, Stmt::Let(l) if l.unassigned))
    else {
        return false;
    };
    let Some(&name) = bound(&l.pat).first() else {
        return false;
    };
    // The first statement that mentions the variable decides: if it does not assign a value on all
    // paths, the variable needs its initial one.
    let later = b
        .stmts
        .iter()
        .enumerate()
        .skip(at + 1)
        .find(|(_, s)| stmt_mentions(s).contains(&name));
    let Some((place, _)) = later else {
        return false;
    };
    let Some(value) = b.stmts.get_mut(place).and_then(|s| first_value(s, name)) else {
        return false;
    };
    let Stmt::Let(mut declaration) = b.stmts.remove(at) else {
        return false;
    };
    declaration.unassigned = false;
    // The value shows its type, unless it is `null` or a closure.
    declaration.ty = declaration.ty.take().filter(|_| needs_type(&value));
    declaration.value = Some(value);
    // The declaration was removed, so the index has shifted by one.
    if let Some(s) = b.stmts.get_mut(place.saturating_sub(1)) {
        *s = Stmt::Let(declaration);
    }
    true
}

/// Returns the value that a statement assigns to the variable on all paths.
fn first_value(s: &mut Stmt, name: NameId) -> Option<Expr> {
    let (Stmt::Run(e) | Stmt::Value(e)) = s else {
        return None;
    };
    if let Expr::Assign(a) = e
        && a.place == Expr::Name(name)
        // A value that mentions the variable reads its initial value.
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

/// Whether a branching statement assigns the variable at the end of each of its branches, and does
/// not mention it before.
fn gives_value(e: &Expr, name: NameId) -> bool {
    if let Some(branches) = e.branches() {
        !is_decided_by(e, name)
            // One branch without a value suffices to need the initial one.
            && branches.all(|b| block_gives_value(b, name), |e| gives_value(e, name))
    } else if let Expr::Assign(a) = e {
        a.place == Expr::Name(name) && !mentions(&a.value).contains(&name)
    } else {
        // A branch that leaves needs no value.
        e.leaves() && !mentions(e).contains(&name)
    }
}

/// Whether the variable is mentioned, or shadowed, before a branch is entered.
fn is_decided_by(e: &Expr, name: NameId) -> bool {
    let speaks = |e: &Expr| mentions(e).contains(&name);
    if let Expr::If(i) = e {
        speaks(&i.cond)
    } else if let Expr::Match(e, arms) = e {
        speaks(e)
            || arms
                .iter()
                .any(|a| a.guard.as_ref().is_some_and(speaks) || bound(&a.pat).contains(&name))
    } else {
        false
    }
}

fn block_gives_value(b: &Block, name: NameId) -> bool {
    let Some((_, before)) = b.stmts.split_last() else {
        return false;
    };
    // The assignment must be the last statement, because it becomes the value of the block.
    !before.iter().any(|s| stmt_mentions(s).contains(&name))
        && b.end().is_some_and(|last| gives_value(last, name))
}

/// Converts the branching statement to an expression: assignments at the ends of its branches
/// become their values.
fn into_value(e: &mut Expr) {
    if let Some(branches) = e.branches_mut() {
        branches.each(block_into_value, into_value);
    } else if let Expr::Assign(a) = e {
        *e = std::mem::replace(&mut a.value, Expr::Ignored);
    }
}

fn block_into_value(b: &mut Block) {
    let Some(Stmt::Run(last) | Stmt::Value(last)) = b.stmts.last_mut() else {
        return;
    };
    // A `return` or `break` at the end has the type of any value.
    if last.leaves() {
        return;
    }
    into_value(last);
    let value = std::mem::replace(last, Expr::Ignored);
    b.stmts.pop();
    b.stmts.push(Stmt::Value(value));
}

/// Whether Rust may not be able to infer the type of a value: a null reference, a function, or a
/// diverging expression.
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
