//! Operators on sequences, sets, multisets and maps.
//!
//! Key function: [`Encoder::collection`]. The hard part are open collections, which may have
//! elements beyond their slots: every result is then weakened by a fresh variable, and equal
//! operations share that variable ([`Encoder::rest_of`], [`Encoder::fewer`]).

mod sequences;

use std::rc::Rc;

use super::Encoder;
use super::value::{Made, Rest, Sym, SymMap, SymMultiset, SymSeq, SymSet};
use dafny_resolve::typed::Type;
use dtest_ir::{Coll, Op};
use dtest_smt::{Sort, Term};

/// A value as an element or key beyond the slots of a set or map.
#[derive(Debug)]
pub(super) struct Member {
    /// Keeps the collection allocated, because its address identifies it.
    _collection: Sym,
    is_there: Term,
    /// For a map: the value of the key.
    value: Option<Sym>,
}

impl Encoder<'_> {
    /// Applies an operator on collections; `ty` is the concrete type of the result.
    pub(super) fn collection(&mut self, op: &Op, xs: &[Sym], ty: &Type) -> Sym {
        let known = self.collection_known(op, xs, ty);
        known.unwrap_or_else(|| self.any(ty))
    }

    fn collection_known(&mut self, op: &Op, xs: &[Sym], ty: &Type) -> Option<Sym> {
        if matches!(op, Op::Display(_)) {
            self.display(op, xs)
        } else if matches!(op, Op::Union(_) | Op::Intersect(_) | Op::Difference(_)) {
            self.combination(op, xs)
        } else if matches!(op, Op::Select(_) | Op::Update(_) | Op::Slice) {
            self.part(op, xs, ty)
        } else if matches!(op, Op::MultisetOf(_) | Op::Keys | Op::Values | Op::Items) {
            self.conversion(op, xs)
        } else {
            self.property(op, xs)
        }
    }

    /// Encodes a display.
    fn display(&mut self, op: &Op, xs: &[Sym]) -> Option<Sym> {
        let none = self.t.ff;
        Some(match (op, xs) {
            (Op::Display(Coll::Seq), _) => {
                let len = self.t.int(xs.len() as i64);
                Sym::seq(len, xs.to_vec(), Rest::Nothing)
            }
            (Op::Display(Coll::Set), _) => {
                let mut set = SymSet {
                    slots: Vec::new(),
                    more: none,
                };
                // Elements of a display may be equal: `insert` keeps the slots pairwise different.
                for x in xs {
                    let tt = self.t.tt;
                    self.insert(&mut set, tt, x);
                }
                Sym::Set(Rc::new(set))
            }
            (Op::Display(Coll::Multiset), _) => {
                let one = self.t.int(1);
                Sym::multiset(xs.iter().map(|x| (one, x.clone())).collect(), none)
            }
            (Op::Display(Coll::Map), _) => {
                let mut map = SymMap {
                    slots: Vec::new(),
                    more: none,
                };
                for pair in xs.chunks_exact(2) {
                    if let [k, v] = pair {
                        map = self.map_update(&map, k, v);
                    }
                }
                Sym::Map(Rc::new(map))
            }
            _ => return None,
        })
    }

    /// Encodes a union, intersection or difference.
    fn combination(&mut self, op: &Op, xs: &[Sym]) -> Option<Sym> {
        Some(match (op, xs) {
            (Op::Union(Coll::Seq), [Sym::Seq(a), Sym::Seq(b)]) => self.concat(a, b),
            (Op::Union(Coll::Set), [Sym::Set(a), Sym::Set(b)]) => {
                let mut set = (**a).clone();
                for (p, e) in &b.slots {
                    self.insert(&mut set, *p, e);
                }
                set.more = self.t.or(a.more, b.more);
                Sym::Set(Rc::new(set))
            }
            (Op::Union(Coll::Multiset), [Sym::Multiset(a), Sym::Multiset(b)]) => {
                let more = self.t.or(a.more, b.more);
                Sym::multiset(a.slots.iter().chain(&b.slots).cloned().collect(), more)
            }
            (Op::Union(Coll::Map), [Sym::Map(a), Sym::Map(b)]) => {
                let mut slots = Vec::new();
                // The right operand overrides keys of the left one.
                for (p, k, v) in &a.slots {
                    let shadowed = self.map_has(b, k);
                    let kept = self.t.not(shadowed);
                    slots.push((self.t.and(*p, kept), k.clone(), v.clone()));
                }
                slots.extend(b.slots.iter().cloned());
                let more = self.t.or(a.more, b.more);
                Sym::map(self.compact3(slots), more)
            }
            (Op::Intersect(Coll::Set), [Sym::Set(a), b]) => {
                self.filter_set((Made::Intersection, a, b), |e, x| e.contains_or_any(b, x))
            }
            (Op::Difference(Coll::Set), [Sym::Set(a), b]) => {
                self.filter_set((Made::Difference, a, b), |e, x| {
                    let inside = e.contains_or_any(b, x);
                    e.t.not(inside)
                })
            }
            (
                Op::Intersect(Coll::Multiset) | Op::Difference(Coll::Multiset),
                [Sym::Multiset(a), Sym::Multiset(b)],
            ) => {
                let zero = self.t.int(0);
                let mut slots = Vec::new();
                // Merging equal slots first lets the counts of both sides be compared.
                for (n, e) in self.distinct(a) {
                    let m = self.count_of(b, &e);
                    let n = if matches!(op, Op::Intersect(_)) {
                        self.t.min(n, m)
                    } else {
                        let d = self.t.sub(n, m);
                        let negative = self.t.lt(d, zero);
                        self.t.ite(negative, zero, d)
                    };
                    if n != zero {
                        slots.push((n, e));
                    }
                }
                let made = if matches!(op, Op::Intersect(_)) {
                    Made::Intersection
                } else {
                    Made::Difference
                };
                let more = self.fewer(made, xs, a.more);
                Sym::multiset(slots, more)
            }
            (Op::Difference(Coll::Map), [Sym::Map(a), keys]) => {
                let mut slots = Vec::new();
                for (p, k, v) in &a.slots {
                    let gone = self.contains_or_any(keys, k);
                    let kept = self.t.not(gone);
                    slots.push((self.t.and(*p, kept), k.clone(), v.clone()));
                }
                let more = self.fewer(Made::Difference, xs, a.more);
                Sym::map(self.compact3(slots), more)
            }
            _ => return None,
        })
    }

    /// Encodes a selection, an update or a slice.
    fn part(&mut self, op: &Op, xs: &[Sym], ty: &Type) -> Option<Sym> {
        Some(match (op, xs) {
            (Op::Select(Coll::Seq), [Sym::Seq(s), i]) => {
                let i = i.scalar()?;
                let i = if let Sort::Bv(_) = self.t.sort(i) {
                    self.t.bv_to_int(i)
                } else {
                    i
                };
                let zero = self.t.int(0);
                let ok = self.t.in_range(zero, i, s.len);
                self.require(ok);
                self.seq_at(s, i, ty)
            }
            (Op::Select(Coll::Multiset), [Sym::Multiset(m), x]) => Sym::Int(self.count_of(m, x)),
            (Op::Select(Coll::Map), [Sym::Map(m), k]) => {
                let has = self.map_has(m, k);
                self.require(has);
                self.map_at(m, k, ty)
            }
            (Op::Update(Coll::Seq), [Sym::Seq(s), i, v]) => {
                let i = i.scalar()?;
                let zero = self.t.int(0);
                let ok = self.t.in_range(zero, i, s.len);
                self.require(ok);
                let slots = self.store_at(&s.slots, i, v);
                // An update beyond the slots changes the rest, too.
                let rest = self.rest_with(s, i, v);
                Sym::seq(s.len, slots, rest)
            }
            (Op::Update(Coll::Multiset), [Sym::Multiset(m), x, n]) => {
                let (n, zero) = (n.scalar()?, self.t.int(0));
                let ok = self.t.le(zero, n);
                self.require(ok);
                let mut slots = Vec::new();
                // Other slots of the same element are set to zero, and one new slot has the whole
                // count.
                for (count, e) in &m.slots {
                    let same = self.equal(e, x);
                    slots.push((self.t.ite(same, zero, *count), e.clone()));
                }
                slots.push((n, x.clone()));
                Sym::multiset(slots, m.more)
            }
            (Op::Update(Coll::Map), [Sym::Map(m), k, v]) => {
                Sym::Map(Rc::new(self.map_update(m, k, v)))
            }
            (Op::Slice, [Sym::Seq(s), low, high]) => {
                let (low, high) = (low.scalar()?, high.scalar()?);
                self.slice(s, low, high)
            }
            _ => return None,
        })
    }

    /// Encodes a collection that is made of another one.
    fn conversion(&mut self, op: &Op, xs: &[Sym]) -> Option<Sym> {
        Some(match (op, xs) {
            (Op::MultisetOf(Coll::Seq), [Sym::Seq(s)]) => {
                let mut slots = Vec::new();
                // Slots beyond the length have the multiplicity zero.
                for (j, e) in s.slots.iter().enumerate() {
                    let inside = self.inside(s, j);
                    slots.push((self.t.count(inside), e.clone()));
                }
                let beyond = self.beyond(s);
                let more = self.fewer(Made::Elements, xs, beyond);
                Sym::multiset(slots, more)
            }
            (Op::MultisetOf(_), [Sym::Set(s)]) => {
                let mut slots = Vec::new();
                for (p, e) in &s.slots {
                    slots.push((self.t.count(*p), e.clone()));
                }
                Sym::multiset(slots, s.more)
            }
            (Op::Keys, [Sym::Map(m)]) => Sym::set(
                m.slots.iter().map(|(p, k, _)| (*p, k.clone())).collect(),
                m.more,
            ),
            (Op::Values, [Sym::Map(m)]) => {
                let more = self.fewer(Made::Values, xs, m.more);
                let mut set = SymSet {
                    slots: Vec::new(),
                    more,
                };
                for (p, _, v) in &m.slots {
                    self.insert(&mut set, *p, v);
                }
                Sym::Set(Rc::new(set))
            }
            (Op::Items, [Sym::Map(m)]) => Sym::set(
                m.slots
                    .iter()
                    .map(|(p, k, v)| (*p, Sym::tuple(vec![k.clone(), v.clone()])))
                    .collect(),
                m.more,
            ),
            _ => return None,
        })
    }

    /// Encodes the cardinality, membership and comparisons.
    fn property(&mut self, op: &Op, xs: &[Sym]) -> Option<Sym> {
        Some(match (op, xs) {
            (Op::Cardinality(_), [x]) => Sym::Int(self.cardinality(x)?),
            (Op::In(_), [x, c]) => Sym::Bool(self.contains(c, x)?),
            (Op::Disjoint(Coll::Set), [Sym::Set(a), b]) => {
                let mut all = self.t.tt;
                // No element of `a` is in `b`.
                for (p, e) in &a.slots {
                    let inside = self.contains_or_any(b, e);
                    let both = self.t.and(*p, inside);
                    let apart = self.t.not(both);
                    all = self.t.and(all, apart);
                }
                Sym::Bool(self.unless_more(all, a.more))
            }
            (Op::Disjoint(Coll::Multiset), [Sym::Multiset(a), Sym::Multiset(b)]) => {
                let zero = self.t.int(0);
                let mut all = self.t.tt;
                for (n, e) in &a.slots {
                    let m = self.count_of(b, e);
                    let (n0, m0) = (self.t.eq(*n, zero), self.t.eq(m, zero));
                    let apart = self.t.or(n0, m0);
                    all = self.t.and(all, apart);
                }
                Sym::Bool(self.unless_more(all, a.more))
            }
            (Op::SubsetEq(_), [a, b]) => Sym::Bool(self.subset(a, b)),
            (Op::Subset(_), [a, b]) => {
                let (within, same) = (self.subset(a, b), self.equal(a, b));
                // A proper subset or prefix is one that is not equal.
                let other = self.t.not(same);
                Sym::Bool(self.t.and(within, other))
            }
            _ => return None,
        })
    }

    /// Adds an element under a condition, if it is not in the set yet. Keeps the slots pairwise
    /// different.
    pub(super) fn insert(&mut self, set: &mut SymSet, cond: Term, x: &Sym) {
        // An element that is already there is not added again.
        let mut there = self.t.ff;
        for (p, e) in &set.slots {
            let same = self.equal(e, x);
            let here = self.t.and(*p, same);
            there = self.t.or(there, here);
        }
        let new = self.t.not(there);
        let cond = self.t.and(cond, new);
        if cond != self.t.ff {
            set.slots.push((cond, x.clone()));
        }
    }

    fn filter_set(
        &mut self,
        (made, a, b): (Made, &Rc<SymSet>, &Sym),
        mut keep: impl FnMut(&mut Self, &Sym) -> Term,
    ) -> Sym {
        let mut slots = Vec::new();
        for (p, e) in &a.slots {
            // Slots that are certainly removed disappear.
            let kept = keep(self, e);
            let p = self.t.and(*p, kept);
            if p != self.t.ff {
                slots.push((p, e.clone()));
            }
        }
        let more = self.fewer(made, &[Sym::Set(Rc::clone(a)), b.clone()], a.more);
        Sym::set(slots, more)
    }

    /// Returns the condition that a derived collection has further elements. It implies `more`, the
    /// condition for the operand.
    fn fewer(&mut self, made: Made, of: &[Sym], more: Term) -> Term {
        if more == self.t.ff {
            return more;
        }
        let key = (made, of.to_vec());
        // Equal operations share the condition. Vague operands may differ although they look equal.
        if let Some(known) = self
            .rests
            .fewer
            .get(&key)
            .filter(|_| !of.iter().any(Sym::is_vague))
        {
            return *known;
        }
        let left = self.t.fresh("more", Sort::Bool);
        let fact = self.t.implies(left, more);
        self.assumed.facts.push(fact);
        self.rests.fewer.insert(key, left);
        left
    }

    /// Returns a new unknown rest if `is_open`.
    pub(super) fn unknown_rest(&mut self, is_open: bool) -> Rest {
        if !is_open {
            return Rest::Nothing;
        }
        self.rests.last += 1;
        Rest::Unknown(self.rests.last)
    }

    /// Returns the rest of a sequence derived from others: equal operations on equal operands share
    /// their rest.
    pub(super) fn rest_of(&mut self, made: Made, of: Vec<Sym>, is_open: bool) -> Rest {
        if !is_open || of.iter().any(Sym::is_vague) {
            let rest = self.unknown_rest(is_open);
            self.note_derived(rest, made, &of);
            return rest;
        }
        // The same operation on the same operands has the same unknown rest.
        let key = (made, of);
        if let Some(known) = self.rests.known.get(&key) {
            return *known;
        }
        let rest = self.unknown_rest(true);
        self.note_derived(rest, made, &key.1);
        // A slice knows the sequence it was taken from.
        if let (Made::Slice, Some(Sym::Seq(whole))) = (made, key.1.first()) {
            self.rests.slices.insert(rest, Rc::clone(whole));
        }
        self.rests.known.insert(key, rest);
        rest
    }

    /// Returns the rest of a sequence or array after an update of index `i` to `v`.
    pub(super) fn rest_with(&mut self, s: &SymSeq, i: Term, v: &Sym) -> Rest {
        let is_within = self
            .t
            .as_small(i)
            .is_some_and(|i| usize::try_from(i).is_ok_and(|i| i < s.slots.len()));
        if is_within || !s.is_open() {
            return s.rest;
        }
        self.rest_of(
            Made::Update,
            vec![Sym::Seq(Rc::new(s.clone())), Sym::Int(i), v.clone()],
            true,
        )
    }

    fn compact3(&self, mut slots: Vec<(Term, Sym, Sym)>) -> Vec<(Term, Sym, Sym)> {
        slots.retain(|(p, _, _)| *p != self.t.ff);
        slots
    }

    /// Returns `cond`, weakened where the collection may have further elements: it may then also be
    /// false.
    fn unless_more(&mut self, cond: Term, more: Term) -> Term {
        if more == self.t.ff {
            return cond;
        }
        let unknown = self.t.fresh("any", Sort::Bool);
        let rest = self.t.implies(more, unknown);
        self.t.and(cond, rest)
    }

    /// Returns `cond`, weakened where the collection may have further elements: it may then also be
    /// true.
    fn or_more(&mut self, cond: Term, more: Term) -> Term {
        if more == self.t.ff {
            return cond;
        }
        let unknown = self.t.fresh("any", Sort::Bool);
        let rest = self.t.and(more, unknown);
        self.t.or(cond, rest)
    }

    /// Returns `cond`, weakened where `x` may be an element or key of `c` beyond the slots. The same
    /// value is it everywhere or nowhere.
    fn or_member(&mut self, cond: Term, more: Term, c: &Sym, x: &Sym) -> Term {
        if more == self.t.ff {
            return cond;
        }
        let Some(member) = self.member(c, x) else {
            return self.or_more(cond, more);
        };
        let is_there = member.is_there;
        let rest = self.t.and(more, is_there);
        self.t.or(cond, rest)
    }

    /// Returns the value of a key beyond the slots of a map: the same for the same key.
    fn value_beyond(&mut self, m: &Rc<SymMap>, x: &Sym, ty: &Type) -> Sym {
        let c = Sym::Map(Rc::clone(m));
        if let Some(value) = self.member(&c, x).and_then(|known| known.value.clone()) {
            return value;
        }
        let value = self.any(ty);
        if let Some(member) = self.member(&c, x) {
            member.value = Some(value.clone());
        }
        value
    }

    /// Returns what is known of a value as an element or key of a set or map. Two unknown
    /// collections may look alike, so that each allocation of one has its own members.
    fn member(&mut self, c: &Sym, x: &Sym) -> Option<&mut Member> {
        let address = if let Sym::Set(s) = c {
            Rc::as_ptr(s).addr()
        } else if let Sym::Map(m) = c {
            Rc::as_ptr(m).addr()
        } else {
            return None;
        };
        let key = (address, x.clone());
        if !self.rests.members.contains_key(&key) {
            let member = Member {
                _collection: c.clone(),
                is_there: self.t.fresh("any", Sort::Bool),
                value: None,
            };
            self.rests.members.insert(key.clone(), member);
        }
        self.rests.members.get_mut(&key)
    }

    /// Returns the term `j < |s|`.
    pub(super) fn inside(&mut self, s: &SymSeq, j: usize) -> Term {
        let j = self.t.int(j as i64);
        self.t.lt(j, s.len)
    }

    /// Returns the condition that the sequence has elements beyond its slots.
    pub(super) fn beyond(&mut self, s: &SymSeq) -> Term {
        if !s.is_open() {
            return self.t.ff;
        }
        let k = self.t.int(s.slots.len() as i64);
        self.t.lt(k, s.len)
    }

    /// Returns `|x|`; `None` if it is unknown.
    pub(super) fn cardinality(&mut self, x: &Sym) -> Option<Term> {
        Some(match x {
            Sym::Seq(s) => s.len,
            // The number of present slots, plus an unknown number beyond them.
            Sym::Set(s) => {
                let flags: Vec<Term> = s.slots.iter().map(|s| s.0).collect();
                self.sum_flags(&flags, s.more)
            }
            Sym::Map(m) => {
                let flags: Vec<Term> = m.slots.iter().map(|s| s.0).collect();
                self.sum_flags(&flags, m.more)
            }
            Sym::Multiset(m) => {
                let sum = self.t.sum(m.slots.iter().map(|s| s.0));
                self.plus_more(sum, m.more)
            }
            // The size of an unknown collection is a natural number.
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Tuple(_)
            | Sym::Data(_)
            | Sym::Newtype(_)
            | Sym::OneOf(_)
            | Sym::Func(_)
            | Sym::Lazy(_)
            | Sym::Ref(_)
            | Sym::Any
            | Sym::Undef => {
                let n = self.t.fresh("any", Sort::Int);
                let zero = self.t.int(0);
                let ok = self.t.le(zero, n);
                self.assumed.facts.push(ok);
                n
            }
        })
    }

    fn sum_flags(&mut self, flags: &[Term], more: Term) -> Term {
        let counts: Vec<Term> = flags.iter().map(|f| self.t.count(*f)).collect();
        let sum = self.t.sum(counts);
        let known = self.plus_more(sum, more);
        // A closed collection has at most as many elements as slots, which helps to trim sequences
        // of that length.
        if more == self.t.ff {
            self.inputs
                .intervals
                .entry(known)
                .or_insert((Some(0), Some(flags.len() as i64)));
        }
        known
    }

    /// Adds an arbitrary natural number to a sum where there may be further elements. It may be
    /// zero: an inserted element may have been among the elements beyond the slots, and an operator
    /// may have removed those.
    fn plus_more(&mut self, sum: Term, more: Term) -> Term {
        if more == self.t.ff {
            return sum;
        }
        let (n, zero) = (self.t.fresh("any", Sort::Int), self.t.int(0));
        let ok = self.t.le(zero, n);
        self.assumed.facts.push(ok);
        let rest = self.t.ite(more, n, zero);
        self.t.add(sum, rest)
    }

    pub(super) fn contains_or_any(&mut self, c: &Sym, x: &Sym) -> Term {
        match self.contains(c, x) {
            Some(t) => t,
            None => self.t.fresh("any", Sort::Bool),
        }
    }

    /// Returns the term `x in c`; `None` if it is unknown.
    fn contains(&mut self, c: &Sym, x: &Sym) -> Option<Term> {
        Some(match c {
            Sym::Seq(s) => {
                let mut any = self.t.ff;
                for (j, e) in s.slots.iter().enumerate() {
                    let (inside, same) = (self.inside(s, j), self.equal(e, x));
                    // A position counts only inside the sequence.
                    let here = self.t.and(inside, same);
                    any = self.t.or(any, here);
                }
                let more = self.beyond(s);
                self.or_more(any, more)
            }
            Sym::Set(s) => {
                let mut any = self.t.ff;
                for (p, e) in &s.slots {
                    let same = self.equal(e, x);
                    let here = self.t.and(*p, same);
                    any = self.t.or(any, here);
                }
                self.or_member(any, s.more, c, x)
            }
            Sym::Map(m) => self.map_has(m, x),
            Sym::Multiset(m) => {
                let (n, zero) = (self.count_of(m, x), self.t.int(0));
                self.t.lt(zero, n)
            }
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Tuple(_)
            | Sym::Data(_)
            | Sym::Newtype(_)
            | Sym::OneOf(_)
            | Sym::Func(_)
            | Sym::Lazy(_)
            | Sym::Ref(_)
            | Sym::Any
            | Sym::Undef => return None,
        })
    }

    /// Returns the term `a <= b`: subset, submultiset, or prefix.
    pub(super) fn subset(&mut self, a: &Sym, b: &Sym) -> Term {
        match (a, b) {
            // Every present element must be contained in the other collection.
            (Sym::Set(x), _) => {
                let mut all = self.t.tt;
                for (p, e) in &x.slots {
                    let inside = self.contains_or_any(b, e);
                    let ok = self.t.implies(*p, inside);
                    all = self.t.and(all, ok);
                }
                self.unless_more(all, x.more)
            }
            (Sym::Multiset(x), Sym::Multiset(y)) => {
                let mut all = self.t.tt;
                for (_, e) in &x.slots {
                    let (n, m) = (self.count_of(x, e), self.count_of(y, e));
                    let ok = self.t.le(n, m);
                    all = self.t.and(all, ok);
                }
                // Elements beyond the slots make a positive answer unknown.
                self.unless_more(all, x.more)
            }
            // A prefix: at most as long, with equal elements.
            (Sym::Seq(x), Sym::Seq(y)) => {
                let mut all = self.t.le(x.len, y.len);
                for (j, (e, f)) in x.slots.iter().zip(&y.slots).enumerate() {
                    let (inside, same) = (self.inside(x, j), self.equal(e, f));
                    let ok = self.t.implies(inside, same);
                    all = self.t.and(all, ok);
                }
                let (p, q) = (self.beyond(x), self.beyond(y));
                let more = self.t.or(p, q);
                self.unless_more(all, more)
            }
            _ => self.t.fresh("any", Sort::Bool),
        }
    }

    /// Returns the multiplicity of `x` in `m`.
    fn count_of(&mut self, m: &SymMultiset, x: &Sym) -> Term {
        let zero = self.t.int(0);
        let mut counts = Vec::with_capacity(m.slots.len());
        // Equal elements may occur in several slots, so their multiplicities are added.
        for (n, e) in &m.slots {
            let same = self.equal(e, x);
            counts.push(self.t.ite(same, *n, zero));
        }
        let sum = self.t.sum(counts);
        if m.more == self.t.ff {
            return sum;
        }
        let n = self.t.fresh("any", Sort::Int);
        let ok = self.t.le(zero, n);
        // Beyond the slots, the multiplicity is arbitrary.
        self.assumed.facts.push(ok);
        let rest = self.t.ite(m.more, n, zero);
        self.t.add(sum, rest)
    }

    /// Returns slots with every element counted once: the first slot has the total multiplicity,
    /// later slots have zero.
    pub(super) fn distinct(&mut self, m: &SymMultiset) -> Vec<(Term, Sym)> {
        let zero = self.t.int(0);
        let mut out: Vec<(Term, Sym)> = Vec::new();
        let closed = SymMultiset {
            slots: m.slots.clone(),
            more: self.t.ff,
        };
        for (n, e) in &m.slots {
            let mut earlier = self.t.ff;
            for (c, f) in &out {
                let (present, same) = (self.t.lt(zero, *c), self.equal(f, e));
                let here = self.t.and(present, same);
                earlier = self.t.or(earlier, here);
            }
            let present = self.t.lt(zero, *n);
            let later = self.t.not(present);
            // Skipped if an earlier slot has the same element, or if the slot itself is empty.
            let skip = self.t.or(earlier, later);
            let total = self.count_of(&closed, e);
            out.push((self.t.ite(skip, zero, total), e.clone()));
        }
        out
    }

    fn map_has(&mut self, m: &Rc<SymMap>, x: &Sym) -> Term {
        let mut any = self.t.ff;
        for (p, k, _) in &m.slots {
            let same = self.equal(k, x);
            let here = self.t.and(*p, same);
            any = self.t.or(any, here);
        }
        self.or_member(any, m.more, &Sym::Map(Rc::clone(m)), x)
    }

    fn map_at(&mut self, m: &Rc<SymMap>, x: &Sym, ty: &Type) -> Sym {
        let mut value = if m.more == self.t.ff {
            Sym::Undef
        } else {
            self.value_beyond(m, x, ty)
        };
        // From the last slot to the first: keys are different, so that at most one condition holds.
        for (p, k, v) in m.slots.iter().rev() {
            let same = self.equal(k, x);
            let here = self.t.and(*p, same);
            value = if here == self.t.ff {
                value
            } else {
                self.merge(here, v, &value)
            };
        }
        if value == Sym::Undef {
            self.any(ty)
        } else {
            value
        }
    }

    /// Returns the condition that every pair of `a` is in `b`.
    pub(super) fn map_within(&mut self, a: &SymMap, b: &SymMap) -> Term {
        let mut all = self.t.tt;
        // Every present pair of the first map must occur in the second one.
        for (p, k, v) in &a.slots {
            let mut any = self.t.ff;
            for (q, l, w) in &b.slots {
                let (same_key, same_value) = (self.equal(k, l), self.equal(v, w));
                let pair = self.t.and(same_key, same_value);
                let here = self.t.and(*q, pair);
                any = self.t.or(any, here);
            }
            let any = self.or_more(any, b.more);
            let ok = self.t.implies(*p, any);
            all = self.t.and(all, ok);
        }
        self.unless_more(all, a.more)
    }

    pub(super) fn map_update(&mut self, m: &SymMap, key: &Sym, value: &Sym) -> SymMap {
        let tt = self.t.tt;
        self.map_put(m, tt, key, value)
    }

    /// Adds a pair under a condition, and removes the old pair with the same key under the same
    /// condition.
    pub(super) fn map_put(&mut self, m: &SymMap, cond: Term, key: &Sym, value: &Sym) -> SymMap {
        let mut slots = Vec::new();
        // An existing entry of the key is removed if the update takes place.
        for (p, k, v) in &m.slots {
            let same = self.equal(k, key);
            let gone = self.t.and(cond, same);
            let kept = self.t.not(gone);
            let p = self.t.and(*p, kept);
            if p != self.t.ff {
                slots.push((p, k.clone(), v.clone()));
            }
        }
        if cond != self.t.ff {
            slots.push((cond, key.clone(), value.clone()));
        }
        SymMap {
            slots,
            more: m.more,
        }
    }
}
