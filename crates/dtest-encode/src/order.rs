//! The well-founded order of structures: the parts of a value are below it (reference manual,
//! chapter on specifications, "Well-founded Functions and Relations").
//!
//! The order is only partly decided: known parts are below, equal values and containing values are
//! not, and everything else is unknown.

use std::rc::Rc;

use super::value::{Sym, SymSeq};
use super::{Encoder, Mode};
use dtest_smt::{Sort, Term};

/// The limit of parts of a value that are inspected.
const MAX_PARTS: usize = 400;
/// The limit of parts that are compared semantically if no part is syntactically equal.
const MAX_COMPARED: usize = 6;
/// The limit of elements of sequences that are compared one by one.
const MAX_ELEMENTS: usize = 6;

impl Encoder<'_> {
    /// Returns the condition that `a` is known to be below `b`; `None` if they are no
    /// structures.
    pub(super) fn below(&mut self, a: &Sym, b: &Sym) -> Option<Term> {
        let is_structure = |s: &Sym| {
            matches!(
                s,
                Sym::Data(_)
                    | Sym::Seq(_)
                    | Sym::Tuple(_)
                    | Sym::Set(_)
                    | Sym::Multiset(_)
                    | Sym::Map(_)
            )
        };
        if !is_structure(a) || !is_structure(b) {
            return None;
        }
        let yes = self.is_part(a, b);
        if yes == self.t.tt {
            return Some(yes);
        }
        // Well-foundedness: if `a` contains or equals `b`, it is not below `b`.
        let (holds, same) = (self.is_part(b, a), self.equal(a, b));
        let no = self.t.or(holds, same);
        let may = self.t.not(no);
        let unknown = self.t.fresh("any", Sort::Bool);
        let perhaps = self.t.and(may, unknown);
        Some(self.t.or(yes, perhaps))
    }

    /// Returns the condition that `a` is known to be a part of `b`, at any depth.
    fn is_part(&mut self, a: &Sym, b: &Sym) -> Term {
        let mut any = self.t.ff;
        if a.is_vague() {
            return any;
        }
        if let (Sym::Seq(a), Sym::Seq(b)) = (a, b) {
            any = self.is_within(a, b);
        }
        let parts = self.parts(b);
        for (cond, _) in parts.iter().filter(|(_, part)| part == a) {
            any = self.t.or(any, *cond);
        }
        // Semantic comparison is more expensive, and only models profit from it.
        if any == self.t.ff && self.mode == Mode::Cut {
            for (cond, part) in parts
                .iter()
                .filter(|(_, p)| std::mem::discriminant(p) == std::mem::discriminant(a))
                .take(MAX_COMPARED)
            {
                let same = self.equal(part, a);
                let here = self.t.and(*cond, same);
                any = self.t.or(any, here);
            }
        }
        any
    }

    /// Returns the condition that a sequence is a proper contiguous subsequence of another one.
    fn is_within(&mut self, a: &SymSeq, b: &SymSeq) -> Term {
        let shorter = self.t.lt(a.len, b.len);
        // Of an open sequence only the origin decides: whether it was created as a slice.
        if a.is_open() || b.is_open() {
            let is_slice = self
                .rests
                .slices
                .get(&a.rest)
                .is_some_and(|whole| **whole == *b);
            return if is_slice { shorter } else { self.t.ff };
        }
        if b.slots.len() > MAX_ELEMENTS {
            return self.t.ff;
        }
        let mut any = self.t.ff;
        // For every start, the slots have to agree up to the length of `a`.
        for start in 0..=b.slots.len() {
            let mut all = shorter;
            let begin = self.t.int(start as i64);
            let end = self.t.add(begin, a.len);
            let fits = self.t.le(end, b.len);
            all = self.t.and(all, fits);
            for (j, x) in a.slots.iter().enumerate() {
                let inside = self.inside(a, j);
                let same = match b.slots.get(start + j) {
                    Some(y) => self.equal(x, y),
                    None => self.t.ff,
                };
                let same = self.t.implies(inside, same);
                all = self.t.and(all, same);
            }
            any = self.t.or(any, all);
        }
        any
    }

    /// Returns the parts of a value at any depth, each with the condition that it is present.
    fn parts(&mut self, whole: &Sym) -> Vec<(Term, Sym)> {
        let (mut out, mut next) = (Vec::new(), 0);
        let tt = self.t.tt;
        self.add_parts(tt, whole, &mut out);
        while let Some((cond, part)) = out.get(next).cloned() {
            next += 1;
            if out.len() < MAX_PARTS {
                self.add_parts(cond, &part, &mut out);
            }
        }
        out
    }

    fn add_parts(&mut self, cond: Term, whole: &Sym, out: &mut Vec<(Term, Sym)>) {
        // A part counts if the whole and the part are present.
        let mut add = |e: &mut Self, present: Term, part: &Sym| {
            let here = e.t.and(cond, present);
            if here != e.t.ff {
                out.push((here, part.clone()));
            }
        };
        match whole {
            Sym::Data(d) => {
                let d = Rc::clone(d);
                for (i, args) in d.args.iter().enumerate() {
                    let i = self.t.int(i as i64);
                    let is = self.t.eq(d.tag, i);
                    args.iter()
                        .flat_map(|args| args.iter())
                        .for_each(|part| add(self, is, part));
                }
            }
            Sym::Tuple(parts) => {
                let tt = self.t.tt;
                parts.iter().for_each(|part| add(self, tt, part));
            }
            Sym::Seq(s) => {
                for (j, part) in s.slots.iter().enumerate() {
                    let inside = self.inside(s, j);
                    add(self, inside, part);
                }
            }
            Sym::Set(s) => s
                .slots
                .iter()
                .for_each(|(present, part)| add(self, *present, part)),
            Sym::Multiset(m) => {
                let zero = self.t.int(0);
                for (count, part) in &m.slots {
                    let present = self.t.lt(zero, *count);
                    add(self, present, part);
                }
            }
            Sym::Map(m) => {
                for (present, key, value) in &m.slots {
                    add(self, *present, key);
                    add(self, *present, value);
                }
            }
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Newtype(_)
            | Sym::OneOf(_)
            | Sym::Func(_)
            | Sym::Lazy(_)
            | Sym::Ref(_)
            | Sym::Any
            | Sym::Undef => {}
        }
    }
}
