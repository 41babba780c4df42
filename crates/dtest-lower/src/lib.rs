//! Lowering of the typed program to the IR.
//!
//! Lowering is total: an unsupported construct becomes `Unsupported` with a reason in the user's
//! terms, so that the goals around it still count. An expression is lowered twice if both forms are
//! needed: as a pure expression ([`ir::Function`]) for specifications and terms, and, for code
//! under test, as blocks ([`ir::Procedure`]), in which every arm of `if` and `match` and every
//! short-circuit operand is a block with a goal. Expressions under binders (quantifiers,
//! comprehensions, lambdas) stay expressions. Ghost code is kept without goals.
//!
//! Constants with a value are evaluated where they are read ([`ir::ExprKind::Const`]), so that
//! `new` runs no initializers.
//!
//! Key type: [`Lowerer`], the state during lowering. Key function: [`lower_for`].
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod allocation;
mod arrows;
mod assign;
mod assigned;
mod assumptions;
mod bodiless;
mod branch;
mod by_invariant;
mod callable;
mod calls;
mod collections;
mod compiled;
mod comprehension;
mod control;
mod datatypes;
mod deferred;
pub mod entries;
mod evaluation;
mod expr;
mod fields;
mod frames;
mod goals;
mod graph;
pub mod inline;
mod intervals;
mod iterator;
mod lambda;
mod loops;
mod measures;
mod members;
mod obligations;
mod operator;
mod pattern;
mod probes;
mod proof;
mod pure;
mod scope;
mod stmt;
mod synthesize;
mod termination;
pub mod testing;
mod two_states;
pub mod uncounted;
pub mod units;
mod uses;
mod ways;

pub use by_invariant::by_invariant;

#[cfg(test)]
mod tests;

pub use assign::value_span;
pub use loops::guard_span;

use std::sync::Arc;

use callable::{Added, CurrentCallable};
use dafny_resolve::typed::{
    self, Arena, Body, CallableId, CallableKind, FieldKind, TypeDeclKind, TypeId, TypeParamId,
    Witness,
};
use dafny_source::Span;
use dtest_desugar::{External, ExternalCode as _, GeneratedCode as _, Syntheses as _};
use dtest_ir::{self as ir, build};
use dtest_sorted::{SortedMap, SortedSet};
use evaluation::Evaluation;
use frames::ActiveFrames;
use goals::Goals;
use graph::Graph;
use iterator::Iteration;
use scope::Scopes;

/// Lowers a program with block coverage.
pub fn lower(program: Arc<typed::Program>) -> ir::Program {
    lower_for(program, ir::Criteria::default())
}

/// Lowers a program with the goals of the given criteria.
pub fn lower_for(program: Arc<typed::Program>, criteria: ir::Criteria) -> ir::Program {
    // Conversions between newtypes and traits must be explicit in the IR.
    let program = match dtest_desugar::casts::explicit_newtypes(&program) {
        std::borrow::Cow::Borrowed(_) => program,
        std::borrow::Cow::Owned(explicit) => Arc::new(explicit),
    };
    let program = iterator::without_hidden_fields(program);
    let mut l = Lowerer::new(&program, criteria.clone());
    if l.has_obligations() {
        l.assumed_lemmas = assumptions::assumed_lemmas(&program);
    }
    let mut functions = SortedMap::new();
    let mut procedures = SortedMap::new();
    let mut contracts = SortedMap::new();
    for id in Arena::<CallableId>::ids(&*program) {
        functions.extend(l.function(id).map(|f| (id, f)));
        procedures.extend(l.procedure(id).map(|p| (id, Arc::new(p))));
        contracts.insert(id, Arc::new(l.contract(id)));
    }
    let mut constants = SortedMap::new();
    for id in Arena::<typed::FieldId>::ids(&*program) {
        constants.extend(l.constant(id).map(|f| (id, f)));
    }
    let mut constraints = SortedMap::new();
    let mut witnesses = SortedMap::new();
    for id in Arena::<TypeId>::ids(&*program) {
        if let TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) = &program[id].kind {
            constraints.extend(l.constraint(id, c).map(|f| (id, f)));
            witnesses.extend(l.witness(id, c).map(|f| (id, f)));
        }
    }
    // An iterator is lowered to several callables that have no bodies of their own in the typed
    // program.
    for id in Arena::<TypeId>::ids(&*program) {
        let TypeDeclKind::Iterator(parts) = &program[id].kind else {
            continue;
        };
        let Some(members) = parts.members else {
            continue;
        };
        let lowered = l.iterator(id, parts, members);
        functions.insert(members.valid, lowered.valid);
        procedures.insert(members.constructor, Arc::new(lowered.constructor));
        procedures.extend(lowered.move_next.map(|p| (members.move_next, Arc::new(p))));
        procedures.extend(lowered.drive.map(|p| (members.drive, Arc::new(p))));
    }
    // Hidden fields of iterators are appended to the program, whose type information the other
    // stages need.
    let (lambdas, hidden, assumed_lemmas) = (l.added.lambdas, l.added.fields, l.assumed_lemmas);
    let mut typed = program;
    if !hidden.is_empty() {
        Arc::make_mut(&mut typed).fields.extend(hidden);
    }
    ir::Program {
        typed,
        functions: Arc::new(functions),
        procedures,
        contracts,
        constants: Arc::new(constants),
        constraints: Arc::new(constraints),
        witnesses: Arc::new(witnesses),
        lambdas: Arc::new(lambdas),
        criteria,
        entries: None,
        systems: SortedMap::new(),
        inlined: SortedMap::new(),
        makers: Vec::new(),
        assumed_lemmas: Arc::new(assumed_lemmas),
    }
}

