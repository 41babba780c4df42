//! Results of external code (see [`dtest_desugar::External`]) and of mocks: the given
//! results, the results found so far, and candidates for further ones.
//!
//! Key types: [`Script`], the results of one execution; [`Footprint`], what a function read for its
//! result.

use std::cell::RefCell;
use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::api::{Answer, Execution, Inputs};
use super::facts::Fact;
use super::heap::State;
use super::types::{Evaluate, default_value};
use dafny_resolve::typed::{CallableId, CallableKind, Program, Type, TypeDeclKind, TypeId};
use dtest_ir::reason::Reason;
use dtest_sorted::SortedMap;
use dtest_value::{ObjectId, Value};

/// The limit of candidates of one type.
const MAX_VALUES: usize = 12;
/// The limit of combinations of results.
const MAX_TRIED: usize = 120;
/// The limit of nested constructors in candidates.
const MAX_DEPTH: u32 = 3;

/// The results of external code in one execution, shared by its machines.
#[derive(Clone, Debug, Default)]
pub(super) struct Script(Rc<RefCell<Answers>>);

#[derive(Debug, Default)]
struct Answers {
    given: Vec<Answer>,
    /// Results of functions in an earlier execution. They take precedence over `given`.
    before: Vec<Answer>,
    made: Vec<Answer>,
    /// The footprints of functions, by the position of their result in `made`.
    read: SortedMap<usize, Footprint>,
    /// The number of results that were already taken by [`Script::take`].
    taken: usize,
    /// The reason why the first call without a result has none.
    unanswered: Option<Reason>,
    /// The number of objects of the inputs, which a test can name.
    objects: usize,
    /// The known values of functions without a body.
    facts: Vec<Fact>,
    /// The number of calls of external code that changed objects.
    changes: u32,
}

/// The locations that a function without a body read for a result.
#[derive(Clone, Debug)]
pub(super) struct Footprint {
    pub(super) objects: Vec<ObjectId>,
    pub(super) heap: State,
}

impl Footprint {
    /// Whether these locations are unchanged.
    fn is_unchanged(&self, now: &State) -> bool {
        let cell = |heap: &State, id: &ObjectId| heap.get(id.0 as usize).map(|cell| cell.values());
        self.objects
            .iter()
            .all(|id| cell(&self.heap, id) == cell(now, id))
    }

    /// Whether no call of external code may have changed these locations otherwise.
    fn is_untouched(&self, now: &State) -> bool {
        let mark = |heap: &State, id: &ObjectId| heap.get(id.0 as usize).map(|cell| cell.hidden);
        self.objects
            .iter()
            .all(|id| mark(&self.heap, id) == mark(now, id))
    }
}

impl Script {
    /// Starts with the results given in the inputs.
    pub(super) fn of(inputs: &Inputs) -> Self {
        let answers = Answers {
            given: inputs.answers.clone(),
            objects: inputs.heap.objects.len(),
            ..Answers::default()
        };
        Self(Rc::new(RefCell::new(answers)))
    }

    /// Starts with the results of an earlier execution on these inputs.
    pub(super) fn following(inputs: &Inputs, execution: &Execution) -> Self {
        let answers = Answers {
            given: inputs.answers.clone(),
            before: execution.answers.clone(),
            objects: inputs.heap.objects.len(),
            ..Answers::default()
        };
        Self(Rc::new(RefCell::new(answers)))
    }

    /// Returns the results since the last call.
    pub(super) fn take(&self) -> Vec<Answer> {
        let mut all = self.0.borrow_mut();
        let new = all.made.get(all.taken..).unwrap_or_default().to_vec();
        all.taken = all.made.len();
        new
    }

    /// Returns the number of objects of the inputs.
    pub(super) fn objects(&self) -> usize {
        self.0.borrow().objects
    }

    /// Records that a call has no result, and why.
    pub(super) fn note_unanswered(&self, reason: &Reason) {
        self.0
            .borrow_mut()
            .unanswered
            .get_or_insert_with(|| reason.clone());
    }

    /// Returns the reason for a call without a result since the last time, if any.
    pub(super) fn take_unanswered(&self) -> Option<Reason> {
        self.0.borrow_mut().unanswered.take()
    }

