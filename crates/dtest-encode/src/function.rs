//! Function calls, function values, and functions that are inputs.
//!
//! Key functions: [`Encoder::call`] with dispatch and sharing of equal calls; [`Encoder::ask`] for
//! functions that are tables; [`Encoder::apply`] for function values.

use std::rc::Rc;

use super::value::{Heap, Sym, SymFunc, SymLazy};
use super::walk::Reached;
use super::{BoundKind, Encoder, Frame, Hint, MAX_NESTING, Mode, Table};
use dafny_resolve::typed::{CallableId, Substitution, Type, TypeDeclKind};
use dafny_source::Span;
use dtest_ir::reason::Unencoded;
use dtest_ir::{Clause, Function, Num, Procedure};
use dtest_smt::{Sort, Term};
use dtest_value::Template;

/// The limit of different applications that a table stores. Further ones get the default.
pub(super) const MAX_ENTRIES: usize = 12;
/// The limit of rows of a table that is filled completely.
const MAX_ROWS: usize = 16;

impl<'p> Encoder<'p> {
    /// Encodes a function call: inlines the body, once for equal arguments and heaps. `site` is the
    /// place of the call in compiled code.
    pub(super) fn call(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        old: Option<Heap>,
        ty: &Type,
        site: Option<Span>,
    ) -> Sym {
        // A receiver with several possible types is dispatched for each of them.
        if let Some((Sym::OneOf(receivers), rest)) = args.split_first()
            && self.is_looked_up(callee)
        {
            let mut result = Sym::Undef;
            for (cond, receiver) in receivers.iter().rev() {
                let args: Vec<Sym> = std::iter::once(receiver).chain(rest).cloned().collect();
                let value = self.under(*cond, |e| {
                    e.call(callee, type_args, &args, old.clone(), ty, site)
                });
                result = self.merge(*cond, &value, &result);
            }
            return if result == Sym::Undef {
                self.any(ty)
            } else {
                result
            };
        }
        // A mock may redefine the function for single objects.
        if self.is_redefined(callee, args.first()) {
            return self.call_redefined(callee, type_args, args, old, ty, site);
        }
        self.call_declared(callee, type_args, args, old, ty, site)
    }

    /// Encodes a call of the member that the receiver's class declares.
    pub(super) fn call_declared(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        old: Option<Heap>,
        ty: &Type,
        site: Option<Span>,
    ) -> Sym {
        let Some(choices) = self.dispatch(callee, type_args, args.first()) else {
            return self.unsupported(Unencoded::NoImplementation, ty);
        };
        // An unknown class may implement the member in any way.
        let mut result = if self.may_be_foreign(callee, args.first()) {
            self.any(ty)
        } else {
            Sym::Undef
        };
        // Merged from the last to the first implementation: their conditions exclude each other.
        for (cond, callee, type_args) in choices.into_iter().rev() {
            let args = &*self.seen_by(callee, args);
            let value = self.under(cond, |e| {
                e.call_static(callee, &type_args, args, old.clone(), ty, site)
            });
            result = if result == Sym::Undef {
                value
            } else {
                self.merge(cond, &value, &result)
            };
        }
        if result == Sym::Undef {
            self.any(ty)
        } else {
            result
        }
    }

