//! The heap of the machine, copied on write while an older state of it is referenced.
//!
//! A [`State`] is a vector of shared cells, so that snapshots cost nothing and only the cells that
//! are written afterwards are copied ([`cell_mut`]). [`read_in`] and [`write_out`] convert between
//! states and heaps of values.

use std::rc::Rc;
use std::sync::Arc;

use super::api::{Inputs, Place};
use super::word::Word;
use dafny_resolve::typed::{CallableId, FieldId, Program, Type};
use dtest_ir::reason::NoValue;
use dtest_value::{Contents, Elements, FunctionValue, Heap, Object, ObjectId, Value};

/// A state of the heap.
pub(super) type State = Rc<Vec<Rc<Cell>>>;

/// An object or array.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The dynamic type.
    pub(super) ty: Type,
    pub(super) contents: Words,
    /// The redefined functions of the object, by their first declaration.
    pub(super) redefined: Vec<(CallableId, Arc<FunctionValue>)>,
    /// Whether the object is not allocated yet: an input that only the result of a stub refers to.
    pub(super) is_unborn: bool,
    /// The number of the last call of external code that may have changed the object, beyond its
    /// contents.
    pub(super) hidden: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Words {
    Fields(Vec<(FieldId, Word)>),
    Elements(Elements<Word>),
}

impl Cell {
    /// Returns the contents; `None` where they are unknown.
    pub(super) fn values(&self) -> Vec<Option<Value>> {
        match &self.contents {
            Words::Fields(fields) => fields
                .iter()
                .map(|(_, word)| word.clone().value())
                .collect(),
            Words::Elements(elements) => elements.iter().map(|word| word.clone().value()).collect(),
        }
    }

    /// Creates an object or array without redefined functions.
    pub(super) fn new(ty: Type, contents: Words) -> Self {
        Self {
            ty,
            contents,
            redefined: Vec::new(),
            is_unborn: false,
            hidden: 0,
        }
    }

    /// Returns the number of fields or elements.
    pub(super) fn size(&self) -> usize {
        match &self.contents {
            Words::Fields(fields) => fields.len(),
            Words::Elements(elements) => elements.len(),
        }
    }

    pub(super) fn field(&self, field: FieldId) -> Option<&Word> {
        match &self.contents {
            Words::Fields(fields) => fields.iter().find(|(f, _)| *f == field).map(|(_, w)| w),
            Words::Elements(_) => None,
        }
    }

    pub(super) fn set_field(&mut self, field: FieldId, value: Word) {
        if let Words::Fields(fields) = &mut self.contents {
            match fields.iter_mut().find(|(f, _)| *f == field) {
                Some((_, w)) => *w = value,
                None => fields.push((field, value)),
            }
        }
    }

    /// Whether the contents (of one field, if given) are equal.
    pub(super) fn same(&self, other: &Cell, field: Option<FieldId>) -> bool {
        // An unassigned field equals a missing one.
        let words = |a: Option<&Word>, b: Option<&Word>| match (a, b) {
            (Some(a), Some(b)) => a.same(b),
            (None | Some(Word::Unset), None | Some(Word::Unset)) => true,
            (_, _) => false,
        };
        match (&self.contents, &other.contents) {
            (Words::Fields(a), Words::Fields(b)) => match field {
                Some(f) => words(self.field(f), other.field(f)),
                None => a
                    .iter()
                    .chain(b)
                    .all(|(f, _)| words(self.field(*f), other.field(*f))),
            },
            (Words::Elements(a), Words::Elements(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| words(Some(a), Some(b)))
            }
            (_, _) => false,
        }
    }
}

/// Returns an object for writing.
pub(super) fn cell_mut(state: &mut State, id: ObjectId) -> Option<&mut Cell> {
    Rc::make_mut(state).get_mut(id.0 as usize).map(Rc::make_mut)
}

/// Converts a heap of values to a state.
pub(super) fn read_in(heap: &Heap) -> State {
    let cell = |o: &Object| {
        // Fields without a value are read as unassigned.
        let contents = match &o.contents {
            Contents::Fields(fields) => {
                Words::Fields(fields.iter().map(|(f, v)| (*f, Word::of_ref(v))).collect())
            }
            Contents::Elements(elements) => {
                Words::Elements(elements.map(|e| e.as_ref().map_or(Word::Unset, Word::of_ref)))
            }
        };
        let redefined = o
            .redefined
            .iter()
            .map(|(c, f)| (*c, Arc::new(f.clone())))
            .collect();
        Rc::new(Cell {
            ty: o.ty.clone(),
            contents,
            redefined,
            is_unborn: false,
            hidden: 0,
        })
    };
    Rc::new(heap.objects.iter().map(cell).collect())
}

