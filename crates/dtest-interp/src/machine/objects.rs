//! Objects and arrays: reads, writes, allocation, older states.
//!
//! `Machine::object` executes the instructions. Reads go through the current view, which may be an
//! older state. An element or field without a value gets an arbitrary one when it is read.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Machine, Step, Store, bug, unknown_operand, unsupported};
use crate::api::{FailureKind, Opening, Outcome, Place};
use crate::code::Ins;
use crate::heap::{Cell, State, Words, cell_mut};
use crate::ops;
use crate::types;
use crate::word::Word;
use dafny_resolve::typed::{FieldId, Type};
use dtest_ir::reason::{Limit, NoValue, Reason, Unanswered};
use dtest_value::{Elements, ObjectId, Value};

impl Machine<'_, '_, '_> {
    /// Executes instructions that read or write the heap.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "`step`, which names every instruction, hands on none but these"
    )]
    pub(super) fn object(&mut self, ins: Ins) -> Step<()> {
        // Every access except to fields makes the current calls unsuitable for summaries.
        if !matches!(ins, Ins::ReadField(_) | Ins::SetField(_)) {
            self.note_opaque();
        }
        match ins {
            Ins::Fresh(label) => {
                let old = self.state(label)?;
                // In the state of the call, an object under construction is new as well.
                let made = if label == 0 { self.made() } else { None };
                let word = self.pop()?;
                let is_new = |id: ObjectId| {
                    let before = old.get(id.0 as usize);
                    before.is_none_or(|cell| cell.is_unborn) || Some(id) == made
                };
                let result = self.all_objects(word, |id| id.is_some_and(is_new))?;
                self.stack.push(result);
            }
            Ins::Allocated => {
                let word = self.pop()?;
                let now = self.view();
                let is_there = |v: &Value| {
                    let Value::Ref(id) = v else { return true };
                    now.get(id.0 as usize).is_some_and(|cell| !cell.is_unborn)
                };
                let result = match word.clone().value() {
                    Some(value) => Word::Bool(value.within().all(is_there)),
                    None => word,
                };
                self.stack.push(result);
            }
            Ins::Unchanged { label, field } => {
                let (old, now) = (self.state(label)?, self.heap.clone());
                let word = self.pop()?;
                let result = self.all_objects(word, |id| {
                    let cells = |s: &State| id.and_then(|id| s.get(id.0 as usize).cloned());
                    // Contents are shared between states until they are written, so identity
                    // implies equality.
                    match (cells(&old), cells(&now)) {
                        (Some(a), Some(b)) => Rc::ptr_eq(&a, &b) || a.same(&b, field),
                        (None, _) => true,
                        (Some(_), None) => false,
                    }
                })?;
                // False decides the conjunction, even if an earlier part was unknown.
                match (self.top()?, result) {
                    (acc @ Word::Bool(true), result) => *acc = result,
                    (acc @ Word::Unknown(_), result @ Word::Bool(false)) => *acc = result,
                    (_decided, _) => {}
                }
            }
            Ins::AddObjects => {
                let word = self.pop()?;
                match (self.top()?, word) {
                    // An unknown part makes the whole set unknown.
                    (Word::Unknown(_), _) => {}
                    (acc, word @ Word::Unknown(_)) => *acc = word,
                    (Word::Set(objects), word) => {
                        let objects = std::sync::Arc::make_mut(objects);
                        match ops::elements(&word) {
                            Some(values) => objects.extend(values),
                            None => objects.extend(word.value()),
                        }
                    }
                    (_, _) => return Err(bug()),
                }
            }
            Ins::ReadField(field) => {
                let object = self.pop()?;
                let word = self.read_field(object, field)?;
                self.stack.push(word);
            }
            Ins::Contents(field) => {
                let Word::Ref(id) = self.pop()? else {
                    return Err(bug());
                };
                let cell = self.view().get(id.0 as usize).ok_or_else(bug)?;
                self.stack
                    .push(cell.field(field).cloned().unwrap_or(Word::Unset));
            }
            Ins::ReadElement(n) => {
                let indices = self.pop_many(n)?;
                let array = self.pop()?;
                let word = self.read_element(array, &indices)?;
                self.stack.push(word);
            }
            Ins::SetField(field) => {
                let value = self.pop()?;
                let object = self.pop()?;
                self.set_field(object, field, value)?;
            }
            Ins::Redefine(function) => {
                let value = self.pop()?;
                let object = self.pop()?;
                let id = self.target(&object)?;
                let first = self.interp.program.typed.first_declaration(function);
                if let Word::Function(value) = value {
                    // The definition is recorded for the first declaration, which may belong to a
                    // trait.
                    cell_mut(&mut self.heap, id)
                        .ok_or_else(bug)?
                        .redefined
                        .push((first, value))
                } else if let Word::Unknown(reason) = value {
                    return Err(unsupported(reason));
                } else {
                    return Err(bug());
                }
            }
            Ins::SetElement(n) => {
                let value = self.pop()?;
                let indices = self.pop_many(n)?;
                let array = self.pop()?;
                self.set_element(array, &indices, value)?;
            }
            Ins::New(ty) => {
                let ty = self.concrete(ty)?;
                // The fields are unassigned until the constructor or the resolver assigns them.
                self.allocate(Cell::new(ty, Words::Fields(Vec::new())))?;
                self.open_object(ObjectId(self.heap.len() as u32 - 1))?;
            }
            Ins::NewArray { ty, dims } => {
                let ty = self.concrete(ty)?;
                let lengths = self.pop_many(dims)?;
                if let Some(unknown) = lengths.iter().find(|w| matches!(w, Word::Unknown(_))) {
                    return Err(unknown_operand(unknown));
                }
                let dims: Option<Vec<usize>> = lengths.iter().map(Word::as_index).collect();
                let dims = dims.ok_or_else(bug)?;
                let elements = Elements::filled(dims, Word::Unset, self.interp.limits.objects);
                let Some(elements) = elements else {
                    return Err(Box::new(Outcome::OutOfFuel(Limit::Memory)));
                };
                self.charge(elements.len())?;
                self.allocate(Cell::new(ty, Words::Elements(elements)))?;
                self.open_object(ObjectId(self.heap.len() as u32 - 1))?;
            }
            Ins::Fill(n) => {
                let values = self.pop_many(n)?;
                let array = self.top()?.clone();
                for (i, value) in values.into_iter().enumerate() {
                    self.set_element(array.clone(), &[Word::length(i)], value)?;
                }
            }
            // The stores of a `forall` statement take effect together, after all values were
            // computed.
            Ins::StoresBegin => self.pending.push(Vec::new()),
            Ins::LaterField(field) => {
                let value = self.pop()?;
                let object = self.pop()?;
                self.pending
                    .last_mut()
                    .ok_or_else(bug)?
                    .push(Store::Field(object, field, value));
            }
            Ins::LaterElement(n) => {
                let value = self.pop()?;
                let indices = self.pop_many(n)?;
                let array = self.pop()?;
                self.pending
                    .last_mut()
                    .ok_or_else(bug)?
                    .push(Store::Element(array, indices, value));
            }
            // An unknown range leaves the set of stores unknown.
            Ins::StoresCommit => {
                if let Word::Unknown(reason) = self.pop()? {
                    return Err(unsupported(reason));
                }
                let stores = self.pending.pop().ok_or_else(bug)?;
                self.commit(stores)?;
            }
            _others => return Err(bug()),
        }
        Ok(())
    }

    /// Executes the stores of a `forall` statement. Two stores must not give one place different
    /// values.
    fn commit(&mut self, stores: Vec<Store>) -> Step<()> {
        let mut stored: FxHashMap<(ObjectId, Place), Word> = FxHashMap::default();
        // The stores take effect one after the other; equal targets must get equal values.
        for store in stores {
            let (place, value) = match store {
                Store::Field(object, field, value) => {
                    self.set_field(object.clone(), field, value.clone())?;
                    ((self.target(&object)?, Place::Field(field)), value)
                }
                Store::Element(array, indices, value) => {
                    self.set_element(array.clone(), &indices, value.clone())?;
                    let id = self.target(&array)?;
                    let at =
                        self.position(self.heap.get(id.0 as usize).ok_or_else(bug)?, &indices)?;
                    ((id, Place::Element(at)), value)
                }
            };
            if stored
                .insert(place, value.clone())
                .is_some_and(|before| !before.same(&value))
            {
                return self.fail(
                    FailureKind::Aliasing,
                    "two targets are the same location and are assigned different values",
                );
            }
        }
        Ok(())
    }

    /// Returns the object that the current constructor initializes.
    fn made(&self) -> Option<ObjectId> {
        self.frames
            .last()
            .and_then(|f| f.extra.as_ref())
            .and_then(|s| s.made)
    }

    fn allocate(&mut self, cell: Cell) -> Step<()> {
        let n = self.heap.len();
        if n >= self.interp.limits.objects {
            return Err(Box::new(Outcome::OutOfFuel(Limit::Memory)));
        }
        if Rc::strong_count(&self.heap) > 1 {
            // If older states are referenced, the heap is copied. In a recursion, every activation
            // references one.
            self.charge(n)?;
        }
        Rc::make_mut(&mut self.heap).push(Rc::new(cell));
        self.stack.push(Word::Ref(ObjectId(n as u32)));
        Ok(())
    }

    /// Returns whether all objects in a word satisfy `test`; `None` stands for null.
    fn all_objects(&self, word: Word, test: impl Fn(Option<ObjectId>) -> bool) -> Step<Word> {
        // Values that are no references satisfy the test trivially.
        let one = |v: &Value| {
            if let Value::Ref(id) = v {
                test(Some(*id))
            } else if matches!(v, Value::Null) {
                test(None)
            } else {
                true
            }
        };
        Ok(if matches!(word, Word::Unknown(_)) {
            word
        } else if let Word::Ref(id) = word {
            Word::Bool(test(Some(id)))
        } else if matches!(word, Word::Null) {
            Word::Bool(test(None))
        } else {
            Word::Bool(ops::elements(&word).is_none_or(|values| values.iter().all(one)))
        })
    }

    /// Returns the object that a word refers to. `Err(unknown)` if the word is unknown, or if the
    /// object does not exist in the state that is being read.
    fn referred(&self, word: &Word, what: &str) -> Step<Result<ObjectId, Word>> {
        match word {
            Word::Ref(id) if id.0 as usize >= self.view().len() => {
                Ok(Err(Word::unknown(NoValue::LaterObject)))
            }
            Word::Ref(id) => Ok(Ok(*id)),
            Word::Null => self.fail(FailureKind::Null, format!("{what} of null")),
            Word::Unknown(_) => Ok(Err(word.clone())),
            Word::Unset
            | Word::Bool(_)
            | Word::Char(_)
            | Word::Int(_)
            | Word::Seq(_)
            | Word::Set(_) => Err(bug()),
            Word::Multiset(_)
            | Word::Map(_)
            | Word::Tuple(_)
            | Word::Datatype(_)
            | Word::Function(_)
            | Word::Boxed(_) => Err(bug()),
        }
    }

    fn read_field(&mut self, object: Word, field: FieldId) -> Step<Word> {
        if !matches!(object, Word::Ref(_) | Word::Null | Word::Unknown(_)) {
            // A constant without a value, of a datatype or newtype.
            self.read_open_constant();
            let declared = &self.interp.program.typed[field];
            let word = self.any_value(Some(&Opening::Field(field)), &declared.ty)?;
            return Ok(word.unwrap_or_else(|| self.unknown_constant(field)));
        }
        let id = match self.referred(&object, "a field")? {
            Ok(id) => id,
            Err(unknown) => return Ok(unknown),
        };
        match self
            .view()
            .get(id.0 as usize)
            .ok_or_else(bug)?
            .field(field)
            .cloned()
        {
            Some(Word::Unset) | None => self.note_opaque(),
            Some(word) => {
                self.note_read(id, field, &word);
                return Ok(word);
            }
        }
        // The field is unassigned: it may have any value of its type, so that the result is not
        // determined.
        let cell = self.view().get(id.0 as usize).ok_or_else(bug)?;
        let program = &self.interp.program.typed;
        let declared = &program[field];
        let map = match (declared.owner, &cell.ty) {
            (Some(owner), ty @ Type::Named { .. }) => program.substitution(
                owner,
                &types::supertype_args(program, ty, owner).unwrap_or_default(),
            ),
            (_, _) => dafny_resolve::typed::Substitution::default(),
        };
        let (ty, name) = (declared.ty.subst(&map), declared.name.clone());
        let word = self.arbitrary(
            Some(&Opening::Field(field)),
            &ty,
            &format!("field `{name}`"),
        )?;
        if self.views.is_empty() && !self.reads_for_nothing() {
            self.set_field(object, field, word.clone())?;
        }
        Ok(word)
    }

    /// Returns a value that the language leaves open: an array without elements, or a default
    /// value.
    pub(super) fn any_value(&mut self, at: Option<&Opening>, ty: &Type) -> Step<Option<Word>> {
        self.deterministic = false;
        // An arbitrary array has no elements; arrays with elements are inputs.
        if let ty @ Type::Array {
            dims,
            nullable: false,
            ..
        } = self.interp.program.typed.strip_subset(ty)
        {
            let none = Elements::filled(vec![0; dims as usize], Word::Unset, 0).ok_or_else(bug)?;
            self.allocate(Cell::new(ty, Words::Elements(none)))?;
            self.pop().map(Some)
        } else {
            let opened = self.opened(at, ty);
            Ok(opened
                .or_else(|| self.interp.default_value(ty))
                .map(Word::of))
        }
    }

    fn arbitrary(&mut self, at: Option<&Opening>, ty: &Type, what: &str) -> Step<Word> {
        let typed = &self.interp.program.typed;
        match self.any_value(at, ty)? {
            Some(word) => Ok(word),
            None if typed.characteristics_of(ty).nonempty => Ok(self.no_known_value(ty)),
            None => self.fail(
                FailureKind::Unassigned,
                format!("{what} was never assigned"),
            ),
        }
    }

    /// Fails if the object on the stack is null, or if a collection of objects contains null.
    pub(super) fn not_null(&mut self) -> Step<()> {
        let is_null = match self.top()? {
            Word::Null => true,
            Word::Seq(items) => items.contains(&Value::Null),
            Word::Set(items) => items.contains(&Value::Null),
            Word::Multiset(items) => items.contains_key(&Value::Null),
            Word::Unset
            | Word::Unknown(_)
            | Word::Bool(_)
            | Word::Char(_)
            | Word::Int(_)
            | Word::Map(_)
            | Word::Tuple(_)
            | Word::Datatype(_)
            | Word::Ref(_)
            | Word::Function(_)
            | Word::Boxed(_) => false,
        };
        if is_null {
            return self.fail(FailureKind::Null, "a member of null");
        }
        Ok(())
    }

    /// Returns an unknown value of a type that has values, none of which is known.
    pub(super) fn no_known_value(&self, ty: &Type) -> Word {
        Word::unknown(Reason::NoDefault(
            self.interp.program.typed.show_type(ty).into(),
        ))
    }

    /// Returns the unknown value of a constant whose type has no known value. Being unassigned is
    /// no failure: other code or a refinement assigns it.
    pub(super) fn unknown_constant(&self, field: FieldId) -> Word {
        let typed = &self.interp.program.typed;
        let declared = &typed[field];
        if declared.attributes.iter().any(|a| &*a.name == "extern") {
            Word::unknown(Unanswered::Constant(declared.name.clone()))
        } else {
            Word::unknown(NoValue::Constant)
        }
    }

    /// Records the read of a constant without a value.
    pub(super) fn read_open_constant(&mut self) {
        self.reads_open_constants = true;
        self.note_opaque();
    }

    /// Whether a read of an unassigned location leaves it unassigned, because compiled code may
    /// still read it.
    fn reads_for_nothing(&self) -> bool {
        self.is_in_ghost() && self.resolver.is_none()
    }

    fn set_field(&mut self, object: Word, field: FieldId, value: Word) -> Step<()> {
        let id = self.target(&object)?;
        self.note_write(id, field, &value);
        cell_mut(&mut self.heap, id)
            .ok_or_else(bug)?
            .set_field(field, value);
        Ok(())
    }

    /// Returns the object that is written to.
    fn target(&self, object: &Word) -> Step<ObjectId> {
        self.referred(object, "a store to a part")?
            .map_err(|unknown| unknown_operand(&unknown))
    }

    /// Returns the position of an element in row-major order.
    fn position(&self, cell: &Cell, indices: &[Word]) -> Step<usize> {
        let Words::Elements(elements) = &cell.contents else {
            return Err(bug());
        };
        let dims = elements.dims();
        if dims.len() != indices.len() {
            return Err(bug());
        }
        let mut position = 0;
        // Row-major order.
        for (d, i) in dims.iter().zip(indices) {
            match i.as_index().filter(|i| i < d) {
                Some(i) => position = position * d + i,
                None => {
                    return self.fail(
                        FailureKind::Index,
                        format!("index {} of {d} elements", i.show()),
                    );
                }
            }
        }
        Ok(position)
    }

    fn read_element(&mut self, array: Word, indices: &[Word]) -> Step<Word> {
        self.note_opaque();
        let id = match self.referred(&array, "an element")? {
            Ok(id) => id,
            Err(unknown) => return Ok(unknown),
        };
        // An unknown index leads to an unknown element.
        if let Some(unknown) = indices.iter().find(|w| matches!(w, Word::Unknown(_))) {
            return Ok(unknown.clone());
        }
        let cell = self.view().get(id.0 as usize).ok_or_else(bug)?;
        let position = self.position(cell, indices)?;
        let Words::Elements(elements) = &cell.contents else {
            return Err(bug());
        };
        match elements.get(position) {
            // An unassigned element gets an arbitrary value, which is stored so that later reads
            // agree.
            Some(Word::Unset) => {
                let ty = element_type(&cell.ty);
                let word = self.arbitrary(None, &ty, "the element")?;
                if self.views.is_empty() && !self.reads_for_nothing() {
                    self.set_element(array, indices, word.clone())?;
                }
                Ok(word)
            }
            Some(word) => Ok(word.clone()),
            None => Err(bug()),
        }
    }

    fn set_element(&mut self, array: Word, indices: &[Word], value: Word) -> Step<()> {
        self.note_opaque();
        let id = self.target(&array)?;
        // A store at an unknown index would make all elements unknown.
        if let Some(unknown) = indices.iter().find(|w| matches!(w, Word::Unknown(_))) {
            return Err(unknown_operand(unknown));
        }
        let position = self.position(self.heap.get(id.0 as usize).ok_or_else(bug)?, indices)?;
        match &mut cell_mut(&mut self.heap, id).ok_or_else(bug)?.contents {
            Words::Elements(elements) => *elements.get_mut(position).ok_or_else(bug)? = value,
            Words::Fields(_) => return Err(bug()),
        }
        Ok(())
    }

    pub(super) fn array_length(&mut self, args: &[Word], dim: u32) -> Step<Word> {
        let id = match self.referred(args.first().ok_or_else(bug)?, "the length")? {
            Ok(id) => id,
            Err(unknown) => return Ok(unknown),
        };
        match self.view().get(id.0 as usize).map(|c| &c.contents) {
            Some(Words::Elements(elements)) => elements
                .dims()
                .get(dim as usize)
                .map(|d| Word::length(*d))
                .ok_or_else(bug),
            Some(Words::Fields(_)) | None => Err(bug()),
        }
    }

    pub(super) fn array_slice(&mut self, args: &[Word]) -> Step<Word> {
        self.note_opaque();
        let [array, low, high] = args else {
            return Err(bug());
        };
        let id = match self.referred(array, "a slice")? {
            Ok(id) => id,
            Err(unknown) => return Ok(unknown),
        };
        let cell = self.view().get(id.0 as usize).cloned().ok_or_else(bug)?;
        let Words::Elements(elements) = &cell.contents else {
            return Err(bug());
        };
        // Bounds are checked before any element is read.
        let range = match (low.as_index(), high.as_index()) {
            (Some(l), Some(h)) if l <= h => elements.get(l..h),
            (_, _) => None,
        };
        let Some(words) = range else {
            return self.fail(
                FailureKind::Index,
                format!(
                    "slice {}..{} of {} elements",
                    low.show(),
                    high.show(),
                    elements.len()
                ),
            );
        };
        self.charge(words.len())?;
        let mut values = Vec::with_capacity(words.len());
        for w in words {
            let word = if matches!(w, Word::Unset) {
                self.arbitrary(None, &element_type(&cell.ty), "an element")?
            } else if matches!(w, Word::Unknown(_)) {
                return Ok(w.clone());
            } else {
                w.clone()
            };
            values.push(word.value().ok_or_else(bug)?);
        }
        Ok(Word::of(Value::Seq(std::sync::Arc::new(values))))
    }
}

fn element_type(ty: &Type) -> Type {
    if let Type::Array { elem, .. } = ty {
        (**elem).clone()
    } else {
        Type::Error
    }
}