    /// Returns the result of an earlier equal call. For a function that reads the heap, what it
    /// read must be unchanged.
    pub(super) fn settled(&self, asked: &Answer, heap: &State) -> Option<Answer> {
        let all = self.0.borrow();
        let holds = |at: &usize| all.read.get(at).is_none_or(|read| read.is_unchanged(heap));
        let made = all
            .made
            .iter()
            .enumerate()
            .filter(|(at, a)| is_same(a, asked) && holds(at))
            .map(|(_, a)| a);
        made.chain(all.before.iter().filter(|a| is_same(a, asked)))
            .next()
            .cloned()
    }

    /// Records the footprint of the result at a position.
    pub(super) fn note_read(&self, at: usize, read: Footprint) {
        self.0.borrow_mut().read.insert(at, read);
    }

    /// Returns the given result for a call: of a function by its arguments, of a method by the
    /// number of the call.
    pub(super) fn given(&self, program: &Program, asked: &Answer) -> Option<Answer> {
        let all = self.0.borrow();
        if program[asked.callee].kind.is_function() {
            let before = all.made.iter().filter(|a| is_same(a, asked)).count();
            let mut given = all.given.iter().filter(|a| is_same(a, asked));
            return given.clone().nth(before).or_else(|| given.next()).cloned();
        }
        let count = |id: CallableId| all.made.iter().filter(|a| a.callee == id).count();
        all.given
            .iter()
            .filter(|a| a.callee == asked.callee)
            .nth(count(asked.callee))
            .cloned()
    }

    /// Adds a result.
    pub(super) fn push(&self, answer: Answer) {
        self.0.borrow_mut().made.push(answer);
    }

    /// Records the value of a function without a body.
    pub(super) fn learn(&self, fact: Fact) {
        self.0.borrow_mut().facts.push(fact);
    }

    /// Whether a value of a function without a body is known.
    pub(super) fn has_facts(&self) -> bool {
        !self.0.borrow().facts.is_empty()
    }

    /// Returns the number of facts.
    pub(super) fn facts(&self) -> usize {
        self.0.borrow().facts.len()
    }

    /// Drops the facts after the first `n`.
    pub(super) fn forget(&self, n: usize) {
        self.0.borrow_mut().facts.truncate(n);
    }

    /// Returns a new number for a call of external code that changes objects.
    pub(super) fn next_change(&self) -> u32 {
        let mut all = self.0.borrow_mut();
        all.changes += 1;
        all.changes
    }

    /// Returns the value of a function without a body in a state, if it is known.
    pub(super) fn fact(
        &self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Value],
        heap: &State,
    ) -> Option<Value> {
        let all = self.0.borrow();
        let is_about = |fact: &&Fact| {
            (fact.callee, fact.type_args.as_slice(), fact.args.as_slice())
                == (callee, type_args, args)
                && fact.read.is_unchanged(heap)
                && fact.read.is_untouched(heap)
        };
        all.facts
            .iter()
            .rev()
            .find(is_about)
            .map(|f| f.value.clone())
    }

    /// Returns the number of results.
    pub(super) fn len(&self) -> usize {
        self.0.borrow().made.len()
    }

    /// Drops the results after the first `n`.
    pub(super) fn truncate(&self, n: usize) {
        let mut all = self.0.borrow_mut();
        all.made.truncate(n);
        all.read.retain(|at, _| *at < n);
    }

    /// Records the undecided clauses of the result at a position.
    pub(super) fn undecided(&self, at: usize, clauses: Vec<dafny_source::Span>) {
        if let Some(answer) = self.0.borrow_mut().made.get_mut(at) {
            answer.undecided = clauses;
        }
    }
}

fn is_same(a: &Answer, b: &Answer) -> bool {
    a.callee == b.callee && a.type_args == b.type_args && a.args == b.args
}

/// The part of a result that a contract determines.
pub(super) enum Known {
    Nothing,
    /// The value.
    Value(Value),
    /// The length of the sequence.
    Length(usize),
}

/// The limit of sequences of a given length.
const MAX_OF_LENGTH: usize = 6;