/// Converts the heap of inputs to a state. An object that the arguments do not reach is not
/// allocated: nothing but the result of a stub can refer to it.
pub(super) fn read_inputs(program: &Program, inputs: &Inputs) -> State {
    let mut state = read_in(&inputs.heap);
    for id in unborn(program, inputs) {
        if let Some(cell) = cell_mut(&mut state, id) {
            cell.is_unborn = true;
        }
    }
    state
}

/// Returns the objects of inputs that exist only from the result of a method on, in ascending
/// order. A function returns objects that exist already.
pub(super) fn unborn(program: &Program, inputs: &Inputs) -> Vec<ObjectId> {
    // Only results of stubs refer to objects of their own.
    if inputs.answers.is_empty() {
        return Vec::new();
    }
    let of_functions = inputs
        .answers
        .iter()
        .filter(|a| program[a.callee].kind.is_function());
    let results = of_functions.flat_map(|a| a.results.iter().flatten());
    inputs.heap.unreached(inputs.args.iter().chain(results))
}

/// Allocates the objects that a result refers to, directly or through other objects.
pub(super) fn bear<'v>(state: &mut State, results: impl Iterator<Item = &'v Value>) {
    let refs = |value: &Value| -> Vec<ObjectId> {
        let reference = |v: &Value| {
            if let Value::Ref(id) = v {
                Some(*id)
            } else {
                None
            }
        };
        value.within().filter_map(reference).collect()
    };
    let mut work: Vec<ObjectId> = results.flat_map(refs).collect();
    while let Some(id) = work.pop() {
        let is_unborn = state.get(id.0 as usize).is_some_and(|cell| cell.is_unborn);
        if let Some(cell) = cell_mut(state, id).filter(|_| is_unborn) {
            cell.is_unborn = false;
            work.extend(cell.values().iter().flatten().flat_map(refs));
        }
    }
}

/// Converts a state to a heap of values without the unknown contents.
pub(super) fn write_out(state: &State) -> Heap {
    let object = |c: &Rc<Cell>| {
        let contents = match &c.contents {
            // Unknown contents cannot be written; they are reported separately.
            Words::Fields(fields) => Contents::Fields(
                fields
                    .iter()
                    .filter_map(|(f, w)| Some((*f, w.clone().value()?)))
                    .collect(),
            ),
            Words::Elements(elements) => Contents::Elements(elements.map(|w| w.clone().value())),
        };
        let redefined = c
            .redefined
            .iter()
            .map(|(c, f)| (*c, (**f).clone()))
            .collect();
        Object {
            ty: c.ty.clone(),
            contents,
            redefined,
        }
    };
    Heap {
        objects: state.iter().map(object).collect(),
    }
}

/// Returns the places of unknown contents of a state.
pub(super) fn unknown_contents(state: &State) -> Vec<(ObjectId, Place)> {
    let mut found = Vec::new();
    for (i, cell) in state.iter().enumerate() {
        let id = ObjectId(i as u32);
        match &cell.contents {
            Words::Fields(fields) => {
                found.extend(
                    fields
                        .iter()
                        .filter(|(_, w)| matches!(w, Word::Unknown(_)))
                        .map(|(f, _)| (id, Place::Field(*f))),
                );
            }
            Words::Elements(elements) => {
                let unknown = elements
                    .iter()
                    .enumerate()
                    .filter(|(_, w)| matches!(w, Word::Unknown(_)));
                found.extend(unknown.map(|(at, _)| (id, Place::Element(at))));
            }
        }
    }
    found
}

/// Makes contents unknown again.
pub(super) fn forget(state: &mut State, places: &[(ObjectId, Place)]) {
    for (id, place) in places {
        let Some(cell) = cell_mut(state, *id) else {
            continue;
        };
        // Compiled code does not compute ghost contents.
        let unknown = Word::unknown(NoValue::GhostContents);
        match (place, &mut cell.contents) {
            (Place::Field(f), _) => cell.set_field(*f, unknown),
            (Place::Element(at), Words::Elements(elements)) => {
                if let Some(w) = elements.get_mut(*at) {
                    *w = unknown;
                }
            }
            (Place::Element(_), Words::Fields(_)) => {}
        }
    }
}
