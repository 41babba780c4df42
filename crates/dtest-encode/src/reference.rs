//! References among the inputs: the objects that may be meant, their classes, and their fields.
//!
//! Key functions: [`Encoder::reference`]; [`Encoder::object_table`], which creates the input objects
//! of a class on demand.

use super::beyond::BEYOND;
use super::value::{Sym, SymContents, SymGrid, SymObject, SymSeq};
use super::{BoundKind, Bounds, Encoder, Hint, Mode};
use dafny_resolve::typed::{Arena, FieldId, FieldKind, Type, TypeDeclKind, TypeId};
use dtest_ir::reason::{Reason, Unencoded};
use dtest_smt::Sort;
use dtest_sorted::SortedMap;
use std::rc::Rc;

impl Encoder<'_> {
    /// Whether all values of a type that extends a trait are possible inputs of the trait. Types
    /// with type parameters are instantiated with one argument.
    pub(super) fn is_known_implementer(&self, ty: TypeId) -> bool {
        let typed = self.typed();
        match typed[ty].kind {
            TypeDeclKind::Datatype { .. } | TypeDeclKind::Newtype(_) => {
                typed[ty].type_params.is_empty()
            }
            TypeDeclKind::Abstract => false,
            TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_)
            | TypeDeclKind::Subset(_) => true,
        }
    }

    /// Creates a reference to an input object of its type, or null.
    pub(super) fn reference(&mut self, name: &str, ty: &Type) -> Sym {
        let is_parameter = std::mem::take(&mut self.inputs.at_parameter);
        let nullable = is_nullable(ty);
        let Some(ids) = self.candidates(ty) else {
            return if nullable {
                Sym::Ref(self.t.int(0))
            } else {
                self.unsupported(Unencoded::NoClass, ty)
            };
        };
        let (Some(first), Some(last)) = (ids.iter().min().copied(), ids.iter().max().copied())
        else {
            // The type is nested too deeply: for example `C<T>` with a field of type `C<array<T>>`.
            self.omissions.crossed.insert(BoundKind::Objects);
            return if nullable && self.mode == Mode::Cut {
                Sym::Ref(self.t.int(0))
            } else {
                self.any(ty)
            };
        };
        let r = self.leaf(name, Sort::Int);
        self.inputs.hints.push(Hint::Number(r));
        let mut ok = self.t.ff;
        for id in &ids {
            let id = self.t.int(id + 1);
            let is = self.t.eq(r, id);
            ok = self.t.or(ok, is);
        }
        let zero = self.t.int(0);
        if nullable {
            let is_null = self.t.eq(r, zero);
            ok = self.t.or(ok, is_null);
        }
        // Objects are interchangeable, and the table has one for every parameter, so that the
        // parameters cover all aliasing patterns. This requires that every class is known and has a
        // table.
        let is_known = matches!(ty, Type::Array { .. })
            || matches!(ty, Type::Named { decl, .. } if matches!(self.typed()[*decl].kind, TypeDeclKind::Class));
        let in_table = is_parameter && is_known && ids.len() as u32 >= self.inputs.reference_params;
        if in_table && self.mode == Mode::Havoc {
            self.assumed.facts.push(ok);
            self.inputs.intervals.insert(
                r,
                (
                    Some(if nullable { 0 } else { i64::from(first) + 1 }),
                    Some(i64::from(last) + 1),
                ),
            );
            return Sym::Ref(r);
        }
        self.within(BoundKind::Objects, ok);
        // Proofs also allow objects beyond the table.
        if self.mode == Mode::Havoc {
            let far = if is_parameter {
                self.is_elder(r)
            } else {
                let beyond = self.t.int(BEYOND);
                self.t.le(beyond, r)
            };
            let any = self.t.or(ok, far);
            self.assumed.facts.push(any);
        } else {
            self.inputs.intervals.insert(
                r,
                (
                    Some(if nullable { 0 } else { i64::from(first) + 1 }),
                    Some(i64::from(last) + 1),
                ),
            );
        }
        Sym::Ref(r)
    }

    /// Returns the input objects that a reference of the type may mean; `None` if there is no known
    /// class.
    pub(super) fn candidates(&mut self, ty: &Type) -> Option<Vec<u32>> {
        if self.objects.in_copy {
            return Some(
                self.heap
                    .objects
                    .iter()
                    .filter(|(_, o)| self.fits(&o.ty, ty))
                    .map(|(id, _)| *id)
                    .collect(),
            );
        }
        if self.external.answering.is_some() {
            return Some(self.answer_candidates(ty));
        }
        let classes: Vec<Type> = if matches!(ty, Type::Object { .. }) {
            self.classes_of_objects()
        } else {
            self.classes_of(ty)
        };
        (!classes.is_empty()).then(|| classes.iter().flat_map(|c| self.object_table(c)).collect())
    }

    /// Returns the objects that a result of external code may mean: those of the inputs, those that
    /// earlier results created, and a new one where the result may create one.
    fn answer_candidates(&mut self, ty: &Type) -> Vec<u32> {
        let inputs = self.inputs.objects;
        let fitting = self
            .heap
            .objects
            .iter()
            .filter(|(_, o)| self.fits(&o.ty, ty));
        let fitting: Vec<u32> = fitting.map(|(id, _)| *id).collect();
        let mut ids = Vec::new();
        for id in fitting {
            let is_known = id < inputs || self.external.made.contains_key(&id);
            let passed = self.external.passed.clone();
            if is_known
                || passed
                    .into_iter()
                    .any(|r| self.is_object(r, id) != self.t.ff)
            {
                ids.push(id);
            }
        }
        // The contents of a new object refer to further new ones only where a type demands it.
        let depth = self.external.answering.unwrap_or_default();
        let is_demanded = ids.is_empty() && depth < MAX_ANSWER_DEPTH && !is_nullable(ty);
        if (depth == 0 || is_demanded)
            && let Some((id, class)) = self.reserve_object(ty)
        {
            self.fill_object(id, class);
            ids.push(id);
        }
        ids
    }

    /// Creates a new object that a result of external code may refer to, without contents. `None`
    /// if there is no class for it, or if there are too many of them.
    pub(super) fn reserve_object(&mut self, ty: &Type) -> Option<(u32, Type)> {
        if self.external.made.len() >= MAX_MADE || self.objects.in_copy {
            return None;
        }
        // A trait with implementations is answered with an object of the first one.
        let classes = if matches!(ty, Type::Object { .. }) {
            self.classes_of_objects()
        } else {
            self.classes_of(ty)
        };
        let class = classes.into_iter().next()?;
        let blank = SymObject {
            ty: class.clone(),
            contents: SymContents::Fields(SortedMap::new()),
        };
        let id = self.objects.next;
        self.objects.next += 1;
        self.external.made.insert(id, Rc::new(blank.clone()));
        self.put_object(id, blank);
        Some((id, class))
    }

    /// Creates the contents of a new object, which may refer to the objects of the same result.
    pub(super) fn fill_object(&mut self, id: u32, class: Type) {
        let depth = self.external.answering.unwrap_or_default();
        self.external.answering = Some(depth + 1);
        let contents = self.new_contents(id, &class);
        self.external.answering = Some(depth);
        let object = SymObject {
            ty: class,
            contents,
        };
        self.external.made.insert(id, Rc::new(object.clone()));
        self.put_object(id, object);
    }

    /// Returns the classes and array types of inputs of type `object`: those of the other inputs,
    /// those that the unit distinguishes, and one of the remaining types.
    pub(super) fn classes_of_objects(&mut self) -> Vec<Type> {
        let typed = self.typed();
        // The classes of objects in the inputs are candidates, and so are those that the unit tests
        // for.
        let mut classes: Vec<Type> = self.objects.by_type.keys().cloned().collect();
        for told in self.objects.distinguished.clone() {
            for class in self.classes_of(&told) {
                if !classes.contains(&class) {
                    classes.push(class);
                }
            }
        }
        // A large number of classes is cut off, which makes the encoding incomplete.
        if classes.len() > MAX_TOLD {
            classes.truncate(MAX_TOLD);
            self.omissions.reasons.insert(Unencoded::Objects);
        }
        let array = |elem: Type| Type::Array {
            dims: 1,
            nullable: false,
            elem: Box::new(elem),
        };
        let plain = typed.ids().into_iter().filter(|t: &TypeId| {
            matches!(typed[*t].kind, TypeDeclKind::Class)
                && typed[*t].type_params.is_empty()
                && !typed.is_in_abstract_module(typed[*t].module)
        });
        let others = [array(Type::Int)]
            .into_iter()
            .chain(plain.map(|t| Type::named(t, Vec::new())))
            .chain([array(Type::Bool), array(Type::Char)]);
        let is_distinguished =
            |c: &Type| self.objects.distinguished.iter().any(|t| self.fits(c, t));
        // An object of the other inputs may already have a type that the unit does not distinguish.
        if classes.iter().all(is_distinguished) {
            classes.extend(others.into_iter().find(|c| !is_distinguished(c)));
        }
        classes
    }

    /// Returns the classes and array types whose objects a reference of the type may mean. A trait
    /// includes its mocks.
    pub(super) fn classes_of(&mut self, ty: &Type) -> Vec<Type> {
        let typed = self.typed();
        if let Type::Array { dims, elem, .. } = ty {
            vec![Type::Array {
                dims: *dims,
                nullable: false,
                elem: elem.clone(),
            }]
        } else if let Type::Named { decl, args, .. } = ty {
            match &typed[*decl].kind {
                TypeDeclKind::Class => vec![Type::named(*decl, args.clone())],
                TypeDeclKind::Trait { .. } => {
                    let mut classes = typed.implementing_classes(*decl, args);
                    if classes.len() > MAX_CLASSES {
                        // All classes are included at the maximal bounds; otherwise the limit is
                        // reported.
                        let tried = MAX_CLASSES.max(self.bounds.objects as usize);
                        self.omissions.crossed.insert(BoundKind::Objects);
                        self.omissions.is_partial |= classes.len() > tried;
                        if classes.len() > tried && self.bounds.objects >= Bounds::CAPS.objects {
                            self.omissions
                                .reasons
                                .insert(Reason::ManyClasses(typed[*decl].name.clone()));
                        }
                        classes.truncate(tried);
                    }
                    // A mock is used only if no class implements the trait, or at higher bounds.
                    if classes.is_empty() || self.bounds.objects > Bounds::START.objects {
                        classes.push(Type::named(*decl, args.clone()));
                    } else {
                        self.omissions.is_partial = true;
                    }
                    classes
                }
                TypeDeclKind::Iterator(_)
                | TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract => Vec::new(),
            }
        } else {
            Vec::new()
        }
    }

    /// Returns the mutable fields, and the constants without a value in their declaration,
    /// including inherited ones.
    pub(super) fn fields_of(&self, ty: &Type) -> Vec<(FieldId, Type)> {
        let typed = self.typed();
        let mut out = Vec::new();
        let mut work = vec![(ty.clone(), 0)];
        while let Some((class, depth)) = work.pop() {
            let Type::Named { decl, args, .. } = &class else {
                // Fields of parents belong to the object as well.
                continue;
            };
            let subst = typed.substitution(*decl, args);
            for field in &typed[*decl].fields {
                let f = &typed[*field];
                let stored =
                    !f.is_static && matches!(f.kind, FieldKind::Mutable | FieldKind::Const(None));
                if stored && !out.iter().any(|(id, _)| id == field) {
                    out.push((*field, f.ty.subst(&subst)));
                }
            }
            if depth < 8 {
                work.extend(
                    typed[*decl]
                        .parents
                        .iter()
                        .map(|p| (p.subst(&subst), depth + 1)),
                );
            }
        }
        out
    }

    /// Returns the input objects of a class or array type. They are created on the first call.
    pub(super) fn object_table(&mut self, ty: &Type) -> Vec<u32> {
        if let Some(ids) = self.objects.by_type.get(ty) {
            return ids.clone();
        }
        if height(ty) > MAX_HEIGHT || self.objects.next > MAX_OBJECTS {
            return Vec::new();
        }
        let count = if matches!(ty, Type::Array { .. }) {
            // Arrays are expensive: as many as parameters, and more if objects may contain arrays.
            let is_class = |t: &Type| matches!(t, Type::Named { .. });
            let held = if self.objects.by_type.keys().any(is_class) {
                self.bounds.objects / 2
            } else {
                0
            };
            self.inputs
                .reference_params
                .max(2)
                .max(held)
                .min(self.bounds.objects)
        } else {
            self.bounds.objects
        };
        self.omissions.least_objects = self.omissions.least_objects.min(count);
        let ids: Vec<u32> = (0..count).map(|i| self.objects.next + i).collect();
        // Numbers are registered before the contents are created, because objects may reference
        // each other.
        self.objects.next += count;
        self.objects.by_type.insert(ty.clone(), ids.clone());
        for id in &ids {
            let contents = self.new_contents(*id, ty);
            self.put_object(
                *id,
                SymObject {
                    ty: ty.clone(),
                    contents,
                },
            );
        }
        ids
    }

    /// Creates arbitrary contents of an object of a class or array type.
    fn new_contents(&mut self, id: u32, ty: &Type) -> SymContents {
        if let Type::Array { dims, elem, .. } = ty
            && *dims > 1
        {
            let k = self.size(0, elem).min(if *dims == 2 { 4 } else { 2 });
            let caps = SymGrid::caps((0..*dims).map(|_| k as usize));
            let least = caps.iter().map(|cap| *cap as u32).min();
            self.omissions.least_size = self.omissions.least_size.min(least.unwrap_or(k));
            let lengths = (0..)
                .zip(&caps)
                .map(|(d, cap): (u32, &usize)| {
                    self.length(
                        &format!("array{id}.len{d}"),
                        *cap as u32,
                        BoundKind::Collection,
                    )
                })
                .collect();
            let mut grid = SymGrid {
                dims: lengths,
                caps,
                slots: Vec::new(),
            };
            for place in grid.places() {
                let x = self.shape(&format!("array{id}{place:?}"), elem, self.bounds.depth, 1);
                let ok = self.has_type(&x, elem);
                self.assumed.facts.push(ok);
                grid.slots.push(x);
            }
            SymContents::Grid(Rc::new(grid))
        } else if let Type::Array { elem, .. } = ty {
            let k = self.size(0, elem);
            let len = self.sequence_length(&format!("array{id}.len"), k, BoundKind::Collection);
            let mut slots = Vec::new();
            for i in 0..k {
                let x = self.shape(&format!("array{id}[{i}]"), elem, self.bounds.depth, 1);
                let ok = self.has_type(&x, elem);
                // The element type of an empty array need not have values.
                let at = self.t.int(i);
                let inside = self.t.lt(at, len);
                let ok = if self.mode == Mode::Cut {
                    ok
                } else {
                    self.t.implies(inside, ok)
                };
                self.assumed.facts.push(ok);
                slots.push(x);
            }
            SymContents::Array(Rc::new(SymSeq {
                len,
                slots,
                rest: self.unknown_rest(self.has_open_inputs()),
            }))
        } else {
            let mut fields = SortedMap::new();
            // A field of type `object` refers to the objects of the other fields, so those are
            // created first.
            let mut all = self.fields_of(ty);
            all.sort_by_key(|(_, t)| mentions_object(t));
            for (field, field_ty) in all {
                let name = format!("object{id}.{}", self.typed()[field].name);
                let x = self.shape(&name, &field_ty, self.bounds.depth.min(2), 1);
                let ok = self.has_type(&x, &field_ty);
                self.assumed.facts.push(ok);
                fields.insert(field, x);
            }
            SymContents::Fields(fields)
        }
    }
}

