//! Ghostness of expressions: the reasons why an expression cannot be evaluated at run time.
//!
//! [`Ghost::compiled`] reports all reasons. [`Ghost::spec`] returns the first one. Both also mark
//! the ghost parts inside a compiled expression, such as arguments for ghost parameters.

use crate::typed::{
    ArrowKind, BinaryOp, Body, BuiltinMember, Call, CallableId, CtorId, Expr, ExprKind, FieldId,
    FieldKind, Formal, LetOrFail, LocalId, Pattern, PatternKind, Quantified, Stmt, Type,
};
use dafny_source::Span;

use super::super::pools::{self, Pool, Pools};
use super::{Ghost, Reason};

impl Ghost<'_> {
    /// Requires that the expression can be evaluated at run time. Reports every reason why not.
    pub(super) fn compiled(&mut self, e: &mut Expr) {
        let outer = self.collected.replace(Vec::new());
        self.spec(e);
        let found = std::mem::replace(&mut self.collected, outer);
        found
            .iter()
            .flatten()
            .for_each(|reason| self.report(reason));
    }

    /// Whether a compiled expression has a condition of its own ([`crate::typed::Program::compiled`]).
    fn has_condition(&self, e: &Expr) -> bool {
        let has_ghost_constructor = |object: &Expr| {
            matches!(self.program.strip_subset(&object.ty), Type::Named { decl, .. }
                if self.program.has_ghost_constructor(decl))
        };
        if let ExprKind::CtorTest { object, .. }
        | ExprKind::Field {
            object: Some(object),
            ..
        }
        | ExprKind::DatatypeUpdate { object, .. }
        | ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, object, _) = &e.kind
        {
            has_ghost_constructor(object)
        } else {
            // The variables are ghost if the condition is: then it is not compiled.
            matches!(e.kind, ExprKind::LetSuchThat { .. })
        }
    }

    /// Whether the expression cannot be evaluated at run time. Nothing is reported.
    fn is_ghostly(&mut self, e: &mut Expr) -> bool {
        self.aside(|ghost| ghost.spec(e)).is_some()
    }

    /// Runs `act` without collecting reasons.
    fn aside<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.collected.take();
        let result = act(self);
        self.collected = outer;
        result
    }

    pub(super) fn all(&mut self, es: &mut [Expr]) -> Option<Reason> {
        es.iter_mut().find_map(|e| self.spec(e))
    }

    /// Returns the first reason why the expression cannot be evaluated at run time. In collecting
    /// mode, records the reason and returns `None`.
    ///
    /// Variables of `var` expressions become ghost with their values, and the proofs inside are
    /// marked as ghost.
    pub(super) fn spec(&mut self, e: &mut Expr) -> Option<Reason> {
        let found = stacker::maybe_grow(
            super::super::expr::RED_ZONE,
            super::super::expr::STACK,
            || self.spec_here(e),
        );
        match (&mut self.collected, found) {
            (Some(collected), Some(reason)) => {
                collected.push(reason);
                None
            }
            (_, found) => found,
        }
    }

    fn spec_here(&mut self, e: &mut Expr) -> Option<Reason> {
        let span = e.span;
        // `Erase` takes the place out again if the expression turns out to be ghost.
        if self.has_condition(e) {
            self.program.compiled.insert(span);
        }
        let because = |what: String| Some(Reason::new(span, what));
        match &mut e.kind {
            ExprKind::Literal(_) | ExprKind::This | ExprKind::Wildcard | ExprKind::Error => None,
            ExprKind::Local(l) => {
                let local = &self.program[*l];
                if local.ghost {
                    because(format!("the ghost variable `{}`", local.name))
                } else {
                    None
                }
            }
            ExprKind::Field {
                object,
                discarded,
                field,
                ..
            } => {
                if let Some(reason) = self.field(*field, span) {
                    return Some(reason);
                }
                object
                    .iter_mut()
                    .chain(discarded)
                    .find_map(|o| self.spec(o))
            }
            ExprKind::Builtin { member, object } => match member {
                BuiltinMember::FunctionRequires | BuiltinMember::FunctionReads => {
                    because("the specification of a function".into())
                }
                BuiltinMember::Keys
                | BuiltinMember::Values
                | BuiltinMember::Items
                | BuiltinMember::Floor
                | BuiltinMember::ArrayLength(_)
                | BuiltinMember::IsLimit
                | BuiltinMember::IsSucc
                | BuiltinMember::OrdinalOffset
                | BuiltinMember::IsNat
                | BuiltinMember::RotateLeft
                | BuiltinMember::RotateRight => self.spec(object),
            },
            ExprKind::CtorTest { ctor, object } => {
                if self.program[*ctor].ghost {
                    return because(format!(
                        "the ghost constructor `{}`",
                        self.program[*ctor].name
                    ));
                }
                self.spec(object)
            }
            ExprKind::TupleField { object, index } => {
                if let Type::Tuple(parts) = self.program.strip_subset(&object.ty)
                    && parts.get(*index).is_some_and(|(ghost, _)| *ghost)
                {
                    return because(format!("the ghost component `{index}` of a tuple"));
                }
                self.spec(object)
            }
            ExprKind::Construct { ctor, args } => self.construct(*ctor, args, span),
            ExprKind::Delayed(e) => self.spec(e),
            ExprKind::Call(c) => self.call(c, span),
            ExprKind::FunctionRef {
                callee,
                receiver,
                discarded,
                ..
            } => self.function_value(
                *callee,
                receiver.iter_mut().chain(discarded).map(|r| &mut **r),
                span,
            ),
            ExprKind::Apply { function, args } => self.spec(function).or_else(|| self.all(args)),
            ExprKind::Index { object, indices } => self.spec(object).or_else(|| self.all(indices)),
            ExprKind::Slice { object, from, to } => {
                let parts = std::iter::once(object)
                    .chain(from.as_mut())
                    .chain(to.as_mut());
                let mut parts: Vec<&mut Box<Expr>> = parts.collect();
                parts.iter_mut().find_map(|p| self.spec(p))
            }
            ExprKind::SliceLengths {
                object, lengths, ..
            } => self.spec(object).or_else(|| self.all(lengths)),
            ExprKind::Update { object, key, value } => {
                [object, key, value].into_iter().find_map(|x| self.spec(x))
            }
            ExprKind::DatatypeUpdate {
                object,
                updates,
                ctors,
            } => self.datatype_update((object, updates), ctors, span),
            ExprKind::TupleUpdate { object, updates } => self
                .spec(object)
                .or_else(|| updates.iter_mut().find_map(|(_, v)| self.spec(v))),
            ExprKind::Binary(op, a, b) => {
                // Rank comparisons and `decreases to` have no run-time implementation.
                if *op == BinaryOp::Above
                    || self.order_claims.contains(&span)
                    || matches!(op, BinaryOp::Lt | BinaryOp::Gt) && self.is_ranked(&a.ty)
                {
                    return because("the well-founded order".into());
                }
                self.spec(a).or_else(|| self.spec(b))
            }
            ExprKind::Chain { first, rest } => self
                .spec(first)
                .or_else(|| rest.iter_mut().find_map(|(_, x)| self.spec(x))),
            ExprKind::PrefixEq { .. } => because("a prefix equality".into()),
            ExprKind::Is(x, to) if !self.is_testable(&x.ty, to) => because(format!(
                "a test of a value of type {} for {}",
                self.program.show_type(&x.ty),
                self.program.show_type(to)
            )),
            ExprKind::Unary(_, x)
            | ExprKind::Convert(x)
            | ExprKind::Is(x, _)
            | ExprKind::Cardinality(x)
            | ExprKind::MultisetFrom(x) => self.spec(x),
            ExprKind::Tuple(parts) => {
                let ghost: Vec<bool> = if let Type::Tuple(ts) = &e.ty {
                    ts.iter().map(|(g, _)| *g).collect()
                } else {
                    Vec::new()
                };
                for (i, x) in parts.iter_mut().enumerate() {
                    if ghost.get(i).copied().unwrap_or(false) {
                        self.erase_expr(x);
                    } else if let Some(r) = self.spec(x) {
                        return Some(r);
                    }
                }
                None
            }
            ExprKind::SeqDisplay(es) | ExprKind::SetDisplay(es) | ExprKind::MultisetDisplay(es) => {
                self.all(es)
            }
            ExprKind::MapDisplay(pairs) => pairs
                .iter_mut()
                .find_map(|(k, v)| self.spec(k).or_else(|| self.spec(v))),
            ExprKind::SeqConstruct { len, init } => self.spec(len).or_else(|| self.spec(init)),
            ExprKind::SetComp { vars, term } => self.enumerated(vars).or_else(|| self.spec(term)),
            ExprKind::MapComp { vars, key, value } => self
                .enumerated(vars)
                .or_else(|| self.spec(key).or_else(|| self.spec(value))),
            ExprKind::Quantifier { forall, vars, body } => self.quantifier(*forall, vars, body),
            // The contract of a lambda is ghost, its body is compiled.
            ExprKind::Lambda(l) => {
                for c in &mut l.requires {
                    self.erase_expr(&mut c.cond);
                }
                self.frames(&mut l.reads);
                self.spec(&mut l.body)
            }
            ExprKind::If { cond, then, els } => {
                [cond, then, els].into_iter().find_map(|x| self.spec(x))
            }
            ExprKind::IfBinding { vars, then, els } => self
                .enumerated(vars)
                .or_else(|| [then, els].into_iter().find_map(|x| self.spec(x))),
            ExprKind::Match { scrutinee, cases } => match self.spec(scrutinee) {
                Some(r) => Some(r),
                None => cases.iter_mut().find_map(|c| {
                    self.pattern(&mut c.pattern)
                        .or_else(|| self.spec(&mut c.body))
                }),
            },
            ExprKind::Let {
                ghost,
                bindings,
                body,
            } => {
                for (p, v) in bindings {
                    // A `var` with a ghost value is ghost itself, and so are its uses in the body.
                    if *ghost || self.is_ghostly(v) {
                        self.erase_expr(v);
                        self.erase_pattern(p);
                    }
                }
                self.spec(body)
            }
            ExprKind::LetSuchThat { ghost, vars, body } => {
                self.let_such_that(*ghost, vars, body, span)
            }
            ExprKind::LetOrFail(l) => self.let_or_fail(l),
            ExprKind::StmtExpr { stmt, body } => {
                if let Some(r) = self.inner_stmt(stmt) {
                    return Some(r);
                }
                self.spec(body)
            }
            ExprKind::Old { .. } => because("`old`".into()),
            ExprKind::Fresh { .. } => because("`fresh`".into()),
            ExprKind::Allocated(_) => Some(Reason {
                span,
                what: "`allocated`".into(),
                soft: true,
            }),
            ExprKind::Unchanged { .. } => because("`unchanged`".into()),
            ExprKind::Assigned(_) => Some(Reason {
                span,
                what: "`assigned`".into(),
                soft: true,
            }),
        }
    }

    /// An application of a constructor: arguments for ghost fields may be ghost.
    fn construct(&mut self, ctor: CtorId, args: &mut [Expr], span: Span) -> Option<Reason> {
        if self.program[ctor].ghost {
            return Some(Reason::new(
                span,
                format!("the ghost constructor `{}`", self.program[ctor].name),
            ));
        }
        let fields = self.program[ctor].fields.clone();
        // Arguments for ghost fields are not evaluated, so they may be ghost.
        for (f, a) in fields.iter().zip(args) {
            if self.program[*f].ghost {
                self.erase_expr(a);
            } else if let Some(reason) = self.spec(a) {
                return Some(reason);
            }
        }
        None
    }

    /// A function as a value: neither it nor a parameter may be ghost.
    fn function_value<'e>(
        &mut self,
        callee: CallableId,
        mut receivers: impl Iterator<Item = &'e mut Expr>,
        span: Span,
    ) -> Option<Reason> {
        if self.program[callee].ghost {
            return Some(Reason::new(
                span,
                format!("the ghost function `{}`", self.program[callee].name),
            ));
        }
        if self.program[callee]
            .ins
            .iter()
            .any(|f| self.is_ghost(f.local))
        {
            return Some(Reason::new(
                span,
                format!(
                    "the function `{}`, which has ghost parameters, as a value",
                    self.program[callee].name
                ),
            ));
        }
        receivers.find_map(|r| self.spec(r))
    }

    /// `d.(f := v)`: values of ghost fields may be ghost.
    fn datatype_update(
        &mut self,
        (object, updates): (&mut Expr, &mut [(FieldId, Expr)]),
        ctors: &[CtorId],
        span: Span,
    ) -> Option<Reason> {
        if let Some(r) = self.spec(object) {
            return Some(r);
        }
        for (f, v) in updates {
            if self.program[*f].ghost {
                self.erase_expr(v);
            } else if let Some(r) = self.spec(v) {
                return Some(r);
            }
        }
        // The result would be a value of a ghost constructor.
        if ctors.iter().all(|c| self.program[*c].ghost) && !ctors.is_empty() {
            return Some(Reason::new(
                span,
                "an update of fields that only ghost constructors have",
            ));
        }
        None
    }

    /// A quantifier is compiled if its variables can be enumerated.
    fn quantifier(
        &mut self,
        forall: bool,
        vars: &mut Quantified,
        body: &mut Expr,
    ) -> Option<Reason> {
        let found = pools::of_quantifier(self.program, &self.older, forall, vars, body);
        // The order decides which reason is reported: domains, tests of types, range, body.
        let open = self.open(&found, vars.span);
        match open
            .or_else(|| self.untestable(&found, vars.span))
            .or_else(|| self.range(vars))
        {
            Some(r) => Some(r),
            None => self.spec(body),
        }
    }

    /// `var x :| P; e`: variables whose condition is ghost are ghost.
    fn let_such_that(
        &mut self,
        ghost: bool,
        vars: &mut Quantified,
        body: &mut Expr,
        span: Span,
    ) -> Option<Reason> {
        // A ghost condition is no error here: it makes the variables ghost.
        if ghost || self.aside(|g| g.range(vars)).is_some() {
            if let Some(r) = &mut vars.range {
                self.erase_expr(r);
            }
            for v in vars.vars.clone() {
                self.make_ghost(v);
            }
            self.program.compiled.remove(&span);
        }
        self.spec(body)
    }

    /// `:-` in an expression: a ghost value makes its variable ghost, and it is compiled.
    fn let_or_fail(&mut self, l: &mut LetOrFail) -> Option<Reason> {
        if l.ghost {
            self.erase_expr(&mut l.value);
            self.make_ghost(l.temp);
            if let Some(p) = &mut l.pattern {
                self.erase_pattern(p);
            }
        }
        if let Some(r) = self.spec(&mut l.value) {
            return Some(r);
        }
        self.spec(&mut l.body)
    }

    fn field(&self, field: FieldId, span: Span) -> Option<Reason> {
        let f = &self.program[field];
        let ghost_constructors = match &f.kind {
            FieldKind::Destructor(ctors) => {
                !ctors.is_empty() && ctors.iter().all(|c| self.program[*c].ghost)
            }
            FieldKind::Mutable | FieldKind::Const(_) => false,
        };
        if ghost_constructors {
            return Some(Reason {
                span,
                what: format!("the field `{}` of a ghost constructor", f.name),
                soft: false,
            });
        }
        f.ghost.then(|| Reason {
            span,
            what: format!("the ghost field `{}`", f.name),
            soft: false,
        })
    }

    /// Checks a call: the callee and the arguments for its non-ghost parameters have to be
    /// compiled.
    pub(super) fn call(&mut self, c: &mut Call, span: Span) -> Option<Reason> {
        let callee = &self.program[c.callee];
        if callee.ghost {
            return Some(Reason {
                span,
                what: format!(
                    "the ghost {} `{}`",
                    super::super::calls::kind_word(callee.kind),
                    callee.name
                ),
                soft: false,
            });
        }
        // A compiled call runs the method, whose calls count for cycles.
        if let (Body::ByMethod(..), Some(declaration)) = (&callee.body, self.declaration) {
            self.method_calls.push((declaration, c.callee));
        }
        if let Some(r) = c
            .receiver
            .iter_mut()
            .chain(&mut c.discarded)
            .find_map(|r| self.spec(r))
        {
            return Some(r);
        }
        let ins: Vec<Formal> = self.program[c.callee].ins.clone();
        self.arguments(&ins, &mut c.args)
    }

    pub(super) fn arguments(&mut self, ins: &[Formal], args: &mut [Expr]) -> Option<Reason> {
        for (f, a) in ins.iter().zip(args) {
            if self.is_ghost(f.local) {
                self.erase_expr(a);
            } else if let Some(r) = self.spec(a) {
                return Some(r);
            }
        }
        None
    }

    /// Whether a type test can be compiled (`ExpressionTester.IsTypeTestCompilable`): it is always
    /// true, or its constraint is compiled and the type of the value determines all type arguments.
    fn is_testable(&self, from: &Type, to: &Type) -> bool {
        if self.program.is_subtype(from, to) {
            return true;
        }
        // Type arguments do not exist at run time: a test may look at the head of a type only.
        if matches!(to, Type::Param(_)) {
            false
        } else if let Type::Arrow { kind, .. } = to {
            *kind == ArrowKind::General
        } else if matches!(to, Type::Array { .. }) {
            matches!(self.program.strip_subset(from), Type::Array { .. })
        } else if let Type::Named { decl, .. } = to
            && self.uncompilable.contains(decl)
        {
            false
        } else if let Type::Named { decl, .. } = to {
            // The type of the value has to determine each type argument, because none can be
            // tested.
            let params = &self.program[*decl].type_params;
            let own = Type::named(*decl, params.iter().map(|p| Type::Param(*p)).collect());
            let found = self
                .program
                .parameters_in_ancestor(&own, &self.program.strip_subset(from));
            params.iter().all(|p| found.contains(p))
        } else {
            true
        }
    }

    fn is_ranked(&self, ty: &Type) -> bool {
        let Type::Named { decl, .. } = self.program.representation(ty) else {
            return false;
        };
        matches!(
            self.program[decl].kind,
            crate::typed::TypeDeclKind::Datatype { .. }
        )
    }

    /// Checks bound variables whose values are enumerated, and their range.
    pub(super) fn enumerated(&mut self, q: &mut Quantified) -> Option<Reason> {
        let found = pools::of_comprehension(self.program, &self.older, q);
        self.open(&found, q.span)
            .or_else(|| self.untestable(&found, q.span))
            .or_else(|| self.range(q))
    }

    /// Whether the two types have the same head. If a value of one may have the other, then their
    /// arguments agree too. They can still be written differently in a default value of a
    /// parameter, because type parameters are substituted only in its free variables.
    fn have_one_head(&self, from: &Type, to: &Type) -> bool {
        if let (Type::Named { decl: a, .. }, Type::Named { decl: b, .. }) = (from, to) {
            a == b
        } else if let Type::Param(p) = to {
            self.program[*p].bounds.is_empty()
        } else {
            std::mem::discriminant(from) == std::mem::discriminant(to)
        }
    }

    /// Returns the reason if the values of a bound variable come from values of another type, and
    /// cannot be tested for the type of the variable at run time.
    pub(super) fn untestable(&self, found: &Pools, span: Span) -> Option<Reason> {
        let is_untestable = |(v, pool): &&(LocalId, Option<Pool>)| {
            let source = pool.as_ref().and_then(|p| p.source.as_ref());
            source.is_some_and(|from| {
                let to = &self.program[*v].ty;
                !self.have_one_head(from, to) && !self.is_testable(from, to)
            })
        };
        let (v, _) = found.iter().find(is_untestable)?;
        let (name, ty) = (
            &self.program[*v].name,
            self.program.show_type(&self.program[*v].ty),
        );
        Some(Reason {
            span,
            what: format!(
                "the bound variable `{name}`, whose values cannot be tested for the type {ty} at run time,"
            ),
            soft: false,
        })
    }

    /// Reports a bound variable without a finite, enumerable pool of values by Dafny's rules.
    pub(super) fn open(&self, found: &Pools, span: Span) -> Option<Reason> {
        let open = found
            .iter()
            .find(|(_, p)| !p.as_ref().is_some_and(|p| p.finite && p.enumerable))?;
        let what = format!(
            "the bound variable `{}`, for which no finite set of values could be determined,",
            self.program[open.0].name
        );
        Some(Reason::new(span, what))
    }

    fn range(&mut self, q: &mut Quantified) -> Option<Reason> {
        q.range.as_mut().and_then(|r| self.spec(r))
    }

    /// Checks a pattern for ghost constructors.
    pub(super) fn pattern(&mut self, p: &mut Pattern) -> Option<Reason> {
        match &mut p.kind {
            PatternKind::Wildcard | PatternKind::Var(_) => None,
            PatternKind::Ctor { ctor, args } => {
                if self.program[*ctor].ghost {
                    return Some(Reason {
                        span: p.span,
                        what: format!("the ghost constructor `{}`", self.program[*ctor].name),
                        soft: true,
                    });
                }
                args.iter_mut().find_map(|a| self.pattern(a))
            }
            PatternKind::Tuple(parts) | PatternKind::Or(parts) => {
                parts.iter_mut().find_map(|a| self.pattern(a))
            }
            // A value is compared at run time.
            PatternKind::Value(_) => None,
        }
    }

    /// Marks a statement inside a compiled expression as ghost: such statements are proofs.
    fn inner_stmt(&mut self, s: &mut Stmt) -> Option<Reason> {
        self.stmt(s, true);
        None
    }
}
