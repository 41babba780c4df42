//! Checks of type arguments against the characteristics that their parameters require (reference
//! manual, "Type parameter characteristics"), and of `==` in compiled code.

mod equality;

use crate::typed::visit::Visit;
use crate::typed::{
    Arena, BinaryOp, Body, BuiltinMember, CallableId, Characteristics, CtorId, Expr, ExprKind,
    FieldId, FieldKind, Formal, Lambda, LocalId, LoopSpec, ModuleId, Pattern, Program, Quantified,
    Rhs, Stmt, StmtKind, Substitution, Type, TypeDeclKind, TypeId, TypeParamId, Witness, visit,
};
use dafny_source::{Name, Span};

use super::super::declare::characteristics;
use super::Check;
use super::inherit::callable_word;

use equality::{has_equality, meets};

pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    let types: Vec<TypeId> = program.ids();
    for id in types
        .into_iter()
        .filter(|t| c.looks_at(program[*t].module))
        .collect::<Vec<_>>()
    {
        declared_type(c, id);
    }
    for s in
        c.cx.synonyms
            .all
            .iter()
            .filter(|s| c.looks_at(s.module))
            .collect::<Vec<_>>()
    {
        Uses {
            check: c,
            compiled: true,
        }
        .ty(&s.rhs, s.span);
        // An export set may hide the definition of a synonym. It is checked in the module that
        // declares it.
        if !c.cx.names.in_views {
            declared_characteristics(c, &s.name, s.span, s.characteristics, &s.rhs);
        }
    }
    for (id, said) in &c.cx.types.declared_characteristics {
        let decl = &program[*id];
        if let TypeDeclKind::Subset(t) = &decl.kind
            && c.looks_at(decl.module)
            && !c.cx.names.in_views
        {
            declared_characteristics(c, &decl.name, decl.span, *said, &t.base);
        }
    }
    let fields: Vec<FieldId> = program.ids();
    for id in fields {
        let f = &program[id];
        if !c.looks_at(f.module) {
            continue;
        }
        let mut uses = Uses {
            check: c,
            compiled: !f.ghost,
        };
        uses.declared(&f.ty, f.span);
        if let FieldKind::Const(Some(e)) = &f.kind {
            uses.expr(e);
        }
    }
    let callables: Vec<CallableId> = program.ids();
    for id in callables
        .into_iter()
        .filter(|id| c.looks_at(program[*id].module))
        .collect::<Vec<_>>()
    {
        callable(c, id);
    }
}

fn declared_type(c: &mut Check<'_>, id: TypeId) {
    let program = c.program();
    let decl = &program[id];
    for parent in &decl.parents {
        Uses {
            check: c,
            compiled: true,
        }
        .ty(parent, decl.span);
    }
    match &decl.kind {
        TypeDeclKind::Newtype(t) | TypeDeclKind::Subset(t) => {
            Uses {
                check: c,
                compiled: true,
            }
            .ty(&t.base, decl.span);
            t.constraint.iter().for_each(|e| {
                Uses {
                    check: c,
                    compiled: false,
                }
                .expr(e)
            });
            match &t.witness {
                Witness::Compiled(e) => Uses {
                    check: c,
                    compiled: true,
                }
                .expr(e),
                Witness::Ghost(e) => Uses {
                    check: c,
                    compiled: false,
                }
                .expr(e),
                Witness::Default | Witness::Opt => {}
            }
        }
        TypeDeclKind::Iterator(parts) => {
            let mut spec = Uses {
                check: c,
                compiled: false,
            };
            parts.spec.decreases.iter().for_each(|e| spec.expr(e));
            parts.body.iter().for_each(|b| {
                visit::walk_block(
                    &mut Uses {
                        check: c,
                        compiled: true,
                    },
                    b,
                )
            });
        }
        TypeDeclKind::Datatype { ctors, .. } => {
            for ctor in ctors.iter().map(|ctor| &program[*ctor]) {
                for (param, default) in ctor.params.iter().zip(&ctor.defaults) {
                    let compiled = !program[*param].ghost;
                    let mut uses = Uses { check: c, compiled };
                    default.iter().for_each(|e| uses.expr(e));
                }
            }
        }
        TypeDeclKind::Abstract | TypeDeclKind::Class | TypeDeclKind::Trait { .. } => {}
    }
}