/// The limit of classes that a reference to a trait may have, at the initial bounds.
pub(super) const MAX_CLASSES: usize = 3;

/// The limit of classes that a reference of type `object` may have.
pub(super) const MAX_TOLD: usize = 8;

/// The limit of objects that the results of external code create in one encoding.
const MAX_MADE: usize = 16;

/// The limit of new objects that are created for each other's fields, and the mark of results that
/// create none.
pub(super) const MAX_ANSWER_DEPTH: u32 = 3;

/// The limit of input objects of all classes.
pub(super) const MAX_OBJECTS: u32 = 60;

/// Whether values of a type can contain references of type `object`.
pub(super) fn mentions_object(ty: &Type) -> bool {
    if matches!(ty, Type::Object { .. }) {
        true
    } else if let Type::Arrow { result, .. } = ty {
        mentions_object(result)
    } else {
        ty.parts().any(mentions_object)
    }
}

/// Whether null is a value of a type of references.
pub(super) fn is_nullable(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Named { nullable: true, .. }
            | Type::Array { nullable: true, .. }
            | Type::Object { nullable: true }
    )
}

/// The limit of nested type arguments of input objects.
const MAX_HEIGHT: u32 = 5;

/// Returns the nesting depth of a type.
fn height(ty: &Type) -> u32 {
    let deepest = |ts: &mut dyn Iterator<Item = &Type>| ts.map(height).max().unwrap_or(0);
    1 + match ty {
        Type::Seq(e)
        | Type::Multiset(e)
        | Type::Array { elem: e, .. }
        | Type::Set { elem: e, .. } => height(e),
        Type::Map { key, value, .. } => height(key).max(height(value)),
        Type::Tuple(ts) => deepest(&mut ts.iter().map(|(_, t)| t)),
        Type::Arrow { params, result, .. } => deepest(&mut params.iter().chain([&**result])),
        Type::Named { args, .. } => deepest(&mut args.iter()),
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => 0,
    }
}
