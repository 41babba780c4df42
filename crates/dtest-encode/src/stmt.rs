//! Statements: assignments, calls, allocations and `forall` statements, and the rule for choices.
//!
//! Key function: [`Encoder::stmt`].

use super::ration::types_of;
use super::value::{Heap, Rest, Sym, SymContents, SymGrid, SymObject};
use super::{BoundKind, Encoder, Fact, Frame, Mode, Opened, Taken};
use dafny_resolve::typed::{CallableId, CallableKind, FieldId, Type};
use dafny_source::Span;
use dtest_interp::Opening;
use dtest_ir::reason::{Reason, Unencoded};
use dtest_ir::{
    self as ir, ArrayInit, Assumed, Changed, Expr, Quantified, Stmt, StmtKind, StoreTarget, Var,
};
use dtest_smt::Term;
use std::rc::Rc;

impl<'p> Encoder<'p> {
    /// Executes a statement. Returns the conditions under which execution continues and is halted,
    /// if the statement can end it.
    pub(super) fn stmt(&mut self, stmt: &'p Stmt, f: &mut Frame<'p>) -> Option<(Term, Term)> {
        match &stmt.kind {
            StmtKind::Assume { cond, by } => {
                return Some((self.assume(cond, *by, stmt.span, f), self.t.ff));
            }
            StmtKind::Assert { .. } | StmtKind::Print(_) | StmtKind::Probe { .. } => {}
            StmtKind::Assign { var, value } => {
                let ghost = f.infos.get(var.0 as usize).is_some_and(|i| i.ghost);
                // Ghost values are not encoded in compiled code.
                let value = if ghost { Sym::Any } else { self.eval(value, f) };
                f.set(*var, value);
            }
            StmtKind::Havoc(v) => return self.havoc(*v, stmt.span, f),
            StmtKind::Call {
                callee,
                type_args,
                args,
                outs,
                label: _,
            } => self.call_of_method(*callee, type_args, args, outs, stmt.span, f),
            StmtKind::New { var, ty } => {
                let ty = ty.subst(&f.subst);
                let value = self.blank_object(&ty);
                f.set(*var, value);
            }
            StmtKind::NewArray {
                var,
                elem,
                dims,
                init,
            } => {
                let value = self.new_array(&elem.subst(&f.subst), dims, init, f);
                f.set(*var, value);
            }
            StmtKind::SetField {
                object,
                field,
                value,
            } => {
                let object = self.eval(object, f);
                let value = if self.typed()[*field].ghost {
                    Sym::Any
                } else {
                    self.eval(value, f)
                };
                self.write_field(&object, *field, &value);
            }
            StmtKind::Redefine {
                object,
                function,
                value,
            } => {
                let object = self.eval(object, f);
                let value = self.eval(value, f);
                self.redefine(&object, *function, value);
            }
            StmtKind::SetElement {
                array,
                indices,
                value,
            } => {
                let array = self.eval(array, f);
                let indices: Vec<Sym> = indices.iter().map(|i| self.eval(i, f)).collect();
                let value = self.eval(value, f);
                self.write_element(&array, &indices, &value);
            }
            StmtKind::ForallStore {
                vars,
                target,
                value,
            } => self.forall_store(vars, target, value, f),
            StmtKind::SuchThat(q) => {
                let found = self.choose(q, stmt.span, f);
                self.require(found);
            }
            StmtKind::Expect { cond, .. } => {
                let c = self.eval_bool(cond, f);
                // A failed `expect` ends the path as a failure.
                return Some((c, self.t.not(c)));
            }
            StmtKind::Snapshot(label) => {
                f.snapshots.insert(Some(label.clone()), self.heap.clone());
            }
            StmtKind::HavocHeap(frames, changed) => {
                self.change_heap(frames, *changed, stmt.span, f)
            }
            StmtKind::Answer {
                callee,
                params,
                outs,
            } => self.answer(*callee, params, outs, f),
            StmtKind::Save { object, vars } => self.save(object, vars, f),
            StmtKind::Restore { object, vars } => self.restore(object, vars, f),
            StmtKind::Unsupported { reason } => return self.end_path(reason, f),
        }
        None
    }

    /// Encodes that a statement changes any of the objects in its frame. In executions within the
    /// bounds, nothing changes unless choices are free: by the rule for choices.
    fn change_heap(
        &mut self,
        frames: &'p [ir::Frame],
        changed: Changed,
        span: Span,
        f: &mut Frame<'p>,
    ) {
        self.omissions.reasons.insert(Unencoded::Modify);
        match (self.mode, changed) {
            (Mode::Cut, Changed::Here) if self.choices.free => self.modify(frames, span, f),
            (Mode::Cut, Changed::Here | Changed::Elsewhere) => self.havoc_heap(),
            (Mode::Havoc, Changed::Here | Changed::Elsewhere) => self.modify(frames, span, f),
        }
    }

