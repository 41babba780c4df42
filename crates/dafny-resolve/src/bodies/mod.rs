//! Resolution of bodies: from the parsed tree to the typed tree.
//!
//! [`resolve_bodies`] resolves every piece of [`Context::work`] on its own. `expr`, `stmt` and
//! their siblings build the typed tree with inference variables in its types ([`infer`]). `zonk`
//! replaces the variables by the inferred types. `bounds` and `ghost` then fill in the parts that
//! depend on final types. A piece with an error loses only its own body.
//!
//! Names are looked up in Dafny's order: variables, then members of the enclosing type (for
//! functions outside of types, of the module itself), then constructors, types and modules, then
//! functions of the module.
//!
//! The hard part is the order of errors: Dafny reports errors of names at once, and errors of types
//! when it solves its constraints, in rounds ([`Round`]). [`Resolver::solve`] reproduces this.

mod allocate;
mod assign;
pub mod attributes;
mod binders;
mod bounds;
mod callables;
mod calls;
mod control;
mod conversions;
mod corecursion;
mod elements;
mod expr;
mod fail;
mod ghost;
mod infer;
mod iterator;
mod literals;
mod members;
mod membership;
mod names;
mod narrow;
mod needs;
mod operators;
mod pattern;
pub(super) mod pools;
mod reveal;
mod scope;
mod spec;
mod split;
mod stmt;
mod termination;
#[cfg(test)]
mod tests;
mod updates;
mod values;
mod variables;
mod walk;
mod zonk;

use std::sync::Arc;

use crate::typed::{
    CallableId, Clause, CtorId, Expr, ExprKind, FieldId, Formal, LocalId, ModuleId, Type,
    TypeDeclKind, TypeId,
};
use attributes::AttributeScope;
use conversions::Test;
pub(super) use corecursion::constructs;
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast;
pub(super) use infer::is_variable;
use infer::{Inference, VarKind};
use needs::Need;
use rustc_hash::FxHashMap;

use super::context::{BodyWork, Context, TypeScope};
use super::graph::Declaration;
use super::passes::Pass;

/// Resolves all pieces of [`Context::work`].
pub fn resolve_bodies(context: &mut Context) {
    let work: Arc<[BodyWork]> = std::mem::take(&mut context.work).into();
    let has_body = |w: &BodyWork| match w {
        BodyWork::Function { id, ast } => {
            (ast.body.is_some() || ast.by_method.is_some()).then_some(*id)
        }
        BodyWork::Method { id, ast } => ast.body.is_some().then_some(*id),
        BodyWork::ConstValue { .. }
        | BodyWork::Constraint { .. }
        | BodyWork::CtorDefaults { .. }
        | BodyWork::IteratorHead { .. }
        | BodyWork::Iterator { .. }
        | BodyWork::Attributes { .. } => None,
    };
    context.callables.with_body = work.iter().filter_map(has_body).collect();
    let inferred = |w: &BodyWork| match w {
        BodyWork::Constraint {
            ty,
            infer_base: true,
            ..
        } => Some(Declaration::Type(*ty)),
        BodyWork::ConstValue {
            field,
            untyped: true,
            ..
        } => Some(Declaration::Const(*field)),
        BodyWork::Constraint { .. }
        | BodyWork::ConstValue { .. }
        | BodyWork::Function { .. }
        | BodyWork::Method { .. }
        | BodyWork::CtorDefaults { .. }
        | BodyWork::IteratorHead { .. }
        | BodyWork::Iterator { .. }
        | BodyWork::Attributes { .. } => None,
    };
    context.types.inferred = work.iter().filter_map(inferred).collect();
    let mut resolver = Resolver::new(context, work.clone());
    // Omitted bases of newtypes first, since other pieces need the types. Constants and default
    // values are resolved on demand.
    for (i, piece) in work.iter().enumerate() {
        if matches!(
            piece,
            BodyWork::Constraint {
                infer_base: true,
                ..
            }
        ) {
            resolver.run(i);
        }
    }
    // Then all constraints: bounds of quantifiers need the ranges of newtypes, which come from
    // constraints over constants. Constants wait, because a constant's value may quantify over a
    // newtype.
    for (i, piece) in work.iter().enumerate() {
        if matches!(piece, BodyWork::Constraint { .. }) {
            resolver.run(i);
        }
    }
    resolver.newtype_bases();
    for (i, piece) in work.iter().enumerate() {
        if matches!(piece, BodyWork::ConstValue { .. }) {
            resolver.run(i);
        }
    }
    resolver.cx.diagnostics.enter(Pass::GhostTypes);
    super::native::select(resolver.cx);
    for i in 0..work.len() {
        resolver.run(i);
    }
}