    /// Encodes a call of a known function: from an equal call before, in a shared copy, by inlining,
    /// or, beyond the bound of the depth, as any value that satisfies the contract.
    fn call_static(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        old: Option<Heap>,
        ty: &Type,
        site: Option<Span>,
    ) -> Sym {
        if self.path.guard == self.t.ff {
            return self.any(ty);
        }
        let Some(function) = self.program.functions.get(&callee) else {
            return self.bodiless(callee, type_args, args, ty);
        };
        // Recursion on constants terminates by itself, like `Pow(2, 32)`, and costs little, so that
        // it does not count as depth.
        let concrete = !args.is_empty() && args.iter().all(|a| self.is_concrete(a));
        let depth = if concrete {
            0
        } else {
            self.work.active.get(&callee).copied().unwrap_or(0)
        };
        // Equal calls in the same heap share one encoding, unless they may choose differently or
        // their arguments are vague.
        let key = (
            callee,
            type_args.to_vec(),
            args.to_vec(),
            self.heap.version,
            depth,
        );
        let same =
            old.is_none() && self.same_terms_are_equal(args) && !self.may_differ(callee, args);
        if let Some((value, defined, activation)) =
            self.calls.memo.get(&key).filter(|_| same).cloned()
        {
            self.enters(activation, site);
            self.require(defined);
            return value;
        }
        if !concrete
            && old.is_none()
            && let Some(value) = self.call_in_shared_copy(callee, type_args, args, depth, site)
        {
            return value;
        }
        // The unit itself and its first call are the same activation with respect to the bound.
        if let Some(bound) = if concrete {
            self.too_deep()
        } else {
            self.stops(callee, depth)
        } {
            self.cross(bound);
            let value = self.any(ty);
            self.assume_result_contract(key, &value);
            return value;
        }
        let outer = self.work.active.get(&callee).copied().unwrap_or(0);
        self.work
            .active
            .insert(callee, if concrete { outer } else { depth + 1 });
        self.work.nesting += 1;
        let activation = self.begin();
        let mut reached = Reached::default();
        let (value, defined) = if old.is_none()
            && self.is_counted(callee)
            && let Some(procedure) = self.program.procedures.get(&callee)
        {
            // Callees with goals are walked block by block, in order to record the goals. A call
            // in an older state is a specification and has no goals.
            self.work.active.insert(callee, depth);
            self.walk_function(procedure, type_args, args, &mut reached)
        } else {
            self.eval_body(function, type_args, args, old)
        };
        self.end(activation, callee, reached);
        self.enters(activation, site);
        self.work.nesting -= 1;
        self.work.active.insert(callee, outer);
        // An exhausted encoding is incomplete and must not be reused.
        if same && !self.work.exhausted {
            self.calls
                .memo
                .insert(key, (value.clone(), defined, activation));
        }
        self.require(defined);
        value
    }

    /// Uses a shared copy of the callee where calls are rationed, if one is left.
    fn call_in_shared_copy(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        depth: u32,
        site: Option<Span>,
    ) -> Option<Sym> {
        let procedure = self.program.procedures.get(&callee)?;
        if depth > self.deepest(callee) || !self.shares(procedure, type_args) {
            return None;
        }
        // A function by method may allocate, but its objects do not escape.
        let heap = self.heap.clone();
        let results = self.call_shared(procedure, type_args, args, depth, site);
        self.heap = heap;
        Some(results?.into_iter().next().unwrap_or(Sym::Any))
    }

    /// Evaluates the body of a function as an expression. Returns its value and the condition that
    /// it has one.
    fn eval_body(
        &mut self,
        function: &'p Function,
        type_args: &[Type],
        args: &[Sym],
        old: Option<Heap>,
    ) -> (Sym, Term) {
        let subst: Substitution = function
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let mut frame = Frame::new(&function.vars, Rc::new(subst));
        frame.bind(&function.params, args);
        if let Some(old) = old {
            frame.snapshots.insert(None, old);
        }
        self.isolated(|e| e.eval(&function.body, &mut frame))
    }

    fn too_deep(&self) -> Option<BoundKind> {
        (self.work.nesting > MAX_NESTING).then_some(BoundKind::Inline)
    }

