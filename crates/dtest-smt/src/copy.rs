//! Copies of terms over fresh variables, for several executions in one query.
//!
//! [`Terms::renamed`] copies a term; a [`Renaming`] keeps the copies, so that shared terms stay
//! shared.

use rustc_hash::FxHashMap;

use super::term::{Node, Term, Terms};

/// A renaming of variables in progress: terms with their copies.
#[derive(Debug, Default)]
pub struct Renaming {
    copies: FxHashMap<Term, Term>,
}

impl Renaming {
    /// Returns the variables with their copies.
    pub fn variables<'a>(&'a self, terms: &'a Terms) -> impl Iterator<Item = (Term, Term)> + 'a {
        self.copies
            .iter()
            .filter(|(t, _)| matches!(terms.node(**t), Node::Var(_)))
            .map(|(t, c)| (*t, *c))
    }
}

impl Terms {
    /// Copies a term with a fresh variable for each of its variables, the same one throughout a
    /// renaming.
    pub fn renamed(&mut self, t: Term, renaming: &mut Renaming) -> Term {
        if let Some(c) = renaming.copies.get(&t) {
            return *c;
        }
        let copy = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.renamed_node(t, renaming));
        renaming.copies.insert(t, copy);
        copy
    }

    fn renamed_node(&mut self, t: Term, r: &mut Renaming) -> Term {
        // The copy is built by the constructors of terms, so it is simplified in the same way.
        match self.node(t).clone() {
            Node::Const(_) => t,
            Node::Var(v) => {
                let name = self.vars.get(v as usize).cloned().unwrap_or_default();
                let sort = self.sort(t);
                self.fresh(&name, sort)
            }
            Node::Not(a) => {
                let a = self.renamed(a, r);
                self.not(a)
            }
            Node::And(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.and(a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.or(a, b)
            }
            Node::Eq(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.eq(a, b)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.renamed(c, r), self.renamed(a, r), self.renamed(b, r));
                self.ite(c, a, b)
            }
            Node::Lin(k, ts) => {
                let mut sum = self.int(k);
                for (t, c) in ts {
                    let t = self.renamed(t, r);
                    sum = self.add_scaled(sum, &c, t);
                }
                sum
            }
            Node::Mul(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.mul(a, b)
            }
            Node::Div(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.div(a, b)
            }
            Node::Mod(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.modulo(a, b)
            }
            Node::NonNeg(a) => {
                let (zero, a) = (self.int(0), self.renamed(a, r));
                self.le(zero, a)
            }
            Node::RAdd(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.radd(a, b)
            }
            Node::RMul(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.rmul(a, b)
            }
            Node::RDiv(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.rdiv(a, b)
            }
            Node::RLe(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.rle(a, b)
            }
            Node::ToReal(a) => {
                let a = self.renamed(a, r);
                self.to_real(a)
            }
            Node::Floor(a) => {
                let a = self.renamed(a, r);
                self.floor(a)
            }
            Node::Bv(op, a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.bv_op(op, a, b)
            }
            Node::BvNot(a) => {
                let a = self.renamed(a, r);
                self.bv_not(a)
            }
            Node::Ult(a, b) => {
                let (a, b) = (self.renamed(a, r), self.renamed(b, r));
                self.ult(a, b)
            }
            Node::BvToInt(a) => {
                let a = self.renamed(a, r);
                self.bv_to_int(a)
            }
            Node::IntToBv(w, a) => {
                let a = self.renamed(a, r);
                self.int_to_bv(w, a)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn a_copy_has_variables_of_its_own_and_the_same_shape() {
        let mut t = Terms::new();
        let (x, y) = (t.fresh("x", Sort::Int), t.fresh("y", Sort::Int));
        let less = t.lt(x, y);
        let mut renaming = Renaming::default();
        let copy = t.renamed(less, &mut renaming);
        assert_ne!(copy, less);
        assert_eq!(t.renamed(less, &mut renaming), copy);
        let (a, b) = (t.renamed(x, &mut renaming), t.renamed(y, &mut renaming));
        let expected = t.lt(a, b);
        assert_eq!(copy, expected);
    }
}