    /// Returns the condition under which execution continues after an assumption.
    fn assume(&mut self, cond: &'p Expr, by: Assumed, span: Span, f: &mut Frame<'p>) -> Term {
        let (holds, defined) = self.isolated(|s| s.eval_bool(cond, f));
        let both = self.t.and(defined, holds);
        match by {
            // A path continues only where its assumptions hold; which of them become facts
            // depends on their origin.
            Assumed::Statement => self.given(Fact::Assume(span), both),
            Assumed::Contract(callee) => self.given(Fact::Contract(callee, span), both),
            Assumed::Caller => both,
        }
    }

    /// Gives a variable any value of its type. Returns the condition under which it is one.
    fn havoc(&mut self, v: Var, span: Span, f: &mut Frame<'p>) -> Option<(Term, Term)> {
        if f.infos.get(v.0 as usize).is_some_and(|i| !i.ghost) {
            self.leave_open();
        }
        let is_value = self.forget(v, f);
        // Other models would have no concrete value for the variable.
        let is_value = match f.type_of(v) {
            Some(ty) if self.mode == Mode::Cut => self.is_in_type(&f.get(v), &ty),
            Some(_) | None => is_value,
        };
        // The choice is recorded, so that an execution can be given the model's value.
        self.note(Opening::At(span), is_value, Taken::Values(vec![f.get(v)]));
        (is_value != self.t.tt).then_some((is_value, self.t.ff))
    }

    /// Executes a call, which is reached only if its arguments are well-defined.
    fn call_of_method(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &'p [Expr],
        outs: &[Option<Var>],
        span: Span,
        f: &mut Frame<'p>,
    ) {
        let args: Vec<Sym> = args.iter().map(|a| self.eval(a, f)).collect();
        let (path, kept) = (self.t.tt, self.path.defined);
        self.obligation(Fact::WellFormed(span), path, kept);
        let type_args: Vec<Type> = type_args.iter().map(|t| t.subst(&f.subst)).collect();
        self.call_stmt(callee, &type_args, &args, outs, f, span);
    }

    /// Stores variables in the hidden fields of an iterator.
    fn save(&mut self, object: &'p Expr, vars: &[(FieldId, Var)], f: &mut Frame<'p>) {
        let object = self.eval(object, f);
        for (field, var) in vars {
            let value = f.get(*var);
            self.write_field(&object, *field, &value);
        }
    }

    /// Reads variables from the hidden fields of an iterator.
    fn restore(&mut self, object: &'p Expr, vars: &[(FieldId, Var)], f: &mut Frame<'p>) {
        let object = self.eval(object, f);
        for (field, var) in vars {
            let value = self.contents(&object, *field);
            f.set(*var, value);
        }
    }

    /// Handles an unsupported statement: under [`Mode::Cut`] the path ends, under [`Mode::Havoc`]
    /// anything may follow.
    pub(super) fn end_path(&mut self, reason: &Reason, f: &mut Frame<'p>) -> Option<(Term, Term)> {
        self.omissions.reasons.insert(reason.clone());
        if self.mode == Mode::Cut {
            return Some((self.t.ff, self.t.ff));
        }
        for i in 0..f.infos.len() as u32 {
            self.forget(Var(i), f);
        }
        self.havoc_heap();
        None
    }

