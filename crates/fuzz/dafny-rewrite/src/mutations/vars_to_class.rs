//! Moves the variables of a scope to fields of a new object.
//!
//! Unlike values of a map, they may have several types and receive results of methods. If one
//! statement declares and initializes all of them, the object may have a constructor. Otherwise
//! their types need default values, which reference types have if they are nullable.
//!
//! The verifier has to know as much about the fields as about the variables (the thesis has a false
//! positive here, figure 7.12):
//!
//! - In loops, the scope and its enclosing loops change nothing else in the heap, and call nothing
//!   with a `modifies` clause.
//! - Loops that assign such fields get a frame with only these fields. Enclosing loops, in which
//!   the object is allocated, get an empty frame.
//! - No variable is captured by a lambda expression or mentioned in `old(…)`, which would refer to
//!   another state.

use dafny_resolve::typed::visit::{Visit as VisitTyped, walk_callable, walk_stmt};
use dafny_resolve::typed::{
    self, Arena, ArrowKind, CallableKind, FieldId, FieldKind, LocalId, Type, TypeDeclKind, TypeId,
};
use dafny_syntax::ast::{
    self, Argument, Assign, BinaryOp, ClassDecl, Clause, ClauseKind, Expr, ExprKind, FieldDecl,
    File, FrameExpr, LocalVar, Member, MethodDecl, MethodKind, Modifiers, Name, Rhs, RhsKind, Span,
    Spec, Stmt, StmtKind, TopDecl, Update, VarDecl,
};
use dafny_syntax::visit::{Node, VisitMut};

use super::variables::{Scope, Uses, Variable, assigns, is_pure, scopes};
use crate::build::{
    assign, binary, block, clause, declare, expr, ident, invariant, named_type, select, stmt, var,
};
use crate::driver::Dialect;
use crate::edit::{add_decl, edit_list};
use crate::facts::Facts;
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::random::Random;
use crate::scan::module_span;
use crate::types::Writer;

/// The scopes with such variables.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    if work
        .facts
        .program
        .callables
        .iter()
        .any(|c| c.spec.reads.iter().any(|f| f.star))
    {
        // Code that depends on the whole heap would depend on the object.
        return Vec::new();
    }
    let fits = |facts: &Facts<'_>, local: LocalId, uses: Uses| {
        // A function that may read the heap cannot be stored in it.
        let reads = facts.program[local].ty.any(&mut |t| {
            matches!(
                t,
                Type::Arrow {
                    kind: ArrowKind::General,
                    ..
                }
            )
        });
        !facts.program[local].ghost
            && !uses.lambda
            && !uses.old
            && !uses.proof
            && !uses.frame
            && !reads
    };
    let place = |scope: Scope<'w>| {
        let first = scope.stmts.first().map(|s| s.span)?;
        is_calm(work.facts, &scope)
            .then(|| Place::new(first, move |rng, names| change(work, &scope, rng, names)))
    };
    scopes(work, fits).into_iter().filter_map(place).collect()
}

/// Whether the scope is compiled code of a method in which the verifier does not lose its knowledge
/// of the heap.
fn is_calm(facts: &Facts<'_>, scope: &Scope<'_>) -> bool {
    let Some(callable) = scope.cx.callable.map(|c| &facts.program[c]) else {
        return false;
    };
    let typed::Body::Block(body) = &callable.body else {
        return false;
    };
    if callable.kind != CallableKind::Method
        || callable.ghost
        || scope.cx.ghost
        || facts.program.options.reads_clauses_on_methods
    {
        return false;
    }
    let mut effects = Effects::default_for(facts.program);
    effects.block(body);
    let around = scope.cx.loops.iter().all(|l| loop_is_calm(facts, l));
    let mut loops = Loops { facts, calm: true };
    scope
        .stmts
        .iter()
        .for_each(|s| dafny_syntax::visit::Visit::stmt(&mut loops, s));
    !effects.far && around && loops.calm
}

struct Loops<'a> {
    facts: &'a Facts<'a>,
    calm: bool,
}

