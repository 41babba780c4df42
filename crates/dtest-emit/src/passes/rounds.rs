//! Simplifies loops: removes `continue` at the end of an iteration, `else` after a branch that
//! leaves the iteration, and unused labels.

use super::unused::never_ends;
use crate::rust::resolved::{Block, Expr, Stmt, Visit, VisitMut};

/// Simplifies the loops and labelled blocks of a function.
pub(super) fn settle(body: &mut Block) {
    Rounds.block(body);
    Labels.block(body);
}

struct Rounds;

impl VisitMut for Rounds {
    fn expr(&mut self, e: &mut Expr) {
        self.inside_expr(e);
        if let Expr::Loop(l) = e {
            end_round(&mut l.body, l.label.as_deref());
        }
    }
}

/// Simplifies the end of an iteration of the loop with that label.
fn end_round(b: &mut Block, label: Option<&str>) {
    // A `continue` at the end of a loop's body does nothing; ends of branches are ends of the body.
    match b.stmts.last_mut() {
        Some(Stmt::Run(Expr::Continue(to)) | Stmt::Value(Expr::Continue(to)))
            if to.is_none() || to.as_deref() == label =>
        {
            // The statement before may end in another one.
            b.stmts.pop();
            end_round(b, label);
        }
        Some(Stmt::Run(Expr::If(i)) | Stmt::Value(Expr::If(i))) => {
            // Without `else`, the branch keeps its `continue` for the case that statements follow
            // it later.
            if i.els.is_some() {
                end_round(&mut i.then, label);
            }
            // If `then` leaves the loop, the `else` branch can follow the `if` without nesting.
            let leaves = i.then.end().is_some_and(never_ends);
            match i.els.take() {
                Some(els) if leaves => {
                    if let Expr::Block { label: None, block } = els {
                        b.stmts.extend(block.stmts)
                    } else {
                        b.stmts.push(Stmt::Value(els))
                    }
                    end_round(b, label);
                }
                Some(mut els) => {
                    end_branch(&mut els, label);
                    i.els = Some(els);
                }
                None => {}
            }
        }
        Some(Stmt::Run(e) | Stmt::Value(e)) => end_branch(e, label),
        Some(Stmt::Let(_) | Stmt::Space | Stmt::Fn(_)) | None => {}
    }
}

fn end_branch(e: &mut Expr, label: Option<&str>) {
    if let Some(branches) = e.branches_mut() {
        branches.each(|b| end_round(b, label), |e| end_branch(e, label));
    }
}

/// Removes labels that no jump uses.
struct Labels;

impl VisitMut for Labels {
    fn expr(&mut self, e: &mut Expr) {
        self.inside_expr(e);
        let (label, body) = if let Expr::Block { label, block } = e {
            (label, &*block)
        } else if let Expr::Loop(l) = e {
            (&mut l.label, &l.body)
        } else {
            return;
        };
        // Rust warns of unused labels.
        if label.as_ref().is_some_and(|l| !is_jumped_to(body, l)) {
            *label = None;
        }
    }
}

fn is_jumped_to(b: &Block, label: &str) -> bool {
    struct Jumps<'l>(&'l str, bool);
    impl Visit for Jumps<'_> {
        fn expr(&mut self, e: &Expr) {
            if let Expr::Break(Some(to), _) | Expr::Continue(Some(to)) = e {
                self.1 |= to == self.0;
            }
            self.inside_expr(e);
        }
    }
    let mut jumps = Jumps(label, false);
    jumps.block(b);
    jumps.1
}

#[cfg(test)]
mod tests {
    use crate::rust::{Stmts, items, stmts};

    fn tidied(body: Stmts) -> String {
        let text = super::super::tidied(items!(fn f(a: u8) -> u8 { #..body }))
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        text.strip_prefix("fn f(a: u8) -> u8 { ")
            .and_then(|t| t.strip_suffix(" }"))
            .unwrap()
            .to_owned()
    }

    #[test]
    fn rounds_end_without_continue() {
        assert_eq!(
            tidied(stmts!(loop {
                if g(a) {
                    h();
                    continue;
                } else {
                    k();
                }
            })),
            "loop { if g(a) { h(); } else { k(); } }"
        );
        assert_eq!(
            tidied(stmts!('o: loop {
                if g(a) {
                    return a;
                } else {
                    h();
                    continue 'o;
                }
            })),
            "loop { if g(a) { return a; } h(); }"
        );
        assert_eq!(
            tidied(stmts!(loop {
                match a {
                    A => return b,
                    B => {
                        h();
                        continue;
                    }
                    C => continue,
                }
            })),
            "loop { match a { A => return b, B => { h(); } C => continue, } }"
        );
    }

    #[test]
    fn labels_are_jumped_to() {
        assert_eq!(
            tidied(stmts!('a: {
                'b: loop {
                    if g(a) {
                        break 'a 1;
                    }
                }
            })),
            "'a: { loop { if g(a) { break 'a 1; } } }"
        );
    }
}