    pub(super) fn call_stmt(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        outs: &[Option<Var>],
        f: &mut Frame<'p>,
        site: Span,
    ) {
        let typed = self.typed();
        // Ghost calls have no effect on compiled state; lemmas only contribute their
        // postconditions.
        if typed[callee].ghost || typed[callee].kind == CallableKind::Lemma {
            for v in outs.iter().flatten() {
                f.set(*v, Sym::Any);
            }
            return self.claim(callee, type_args, args);
        }
        let heap = self.heap.clone();
        // A receiver with several possible types: encode the call for each, and merge results and
        // heaps.
        if let Some((Sym::OneOf(receivers), rest)) = args.split_first()
            && self.is_looked_up(callee)
        {
            let before: Vec<Option<Sym>> = outs.iter().map(|v| v.map(|v| f.get(v))).collect();
            let mut result: Option<(Vec<Option<Sym>>, Heap)> = None;
            for (cond, receiver) in receivers.iter().rev() {
                self.heap = heap.clone();
                for (v, value) in outs.iter().zip(&before) {
                    if let (Some(v), Some(value)) = (v, value) {
                        f.set(*v, value.clone());
                    }
                }
                let args: Vec<Sym> = std::iter::once(receiver).chain(rest).cloned().collect();
                self.under(*cond, |e| {
                    e.call_stmt(callee, type_args, &args, outs, f, site)
                });
                let values: Vec<Option<Sym>> = outs.iter().map(|v| v.map(|v| f.get(v))).collect();
                let now = self.heap.clone();
                result = Some(match result {
                    None => (values, now),
                    Some((others, other)) => {
                        let pairs = values.into_iter().zip(others);
                        let merged = pairs
                            .map(|(a, b)| Some(self.merge(*cond, &a?, &b?)))
                            .collect();
                        (merged, self.merge_heaps(*cond, &now, &other))
                    }
                });
            }
            if let Some((values, heap)) = result {
                self.heap = heap;
                for (v, value) in outs.iter().zip(values) {
                    if let (Some(v), Some(value)) = (v, value) {
                        f.set(*v, value);
                    }
                }
            }
            return;
        }
        let Some(choices) = self.dispatch(callee, type_args, args.first()) else {
            self.no_body(callee, outs, f);
            return;
        };
        let mut result: Option<(Vec<Sym>, Heap)> = None;
        if self.may_be_foreign(callee, args.first()) {
            self.change_by_contract(callee, type_args, args);
            result = Some((self.any_outs(outs, f), self.heap.clone()));
        }
        // Merge the possible implementations, starting each from the heap before the call.
        for (cond, callee, type_args) in choices.into_iter().rev() {
            self.heap = heap.clone();
            let args = &*self.seen_by(callee, args);
            let end = self.under(cond, |e| {
                e.call_one(callee, &type_args, args, outs, f, site)
            });
            result = Some(match result {
                None => (end, self.heap.clone()),
                Some((values, other)) => {
                    let merged = end
                        .iter()
                        .zip(&values)
                        .map(|(a, b)| self.merge(cond, a, b))
                        .collect();
                    let now = self.heap.clone();
                    (merged, self.merge_heaps(cond, &now, &other))
                }
            });
        }
        if let Some((values, heap)) = result {
            self.heap = heap;
            for (v, value) in outs.iter().zip(values) {
                if let Some(v) = v {
                    f.set(*v, value);
                }
            }
        }
    }

    pub(super) fn call_one(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        outs: &[Option<Var>],
        f: &mut Frame<'p>,
        site: Span,
    ) -> Vec<Sym> {
        let depth = self.work.active.get(&callee).copied().unwrap_or(0);
        let Some(proc) = self
            .program
            .procedures
            .get(&callee)
            .filter(|_| !self.is_redefined(callee, args.first()))
        else {
            if self.program.functions.contains_key(&callee)
                || self.is_redefined(callee, args.first())
            {
                let ty = outs
                    .first()
                    .copied()
                    .flatten()
                    .and_then(|v| f.type_of(v))
                    .unwrap_or(Type::Error);
                return vec![self.call(callee, type_args, args, None, &ty, Some(site))];
            }
            self.no_body(callee, outs, f);
            return outs
                .iter()
                .map(|v| v.map_or(Sym::Any, |v| f.get(v)))
                .collect();
        };
        // In order of cost: an equal earlier call, a shared copy, inlining, and finally giving up
        // at a bound.
        if let Some(results) = self.recalled(callee, type_args, args, depth, site) {
            return results;
        }
        if depth <= self.deepest(callee)
            && self.shares(proc, type_args)
            && let Some(results) = self.call_shared(proc, type_args, args, depth, Some(site))
        {
            return results;
        }
        match self.stops(callee, depth) {
            Some(bound) => self.stop(bound, callee, type_args, args, &types_of(outs, f)),
            None => self.inline(proc, type_args, args, depth, site),
        }
    }

    pub(super) fn any_outs(&mut self, outs: &[Option<Var>], f: &Frame<'p>) -> Vec<Sym> {
        outs.iter()
            .map(|v| match v.and_then(|v| f.type_of(v)) {
                Some(ty) => self.any(&ty),
                None => Sym::Any,
            })
            .collect()
    }