/// The state of lowering: the parts shared by the whole program, and the current declaration.
struct Lowerer<'p> {
    program: &'p typed::Program,
    criteria: ir::Criteria,
    /// The lemmas whose postconditions rest on assumptions, if obligations are goals.
    assumed_lemmas: SortedSet<CallableId>,
    /// The lambdas and fields that lowering adds to the program.
    added: Added,
    callable: CurrentCallable<'p>,
    /// The variables of the current declaration.
    scopes: Scopes,
    evaluation: Evaluation,
    /// The blocks of the current procedure.
    graph: Graph,
    /// The targets of `break` and `continue`, outermost first.
    jumps: Vec<loops::Jump>,
    /// The goals of the current procedure that are not blocks.
    goals: Goals<'p>,
    frames: ActiveFrames<'p>,
    iterator: Iteration<'p>,
}

impl<'p> Lowerer<'p> {
    fn new(program: &'p typed::Program, criteria: ir::Criteria) -> Self {
        Self {
            program,
            criteria,
            assumed_lemmas: SortedSet::new(),
            added: Added::default(),
            callable: CurrentCallable::default(),
            scopes: Scopes::default(),
            evaluation: Evaluation::default(),
            graph: Graph::default(),
            jumps: Vec::new(),
            goals: Goals::default(),
            frames: ActiveFrames::default(),
            iterator: Iteration::default(),
        }
    }

    /// Starts a declaration with its own variables.
    fn open(&mut self, type_params: Vec<TypeParamId>) {
        self.scopes = Scopes::new(type_params);
        self.evaluation.is_executed = false;
        self.callable = CurrentCallable::default();
    }

    /// Ends a declaration and returns its variables.
    fn close(&mut self) -> Vec<ir::VarInfo> {
        self.scopes.close()
    }

    /// Declares `this`, if the callable has a receiver, and its in-parameters.
    fn params(&mut self, c: &'p typed::Callable) -> Vec<ir::Var> {
        let this = c
            .owner
            .filter(|_| !c.is_static)
            .map(|t| self.declare_this(t));
        this.into_iter()
            .chain(c.ins.iter().map(|f| self.bind(f.local)).collect::<Vec<_>>())
            .collect()
    }

    /// Declares the out-parameters.
    fn outs(&mut self, c: &'p typed::Callable) -> Vec<ir::Var> {
        c.outs
            .iter()
            .map(|f| {
                if f.unnamed {
                    self.bind_as(f.local, "$result")
                } else {
                    self.bind(f.local)
                }
            })
            .collect()
    }

