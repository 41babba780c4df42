//! The check that `older` parameters are older than the other arguments if a predicate holds
//! (reference manual, "Older parameters in predicates").
//!
//! The condition is about every earlier state in which the other arguments were allocated. There is
//! such a state with nothing but these arguments and what they lead to in every state: the
//! constants of their objects, but not their fields, which may have had other values.

use super::Interp;
use super::api::{Execution, Failure, FailureKind, Inputs, Outcome};
use dafny_resolve::typed::{CallableId, FieldKind, LocalId, Program, Type, TypeDeclKind};
use dtest_sorted::SortedSet;
use dtest_value::{Contents, Heap, ObjectId, Value};

/// Something with an allocation time: an object, or a value of an unknown type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Allocated {
    Object(ObjectId),
    Value(Value),
}

impl Allocated {
    fn of(value: &Value) -> Self {
        if let Value::Ref(id) = value {
            Self::Object(*id)
        } else {
            Self::Value(value.clone())
        }
    }
}

impl Interp<'_> {
    /// Returns a failure for the first `older` parameter of `unit` that may be newer than the
    /// arguments that are not `older`, although the predicate holds.
    pub fn check_older(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        execution: &Execution,
    ) -> Option<Failure> {
        let typed = &self.program.typed;
        let c = &typed[unit];
        let Outcome::Returned(results) = &execution.outcome else {
            return None;
        };
        // The obligation concerns predicates that hold.
        if !c.ins.iter().any(|f| f.older)
            || !matches!(results.as_slice(), [Some(Value::Bool(true))])
        {
            return None;
        }
        let receivers = inputs.args.len().checked_sub(c.ins.len())?;
        // The objects that the other arguments refer to, directly or through constants.
        let mut others = Collected::new(typed, &inputs.heap);
        let owner = c.owner.map(|t| {
            Type::named(
                t,
                typed[t]
                    .type_params
                    .iter()
                    .map(|p| Type::Param(*p))
                    .collect(),
            )
        });
        for receiver in inputs.args.iter().take(receivers) {
            others.add(receiver, owner.as_ref()?);
        }
        let params = || c.ins.iter().zip(inputs.args.iter().skip(receivers));
        params()
            .filter(|(f, _)| !f.older)
            .for_each(|(f, value)| others.add(value, &typed[f.local].ty));
        others.follow_constants();
        // A parameter is older if it refers to nothing beyond that.
        let is_newer = |local: LocalId, value: &Value| {
            let mut own = Collected::new(typed, &inputs.heap);
            own.add(value, &typed[local].ty);
            !own.found.is_subset(&others.found)
        };
        let newer = params()
            .find(|(f, value)| f.older && is_newer(f.local, value))?
            .0
            .local;
        let message = format!(
            "`{}` may be newer than the arguments that are not `older`, and the predicate holds",
            typed[newer].name
        );
        Some(Failure {
            kind: FailureKind::Postcondition,
            span: typed[newer].span,
            clause: None,
            message,
        })
    }
}

/// The objects that values lead to without reading the heap.
struct Collected<'a> {
    program: &'a Program,
    heap: &'a Heap,
    found: SortedSet<Allocated>,
}

impl<'a> Collected<'a> {
    fn new(program: &'a Program, heap: &'a Heap) -> Self {
        Self {
            program,
            heap,
            found: SortedSet::new(),
        }
    }

    /// Adds the contents of a value of a declared type. Functions and lazy values are unknown.
    fn add(&mut self, value: &Value, ty: &Type) {
        let mut work = vec![(value, ty.clone())];
        while let Some((value, ty)) = work.pop() {
            // Types without references are skipped.
            if self.program.holds_no_references(&ty) {
                continue;
            }
            let ty = self.program.representation(&ty);
            let holds_unknown = self.is_unknown(&ty);
            match (value, ty) {
                (Value::Ref(_), _) => drop(self.found.insert(Allocated::of(value))),
                (Value::Null, _) => {}
                (Value::Seq(items), Type::Seq(elem)) => {
                    work.extend(items.iter().map(|v| (v, (*elem).clone())))
                }
                (Value::Set(items), Type::Set { elem, .. }) => {
                    work.extend(items.iter().map(|v| (v, (*elem).clone())))
                }
                (Value::Multiset(items), Type::Multiset(elem)) => {
                    work.extend(items.keys().map(|v| (v, (*elem).clone())))
                }
                (Value::Map(pairs), Type::Map { key, value, .. }) => {
                    work.extend(
                        pairs
                            .iter()
                            .flat_map(|(k, v)| [(k, (*key).clone()), (v, (*value).clone())]),
                    );
                }
                (Value::Tuple(items), Type::Tuple(kinds)) => {
                    work.extend(items.iter().zip(kinds.into_iter().map(|(_, t)| t)))
                }
                (Value::Datatype(d), Type::Named { decl, args, .. })
                    if self.program[d.ctor].datatype == decl =>
                {
                    let map = self.program.substitution(decl, &args);
                    // Components of a datatype are allocated whenever the value is.
                    let fields = self.program[d.ctor]
                        .fields
                        .iter()
                        .map(|f| self.program[*f].ty.subst(&map));
                    work.extend(d.args.iter().zip(fields));
                }
                // A datatype value converted to a trait is allocated where all of its parts are.
                (Value::Datatype(_) | Value::Newtype(_), Type::Named { .. }) if !holds_unknown => {
                    self.found.extend(
                        value
                            .within()
                            .filter(|v| matches!(v, Value::Ref(_)))
                            .map(Allocated::of),
                    );
                }
                (
                    Value::Bool(_)
                    | Value::Char(_)
                    | Value::Int(_)
                    | Value::Real(_)
                    | Value::Bv { .. }
                    | Value::Ordinal(_),
                    _,
                )
                | (
                    Value::Seq(_)
                    | Value::Set(_)
                    | Value::Multiset(_)
                    | Value::Map(_)
                    | Value::Tuple(_)
                    | Value::Datatype(_),
                    _,
                )
                | (Value::Function(_) | Value::Newtype(_) | Value::Lazy(_), _) => {
                    if holds_unknown {
                        self.found.insert(Allocated::of(value));
                    }
                }
            }
        }
    }

    /// Whether nothing is known of the type except that it may contain references.
    fn is_unknown(&self, ty: &Type) -> bool {
        matches!(ty, Type::Param(_))
            || matches!(ty, Type::Named { decl, .. } if matches!(self.program[*decl].kind, TypeDeclKind::Abstract))
    }

    /// Adds what the constants of the objects lead to: these have the same values in all states.
    fn follow_constants(&mut self) {
        let mut followed = SortedSet::new();
        let is_object = |a: &Allocated| {
            if let Allocated::Object(id) = a {
                Some(*id)
            } else {
                None
            }
        };
        while let Some(id) = self
            .found
            .iter()
            .filter_map(is_object)
            .find(|id| !followed.contains(id))
        {
            followed.insert(id);
            let heap = self.heap;
            let Some(object) = heap.objects.get(id.0 as usize) else {
                continue;
            };
            let Contents::Fields(fields) = &object.contents else {
                continue;
            };
            for (field, value) in fields {
                let field = &self.program[*field];
                if matches!(field.kind, FieldKind::Const(_)) {
                    self.add(value, &field.ty);
                    // Type parameters of the class may be instantiated with types that contain
                    // references.
                    self.found.extend(value.within().map(Allocated::of));
                }
            }
        }
    }
}