/// Returns candidate results for out-parameters of these types, the smallest first. A fixed value
/// is the only candidate of its out-parameter. `objects` has the objects of a type.
pub(super) fn candidates(
    program: &Program,
    cx: &dyn Evaluate,
    objects: &dyn Fn(&Type) -> Vec<Value>,
    outs: &[(Type, Known)],
) -> Vec<Vec<Value>> {
    let mut maker = Maker {
        program,
        cx,
        objects,
    };
    // A determined result needs no alternatives.
    let columns: Vec<Vec<Value>> = outs
        .iter()
        .map(|(ty, known)| match known {
            Known::Value(value) => vec![value.clone()],
            Known::Length(n) => maker.of_length(ty, *n),
            Known::Nothing => maker.values(ty, MAX_DEPTH),
        })
        .collect();
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for column in &columns {
        // The rows are the combinations of all columns, up to a number.
        rows = rows
            .iter()
            .flat_map(|row| {
                column
                    .iter()
                    .map(|v| row.iter().chain([v]).cloned().collect())
            })
            .take(MAX_TRIED)
            .collect();
    }
    rows
}

struct Maker<'a> {
    program: &'a Program,
    cx: &'a dyn Evaluate,
    objects: &'a dyn Fn(&Type) -> Vec<Value>,
}

