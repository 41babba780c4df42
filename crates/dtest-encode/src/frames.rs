//! Changes of the heap by code that is not followed, in proofs.
//!
//! Code with a body changes what it may write ([`Encoder::writes_of`]); code without one changes
//! what its `modifies` clause covers ([`Encoder::havoc_frame`]). The rest of the heap stays as it is:
//! without that, a call of a clock would make a proof forget all fields of the caller.

use std::rc::Rc;

use super::value::{Sym, SymContents, SymGrid, SymObject, SymSeq};
use super::{Encoder, Fact, Frame, Mode, Taken};
use dafny_resolve::typed::{CallableId, CallableKind, FieldId, Type};
use dafny_source::Span;
use dtest_interp::Opening;
use dtest_ir::{self as ir, Writes};
use dtest_smt::Term;
use dtest_sorted::SortedMap;

/// A part of a frame in the state before the change.
struct Part {
    objects: Sym,
    /// The type of the objects; `None` if it is not known.
    ty: Option<Type>,
    field: Option<FieldId>,
}

/// The origin of arbitrary contents.
#[derive(Clone, Copy)]
struct Origin {
    /// The contract of the code that wrote them.
    by: Option<Fact>,
    /// The place of the choice of the contents, and the number of the object.
    at: Option<(Span, u32)>,
}

impl<'p> Encoder<'p> {
    /// Returns what a callable with a body may write. Constants of existing objects never change.
    pub(super) fn writes_of(&mut self, callee: CallableId) -> Writes {
        let effects = self.effects_of(callee);
        let is_constructor = self.typed()[callee].kind == CallableKind::Constructor;
        if !effects.is_opaque {
            return Writes::Only {
                fields: effects.written.clone(),
                arrays: effects.writes_arrays,
            };
        }
        if is_constructor {
            return Writes::Everything;
        }
        let objects = self.heap.objects.clone();
        let fields = objects.iter().filter_map(|(_, o)| match &o.contents {
            SymContents::Fields(fields) => Some(fields),
            SymContents::Array(_) | SymContents::Grid(_) => None,
        });
        let typed = self.typed();
        Writes::Only {
            fields: fields
                .flat_map(|fields| fields.iter().map(|(field, _)| *field))
                .filter(|field| typed[*field].kind.is_mutable())
                .collect(),
            arrays: true,
        }
    }

    /// Changes the heap as a call of an implementation that is not known may do by the contract.
    pub(super) fn change_by_contract(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
    ) {
        let Some(contract) = self
            .program
            .contracts
            .get(&callee)
            .filter(|_| self.mode == Mode::Havoc)
        else {
            return self.havoc_heap();
        };
        let types = contract.type_params.iter().copied();
        let subst = types.zip(type_args.iter().cloned()).collect();
        let mut frame = Frame::new(&contract.vars, Rc::new(subst));
        frame.bind(&contract.params, args);
        self.havoc_frame(callee, &contract.modifies, &mut frame);
    }

    /// Gives arbitrary contents of their types to the places that the `modifies` clause of code
    /// without a body covers. That it changes nothing else is a fact of its own, which the proof
    /// names.
    pub(super) fn havoc_frame(
        &mut self,
        callee: CallableId,
        frames: &'p [ir::Frame],
        frame: &mut Frame<'p>,
    ) {
        let clause = frames
            .first()
            .map_or(self.typed()[callee].span, |part| part.span);
        let fact = self.obligation_of(callee, clause);
        self.havoc_parts(frames, frame, Some(fact), None);
    }

    /// Gives arbitrary contents to the places that a `modify` statement names. In a bounded search,
    /// they are recorded, so that an execution can be given the model's contents.
    pub(super) fn modify(&mut self, frames: &'p [ir::Frame], span: Span, frame: &mut Frame<'p>) {
        let at = (self.mode == Mode::Cut).then_some(span);
        self.havoc_parts(frames, frame, None, at);
    }

    fn havoc_parts(
        &mut self,
        frames: &'p [ir::Frame],
        frame: &mut Frame<'p>,
        by: Option<Fact>,
        at: Option<Span>,
    ) {
        let mut parts = Vec::with_capacity(frames.len());
        for part in frames {
            let Some(object) = &part.object else {
                return self.havoc_heap();
            };
            parts.push(Part {
                objects: self.in_specification(|e| e.eval(object, frame)),
                ty: self.type_of_objects(&object.ty.subst(&frame.subst)),
                field: part.field,
            });
        }
        let beyond = match by {
            Some(fact) => {
                let keeps = self.literal_given(fact);
                self.t.not(keeps)
            }
            None => self.t.ff,
        };
        let never = self.t.ff;
        let mut objects = SortedMap::new();
        for (id, object) in self.heap.objects.clone().iter() {
            let covering: Vec<(Term, Option<FieldId>)> = parts
                .iter()
                .map(|part| (self.covers(part, *id, &object.ty), part.field))
                .chain([(beyond, None)])
                .filter(|(covered, _)| *covered != never)
                .collect();
            let changed = match covering.is_empty() {
                true => Rc::clone(object),
                false => {
                    let origin = Origin {
                        by,
                        at: at.map(|span| (span, *id)),
                    };
                    Rc::new(self.changed(object, &covering, origin))
                }
            };
            objects.insert(*id, changed);
        }
        let before = self.heap.version;
        self.heap = self.new_heap(objects);
        self.keep_beyond_if(before, &mut |e, r, field, old| {
            let is_mutable = e.typed()[field].kind.is_mutable();
            if !is_mutable {
                return Some(old.clone());
            }
            let mut covered = beyond;
            for part in parts.iter().filter(|p| p.field.is_none_or(|f| f == field)) {
                let here = e.denotes(&part.objects, r);
                covered = e.t.or(covered, here);
            }
            if covered == never {
                return Some(old.clone());
            }
            let ty = e.typed()[field].ty.clone();
            // The type of a generic class's field is not known here.
            if super::answer::mentions_params(&ty) {
                return None;
            }
            let new = e.any_by(&ty, by);
            Some(e.merge(covered, &new, old))
        });
    }