fn callable(c: &mut Check<'_>, id: CallableId) {
    let program = c.program();
    let callable = &program[id];
    let compiled = !callable.ghost;
    for f in callable.ins.iter().chain(&callable.outs) {
        let local = &program[f.local];
        let mut uses = Uses {
            check: c,
            compiled: compiled && !local.ghost,
        };
        uses.declared(&local.ty, local.span);
        f.default.iter().for_each(|e| uses.expr(e));
    }
    let mut spec = Uses {
        check: c,
        compiled: false,
    };
    visit::walk_clauses(&mut spec, &callable.spec.requires);
    visit::walk_clauses(&mut spec, &callable.spec.ensures);
    visit::walk_frames(&mut spec, &callable.spec.reads);
    visit::walk_frames(&mut spec, &callable.spec.modifies);
    callable.spec.decreases.iter().for_each(|e| spec.expr(e));
    match &callable.body {
        Body::None => {}
        Body::Expr(e) => Uses { check: c, compiled }.expr(e),
        Body::Block(b) => visit::walk_block(&mut Uses { check: c, compiled }, b),
        Body::ByMethod(e, b) => {
            Uses {
                check: c,
                compiled: false,
            }
            .expr(e);
            visit::walk_block(&mut Uses { check: c, compiled }, b);
        }
    }
}

/// Checks that the definition of a synonym or subset type has the declared characteristics.
fn declared_characteristics(
    c: &mut Check<'_>,
    name: &Name,
    span: Span,
    said: Characteristics,
    behind: &Type,
) {
    let program = c.program();
    let has = program.characteristics_of(behind);
    let missing = if *behind == Type::Error {
        return;
    } else if said.equality && !has_equality(program, behind, false) {
        "supports equality"
    } else if said.nonempty && !has.nonempty {
        "is nonempty"
    } else if said.auto_init && !has.auto_init {
        "has a default value"
    } else if said.no_new && !has.no_new {
        "holds no references"
    } else {
        return;
    };
    let message = format!(
        "`{name}` is declared as a type that {missing}, but {} might not",
        program.show_type(behind)
    );
    c.error("resolve/type-characteristics", span, message);
}

/// The required characteristic that the type lacks, as text. Ghost code requires less.
fn lacks(
    program: &Program,
    wanted: Characteristics,
    ty: &Type,
    compiled: bool,
) -> Option<&'static str> {
    let has = program.characteristics_of(ty);
    if compiled && wanted.equality && !has_equality(program, ty, false) {
        Some("support equality")
    } else if wanted.auto_init && !(has.auto_init || has.nonempty && !compiled) {
        Some("support auto-initialization")
    } else if wanted.nonempty && !has.nonempty {
        Some("be nonempty")
    } else if wanted.no_new && !has.no_new {
        Some("contain no references")
    } else {
        None
    }
}

/// Checks that a declaration which refines an abstract type has its characteristics.
pub(super) fn refined_types(c: &mut Check<'_>) {
    let program = c.program();
    let own = |id: TypeId| {
        let params = program[id]
            .type_params
            .iter()
            .map(|p| Type::Param(*p))
            .collect();
        (
            program[id].span,
            program[id].module,
            c.kind_of(id),
            Type::named(id, params),
        )
    };
    let types = Arena::<TypeId>::ids(program).into_iter().map(own);
    let synonyms =
        c.cx.synonyms
            .all
            .iter()
            .map(|s| (s.span, s.module, "type synonym", s.rhs.clone()));
    let known: Vec<(Span, ModuleId, &str, Type)> = if c.cx.types.refined.is_empty() {
        Vec::new()
    } else {
        // A synonym that is opaque in some module also has an abstract type with its span. The
        // definition of the synonym decides.
        synonyms
            .chain(types)
            .filter(|(_, m, ..)| c.looks_at(*m))
            .collect()
    };
    for refined in &c.cx.types.refined {
        let Some((span, _, kind, ty)) = known.iter().find(|(span, ..)| *span == refined.span)
        else {
            continue;
        };
        if let Some(missing) = lacks(program, characteristics(refined.characteristics), ty, true) {
            let message = format!(
                "this {kind} refines the abstract type '{}', so it must {missing}",
                refined.base
            );
            c.error("resolve/type-characteristics", *span, message);
        }
    }
}

/// The types that a part of the program mentions, and those that inference found.
struct Uses<'a, 'b> {
    check: &'a mut Check<'b>,
    /// Whether the part is compiled. Ghost code can compare all values.
    compiled: bool,
}

impl Uses<'_, '_> {
    fn ghost(&mut self, act: impl FnOnce(&mut Self)) {
        self.compiled_if(false, act);
    }

    /// Runs `act` for a part that is compiled only if `is_compiled`, and the enclosing part is.
    fn compiled_if(&mut self, is_compiled: bool, act: impl FnOnce(&mut Self)) {
        let outer = self.compiled;
        self.compiled &= is_compiled;
        act(self);
        self.compiled = outer;
    }