    /// Handles a call of a method without a body: under [`Mode::Cut`] the path ends, under
    /// [`Mode::Havoc`] anything may be returned.
    pub(super) fn no_body(&mut self, callee: CallableId, outs: &[Option<Var>], f: &mut Frame<'p>) {
        self.omissions
            .reasons
            .insert(Reason::without_body(&self.program.typed, callee));
        if self.mode == Mode::Cut {
            let never = self.t.ff;
            self.require(never);
        }
        self.havoc_heap();
        let values = self.any_outs(outs, f);
        for (v, value) in outs.iter().zip(values) {
            if let Some(v) = v {
                f.set(*v, value);
            }
        }
    }

    pub(super) fn new_array(
        &mut self,
        elem: &Type,
        dims: &'p [Expr],
        init: &'p ArrayInit,
        f: &mut Frame<'p>,
    ) -> Sym {
        let ty = Type::Array {
            dims: dims.len() as u32,
            nullable: false,
            elem: Box::new(elem.clone()),
        };
        let lengths: Vec<Sym> = dims.iter().map(|d| self.eval(d, f)).collect();
        let n = match lengths.as_slice() {
            // Arrays of several dimensions have a representation of their own.
            [n] => n.scalar(),
            _ => return self.new_grid(ty, elem, &lengths, init, f),
        };
        let Some(n) = n.map(|n| self.index_term(n)) else {
            return self.any(&ty);
        };
        let contents = match init {
            ArrayInit::Elements(es) => {
                let slots: Vec<Sym> = es.iter().map(|e| self.eval(e, f)).collect();
                Sym::seq(self.t.int(slots.len() as i64), slots, Rest::Nothing)
            }
            ArrayInit::Function(func) => {
                let func = self.eval(func, f);
                self.seq_init(n, &func, elem)
            }
            ArrayInit::Default => {
                let zero = self.t.int(0);
                let ok = self.t.le(zero, n);
                self.require(ok);
                // The number of slots is the known upper bound of the length, or else the bound of
                // the search.
                let known = self.interval(n).1.and_then(|h| usize::try_from(h).ok());
                let count = known
                    .unwrap_or(self.bounds.collection as usize * 2)
                    .min(256);
                let end = self.t.int(count as i64);
                // A larger array than the slots crosses the bound.
                let over = self.t.lt(end, n);
                if over != self.t.ff {
                    self.under(over, |e| e.cross(BoundKind::Collection));
                }
                // In a havoc encoding, elements beyond the slots remain possible.
                let open = over != self.t.ff && self.mode == Mode::Havoc;
                let slots = (0..count).map(|_| self.left_open(elem)).collect();
                Sym::seq(n, slots, self.unknown_rest(open))
            }
        };
        let Sym::Seq(s) = contents else {
            return self.any(&ty);
        };
        self.allocate(SymObject {
            ty,
            contents: SymContents::Array(s),
        })
    }

    pub(super) fn new_grid(
        &mut self,
        ty: Type,
        elem: &Type,
        lengths: &[Sym],
        init: &'p ArrayInit,
        f: &mut Frame<'p>,
    ) -> Sym {
        let lengths: Option<Vec<Term>> = lengths
            .iter()
            .map(|n| n.scalar().map(|t| self.index_term(t)))
            .collect();
        let Some(dims) = lengths else {
            return self.any(&ty);
        };
        let zero = self.t.int(0);
        // The product of the dimensions grows quickly, so their sizes are small.
        let wanted: Vec<usize> = dims
            .iter()
            .map(|n| {
                let known = self.interval(*n).1.and_then(|h| usize::try_from(h).ok());
                known.unwrap_or(self.bounds.collection as usize + 1).min(8)
            })
            .collect();
        let caps = SymGrid::caps(wanted);
        for (n, cap) in dims.iter().zip(&caps) {
            let ok = self.t.le(zero, *n);
            self.require(ok);
            let end = self.t.int(*cap as i64);
            let over = self.t.lt(end, *n);
            if over != self.t.ff {
                self.under(over, |e| e.cross(BoundKind::Collection));
            }
        }
        let mut grid = SymGrid {
            dims,
            caps,
            slots: Vec::new(),
        };
        let places = grid.places();
        grid.slots = match init {
            ArrayInit::Elements(es) => es.iter().map(|e| self.eval(e, f)).collect(),
            ArrayInit::Default => places.iter().map(|_| self.left_open(elem)).collect(),
            ArrayInit::Function(func) => {
                let func = self.eval(func, f);
                let mut slots = Vec::with_capacity(places.len());
                for place in &places {
                    let indices: Vec<Sym> = place.iter().map(|i| self.int(*i)).collect();
                    // The initializer is applied only to indices inside the array, since its
                    // precondition may exclude others.
                    let mut inside = self.t.tt;
                    for (i, n) in indices.iter().filter_map(Sym::scalar).zip(&grid.dims) {
                        let ok = self.t.lt(i, *n);
                        inside = self.t.and(inside, ok);
                    }
                    slots.push(self.under(inside, |e| e.apply(&func, &indices, elem)));
                }
                slots
            }
        };
        self.allocate(SymObject {
            ty,
            contents: SymContents::Grid(Rc::new(grid)),
        })
    }