impl<'t> dafny_syntax::visit::Visit<'t> for Loops<'_> {
    fn stmt(&mut self, node: &'t Stmt) {
        if matches!(
            node.kind,
            StmtKind::While { .. } | StmtKind::WhileCase { .. } | StmtKind::For { .. }
        ) {
            self.calm &= loop_is_calm(self.facts, node);
        }
        node.walk(self);
    }
}

/// Whether a loop has no frame and does not change the heap.
fn loop_is_calm(facts: &Facts<'_>, s: &Stmt) -> bool {
    let (StmtKind::While { spec, .. }
    | StmtKind::WhileCase { spec, .. }
    | StmtKind::For { spec, .. }) = &s.kind
    else {
        return false;
    };
    let framed = spec
        .clauses
        .iter()
        .any(|c| matches!(c.kind, ClauseKind::Modifies(_)));
    let mut effects = Effects::default_for(facts.program);
    facts.stmts(s).iter().for_each(|s| effects.stmt(s));
    !framed && !effects.any
}

/// The effects of statements on the heap.
struct Effects<'p> {
    program: &'p typed::Program,
    /// Whether there is any effect: an assignment, allocation or call.
    any: bool,
    /// Whether there is an effect that a contract describes, which may concern any object.
    far: bool,
}

impl<'p> Effects<'p> {
    fn default_for(program: &'p typed::Program) -> Self {
        Self {
            program,
            any: false,
            far: false,
        }
    }
}

impl<'p> VisitTyped<'p> for Effects<'p> {
    fn stmt(&mut self, s: &'p typed::Stmt) {
        if let typed::StmtKind::Assign { pairs, .. } = &s.kind {
            for (target, rhs) in pairs {
                self.any |= !matches!(
                    (target, rhs),
                    (
                        typed::Target::Local(_),
                        typed::Rhs::Expr(_) | typed::Rhs::Havoc(_)
                    )
                );
            }
        } else if matches!(
            &s.kind,
            typed::StmtKind::Modify { .. } | typed::StmtKind::Yield
        ) {
            self.any = true;
            self.far = true;
        } else if matches!(
            &s.kind,
            typed::StmtKind::AssignOrFail(_) | typed::StmtKind::SuchThat { .. }
        ) {
            self.any = true;
        } else if matches!(&s.kind, typed::StmtKind::Forall { .. }) {
            self.any |= !s.ghost;
        }
        walk_stmt(self, s);
    }

    fn call(&mut self, c: &'p typed::Call) {
        let callee = &self.program[c.callee];
        self.any |= !callee.kind.is_function();
        self.far |= !callee.spec.modifies.is_empty();
        typed::visit::walk_call(self, c);
    }
}

/// A variable with its field.
struct Field {
    variable: Variable,
    /// The name of the field.
    member: Name,
    ty: ast::Type,
    /// Whether the field is nullable although the variable was not.
    nullable: bool,
}

impl Field {
    /// Creates the field for a variable, with the same name.
    fn new(variable: &Variable, ty: ast::Type, nullable: bool) -> Self {
        Self {
            variable: variable.clone(),
            member: variable.name.clone(),
            ty,
            nullable,
        }
    }
}

