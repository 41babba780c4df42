//! Loops as a person writes them: no `continue` at the end of a round, no `else` after what leaves the round, no label that
//! nothing jumps to.

use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Label, Stmt};

use super::unused::never_ends;

/// Mends the loops and labelled blocks of a function.
pub(super) fn settle(body: &mut Block) {
    Rounds.visit_block_mut(body);
    Labels.visit_block_mut(body);
}

struct Rounds;

impl VisitMut for Rounds {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        match e {
            Expr::Loop(l) => end_round(&mut l.body, l.label.as_ref()),
            Expr::While(w) => end_round(&mut w.body, w.label.as_ref()),
            Expr::ForLoop(f) => end_round(&mut f.body, f.label.as_ref()),
            _ => {}
        }
    }
}

/// The end of a round of the loop with that label.
fn end_round(b: &mut Block, label: Option<&Label>) {
    match b.stmts.last_mut() {
        Some(Stmt::Expr(Expr::Continue(c), _)) if c.label.as_ref().is_none_or(|l| label.is_some_and(|own| own.name.ident == l.ident)) => {
            b.stmts.pop();
            end_round(b, label);
        }
        Some(Stmt::Expr(Expr::If(i), _)) => {
            if i.else_branch.is_some() {
                end_round(&mut i.then_branch, label);
            }
            let leaves = i.then_branch.stmts.last().is_some_and(|s| matches!(s, Stmt::Expr(e, _) if never_ends(e)));
            match i.else_branch.take() {
                Some((_, els)) if leaves => {
                    match *els {
                        Expr::Block(inner) if inner.label.is_none() => b.stmts.extend(inner.block.stmts),
                        other => b.stmts.push(Stmt::Expr(other, None)),
                    }
                    end_round(b, label);
                }
                mut els => {
                    if let Some((_, els)) = &mut els {
                        end_branch(els, label);
                    }
                    i.else_branch = els;
                }
            }
        }
        Some(Stmt::Expr(e, _)) => end_branch(e, label),
        Some(Stmt::Local(_) | Stmt::Macro(_) | Stmt::Item(_)) | None => {}
    }
}

fn end_branch(e: &mut Expr, label: Option<&Label>) {
    match e {
        Expr::Block(b) if b.label.is_none() => end_round(&mut b.block, label),
        Expr::If(i) => {
            end_round(&mut i.then_branch, label);
            if let Some((_, els)) = &mut i.else_branch {
                end_branch(els, label);
            }
        }
        Expr::Match(m) => m.arms.iter_mut().for_each(|a| end_branch(&mut a.body, label)),
        _ => {}
    }
}

/// Takes off labels that nothing jumps to.
struct Labels;

impl VisitMut for Labels {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let (label, body) = match e {
            Expr::Block(b) => (&mut b.label, &b.block),
            Expr::Loop(l) => (&mut l.label, &l.body),
            Expr::While(w) => (&mut w.label, &w.body),
            Expr::ForLoop(f) => (&mut f.label, &f.body),
            _ => return,
        };
        if label.as_ref().is_some_and(|l| !is_named(body, l)) {
            *label = None;
        }
    }
}

fn is_named(b: &Block, label: &Label) -> bool {
    struct Jumps<'l>(&'l syn::Lifetime, bool);
    impl<'e> Visit<'e> for Jumps<'_> {
        fn visit_lifetime(&mut self, l: &'e syn::Lifetime) {
            self.1 |= l.ident == self.0.ident;
        }
    }
    let mut jumps = Jumps(&label.name, false);
    jumps.visit_block(b);
    jumps.1
}

#[cfg(test)]
mod tests {
    use super::super::print;

    fn tidied(body: &str) -> String {
        let items = print::items(format!("fn f(a: u8) -> u8 {{ {body} }}").parse().unwrap()).unwrap();
        let text = print::print_items(items).split_whitespace().collect::<Vec<_>>().join(" ");
        text.strip_prefix("fn f(a: u8) -> u8 { ").and_then(|t| t.strip_suffix(" }")).unwrap().to_owned()
    }

    #[test]
    fn rounds_end_without_continue() {
        assert_eq!(tidied("loop { if g(a) { h(); continue; } else { k(); } }"), "loop { if g(a) { h(); } else { k(); } }");
        assert_eq!(tidied("'o: loop { if g(a) { return a; } else { h(); continue 'o; } }"), "loop { if g(a) { return a; } h(); }");
        assert_eq!(
            tidied("loop { match a { A => return b, B => { h(); continue; } C => continue } }"),
            "loop { match a { A => return b, B => { h(); } C => continue, } }"
        );
    }

    #[test]
    fn labels_are_jumped_to() {
        assert_eq!(tidied("'a: { 'b: loop { if g(a) { break 'a 1; } } }"), "'a: { loop { if g(a) { break 'a 1; } } }");
    }
}