/// Decides what is ghost, and which arguments of constructors are evaluated lazily.
pub fn settle_ghosts(context: &mut Context) {
    context.diagnostics.enter(Pass::Ghost);
    ghost::check(context);
    let program = &mut context.program;
    corecursion::mark(program);
    if !program.whole_bodies.is_empty() {
        // Co-recursive calls are also marked in the bodies with proof-only branches.
        program.exchange_whole_bodies();
        corecursion::mark(program);
        program.exchange_whole_bodies();
    }
}

/// The scope and inference state of one piece of work.
#[derive(Debug)]
struct State {
    inf: Inference,
    /// The variables and labels in scope.
    scope: scope::Scope,
    types: TypeScope,
    module: ModuleId,
    owner: Option<TypeId>,
    /// The type of `this`, if available.
    this: Option<Type>,
    callable: Option<CallableId>,
    /// The declaration being resolved.
    declaration: Option<Declaration>,
    /// The out-parameters that `return` assigns to.
    outs: Vec<LocalId>,
    /// Whether the statement precedes `new;` in a constructor.
    first_phase: bool,
    /// In an iterator, the fields for the yield-parameters, which `yield` assigns to.
    yields: Option<Vec<FieldId>>,
    /// The number of the first variable of this piece of work.
    first_local: usize,
    /// Memberships and index expressions whose collection type is not known yet.
    pending: Vec<Pending>,
    errors: usize,
    /// The number of errors that count only in the absence of others.
    unclear: usize,
    /// Errors of types, in the order found. Dafny reports them after errors of names, when it
    /// solves its constraints.
    late: Vec<Late>,
    /// The number of constraints on types so far.
    demands: usize,
    /// The number of times that the older type system has solved its constraints; see
    /// [`Resolver::solve_partly`].
    segment: u32,
    /// The number of inference variables when it did so last.
    solved: usize,
    /// Requirements on types, checked when the types are known.
    needs: Vec<Need>,
    /// Inference variables already reported as underspecified.
    reported: rustc_hash::FxHashSet<usize>,
    /// Type tests and conversions, checked when the types are known.
    tests: Vec<Test>,
    /// Omitted type arguments in conversions and tests, with the spans of these.
    left_out: Vec<(Type, Span)>,
    /// Whether the enclosing code may not terminate (`decreases *`).
    diverges: bool,
}

/// A constraint that waits for the type of a collection.
#[derive(Debug)]
enum Pending {
    /// `elem in collection`.
    In {
        elem: Type,
        collection: Type,
        span: Span,
    },
    /// `collection[index]` has type `result`.
    Index {
        collection: Type,
        index: Type,
        result: Type,
        span: Span,
    },
    /// An assignment to an element of the collection.
    Element { collection: Type, span: Span },
}

/// The round in which Dafny reports an error of types. Dafny solves its constraints in rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// A type has to be a supertype of another: operands with a common type, conditions.
    Supertype,
    /// Assignments, and all other constraints.
    Others,
    /// Constraints that depend on types which other constraints determine, as for `<` and `>` in
    /// the new type system.
    Guarded,
    /// Like [`Self::Others`], for a literal whose type the context determines.
    Literals,
    /// The operands of an equality.
    Comparable,
    /// Requirements that a type be of some kind ([`needs`]).
    Needs,
    /// The same for the operands of `<` and `>`.
    StrictOrder,
    /// Like [`Self::Comparable`], for an element and a collection. The new type system adds the
    /// requirement when the type of the collection is known.
    Deferred,
    /// Conversions and type tests.
    Conversions,
}

