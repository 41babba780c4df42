//! Splitting of large assertions. Z3 rewrites an assertion when it is added, and neither its
//! resource limits nor an interrupt take effect during that; it takes a second for 32,000 nodes and
//! minutes for 48,000. So parts of a large assertion get names, as in Tseitin's translation: each
//! piece is rewritten by itself.

use super::term::{Node, Term, Terms};

/// The limit of nodes of an assertion that is not split.
const WHOLE: usize = 10_000;
/// The number of nodes at which a piece gets a name. Repeated nodes count repeatedly.
const PIECE: usize = 400;

/// Returns the subterms of an assertion that get names, in an order in which parts come first;
/// empty for small assertions.
pub(super) fn pieces(terms: &Terms, assertion: Term) -> Vec<Term> {
    if terms.len() <= WHOLE {
        return Vec::new();
    }
    // Parts have smaller indices than the term.
    let mut sizes: Vec<usize> = vec![0; assertion.0 as usize + 1];
    let (mut open, mut below) = (vec![assertion], Vec::new());
    while let Some(t) = open.pop() {
        if let Some(size @ 0) = sizes.get_mut(t.0 as usize) {
            *size = 1;
            below.push(t);
            open.extend(terms.node(t).children());
        }
    }
    if below.len() <= WHOLE {
        return Vec::new();
    }
    below.sort_unstable();
    below.retain(|&t| {
        let size = 1 + terms
            .node(t)
            .children()
            .into_iter()
            .map(|c| sizes.get(c.0 as usize).copied().unwrap_or(1))
            .sum::<usize>();
        let is_named = size > PIECE && t != assertion && !matches!(terms.node(t), Node::Not(_));
        if let Some(slot) = sizes.get_mut(t.0 as usize) {
            *slot = if is_named { 1 } else { size };
        }
        is_named
    });
    below
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::{Answer, Budget, Solver, Sort};
    use super::*;

    const BUDGET: Budget = Budget {
        rlimit: 5_000_000,
        timeout: Duration::from_secs(20),
    };

    /// Creates a condition that mentions the one before it twice, repeatedly: the graph is small,
    /// and the tree is exponential.
    fn levels(terms: &mut Terms, count: usize) -> Term {
        (0..count).fold(terms.tt, |below, _| {
            let (a, b) = (terms.fresh("a", Sort::Bool), terms.fresh("b", Sort::Bool));
            let (left, right) = (terms.and(a, below), terms.or(b, below));
            let other = terms.not(left);
            let both = terms.and(other, right);
            terms.or(both, b)
        })
    }

    #[test]
    fn a_small_assertion_has_no_pieces() {
        let mut terms = Terms::new();
        let fact = levels(&mut terms, 1_000);
        assert_eq!(pieces(&terms, fact), Vec::new());
    }

    #[test]
    fn pieces_come_after_those_that_they_contain_and_stay_small() {
        let mut terms = Terms::new();
        let fact = levels(&mut terms, 3_000);
        let found = pieces(&terms, fact);
        assert!(
            !found.is_empty() && found.is_sorted() && !found.contains(&fact),
            "{} of {}",
            found.len(),
            terms.len()
        );
        for &piece in &found {
            let (mut open, mut size) = (terms.node(piece).children(), 0);
            while let Some(t) = open.pop() {
                size += 1;
                if !found.contains(&t) {
                    open.extend(terms.node(t).children());
                }
            }
            assert!(size <= 4 * PIECE, "{size}");
        }
    }

    #[test]
    fn an_assertion_in_pieces_means_the_same() {
        let mut terms = Terms::new();
        let fact = levels(&mut terms, 3_000);
        let other = terms.not(fact);
        assert!(!pieces(&terms, fact).is_empty());
        let mut solver = Solver::new(0, false);
        solver.assert(&terms, fact);
        let Answer::Sat(model) = solver.check(&terms, &[], BUDGET) else {
            panic!("a model was expected")
        };
        assert!(crate::Evaluator::new(&terms, &model).holds(fact));
        assert!(
            model.keys().all(|t| matches!(terms.node(*t), Node::Var(_))),
            "names of pieces are not in models"
        );
        solver.assert(&terms, other);
        assert_eq!(solver.check(&terms, &[], BUDGET), Answer::Unsat(Vec::new()));
    }
}