    fn declare_this(&mut self, owner: TypeId) -> ir::Var {
        let decl = &self.program[owner];
        let args = decl
            .type_params
            .iter()
            .map(|p| typed::Type::Param(*p))
            .collect();
        let info = ir::VarInfo {
            name: "this".into(),
            ty: typed::Type::named(owner, args),
            ghost: false,
            definite: false,
            inferred: false,
            span: decl.span,
        };
        self.declare_receiver(info)
    }

    /// Lowers a function with a body to an expression; a function by method, to its specification.
    fn function(&mut self, id: CallableId) -> Option<ir::Function> {
        let program = self.program;
        let c = &program[id];
        let (Body::Expr(body) | Body::ByMethod(body, _)) = &c.body else {
            return None;
        };
        self.open(program.all_type_params(id));
        let params = self.params(c);
        self.callable.id = Some(id);
        let body = self.expr(body);
        let body = match c.outs.first() {
            Some(out) => self.admitted_result(body, &program[out.local].ty),
            None => body,
        };
        Some(ir::Function {
            type_params: program.all_type_params(id),
            params,
            body,
            vars: self.close(),
        })
    }

    /// Lowers a compiled callable or a ghost method to blocks. Ghost callables have no goals. A
    /// callable without a body that a stub or a mock can answer becomes a single statement.
    fn procedure(&mut self, id: CallableId) -> Option<ir::Procedure> {
        let program = self.program;
        let c = &program[id];
        let mocked = program.is_mocked(id);
        // A lemma is lowered only if its obligations are goals.
        let is_proof = c.kind == CallableKind::Lemma && (c.ghost || !self.has_obligations());
        let has_two_states = self.has_two_states(id);
        if is_proof || (c.ghost && c.kind.is_function() && !mocked && !has_two_states) {
            return None;
        }
        let external = program.external(id);
        let synthesis = program.synthesis(id).and_then(Result::ok);
        // Without a body, the code of a callable is external, mocked or synthesized.
        let span = match &c.body {
            Body::None if mocked || synthesis.is_some() => c.span,
            Body::None => match external {
                Some(External::Linked(_) | External::Stub) => c.span,
                None => return None,
            },
            Body::Expr(e) => e.span,
            Body::Block(b) | Body::ByMethod(_, b) => b.span,
        };
        self.open(program.all_type_params(id));
        let params = self.params(c);
        let outs = self.outs(c);
        self.evaluation.is_executed = !c.ghost || has_two_states;
        self.jumps.clear();
        // A callable without a body has no end at which its postconditions could be due.
        self.callable.ensured = if matches!(c.body, Body::None) {
            &[]
        } else {
            &c.spec.ensures
        };
        self.graph = Graph::new(span, self.evaluation.is_executed);
        // Measure and frames are those of the declaration that the code was generated for.
        self.callable.id = Some(program.declared(id));
        self.callable.by_method = matches!(c.body, Body::ByMethod(..));
        let is_statement = matches!(c.body, Body::Block(_) | Body::ByMethod(..));
        // Definite assignment of results is an obligation at each end of the body.
        if self.has_obligations() && is_statement {
            self.follow_results(&outs, span);
        }
        if has_two_states {
            self.since_the_earlier_state(id, &params);
        }
        if self.has_obligations() {
            self.oblige_override_measure(id, &params);
            self.follow_fields(id);
        }
        match &c.body {
            Body::None if synthesis.is_some() => synthesis.iter().for_each(|s| self.synthesis(s)),
            Body::None => self.answer(
                id,
                external,
                ir::StmtKind::Answer {
                    callee: id,
                    params: params.clone(),
                    outs: outs.clone(),
                },
            ),
            Body::Expr(e) => self.function_body(e, outs.first().copied()),
            Body::Block(b) | Body::ByMethod(_, b) => self.block(b),
        }
        // Control reaches the end of the body.
        if self.graph.is_open() {
            self.oblige_postconditions(Span::new(span.end.saturating_sub(1), span.end));
        }
        self.graph.terminate(ir::Terminator::Return);
        self.evaluation.is_executed = false;
        let mut blocks = std::mem::take(&mut self.graph).finish();
        let mut vars = self.close();
        if self.has_obligations() && is_statement {
            self.oblige_assignment(&mut blocks, &mut vars, &params);
        }
        Some(ir::Procedure {
            callable: id,
            type_params: program.all_type_params(id),
            params,
            outs,
            blocks,
            probes: self.goals.take(),
            vars,
        })
    }

