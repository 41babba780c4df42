//! Functions without a body: tables of results that satisfy the contract.
//!
//! Key functions: [`Encoder::bodiless`]; `Encoder::footprint`, which decides on which part of the
//! heap a result may depend.

use std::rc::Rc;

use super::reference::MAX_ANSWER_DEPTH;
use super::state::FrameAsked;
use super::value::Sym;
use super::{Encoder, Frame, Mode};
use crate::function::MAX_ENTRIES;
use dafny_resolve::typed::{
    Body, CallableId, CallableKind, FieldId, Substitution, Type, TypeDeclKind, TypeId,
};
use dtest_desugar::{External, ExternalCode as _};
use dtest_ir::Criterion;
use dtest_ir::reason::Reason;
use dtest_sorted::SortedSet;

/// The limit of different calls of a ghost function whose results are related to each other.
const MAX_GHOST_ENTRIES: usize = 40;

impl Encoder<'_> {
    /// Encodes a call of a function without a body: the same result for the same arguments,
    /// constrained by the contract.
    pub(super) fn bodiless(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        ty: &Type,
    ) -> Sym {
        let answered = self.is_answered(callee);
        // In the search for tests, the table of a function without a stub stands for every function
        // that satisfies the contract. A two-state function also depends on the older state, which
        // is no argument.
        let is_free = self.typed()[callee].kind == CallableKind::Function
            && !self.program.criteria.has(Criterion::Obligation);
        if !answered && !is_free {
            self.omissions
                .reasons
                .insert(Reason::without_body(&self.program.typed, callee));
        }
        let key = (callee, type_args.to_vec());
        let obligation = self.obligation_of(callee, self.typed()[callee].span);
        // There is one table for each function and its type arguments.
        let table = match self.external.tables.get(&key) {
            Some(t) => *t,
            None => {
                self.assumed.answered_by = Some(obligation);
                let t = self.existing(|e| e.new_table(ty.clone(), None));
                self.external.tables.insert(key, t);
                t
            }
        };
        let footprint = self.footprint(callee, type_args, args);
        // The part of the heap that the result may depend on counts as further arguments.
        let asked: Vec<Sym> = args.iter().cloned().chain(footprint).collect();
        let count = |e: &Self| {
            e.objects
                .tables
                .get(table as usize)
                .map_or(0, |t| t.entries.len())
        };
        let before = count(self);
        // A function that no test has to write has no default: further results are arbitrary.
        let is_ghost = is_free && !answered;
        let most = if is_ghost {
            MAX_GHOST_ENTRIES
        } else {
            MAX_ENTRIES
        };
        if is_ghost && before >= most && !self.is_asked(table, &asked) {
            return self.any(ty);
        }
        self.assumed.answered_by = Some(obligation);
        let answer = self.existing(|e| e.ask_within(table, &asked, most));
        self.assumed.answered_by = None;
        // Only a new row needs the facts of the contract.
        if count(self) > before {
            self.assume_contract(callee, type_args, args, &answer);
        } else if answered
            && before >= MAX_ENTRIES
            && self.mode == Mode::Cut
            && !self.is_asked(table, &asked)
        {
            // The default of a full table need not satisfy the contract, so that this execution is
            // excluded.
            let never = self.t.ff;
            self.require(never);
            self.omissions.choices = true;
        }
        answer
    }

    /// Creates values whose objects exist already. A function creates none; under [`Mode::Havoc`],
    /// any object may exist.
    fn existing<T>(&mut self, values: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.external.answering;
        if self.mode == Mode::Cut {
            self.external.answering = Some(MAX_ANSWER_DEPTH);
        }
        let result = values(self);
        self.external.answering = outer;
        result
    }

    /// Whether a stub, a mock or linked Rust code returns results of the callable without a body in
    /// tests.
    pub(super) fn is_answered(&self, callee: CallableId) -> bool {
        self.typed().is_mocked(callee)
            || matches!(
                self.typed().external(callee),
                Some(External::Linked(_) | External::Stub)
            )
    }

    /// Returns the part of the heap that the result of a function without a body may depend on: the
    /// fields of single objects, otherwise the number of the heap state. In the search for tests,
    /// results of stubs and mocks depend on arguments only.
    fn footprint(&mut self, callee: CallableId, type_args: &[Type], args: &[Sym]) -> Vec<Sym> {
        let depends = self.mode == Mode::Havoc
            || self.program.criteria.has(Criterion::Obligation)
            || !self.is_answered(callee);
        let Some(contract) = self
            .program
            .contracts
            .get(&callee)
            .filter(|c| depends && !c.reads.is_empty())
        else {
            // A function without a `reads` clause, or in an exact encoding, is determined by its
            // arguments.
            return Vec::new();
        };
        let subst: Substitution = contract
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let mut frame = Frame::new(&contract.vars, Rc::new(subst));
        frame.bind(&contract.params, args);
        let mut read = Vec::new();
        let mut collections = Vec::new();
        for part in &contract.reads {
            let Some(object) = &part.object else {
                // An unbounded frame is represented by the version of the heap.
                return vec![self.state_of_heap()];
            };
            let ty = object.ty.subst(&frame.subst);
            if let Some(fields) = self.fields_read(&ty, part.field) {
                let object = self.in_specification(|e| e.eval(object, &mut frame));
                // The contents of the frame are further arguments of the call.
                read.extend(
                    fields
                        .into_iter()
                        .map(|(field, ty)| self.read_field(&object, field, &ty)),
                );
            } else if self.has_plain_state(&ty) {
                let objects = self.in_specification(|e| e.eval(object, &mut frame));
                collections.push((objects, part.field));
            } else {
                return vec![self.state_of_heap()];
            }
        }
        if !collections.is_empty() {
            read.push(self.version_of(callee, type_args, collections));
        }
        read
    }

    /// Returns a number for what a function without a body reads of collections of objects: the
    /// number of an earlier call for which the same collections had the same contents, otherwise a
    /// new one.
    fn version_of(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        parts: Vec<(Sym, Option<FieldId>)>,
    ) -> Sym {
        let key = (callee, type_args.to_vec());
        let earlier = self.objects.frames_asked.get(&key).cloned();
        let earlier = earlier.unwrap_or_default();
        let now = self.heap.clone();
        let mut number = self.t.int(earlier.len() as i64);
        for older in earlier.iter().rev() {
            let mut same = self.t.tt;
            for ((objects, field), (before, _)) in parts.iter().zip(&older.parts) {
                let equal = self.equal(before, objects);
                let kept = self.all_references(objects, &mut |e, r| {
                    e.holds_the_same(r, *field, &older.heap, &now)
                });
                let both = self.t.and(equal, kept);
                same = self.t.and(same, both);
            }
            number = self.t.ite(same, older.number, number);
        }
        let asked = FrameAsked {
            parts,
            heap: now,
            number,
        };
        let all = self.objects.frames_asked.entry(key).or_default();
        all.push(asked);
        Sym::Int(number)
    }

    /// Whether all state of the objects that a part of a `reads` clause denotes is in their declared
    /// fields or elements.
    fn has_plain_state(&self, ty: &Type) -> bool {
        match self.type_of_objects(ty) {
            Some(Type::Array { .. }) => true,
            Some(Type::Named { decl, .. }) => {
                matches!(self.typed()[decl].kind, TypeDeclKind::Class)
                    && !self.has_hidden_state(decl)
            }
            Some(_) | None => false,
        }
    }

    /// Whether code without a body may modify objects of the class, and so more than their declared
    /// fields: what functions without a body say about such an object may change.
    fn has_hidden_state(&self, class: TypeId) -> bool {
        let program = self.program;
        let hidden = self.external.hidden.get_or_init(|| {
            let is_external = |id: &CallableId| {
                let c = &program.typed[*id];
                c.kind == CallableKind::Method && matches!(c.body, Body::None)
            };
            let contracts = program.contracts.iter();
            let parts = contracts
                .filter(|(id, _)| is_external(id))
                .flat_map(|(_, contract)| &contract.modifies);
            let mut classes = SortedSet::new();
            for part in parts {
                let ty = part
                    .object
                    .as_ref()
                    .map(|e| program.typed.strip_subset(&e.ty));
                match ty {
                    Some(Type::Array { .. }) => {}
                    Some(Type::Named { decl, .. })
                        if matches!(program.typed[decl].kind, TypeDeclKind::Class) =>
                    {
                        classes.insert(decl);
                    }
                    // The frame may have objects of any class.
                    Some(_) | None => return None,
                }
            }
            Some(classes)
        });
        hidden
            .as_ref()
            .is_none_or(|classes| classes.contains(&class))
    }

    /// Returns the fields of an object that a part of a `reads` clause covers; `None` if it covers
    /// more than fields.
    fn fields_read(&self, ty: &Type, only: Option<FieldId>) -> Option<Vec<(FieldId, Type)>> {
        let typed = self.typed();
        let class = typed.strip_subset(ty);
        let is_class = matches!(&class, Type::Named { decl, nullable: false, .. } if matches!(typed[*decl].kind, TypeDeclKind::Class) && !self.has_hidden_state(*decl));
        let named = |field: &FieldId| {
            only.is_none_or(|f| f == *field)
                && !typed[*field].is_static
                && typed[*field].kind.is_mutable()
        };
        is_class.then(|| {
            self.fields_of(&class)
                .into_iter()
                .filter(|(field, _)| named(field))
                .collect()
        })
    }

    /// Returns a number that identifies the current state of the heap.
    fn state_of_heap(&mut self) -> Sym {
        let known = self
            .objects
            .heaps_asked
            .iter()
            .position(|heap| Rc::ptr_eq(&heap.objects, &self.heap.objects));
        let number = known.unwrap_or_else(|| {
            self.objects.heaps_asked.push(self.heap.clone());
            self.objects.heaps_asked.len() - 1
        });
        Sym::Int(self.t.int(number as i64))
    }

    fn is_asked(&self, table: u32, args: &[Sym]) -> bool {
        self.objects
            .tables
            .get(table as usize)
            .is_some_and(|t| t.entries.iter().any(|(a, _)| a == args))
    }
}