fn change(work: &Work<'_>, scope: &Scope<'_>, rng: &mut Random, names: &mut Names) -> Option<File> {
    let (facts, program) = (work.facts, work.facts.program);
    let writer = Writer {
        work,
        cx: &scope.cx,
        owner: None,
    };
    let mut variables = scope.variables.clone();
    // Fields need different names, so only the first of several variables with a name is taken.
    variables.retain(|v| {
        scope
            .variables
            .iter()
            .find(|o| o.name == v.name)
            .is_some_and(|o| o.local == v.local)
    });
    // With a constructor: the variables of one declaration.
    let declared = |s: &&Stmt| {
        if let StmtKind::VarDecl(d) = &s.kind {
            is_pure(facts, s)
                && d.vars.iter().any(|v| {
                    variables
                        .iter()
                        .any(|o| facts.declared(&v.name) == Some(o.local))
                })
        } else {
            false
        }
    };
    let declarations: Vec<&Stmt> = scope.stmts.iter().filter(declared).collect();
    let constructed = if rng.below(3) == 0 {
        rng.pick(&declarations).map(|s| s.span)
    } else {
        None
    };
    let field = |v: &Variable| match constructed {
        Some(place) => {
            let here = scope.stmts.get(v.ready).is_some_and(|s| s.span == place);
            Some(Field::new(v, writer.write(&v.ty).filter(|_| here)?, false))
        }
        None if program.characteristics_of(&v.ty).auto_init => {
            Some(Field::new(v, writer.write(&v.ty)?, false))
        }
        // Types inferred from a nullable reference would be nullable as well: variables, type
        // arguments.
        None if !v.receiver => None,
        None => Some(Field::new(
            v,
            writer.write(&or_null(program, &v.ty)?)?,
            true,
        )),
    };
    // A random subset of the variables that fit.
    let mut fields: Vec<Field> = variables.iter().filter_map(field).collect();
    rng.shuffle(&mut fields);
    fields.truncate(1 + rng.below(fields.len()));
    if fields.is_empty() {
        return None;
    }
    let reused = if constructed.is_none() && rng.below(2) == 0 {
        reuse(work, scope, &mut fields, rng)
    } else {
        None
    };
    fields.sort_by_key(|f| (f.variable.ready, f.variable.local));
    let class = reused.clone().unwrap_or_else(|| names.fresh("State"));
    let object = names.fresh("state");
    let mut file = work.file.clone();
    // Enclosing loops change only new objects. An empty frame tells the verifier that everything
    // else stays the same.
    for around in &scope.cx.loops {
        edit_list(&mut file, around.span, |stmts, at| {
            if let Some(s) = stmts.get_mut(at) {
                add_clauses(s, vec![nothing()]);
            }
        });
    }
    let mut merge = Merge {
        facts,
        dialect: work.dialect,
        fields: &fields,
        object: &object,
        class: &class,
        constructed,
        replaced: 0,
        fits: true,
    };
    edit_list(&mut file, scope.stmts.first()?.span, |stmts, _| {
        merge.scope(stmts)
    });
    let uses: usize = fields.iter().map(|f| facts.uses(f.variable.local)).sum();
    let fits = merge.fits && merge.replaced == uses;
    let added = reused.is_some()
        || add_decl(
            &mut file,
            module_span(&scope.cx),
            class_decl(&class, &fields, constructed.is_some()),
        );
    (fits && added).then_some(file)
}

/// Reuses a class of the module that has fields with the types of some of the variables; only these
/// are moved (thesis, 7.2.5). A class over whose objects something quantifies is excluded, because
/// the new object would be an additional one.
fn reuse(
    work: &Work<'_>,
    scope: &Scope<'_>,
    fields: &mut Vec<Field>,
    rng: &mut Random,
) -> Option<Name> {
    let program = work.facts.program;
    let mut classes: Vec<(&Name, Vec<Field>)> = Vec::new();
    for d in scope.cx.decls {
        let TopDecl::Class(class) = d else { continue };
        let is_constructed =
            |m: &Member| matches!(m, Member::Method(m) if m.kind == MethodKind::Constructor);
        // Objects of the class are allocated without a constructor and without type arguments.
        let is_plain = !class.is_trait
            && !class.is_refining
            && class.type_params.is_empty()
            && class.extends.is_empty();
        if !is_plain
            || !class.modifiers.attributes.is_empty()
            || class.members.iter().any(is_constructed)
        {
            continue;
        }
        let Some(id) = Arena::<TypeId>::ids(program)
            .into_iter()
            .find(|t| program[*t].span == class.name.span)
        else {
            continue;
        };
        if is_quantified(program, id) {
            continue;
        }
        let mut free: Vec<FieldId> = program[id]
            .fields
            .iter()
            .copied()
            .filter(|f| is_variable(&program[*f]))
            .collect();
        // Each variable takes the first free field of its type.
        let mut taken = Vec::new();
        for f in fields.iter() {
            let ty = if f.nullable {
                or_null(program, &f.variable.ty)
            } else {
                Some(f.variable.ty.clone())
            };
            if let Some(at) = free
                .iter()
                .position(|of| Some(&program[*of].ty) == ty.as_ref())
            {
                let member = program[free.remove(at)].name.clone();
                taken.push(Field {
                    variable: f.variable.clone(),
                    member,
                    ty: f.ty.clone(),
                    nullable: f.nullable,
                });
            }
        }
        if !taken.is_empty() {
            classes.push((&class.name.name, taken));
        }
    }
    let chosen = rng.below(classes.len());
    let (name, taken) = classes.into_iter().nth(chosen)?;
    *fields = taken;
    Some(name.clone())
}

