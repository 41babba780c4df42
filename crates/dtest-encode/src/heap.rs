//! The heap: a table of objects, with reads and writes as if-then-else over references.
//!
//! A reference is *closed* if it can only be null or an object of the table
//! ([`Encoder::is_closed`]). A read through an open reference may give any value.

use std::rc::Rc;

use super::Encoder;
use super::value::{Heap, Sym, SymContents, SymGrid, SymObject, SymSeq};
use dafny_resolve::typed::{FieldId, Type};
use dtest_ir::Writes;
use dtest_ir::reason::Unencoded;
use dtest_smt::{Sort, Term};
use dtest_sorted::SortedMap;

impl Encoder<'_> {
    /// Creates a heap with a new version.
    pub(super) fn new_heap(&mut self, objects: SortedMap<u32, Rc<SymObject>>) -> Heap {
        self.objects.heap_versions += 1;
        Heap {
            version: self.objects.heap_versions,
            objects: Rc::new(objects),
        }
    }

    pub(super) fn put_object(&mut self, id: u32, object: SymObject) {
        let mut objects = (*self.heap.objects).clone();
        objects.insert(id, Rc::new(object));
        let before = self.heap.version;
        self.heap = self.new_heap(objects);
        self.keep_beyond(before);
    }

    /// Allocates an object and returns the reference to it.
    pub(super) fn allocate(&mut self, object: SymObject) -> Sym {
        let id = self.objects.next;
        self.objects.next += 1;
        self.put_object(id, object);
        Sym::Ref(self.t.int(id + 1))
    }

    /// Whether a reference can only be null or an object of the table.
    pub(super) fn is_closed(&self, r: Term) -> bool {
        let (low, high) = self.interval(r);
        low.is_some() && high.is_some()
    }

    fn require_object(&mut self, r: Term) {
        let zero = self.t.int(0);
        let ok = self.t.ne(r, zero);
        self.require(ok);
    }

    pub(super) fn is_object(&mut self, r: Term, id: u32) -> Term {
        let (low, high) = self.interval(r);
        let n = i64::from(id) + 1;
        if low.is_some_and(|l| n < l) || high.is_some_and(|h| n > h) {
            return self.t.ff;
        }
        let id = self.t.int(id + 1);
        self.t.eq(r, id)
    }

    /// Returns `o.f`.
    pub(super) fn read_field(&mut self, object: &Sym, field: FieldId, ty: &Type) -> Sym {
        if let Sym::OneOf(all) = object {
            let mut value = Sym::Undef;
            for (cond, object) in all.iter() {
                let read = self.under(*cond, |e| e.read_field(object, field, ty));
                value = self.merge(*cond, &read, &value);
            }
            return if value == Sym::Undef {
                self.any(ty)
            } else {
                value
            };
        }
        let Sym::Ref(r) = object else {
            return self.any(ty);
        };
        let r = *r;
        self.require_object(r);
        let objects = Rc::clone(&self.heap.objects);
        // A closed reference always selects a known object. An open reference may give any value.
        let mut value = if self.is_closed(r) {
            Sym::Undef
        } else {
            self.read_beyond(r, field, ty)
        };
        let is_ghost = self.typed()[field].ghost;
        for (id, o) in objects.iter().rev() {
            let SymContents::Fields(fields) = &o.contents else {
                continue;
            };
            let is = self.is_object(r, *id);
            let Some(v) = fields.get(&field).filter(|v| **v != Sym::Undef) else {
                // Reading a field without a value is a nondeterministic choice; ghost fields are
                // not compiled.
                if is != self.t.ff && !is_ghost && self.has_field(&o.ty, field) {
                    self.leave_open();
                }
                continue;
            };
            if is != self.t.ff {
                value = self.merge(is, v, &value);
            }
        }
        if value == Sym::Undef {
            self.any(ty)
        } else {
            value
        }
    }

    /// Returns the contents of a field; `Undef` if it has no value.
    pub(super) fn contents(&mut self, object: &Sym, field: FieldId) -> Sym {
        let Sym::Ref(r) = object else { return Sym::Any };
        let objects = Rc::clone(&self.heap.objects);
        // No object means that the field was never assigned.
        let mut value = Sym::Undef;
        for (id, o) in objects.iter() {
            if let SymContents::Fields(fields) = &o.contents
                && let Some(v) = fields.get(&field)
            {
                let is = self.is_object(*r, *id);
                value = if is == self.t.ff {
                    value
                } else {
                    self.merge(is, v, &value)
                };
            }
        }
        value
    }

    /// Encodes `o.f := v`.
    pub(super) fn write_field(&mut self, object: &Sym, field: FieldId, value: &Sym) {
        let Sym::Ref(r) = object else {
            self.omissions.reasons.insert(Unencoded::StoreToObject);
            return self.havoc_heap();
        };
        let r = *r;
        self.require_object(r);
        // Every object that the reference may mean gets the value under the condition that it does.
        let mut objects = (*self.heap.objects).clone();
        for (id, o) in self.heap.objects.clone().iter() {
            let SymContents::Fields(fields) = &o.contents else {
                continue;
            };
            let is = self.is_object(r, *id);
            let known = fields.get(&field);
            if is == self.t.ff || known.is_none() && is != self.t.tt {
                // A class without the field, or a field that has no value yet on another path.
                if is == self.t.ff || !self.has_field(&o.ty, field) {
                    continue;
                }
            }
            let merged = match known {
                Some(old) => self.merge(is, value, old),
                None => value.clone(),
            };
            let mut fields = fields.clone();
            fields.insert(field, merged);
            objects.insert(
                *id,
                Rc::new(SymObject {
                    ty: o.ty.clone(),
                    contents: SymContents::Fields(fields),
                }),
            );
        }
        let before = self.heap.version;
        self.heap = self.new_heap(objects);
        self.write_beyond(before, r, field, value);
    }

    fn has_field(&self, ty: &Type, field: FieldId) -> bool {
        let Type::Named { decl, .. } = ty else {
            return false;
        };
        self.typed()[field]
            .owner
            .is_some_and(|owner| self.extends(*decl, owner, 8))
    }

    fn arrays(&mut self, r: Term) -> Vec<(Term, u32, Rc<SymSeq>, Type)> {
        let mut out = Vec::new();
        for (id, o) in self.heap.objects.clone().iter() {
            let SymContents::Array(s) = &o.contents else {
                continue;
            };
            let is = self.is_object(r, *id);
            if is != self.t.ff {
                out.push((is, *id, Rc::clone(s), o.ty.clone()));
            }
        }
        out
    }

    /// Returns the contents of an array of one dimension; `None` if they are unknown.
    pub(super) fn array_contents(&mut self, array: &Sym) -> Option<Rc<SymSeq>> {
        let Sym::Ref(r) = array else { return None };
        self.require_object(*r);
        // An open reference may denote an object without a representation.
        let mut value = if self.is_closed(*r) {
            Sym::Undef
        } else {
            return None;
        };
        for (is, _, s, _) in self.arrays(*r).into_iter().rev() {
            value = self.merge(is, &Sym::Seq(s), &value);
        }
        if let Sym::Seq(s) = value {
            Some(s)
        } else {
            None
        }
    }

    /// Returns the length of a dimension. An unknown length is a fresh natural number.
    pub(super) fn array_length(&mut self, array: &Sym, dimension: u32) -> Sym {
        let length = if let Sym::Ref(r) = array
            && self.is_closed(*r)
        {
            self.length_of(*r, dimension)
        } else {
            None
        };
        match length {
            Some(n) => Sym::Int(n),
            // An unknown length is still a natural number.
            None => {
                let (n, zero) = (self.t.fresh("any", Sort::Int), self.t.int(0));
                let ok = self.t.le(zero, n);
                self.assumed.facts.push(ok);
                Sym::Int(n)
            }
        }
    }

    fn length_of(&mut self, r: Term, dimension: u32) -> Option<Term> {
        self.require_object(r);
        let mut length: Option<Term> = None;
        // The length is selected by the object to which the reference points.
        for (id, o) in self.heap.objects.clone().iter() {
            let n = match &o.contents {
                SymContents::Array(s) if dimension == 0 => s.len,
                SymContents::Grid(g) => *g.dims.get(dimension as usize)?,
                SymContents::Array(_) | SymContents::Fields(_) => continue,
            };
            let is = self.is_object(r, *id);
            if is != self.t.ff {
                length = Some(match length {
                    Some(m) => self.t.ite(is, n, m),
                    None => n,
                });
            }
        }
        length
    }

    /// Returns the arrays of several dimensions that a reference may mean, each with the condition.
    fn grids(&mut self, r: Term, dims: usize) -> Vec<(Term, u32, Rc<SymGrid>, Type)> {
        let mut out = Vec::new();
        for (id, o) in self.heap.objects.clone().iter() {
            let SymContents::Grid(g) = &o.contents else {
                continue;
            };
            let is = self.is_object(r, *id);
            if is != self.t.ff && g.dims.len() == dims {
                out.push((is, *id, Rc::clone(g), o.ty.clone()));
            }
        }
        out
    }

    /// Returns the condition that the indices are those of a place.
    fn is_place(&mut self, indices: &[Term], place: &[usize]) -> Term {
        let mut all = self.t.tt;
        for (i, n) in indices.iter().zip(place) {
            let n = self.t.int(*n as i64);
            let same = self.t.eq(*i, n);
            all = self.t.and(all, same);
        }
        all
    }

    fn inside_grid(&mut self, g: &SymGrid, indices: &[Term]) -> Term {
        let zero = self.t.int(0);
        let mut all = self.t.tt;
        for (i, n) in indices.iter().zip(&g.dims) {
            let inside = self.t.in_range(zero, *i, *n);
            all = self.t.and(all, inside);
        }
        all
    }

    fn read_grid(&mut self, array: &Sym, indices: &[Sym], ty: &Type) -> Sym {
        let indices: Option<Vec<Term>> = indices
            .iter()
            .map(|i| i.scalar().map(|t| self.index_term(t)))
            .collect();
        let (Sym::Ref(r), Some(indices)) = (array, indices) else {
            return self.any(ty);
        };
        self.require_object(*r);
        let mut value = if self.is_closed(*r) {
            Sym::Undef
        } else {
            self.any(ty)
        };
        // The index has to be in range only of the array that the reference means.
        for (is, _, g, _) in self.grids(*r, indices.len()) {
            let inside = self.inside_grid(&g, &indices);
            let ok = self.t.implies(is, inside);
            self.require(ok);
            for (place, v) in g.places().iter().zip(&g.slots) {
                let here = self.is_place(&indices, place);
                let here = self.t.and(is, here);
                if here != self.t.ff {
                    value = self.merge(here, v, &value);
                }
            }
        }
        if value == Sym::Undef {
            self.any(ty)
        } else {
            value
        }
    }

    fn write_grid(&mut self, array: &Sym, indices: &[Sym], value: &Sym) {
        let indices: Option<Vec<Term>> = indices
            .iter()
            .map(|i| i.scalar().map(|t| self.index_term(t)))
            .collect();
        let (Sym::Ref(r), Some(indices)) = (array, indices) else {
            // A store at an unknown place may change any contents.
            self.omissions.reasons.insert(Unencoded::StoreToArray);
            return self.havoc_heap();
        };
        self.require_object(*r);
        let mut objects = (*self.heap.objects).clone();
        // Each array that the reference may denote is updated under its condition.
        for (is, id, g, ty) in self.grids(*r, indices.len()) {
            let inside = self.inside_grid(&g, &indices);
            let ok = self.t.implies(is, inside);
            self.require(ok);
            // Places other than the selected one keep their values.
            let mut slots = Vec::with_capacity(g.slots.len());
            for (place, old) in g.places().iter().zip(&g.slots) {
                let here = self.is_place(&indices, place);
                let here = self.t.and(is, here);
                slots.push(self.merge(here, value, old));
            }
            let contents = SymContents::Grid(Rc::new(SymGrid {
                dims: g.dims.clone(),
                caps: g.caps.clone(),
                slots,
            }));
            objects.insert(id, Rc::new(SymObject { ty, contents }));
        }
        let before = self.heap.version;
        self.heap = self.new_heap(objects);
        self.keep_beyond(before);
    }

    /// Returns `a[i]`.
    pub(super) fn read_element(&mut self, array: &Sym, indices: &[Sym], ty: &Type) -> Sym {
        let [i] = indices else {
            return self.read_grid(array, indices, ty);
        };
        let Some(s) = self.array_contents(array) else {
            return self.any(ty);
        };
        let Some(i) = i.scalar().map(|t| self.index_term(t)) else {
            return self.any(ty);
        };
        let zero = self.t.int(0);
        // An index out of range makes the expression undefined.
        let ok = self.t.in_range(zero, i, s.len);
        self.require(ok);
        self.seq_at(&s, i, ty)
    }

    pub(super) fn index_term(&mut self, t: Term) -> Term {
        if let Sort::Bv(_) = self.t.sort(t) {
            self.t.bv_to_int(t)
        } else {
            t
        }
    }

    /// Encodes `a[i] := v`.
    pub(super) fn write_element(&mut self, array: &Sym, indices: &[Sym], value: &Sym) {
        let (Sym::Ref(r), [i]) = (array, indices) else {
            return self.write_grid(array, indices, value);
        };
        let Some(i) = i.scalar().map(|t| self.index_term(t)) else {
            return self.havoc_heap();
        };
        self.require_object(*r);
        let mut objects = (*self.heap.objects).clone();
        // As for fields: every array that the reference may mean is updated under the condition
        // that it does.
        for (is, id, s, ty) in self.arrays(*r) {
            let zero = self.t.int(0);
            let inside = self.t.in_range(zero, i, s.len);
            let ok = self.t.implies(is, inside);
            self.require(ok);
            let mut slots = Vec::with_capacity(s.slots.len());
            let rest = self.rest_with(&s, i, value);
            for (j, old) in s.slots.iter().enumerate() {
                let at = self.t.int(j as i64);
                let here = self.t.eq(i, at);
                let here = self.t.and(is, here);
                slots.push(self.merge(here, value, old));
            }
            let contents = SymContents::Array(Rc::new(SymSeq {
                len: s.len,
                slots,
                rest,
            }));
            objects.insert(id, Rc::new(SymObject { ty, contents }));
        }
        let before = self.heap.version;
        self.heap = self.new_heap(objects);
        self.keep_beyond(before);
    }

    /// Returns `a[low..high]`.
    pub(super) fn array_slice(&mut self, array: &Sym, low: &Sym, high: &Sym, ty: &Type) -> Sym {
        match (self.array_contents(array), low.scalar(), high.scalar()) {
            (Some(s), Some(low), Some(high)) => self.slice(&s, low, high),
            (_, _, _) => self.any(ty),
        }
    }

    /// Returns the condition that a reference has the given class, trait or array type as a dynamic
    /// type.
    pub(super) fn dynamic_type_is(&mut self, value: &Sym, ty: &Type) -> Term {
        let Sym::Ref(r) = value else {
            return self.t.fresh("any", Sort::Bool);
        };
        let r = *r;
        let (zero, nullable) = (
            self.t.int(0),
            matches!(
                ty,
                Type::Named { nullable: true, .. }
                    | Type::Array { nullable: true, .. }
                    | Type::Object { nullable: true }
            ),
        );
        let is_null = self.t.eq(r, zero);
        let mut result = if nullable { is_null } else { self.t.ff };
        // The type of a reference is that of the object it denotes.
        for (id, o) in self.heap.objects.clone().iter() {
            if self.fits(&o.ty, ty) {
                let is = self.is_object(r, *id);
                result = self.t.or(result, is);
            }
        }
        if self.is_closed(r) {
            return result;
        }
        // Beyond the known objects, the answer is open.
        let unknown = self.t.fresh("any", Sort::Bool);
        self.t.or(result, unknown)
    }

    /// Whether an object with the dynamic type `object` belongs to the reference type `ty`.
    pub(super) fn fits(&self, object: &Type, ty: &Type) -> bool {
        match (ty, object) {
            (Type::Object { .. }, _) => true,
            (Type::Named { .. }, Type::Named { .. }) => self.typed().is_instance(object, ty),
            (
                Type::Array { dims, elem, .. },
                Type::Array {
                    dims: others,
                    elem: other,
                    ..
                },
            ) => dims == others && elem == other,
            (_, _) => false,
        }
    }

    /// Replaces the contents of all objects by unknown values. Lengths and types of objects never
    /// change.
    pub(super) fn havoc_heap(&mut self) {
        self.havoc_written(&Writes::Everything);
    }

    /// Replaces the contents of all objects that may be written by unknown values.
    pub(super) fn havoc_written(&mut self, writes: &Writes) {
        let mut objects = SortedMap::new();
        // The objects and sizes of arrays remain; all contents become unknown.
        for (id, o) in self.heap.objects.clone().iter() {
            let contents = match &o.contents {
                SymContents::Fields(fields) => {
                    let mut out = SortedMap::new();
                    for (field, value) in fields {
                        let ty = self.typed().field_type(&o.ty, *field);
                        let value = match writes.has_field(*field) {
                            true => self.any(&ty),
                            false => value.clone(),
                        };
                        out.insert(*field, value);
                    }
                    SymContents::Fields(out)
                }
                SymContents::Array(_) | SymContents::Grid(_) if !writes.has_arrays() => {
                    o.contents.clone()
                }
                SymContents::Array(s) => {
                    let Type::Array { elem, .. } = &o.ty else {
                        continue;
                    };
                    let slots = s.slots.iter().map(|_| self.any(elem)).collect();
                    SymContents::Array(Rc::new(SymSeq {
                        len: s.len,
                        slots,
                        rest: self.unknown_rest(s.is_open()),
                    }))
                }
                SymContents::Grid(g) => {
                    let Type::Array { elem, .. } = &o.ty else {
                        continue;
                    };
                    let slots = g.slots.iter().map(|_| self.any(elem)).collect();
                    SymContents::Grid(Rc::new(SymGrid {
                        dims: g.dims.clone(),
                        caps: g.caps.clone(),
                        slots,
                    }))
                }
            };
            objects.insert(
                *id,
                Rc::new(SymObject {
                    ty: o.ty.clone(),
                    contents,
                }),
            );
        }
        let before = self.heap.version;
        self.heap = self.new_heap(objects);
        self.keep_beyond_if(before, &mut |_, _, field, value| {
            (!writes.has_field(field)).then(|| value.clone())
        });
    }
}
