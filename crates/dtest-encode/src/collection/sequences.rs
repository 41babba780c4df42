//! Sequences as slots of which a prefix is used: elements, changes, concatenation, slices.

use std::rc::Rc;

use crate::value::{Made, Rest, Sym, SymSeq};
use crate::{BoundKind, Encoder, Mode};
use dafny_resolve::typed::Type;
use dtest_smt::Term;

impl Encoder<'_> {
    /// Returns `s[i]` for an index in range.
    pub(crate) fn seq_at(&mut self, s: &SymSeq, i: Term, ty: &Type) -> Sym {
        // A constant index selects its slot directly.
        if let Some(n) = self.t.as_small(i) {
            if let Some(e) = usize::try_from(n).ok().and_then(|n| s.slots.get(n)) {
                return e.clone();
            }
            return self.element_beyond(s, i, ty);
        }
        // Only slots within the known interval of the index can be selected.
        let (low, high) = self.interval(i);
        let mut value = if s.is_open() {
            self.element_beyond(s, i, ty)
        } else {
            Sym::Undef
        };
        for (j, e) in s.slots.iter().enumerate().rev() {
            if low.is_some_and(|l| (j as i64) < l) || high.is_some_and(|h| (j as i64) > h) {
                continue;
            }
            let at = self.t.int(j as i64);
            let here = self.t.eq(i, at);
            if here != self.t.ff {
                value = self.merge(here, e, &value);
            }
        }
        if value == Sym::Undef {
            self.any(ty)
        } else {
            value
        }
    }

    /// Returns the slots with `v` stored at index `i`.
    pub(crate) fn store_at(&mut self, slots: &[Sym], i: Term, v: &Sym) -> Vec<Sym> {
        let mut out = Vec::with_capacity(slots.len());
        for (j, e) in slots.iter().enumerate() {
            let at = self.t.int(j as i64);
            let here = self.t.eq(i, at);
            out.push(self.merge(here, v, e));
        }
        out
    }

    pub(crate) fn concat(&mut self, a: &SymSeq, b: &SymSeq) -> Sym {
        let len = self.t.add(a.len, b.len);
        let operands = || vec![Sym::Seq(Rc::new(a.clone())), Sym::Seq(Rc::new(b.clone()))];
        // With a constant length of `a`, the slots of `b` follow at constant places.
        if let Some(n) = self
            .t
            .as_small(a.len)
            .and_then(|n| usize::try_from(n).ok())
            .filter(|n| *n <= a.slots.len())
        {
            let slots = a.slots.iter().take(n).chain(&b.slots).cloned().collect();
            let rest = self.rest_of(Made::Concat, operands(), b.is_open());
            return self.trimmed(len, slots, rest);
        }
        // If `a` is open, the places beyond its slots are unknown.
        let total = if a.is_open() {
            a.slots.len()
        } else {
            a.slots.len() + b.slots.len()
        };
        let (low, high) = self.interval(a.len);
        let mut slots = Vec::with_capacity(total);
        'slots: for j in 0..total {
            // The element at j comes from b at j − |a|, for every possible length of a.
            let mut value: Option<Sym> = None;
            for l in 0..=j.min(a.slots.len()) {
                if low.is_some_and(|x| (l as i64) < x) || high.is_some_and(|x| (l as i64) > x) {
                    continue;
                }
                let Some(e) = b.slots.get(j - l) else {
                    if b.is_open() {
                        break 'slots; // It may be an element beyond the slots of b.
                    }
                    continue;
                };
                let at = self.t.int(l as i64);
                let here = self.t.eq(a.len, at);
                value = Some(match &value {
                    Some(v) => self.merge(here, e, v),
                    None => e.clone(),
                });
            }
            if let Some(e) = a.slots.get(j) {
                let inside = self.inside(a, j);
                value = Some(match &value {
                    Some(v) => self.merge(inside, e, v),
                    None => e.clone(),
                });
            }
            match value {
                Some(v) => slots.push(v),
                None => break,
            }
        }
        let rest = self.rest_of(Made::Concat, operands(), a.is_open() || b.is_open());
        self.trimmed(len, slots, rest)
    }

    /// Creates a sequence without the slots that its length cannot reach.
    pub(crate) fn trimmed(&mut self, len: Term, mut slots: Vec<Sym>, rest: Rest) -> Sym {
        if let Some(high) = self.interval(len).1 {
            slots.truncate(usize::try_from(high).unwrap_or(0));
        }
        Sym::seq(len, slots, rest)
    }

    /// Returns `s[low..high]`.
    pub(crate) fn slice(&mut self, s: &SymSeq, low: Term, high: Term) -> Sym {
        let zero = self.t.int(0);
        let (a, b, c) = (
            self.t.le(zero, low),
            self.t.le(low, high),
            self.t.le(high, s.len),
        );
        let ab = self.t.and(a, b);
        let ok = self.t.and(ab, c);
        self.require(ok);
        let len = self.t.sub(high, low);
        let operands = vec![Sym::Seq(Rc::new(s.clone())), Sym::Int(low), Sym::Int(high)];
        let rest = self.rest_of(Made::Slice, operands, s.is_open());
        // With a constant lower bound, slots are shifted by a constant.
        if let Some(n) = self.t.as_small(low) {
            let n = usize::try_from(n).unwrap_or(0);
            let slots: Vec<Sym> = s.slots.iter().skip(n).cloned().collect();
            let len = if slots.is_empty() && !s.is_open() {
                zero
            } else {
                len
            };
            // A slice that ends within the slots is closed.
            if let Some(max) = self.interval(high).1 {
                let keep = usize::try_from(max).unwrap_or(0).saturating_sub(n);
                let rest = if keep > slots.len() {
                    rest
                } else {
                    Rest::Nothing
                };
                return self.trimmed(len, slots.into_iter().take(keep).collect(), rest);
            }
            return self.trimmed(len, slots, rest);
        }
        let (least, most) = self.interval(low);
        let mut slots = Vec::with_capacity(s.slots.len());
        // The element at j comes from the slot j + low, for every possible lower bound.
        for j in 0..s.slots.len() {
            let mut value: Option<Sym> = None;
            for (i, e) in s.slots.iter().enumerate().skip(j) {
                let l = (i - j) as i64;
                if least.is_some_and(|x| l < x) || most.is_some_and(|x| l > x) {
                    continue;
                }
                let at = self.t.int(l);
                let here = self.t.eq(low, at);
                if here == self.t.ff {
                    continue;
                }
                value = Some(match &value {
                    Some(v) => self.merge(here, e, v),
                    None => e.clone(),
                });
            }
            // The slots of an open sequence do not cover all bounds, so that the rest is unknown
            // from here on.
            match value {
                Some(_) if s.is_open() => break,
                Some(v) => slots.push(v),
                None => break,
            }
        }
        self.trimmed(len, slots, rest)
    }

    /// Returns `seq(n, f)` with the values of `f` at the first indices.
    pub(crate) fn seq_init(&mut self, n: Term, f: &Sym, elem: &Type) -> Sym {
        let zero = self.t.int(0);
        let ok = self.t.le(zero, n);
        self.require(ok);
        // Every slot costs an evaluation of `f`, so their number is limited where the length is
        // unknown.
        let known = self.interval(n).1.and_then(|h| usize::try_from(h).ok());
        let cap = self.bounds.collection.max(4) as usize * 2;
        let count = known.unwrap_or(cap).min(256);
        let mut slots = Vec::new();
        for j in 0..count {
            let at = self.t.int(j as i64);
            let inside = self.t.lt(at, n);
            if inside == self.t.ff {
                break;
            }
            let value = self.under(inside, |e| e.apply(f, &[Sym::Int(at)], elem));
            slots.push(value);
        }
        // A longer sequence crosses the bound.
        let end = self.t.int(slots.len() as i64);
        let over = self.t.lt(end, n);
        if over != self.t.ff {
            self.under(over, |e| e.cross(BoundKind::Collection));
        }
        let open = over != self.t.ff && self.mode == Mode::Havoc;
        let rest = self.unknown_rest(open);
        self.trimmed(n, slots, rest)
    }
}