    /// Returns the type of the objects that an expression of a frame denotes.
    pub(super) fn type_of_objects(&self, ty: &Type) -> Option<Type> {
        let ty = self.typed().representation(ty);
        if self.typed().is_reference(&ty) {
            return Some(ty);
        }
        let (Type::Set { elem: element, .. } | Type::Seq(element) | Type::Multiset(element)) = &ty
        else {
            return None;
        };
        let element = self.typed().representation(element);
        self.typed().is_reference(&element).then_some(element)
    }

    /// Returns the condition that a part of a frame covers an object.
    fn covers(&mut self, part: &Part, id: u32, ty: &Type) -> Term {
        if part.ty.as_ref().is_some_and(|of| !self.fits(ty, of)) {
            return self.t.ff;
        }
        if let Sym::Ref(r) = &part.objects {
            return self.is_object(*r, id);
        }
        let reference = Sym::Ref(self.t.int(id + 1));
        self.contains_or_any(&part.objects, &reference)
    }

    /// Returns the condition that objects are the one that a reference denotes, or have it as an
    /// element.
    fn denotes(&mut self, objects: &Sym, r: Term) -> Term {
        if let Sym::Ref(object) = objects {
            return self.t.eq(*object, r);
        }
        self.contains_or_any(objects, &Sym::Ref(r))
    }

    /// Returns an object with arbitrary contents under the conditions that its fields are covered.
    fn changed(
        &mut self,
        object: &SymObject,
        covering: &[(Term, Option<FieldId>)],
        origin: Origin,
    ) -> SymObject {
        let covered = |e: &mut Self, field: Option<FieldId>| {
            let conditions = covering
                .iter()
                .filter(|(_, only)| only.is_none() || *only == field)
                .map(|(covered, _)| *covered);
            conditions.fold(e.t.ff, |any, covered| e.t.or(any, covered))
        };
        let ty = object.ty.clone();
        let contents = match &object.contents {
            SymContents::Fields(fields) => {
                let mut out = SortedMap::new();
                for (field, value) in fields {
                    let is_mutable = self.typed()[*field].kind.is_mutable();
                    let covered = covered(self, Some(*field));
                    if !is_mutable || covered == self.t.ff {
                        out.insert(*field, value.clone());
                        continue;
                    }
                    let own = self.typed().field_type(&ty, *field);
                    let new = self.any_of(&own, origin, covered, field.0);
                    out.insert(*field, self.merge(covered, &new, value));
                }
                SymContents::Fields(out)
            }
            SymContents::Array(s) => {
                let elem = element_of(&ty);
                let covered = covered(self, None);
                let slots = (0..).zip(&s.slots).map(|(i, slot)| {
                    let new = self.any_of(&elem, origin, covered, i);
                    self.merge(covered, &new, slot)
                });
                let slots = slots.collect();
                let rest = self.unknown_rest(s.is_open());
                SymContents::Array(Rc::new(SymSeq {
                    len: s.len,
                    slots,
                    rest,
                }))
            }
            SymContents::Grid(g) => {
                let elem = element_of(&ty);
                let covered = covered(self, None);
                // The bounds of the dimensions are larger than the dimensions: a slot has no number
                // among the elements.
                let origin = Origin { at: None, ..origin };
                let slots = g.slots.iter().map(|slot| {
                    let new = self.any_of(&elem, origin, covered, 0);
                    self.merge(covered, &new, slot)
                });
                let slots = slots.collect();
                SymContents::Grid(Rc::new(SymGrid {
                    dims: g.dims.clone(),
                    caps: g.caps.clone(),
                    slots,
                }))
            }
        };
        SymObject { ty, contents }
    }

    /// Returns an arbitrary value for a place of an object, which is covered under a condition.
    fn any_of(&mut self, ty: &Type, origin: Origin, covered: Term, place: u32) -> Sym {
        let value = self.any_by(ty, origin.by);
        if let Some((span, id)) = origin.at {
            let (object, place) = (self.t.int(id + 1), self.t.int(place));
            let taken = vec![Sym::Ref(object), Sym::Int(place), value.clone()];
            self.note(Opening::Modified(span), covered, Taken::Values(taken));
            let is_member = self.is_in_type(&value, ty);
            let holds = self.t.implies(covered, is_member);
            self.require(holds);
        } else if origin.by.is_none() && !self.may_be_empty(ty) {
            // A `modify` statement keeps to the types of places.
            let holds = self.kept_type(&value, ty);
            self.require(holds);
        }
        value
    }

    /// Returns an arbitrary value of a type. That code without a body keeps to the types of places
    /// is a fact.
    fn any_by(&mut self, ty: &Type, by: Option<Fact>) -> Sym {
        let value = self.any(ty);
        if let Some(fact) = by
            && !self.may_be_empty(ty)
        {
            let holds = self.kept_type(&value, ty);
            let holds = self.given(fact, holds);
            self.require(holds);
        }
        value
    }
}

/// Returns the type of the elements of an array type.
fn element_of(array: &Type) -> Type {
    if let Type::Array { elem, .. } = array {
        (**elem).clone()
    } else {
        Type::Error
    }
}
