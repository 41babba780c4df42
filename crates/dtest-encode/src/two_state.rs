//! Comparison of two heap states: `fresh`, `allocated` and `unchanged` (reference manual, "Fresh
//! Expressions" and "Unchanged Expressions").

use std::rc::Rc;

use super::value::{Heap, Sym, SymContents, SymObject};
use super::{Encoder, Frame};
use dafny_resolve::typed::{FieldId, Type};
use dafny_source::Name;
use dtest_ir as ir;
use dtest_smt::{Sort, Term};

impl<'p> Encoder<'p> {
    /// Encodes `fresh(e)`: no object in `e` was allocated in the older state, and none is null.
    pub(super) fn fresh(&mut self, label: &Option<Name>, objects: &Sym, f: &Frame<'p>) -> Term {
        let Some(old) = f.snapshots.get(label).cloned() else {
            return self.unknown();
        };
        self.all_references(objects, &mut |e, r| {
            let zero = e.t.int(0);
            let mut all = e.t.ne(r, zero);
            for id in old.objects.keys() {
                let is = e.is_object(r, *id);
                let not = e.t.not(is);
                all = e.t.and(all, not);
            }
            // An open reference may be an unknown object, whose age may be unknown.
            if e.is_closed(r) {
                return all;
            }
            let (unknown, elder) = (e.unknown(), e.is_elder(r));
            let young = e.t.not(elder);
            let all = e.t.and(all, young);
            e.t.and(all, unknown)
        })
    }

    /// Returns the condition that the references in a value are allocated in the current state.
    pub(super) fn allocated(&mut self, value: &Sym, ty: &Type) -> Term {
        if self.typed().holds_no_references(ty) {
            return self.t.tt;
        }
        let now = self.heap.clone();
        self.all_references(value, &mut |e, r| {
            // A reference is allocated if it is null or denotes an object of the current heap.
            let zero = e.t.int(0);
            let mut any = e.t.eq(r, zero);
            for id in now.objects.keys() {
                let is = e.is_object(r, *id);
                any = e.t.or(any, is);
            }
            if e.is_closed(r) {
                return any;
            }
            let (unknown, elder) = (e.unknown(), e.is_elder(r));
            let any = e.t.or(any, elder);
            e.t.or(any, unknown)
        })
    }

    /// Encodes `unchanged(a, b`f)`: objects of the older state have the same contents as then.
    pub(super) fn unchanged(
        &mut self,
        label: &Option<Name>,
        frames: &[ir::Frame],
        f: &mut Frame<'p>,
    ) -> Term {
        // Without the older state, nothing is known.
        let Some(old) = f.snapshots.get(label).cloned() else {
            return self.unknown();
        };
        let mut all = self.t.tt;
        // A frame of everything is not decided.
        for frame in frames {
            let Some(object) = &frame.object else {
                return self.unknown();
            };
            let objects = self.eval(object, f);
            let now = self.heap.clone();
            let same = self.all_references(&objects, &mut |e, r| {
                e.holds_the_same(r, frame.field, &old, &now)
            });
            all = self.t.and(all, same);
        }
        all
    }

    /// Returns the condition that an object of the older heap has the same contents in both heaps.
    pub(super) fn holds_the_same(
        &mut self,
        r: Term,
        field: Option<FieldId>,
        old: &Heap,
        now: &Heap,
    ) -> Term {
        let mut all = self.t.tt;
        // Objects that are not in the older heap are new and do not count.
        for (id, before) in old.objects.iter() {
            let Some(after) = now.objects.get(id) else {
                continue;
            };
            let is = self.is_object(r, *id);
            if is == self.t.ff || Rc::ptr_eq(before, after) {
                continue;
            }
            let same = self.same_contents(before, after, field);
            let ok = self.t.implies(is, same);
            all = self.t.and(all, ok);
        }
        if self.is_closed(r) {
            return all;
        }
        let unknown = self.unknown();
        self.t.and(all, unknown)
    }

    fn same_contents(
        &mut self,
        before: &SymObject,
        after: &SymObject,
        only: Option<FieldId>,
    ) -> Term {
        match (&before.contents, &after.contents) {
            (SymContents::Fields(xs), SymContents::Fields(ys)) => {
                let mut all = self.t.tt;
                // Only the given field is compared, if there is one.
                for (field, x) in xs.iter().filter(|(f, _)| only.is_none_or(|o| o == **f)) {
                    let Some(y) = ys.get(field) else { continue };
                    let same = self.equal(x, y);
                    all = self.t.and(all, same);
                }
                all
            }
            (SymContents::Array(x), SymContents::Array(y)) => {
                self.equal(&Sym::Seq(Rc::clone(x)), &Sym::Seq(Rc::clone(y)))
            }
            (SymContents::Grid(x), SymContents::Grid(y)) => self.all_equal(&x.slots, &y.slots),
            // The kind of an object does not change.
            (SymContents::Fields(_) | SymContents::Array(_) | SymContents::Grid(_), _) => self.t.tt,
        }
    }

    /// Returns the condition that `holds` is true of a reference, or of all references in a
    /// collection.
    pub(super) fn all_references(
        &mut self,
        objects: &Sym,
        holds: &mut dyn FnMut(&mut Self, Term) -> Term,
    ) -> Term {
        if let Sym::Ref(r) = objects {
            return holds(self, *r);
        }
        let Some(elements) = self.elements(objects) else {
            return self.unknown();
        };
        let mut all = self.t.tt;
        // The condition concerns only elements that are present.
        for (present, element) in elements {
            let Sym::Ref(r) = element else {
                return self.unknown();
            };
            let ok = holds(self, r);
            let ok = self.t.implies(present, ok);
            all = self.t.and(all, ok);
        }
        all
    }

    fn unknown(&mut self) -> Term {
        self.t.fresh("any", Sort::Bool)
    }
}