    /// Lowers the body of an external callable. If Rust is linked to it, it is tested: the operands
    /// of its postconditions are goals.
    fn answer(&mut self, id: CallableId, external: Option<External>, answer: ir::StmtKind) {
        let c = &self.program[id];
        self.graph.push(answer, c.span);
        match external {
            Some(External::Linked(_)) => {
                for clause in &c.spec.ensures {
                    let cond = self.expr(&clause.cond);
                    self.graph.push(
                        ir::StmtKind::Assume {
                            cond,
                            by: ir::Assumed::Contract(id),
                        },
                        clause.span,
                    );
                }
            }
            Some(External::Stub) | None => {}
        }
    }

    fn contract(&mut self, id: CallableId) -> ir::Contract {
        let program = self.program;
        let c = &program[id];
        self.open(program.all_type_params(id));
        let params = self.params(c);
        let outs = self.outs(c);
        let requires = self.clauses(&c.spec.requires);
        let ensures = self.postconditions(id);
        let ways = self.ways(c, &requires, &ensures);
        let modifies = self.frames(&c.spec.modifies);
        let reads = self.frames(&c.spec.reads);
        let measure = if self.has_obligations() {
            self.measure(id)
        } else {
            Vec::new()
        };
        ir::Contract {
            type_params: program.all_type_params(id),
            params,
            outs,
            requires,
            ensures,
            modifies,
            reads,
            measure,
            ways,
            vars: self.close(),
        }
    }

    fn constant(&mut self, id: typed::FieldId) -> Option<ir::Function> {
        let field = &self.program[id];
        let FieldKind::Const(Some(value)) = &field.kind else {
            return None;
        };
        let type_params = field
            .owner
            .map_or_else(Vec::new, |t| self.program[t].type_params.clone());
        self.open(type_params.clone());
        let this = field
            .owner
            .filter(|_| !field.is_static)
            .map(|t| self.declare_this(t));
        let body = self.expr(value);
        let body = self.admitted_result(body, &field.ty);
        Some(ir::Function {
            type_params,
            params: this.into_iter().collect(),
            body,
            vars: self.close(),
        })
    }

    fn constraint(&mut self, id: TypeId, c: &'p typed::Constrained) -> Option<ir::Function> {
        let (var, constraint) = (c.var?, c.constraint.as_ref()?);
        let type_params = self.program[id].type_params.clone();
        self.open(type_params.clone());
        let params = vec![self.bind(var)];
        let body = self.expr(constraint);
        Some(ir::Function {
            type_params,
            params,
            body,
            vars: self.close(),
        })
    }

    fn witness(&mut self, id: TypeId, c: &'p typed::Constrained) -> Option<ir::Function> {
        let value = match &c.witness {
            Witness::Compiled(e) | Witness::Ghost(e) => e,
            Witness::Default | Witness::Opt => return None,
        };
        let type_params = self.program[id].type_params.clone();
        self.open(type_params.clone());
        let body = self.expr(value);
        Some(ir::Function {
            type_params,
            params: Vec::new(),
            body,
            vars: self.close(),
        })
    }

    fn clauses(&mut self, clauses: &'p [typed::Clause]) -> Vec<ir::Clause> {
        self.pure(|l| {
            clauses
                .iter()
                .map(|c| ir::Clause {
                    cond: l.expr(&c.cond),
                    span: c.span,
                })
                .collect()
        })
    }

    fn frames(&mut self, frames: &'p [typed::Frame]) -> Vec<ir::Frame> {
        self.pure(|l| frames.iter().map(|f| l.frame(f)).collect())
    }

    fn frame(&mut self, f: &'p typed::Frame) -> ir::Frame {
        let object = match &f.object {
            Some(e) => Some(self.expr(e)),
            None if f.star => None,
            None => Some(self.this(f.span)),
        };
        ir::Frame {
            object,
            field: f.field,
            span: f.span,
        }
    }
}