fn is_variable(field: &typed::Field) -> bool {
    matches!(field.kind, FieldKind::Mutable)
        && !field.ghost
        && !field.is_static
        && field.attributes.is_empty()
}

/// Whether a bound variable ranges over objects of the class.
fn is_quantified(program: &typed::Program, class: TypeId) -> bool {
    struct Bound<'p>(&'p typed::Program, TypeId, bool);
    impl<'p> VisitTyped<'p> for Bound<'p> {
        fn quantified(&mut self, q: &'p typed::Quantified) {
            let is_it = |t: &Type| {
                matches!(t, Type::Named { decl, .. } if *decl == self.1)
                    || matches!(t, Type::Object { .. })
            };
            self.2 |= q.vars.iter().any(|v| is_it(&self.0[*v].ty));
            typed::visit::walk_quantified(self, q);
        }
    }
    let mut bound = Bound(program, class, false);
    program
        .callables
        .iter()
        .for_each(|c| walk_callable(&mut bound, c));
    bound.2
}

/// The nullable form of a reference type.
fn or_null(program: &typed::Program, ty: &Type) -> Option<Type> {
    if let Type::Named {
        decl,
        args,
        nullable: false,
    } = ty
    {
        match program[*decl].kind {
            TypeDeclKind::Class | TypeDeclKind::Trait { is_reference: true } => Some(Type::Named {
                decl: *decl,
                args: args.clone(),
                nullable: true,
            }),
            TypeDeclKind::Trait {
                is_reference: false,
            }
            | TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Iterator(_) => None,
        }
    } else if matches!(ty, Type::Object { nullable: false }) {
        Some(Type::Object { nullable: true })
    } else {
        None
    }
}

fn class_decl(name: &str, fields: &[Field], constructed: bool) -> TopDecl {
    let field = |f: &Field| {
        let name = ident(&f.variable.name);
        Member::Field(FieldDecl {
            modifiers: Modifiers::default(),
            name,
            ty: f.ty.clone(),
            span: Span::default(),
        })
    };
    let mut members: Vec<Member> = fields.iter().map(field).collect();
    if constructed {
        let this = |f: &Field| select(expr(ExprKind::This), &f.variable.name);
        let ensures = |f: &Field| {
            clause(ClauseKind::Ensures(binary(
                BinaryOp::Eq,
                this(f),
                var(&f.variable.name),
            )))
        };
        let formal = |f: &Field| ast::Formal {
            attributes: Vec::new(),
            name: Some(ident(&f.variable.name)),
            ty: f.ty.clone(),
            ghost: false,
            is_new: false,
            older: false,
            nameonly: false,
            default: None,
            span: Span::default(),
        };
        members.push(Member::Method(MethodDecl {
            modifiers: Modifiers::default(),
            kind: MethodKind::Constructor,
            name: None,
            type_params: Vec::new(),
            k_type: None,
            ins: fields.iter().map(formal).collect(),
            outs: Vec::new(),
            spec: Spec {
                clauses: fields.iter().map(ensures).collect(),
            },
            body: Some(block(
                fields
                    .iter()
                    .map(|f| assign(this(f), var(&f.variable.name)))
                    .collect(),
            )),
            is_refining: false,
            head: Span::default(),
            span: Span::default(),
        }));
    }
    TopDecl::Class(ClassDecl {
        is_trait: false,
        modifiers: Modifiers::default(),
        name: ident(name),
        type_params: Vec::new(),
        extends: Vec::new(),
        members,
        is_refining: false,
        span: Span::default(),
    })
}

fn nothing() -> Clause {
    let empty = expr(ExprKind::SetDisplay {
        infinite: false,
        elements: Vec::new(),
    });
    clause(ClauseKind::Modifies(vec![FrameExpr {
        object: Some(empty),
        field: None,
        span: Span::default(),
    }]))
}

fn add_clauses(s: &mut Stmt, clauses: Vec<Clause>) {
    if let StmtKind::While { spec, .. }
    | StmtKind::WhileCase { spec, .. }
    | StmtKind::For { spec, .. } = &mut s.kind
    {
        spec.clauses.splice(0..0, clauses);
    }
}