    /// Checks the written type of a name.
    fn declared(&mut self, ty: &Type, name: Span) {
        let place = self
            .check
            .cx
            .text
            .type_places
            .get(&name)
            .copied()
            .unwrap_or(name);
        for (id, args) in self
            .check
            .cx
            .synonyms
            .by_name
            .get(&name)
            .into_iter()
            .flatten()
        {
            if let Some(synonym) = self.check.cx.synonyms.get(*id) {
                self.arguments(
                    &synonym.params,
                    args,
                    &format!("type '{}'", synonym.name),
                    place,
                );
                args.iter().for_each(|t| self.ty(t, place));
            }
        }
        self.ty(ty, place);
    }

    /// Checks a type and its arguments. Errors are reported at `span`.
    fn ty(&mut self, ty: &Type, span: Span) {
        match ty {
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => {}
            Type::Seq(e) | Type::Array { elem: e, .. } => self.ty(e, span),
            Type::Set { elem, finite } => {
                self.equality(if *finite { "set" } else { "iset" }, elem, span);
                self.ty(elem, span);
            }
            Type::Multiset(elem) => {
                self.equality("multiset", elem, span);
                self.ty(elem, span);
            }
            Type::Map { key, value, finite } => {
                self.equality(
                    if *finite { "map domain" } else { "imap domain" },
                    key,
                    span,
                );
                self.ty(key, span);
                self.ty(value, span);
            }
            Type::Tuple(parts) => parts.iter().for_each(|(_, t)| self.ty(t, span)),
            Type::Arrow { params, result, .. } => params
                .iter()
                .chain([&**result])
                .for_each(|t| self.ty(t, span)),
            Type::Named { decl, args, .. } => {
                let decl = &self.check.program()[*decl];
                let what = format!("type '{}'", decl.name);
                self.arguments(&decl.type_params, args, &what, span);
                self.bounds(&decl.type_params, (&decl.type_params, args), &what, span);
                args.iter().for_each(|t| self.ty(t, span));
            }
        }
    }

    fn arguments(&mut self, params: &[TypeParamId], args: &[Type], what: &str, span: Span) {
        let program = self.check.program();
        for (p, a) in params.iter().zip(args) {
            if *a == Type::Error {
                continue;
            }
            let Some(missing) = lacks(program, program[*p].characteristics, a, self.compiled)
            else {
                continue;
            };
            let (name, got) = (&program[*p].name, program.show_type(a));
            let message =
                format!("type parameter ({name}) passed to {what} must {missing} (got {got})");
            self.check
                .error("resolve/type-characteristics", span, message);
        }
    }

    /// Checks that type arguments extend the bounds of their parameters. `all` are the parameters
    /// and arguments that the bounds may mention.
    fn bounds(
        &mut self,
        params: &[TypeParamId],
        all: (&[TypeParamId], &[Type]),
        what: &str,
        span: Span,
    ) {
        let program = self.check.program();
        if params.iter().all(|p| program[*p].bounds.is_empty()) || all.0.len() != all.1.len() {
            return;
        }
        let map: Substitution = all.0.iter().copied().zip(all.1.iter().cloned()).collect();
        for p in params {
            let Some(actual) = map.get(p) else { continue };
            for bound in program[*p].bounds.iter().map(|b| b.subst(&map)) {
                if !meets(self.check.cx, &bound, actual, 0) {
                    let (name, bound, got) = (
                        &program[*p].name,
                        program.show_type(&bound),
                        program.show_type(actual),
                    );
                    let message = format!(
                        "type parameter ({name}) passed to {what} must extend {bound} (got {got})"
                    );
                    self.check.error("resolve/type-bound", span, message);
                }
            }
        }
    }

    fn call(&mut self, callee: CallableId, type_args: &[Type], span: Span) {
        let program = self.check.program();
        let callable = &program[callee];
        let what = format!("{} '{}'", callable_word(callable), callable.name);
        let own = type_args.len().saturating_sub(callable.type_params.len());
        if callable.is_static {
            self.owner(callable.owner, type_args, span);
        }
        self.arguments(
            &callable.type_params,
            type_args.get(own..).unwrap_or_default(),
            &what,
            span,
        );
        self.bounds(
            &callable.type_params,
            (&program.all_type_params(callee), type_args),
            &what,
            span,
        );
    }

    /// Checks the type arguments of the type before a static member. Those of an instance member
    /// are part of the type of its receiver, which is checked where it is written.
    fn owner(&mut self, owner: Option<TypeId>, type_args: &[Type], span: Span) {
        let program = self.check.program();
        if let Some(owner) = owner.map(|id| &program[id]) {
            let what = format!("type '{}'", owner.name);
            self.arguments(&owner.type_params, type_args, &what, span);
        }
    }

