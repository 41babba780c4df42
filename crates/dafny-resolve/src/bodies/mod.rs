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

mod assign;
pub mod attributes;
mod binders;
mod bounds;
mod calls;
mod control;
mod conversions;
mod corecursion;
mod expr;
mod ghost;
mod infer;
mod iterator;
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
mod walk;
mod zonk;

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::typed::{
    Arena, Body, CallableId, CallableKind, Clause, CtorId, Expr, ExprKind, FieldId, FieldKind,
    Formal, LocalId, ModuleId, Spec, Type, TypeDeclKind, TypeId, Witness,
};
use dafny_syntax::ast;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::{Name, Span};

pub(super) use corecursion::constructs;
pub(super) use infer::is_variable;

use super::checks::undetermined_base;
use super::context::{BodyWork, Context, TypeScope};
use super::graph::Declaration;
use super::passes::Pass;
use attributes::AttributeScope;
use conversions::Test;
use infer::{Inference, VarKind};
use needs::Need;

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
    context.with_body = work.iter().filter_map(has_body).collect();
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
    context.inferred = work.iter().filter_map(inferred).collect();
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
                if refresh && !self.cx.inferred.contains(&Declaration::Type(*ty)) =>
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

    fn function(&mut self, id: CallableId, decl: &ast::FunctionDecl) {
        self.ensure_defaults(id);
        let mut state = self.callable_state(id);
        state.diverges = termination::diverges(&decl.spec);
        self.within(state, |r| {
            let (ins, outs) = (r.cx.program[id].ins.clone(), r.cx.program[id].outs.clone());
            r.bring_in(&ins);
            let result = outs.first().map(|f| (f.local, f.unnamed));
            let mut spec = Spec::default();
            // The result is in scope in postconditions only.
            r.clauses(&decl.spec, &mut spec, &|c| {
                !matches!(
                    c,
                    ast::ClauseKind::Ensures(_) | ast::ClauseKind::Decreases(_)
                )
            });
            let mark = r.st.scope.open();
            if let Some((local, false)) = result {
                r.enter(local);
            }
            r.clauses(&decl.spec, &mut spec, &|c| {
                matches!(c, ast::ClauseKind::Ensures(_))
            });
            r.attributes(&decl.modifiers.attributes);
            r.st.scope.close(mark);
            r.clauses(&decl.spec, &mut spec, &|c| {
                matches!(c, ast::ClauseKind::Decreases(_))
            });
            r.finish_spec(&mut spec);
            r.cx.program[id].spec = spec;
            let before = r.st.errors;
            let ty = result.map_or(Type::Error, |(l, _)| r.cx.program[l].ty.clone());
            r.labels_of_requires(&decl.spec);
            let body = decl.body.as_ref().map(|e| {
                let mut body = r.expr(e, Some(&ty));
                let place = r.cx.program[id].span;
                r.expect_at(&body.ty, &ty, body.span, place);
                r.finish_expr(&mut body);
                body
            });
            r.st.declaration = Some(Declaration::ByMethod(id));
            let by = decl.by_method.as_ref().map(|b| {
                let mark = r.st.scope.open();
                if let Some((local, _)) = result {
                    r.cx.program[local].mutable = true;
                    r.enter(local);
                }
                let mut block = r.block_here(b);
                r.st.scope.close(mark);
                r.finish_block(&mut block);
                block
            });
            r.finish_locals();
            if r.st.errors == before {
                r.cx.program[id].body = match (body, by) {
                    (Some(e), Some(b)) => Body::ByMethod(Box::new(e), b),
                    (Some(e), None) => Body::Expr(Box::new(e)),
                    (None, Some(b)) => Body::Block(b),
                    (None, None) => Body::None,
                };
            }
        });
    }

    fn method(&mut self, id: CallableId, decl: &ast::MethodDecl) {
        self.ensure_defaults(id);
        let mut state = self.callable_state(id);
        state.diverges = termination::diverges(&decl.spec);
        self.within(state, |r| {
            let (ins, outs) = (r.cx.program[id].ins.clone(), r.cx.program[id].outs.clone());
            r.bring_in(&ins);
            let mut spec = Spec::default();
            let constructor = r.cx.program[id].kind == CallableKind::Constructor;
            // The precondition of a constructor is evaluated before the object exists.
            let this = if constructor { r.st.this.take() } else { None };
            let before_body = if constructor {
                Cow::Owned(r.without_this(&decl.spec))
            } else {
                Cow::Borrowed(&decl.spec)
            };
            r.clauses(&before_body, &mut spec, &|c| {
                !matches!(c, ast::ClauseKind::Ensures(_))
            });
            r.st.this = if constructor { this } else { r.st.this.take() };
            // The outermost variables of the body share a scope with the out-parameters.
            let mark = r.st.scope.open();
            r.bring_in(&outs);
            r.clauses(&decl.spec, &mut spec, &|c| {
                matches!(c, ast::ClauseKind::Ensures(_))
            });
            r.finish_spec(&mut spec);
            r.cx.program[id].spec = spec;
            let before = r.st.errors;
            if let Some(b) = &decl.body {
                r.labels_of_requires(&decl.spec);
                // In the proof of an extreme lemma, `_k` is the limit of its prefix lemma.
                let limit =
                    r.cx.prefix_callables
                        .get(&id)
                        .and_then(|p| r.cx.program[*p].ins.first())
                        .map(|f| f.local);
                if let Some(limit) = limit {
                    r.enter(limit);
                }
                r.st.first_phase = constructor;
                let mut block = r.block_here(b);
                if constructor {
                    block.divided_at = Some(block.divided_at.unwrap_or(block.stmts.len()));
                }
                r.finish_block(&mut block);
                r.finish_locals();
                if r.st.errors == before {
                    r.cx.program[id].body = Body::Block(block);
                }
            }
            // Attributes may mention variables that the body declares.
            r.attributes(&decl.modifiers.attributes);
            r.finish_locals();
            r.st.scope.close(mark);
        });
    }

    fn constant(&mut self, field: FieldId, value: &ast::Expr, untyped: bool) {
        let f = &self.cx.program[field];
        let (module, owner, is_static) = (f.module, f.owner, f.is_static);
        let mut state = State::new(self.cx, module, owner, self.scope_of(module, owner));
        state.declaration = Some(Declaration::Const(field));
        if is_static {
            state.this = None;
        }
        self.within(state, |r| {
            let ty = r.cx.program[field].ty.clone();
            // The older type system resolves constants of the module before it infers an omitted
            // newtype base.
            let refresh = r.cx.program.options.type_system_refresh;
            // Bases in other modules have been inferred already.
            let early = !refresh
                && owner.is_none()
                && matches!(ty, Type::Named { decl, .. }
                    if r.is_inferred_newtype(decl) && r.cx.program[decl].module == module);
            let mut e = r.expr(value, Some(&ty).filter(|_| !untyped && !early));
            match r.st.inf.kind(&e.ty) {
                Some(VarKind::IntLike) if early => drop(r.flow(&e.ty, &Type::Int)),
                Some(VarKind::RealLike) if early => drop(r.flow(&e.ty, &Type::Real)),
                Some(_) | None => {}
            }
            if !untyped {
                let place = r.cx.program[field].span;
                r.expect_at(&e.ty, &ty, e.span, place);
            }
            let partly_inferred = untyped && !refresh && r.infers_arguments(&e);
            r.finish_expr(&mut e);
            r.finish_locals();
            if partly_inferred {
                r.cx.partly_inferred.insert(field);
            }
            if untyped {
                r.cx.program[field].ty = e.ty.clone();
                r.cx.hide_in_field(field);
                r.cx.untyped_consts.remove(&field);
            }
            if r.st.errors == 0 {
                r.cx.program[field].kind = FieldKind::Const(Some(Box::new(e)));
            }
        });
    }

    /// Whether arguments of the expression's type are inferred from the expression, and not from
    /// the declarations that it mentions.
    fn infers_arguments(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Tuple(parts) => !parts.is_empty(),
            ExprKind::Slice { .. } | ExprKind::MultisetFrom(_) => true,
            ExprKind::Lambda(lambda) => {
                lambda.has_type.contains(&false) || self.infers_arguments(&lambda.body)
            }
            ExprKind::SetComp { vars, term } => {
                self.infers_variables(&vars.vars) || self.infers_arguments(term)
            }
            ExprKind::MapComp { vars, key, value } => {
                self.infers_variables(&vars.vars)
                    || self.infers_arguments(key)
                    || self.infers_arguments(value)
            }
            _other_forms => self.st.inf.head(&e.ty).parts().any(infer::is_inferred),
        }
    }

    /// Whether the type of one of the variables is inferred.
    fn infers_variables(&self, vars: &[LocalId]) -> bool {
        vars.iter().any(|v| self.cx.program[*v].inferred)
    }

    /// Whether the base of the newtype is inferred.
    fn is_inferred_newtype(&self, ty: TypeId) -> bool {
        matches!(self.cx.program[ty].kind, TypeDeclKind::Newtype(_))
            && self.cx.inferred.contains(&Declaration::Type(ty))
    }

    fn scope_of(&self, module: ModuleId, owner: Option<TypeId>) -> TypeScope {
        owner.map_or_else(
            || self.cx.type_scope(module, &[]),
            |t| self.cx.type_decl_scope(t),
        )
    }

    fn constraint(&mut self, ty: TypeId, decl: &ast::Constrained, infer_base: bool) {
        let module = self.cx.program[ty].module;
        let mut state = State::new(self.cx, module, Some(ty), self.cx.type_decl_scope(ty));
        state.declaration = Some(Declaration::Type(ty));
        state.this = None;
        self.within(state, |r| {
            let (var, mut base) = match &r.cx.program[ty].kind {
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => (c.var, c.base.clone()),
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => return,
            };
            // An omitted base starts as an inference variable, which the constraint has to bind.
            if infer_base {
                base = r.st.inf.fresh(VarKind::Any);
                if let Some(v) = var {
                    r.cx.program[v].ty = base.clone();
                }
            }
            let mark = r.st.scope.open();
            if let Some(v) = var {
                r.enter(v);
            }
            let mut constraint = decl.constraint.as_ref().map(|c| r.condition(c));
            r.st.scope.close(mark);
            let is_newtype = matches!(r.cx.program[ty].kind, TypeDeclKind::Newtype(_));
            let own = r.cx.self_type(ty);
            if infer_base {
                r.settle();
                let mut open = false;
                base = r.st.inf.zonk(&base, &mut open);
                if let Some(v) = var {
                    r.cx.program[v].ty = base.clone();
                }
                if open && is_newtype {
                    let d = undetermined_base(&r.cx.program, ty);
                    r.report(d);
                }
                if r.reaches(&base, ty) {
                    let (name, span) = (r.cx.program[ty].name.clone(), r.cx.program[ty].span);
                    let d = Diagnostic::error(
                        "resolve/type-cycle",
                        span,
                        format!("the base of `{name}` depends on `{name}` itself"),
                    );
                    // The new type system reports the cycle earlier, when it completes signatures.
                    let pass = if r.cx.program.options.type_system_refresh {
                        Pass::Inference
                    } else {
                        Pass::Values
                    };
                    r.st.errors += 1;
                    r.cx.diagnostics.push_in(pass, d);
                    base = Type::Error;
                }
                // Set the base first: the type's own witness may have it.
                r.set_base(ty, &base);
            }
            let own = Some(own).filter(|_| is_newtype);
            let mut witness = match &decl.witness {
                ast::Witness::Default => Witness::Default,
                ast::Witness::Star => Witness::Opt,
                ast::Witness::Compiled(e) => {
                    Witness::Compiled(Box::new(r.witness(e, &base, own.as_ref())))
                }
                ast::Witness::Ghost(e) => {
                    Witness::Ghost(Box::new(r.witness(e, &base, own.as_ref())))
                }
            };
            if let Some(c) = &mut constraint {
                r.finish_expr(c);
            }
            match &mut witness {
                Witness::Compiled(e) | Witness::Ghost(e) => r.finish_expr(e),
                Witness::Default | Witness::Opt => {}
            }
            r.finish_locals();
            if let TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) = &mut r.cx.program[ty].kind {
                c.constraint = constraint;
                c.witness = witness;
            }
        });
    }

    /// Checks the bases of newtypes: numeric types; with `--general-newtypes`, all types except
    /// datatypes, reference types, function types and `ORDINAL`.
    fn newtype_bases(&mut self) {
        let general = self.cx.program.options.general_newtypes;
        let types: Vec<TypeId> = self.cx.program.ids();
        for id in types {
            let decl = &self.cx.program[id];
            let TypeDeclKind::Newtype(c) = &decl.kind else {
                continue;
            };
            let allowed = match self.cx.program.representation(&c.base) {
                Type::Int | Type::Real | Type::Error => true,
                Type::Bool
                | Type::Char
                | Type::Bv(_)
                | Type::Seq(_)
                | Type::Set { .. }
                | Type::Multiset(_)
                | Type::Map { .. }
                | Type::Param(_) => general,
                Type::Named { decl: base, .. } => {
                    general && matches!(self.cx.program[base].kind, TypeDeclKind::Abstract)
                }
                Type::Ordinal
                | Type::Tuple(_)
                | Type::Arrow { .. }
                | Type::Array { .. }
                | Type::Object { .. } => false,
            };
            if allowed && !self.is_inferred_later(id, &c.base) {
                continue;
            }
            let found = self.cx.program.show_type(&c.base);
            let (wanted, help) = if general {
                (
                    "a number, bitvector, character, truth value or collection",
                    "declare a subset type: `type T = x: B | …`",
                )
            } else {
                (
                    "int, real or another newtype",
                    "`--type-system-refresh` and `--general-newtypes` allow other bases",
                )
            };
            let message = format!(
                "the newtype `{}` must be based on {wanted}, found {found}",
                decl.name
            );
            let d = Diagnostic::error("resolve/newtype-base", decl.span, message);
            self.cx.diagnostics.push_in(Pass::Values, d.with_help(help));
        }
    }

    /// Whether the base leads to a type of the same module whose own base is inferred, and only after
    /// this newtype is looked at: the older type system does not know then what the base is.
    fn is_inferred_later(&self, id: TypeId, base: &Type) -> bool {
        let (program, decl) = (&self.cx.program, &self.cx.program[id]);
        let mut ty = base.clone();
        let mut seen = Vec::new();
        while let Type::Named { decl: next, .. } = &ty
            && !seen.contains(next)
            && !program.options.type_system_refresh
        {
            let other = &program[*next];
            let is_inferred = self.cx.inferred.contains(&Declaration::Type(*next));
            if is_inferred && other.module == decl.module && other.span.start > decl.span.start {
                return true;
            }
            seen.push(*next);
            ty = match &other.kind {
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => c.base.clone(),
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => return false,
            };
        }
        false
    }

    /// Resolves a witness: a value of the base, converted to the newtype if `own` is given.
    fn witness(&mut self, e: &ast::Expr, base: &Type, own: Option<&Type>) -> Expr {
        let unsigned = if let ast::ExprKind::Unary(_, x) = &e.kind {
            x
        } else {
            e
        };
        let literal = matches!(unsigned.kind, ast::ExprKind::Literal(_));
        match own {
            Some(own) if literal => self.check(e, own),
            Some(own) => {
                let x = self.check(e, base);
                let span = x.span;
                Expr {
                    kind: ExprKind::Convert(Box::new(x)),
                    ty: own.clone(),
                    span,
                }
            }
            None => self.check(e, base),
        }
    }

    /// Whether the chain of base types starting at `from` contains `ty`.
    fn reaches(&self, from: &Type, ty: TypeId) -> bool {
        let mut at = from.clone();
        for _ in 0..self.cx.program.types.len() {
            let Type::Named { decl, args, .. } = &at else {
                return false;
            };
            if *decl == ty {
                return true;
            }
            let (TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c)) = &self.cx.program[*decl].kind
            else {
                return false;
            };
            at = c.base.subst(&self.cx.program.substitution(*decl, args));
        }
        false
    }

    fn set_base(&mut self, ty: TypeId, base: &Type) {
        if let TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) = &mut self.cx.program[ty].kind {
            c.base = base.clone();
        }
        self.cx.cut_base_cycle(ty);
    }

    fn ctor_defaults(&mut self, ctor: CtorId, decl: &ast::Ctor) {
        let c = &self.cx.program[ctor];
        let (datatype, params) = (c.datatype, c.params.clone());
        let mut state = State::new(
            self.cx,
            self.cx.program[datatype].module,
            Some(datatype),
            self.cx.type_decl_scope(datatype),
        );
        state.declaration = Some(Declaration::Type(datatype));
        state.this = None;
        self.within(state, |r| {
            params.iter().for_each(|l| r.enter(*l));
            r.order_of_parameters(&decl.formals);
            for (i, (formal, local)) in decl.formals.iter().zip(params).enumerate() {
                if let Some(e) = &formal.default {
                    let ty = r.cx.program[local].ty.clone();
                    let mut value = r.check(e, &ty);
                    r.finish_expr(&mut value);
                    if let Some(slot) = r.cx.program[ctor].defaults.get_mut(i) {
                        *slot = Some(value);
                    }
                }
            }
            let (params, defaults) = (
                r.cx.program[ctor].params.clone(),
                r.cx.program[ctor].defaults.clone(),
            );
            r.default_cycles(
                &params
                    .into_iter()
                    .zip(defaults.iter().map(Option::as_ref))
                    .collect::<Vec<_>>(),
            );
            r.finish_locals();
        });
    }

    /// Resolves the default values of a callable's parameters unless that has been done.
    fn ensure_defaults(&mut self, id: CallableId) {
        if !self.defaults_done.insert(id) {
            return;
        }
        let work = self.work.clone();
        let formals = match self.callables.get(&id).and_then(|i| work.get(*i)) {
            Some(BodyWork::Function { ast, .. }) => &ast.ins,
            Some(BodyWork::Method { ast, .. }) => &ast.ins,
            Some(BodyWork::IteratorHead { ast, .. }) => &ast.ins,
            _ => return,
        };
        if formals.iter().all(|f| f.default.is_none() && !f.nameonly) {
            return;
        }
        let state = self.callable_state(id);
        self.within(state, |r| {
            let ins = r.cx.program[id].ins.clone();
            // A prefix callable or a refinement may have leading parameters that are not in the
            // text. Match from the end.
            let skip = ins.len().saturating_sub(formals.len());
            r.bring_in(&ins);
            r.order_of_parameters(formals);
            for (i, (formal, typed)) in formals.iter().zip(ins.iter().skip(skip)).enumerate() {
                if let Some(e) = &formal.default {
                    let ty = r.cx.program[typed.local].ty.clone();
                    let mut value = r.check(e, &ty);
                    r.finish_expr(&mut value);
                    if let Some(slot) = r.cx.program[id].ins.get_mut(i + skip) {
                        slot.default = Some(value);
                    }
                }
            }
            let ins = r.cx.program[id].ins.clone();
            r.default_cycles(
                &ins.iter()
                    .map(|f| (f.local, f.default.as_ref()))
                    .collect::<Vec<_>>(),
            );
            r.finish_locals();
        });
    }

    /// Requires that every parameter after a `nameonly` one is `nameonly` itself or has a default
    /// value, since it cannot be passed by position.
    fn order_of_parameters(&mut self, formals: &[ast::Formal]) {
        let mut by_name = None;
        let last_unnamed = formals
            .iter()
            .rposition(|f| f.name.is_none())
            .unwrap_or_default();
        for default in formals
            .iter()
            .take(last_unnamed)
            .filter_map(|f| f.default.as_ref())
        {
            let message =
                "this default value can never be used: a required positional parameter follows";
            let d = Diagnostic::error("resolve/unused-default", default.span, message);
            self.report(d.with_help("remove it, or name all parameters that follow"));
        }
        for f in formals {
            if f.nameonly {
                by_name = f.name.as_ref().map(|n| n.name.clone());
            } else if let (Some(earlier), None) = (&by_name, &f.default) {
                let span = f.name.as_ref().map_or(f.span, |n| n.span);
                let d = Diagnostic::error(
                    "resolve/nameonly",
                    span,
                    format!("this parameter follows `{earlier}`, which is `nameonly`"),
                );
                self.report(d.with_help("declare it `nameonly` too, or give it a default value"));
            }
        }
    }

    fn ensure_ctor_defaults(&mut self, ctor: CtorId) {
        if let Some(&i) = self.ctors.get(&ctor) {
            self.run(i);
        }
    }

    /// The type of a field. An omitted type is inferred first.
    fn field_type(&mut self, field: FieldId) -> Type {
        if self.cx.untyped_consts.contains(&field)
            && let Some(&i) = self.consts.get(&field)
        {
            self.run(i);
            if self.cx.untyped_consts.contains(&field) {
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
    /// not determined it yet. It then solves all constraints so far, as far as possible, and
    /// reports their errors before all later ones. Only literals are left to the end.
    fn solve_partly(&mut self, e: &Expr) {
        if self.cx.program.options.type_system_refresh {
            return;
        }
        if let Type::Param(p) = &e.ty
            && is_variable(*p)
        {
            if !self.st.inf.is_unbound(&e.ty) && self.st.inf.is_older(*p, self.st.solved) {
                return;
            }
        } else if !operators::has_own_type(e) {
            return;
        }
        self.st.solved = self.st.inf.count();
        let (now, next) = (self.st.segment, self.st.segment.saturating_add(1));
        self.st.segment = next;
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
                self.cx.written_types.insert((declaration, *decl));
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