struct Merge<'a> {
    facts: &'a Facts<'a>,
    fields: &'a [Field],
    dialect: Dialect,
    object: &'a Name,
    class: &'a Name,
    /// The declaration whose values the constructor takes.
    constructed: Option<Span>,
    /// The number of replaced reads.
    replaced: usize,
    fits: bool,
}

impl<'a> Merge<'a> {
    fn scope(&mut self, stmts: &mut Vec<Stmt>) {
        let first = stmts.iter().position(|s| self.declares(s)).unwrap_or(0);
        let mut new = Vec::new();
        for (at, s) in std::mem::take(stmts).into_iter().enumerate() {
            if at == first && self.constructed.is_none() {
                new.push(self.allocation(None));
            }
            self.statement(s, &mut new);
        }
        *stmts = new;
    }

    fn allocation(&self, args: Option<Vec<Expr>>) -> Stmt {
        let args = args.map(|values| {
            values
                .into_iter()
                .map(|value| Argument { name: None, value })
                .collect()
        });
        let kind = RhsKind::New {
            ty: named_type(self.class, vec![]),
            args,
        };
        // Dafny 2 does not know inferred types when it resolves the frame of a loop.
        let ty = (self.dialect == Dialect::Two).then(|| named_type(self.class, vec![]));
        declare(
            false,
            self.object,
            ty,
            Rhs {
                attributes: Vec::new(),
                kind,
                span: Span::default(),
            },
        )
    }

    fn declares(&self, s: &Stmt) -> bool {
        matches!(&s.kind, StmtKind::VarDecl(d) if d.vars.iter().any(|v| self.field(self.facts.declared(&v.name)).is_some()))
    }