    /// Checks the arguments of a call. Arguments for ghost parameters are not compiled.
    fn passed(&mut self, formals: &[Formal], args: &[Expr]) {
        let program = self.check.program();
        for (f, a) in formals.iter().zip(args) {
            if program[f.local].ghost {
                self.ghost(|u| u.expr(a))
            } else {
                self.expr(a)
            }
        }
    }

    fn fields(&mut self, ctor: CtorId, args: &[Expr]) {
        let program = self.check.program();
        for (f, a) in program[ctor].fields.iter().zip(args) {
            if program[*f].ghost {
                self.ghost(|u| u.expr(a))
            } else {
                self.expr(a)
            }
        }
    }

    fn locals(&mut self, locals: &[LocalId]) {
        let program = self.check.program();
        for l in locals {
            let local = &program[*l];
            self.compiled_if(!local.ghost, |u| u.declared(&local.ty, local.span));
        }
    }
}

impl Uses<'_, '_> {
    /// Checks the values of variables. The values of ghost variables are ghost code.
    fn bindings(&mut self, ghost: bool, bindings: &[(Pattern, Expr)]) {
        let program = self.check.program();
        for (pattern, value) in bindings {
            let mut vars = Vec::new();
            pattern_vars(pattern, &mut vars);
            self.locals(&vars);
            let erased = ghost || (!vars.is_empty() && vars.iter().all(|l| program[*l].ghost));
            if erased {
                self.ghost(|u| u.expr(value))
            } else {
                self.expr(value)
            }
        }
    }

    /// Checks `m.Values` and `m.Items`, which are sets.
    fn map_values(&mut self, object: &Expr, span: Span) {
        let program = self.check.program();
        if let Type::Map { value, .. } = program.representation(&object.ty)
            && self.compiled
            && !has_equality(program, &value, false)
        {
            let message = format!(
                "the values of this map must support equality (got {})",
                program.show_type(&value)
            );
            self.lacks_equality(&value, span, message);
            // Dafny checks this in a later pass than all other equality.
            self.check.map_ranges.extend(self.check.found.pop());
        }
    }
}

impl<'t> Uses<'_, '_> {
    /// Checks the equalities of a chain of comparisons.
    fn chain(&mut self, first: &Expr, rest: &[(BinaryOp, Expr)], span: Span) {
        let mut left = first;
        for (op, right) in rest {
            if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                self.compares(left, right, span);
            }
            left = right;
        }
    }

    /// Visits the components of a tuple, ghost ones as ghost code.
    fn tuple(&mut self, types: &[(bool, Type)], parts: &'t [Expr]) {
        for ((ghost, _), part) in types.iter().zip(parts) {
            if *ghost {
                self.ghost(|u| u.expr(part))
            } else {
                self.expr(part)
            }
        }
    }

    /// Visits the variables of a `:|` binding. It is erased if it or all of its variables are
    /// ghost.
    fn choice(&mut self, ghost: bool, vars: &'t Quantified) {
        let program = self.check.program();
        if ghost || vars.vars.iter().all(|l| program[*l].ghost) {
            self.ghost(|u| u.quantified(vars))
        } else {
            self.quantified(vars)
        }
    }

    /// Visits a lambda expression; its specification is ghost code.
    fn lambda(&mut self, l: &'t Lambda) {
        self.locals(&l.params);
        self.ghost(|u| {
            visit::walk_clauses(u, &l.requires);
            visit::walk_frames(u, &l.reads);
        });
        self.expr(&l.body)
    }
}