    /// Whether a choice is encoded as free. Otherwise the rule for choices is followed. `open` is
    /// the condition under which there is a choice.
    pub(super) fn is_free(&mut self, open: Term) -> bool {
        self.omissions.choices |= open != self.t.ff;
        self.choices.free
    }

    /// Records the resolution of a choice, which execution reaches under `pc`.
    pub(super) fn note(&mut self, at: Opening, pc: Term, taken: Taken) {
        if self.choices.free && self.mode == Mode::Cut && self.path.specifying == 0 {
            let context = self.context();
            let when = self.t.and(context, pc);
            self.choices.opened.push(Opened { at, when, taken });
        }
    }

    /// Records the read of a location without a value, which is a choice.
    pub(super) fn leave_open(&mut self) {
        self.omissions.choices |= self.path.guard != self.t.ff;
    }

    /// Returns a value that the language leaves open: arbitrary if choices are free, otherwise the
    /// default.
    pub(super) fn left_open(&mut self, ty: &Type) -> Sym {
        let open = self.path.guard;
        if self.is_free(open) {
            self.any(ty)
        } else {
            self.default_of(ty)
        }
    }

    /// Returns the default value of a type; an arbitrary value if the type has none.
    pub(super) fn default_of(&mut self, ty: &Type) -> Sym {
        // The same default values as in the official compilers; other types have an arbitrary
        // value.
        match self.typed().representation(ty) {
            Type::Bool => Sym::Bool(self.t.ff),
            Type::Int => self.int(0),
            Type::Char => Sym::Char(self.t.int(u32::from(b'D'))),
            Type::Real => Sym::Real(
                self.t
                    .real(num_rational::BigRational::from_integer(0.into())),
            ),
            Type::Bv(0) => Sym::Bv(self.t.int(0)),
            Type::Bv(w) => Sym::Bv(self.t.bv(w, 0u32.into())),
            Type::Seq(_) => {
                let zero = self.t.int(0);
                Sym::seq(zero, Vec::new(), Rest::Nothing)
            }
            Type::Set { .. } => Sym::set(Vec::new(), self.t.ff),
            Type::Multiset(_) => Sym::multiset(Vec::new(), self.t.ff),
            Type::Map { .. } => Sym::map(Vec::new(), self.t.ff),
            other @ (Type::Ordinal | Type::Tuple(_) | Type::Arrow { .. } | Type::Array { .. }) => {
                self.any(&other)
            }
            other @ (Type::Object { .. } | Type::Named { .. } | Type::Param(_) | Type::Error) => {
                self.any(&other)
            }
        }
    }

    /// Encodes a `forall` statement: evaluates all right-hand sides before the first store.
    pub(super) fn forall_store(
        &mut self,
        q: &'p Quantified,
        target: &'p StoreTarget,
        value: &'p Expr,
        f: &mut Frame<'p>,
    ) {
        let mut stores: Vec<(Term, Sym, Vec<Sym>, Sym)> = Vec::new();
        let others = match q.bounds {
            Some(_) => self.for_each(q, f, &mut |s, f, cond| {
                let (object, indices) = match target {
                    StoreTarget::Field(o, _) => (s.eval(o, f), Vec::new()),
                    StoreTarget::Element(a, is) => {
                        (s.eval(a, f), is.iter().map(|i| s.eval(i, f)).collect())
                    }
                };
                let v = s.eval(value, f);
                stores.push((cond, object, indices, v));
            }),
            None => self.t.tt,
        };
        // Stores to unlisted places may hit anything.
        if others != self.t.ff {
            self.omissions.reasons.insert(Unencoded::Forall);
            self.havoc_heap();
            return;
        }
        for (cond, object, indices, v) in stores {
            let before = self.heap.clone();
            self.under(cond, |s| match target {
                StoreTarget::Field(_, field) => s.write_field(&object, *field, &v),
                StoreTarget::Element(..) => s.write_element(&object, &indices, &v),
            });
            let after = self.heap.clone();
            self.heap = self.merge_heaps(cond, &after, &before);
        }
    }
}