    fn field(&self, local: Option<LocalId>) -> Option<&'a Field> {
        self.fields.iter().find(|f| Some(f.variable.local) == local)
    }

    fn target(&self, field: &Field) -> Expr {
        select(var(self.object), &field.member)
    }

    fn list(&mut self, stmts: &mut Vec<Stmt>) {
        let mut new = Vec::new();
        for s in std::mem::take(stmts) {
            self.statement(s, &mut new);
        }
        *stmts = new;
    }

    fn statement(&mut self, mut s: Stmt, out: &mut Vec<Stmt>) {
        if self.declares(&s) {
            return self.declaration(s, out);
        }
        if let StmtKind::Update(Update { lhs, .. }) = &mut s.kind {
            let targets = self
                .facts
                .targets(&Stmt {
                    span: s.span,
                    ..stmt(StmtKind::Skeleton)
                })
                .unwrap_or_default();
            for (e, target) in lhs.iter_mut().zip(targets) {
                if let Some(field) = self.field(target) {
                    *e = self.target(field);
                }
            }
        }
        let clauses = self.frame(&s);
        s.walk_mut(self);
        add_clauses(&mut s, clauses);
        out.push(s);
    }

    /// Splits a declaration. Variables that stay are first declared without values, so that one
    /// statement can assign all (figure 7.10 of the thesis). Variables with pure values are
    /// declared after the others, where they may omit their types.
    fn declaration(&mut self, mut s: Stmt, out: &mut Vec<Stmt>) {
        let (pure, span) = (is_pure(self.facts, &s), s.span);
        s.walk_mut(self);
        let StmtKind::VarDecl(VarDecl { ghost, vars, init }) = s.kind else {
            return;
        };
        let fields: Vec<Option<&Field>> = vars
            .iter()
            .map(|v| self.field(self.facts.declared(&v.name)))
            .collect();
        match init {
            None => {
                let kept: Vec<LocalVar> = vars
                    .iter()
                    .zip(&fields)
                    .filter(|(_, f)| f.is_none())
                    .map(|(v, _)| v.clone())
                    .collect();
                if !kept.is_empty() {
                    out.push(stmt(StmtKind::VarDecl(VarDecl {
                        ghost,
                        vars: kept,
                        init: None,
                    })));
                }
            }
            Some(Assign::Rhs(values)) if pure && values.len() == vars.len() => {
                let (mut left, mut right, mut kept, mut rest, mut args) =
                    (vec![], vec![], vec![], vec![], vec![]);
                for ((v, f), value) in vars.into_iter().zip(fields).zip(values) {
                    match f {
                        Some(f) => {
                            left.push(self.target(f));
                            args.extend(expression(&value).map(|e| (f.variable.local, e)));
                            right.push(value);
                        }
                        None => {
                            kept.push(v);
                            rest.push(value);
                        }
                    }
                }
                if self.constructed == Some(span) {
                    args.sort_by_key(|(local, _)| {
                        self.fields.iter().position(|f| f.variable.local == *local)
                    });
                    out.push(self.allocation(Some(args.into_iter().map(|(_, e)| e).collect())));
                } else {
                    out.push(stmt(StmtKind::Update(Update {
                        lhs: left,
                        assign: Assign::Rhs(right),
                    })));
                }
                if !kept.is_empty() {
                    out.push(stmt(StmtKind::VarDecl(VarDecl {
                        ghost,
                        vars: kept,
                        init: Some(Assign::Rhs(rest)),
                    })));
                }
            }
            Some(assign @ Assign::Rhs(_)) => {
                let kept: Vec<LocalVar> = vars
                    .iter()
                    .zip(&fields)
                    .filter(|(_, f)| f.is_none())
                    .map(|(v, _)| v.clone())
                    .collect();
                // Without its value, such a declaration has no type.
                self.fits &= !ghost && kept.iter().all(|v| v.ty.is_some());
                if !kept.is_empty() {
                    out.push(stmt(StmtKind::VarDecl(VarDecl {
                        ghost,
                        vars: kept,
                        init: None,
                    })));
                }
                let lhs = vars
                    .iter()
                    .zip(fields)
                    .map(|(v, f)| f.map_or_else(|| var(&v.name.name), |f| self.target(f)))
                    .collect();
                out.push(stmt(StmtKind::Update(Update { lhs, assign })));
            }
            Some(Assign::SuchThat { .. } | Assign::Failure { .. }) => self.fits = false,
        }
    }

    /// The frame of a loop that assigns such fields, and the invariant that fields which were never
    /// null stay non-null.
    fn frame(&self, s: &Stmt) -> Vec<Clause> {
        if !matches!(
            s.kind,
            StmtKind::While { .. } | StmtKind::WhileCase { .. } | StmtKind::For { .. }
        ) {
            return Vec::new();
        }
        let assigned: Vec<&Field> = self
            .fields
            .iter()
            .filter(|f| assigns(self.facts, s, &|l| l == f.variable.local))
            .collect();
        if assigned.is_empty() {
            return Vec::new();
        }
        let frame = |f: &&Field| FrameExpr {
            object: Some(var(self.object)),
            field: Some(ident(&f.member)),
            span: Span::default(),
        };
        let null = || expr(ExprKind::Literal(ast::Literal::Null));
        let there = |f: &&&Field| f.nullable;
        let mut clauses = vec![clause(ClauseKind::Modifies(
            assigned.iter().map(frame).collect(),
        ))];
        clauses.extend(
            assigned
                .iter()
                .filter(there)
                .map(|f| invariant(binary(BinaryOp::Ne, self.target(f), null()))),
        );
        clauses
    }
}

fn expression(value: &Rhs) -> Option<Expr> {
    match &value.kind {
        RhsKind::Expr(e) => Some(e.clone()),
        RhsKind::Havoc | RhsKind::New { .. } | RhsKind::NewArray { .. } => None,
    }
}

impl VisitMut for Merge<'_> {
    fn block(&mut self, node: &mut ast::Block) {
        self.list(&mut node.stmts);
    }
    fn guarded_case(&mut self, node: &mut ast::GuardedCase) {
        node.guard.accept_mut(self);
        self.list(&mut node.body);
    }
    fn stmt_case(&mut self, node: &mut ast::StmtCase) {
        self.list(&mut node.body);
    }
    fn expr(&mut self, node: &mut Expr) {
        match self.field(self.facts.local(node)) {
            Some(f) if matches!(node.kind, ExprKind::Name { .. }) => {
                *node = self.target(f);
                self.replaced += 1;
            }
            Some(_) | None => node.walk_mut(self),
        }
    }
}
