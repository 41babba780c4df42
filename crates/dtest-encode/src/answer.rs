//! External code: arbitrary results, and arbitrary contents of the frame, that satisfy the
//! contract.
//!
//! Key type: [`Answered`]. Key functions: [`Encoder::answer`] for statements,
//! [`Encoder::assume_contract`] for functions without bodies.

use std::sync::Arc;

use std::rc::Rc;

use super::reference::MAX_ANSWER_DEPTH;
use super::value::{Heap, Sym, SymContents, SymObject};
use super::{Encoder, Fact, Frame, Mode};
use dafny_resolve::typed::{Body, CallableId, CallableKind, FieldKind, Substitution, Type};
use dafny_source::Span;
use dtest_desugar::ExternalCode as _;
use dtest_ir::reason::Unanswered;
use dtest_ir::{Contract, Criterion, Var};
use dtest_smt::Term;
use dtest_value::Place;

/// The results of one call of external code.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) callee: CallableId,
    pub(super) type_args: Vec<Type>,
    pub(super) args: Vec<Sym>,
    pub(super) results: Vec<Sym>,
    /// The changes of input objects: the condition, the object number, the place, and the new
    /// value.
    pub(super) changes: Vec<(Term, u32, Place, Sym)>,
    /// The condition under which the call is made.
    pub(super) when: Term,
}

impl<'p> Encoder<'p> {
    /// Encodes a call of external code in the frame of its procedure.
    pub(super) fn answer(
        &mut self,
        callee: CallableId,
        params: &[Var],
        outs: &[Var],
        f: &mut Frame<'p>,
    ) {
        let Some(contract) = self.program.contracts.get(&callee) else {
            return;
        };
        let type_args: Vec<Type> = contract
            .type_params
            .iter()
            .map(|p| Type::Param(*p).subst(&f.subst))
            .collect();
        let args: Vec<Sym> = params.iter().map(|p| f.get(*p)).collect();
        // A function is a table, so that equal arguments give equal results.
        if self.typed()[callee].kind.is_function() {
            for out in outs {
                let ty = f.type_of(*out).unwrap_or(Type::Error);
                let value = self.bodiless(callee, &type_args, &args, &ty);
                f.set(*out, value);
            }
            return;
        }
        // The frame changes first: the postconditions are about the state after the call.
        let before = self.before(callee, &args);
        let mut frame = Frame::new(&contract.vars, Rc::clone(&f.subst));
        frame.bind(&contract.params, &args);
        frame.snapshots.insert(None, before);
        let mut changes = self.change_frame(callee, contract, &args, &mut frame);
        if self.typed()[callee].kind == CallableKind::Constructor {
            changes = self.initial_fields(&args, &f.subst);
        }
        let reference = |arg: &Sym| {
            if let Sym::Ref(r) = arg {
                Some(*r)
            } else {
                None
            }
        };
        self.external.passed = args.iter().filter_map(reference).collect();
        let results = self.answer_values(callee, outs, f);
        self.external.passed.clear();
        frame.bind(&contract.outs, &results);
        // Every postcondition holds, under a literal that names the contract as the reason.
        for clause in &contract.ensures {
            let (holds, defined) =
                self.in_specification(|e| e.isolated(|e| e.eval_bool(&clause.cond, &mut frame)));
            let both = self.t.and(defined, holds);
            let both = self.given(Fact::Contract(callee, clause.span), both);
            self.require(both);
        }
        let when = self.context();
        self.external.answers.push(Answered {
            callee,
            type_args,
            args,
            results,
            changes,
            when,
        });
    }

    /// Returns the heap before a call, without the new object of a constructor.
    pub(super) fn before(&mut self, callee: CallableId, args: &[Sym]) -> Heap {
        let made = match args.first() {
            Some(Sym::Ref(r)) if self.typed()[callee].kind == CallableKind::Constructor => {
                self.t.as_small(*r)
            }
            Some(_) | None => None,
        };
        let Some(made) = made.and_then(|n| u32::try_from(n - 1).ok()) else {
            return self.heap.clone();
        };
        let mut objects = (*self.heap.objects).clone();
        objects.remove(&made);
        self.new_heap(objects)
    }

