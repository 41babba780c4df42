//! SMT-LIB text: a transcript of the queries, which any solver can replay.
//!
//! [`Transcript`] grows with each query; shared terms become definitions, which keeps its size
//! linear in the number of terms.

use std::fmt::Write as _;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use rustc_hash::FxHashSet;

use super::term::{BvOp, Const, Node, Sort, Term, Terms};

/// A growing SMT-LIB script. Shared terms are definitions, so that its size is that of the term
/// graph.
#[derive(Debug, Default)]
pub struct Transcript {
    text: String,
    defined: FxHashSet<Term>,
}

impl Transcript {
    /// Creates a script with its header.
    pub fn new() -> Self {
        Self {
            text: "(set-option :produce-models true)\n".to_owned(),
            defined: FxHashSet::default(),
        }
    }

    /// Returns the script so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Records an assertion.
    pub fn assert(&mut self, terms: &Terms, t: Term) {
        let shown = self.show(terms, t);
        let _ = writeln!(self.text, "(assert {shown})");
    }

    /// Records a query with its answer.
    pub fn check(&mut self, terms: &Terms, assumptions: &[Term], answer: &str) {
        let shown: Vec<_> = assumptions.iter().map(|t| self.show(terms, *t)).collect();
        let _ = writeln!(self.text, "(push)");
        for a in shown {
            let _ = writeln!(self.text, "(assert {a})");
        }
        let _ = writeln!(self.text, "(check-sat) ; {answer}\n(pop)");
    }

    /// Returns the name of a term, after adding its definitions.
    fn show(&mut self, terms: &Terms, root: Term) -> String {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            let open: Vec<Term> = terms
                .node(t)
                .children()
                .into_iter()
                .filter(|c| !self.is_named(terms, *c))
                .collect();
            if open.is_empty() || self.is_named(terms, t) {
                self.define(terms, t);
                stack.pop();
            } else {
                stack.extend(open);
            }
        }
        name(terms, root)
    }

    fn is_named(&self, terms: &Terms, t: Term) -> bool {
        matches!(terms.node(t), Node::Const(_)) || self.defined.contains(&t)
    }

    fn define(&mut self, terms: &Terms, t: Term) {
        if self.is_named(terms, t) {
            return;
        }
        self.defined.insert(t);
        let sort = sort_text(terms.sort(t));
        let shown = name(terms, t);
        let node = terms.node(t);
        let _ = if matches!(node, Node::Var(_)) {
            writeln!(self.text, "(declare-const {shown} {sort})")
        } else {
            writeln!(
                self.text,
                "(define-fun {shown} () {sort} {})",
                body(terms, node)
            )
        };
    }
}

fn name(terms: &Terms, t: Term) -> String {
    let kind = terms.node(t);
    if let Node::Const(c) = kind {
        const_text(c)
    } else if let Node::Var(v) = kind {
        terms
            .vars
            .get(*v as usize)
            .map_or_else(|| format!("v{v}"), |v| format!("|{}|", v.replace('|', "_")))
    } else {
        format!("t{}", t.0)
    }
}

fn body(terms: &Terms, node: &Node) -> String {
    let n = |t: &Term| name(terms, *t);
    match node {
        Node::Const(c) => const_text(c),
        Node::Var(v) => format!("v{v}"),
        Node::Not(a) => format!("(not {})", n(a)),
        Node::And(a, b) => format!("(and {} {})", n(a), n(b)),
        Node::Or(a, b) => format!("(or {} {})", n(a), n(b)),
        Node::Eq(a, b) => format!("(= {} {})", n(a), n(b)),
        Node::Ite(c, a, b) => format!("(ite {} {} {})", n(c), n(a), n(b)),
        Node::Lin(k, ts) => {
            let ts: String = ts
                .iter()
                .map(|(t, c)| format!(" (* {} {})", int_text(c), n(t)))
                .collect();
            format!("(+ {}{ts})", int_text(k))
        }
        Node::Mul(a, b) | Node::RMul(a, b) => format!("(* {} {})", n(a), n(b)),
        Node::Div(a, b) => format!("(div {} {})", n(a), n(b)),
        Node::Mod(a, b) => format!("(mod {} {})", n(a), n(b)),
        Node::NonNeg(a) => format!("(<= 0 {})", n(a)),
        Node::RAdd(a, b) => format!("(+ {} {})", n(a), n(b)),
        Node::RDiv(a, b) => format!("(/ {} {})", n(a), n(b)),
        Node::RLe(a, b) => format!("(<= {} {})", n(a), n(b)),
        Node::ToReal(a) => format!("(to_real {})", n(a)),
        Node::Floor(a) => format!("(to_int {})", n(a)),
        Node::Bv(op, a, b) => format!("({} {} {})", bv_name(*op), n(a), n(b)),
        Node::BvNot(a) => format!("(bvnot {})", n(a)),
        Node::Ult(a, b) => format!("(bvult {} {})", n(a), n(b)),
        Node::BvToInt(a) => format!("(bv2nat {})", n(a)),
        Node::IntToBv(w, a) => format!("((_ int2bv {w}) {})", n(a)),
    }
}

fn bv_name(op: BvOp) -> &'static str {
    match op {
        BvOp::Add => "bvadd",
        BvOp::Sub => "bvsub",
        BvOp::Mul => "bvmul",
        BvOp::Div => "bvudiv",
        BvOp::Rem => "bvurem",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
        BvOp::Shl => "bvshl",
        BvOp::Shr => "bvlshr",
        BvOp::RotateLeft => "ext_rotate_left",
        BvOp::RotateRight => "ext_rotate_right",
    }
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        Sort::Int => "Int".into(),
        Sort::Real => "Real".into(),
        Sort::Bv(w) => format!("(_ BitVec {w})"),
    }
}

fn int_text(n: &BigInt) -> String {
    if n.is_negative() {
        format!("(- {})", n.abs())
    } else {
        n.to_string()
    }
}

fn real_text(r: &BigRational) -> String {
    let whole = |n: &BigInt| {
        if n.is_negative() {
            format!("(- {}.0)", n.abs())
        } else {
            format!("{n}.0")
        }
    };
    if r.denom().is_one() {
        whole(r.numer())
    } else {
        format!("(/ {} {}.0)", whole(r.numer()), r.denom())
    }
}

fn const_text(c: &Const) -> String {
    match c {
        Const::Bool(b) => b.to_string(),
        Const::Int(n) => int_text(n),
        Const::Real(r) => real_text(r),
        Const::Bv(w, bits) => format!("(_ bv{bits} {w})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_declares_before_it_uses() {
        let mut t = Terms::new();
        let x = t.fresh("x", Sort::Int);
        let five = t.int(5);
        let c = t.lt(five, x);
        let mut log = Transcript::new();
        log.assert(&t, c);
        log.check(&t, &[], "sat");
        let expected = "(set-option :produce-models true)\n(declare-const |x!0| Int)\n(define-fun t5 () Int (+ (- 6) (* 1 |x!0|)))\n(define-fun t6 () Bool (<= 0 t5))\n(assert t6)\n(push)\n(check-sat) ; sat\n(pop)\n";
        assert_eq!(log.text(), expected);
    }
}