impl Round {
    /// The position of the round.
    ///
    /// The new type system first compares known types with each other, then the types that it
    /// infers from them, and then those that depend on these. When all types are known, it confirms
    /// everything else in the order of the constraints, with those at the end that other
    /// constraints have added.
    fn rank(self, refresh: bool) -> u8 {
        if refresh {
            return match self {
                Self::Others => 0,
                Self::Supertype => 1,
                Self::Guarded => 2,
                Self::Comparable | Self::Needs | Self::Conversions | Self::Literals => {
                    Self::CONFIRMED
                }
                Self::StrictOrder | Self::Deferred => Self::CONFIRMED + 1,
            };
        }
        match self {
            Self::Supertype => 0,
            Self::Others | Self::Guarded | Self::Comparable | Self::Deferred => 1,
            Self::Needs | Self::Conversions | Self::StrictOrder => 1,
            Self::Literals => 2,
        }
    }

    /// The first rank of the new type system that needs all types to be known.
    const CONFIRMED: u8 = 3;
}

/// An error of types with its position in Dafny's order.
#[derive(Debug)]
struct Late {
    /// The value of [`State::segment`] when the error was found. Errors of earlier segments come
    /// first.
    segment: u32,
    round: Round,
    order: usize,
    diagnostic: Diagnostic,
}

struct Resolver<'c> {
    cx: &'c mut Context,
    work: Arc<[BodyWork]>,
    done: Vec<bool>,
    consts: FxHashMap<FieldId, usize>,
    callables: FxHashMap<CallableId, usize>,
    ctors: FxHashMap<CtorId, usize>,
    defaults_done: rustc_hash::FxHashSet<CallableId>,
    st: State,
}

impl<'c> Resolver<'c> {
    fn new(cx: &'c mut Context, work: Arc<[BodyWork]>) -> Self {
        // An index of the work, so that a declaration is resolved on demand when another one needs
        // it.
        let (mut consts, mut callables, mut ctors) = (
            FxHashMap::default(),
            FxHashMap::default(),
            FxHashMap::default(),
        );
        for (i, piece) in work.iter().enumerate() {
            match piece {
                BodyWork::Function { id, .. } | BodyWork::Method { id, .. } => {
                    callables.insert(*id, i);
                }
                BodyWork::ConstValue { field, .. } => {
                    consts.insert(*field, i);
                }
                BodyWork::CtorDefaults { ctor, .. } => {
                    ctors.insert(*ctor, i);
                }
                BodyWork::IteratorHead {
                    ty, constructor, ..
                } => {
                    // The head of an iterator determines the types of the fields for its measure.
                    callables.insert(*constructor, i);
                    if let TypeDeclKind::Iterator(parts) = &cx.program[*ty].kind {
                        consts.extend(parts.decreases.iter().map(|f| (*f, i)));
                    }
                }
                BodyWork::Constraint { .. }
                | BodyWork::Iterator { .. }
                | BodyWork::Attributes { .. } => {}
            }
        }
        let done = vec![false; work.len()];
        let st = State::new(
            cx,
            ModuleId(0),
            None,
            TypeScope {
                module: ModuleId(0),
                type_params: Vec::new(),
            },
        );
        Self {
            cx,
            work,
            done,
            consts,
            callables,
            ctors,
            defaults_done: Default::default(),
            st,
        }
    }