    /// Gives arbitrary values to the out-parameters of external code. Under [`Mode::Cut`], objects
    /// are those of the inputs, or new ones, which the test creates before the call.
    fn answer_values(&mut self, callee: CallableId, outs: &[Var], f: &mut Frame<'p>) -> Vec<Sym> {
        let is_ghost = |f: &Frame<'p>, out: &Var| {
            let info = f.infos.get(out.0 as usize);
            info.is_some_and(|i| i.ghost)
        };
        // All new objects exist before their contents are created, because these may refer to any
        // of them.
        let mut reserved: Vec<Option<(u32, Type)>> = Vec::new();
        for out in outs {
            let ty = f.type_of(*out).filter(|_| !is_ghost(f, out));
            let own = ty.map(|ty| self.typed().representation(&ty));
            reserved.push(match own {
                Some(own) if self.mode == Mode::Cut && self.typed().is_reference(&own) => {
                    self.omissions.choices = true; // the object may be one that is not known here
                    self.reserve_object(&own)
                }
                Some(_) | None => None,
            });
        }
        for (id, class) in reserved.iter().flatten().cloned() {
            self.external.answering = Some(0);
            self.fill_object(id, class);
        }
        let mut results = Vec::with_capacity(outs.len());
        for (out, reserved) in outs.iter().zip(reserved) {
            let depth = if reserved.is_some() {
                MAX_ANSWER_DEPTH
            } else {
                0
            };
            self.external.answering = (self.mode == Mode::Cut).then_some(depth);
            let value = match f.type_of(*out) {
                Some(ty) if !is_ghost(f, out) => self.answer_value(callee, &ty),
                Some(_) | None => Sym::Any,
            };
            self.external.answering = None;
            f.set(*out, value.clone());
            results.push(value);
        }
        results
    }

    /// Returns an arbitrary value of a type.
    fn answer_value(&mut self, callee: CallableId, ty: &Type) -> Sym {
        let own = self.typed().strip_subset(ty);
        // A proof has to allow every object, known or not.
        if self.mode == Mode::Havoc && self.typed().is_reference(&own) {
            return self.unsupported(Unanswered::Object, ty);
        }
        // The type of the result is a fact about the external code, so that it can be reported.
        self.assumed.answered_by = Some(self.obligation_of(callee, self.typed()[callee].span));
        self.input("answer", ty)
    }

    /// Creates input objects for the results of external functions that the unit may call: a
    /// function returns an object that exists already.
    pub(super) fn create_existing_results(&mut self, unit: CallableId) {
        let program = self.program;
        let typed = &program.typed;
        let returns_objects = |c: &CallableId| {
            let callable = &typed[*c];
            matches!(callable.body, Body::None)
                && callable.kind.is_function()
                && callable
                    .outs
                    .iter()
                    .any(|f| !typed.holds_no_references(&typed[f.local].ty))
        };
        if self.mode != Mode::Cut || !program.contracts.keys().any(returns_objects) {
            return;
        }
        for callee in program.callees(unit).into_iter().filter(returns_objects) {
            if !self.is_answered(callee) {
                continue;
            }
            let mut todo: Vec<Type> = typed[callee]
                .outs
                .iter()
                .map(|f| typed.representation(&typed[f.local].ty))
                .collect();
            while let Some(ty) = todo.pop() {
                if typed.is_reference(&ty) && !mentions_params(&ty) {
                    self.candidates(&ty);
                } else {
                    todo.extend(ty.parts().map(|part| typed.representation(part)));
                }
            }
        }
    }

    /// Gives arbitrary contents to the objects that the frame covers. Under [`Mode::Cut`], compiled
    /// contents change only of objects that the test has created, because only these can be set by
    /// a stub.
    fn change_frame(
        &mut self,
        callee: CallableId,
        contract: &'p Contract,
        args: &[Sym],
        frame: &mut Frame<'p>,
    ) -> Vec<(Term, u32, Place, Sym)> {
        if contract.modifies.is_empty() || self.typed()[callee].kind == CallableKind::Constructor {
            return Vec::new();
        }
        // A proof has to allow every change.
        if self.mode == Mode::Havoc {
            self.havoc_frame(callee, &contract.modifies, frame);
            return Vec::new();
        }
        self.omissions.choices = true;
        let mut changes = Vec::new();
        for part in &contract.modifies {
            let Some(object) = &part.object else { continue };
            let objects = self.eval(object, frame);
            for (id, o) in self.heap.objects.clone().iter() {
                // Compare by number where the frame is a single object; the general case is
                // membership in a set or sequence.
                let reference = Sym::Ref(self.t.int(id + 1));
                let covered = if let Sym::Ref(r) = &objects {
                    let number = self.t.int(id + 1);
                    self.t.eq(*r, number)
                } else {
                    self.contains_or_any(&objects, &reference)
                };
                if covered != self.t.ff {
                    self.change_object(*id, o, (args, part.field), covered, &mut changes);
                }
            }
        }
        changes
    }

    /// Whether an argument of a call may be an object, which a stub can then change.
    fn is_passed(&mut self, id: u32, args: &[Sym]) -> bool {
        args.iter().any(|arg| {
            let Sym::Ref(r) = arg else { return false };
            self.is_object(*r, id) != self.t.ff
        })
    }

    /// Gives new contents to the places of one object, under the condition that the frame covers
    /// it.
    fn change_object(
        &mut self,
        id: u32,
        object: &SymObject,
        (args, only): (&[Sym], Option<dafny_resolve::typed::FieldId>),
        covered: Term,
        changes: &mut Vec<(Term, u32, Place, Sym)>,
    ) {
        let mut object = object.clone();
        let is_known = id < self.inputs.objects
            || self.external.made.contains_key(&id)
            || self.is_passed(id, args);
        match &mut object.contents {
            SymContents::Fields(fields) => {
                for (field, value) in fields
                    .iter_mut()
                    .filter(|(f, _)| only.is_none_or(|o| o == **f))
                {
                    let ty = self.typed().field_type(&object.ty, *field);
                    let declared = &self.typed()[*field];
                    if !is_known && !declared.ghost || !matches!(declared.kind, FieldKind::Mutable)
                    {
                        continue;
                    }
                    // References remain, since new ones could denote anything; in ghost contents
                    // they may denote any object.
                    let holds_references = !self.typed().holds_no_references(&ty);
                    if holds_references && declared.ghost {
                        let new = self.any(&ty);
                        *value = self.merge(covered, &new, value);
                        continue;
                    }
                    if holds_references {
                        continue;
                    }
                    let new = self.input("changed", &ty);
                    // The new value counts only if the frame covers the object.
                    *value = self.merge(covered, &new, value);
                    changes.push((covered, id, Place::Field(*field), new));
                }
            }
            SymContents::Array(s) => {
                let Type::Array { elem, .. } = object.ty.clone() else {
                    return;
                };
                if !is_known || self.typed().is_reference(&elem) {
                    return;
                }
                let mut slots = s.slots.clone();
                for (i, slot) in slots.iter_mut().enumerate() {
                    let new = self.input("changed", &elem);
                    *slot = self.merge(covered, &new, slot);
                    // Places beyond the length do not change.
                    let at = self.t.int(i as i64);
                    let inside = self.t.lt(at, s.len);
                    let both = self.t.and(covered, inside);
                    changes.push((both, id, Place::Element(i), new));
                }
                let Sym::Seq(s) = Sym::seq(s.len, slots, self.unknown_rest(s.is_open())) else {
                    return;
                };
                object.contents = SymContents::Array(s);
            }
            // Arrays of several dimensions are not changed.
            SymContents::Grid(_) => return,
        }
        self.put_object(id, object);
    }

    /// Gives arbitrary values to the fields of an object that external code constructs, since the
    /// constructor has no code. Returns them as changes of the object.
    fn initial_fields(
        &mut self,
        args: &[Sym],
        subst: &Substitution,
    ) -> Vec<(Term, u32, Place, Sym)> {
        let mut changes = Vec::new();
        let Some(this @ Sym::Ref(r)) = args.first() else {
            return changes;
        };
        // The object under construction is known by its number.
        let Some(id) = self.t.as_small(*r).and_then(|n| u32::try_from(n - 1).ok()) else {
            return changes;
        };
        let Some(object) = self.heap.objects.get(&id).cloned() else {
            return changes;
        };
        for (field, _) in self.fields_of(&object.ty) {
            let declared = &self.typed()[field];
            if declared.is_static {
                continue;
            }
            let ty = self.typed().field_type(&object.ty, field).subst(subst);
            let is_open = self.mode == Mode::Cut && self.typed().holds_no_references(&ty);
            // Other ghost fields have no value, as where a constructor leaves them out.
            if declared.ghost && !is_open {
                continue;
            }
            let value = if is_open {
                self.omissions.choices = true; // bounds limit the values
                self.input("given", &ty)
            } else {
                self.left_open(&ty)
            };
            self.write_field(this, field, &value);
            if is_open {
                changes.push((self.t.tt, id, Place::Field(field), value));
            }
        }
        changes
    }

    /// Adds the fact that the result of a function without a body satisfies its contract for these
    /// arguments.
    pub(super) fn assume_contract(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        answer: &Sym,
    ) {
        let Some(contract) = self.program.contracts.get(&callee) else {
            return;
        };
        let subst: Substitution = contract
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let mut frame = Frame::new(&contract.vars, Rc::new(subst));
        frame.bind(&contract.params, args);
        frame.bind(&contract.outs, std::slice::from_ref(answer));
        let heap: Heap = self.heap.clone();
        frame.snapshots.insert(None, heap);
        // The contract speaks only if the precondition holds.
        let (before, known) =
            self.in_specification(|e| e.isolated(|e| e.clauses(&contract.requires, &mut frame)));
        let asked = self.t.and(before, known);
        // A later clause may be well-defined only where the earlier ones hold.
        let mut so_far = self.t.tt;
        for clause in &contract.ensures {
            let (holds, defined) =
                self.in_specification(|e| e.isolated(|e| e.eval_bool(&clause.cond, &mut frame)));
            let speaks = self.t.and(so_far, defined);
            let asked = self.t.and(asked, speaks);
            let fact = self.t.implies(asked, holds);
            let fact = self.given(self.obligation_of(callee, clause.span), fact);
            self.assumed.facts.push(fact);
            so_far = self.t.and(speaks, holds);
        }
    }

    /// Assumes the postconditions of a lemma without a proof at a call, where obligations are
    /// goals.
    pub(super) fn claim(&mut self, callee: CallableId, type_args: &[Type], args: &[Sym]) {
        let lemma = &self.typed()[callee];
        let is_bare = lemma.kind == CallableKind::Lemma
            && self.program.assumed_lemmas.contains(&callee)
            && !lemma.is_two_state;
        // Only assumed lemmas contribute claims, and only if obligations are goals.
        let is_claimed = is_bare && self.program.criteria.has(Criterion::Obligation);
        let Some(contract) = self.program.contracts.get(&callee).filter(|_| is_claimed) else {
            return;
        };
        let mut frame = Frame::new(
            &contract.vars,
            Rc::new(
                contract
                    .type_params
                    .iter()
                    .copied()
                    .zip(type_args.iter().cloned())
                    .collect(),
            ),
        );
        frame.bind(&contract.params, args);
        // The results of a lemma are unknown to the caller.
        frame.bind(&contract.outs, &vec![Sym::Any; contract.outs.len()]);
        frame.snapshots.insert(None, self.heap.clone());
        for clause in &contract.ensures {
            let (holds, defined) =
                self.in_specification(|e| e.isolated(|e| e.eval_bool(&clause.cond, &mut frame)));
            let both = self.t.and(defined, holds);
            // Each claim is an assumption of its own, so that the report can name those that were
            // needed.
            let both = self.given(Fact::Contract(callee, clause.span), both);
            self.require(both);
        }
    }

    /// Returns the fact that a callable without a body satisfies a clause of its contract. Dafny's
    /// verifier checks it for members of traits, in every implementation; for other callables
    /// nothing checks it.
    pub(super) fn obligation_of(&self, callee: CallableId, clause: Span) -> Fact {
        if self.typed().is_mocked(callee) {
            Fact::Postcondition(callee, clause)
        } else {
            Fact::Contract(callee, clause)
        }
    }

    /// Returns for each parameter whether a stub receives its value; the receiver is the first.
    pub(super) fn runtime_params(&self, callee: CallableId) -> Vec<bool> {
        let is_ghost = self.typed()[callee].ghost;
        let told = |c: &Arc<Contract>| {
            c.params
                .iter()
                .map(|p| is_ghost || c.vars.get(p.0 as usize).is_none_or(|v| !v.ghost))
                .collect()
        };
        self.program
            .contracts
            .get(&callee)
            .map_or_else(Vec::new, told)
    }

    /// Returns the condition under which the current statement is executed.
    pub(super) fn context(&mut self) -> Term {
        let conditions = self.path.conditions.clone();
        let all = self.t.all(conditions);
        self.t.and(all, self.path.guard)
    }
}

/// Whether a type mentions type parameters.
pub(super) fn mentions_params(ty: &Type) -> bool {
    matches!(ty, Type::Param(_)) || ty.parts().any(mentions_params)
}