impl<'t> Visit<'t> for Uses<'_, '_> {
    fn expr(&mut self, e: &'t Expr) {
        let program = self.check.program();
        match &e.kind {
            ExprKind::Call(c) => {
                // Arguments for ghost parameters are visited as ghost code, so the default
                // traversal is skipped.
                self.call(c.callee, &c.type_args, e.span);
                c.receiver
                    .iter()
                    .chain(&c.discarded)
                    .for_each(|r| self.expr(r));
                self.passed(&program[c.callee].ins, &c.args);
                return;
            }
            ExprKind::FunctionRef {
                callee, type_args, ..
            } => self.call(*callee, type_args, e.span),
            ExprKind::Field {
                object: None,
                field,
                type_args,
                ..
            } => self.owner(program[*field].owner, type_args, e.span),
            ExprKind::Construct { ctor, args } => {
                self.ty(&e.ty, e.span);
                return self.fields(*ctor, args);
            }
            // These construct collections whose element or key type was inferred and is not written
            // anywhere.
            ExprKind::SetDisplay(_)
            | ExprKind::MultisetDisplay(_)
            | ExprKind::MapDisplay(_)
            | ExprKind::SetComp { .. }
            | ExprKind::MapComp { .. }
            | ExprKind::MultisetFrom(_) => self.ty(&e.ty, e.span),
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => self.compares(a, b, e.span),
            ExprKind::Binary(op, a, b) => self.searches(*op, a, b, b.span),
            ExprKind::Builtin {
                member: BuiltinMember::Values | BuiltinMember::Items,
                object,
            } => self.map_values(object, e.span),
            ExprKind::Chain { first, rest } => self.chain(first, rest, e.span),
            ExprKind::Convert(_) => self.ty(&e.ty, e.span),
            ExprKind::Is(_, ty) => self.ty(ty, e.span),
            ExprKind::Tuple(parts) => {
                let Type::Tuple(types) = &e.ty else {
                    return visit::walk_expr(self, e);
                };
                return self.tuple(types, parts);
            }
            ExprKind::Let {
                ghost,
                bindings,
                body,
            } => {
                self.bindings(*ghost, bindings);
                return self.expr(body);
            }
            ExprKind::LetSuchThat { ghost, vars, body } => {
                self.choice(*ghost, vars);
                return self.expr(body);
            }
            ExprKind::Lambda(l) => return self.lambda(l),
            ExprKind::Old { .. }
            | ExprKind::Fresh { .. }
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged { .. } => {
                return self.ghost(|u| visit::walk_expr(u, e));
            }
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::This
            | ExprKind::Field { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::CtorTest { .. }
            | ExprKind::TupleField { .. }
            | ExprKind::Delayed(_)
            | ExprKind::Apply { .. }
            | ExprKind::Index { .. }
            | ExprKind::Slice { .. }
            | ExprKind::SliceLengths { .. }
            | ExprKind::Update { .. }
            | ExprKind::DatatypeUpdate { .. }
            | ExprKind::TupleUpdate { .. }
            | ExprKind::Unary(..)
            | ExprKind::PrefixEq { .. }
            | ExprKind::Cardinality(_)
            | ExprKind::SeqDisplay(_)
            | ExprKind::SeqConstruct { .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::If { .. }
            | ExprKind::IfBinding { .. }
            | ExprKind::Match { .. }
            | ExprKind::LetOrFail(_)
            | ExprKind::StmtExpr { .. }
            | ExprKind::Assigned(_)
            | ExprKind::Wildcard
            | ExprKind::Error => {}
        }
        visit::walk_expr(self, e);
    }

    fn quantified(&mut self, q: &'t Quantified) {
        self.locals(&q.vars);
        visit::walk_quantified(self, q);
    }

    fn loop_spec(&mut self, spec: &'t LoopSpec) {
        self.ghost(|u| visit::walk_loop_spec(u, spec));
    }

    fn stmt(&mut self, s: &'t Stmt) {
        let program = self.check.program();
        self.compiled_if(!s.ghost, |u| u.stmt_here(s, program));
    }
}

impl Uses<'_, '_> {
    fn stmt_here(&mut self, s: &Stmt, program: &Program) {
        self.locals(s.kind.declares());
        if let StmtKind::Assign { pairs, .. } = &s.kind {
            for (_, rhs) in pairs {
                match rhs {
                    Rhs::New { ty, ctor } => {
                        self.ty(ty, s.span);
                        ctor.iter()
                            .for_each(|c| self.call(c.callee, &c.type_args, s.span));
                    }
                    Rhs::NewArray { elem, .. } => self.ty(elem, s.span),
                    Rhs::Expr(_) | Rhs::Havoc(_) => {}
                }
            }
        } else if let StmtKind::Call { call, .. } = &s.kind {
            self.call(call.callee, &call.type_args, s.span);
            call.receiver
                .iter()
                .chain(&call.discarded)
                .for_each(|r| self.expr(r));
            self.passed(&program[call.callee].ins, &call.args);
            return;
        }
        visit::walk_stmt(self, s);
    }
}

/// Collects the variables of a pattern.
fn pattern_vars(p: &Pattern, found: &mut Vec<LocalId>) {
    use crate::typed::PatternKind;
    match &p.kind {
        PatternKind::Var(l) => found.push(*l),
        PatternKind::Ctor { args, .. } | PatternKind::Tuple(args) | PatternKind::Or(args) => {
            args.iter().for_each(|a| pattern_vars(a, found))
        }
        PatternKind::Wildcard | PatternKind::Value(_) => {}
    }
}
