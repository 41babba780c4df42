//! Objects beyond the table, in proofs: what an open reference may denote.
//!
//! Such an object has no representation. What was read of it in one state of the heap is kept, so
//! that the same place has the same value until code may write it ([`Encoder::read_beyond`]).
//! Numbers tell its age: parameters denote objects that exist when the unit is called
//! ([`Encoder::is_elder`]).

use std::rc::Rc;

use super::value::Sym;
use super::{Encoder, Mode};
use dafny_resolve::typed::{FieldId, Type};
use dtest_ir::Criterion;
use dtest_smt::Term;
use dtest_sorted::SortedMap;

/// The smallest number of an object beyond the table.
pub(super) const BEYOND: i64 = 1 << 40;
/// The smallest number of an object beyond the table that need not exist when the unit is called.
const YOUNG: i64 = 1 << 41;

/// Maximum number of places of one heap whose values are kept.
const MAX_PLACES: usize = 64;

/// The known values of places beyond the table, by reference and field.
pub(super) type Places = Rc<SortedMap<(Term, FieldId), Sym>>;

impl Encoder<'_> {
    /// Returns the condition that a reference denotes an object beyond the table that exists in
    /// every state of the unit, as those of parameters do. The age of other objects is unknown.
    pub(super) fn is_elder(&mut self, r: Term) -> Term {
        let (beyond, young) = (self.t.int(BEYOND), self.t.int(YOUNG));
        self.t.in_range(beyond, r, young)
    }

    /// Returns the value of a field of an object beyond the table: the same one for the same place
    /// of the same heap.
    pub(super) fn read_beyond(&mut self, r: Term, field: FieldId, ty: &Type) -> Sym {
        if self.mode != Mode::Havoc {
            return self.any(ty);
        }
        let version = self.heap.version;
        let known = self.objects.beyond.get(&version).cloned();
        let known = known.unwrap_or_default();
        if let Some(value) = known.get(&(r, field)) {
            return value.clone();
        }
        let value = self.any(ty);
        // Every assignment is obliged to keep the types of fields.
        if self.program.criteria.has(Criterion::Obligation) && !self.may_be_empty(ty) {
            let holds = self.kept_type(&value, ty);
            self.assumed.facts.push(holds);
        }
        if known.len() < MAX_PLACES {
            let mut places = (*known).clone();
            places.insert((r, field), value.clone());
            self.objects.beyond.insert(version, Rc::new(places));
        }
        value
    }

    /// Keeps what is known of places beyond the table in the current heap, which differs from the
    /// heap `before` in nothing that concerns these.
    pub(super) fn keep_beyond(&mut self, before: u64) {
        if let Some(places) = self.objects.beyond.get(&before).cloned() {
            self.objects.beyond.insert(self.heap.version, places);
        }
    }

    /// Keeps the places of the heap `before` that have a value afterwards by `after`.
    pub(super) fn keep_beyond_if(
        &mut self,
        before: u64,
        after: &mut dyn FnMut(&mut Self, Term, FieldId, &Sym) -> Option<Sym>,
    ) {
        let Some(places) = self.objects.beyond.get(&before).cloned() else {
            return;
        };
        let mut kept = SortedMap::new();
        for ((r, field), value) in places.iter() {
            if let Some(value) = after(self, *r, *field, value) {
                kept.insert((*r, *field), value);
            }
        }
        self.objects.beyond.insert(self.heap.version, Rc::new(kept));
    }

    /// Records a store to a field in what is known of the places of the heap `before`.
    pub(super) fn write_beyond(&mut self, before: u64, r: Term, field: FieldId, value: &Sym) {
        // An object of the table is none beyond it.
        if self.mode != Mode::Havoc || self.is_closed(r) {
            return self.keep_beyond(before);
        }
        self.keep_beyond_if(before, &mut |e, other, f, old| {
            if f != field {
                return Some(old.clone());
            }
            let same = e.t.eq(r, other);
            Some(e.merge(same, value, old))
        });
        let known = self.objects.beyond.get(&self.heap.version).cloned();
        let mut places = (*known.unwrap_or_default()).clone();
        if places.len() < MAX_PLACES {
            places.insert((r, field), value.clone());
            self.objects
                .beyond
                .insert(self.heap.version, Rc::new(places));
        }
    }

    /// Merges what is known of places beyond the table in two heaps into that of a third one.
    pub(super) fn merge_beyond(&mut self, cond: Term, (a, b): (u64, u64), merged: u64) {
        let known = |version: u64| self.objects.beyond.get(&version).cloned();
        let (Some(a), Some(b)) = (known(a), known(b)) else {
            return;
        };
        let mut places = SortedMap::new();
        for (place, x) in a.iter() {
            if let Some(y) = b.get(place) {
                let value = if x == y {
                    x.clone()
                } else {
                    self.merge(cond, x, y)
                };
                places.insert(*place, value);
            }
        }
        self.objects.beyond.insert(merged, Rc::new(places));
    }
}