    /// Resolves a piece of work unless that has been done.
    fn run(&mut self, i: usize) {
        let work = self.work.clone();
        let (Some(piece), Some(done)) = (work.get(i), self.done.get_mut(i)) else {
            return;
        };
        // The flag is set before the work starts, so that cyclic declarations terminate.
        if std::mem::replace(done, true) {
            return;
        }
        // The pass determines the order of the diagnostics.
        // The new type system resolves declarations with a declared type in source order.
        let refresh = self.cx.program.options.type_system_refresh;
        let pass = match piece {
            BodyWork::ConstValue { untyped, .. } if refresh && !untyped => Pass::Bodies,
            BodyWork::Constraint { ty, .. }
                if refresh && !self.cx.types.inferred.contains(&Declaration::Type(*ty)) =>
            {
                Pass::Bodies
            }
            BodyWork::ConstValue { .. } | BodyWork::Constraint { .. } => Pass::Values,
            BodyWork::Attributes {
                scope: AttributeScope::OwnModule(_),
                ..
            } => Pass::Signatures,
            BodyWork::Function { .. }
            | BodyWork::Method { .. }
            | BodyWork::CtorDefaults { .. }
            | BodyWork::IteratorHead { .. }
            | BodyWork::Iterator { .. }
            | BodyWork::Attributes { .. } => Pass::Bodies,
        };
        let around = self.cx.diagnostics.enter(pass);
        match piece {
            BodyWork::Function { id, ast } => self.function(*id, ast),
            BodyWork::Method { id, ast } => self.method(*id, ast),
            BodyWork::ConstValue {
                field,
                ast,
                untyped,
            } => self.constant(*field, ast, *untyped),
            BodyWork::Constraint {
                ty,
                ast,
                infer_base,
            } => self.constraint(*ty, ast, *infer_base),
            BodyWork::CtorDefaults { ctor, ast } => self.ctor_defaults(*ctor, ast),
            BodyWork::IteratorHead {
                ty,
                constructor,
                ast,
            } => self.iterator_head(*ty, *constructor, ast),
            BodyWork::Iterator { ty, ast } => self.iterator(*ty, ast),
            BodyWork::Attributes { scope, ast } => self.declaration_attributes(*scope, ast),
        }
        self.cx.diagnostics.enter(around);
    }

    /// Runs `act` with a fresh state, and solves its constraints at the end.
    fn within<T>(&mut self, state: State, act: impl FnOnce(&mut Self) -> T) -> T {
        // A piece of another module sees the types that its own module sees.
        let place = self.cx.look_from(Some(state.module));
        let module = &self.cx.program[state.module];
        let position = module.parent.map(|_| module.span.start);
        let around = self.cx.diagnostics.within(position);
        let outer = std::mem::replace(&mut self.st, state);
        let result = act(self);
        self.solve();
        self.st = outer;
        self.cx.diagnostics.within(around);
        self.cx.look_from(place);
        result
    }

    fn callable_state(&self, id: CallableId) -> State {
        let c = &self.cx.program[id];
        let mut st = State::new(self.cx, c.module, c.owner, self.cx.callable_scope(id));
        st.callable = Some(id);
        st.declaration = Some(Declaration::Callable(id));
        if c.is_static {
            st.this = None;
        }
        st.outs = c.outs.iter().map(|f| f.local).collect();
        st
    }

    fn bring_in(&mut self, formals: &[Formal]) {
        for f in formals {
            self.enter(f.local);
        }
    }

    /// Brings a variable into scope.
    fn enter(&mut self, local: LocalId) {
        self.st
            .scope
            .enter(self.cx.program[local].name.clone(), local);
    }

    fn scope_of(&self, module: ModuleId, owner: Option<TypeId>) -> TypeScope {
        owner.map_or_else(
            || self.cx.type_scope(module, &[]),
            |t| self.cx.type_decl_scope(t),
        )
    }

    /// The type of a field. An omitted type is inferred first.
    fn field_type(&mut self, field: FieldId) -> Type {
        if self.cx.types.untyped_consts.contains(&field)
            && let Some(&i) = self.consts.get(&field)
        {
            self.run(i);
            // Still unknown: the value is being resolved further out, so that it depends on itself.
            if self.cx.types.untyped_consts.contains(&field) {
                let f = &self.cx.program[field];
                let message = format!("the type of the constant `{}` depends on itself", f.name);
                let d = Diagnostic::error("resolve/underspecified-type", f.span, message);
                self.cx.diagnostics.push_in(
                    Pass::Inference,
                    d.with_help(format!(
                        "add a type annotation: `const {}: T`",
                        self.cx.program[field].name
                    )),
                );
                return Type::Error;
            }
        }
        self.cx.program[field].ty.clone()
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.st.errors += 1;
        self.cx.diagnostics.push(diagnostic);
    }