    /// Walks the blocks of a function, which record the goals; returns its value and the condition
    /// that it has one.
    fn walk_function(
        &mut self,
        procedure: &'p Procedure,
        type_args: &[Type],
        args: &[Sym],
        reached: &mut Reached,
    ) -> (Sym, Term) {
        let subst: Substitution = procedure
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let (tt, heap) = (self.t.tt, self.heap.clone());
        let walk = |e: &mut Self| {
            e.isolated(|e| e.walk(procedure, args, &Rc::new(subst), tt, Some(reached)))
        };
        // The blocks are walked once for all calls. Their obligations are checked where a call is
        // made.
        let obligations = self.assumed.obligations.take();
        let (end, _) = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || walk(self));
        self.assumed.obligations = obligations;
        self.heap = heap;
        (
            end.outs.into_iter().next().unwrap_or(Sym::Any),
            end.returned,
        )
    }

    /// Whether arguments that look the same are equal. Two vague values need not be the same value;
    /// only under [`Mode::Cut`], where the interpreter validates the model, may they be taken for
    /// equal.
    pub(super) fn same_terms_are_equal(&self, args: &[Sym]) -> bool {
        self.mode == Mode::Cut || !args.iter().any(Sym::is_vague)
    }

    /// Whether an equal call may have a different result, because every activation makes its own
    /// choices.
    pub(super) fn may_differ(&mut self, callee: CallableId, args: &[Sym]) -> bool {
        let program = self.program;
        self.choices.free
            && (self.calls.choosers.may_choose(program, callee)
                || args.iter().any(|a| self.holds_chooser(a)))
    }

    /// Whether a value contains a function that makes a choice.
    fn holds_chooser(&mut self, s: &Sym) -> bool {
        let program = self.program;
        match s {
            // Only functions and delayed values contain code.
            Sym::Func(f) => match &**f {
                SymFunc::Table(_) => false,
                SymFunc::Lambda {
                    lambda, captures, ..
                } => {
                    self.calls.choosers.may_lambda_choose(program, *lambda)
                        || captures.iter().any(|c| self.holds_chooser(c))
                }
                SymFunc::Named {
                    callee, receiver, ..
                } => {
                    self.calls.choosers.may_choose(program, *callee)
                        || receiver.as_ref().is_some_and(|r| self.holds_chooser(r))
                }
                SymFunc::If(_, a, b) => self.holds_chooser(a) || self.holds_chooser(b),
            },
            Sym::Lazy(l) => match &**l {
                SymLazy::Code {
                    lambda, captures, ..
                } => {
                    self.calls.choosers.may_lambda_choose(program, *lambda)
                        || captures.iter().any(|c| self.holds_chooser(c))
                }
                SymLazy::Rest(_) => false,
                SymLazy::If(_, a, b) => self.holds_chooser(a) || self.holds_chooser(b),
            },
            Sym::Seq(s) => s.slots.iter().any(|x| self.holds_chooser(x)),
            Sym::Map(m) => m.slots.iter().any(|(_, _, v)| self.holds_chooser(v)),
            Sym::Tuple(xs) => xs.iter().any(|x| self.holds_chooser(x)),
            Sym::Data(d) => d
                .args
                .iter()
                .flatten()
                .any(|xs| xs.iter().any(|x| self.holds_chooser(x))),
            Sym::Newtype(n) => self.holds_chooser(&n.value),
            Sym::OneOf(all) => all.iter().any(|(_, x)| self.holds_chooser(x)),
            // Functions cannot be compared, so that sets and keys never contain one.
            Sym::Set(_) | Sym::Multiset(_) => false,
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Ref(_) => false,
            Sym::Any | Sym::Undef => false,
        }
    }

    /// Whether a value contains no variables.
    fn is_concrete(&self, s: &Sym) -> bool {
        let fixed = |t: &Term| self.t.as_const(*t).is_some();
        match s {
            Sym::Bool(t)
            | Sym::Int(t)
            | Sym::Char(t)
            | Sym::Real(t)
            | Sym::Bv(t)
            | Sym::Ordinal(t) => fixed(t),
            Sym::Seq(s) => fixed(&s.len) && s.slots.iter().all(|x| self.is_concrete(x)),
            Sym::Tuple(cs) => cs.iter().all(|c| self.is_concrete(c)),
            Sym::Newtype(n) => self.is_concrete(&n.value),
            Sym::Data(d) => {
                fixed(&d.tag)
                    && d.args
                        .iter()
                        .flatten()
                        .all(|a| a.iter().all(|x| self.is_concrete(x)))
            }
            Sym::Lazy(l) => match &**l {
                SymLazy::Code { captures, .. } => captures.iter().all(|c| self.is_concrete(c)),
                SymLazy::Rest(_) | SymLazy::If(..) => false,
            },
            Sym::Set(_)
            | Sym::Multiset(_)
            | Sym::Map(_)
            | Sym::OneOf(_)
            | Sym::Func(_)
            | Sym::Ref(_)
            | Sym::Any
            | Sym::Undef => false,
        }
    }

    /// Creates a table whose results are values of type `result`.
    pub(super) fn new_table(&mut self, result: Type, choice: Option<(Term, Vec<Template>)>) -> u32 {
        let default = self.input("default", &result);
        let id = self.objects.tables.len() as u32;
        self.objects.tables.push(Table {
            result,
            entries: Vec::new(),
            complete: false,
            default,
            choice,
            domain: None,
        });
        id
    }

    /// Creates a table for the precondition of a function. The function is total by default.
    pub(super) fn new_domain(&mut self) -> u32 {
        let id = self.new_table(Type::Bool, None);
        if let Some(Sym::Bool(everywhere)) = self
            .objects
            .tables
            .get(id as usize)
            .map(|t| t.default.clone())
        {
            self.prefers(everywhere);
        }
        id
    }

    /// Adds a preference for models in which the condition holds.
    fn prefers(&mut self, cond: Term) {
        let not = self.t.not(cond);
        let size = self.t.count(not);
        self.inputs.hints.push(Hint::Size(size));
    }

    /// Returns the condition that a table may be applied to the arguments.
    fn in_domain(&mut self, table: u32, args: &[Sym]) -> Term {
        let Some(domain) = self
            .objects
            .tables
            .get(table as usize)
            .and_then(|t| t.domain)
        else {
            return self.t.tt;
        };
        let before = self
            .objects
            .tables
            .get(domain as usize)
            .map_or(0, |t| t.entries.len());
        // The domain is itself a table of booleans.
        let Sym::Bool(may) = self.ask(domain, args) else {
            return self.t.fresh("any", Sort::Bool);
        };
        // A new question to the domain should be answered with true if possible.
        if self
            .objects
            .tables
            .get(domain as usize)
            .is_some_and(|t| t.entries.len() > before)
        {
            self.prefers(may);
        }
        may
    }

    /// Returns the result of a table: the result for equal arguments if they have a row, otherwise
    /// a fresh one in a new row.
    pub(super) fn ask(&mut self, table: u32, args: &[Sym]) -> Sym {
        self.ask_within(table, args, MAX_ENTRIES)
    }

    /// The same with another limit of rows.
    pub(super) fn ask_within(&mut self, table: u32, args: &[Sym], most: usize) -> Sym {
        let Some(t) = self.objects.tables.get(table as usize) else {
            return Sym::Any;
        };
        if let Some((_, answer)) = t
            .entries
            .iter()
            .find(|(a, _)| a == args && self.same_terms_are_equal(args))
        {
            return answer.clone();
        }
        let (result, earlier, default) = (t.result.clone(), t.entries.clone(), t.default.clone());
        let is_complete = t.complete;
        if is_complete || earlier.len() >= most {
            // A full table has the default for all other arguments.
            if self.mode == Mode::Havoc && !is_complete {
                return self.any(&result);
            }
            if !is_complete {
                self.omissions.narrowed.insert(Unencoded::AskedMuch);
            }
            let mut answer = default;
            for (a, r) in earlier.iter().rev() {
                let same = self.all_equal(a, args);
                answer = self.merge(same, r, &answer);
            }
            return answer;
        }
        let answer = self.input("answer", &result);
        // Functional consistency: equal arguments have equal results.
        for (a, r) in earlier {
            let same = self.all_equal(&a, args);
            if same != self.t.ff {
                let equal = self.equal(&r, &answer);
                let fact = self.t.implies(same, equal);
                self.assumed.facts.push(fact);
            }
        }
        if let Some(t) = self.objects.tables.get_mut(table as usize) {
            t.entries.push((args.to_vec(), answer.clone()));
        }
        answer
    }

    /// Fills a table completely if the parameter types are small. A complete table needs no
    /// consistency facts.
    pub(super) fn fill(&mut self, table: u32, params: &[Type]) {
        // The table is filled only if the arguments can be enumerated.
        let mut rows: Vec<Vec<Sym>> = vec![Vec::new()];
        for p in params {
            let Some(values) = self.all_values(p, 3) else {
                return;
            };
            rows = rows
                .iter()
                .flat_map(|r| {
                    values
                        .iter()
                        .map(move |v| r.iter().cloned().chain([v.clone()]).collect())
                })
                .collect();
            if rows.len() > MAX_ROWS {
                return;
            }
        }
        let Some(result) = self
            .objects
            .tables
            .get(table as usize)
            .map(|t| t.result.clone())
        else {
            return;
        };
        let entries = rows
            .into_iter()
            .map(|r| (r, self.input("answer", &result)))
            .collect();
        if let Some(t) = self.objects.tables.get_mut(table as usize) {
            t.entries = entries;
            // A complete table has an entry for all arguments.
            t.complete = true;
        }
    }

    /// Returns `f(args)`; `ty` is the concrete type of the result.
    pub(super) fn apply(&mut self, f: &Sym, args: &[Sym], ty: &Type) -> Sym {
        let Sym::Func(f) = f else {
            return self.apply_unknown(ty);
        };
        match &**f {
            SymFunc::Table(id) => {
                // Under [`Mode::Havoc`], executions continue after violations.
                if self.mode == Mode::Cut {
                    let may = self.in_domain(*id, args);
                    self.omissions.relies |= may != self.t.tt;
                    self.require(may);
                }
                let choice = self
                    .objects
                    .tables
                    .get(*id as usize)
                    .and_then(|t| t.choice.clone());
                let mut value = self.ask(*id, args);
                // A template replaces the table if the choice term selects it.
                if let Some((which, templates)) = choice {
                    for (i, template) in templates.iter().enumerate() {
                        let i = self.t.int(i as i64 + 1);
                        let is = self.t.eq(which, i);
                        if let Some(v) = self.template(*template, args) {
                            value = self.merge(is, &v, &value);
                        }
                    }
                }
                value
            }
            SymFunc::Lambda {
                lambda,
                captures,
                type_args,
            } => self.run_lambda(*lambda, captures, type_args, args, ty),
            SymFunc::Named {
                callee,
                type_args,
                receiver,
            } => {
                let args: Vec<Sym> = receiver.iter().chain(args).cloned().collect();
                self.call(*callee, type_args, &args, None, ty, None)
            }
            SymFunc::If(cond, a, b) => {
                let n = self.t.not(*cond);
                let x = self.alternative(*cond, |e| e.apply(a, args, ty));
                let y = self.alternative(n, |e| e.apply(b, args, ty));
                self.merge_alternatives(*cond, &x, &y)
            }
        }
    }

    /// Applies an unknown function. If goals of callees count, it may call any of them.
    fn apply_unknown(&mut self, ty: &Type) -> Sym {
        if self.calls.may_call_anything {
            self.unsupported(Unencoded::FunctionValue, ty)
        } else {
            self.any(ty)
        }
    }

    /// Evaluates the body of a lambda.
    pub(super) fn run_lambda(
        &mut self,
        lambda: u32,
        captures: &[Sym],
        type_args: &[Type],
        args: &[Sym],
        ty: &Type,
    ) -> Sym {
        let Some(l) = self.program.lambdas.get(lambda as usize) else {
            return self.any(ty);
        };
        // Recursion through function values is bounded by the nesting depth.
        if self.work.nesting > MAX_NESTING {
            self.cross(BoundKind::Inline);
            return self.any(ty);
        }
        self.work.nesting += 1;
        let mut frame = self.lambda_frame(lambda, captures, type_args, args);
        let value = self.eval(&l.body, &mut frame);
        self.work.nesting -= 1;
        value
    }

    fn lambda_frame(
        &mut self,
        lambda: u32,
        captures: &[Sym],
        type_args: &[Type],
        args: &[Sym],
    ) -> Frame<'p> {
        let Some(l) = self.program.lambdas.get(lambda as usize) else {
            return Frame::new(&[], Rc::default());
        };
        let subst: Substitution = l
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let mut frame = Frame::new(&l.vars, Rc::new(subst));
        frame.bind(&l.captures, captures);
        frame.bind(&l.params, args);
        frame
    }

    /// Returns `f.requires(args)`.
    pub(super) fn apply_requires(&mut self, f: &Sym, args: &[Sym]) -> Term {
        let Sym::Func(f) = f else {
            return self.t.fresh("any", Sort::Bool);
        };
        // The precondition of a conditional function is that of the chosen one.
        match &**f {
            SymFunc::Table(id) => self.in_domain(*id, args),
            SymFunc::Lambda {
                lambda,
                captures,
                type_args,
            } => {
                let Some(l) = self.program.lambdas.get(*lambda as usize) else {
                    return self.t.tt;
                };
                let mut frame = self.lambda_frame(*lambda, captures, type_args, args);
                self.in_specification(|e| e.clauses(&l.requires, &mut frame))
            }
            SymFunc::Named {
                callee,
                type_args,
                receiver,
            } => {
                let Some(contract) = self.program.contracts.get(callee) else {
                    return self.t.tt;
                };
                let subst: Substitution = contract
                    .type_params
                    .iter()
                    .copied()
                    .zip(type_args.iter().cloned())
                    .collect();
                let mut frame = Frame::new(&contract.vars, Rc::new(subst));
                let args: Vec<Sym> = receiver.iter().chain(args).cloned().collect();
                frame.bind(&contract.params, &args);
                self.in_specification(|e| e.clauses(&contract.requires, &mut frame))
            }
            SymFunc::If(cond, a, b) => {
                let (x, y) = (self.apply_requires(a, args), self.apply_requires(b, args));
                self.t.ite(*cond, x, y)
            }
        }
    }

    /// Returns the conjunction of clauses. Each clause is evaluated where the earlier ones hold.
    pub(super) fn clauses(&mut self, clauses: &[Clause], frame: &mut Frame<'p>) -> Term {
        let mut all = self.t.tt;
        for c in clauses {
            let holds = self.under(all, |e| e.eval_bool(&c.cond, frame));
            all = self.t.and(all, holds);
        }
        all
    }

    /// Returns the templates that fit a function type.
    pub(super) fn templates(&self, params: &[Type], result: &Type) -> Vec<Template> {
        let typed = self.typed();
        let numeric = |t: &Type| matches!(t, Type::Int | Type::Real);
        // Templates need arithmetic or an order on the argument types.
        let ordered =
            |t: &Type| matches!(typed.representation(t), Type::Int | Type::Real | Type::Char);
        match params {
            [a] if a == result && *a == Type::Int => vec![Template::Identity, Template::Successor],
            [a] if a == result => vec![Template::Identity],
            [a, b] if a == b && *result == Type::Bool && ordered(a) => {
                vec![Template::AtMost, Template::Less, Template::Equal]
            }
            [a, b] if a == b && *result == Type::Bool && typed.supports_equality(a) => {
                vec![Template::Equal]
            }
            [a, b] if a == b && a == result && numeric(a) => vec![Template::Add],
            _ => Vec::new(),
        }
    }

    fn template(&mut self, template: Template, args: &[Sym]) -> Option<Sym> {
        // The arguments determine the arithmetic of the template.
        let num = |s: &Sym| match s {
            Sym::Real(_) => Num::Real,
            Sym::Char(_) => Num::Char,
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Seq(_)
            | Sym::Set(_)
            | Sym::Multiset(_) => Num::Int,
            Sym::Map(_)
            | Sym::Tuple(_)
            | Sym::Data(_)
            | Sym::Newtype(_)
            | Sym::OneOf(_)
            | Sym::Func(_) => Num::Int,
            Sym::Lazy(_) | Sym::Ref(_) | Sym::Any | Sym::Undef => Num::Int,
        };
        let (a, b) = (args.first()?, args.get(1));
        Some(match template {
            Template::Identity => a.clone(),
            Template::Less => Sym::Bool(self.less(num(a), a.scalar()?, b?.scalar()?)),
            Template::AtMost => {
                let gt = self.less(num(a), b?.scalar()?, a.scalar()?);
                Sym::Bool(self.t.not(gt))
            }
            Template::Equal => Sym::Bool(self.equal(a, b?)),
            Template::Add => match (a, b?) {
                (Sym::Int(x), Sym::Int(y)) => Sym::Int(self.t.add(*x, *y)),
                (Sym::Real(x), Sym::Real(y)) => Sym::Real(self.t.radd(*x, *y)),
                (_, _) => return None,
            },
            Template::Successor => {
                if let Sym::Int(x) = a {
                    Sym::Int(self.t.plus(*x, 1))
                } else {
                    return None;
                }
            }
            Template::Mix | Template::Odd => return None,
        })
    }

    /// Returns the possible implementations of a call, each with its condition. The last one also
    /// covers all remaining cases.
    pub(super) fn dispatch(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        receiver: Option<&Sym>,
    ) -> Option<Vec<(Term, CallableId, Vec<Type>)>> {
        let typed = self.typed();
        let tt = self.t.tt;
        let own = vec![(tt, callee, type_args.to_vec())];
        let c = &typed[callee];
        let Some(owner) = c.owner.filter(|_| !c.is_static) else {
            return Some(own);
        };
        if !matches!(typed[owner].kind, TypeDeclKind::Trait { .. }) {
            return Some(own);
        }
        let own_params = type_args
            .len()
            .saturating_sub(typed[owner].type_params.len());
        let mut out = Vec::new();
        match receiver {
            Some(Sym::Ref(r)) => {
                let objects: Vec<(u32, Type)> = self
                    .heap
                    .objects
                    .iter()
                    .map(|(id, o)| (*id, o.ty.clone()))
                    .collect();
                // Every object of the heap whose class implements the member is a possible
                // receiver.
                for (id, ty) in objects {
                    let Type::Named { decl, args, .. } = &ty else {
                        continue;
                    };
                    let Some(target) = self.implementation(callee, *decl) else {
                        continue;
                    };
                    let is = self.is_object(*r, id);
                    if is == self.t.ff {
                        continue;
                    }
                    // Type arguments of the implementing class, as seen from the dynamic type, and
                    // those of the member itself.
                    let owner = typed[target]
                        .owner
                        .and_then(|owner| typed.supertype_args(&ty, owner));
                    let own = type_args.iter().skip(type_args.len() - own_params).cloned();
                    out.push((
                        is,
                        target,
                        owner
                            .unwrap_or_else(|| args.clone())
                            .into_iter()
                            .chain(own)
                            .collect(),
                    ));
                }
            }
            Some(Sym::Newtype(n)) => {
                let target = self.implementation(callee, n.decl)?;
                let ty = Type::named(n.decl, n.args.clone());
                let owner = typed[target]
                    .owner
                    .and_then(|owner| typed.member_args(&ty, owner))
                    .unwrap_or_default();
                out.push((
                    tt,
                    target,
                    owner
                        .into_iter()
                        .chain(type_args.iter().skip(type_args.len() - own_params).cloned())
                        .collect(),
                ));
            }
            Some(Sym::Data(d)) => {
                let target = self.implementation(callee, d.ty)?;
                out.push((tt, target, type_args.to_vec()));
            }
            _ => return None,
        }
        (!out.is_empty()).then_some(out)
    }

    /// Whether calls of a member are dispatched dynamically.
    pub(super) fn is_looked_up(&self, callee: CallableId) -> bool {
        let c = &self.typed()[callee];
        !c.is_static && c.owner.is_some_and(|t| self.typed().is_trait(t))
    }

    /// Returns the arguments as the body of `callee` expects them: members of a newtype get the
    /// bare value as `this`.
    pub(super) fn seen_by<'a>(
        &self,
        callee: CallableId,
        args: &'a [Sym],
    ) -> std::borrow::Cow<'a, [Sym]> {
        match args.split_first() {
            Some((Sym::Newtype(n), rest))
                if !self.typed()[callee].is_static && !self.is_looked_up(callee) =>
            {
                std::iter::once(&n.value)
                    .chain(rest)
                    .cloned()
                    .collect::<Vec<Sym>>()
                    .into()
            }
            _ => args.into(),
        }
    }

    /// Returns the member of a class that implements `callee`: an overriding member, or `callee`
    /// itself for a mock.
    fn implementation(
        &self,
        callee: CallableId,
        class: dafny_resolve::typed::TypeId,
    ) -> Option<CallableId> {
        let typed = self.typed();
        self.extends(class, typed[callee].owner?, 8)
            .then(|| typed.implementation(class, callee))
    }

    /// Whether the receiver of a call may have an unknown class: a reference that is no object of
    /// the table.
    pub(super) fn may_be_foreign(&self, callee: CallableId, receiver: Option<&Sym>) -> bool {
        let c = &self.typed()[callee];
        let in_trait = !c.is_static && c.owner.is_some_and(|t| self.typed().is_trait(t));
        match receiver {
            Some(Sym::Ref(r)) => self.mode == Mode::Havoc && in_trait && !self.is_closed(*r),
            Some(_) | None => false,
        }
    }

    /// Whether `class` is `parent` or extends it, directly or indirectly.
    pub(super) fn extends(
        &self,
        class: dafny_resolve::typed::TypeId,
        parent: dafny_resolve::typed::TypeId,
        depth: u32,
    ) -> bool {
        class == parent
            || depth > 0
                && self.typed()[class]
                    .parents
                    .iter()
                    .any(|p| matches!(p, Type::Named { decl, .. } if self.extends(*decl, parent, depth - 1)))
    }
}
