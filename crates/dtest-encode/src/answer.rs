//! External code: arbitrary results, and arbitrary contents of the frame, that satisfy the
//! contract.
//!
//! Key type: [`Answered`]. Key functions: [`Encoder::answer`] for statements,
//! [`Encoder::assume_contract`] for functions without bodies.

use std::sync::Arc;

use std::rc::Rc;

use super::value::{Heap, Sym, SymContents, SymObject};
use super::{Encoder, Fact, Frame, Mode};
use dafny_resolve::typed::{CallableId, CallableKind, FieldKind, Substitution, Type};
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
        let changes = self.change_frame(callee, contract, &mut frame);
        if self.typed()[callee].kind == CallableKind::Constructor {
            self.initial_fields(&args, &f.subst);
        }
        let mut results = Vec::with_capacity(outs.len());
        for out in outs {
            let ghost = f.infos.get(out.0 as usize).is_some_and(|i| i.ghost);
            let value = match f.type_of(*out) {
                Some(ty) if !ghost => self.answer_value(callee, &ty),
                Some(_) | None => Sym::Any,
            };
            f.set(*out, value.clone());
            results.push(value);
        }
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
    fn before(&mut self, callee: CallableId, args: &[Sym]) -> Heap {
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

    /// Returns an arbitrary value of a type that does not require new objects.
    fn answer_value(&mut self, callee: CallableId, ty: &Type) -> Sym {
        let own = self.typed().strip_subset(ty);
        // Objects as results of external code have no representation here; null is the only
        // possible reference.
        let has_null = matches!(
            own,
            Type::Array { nullable: true, .. }
                | Type::Object { nullable: true }
                | Type::Named { nullable: true, .. }
        );
        if has_null && self.mode == Mode::Cut {
            self.omissions.choices = true; // an object would do as well
            Sym::Ref(self.t.int(0))
        } else if self.typed().is_reference(&own) {
            self.unsupported(Unanswered::Object, ty)
        } else {
            // The type of the result is a fact about the external code, so that it can be reported.
            self.assumed.answered_by = Some(self.obligation_of(callee, self.typed()[callee].span));
            self.input("answer", ty)
        }
    }

    /// Gives arbitrary contents to the objects that the frame covers. Under [`Mode::Cut`], only
    /// input objects change, because only these can be set by a stub.
    fn change_frame(
        &mut self,
        callee: CallableId,
        contract: &'p Contract,
        frame: &mut Frame<'p>,
    ) -> Vec<(Term, u32, Place, Sym)> {
        if contract.modifies.is_empty() || self.typed()[callee].kind == CallableKind::Constructor {
            return Vec::new();
        }
        // A proof has to allow every change.
        if self.mode == Mode::Havoc {
            self.havoc_heap();
            return Vec::new();
        }
        self.omissions.choices = true;
        let mut changes = Vec::new();
        for part in &contract.modifies {
            let Some(object) = &part.object else { continue };
            let objects = self.eval(object, frame);
            let inputs = self.inputs.objects;
            for (id, o) in self
                .heap
                .objects
                .clone()
                .iter()
                .filter(|(id, _)| **id < inputs)
            {
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
                    self.change_object(*id, o, part.field, covered, &mut changes);
                }
            }
        }
        changes
    }

    /// Gives new contents to the places of one object, under the condition that the frame covers
    /// it.
    fn change_object(
        &mut self,
        id: u32,
        object: &SymObject,
        only: Option<dafny_resolve::typed::FieldId>,
        covered: Term,
        changes: &mut Vec<(Term, u32, Place, Sym)>,
    ) {
        let mut object = object.clone();
        match &mut object.contents {
            SymContents::Fields(fields) => {
                for (field, value) in fields
                    .iter_mut()
                    .filter(|(f, _)| only.is_none_or(|o| o == **f))
                {
                    let ty = self.typed().field_type(&object.ty, *field);
                    let declared = &self.typed()[*field];
                    // Ghost and immutable fields do not change. References remain, since new ones
                    // could denote anything.
                    if declared.ghost
                        || !matches!(declared.kind, FieldKind::Mutable)
                        || self.typed().is_reference(&ty)
                    {
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
                if self.typed().is_reference(&elem) {
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

    /// Initializes the fields of an object that external code constructs.
    fn initial_fields(&mut self, args: &[Sym], subst: &Substitution) {
        let Some(this @ Sym::Ref(r)) = args.first() else {
            return;
        };
        // The object under construction is known by its number.
        let Some(id) = self.t.as_small(*r).and_then(|n| u32::try_from(n - 1).ok()) else {
            return;
        };
        let Some(object) = self.heap.objects.get(&id).cloned() else {
            return;
        };
        for (field, _) in self.fields_of(&object.ty) {
            let declared = &self.typed()[field];
            // Compiled fields get arbitrary values, since the constructor has no code.
            if !declared.ghost && !declared.is_static {
                let ty = self.typed().field_type(&object.ty, field).subst(subst);
                let value = self.left_open(&ty);
                self.write_field(this, field, &value);
            }
        }
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