    fn error(&mut self, id: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(id, span, message));
    }

    /// Records an error of types.
    fn mismatch(&mut self, span: Span, message: impl Into<String>) {
        self.mismatch_in(Round::Others, span, message);
    }

    /// Records an error of an operand whose type selects the rule for an expression. The new type
    /// system waits until it knows that type.
    fn wrong_operand(&mut self, span: Span, message: impl Into<String>) {
        let round = if self.cx.program.options.type_system_refresh {
            Round::Guarded
        } else {
            Round::Others
        };
        self.mismatch_in(round, span, message);
    }

    /// Records an error of a type that is not of the required kind. The new type system confirms
    /// kinds when all types are known.
    fn wrong_kind(&mut self, span: Span, message: impl Into<String>) {
        let round = if self.cx.program.options.type_system_refresh {
            Round::Needs
        } else {
            Round::Others
        };
        self.mismatch_in(round, span, message);
    }

    /// Records an error of types for a specific round.
    fn mismatch_in(&mut self, round: Round, span: Span, message: impl Into<String>) {
        let diagnostic = Diagnostic::error("resolve/type-mismatch", span, message);
        self.late_error(round, diagnostic);
    }

    /// Records an error that Dafny finds when it solves constraints.
    fn late_error(&mut self, round: Round, diagnostic: Diagnostic) {
        self.st.errors += 1;
        let order = self.next_demand();
        self.st.late.push(Late {
            segment: self.st.segment,
            round,
            order,
            diagnostic,
        });
    }

    /// Ends the current segment if the older type system has to know the type of `e` here and has
    /// not determined it yet. It then solves those of the constraints so far that it can, and
    /// reports their errors before all later ones. Only literals are left to the end.
    fn solve_partly(&mut self, e: &Expr) {
        if self.cx.program.options.type_system_refresh {
            return;
        }
        if let Type::Param(p) = &e.ty
            && is_variable(*p)
        {
            // The type was known at the end of the previous segment; nothing has to be solved for
            // it.
            if !self.st.inf.is_unbound(&e.ty) && self.st.inf.is_older(*p, self.st.solved) {
                return;
            }
        } else if !operators::has_own_type(e) {
            return;
        }
        self.st.solved = self.st.inf.count();
        let (now, next) = (self.st.segment, self.st.segment.saturating_add(1));
        self.st.segment = next;
        // Dafny confirms a requirement when it is decided. One on a type that is still open waits.
        for need in &mut self.st.needs {
            need.postpone(&self.st.inf, now, next);
        }
    }

    /// The next position in the order of constraints on types.
    fn next_demand(&mut self) -> usize {
        self.st.demands += 1;
        self.st.demands
    }

    /// Finishes inference for the piece of work: retries pending constraints, checks requirements,
    /// and reports errors of types in Dafny's order.
    fn solve(&mut self) {
        // The order matters: pending constraints may bind types on which requirements depend, and
        // these report before tests and conversions.
        self.settle();
        self.check_needs();
        self.check_tests();
        self.check_literals();
        let mut late = std::mem::take(&mut self.st.late);
        let refresh = self.cx.program.options.type_system_refresh;
        late.sort_by_key(|l| {
            let rank = l.round.rank(refresh);
            if refresh {
                // Requirements are confirmed at the end, whatever was solved before.
                let is_confirmed = rank >= Round::CONFIRMED;
                let segment = if is_confirmed { l.segment } else { 0 };
                (u32::from(is_confirmed), segment, rank, l.order)
            } else if l.round == Round::Literals {
                (u32::MAX, 0, rank, l.order)
            } else {
                (l.segment, 0, rank, l.order)
            }
        });
        self.cx
            .diagnostics
            .extend(late.into_iter().map(|l| l.diagnostic));
    }

    /// Reports the literals that cannot have the types that their contexts require.
    fn check_literals(&mut self) {
        for misfit in self.st.inf.take_misfits() {
            let (expected, found) =
                self.st
                    .inf
                    .show_both(&self.cx.program, &misfit.expected, &misfit.found);
            self.st.errors += 1;
            self.st.late.push(Late {
                segment: misfit.origin.segment,
                round: if misfit.is_early {
                    Round::Guarded
                } else {
                    Round::Literals
                },
                order: misfit.origin.order,
                diagnostic: Diagnostic::error(
                    "resolve/type-mismatch",
                    misfit.origin.span,
                    format!("expected {expected}, found {found}"),
                ),
            });
        }
    }

    /// Reports the errors that the new type system has found at this point. It solves its
    /// constraints before every selection of a member.
    fn solved_so_far(&mut self) {
        if !self.cx.program.options.type_system_refresh {
            return;
        }
        self.st.segment = self.st.segment.saturating_add(1);
        let (mut now, later): (Vec<Late>, Vec<Late>) = std::mem::take(&mut self.st.late)
            .into_iter()
            // Only subtype constraints are solved early; everything else is confirmed at the end.
            .partition(|l| l.round.rank(true) < Round::CONFIRMED);
        now.sort_by_key(|l| (l.round.rank(true), l.order));
        self.st.late = later;
        self.cx
            .diagnostics
            .extend(now.into_iter().map(|l| l.diagnostic));
    }

    /// The replacement for an expression with a reported error.
    fn broken(&self, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Error,
            ty: Type::Error,
            span,
        }
    }

    fn show(&self, ty: &Type) -> String {
        self.st.inf.show(&self.cx.program, ty)
    }

    fn fresh(&mut self) -> Type {
        self.st.inf.fresh(VarKind::Any)
    }

    /// The type with bindings followed and subset types stripped at its head.
    fn base(&self, ty: &Type) -> Type {
        self.st.inf.base(&self.cx.program, ty)
    }

    /// Like [`Self::base`], with newtypes stripped too.
    fn representation(&self, ty: &Type) -> Type {
        let mut ty = self.base(ty);
        while let Type::Named { decl, args, .. } = &ty {
            let TypeDeclKind::Newtype(c) = &self.cx.program[*decl].kind else {
                break;
            };
            ty = self.base(&c.base.subst(&self.cx.program.substitution(*decl, args)));
        }
        ty
    }

    fn flow(&mut self, from: &Type, to: &Type) -> bool {
        self.st.inf.flow(&self.cx.program, from, to)
    }

    /// Like [`Self::ty`], but every omitted type argument has to be inferred, even if a synonym
    /// does not use it.
    fn type_to_be_known(&mut self, ty: &ast::Type, span: Span) -> Type {
        let before = self.st.inf.count();
        let result = self.ty(ty);
        self.st
            .left_out
            .extend(self.st.inf.since(before).map(|argument| (argument, span)));
        result
    }

    /// Resolves a written type. Omitted type arguments become inference variables.
    fn ty(&mut self, ty: &ast::Type) -> Type {
        let before = self.cx.diagnostics.len();
        let inf = &mut self.st.inf;
        let result = self
            .cx
            .resolve_type(&self.st.types, ty, &mut || inf.fresh_argument());
        self.st.errors += self.cx.diagnostics.len() - before;
        self.note_type(&result);
        result
    }

    /// Records the declared types that a written type mentions.
    fn note_type(&mut self, ty: &Type) {
        let Some(declaration) = self.st.declaration else {
            return;
        };
        ty.any(&mut |t| {
            if let Type::Named { decl, .. } = t {
                self.cx.types.written.insert((declaration, *decl));
            }
            false
        });
    }
}

impl State {
    fn new(cx: &Context, module: ModuleId, owner: Option<TypeId>, types: TypeScope) -> Self {
        Self {
            inf: Inference::default(),
            scope: scope::Scope::default(),
            types,
            module,
            owner,
            this: owner.map(|t| cx.self_type(t)),
            callable: None,
            declaration: None,
            outs: Vec::new(),
            first_phase: false,
            yields: None,
            first_local: cx.program.locals.len(),
            pending: Vec::new(),
            errors: 0,
            unclear: 0,
            late: Vec::new(),
            demands: 0,
            segment: 0,
            solved: 0,
            needs: Vec::new(),
            reported: Default::default(),
            tests: Vec::new(),
            left_out: Vec::new(),
            diverges: false,
        }
    }
}

/// Makes a clause of a condition.
fn clause(cond: Expr, label: Option<Name>) -> Clause {
    let span = cond.span;
    Clause { cond, label, span }
}
