//! Described sequences: inputs of lengths that the program demands and that are far beyond the
//! bounds, such as blocks of a fixed size.
//!
//! Such a sequence is open: it has a few slots, and elements beyond them. Each place beyond the
//! slots that the encoding reads has a variable of its own; decoding fills the others with the
//! element of the last slot ([`Encoder::exceptions`]). Operators on open sequences lose some of
//! what they know, so that a model may be wrong: the interpreter validates it. For the same reason,
//! nothing is claimed of goals for which there is no model.

use super::value::{Made, Rest, Sym, SymSeq};
use super::{BoundKind, Encoder, Mode};
use dafny_resolve::typed::Type;
use dtest_smt::{Sort, Term};

/// The limit of places beyond the slots of one sequence that get variables of their own.
const MAX_PLACES: usize = 48;
/// The limit of slots of a block in a collection.
const MAX_SLOTS_OF_BLOCKS: u32 = 2;
/// The limit of comparisons of sequences whose places are linked.
const MAX_COMPARED: usize = 32;
/// The limit of operations between a sequence and the input that it was made of.
const MAX_DERIVED: u32 = 8;

impl Encoder<'_> {
    /// Whether the encoding has described sequences.
    pub(super) fn describes(&self) -> bool {
        !self.inputs.lengths.is_empty()
    }

    /// Whether input sequences may have elements beyond their slots.
    pub(super) fn has_open_inputs(&self) -> bool {
        self.mode == Mode::Havoc || self.describes()
    }

    /// Whether the type is of blocks, such as sequences of bytes. Blocks in collections have few
    /// slots: what the program reads of them has places of its own, and a collection can have many
    /// of them.
    pub(super) fn is_described_block(&self, ty: &Type) -> bool {
        let typed = self.typed();
        let is_scalar = |elem: &Type| {
            matches!(
                typed.representation(elem),
                Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_)
            )
        };
        self.describes() && matches!(typed.representation(ty), Type::Seq(elem) if is_scalar(&elem))
    }

    /// Returns the number of slots of a sequence of this type for which the bounds allow `k`.
    pub(super) fn described_slots(&self, k: u32, ty: &Type, nesting: u32) -> u32 {
        match nesting > 0 && self.is_described_block(ty) {
            true => k.min(MAX_SLOTS_OF_BLOCKS),
            false => k,
        }
    }

    /// Creates the length of an input sequence or array with `k` slots: at most `k`, or one of the
    /// lengths that the program demands.
    pub(super) fn sequence_length(&mut self, name: &str, k: u32, kind: BoundKind) -> Term {
        let longest = self.inputs.lengths.iter().max().copied();
        // Without a slot, nothing is known of the other elements.
        let Some(longest) = longest.filter(|_| k > 0) else {
            return self.length(name, k, kind);
        };
        let n = self.leaf(name, Sort::Int);
        self.inputs.hints.push(super::Hint::Size(n));
        let zero = self.t.int(0);
        let low = self.t.le(zero, n);
        self.assumed.facts.push(low);
        let most = self.t.int(k);
        let mut ok = self.t.le(n, most);
        for length in self.inputs.lengths.clone() {
            let length = self.t.int(length);
            let is = self.t.eq(n, length);
            ok = self.t.or(ok, is);
        }
        self.within(kind, ok);
        let longest = i64::from(longest.max(k));
        self.inputs.intervals.insert(n, (Some(0), Some(longest)));
        n
    }

    /// Returns an element beyond the slots: the same one for the same place.
    pub(super) fn element_beyond(&mut self, s: &SymSeq, i: Term, ty: &Type) -> Sym {
        let key = (s.clone(), i);
        if let Some(known) = self.rests.elements.get(&key) {
            return known.clone();
        }
        let element = if self.describes() {
            self.described_element(s, i, ty)
        } else {
            self.any(ty)
        };
        self.rests.elements.insert(key, element.clone());
        self.equate_place(s, i, &element, ty);
        element
    }

    /// Records that described sequences were compared: under `equal`, they have the same elements
    /// beyond the common slots.
    pub(super) fn note_compared(&mut self, x: &SymSeq, y: &SymSeq, equal: Term) {
        if !self.describes() || self.rests.compared.len() >= MAX_COMPARED {
            return;
        }
        // The last slot is the element of all places without a variable. The other sequence has it
        // at its additional slots.
        let (shorter, longer) = match x.slots.len() <= y.slots.len() {
            true => (x, y),
            false => (y, x),
        };
        let Some(last) = shorter.slots.last() else {
            return;
        };
        for slot in longer.slots.iter().skip(shorter.slots.len()) {
            let is_last = self.equal(slot, last);
            let fact = self.t.implies(equal, is_last);
            self.assumed.facts.push(fact);
        }
        // Places that were read of one sequence only have the common element, too.
        for (s, other) in [(x, y), (y, x)] {
            let known = self.exceptions(other);
            for (at, element) in self.exceptions(s) {
                let same_place = known.iter().find(|(t, _)| *t == at);
                let counterpart = same_place.map_or_else(|| last.clone(), |(_, e)| e.clone());
                let is_same = self.equal(&element, &counterpart);
                let fact = self.t.implies(equal, is_same);
                self.assumed.facts.push(fact);
            }
        }
        self.rests.compared.push((x.clone(), y.clone(), equal));
    }

    /// Gives the sequences that were compared with `s` an element at the same place.
    fn equate_place(&mut self, s: &SymSeq, i: Term, element: &Sym, ty: &Type) {
        let pairs = self.rests.compared.iter();
        let others: Vec<(SymSeq, Term)> = pairs
            .filter_map(|(x, y, equal)| match (x == s, y == s) {
                (true, _) => Some((y.clone(), *equal)),
                (false, true) => Some((x.clone(), *equal)),
                (false, false) => None,
            })
            .collect();
        for (other, equal) in others {
            // The element is known by now, so that this ends at sequences with elements there.
            let counterpart = self.seq_at(&other, i, ty);
            let is_same = self.equal(element, &counterpart);
            let fact = self.t.implies(equal, is_same);
            self.assumed.facts.push(fact);
        }
    }

    /// Returns an element of a described sequence, or of one that was made of described sequences.
    fn described_element(&mut self, s: &SymSeq, i: Term, ty: &Type) -> Sym {
        if let Some(element) = self.derived_element(s, i, ty) {
            return element;
        }
        let others = self.exceptions(s);
        if others.len() >= MAX_PLACES {
            return self.any(ty);
        }
        let element = self.shape("element", ty, 1, 1);
        let ok = self.has_type(&element, ty);
        self.assumed.facts.push(ok);
        // Different terms may denote the same place.
        for (at, other) in others {
            let is_same_place = self.t.eq(at, i);
            if is_same_place != self.t.ff {
                let is_same = self.equal(&other, &element);
                let fact = self.t.implies(is_same_place, is_same);
                self.assumed.facts.push(fact);
            }
        }
        element
    }

    /// Returns an element of a sequence that an operation made of others, in terms of these.
    fn derived_element(&mut self, s: &SymSeq, i: Term, ty: &Type) -> Option<Sym> {
        if self.rests.nesting >= MAX_DERIVED {
            return None;
        }
        let (made, of) = self.rests.derived.get(&s.rest)?.clone();
        self.rests.nesting += 1;
        let element = match (made, of.as_slice()) {
            (Made::Update, [Sym::Seq(before), Sym::Int(at), new]) => {
                let old = self.seq_at(before, i, ty);
                let here = self.t.eq(*at, i);
                Some(self.merge(here, new, &old))
            }
            (Made::Slice, [Sym::Seq(whole), Sym::Int(low), _high]) => {
                let at = self.t.add(*low, i);
                Some(self.seq_at(whole, at, ty))
            }
            (Made::Concat, [Sym::Seq(a), Sym::Seq(b)]) => {
                let left = self.seq_at(a, i, ty);
                let at = self.t.sub(i, a.len);
                let right = self.seq_at(b, at, ty);
                let is_left = self.t.lt(i, a.len);
                Some(self.merge(is_left, &left, &right))
            }
            (Made::Merge, [Sym::Bool(cond), Sym::Seq(a), Sym::Seq(b)]) => {
                let (x, y) = (self.seq_at(a, i, ty), self.seq_at(b, i, ty));
                Some(self.merge(*cond, &x, &y))
            }
            (
                Made::Update
                | Made::Slice
                | Made::Concat
                | Made::Merge
                | Made::Intersection
                | Made::Difference
                | Made::Elements
                | Made::Values,
                _,
            ) => None,
        };
        self.rests.nesting -= 1;
        element
    }

    /// Records the operation that made a sequence with this rest.
    pub(super) fn note_derived(&mut self, rest: Rest, made: Made, of: &[Sym]) {
        if self.describes() && rest != Rest::Nothing {
            self.rests.derived.insert(rest, (made, of.to_vec()));
        }
    }

    /// Returns the places of a sequence beyond its slots that the encoding reads.
    pub(super) fn exceptions(&self, s: &SymSeq) -> Vec<(Term, Sym)> {
        let of_this = self.rests.elements.iter().filter(|((t, _), _)| t == s);
        let mut places: Vec<(Term, Sym)> = of_this.map(|((_, at), x)| (*at, x.clone())).collect();
        // Hash maps have no order.
        places.sort_by_key(|(at, _)| *at);
        places
    }
}
