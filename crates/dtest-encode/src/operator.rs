//! Equality, merging, order, and operators on scalars.
//!
//! Key functions: [`Encoder::equal`], [`Encoder::merge`], [`Encoder::merge_heaps`],
//! [`Encoder::numeric`].

use std::rc::Rc;

use num_bigint::BigUint;

use super::Encoder;
use super::value::{
    Heap, Made, Sym, SymContents, SymData, SymFunc, SymGrid, SymLazy, SymMap, SymMultiset,
    SymNewtype, SymObject, SymSeq,
};
use dafny_resolve::typed::Type;
use dtest_ir::reason::Equality;
use dtest_ir::{Num, Op};
use dtest_smt::{BvOp, Sort, Term};

impl Encoder<'_> {
    /// Returns the condition that two values of one type are equal.
    pub(super) fn equal(&mut self, a: &Sym, b: &Sym) -> Term {
        if self.is_exhausted() {
            return self.t.ff;
        }
        if matches!(a, Sym::OneOf(_)) || matches!(b, Sym::OneOf(_)) {
            return self.one_of_equal(a, b);
        }
        // The sorts differ only where a trait value may have several types.
        if let (Some(x), Some(y)) = (a.scalar(), b.scalar()) {
            return if self.t.sort(x) == self.t.sort(y) {
                self.t.eq(x, y)
            } else {
                self.t.fresh("any", Sort::Bool)
            };
        }
        match (a, b) {
            // Identical values without unknown parts are equal.
            (Sym::Seq(_) | Sym::Set(_) | Sym::Multiset(_) | Sym::Map(_) | Sym::Data(_), _)
                if a == b && !a.is_vague() =>
            {
                self.t.tt
            }
            (Sym::Seq(x), Sym::Seq(y)) => self.seq_equal(x, y),
            (Sym::Set(_), Sym::Set(_)) => self.both_ways(a, b),
            (Sym::Multiset(_), Sym::Multiset(_)) => self.both_ways(a, b),
            (Sym::Map(x), Sym::Map(y)) => {
                let (x, y) = (Rc::clone(x), Rc::clone(y));
                let (p, q) = (self.map_within(&x, &y), self.map_within(&y, &x));
                self.t.and(p, q)
            }
            (Sym::Tuple(x), Sym::Tuple(y)) => self.all_equal(x, y),
            (Sym::Data(x), Sym::Data(y)) if x.ty != y.ty => self.t.ff,
            (Sym::Data(x), Sym::Data(y)) => {
                let (x, y) = (Rc::clone(x), Rc::clone(y));
                self.data_equal(&x, &y)
            }
            (Sym::Func(x), Sym::Func(y))
                if x == y && self.same_terms_are_equal(std::slice::from_ref(a)) =>
            {
                self.t.tt
            }
            (Sym::Lazy(x), Sym::Lazy(y))
                if x == y && self.same_terms_are_equal(std::slice::from_ref(a)) =>
            {
                self.t.tt
            }
            (Sym::Lazy(_), _) | (_, Sym::Lazy(_)) => {
                self.omissions.reasons.insert(Equality::Codatatypes);
                self.t.fresh("any", Sort::Bool)
            }
            // An object never equals a datatype value.
            (Sym::Data(_), Sym::Ref(_)) | (Sym::Ref(_), Sym::Data(_)) => self.t.ff,
            (Sym::Newtype(x), Sym::Newtype(y)) if x.decl == y.decl => {
                self.equal(&x.value, &y.value)
            }
            // Equal bare values of different newtypes may or may not be equal: Dafny's verifier
            // compares only the bare values, execution compares the types too.
            (Sym::Newtype(x), Sym::Newtype(y)) => match (x.value.scalar(), y.value.scalar()) {
                (Some(a), Some(b)) if self.t.sort(a) != self.t.sort(b) => self.t.ff,
                (_, _) => {
                    let (same, any) = (
                        self.equal(&x.value, &y.value),
                        self.t.fresh("any", Sort::Bool),
                    );
                    self.t.and(same, any)
                }
            },
            (Sym::Newtype(_), Sym::Data(_) | Sym::Ref(_))
            | (Sym::Data(_) | Sym::Ref(_), Sym::Newtype(_)) => self.t.ff,
            (Sym::Any | Sym::Undef, _) | (_, Sym::Any | Sym::Undef) => {
                self.t.fresh("any", Sort::Bool)
            }
            (Sym::Func(_), _) => {
                self.omissions.reasons.insert(Equality::Functions);
                self.t.fresh("any", Sort::Bool)
            }
            (
                Sym::Bool(_)
                | Sym::Int(_)
                | Sym::Char(_)
                | Sym::Real(_)
                | Sym::Bv(_)
                | Sym::Ordinal(_)
                | Sym::Ref(_)
                | Sym::Seq(_)
                | Sym::Set(_)
                | Sym::Multiset(_)
                | Sym::Map(_)
                | Sym::Tuple(_)
                | Sym::Data(_)
                | Sym::Newtype(_)
                | Sym::OneOf(_),
                _,
            ) => self.t.fresh("any", Sort::Bool),
        }
    }

    fn both_ways(&mut self, a: &Sym, b: &Sym) -> Term {
        let (p, q) = (self.subset(a, b), self.subset(b, a));
        self.t.and(p, q)
    }

    pub(super) fn all_equal(&mut self, xs: &[Sym], ys: &[Sym]) -> Term {
        let mut all = self.t.tt;
        for (x, y) in xs.iter().zip(ys) {
            let e = self.equal(x, y);
            all = self.t.and(all, e);
            if all == self.t.ff {
                break;
            }
        }
        all
    }

    fn seq_equal(&mut self, x: &SymSeq, y: &SymSeq) -> Term {
        let mut all = self.t.eq(x.len, y.len);
        // Slots count only below the length. The lengths are equal at this point.
        for (j, (a, b)) in x.slots.iter().zip(&y.slots).enumerate() {
            if all == self.t.ff {
                return all;
            }
            let j = self.t.int(j as i64);
            let inside = self.t.lt(j, x.len);
            let e = self.equal(a, b);
            let e = self.t.implies(inside, e);
            all = self.t.and(all, e);
        }
        // Beyond the shorter list of slots, open sequences are equal only if their rests are known
        // to be the same.
        if (x.is_open() || y.is_open()) && (x.rest != y.rest || x.slots.len() != y.slots.len()) {
            let k = self.t.int(x.slots.len().min(y.slots.len()) as i64);
            let within = self.t.le(x.len, k);
            let unknown = self.t.fresh("any", Sort::Bool);
            if all != self.t.ff {
                self.note_compared(x, y, unknown);
            }
            let rest = self.t.or(within, unknown);
            all = self.t.and(all, rest);
        }
        all
    }

    fn data_equal(&mut self, x: &SymData, y: &SymData) -> Term {
        let mut all = self.t.eq(x.tag, y.tag);
        for (i, (a, b)) in x.args.iter().zip(&y.args).enumerate() {
            // Arguments count only for the constructor that both values have.
            let i = self.t.int(i as i64);
            let is = self.t.eq(x.tag, i);
            let here = self.t.and(all, is);
            if here == self.t.ff {
                continue;
            }
            let e = match (a, b) {
                (Some(a), Some(b)) => self.all_equal(a, b),
                (None, _) | (_, None) => self.t.fresh("any", Sort::Bool),
            };
            let e = self.t.implies(is, e);
            all = self.t.and(all, e);
        }
        all
    }

    /// Returns `cond ? a : b`.
    pub(super) fn merge(&mut self, cond: Term, a: &Sym, b: &Sym) -> Sym {
        if cond == self.t.tt || a == b || self.is_exhausted() {
            return a.clone();
        }
        if cond == self.t.ff {
            return b.clone();
        }
        match (a, b) {
            // A side without a value never becomes visible: reads of unassigned variables are
            // detected before.
            (Sym::Undef, x) | (x, Sym::Undef) => x.clone(),
            (Sym::Any, _) | (_, Sym::Any) => Sym::Any,
            (Sym::Bool(x), Sym::Bool(y)) => Sym::Bool(self.t.ite(cond, *x, *y)),
            (Sym::Int(x), Sym::Int(y)) => Sym::Int(self.t.ite(cond, *x, *y)),
            (Sym::Char(x), Sym::Char(y)) => Sym::Char(self.t.ite(cond, *x, *y)),
            (Sym::Real(x), Sym::Real(y)) => Sym::Real(self.t.ite(cond, *x, *y)),
            (Sym::Bv(x), Sym::Bv(y)) if self.t.sort(*x) == self.t.sort(*y) => {
                Sym::Bv(self.t.ite(cond, *x, *y))
            }
            (Sym::Ordinal(x), Sym::Ordinal(y)) => Sym::Ordinal(self.t.ite(cond, *x, *y)),
            (Sym::Ref(x), Sym::Ref(y)) => Sym::Ref(self.t.ite(cond, *x, *y)),
            (Sym::Tuple(x), Sym::Tuple(y)) if x.len() == y.len() => {
                Sym::Tuple(Rc::new(self.merge_all(cond, x, y)))
            }
            (Sym::Seq(x), Sym::Seq(y)) => Sym::Seq(Rc::new(self.merge_seq(cond, x, y))),
            (Sym::Set(x), Sym::Set(y)) => {
                let slots = self.merge_slots(cond, &x.slots, &y.slots);
                let more = self.t.ite(cond, x.more, y.more);
                Sym::set(slots, more)
            }
            (Sym::Multiset(x), Sym::Multiset(y)) => self.merge_multisets(cond, x, y),
            (Sym::Map(x), Sym::Map(y)) => self.merge_maps(cond, x, y),
            (Sym::Data(x), Sym::Data(y)) if x.ty == y.ty => self.merge_data(cond, x, y),
            (Sym::Lazy(_), _) | (_, Sym::Lazy(_)) => {
                Sym::Lazy(Rc::new(SymLazy::If(cond, a.clone(), b.clone())))
            }
            (Sym::Newtype(x), Sym::Newtype(y)) if x.decl == y.decl => {
                let value = self.merge(cond, &x.value, &y.value);
                Sym::Newtype(Rc::new(SymNewtype {
                    value,
                    ..SymNewtype::clone(x)
                }))
            }
            // Trait values of different types become alternatives.
            (
                Sym::Ref(_) | Sym::Data(_) | Sym::Newtype(_) | Sym::OneOf(_),
                Sym::Ref(_) | Sym::Data(_) | Sym::Newtype(_) | Sym::OneOf(_),
            ) => self.merge_types(cond, a, b),
            (Sym::Func(_), Sym::Func(_)) => {
                Sym::Func(Rc::new(SymFunc::If(cond, a.clone(), b.clone())))
            }
            (
                Sym::Bool(_)
                | Sym::Int(_)
                | Sym::Char(_)
                | Sym::Real(_)
                | Sym::Bv(_)
                | Sym::Ordinal(_)
                | Sym::Ref(_)
                | Sym::Seq(_)
                | Sym::Set(_)
                | Sym::Multiset(_)
                | Sym::Map(_)
                | Sym::Tuple(_)
                | Sym::Data(_)
                | Sym::Newtype(_)
                | Sym::OneOf(_)
                | Sym::Func(_),
                _,
            ) => Sym::Any,
        }
    }

    /// Merges multisets slot by slot. A missing slot has the multiplicity zero.
    fn merge_multisets(&mut self, cond: Term, x: &SymMultiset, y: &SymMultiset) -> Sym {
        let zero = self.t.int(0);
        let mut slots = Vec::new();
        for j in 0..x.slots.len().max(y.slots.len()) {
            slots.push(match (x.slots.get(j), y.slots.get(j)) {
                (Some((p, a)), Some((q, b))) => (self.t.ite(cond, *p, *q), self.merge(cond, a, b)),
                (Some((p, a)), None) => (self.t.ite(cond, *p, zero), a.clone()),
                (None, Some((q, b))) => (self.t.ite(cond, zero, *q), b.clone()),
                (None, None) => continue,
            });
        }
        let more = self.t.ite(cond, x.more, y.more);
        Sym::multiset(slots, more)
    }

    /// Merges maps slot by slot. A missing slot is absent.
    fn merge_maps(&mut self, cond: Term, x: &SymMap, y: &SymMap) -> Sym {
        let none = self.t.ff;
        let mut slots = Vec::new();
        // Slots are merged by position. Both sides keep their slots pairwise different, so
        // that the result does too.
        for j in 0..x.slots.len().max(y.slots.len()) {
            slots.push(match (x.slots.get(j), y.slots.get(j)) {
                (Some((p, k, v)), Some((q, l, w))) => (
                    self.t.ite(cond, *p, *q),
                    self.merge(cond, k, l),
                    self.merge(cond, v, w),
                ),
                (Some((p, k, v)), None) => (self.t.ite(cond, *p, none), k.clone(), v.clone()),
                (None, Some((q, l, w))) => (self.t.ite(cond, none, *q), l.clone(), w.clone()),
                (None, None) => continue,
            });
        }
        let more = self.t.ite(cond, x.more, y.more);
        Sym::map(slots, more)
    }

    /// Merges datatype values of one type, constructor by constructor.
    fn merge_data(&mut self, cond: Term, x: &SymData, y: &SymData) -> Sym {
        let tag = self.t.ite(cond, x.tag, y.tag);
        let mut args = Vec::with_capacity(x.args.len());
        for (i, (a, b)) in x.args.iter().zip(&y.args).enumerate() {
            args.push(match (a, b) {
                (Some(a), Some(b)) => Some(Rc::new(self.merge_all(cond, a, b))),
                (Some(a), None) => self.one_sided(y.tag, i, a),
                (None, Some(b)) => self.one_sided(x.tag, i, b),
                (None, None) => None,
            });
        }
        Sym::Data(Rc::new(SymData::new(x.ty, tag, args)))
    }

    /// Returns the equality of trait values with several possible types.
    fn one_of_equal(&mut self, a: &Sym, b: &Sym) -> Term {
        let (xs, ys) = (self.alternatives(a), self.alternatives(b));
        let mut any = self.t.ff;
        // The values are equal if both have the same alternative and are equal in it.
        for (p, x) in &xs {
            for (q, y) in &ys {
                let here = self.t.and(*p, *q);
                if here != self.t.ff {
                    let same = self.equal(x, y);
                    let same = self.t.and(here, same);
                    any = self.t.or(any, same);
                }
            }
        }
        any
    }

    /// Returns the alternatives of a value, each under a condition.
    pub(super) fn alternatives(&self, value: &Sym) -> Vec<(Term, Sym)> {
        match value {
            Sym::OneOf(all) => all.to_vec(),
            other @ (Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Seq(_)
            | Sym::Set(_)
            | Sym::Multiset(_)
            | Sym::Map(_)
            | Sym::Tuple(_)
            | Sym::Data(_)
            | Sym::Func(_)
            | Sym::Lazy(_)
            | Sym::Newtype(_)
            | Sym::Ref(_)
            | Sym::Any
            | Sym::Undef) => vec![(self.t.tt, other.clone())],
        }
    }

    /// Creates a value from alternatives, of which exactly one condition holds.
    pub(super) fn one_of(&self, mut all: Vec<(Term, Sym)>) -> Sym {
        all.retain(|(cond, _)| *cond != self.t.ff);
        match all.len() {
            0 => Sym::Undef,
            1 => all.swap_remove(0).1,
            _ => Sym::OneOf(Rc::new(all)),
        }
    }

    fn merge_types(&mut self, cond: Term, a: &Sym, b: &Sym) -> Sym {
        let other = self.t.not(cond);
        let mut out: Vec<(Term, Sym)> = Vec::new();
        for (p, x) in self.alternatives(a) {
            out.push((self.t.and(cond, p), x));
        }
        for (q, y) in self.alternatives(b) {
            // Alternatives of one type are merged, so that their number is bounded by the number of
            // types.
            let here = self.t.and(other, q);
            match out.iter().position(|(_, x)| is_one_type(x, &y)) {
                Some(i) => {
                    let (p, x) = out.swap_remove(i);
                    out.push((self.t.or(p, here), self.merge(cond, &x, &y)));
                }
                None => out.push((here, y)),
            }
        }
        self.one_of(out)
    }

    /// Returns the arguments of a constructor for which the other value has none. They are valid if
    /// the other value cannot have this constructor; otherwise they are unknown. Under
    /// [`Mode::Cut`](super::Mode::Cut), unknown arguments never occur in models.
    fn one_sided(
        &mut self,
        other_tag: Term,
        i: usize,
        args: &Rc<Vec<Sym>>,
    ) -> Option<Rc<Vec<Sym>>> {
        let i = self.t.int(i as i64);
        let can = self.t.eq(other_tag, i);
        (can == self.t.ff || self.mode == super::Mode::Cut).then(|| Rc::clone(args))
    }

    fn merge_all(&mut self, cond: Term, xs: &[Sym], ys: &[Sym]) -> Vec<Sym> {
        xs.iter()
            .zip(ys)
            .map(|(x, y)| self.merge(cond, x, y))
            .collect()
    }

    fn merge_seq(&mut self, cond: Term, x: &SymSeq, y: &SymSeq) -> SymSeq {
        let len = self.t.ite(cond, x.len, y.len);
        let mut slots = Vec::new();
        // Of an open sequence only the slots are known.
        let k = match (x.is_open(), y.is_open()) {
            (false, false) => x.slots.len().max(y.slots.len()),
            (true, true) => x.slots.len().min(y.slots.len()),
            (true, false) => x.slots.len(),
            (false, true) => y.slots.len(),
        };
        for j in 0..k {
            slots.push(match (x.slots.get(j), y.slots.get(j)) {
                (Some(a), Some(b)) => self.merge(cond, a, b),
                (Some(a), None) => a.clone(),
                (None, Some(b)) => b.clone(),
                (None, None) => continue,
            });
        }
        let is_same = x.rest == y.rest && x.slots.len() == y.slots.len();
        let rest = if is_same {
            x.rest
        } else {
            let operands = vec![
                Sym::Bool(cond),
                Sym::Seq(Rc::new(x.clone())),
                Sym::Seq(Rc::new(y.clone())),
            ];
            self.rest_of(Made::Merge, operands, x.is_open() || y.is_open())
        };
        SymSeq { len, slots, rest }
    }

    fn merge_slots(
        &mut self,
        cond: Term,
        xs: &[(Term, Sym)],
        ys: &[(Term, Sym)],
    ) -> Vec<(Term, Sym)> {
        let none = self.t.ff;
        let mut slots = Vec::new();
        for j in 0..xs.len().max(ys.len()) {
            slots.push(match (xs.get(j), ys.get(j)) {
                (Some((p, a)), Some((q, b))) => (self.t.ite(cond, *p, *q), self.merge(cond, a, b)),
                (Some((p, a)), None) => (self.t.ite(cond, *p, none), a.clone()),
                (None, Some((q, b))) => (self.t.ite(cond, none, *q), b.clone()),
                (None, None) => continue,
            });
        }
        slots
    }

    /// Returns `cond ? a : b` of heaps.
    pub(super) fn merge_heaps(&mut self, cond: Term, a: &Heap, b: &Heap) -> Heap {
        if a.version == b.version || cond == self.t.tt {
            return a.clone();
        }
        if cond == self.t.ff {
            return b.clone();
        }
        let mut objects = (*a.objects).clone();
        // Objects that are equal in both heaps are shared.
        for (id, y) in b.objects.iter() {
            let merged = match objects.get(id) {
                Some(x) if Rc::ptr_eq(x, y) || x == y => continue,
                Some(x) => Rc::new(self.merge_object(cond, &Rc::clone(x), y)),
                None => Rc::clone(y),
            };
            objects.insert(*id, merged);
        }
        let heap = self.new_heap(objects);
        self.merge_beyond(cond, (a.version, b.version), heap.version);
        heap
    }

    fn merge_object(&mut self, cond: Term, x: &SymObject, y: &SymObject) -> SymObject {
        let contents = match (&x.contents, &y.contents) {
            (SymContents::Fields(f), SymContents::Fields(g)) => {
                let mut out = f.clone();
                for (id, v) in g {
                    // A field that is assigned on one path only stays open after the merge.
                    let merged = match f.get(id) {
                        Some(u) => {
                            if (*u == Sym::Undef) != (*v == Sym::Undef) && !self.typed()[*id].ghost
                            {
                                self.leave_open(); // unassigned on one path
                            }
                            self.merge(cond, u, v)
                        }
                        None => v.clone(),
                    };
                    out.insert(*id, merged);
                }
                SymContents::Fields(out)
            }
            (SymContents::Array(f), SymContents::Array(g)) => {
                SymContents::Array(Rc::new(self.merge_seq(cond, f, g)))
            }
            (SymContents::Grid(f), SymContents::Grid(g)) if f.caps == g.caps => {
                let dims = f
                    .dims
                    .iter()
                    .zip(&g.dims)
                    .map(|(a, b)| self.t.ite(cond, *a, *b))
                    .collect();
                SymContents::Grid(Rc::new(SymGrid {
                    dims,
                    caps: f.caps.clone(),
                    slots: self.merge_all(cond, &f.slots, &g.slots),
                }))
            }
            // The kind of an object never changes.
            (SymContents::Fields(_) | SymContents::Array(_) | SymContents::Grid(_), _) => {
                x.contents.clone()
            }
        };
        SymObject {
            ty: x.ty.clone(),
            contents,
        }
    }

    /// Returns `a < b` of scalars of one type.
    pub(super) fn less(&mut self, num: Num, a: Term, b: Term) -> Term {
        match num {
            Num::Int | Num::Char | Num::Ordinal => self.t.lt(a, b),
            Num::Real => {
                let le = self.t.rle(b, a);
                self.t.not(le)
            }
            Num::Bv(0) => self.t.ff,
            Num::Bv(_) => self.t.ult(a, b),
        }
    }

    /// Applies an operator on numbers; `None` if the operands are not scalars.
    pub(super) fn numeric(&mut self, op: &Op, xs: &[Sym], ty: &Type) -> Option<Sym> {
        let (a, b) = (xs.first()?.scalar()?, xs.get(1).and_then(Sym::scalar));
        let wrap = |num: Num, t: Term| match num {
            Num::Int => Sym::Int(t),
            Num::Real => Sym::Real(t),
            Num::Bv(_) => Sym::Bv(t),
            Num::Char => Sym::Char(t),
            Num::Ordinal => Sym::Ordinal(t),
        };
        // Each operator is mapped to the theory of its numeric type.
        Some(match op {
            Op::Not => Sym::Bool(self.t.not(a)),
            Op::Neg(num) => wrap(*num, self.negate(*num, a)),
            Op::Add(num) | Op::Sub(num) | Op::Mul(num) | Op::Div(num) | Op::Mod(num) => {
                let r = self.arithmetic(op, *num, a, b?);
                wrap(*num, r)
            }
            Op::Lt(num) => Sym::Bool(self.less(*num, a, b?)),
            Op::Le(num) => {
                let gt = self.less(*num, b?, a);
                Sym::Bool(self.t.not(gt))
            }
            Op::BitAnd
            | Op::BitOr
            | Op::BitXor
            | Op::BitNot
            | Op::Shl
            | Op::Shr
            | Op::RotateLeft
            | Op::RotateRight => return self.bit_operation(op, a, b),
            Op::Floor => Sym::Int(self.t.floor(a)),
            Op::OrdinalIsLimit => {
                // Encoded ordinals are finite, so that 0 is the only limit.
                let zero = self.t.int(0);
                Sym::Bool(self.t.eq(a, zero))
            }
            Op::OrdinalIsSucc => {
                let zero = self.t.int(0);
                Sym::Bool(self.t.lt(zero, a))
            }
            Op::OrdinalOffset => Sym::Int(a),
            Op::OrdinalIsNat => Sym::Bool(self.t.tt),
            Op::Eq
            | Op::Ne
            | Op::Display(_)
            | Op::Cardinality(_)
            | Op::In(_)
            | Op::Union(_)
            | Op::Intersect(_)
            | Op::Difference(_)
            | Op::Disjoint(_)
            | Op::SubsetEq(_)
            | Op::Subset(_)
            | Op::Select(_)
            | Op::Update(_)
            | Op::Slice
            | Op::ArraySlice
            | Op::ArrayLength(_)
            | Op::MultisetOf(_)
            | Op::Keys
            | Op::Values
            | Op::Items
            | Op::SeqInit
            | Op::Tuple
            | Op::TupleField(_)
            | Op::Construct(_)
            | Op::CtorTest(_)
            | Op::Destruct(_)
            | Op::Below
            | Op::PrefixEq
            | Op::FunctionRequires
            | Op::FunctionReads => return Some(self.any(ty)),
        })
    }

    /// Returns the negation of a number.
    fn negate(&mut self, num: Num, a: Term) -> Term {
        match num {
            Num::Int | Num::Char | Num::Ordinal => {
                let zero = self.t.int(0);
                self.t.sub(zero, a)
            }
            Num::Real => {
                let zero = self
                    .t
                    .real(num_rational::BigRational::from_integer(0.into()));
                self.t.rsub(zero, a)
            }
            // A bitvector of width 0 has a single value, and Z3 has no such sort.
            Num::Bv(0) => a,
            Num::Bv(w) => {
                let zero = self.t.bv(w, BigUint::default());
                self.t.bv_op(BvOp::Sub, zero, a)
            }
        }
    }

    /// Applies an operator on bitvectors.
    fn bit_operation(&mut self, op: &Op, a: Term, b: Option<Term>) -> Option<Sym> {
        let Sort::Bv(w) = self.t.sort(a) else {
            return Some(Sym::Bv(a));
        };
        Some(Sym::Bv(if matches!(op, Op::BitAnd) {
            self.t.bv_op(BvOp::And, a, b?)
        } else if matches!(op, Op::BitOr) {
            self.t.bv_op(BvOp::Or, a, b?)
        } else if matches!(op, Op::BitXor) {
            self.t.bv_op(BvOp::Xor, a, b?)
        } else if matches!(op, Op::BitNot) {
            self.t.bv_not(a)
        } else {
            // A shift amount may be of another width.
            let amount = self.shift_amount(w, b?);
            let op = if matches!(op, Op::Shl) {
                BvOp::Shl
            } else if matches!(op, Op::Shr) {
                BvOp::Shr
            } else if matches!(op, Op::RotateLeft) {
                BvOp::RotateLeft
            } else {
                BvOp::RotateRight
            };
            self.t.bv_op(op, a, amount)
        }))
    }

    fn arithmetic(&mut self, op: &Op, num: Num, a: Term, b: Term) -> Term {
        match num {
            Num::Int | Num::Char | Num::Ordinal => {
                if matches!(op, Op::Add(_)) {
                    self.t.add(a, b)
                } else if matches!(op, Op::Sub(_)) {
                    let r = self.t.sub(a, b);
                    // Ordinals cannot become negative.
                    if num == Num::Ordinal {
                        let ok = self.t.le(b, a);
                        self.require(ok);
                    }
                    r
                } else if matches!(op, Op::Mul(_)) {
                    self.t.mul(a, b)
                } else {
                    // Division by zero is undefined, so the path requires a non-zero divisor.
                    let zero = self.t.int(0);
                    let ok = self.t.ne(b, zero);
                    self.require(ok);
                    if matches!(op, Op::Div(_)) {
                        self.t.div(a, b)
                    } else {
                        self.t.modulo(a, b)
                    }
                }
            }
            Num::Real => {
                if matches!(op, Op::Add(_)) {
                    self.t.radd(a, b)
                } else if matches!(op, Op::Sub(_)) {
                    self.t.rsub(a, b)
                } else if matches!(op, Op::Mul(_)) {
                    self.t.rmul(a, b)
                } else {
                    let zero = self
                        .t
                        .real(num_rational::BigRational::from_integer(0.into()));
                    let ok = self.t.ne(b, zero);
                    self.require(ok);
                    self.t.rdiv(a, b)
                }
            }
            Num::Bv(0) => a,
            Num::Bv(w) => {
                let bv_op = if matches!(op, Op::Add(_)) {
                    BvOp::Add
                } else if matches!(op, Op::Sub(_)) {
                    BvOp::Sub
                } else if matches!(op, Op::Mul(_)) {
                    BvOp::Mul
                } else if matches!(op, Op::Div(_)) {
                    BvOp::Div
                } else {
                    BvOp::Rem
                };
                if matches!(op, Op::Div(_) | Op::Mod(_)) {
                    let zero = self.t.bv(w, BigUint::default());
                    let ok = self.t.ne(b, zero);
                    self.require(ok);
                }
                self.t.bv_op(bv_op, a, b)
            }
        }
    }

    /// Converts a shift amount to a bitvector of width `w`. It has to be between 0 and `w`.
    fn shift_amount(&mut self, w: u32, amount: Term) -> Term {
        let n = match self.t.sort(amount) {
            Sort::Bv(v) if v == w => return amount,
            Sort::Bv(_) => self.t.bv_to_int(amount),
            Sort::Int => amount,
            Sort::Bool | Sort::Real => return self.t.bv(w, BigUint::default()),
        };
        let (zero, end) = (self.t.int(0), self.t.int(w + 1));
        let ok = self.t.in_range(zero, n, end);
        self.require(ok);
        self.t.int_to_bv(w, n)
    }
}

/// Whether two trait values can be merged into one: references, or values of one type.
fn is_one_type(a: &Sym, b: &Sym) -> bool {
    match (a, b) {
        (Sym::Ref(_), Sym::Ref(_)) | (Sym::Any, Sym::Any) => true,
        (Sym::Data(x), Sym::Data(y)) => x.ty == y.ty,
        (Sym::Newtype(x), Sym::Newtype(y)) => x.decl == y.decl,
        (_, _) => false,
    }
}