impl Maker<'_> {
    /// Returns candidate values of a concrete type, the smallest first. They satisfy the
    /// constraints of subset types and newtypes.
    fn values(&mut self, ty: &Type, depth: u32) -> Vec<Value> {
        // The default value comes first.
        let mut out: Vec<Value> = default_value(self.program, self.cx, ty)
            .into_iter()
            .collect();
        let rep = self.program.representation(ty);
        out.extend(self.plain(&rep, depth));
        let mut kept: Vec<Value> = Vec::new();
        for v in out {
            // A value of the base type must satisfy the constraints.
            if kept.len() < MAX_VALUES
                && !kept.contains(&v)
                && (rep == *ty || self.cx.admits(&v, ty))
            {
                kept.push(v);
            }
        }
        kept
    }

    /// Returns sequences of a length, of equal elements.
    fn of_length(&mut self, ty: &Type, length: usize) -> Vec<Value> {
        let Type::Seq(elem) = self.program.representation(ty) else {
            return self.values(ty, MAX_DEPTH);
        };
        let elems = match length {
            0 => return vec![Value::seq([])],
            _ => self.values(&elem, MAX_DEPTH - 1),
        };
        let all = elems.into_iter().take(MAX_OF_LENGTH);
        let all = all.filter_map(|e| Some(Value::seq(dtest_value::repeated(&e, length)?)));
        all.filter(|v| self.cx.admits(v, ty)).collect()
    }

    fn plain(&mut self, ty: &Type, depth: u32) -> Vec<Value> {
        let ints = [0, 1, -1, 2, 3, 10, 100];
        match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Char => ['a', ' ', '0', 'Z']
                .iter()
                .map(|c| Value::Char(*c as u32))
                .collect(),
            Type::Int => ints.iter().map(|n| Value::int(*n)).collect(),
            Type::Real => ints
                .iter()
                .map(|n| Value::Real(BigRational::from_integer(BigInt::from(*n))))
                .collect(),
            Type::Bv(width) => {
                let fits = |n: &u32| u64::from(u32::BITS - n.leading_zeros()) <= u64::from(*width);
                [0u32, 1, 2, 255]
                    .iter()
                    .filter(|n| fits(n))
                    .map(|n| Value::Bv {
                        width: *width,
                        bits: (*n).into(),
                    })
                    .collect()
            }
            Type::Ordinal => [0u32, 1, 2]
                .iter()
                .map(|n| Value::Ordinal((*n).into()))
                .collect(),
            Type::Seq(elem) => {
                let elems = if depth == 0 {
                    Vec::new()
                } else {
                    self.values(elem, depth - 1)
                };
                let one = elems.iter().map(|e| Value::seq([e.clone()]));
                let two = elems.first().map(|e| Value::seq([e.clone(), e.clone()]));
                std::iter::once(Value::seq([]))
                    .chain(one)
                    .chain(two)
                    .collect()
            }
            Type::Set { elem, .. } => {
                let elems = if depth == 0 {
                    Vec::new()
                } else {
                    self.values(elem, depth - 1)
                };
                std::iter::once(Value::set([]))
                    .chain(elems.iter().map(|e| Value::set([e.clone()])))
                    .collect()
            }
            Type::Multiset(elem) => {
                let elems = if depth == 0 {
                    Vec::new()
                } else {
                    self.values(elem, depth - 1)
                };
                std::iter::once(Value::multiset([]))
                    .chain(elems.iter().map(|e| Value::multiset([e.clone()])))
                    .collect()
            }
            Type::Map { key, value, .. } => {
                let (keys, values) = if depth == 0 {
                    Default::default()
                } else {
                    (self.values(key, depth - 1), self.values(value, depth - 1))
                };
                let pairs = keys
                    .iter()
                    .zip(values.iter().cycle())
                    .map(|(k, v)| Value::map([(k.clone(), v.clone())]));
                std::iter::once(Value::map([])).chain(pairs).collect()
            }
            Type::Tuple(kinds) => {
                let kinds: Vec<Type> = kinds.iter().map(|(_, t)| t.clone()).collect();
                self.rows(&kinds, depth)
                    .into_iter()
                    .map(Value::tuple)
                    .collect()
            }
            Type::Named { decl, args, .. } => match &self.program[*decl].kind {
                TypeDeclKind::Datatype { ctors, .. } if depth > 0 => {
                    let map = self.program.substitution(*decl, args);
                    let mut all = Vec::new();
                    for ctor in ctors {
                        let fields: Vec<Type> = self.program[*ctor]
                            .fields
                            .iter()
                            .map(|f| self.program[*f].ty.subst(&map))
                            .collect();
                        all.push(
                            self.rows(&fields, depth - 1)
                                .into_iter()
                                .map(|args| Value::datatype(*ctor, args))
                                .collect::<Vec<_>>(),
                        );
                    }
                    // One value of each constructor comes before the second value of any.
                    let most = all.iter().map(Vec::len).max().unwrap_or(0);
                    (0..most)
                        .flat_map(|i| all.iter().filter_map(move |vs| vs.get(i).cloned()))
                        .collect()
                }
                TypeDeclKind::Trait {
                    is_reference: false,
                } if depth > 0 => self.implementations(*decl, args, depth - 1),
                TypeDeclKind::Class | TypeDeclKind::Trait { is_reference: true } => {
                    (self.objects)(ty)
                }
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Trait {
                    is_reference: false,
                }
                | TypeDeclKind::Iterator(_) => Vec::new(),
            },
            Type::Array { .. } | Type::Object { .. } => (self.objects)(ty),
            Type::Arrow { .. } | Type::Param(_) | Type::Error => Vec::new(),
        }
    }

    /// Returns candidate values of the datatypes and newtypes that extend a trait.
    fn implementations(&mut self, of: TypeId, args: &[Type], depth: u32) -> Vec<Value> {
        let mut out = Vec::new();
        for datatype in self.program.implementing_datatypes(of, args) {
            out.extend(self.values(&datatype, depth));
        }
        for newtype in self.program.implementing_newtypes(of, args) {
            let Type::Named { decl, args, .. } = &newtype else {
                continue;
            };
            out.extend(
                self.values(&newtype, depth)
                    .into_iter()
                    .map(|v| Value::newtype(*decl, args.clone(), v)),
            );
        }
        out
    }

    /// Returns combinations, starting with the first values of all columns.
    fn rows(&mut self, types: &[Type], depth: u32) -> Vec<Vec<Value>> {
        let columns: Vec<Vec<Value>> = types.iter().map(|t| self.values(t, depth)).collect();
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for column in &columns {
            rows = column
                .iter()
                .flat_map(|v| {
                    rows.iter()
                        .map(move |r| r.iter().chain([v]).cloned().collect())
                })
                .take(MAX_VALUES)
                .collect();
        }
        rows
    }
}

/// Whether the callable is a constructor.
pub(super) fn is_constructor(program: &Program, callee: CallableId) -> bool {
    program[callee].kind == CallableKind::Constructor
}
