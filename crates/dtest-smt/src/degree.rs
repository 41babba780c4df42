//! The degree of products of reals. Z3 decides polynomials over the reals by their projections,
//! which grow doubly exponentially, and neither its resource limits nor an interrupt take effect
//! during that.

use super::term::{Node, Term, Terms};

/// Returns the largest degree of a real among the terms: the number of variables, converted
/// integers and conditionals that are multiplied.
pub(super) fn of_reals(terms: &Terms) -> u32 {
    let mut degrees: Vec<u32> = Vec::with_capacity(terms.len());
    let mut largest = 0;
    for node in &terms.nodes {
        let degree_of = |t: &Term| degrees.get(t.0 as usize).copied().unwrap_or(0);
        // Parts have smaller indices than the term, so that their degrees are known.
        let degree = match node {
            Node::Var(_) | Node::ToReal(_) => 1,
            Node::Const(_) => 0,
            Node::RMul(a, b) | Node::RDiv(a, b) => degree_of(a).saturating_add(degree_of(b)),
            Node::RAdd(a, b) | Node::Ite(_, a, b) => degree_of(a).max(degree_of(b)),
            Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Eq(..)
            | Node::Lin(..)
            | Node::Mul(..)
            | Node::Div(..)
            | Node::Mod(..)
            | Node::NonNeg(_)
            | Node::RLe(..)
            | Node::Floor(_)
            | Node::Bv(..)
            | Node::BvNot(_)
            | Node::Ult(..)
            | Node::BvToInt(_)
            | Node::IntToBv(..) => 0,
        };
        if matches!(node, Node::RMul(..) | Node::RDiv(..)) {
            largest = largest.max(degree);
        }
        degrees.push(degree);
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Budget, Solver, Sort};
    use super::*;

    #[test]
    fn products_of_high_degree_terminate() {
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x", Sort::Real), terms.fresh("y", Sort::Real));
        let power =
            |terms: &mut Terms, base: Term, n: usize| (1..n).fold(base, |p, _| terms.rmul(p, base));
        let (a, b, c) = (
            power(&mut terms, x, 3),
            power(&mut terms, y, 9),
            power(&mut terms, x, 2),
        );
        assert_eq!(of_reals(&terms), 9);
        let (left, right) = (terms.rmul(a, b), terms.rmul(c, a));
        let sum = terms.radd(left, right);
        assert_eq!(of_reals(&terms), 12);
        let fact = terms.eq(sum, b);
        let mut solver = Solver::new(0, false);
        solver.assert(&terms, fact);
        let budget = Budget {
            rlimit: 1_000_000,
            timeout: std::time::Duration::from_secs(5),
        };
        assert!(!matches!(
            solver.check(&terms, &[], budget),
            Answer::Unsat(_)
        ));
        assert!(matches!(
            solver.check_afresh(&terms, &[], budget),
            Answer::Unknown(_)
        ));
    }
}
