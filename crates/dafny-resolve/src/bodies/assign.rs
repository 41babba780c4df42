//! Assignments: `:=`, `:|`, `:-`, variable declarations, and `return` and `yield` with values.
//!
//! All forms share three steps. The right-hand sides are resolved first ([`Resolver::right_kind`]),
//! with the types of the targets as hints. Then the targets come into scope, if the statement
//! declares them. Last, [`Resolver::assign`] checks the number of values and lets each value flow
//! into its target. A right-hand side may be a method call, which is not an expression: it has a
//! case of its own everywhere.

use crate::typed::{
    ArrayInit, Call, Expr, ExprKind, FieldKind, Literal, LocalId, Origin, Revealed, Rhs, Stmt,
    StmtKind, Target, Type, TypeDeclKind,
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;
use num_bigint::BigInt;

use super::binders::quantified_over;
use super::calls::Called;
use super::expr::{boxed, mk};
use super::needs::Kind;
use super::stmt::stmt;
use super::walk::same_place;
use super::{Pending, Resolver};

/// A right-hand side with its span: a value, or a method call with the types of its results.
pub(super) struct Right {
    pub(super) kind: RightKind,
    pub(super) span: Span,
}

pub(super) enum RightKind {
    Value(Rhs, Type),
    Call(Call, Vec<Type>),
}

impl Resolver<'_> {
    pub(super) fn update_stmt(&mut self, u: &ast::Update, span: Span, out: &mut Vec<Stmt>) {
        match &u.assign {
            ast::Assign::Rhs(rhs) => {
                // `reveal_F();` is parsed as a call; it is a reveal statement.
                if let (
                    [],
                    [
                        ast::Rhs {
                            kind: ast::RhsKind::Expr(e),
                            ..
                        },
                    ],
                ) = (u.lhs.as_slice(), rhs.as_slice())
                    && let Some(id) = self.reveal_lemma(e)
                {
                    out.push(stmt(
                        StmtKind::Reveal(Revealed {
                            functions: vec![id],
                            ..Revealed::default()
                        }),
                        span,
                    ));
                    return;
                }
                let targets: Vec<(Target, Type)> = u.lhs.iter().map(|e| self.target(e)).collect();
                let types: Vec<Type> = targets.iter().map(|(_, t)| t.clone()).collect();
                let rights = self.rights(rhs, &types);
                if targets.is_empty() {
                    self.without_targets(rights, span, out);
                    return;
                }
                let place = u.lhs.last().map_or(span, |e| e.span);
                self.assign(Vec::new(), targets, rights, place, span, out);
            }
            ast::Assign::SuchThat { assume, cond } => {
                self.such_that_stmt(&u.lhs, *assume, cond, span, out)
            }
            ast::Assign::Failure { keyword, rhs } => {
                let targets: Vec<(Target, Type)> = u.lhs.iter().map(|e| self.target(e)).collect();
                let types: Vec<Type> = targets.iter().map(|(_, t)| t.clone()).collect();
                let failing = self.failing(rhs, &types, targets.len());
                self.assign_or_fail(Vec::new(), targets, *keyword, failing, span, out);
            }
        }
    }

    /// Adds the statements of right-hand sides without targets. Only a call without results or an
    /// allocation is a statement.
    fn without_targets(&mut self, rights: Vec<Right>, span: Span, out: &mut Vec<Stmt>) {
        for right in rights {
            match right.kind {
                RightKind::Call(call, outs) => {
                    if !outs.is_empty() {
                        self.results_dropped(&call, outs.len(), span);
                        out.push(stmt(StmtKind::Error, span));
                        continue;
                    }
                    self.not_a_constructor(&call, span);
                    out.push(stmt(
                        StmtKind::Call {
                            declares: Vec::new(),
                            targets: Vec::new(),
                            call,
                        },
                        span,
                    ))
                }
                RightKind::Value(Rhs::New { ty, ctor }, _) => {
                    let pairs = vec![(Target::Discard(ty.clone()), Rhs::New { ty, ctor })];
                    out.push(stmt(
                        StmtKind::Assign {
                            declares: Vec::new(),
                            pairs,
                        },
                        span,
                    ));
                }
                RightKind::Value(Rhs::Expr(e), _) if Self::is_broken(&e) => {
                    out.push(stmt(StmtKind::Error, span))
                }
                RightKind::Value(..) => {
                    let d = Diagnostic::error(
                        "resolve/expression-statement",
                        span,
                        "an expression is not a statement",
                    );
                    self.report(d.with_help("assign its value to a variable: `var x := …;`"));
                }
            }
        }
    }

    /// Resolves `x, y :| P;` for existing targets.
    fn such_that_stmt(
        &mut self,
        lhs: &[ast::Expr],
        assume: bool,
        cond: &ast::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let targets: Vec<(Target, Type)> = lhs.iter().map(|e| self.target(e)).collect();
        self.such_that_targets(lhs, &targets, assume);
        let mark = self.st.scope.open();
        let mut bound = Vec::new();
        let mut places: Vec<(Expr, LocalId)> = Vec::new();
        for (e, (target, ty)) in lhs.iter().zip(&targets) {
            let name = if let ast::ExprKind::Name { name, .. } = &e.kind {
                name.clone()
            } else {
                ast::Ident {
                    name: "_".into(),
                    span: e.span,
                }
            };
            let local = self.stand_for(&name, ty.clone(), false);
            bound.push(local);
            if let Some(place) = place_of(target, ty, e.span) {
                places.push((place, local));
            }
        }
        let mut cond = self.condition(cond);
        self.st.scope.close(mark);
        // In the condition, a place on the left-hand side denotes its new value.
        super::walk::Replace {
            places: &places,
            found: same_place,
        }
        .apply(&mut cond);
        let targets = targets.into_iter().map(|(t, _)| t).collect();
        let vars = quantified_over(bound, Some(boxed(cond)), span);
        out.push(stmt(
            StmtKind::SuchThat {
                declares: Vec::new(),
                targets,
                vars,
                assume,
            },
            span,
        ));
    }

    /// Declares the bound variable that represents a target of `:|` in its condition.
    pub(super) fn stand_for(&mut self, name: &ast::Ident, ty: Type, ghost: bool) -> LocalId {
        let local = self
            .cx
            .add_local(name.name.clone(), ty, ghost, false, name.span);
        self.enter(local);
        local
    }

    /// Resolves the values of `return e, …;` and `yield e, …;` as assignments to the
    /// out-parameters. The out-parameters of an iterator are fields of `this`.
    pub(super) fn assign_outs(&mut self, values: &[ast::Rhs], span: Span, out: &mut Vec<Stmt>) {
        let program = &self.cx.program;
        let targets: Vec<(Target, Type)> = match &self.st.yields {
            None => self
                .st
                .outs
                .iter()
                .map(|l| (Target::Local(*l), program[*l].ty.clone()))
                .collect(),
            Some(fields) => {
                let this = mk(
                    ExprKind::This,
                    self.st.this.clone().unwrap_or(Type::Error),
                    span,
                );
                fields
                    .iter()
                    .map(|f| {
                        (
                            Target::Field {
                                object: this.clone(),
                                field: *f,
                            },
                            program[*f].ty.clone(),
                        )
                    })
                    .collect()
            }
        };
        let types: Vec<Type> = targets.iter().map(|(_, t)| t.clone()).collect();
        let keyword = if self.st.yields.is_some() {
            "yield"
        } else {
            "return"
        };
        // Errors are reported at the keyword.
        let place = Span::new(span.start, span.start + keyword.len() as u32);
        if values.len() != targets.len() {
            let message = format!(
                "`{keyword}` has {}, but {} expected",
                if values.len() == 1 {
                    "1 value".to_owned()
                } else {
                    format!("{} values", values.len())
                },
                if targets.len() == 1 {
                    "1 is".to_owned()
                } else {
                    format!("{} are", targets.len())
                }
            );
            self.error("resolve/value-count", place, message);
            return;
        }
        let rights = self.rights(values, &types);
        if let Some((_, value)) = rights
            .iter()
            .zip(values)
            .find(|(r, _)| matches!(r.kind, RightKind::Call(..)))
        {
            let message = format!("the value of a `{keyword}` statement cannot be a method call");
            let d = Diagnostic::error("resolve/not-an-expression", value.span, message);
            self.report(d.with_help("assign the results of the call to variables first"));
            return;
        }
        self.assign(Vec::new(), targets, rights, place, span, out);
    }

    /// Reports that a call statement drops the results of a method.
    fn results_dropped(&mut self, call: &Call, outs: usize, span: Span) {
        let name = self.cx.program[call.callee].name.clone();
        let results = if outs == 1 { "a result" } else { "results" };
        let d = Diagnostic::error(
            "resolve/value-count",
            span,
            format!("`{name}` returns {results}, which must be assigned"),
        );
        let places = vec!["_"; outs].join(", ");
        self.report(d.with_help(format!("write `var {places} := {name}(…);`")));
    }

    /// Reports the call of a constructor outside of `new`.
    fn not_a_constructor(&mut self, call: &Call, span: Span) {
        if self.cx.program[call.callee].kind == crate::typed::CallableKind::Constructor {
            let name = self.cx.program[call.callee].name.clone();
            let d = Diagnostic::error(
                "resolve/constructor-call",
                span,
                format!("the constructor `{name}` can be called only with `new`"),
            );
            self.report(d.with_help("allocate an object: `new C.Init(…)`"));
        }
    }

    /// Checks the targets of `:|`: distinct local variables; with `assume`, other places as well.
    fn such_that_targets(&mut self, lhs: &[ast::Expr], targets: &[(Target, Type)], assume: bool) {
        for (i, (e, (target, _))) in lhs.iter().zip(targets).enumerate() {
            match target {
                Target::Local(l) => {
                    if targets
                        .iter()
                        .take(i)
                        .any(|(other, _)| matches!(other, Target::Local(o) if o == l))
                    {
                        let name = self.cx.program[*l].name.clone();
                        self.error(
                            "resolve/duplicate",
                            e.span,
                            format!(
                                "the variable `{name}` occurs twice on the left-hand side of `:|`"
                            ),
                        );
                    }
                }
                Target::Field { .. } | Target::Element { .. } if !assume => {
                    let message = "`:|` can assign to local variables only";
                    let d = Diagnostic::error("resolve/such-that-target", e.span, message);
                    self.report(
                        d.with_help("assign to a local variable first, then copy its value"),
                    );
                }
                Target::Field { .. } | Target::Element { .. } | Target::Discard(_) => {}
            }
        }
    }

    /// Assigns right-hand sides to targets. `place` is the span for type errors if there is exactly
    /// one pair.
    pub(super) fn assign(
        &mut self,
        declares: Vec<LocalId>,
        targets: Vec<(Target, Type)>,
        mut rights: Vec<Right>,
        place: Span,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        if rights.len() == 1
            && matches!(
                rights.first(),
                Some(Right {
                    kind: RightKind::Call(..),
                    ..
                })
            )
        {
            // A single call supplies the values of all targets.
            self.targets_are_distinct(&targets, span);
            let Some(Right {
                kind: RightKind::Call(call, outs),
                span: at,
            }) = rights.pop()
            else {
                return;
            };
            if outs.len() != targets.len() {
                let name = self.cx.program[call.callee].name.clone();
                let message = format!(
                    "`{name}` returns {} results, but {} are assigned",
                    outs.len(),
                    targets.len()
                );
                self.error("resolve/value-count", at, message);
                return;
            }
            self.not_a_constructor(&call, span);
            for (o, (_, t)) in outs.iter().zip(&targets) {
                self.expect_type(o, t, at);
            }
            let targets = targets.into_iter().map(|(t, _)| t).collect();
            out.push(stmt(
                StmtKind::Call {
                    declares,
                    targets,
                    call,
                },
                span,
            ));
            return;
        }
        if rights.len() != targets.len() {
            self.error(
                "resolve/value-count",
                span,
                format!(
                    "the right-hand side has {} values, the left-hand side {}",
                    rights.len(),
                    targets.len()
                ),
            );
            return;
        }
        // Otherwise each target has a value of its own: a method call or a constructor call cannot
        // be one of several.
        let single = rights.len() == 1;
        let mut pairs = Vec::with_capacity(rights.len());
        for ((target, ty), right) in targets.into_iter().zip(rights) {
            match right.kind {
                RightKind::Value(rhs, found) => {
                    if !single && matches!(rhs, Rhs::New { ctor: Some(_), .. }) {
                        let message = "`new` with a constructor call cannot be one of several right-hand sides";
                        let d = Diagnostic::error("resolve/not-an-expression", span, message);
                        self.report(d.with_help("move the allocation to a separate statement"));
                    }
                    self.expect_at(
                        &found,
                        &ty,
                        right.span,
                        if single { place } else { right.span },
                    );
                    pairs.push((target, rhs));
                }
                RightKind::Call(call, _) => {
                    let name = self.cx.program[call.callee].name.clone();
                    let d = Diagnostic::error(
                        "resolve/not-an-expression",
                        span,
                        format!(
                            "the call of method `{name}` cannot be one of several right-hand sides"
                        ),
                    );
                    self.report(d.with_help("move the call to a separate statement"));
                }
            }
        }
        out.push(stmt(StmtKind::Assign { declares, pairs }, span));
    }

    /// Reports a variable that receives two results of one call. A simultaneous assignment may
    /// repeat a variable: the verifier then proves that the values are equal.
    fn targets_are_distinct(&mut self, targets: &[(Target, Type)], span: Span) {
        for (i, (target, _)) in targets.iter().enumerate() {
            let same = |other: &Target| matches!((target, other), (Target::Local(a), Target::Local(b)) if a == b);
            if let (Target::Local(l), true) =
                (target, targets.iter().take(i).any(|(other, _)| same(other)))
            {
                let name = self.cx.program[*l].name.clone();
                self.error(
                    "resolve/duplicate",
                    span,
                    format!("duplicate variable in left-hand side of call statement: {name}"),
                );
            }
        }
    }

    pub(super) fn rights(&mut self, rhs: &[ast::Rhs], types: &[Type]) -> Vec<Right> {
        rhs.iter()
            .enumerate()
            .map(|(i, r)| self.right(r, types.get(i)))
            .collect()
    }

    pub(super) fn right(&mut self, r: &ast::Rhs, hint: Option<&Type>) -> Right {
        let kind = self.right_kind(r, hint);
        self.attributes(&r.attributes);
        Right { kind, span: r.span }
    }

    fn right_kind(&mut self, r: &ast::Rhs, hint: Option<&Type>) -> RightKind {
        match &r.kind {
            ast::RhsKind::Expr(e) => match self.call_or_expr(e, hint) {
                Called::Value(e) => {
                    let ty = e.ty.clone();
                    RightKind::Value(Rhs::Expr(e), ty)
                }
                Called::Method(call, outs) => RightKind::Call(call, outs),
            },
            ast::RhsKind::Havoc => {
                let ty = match hint {
                    Some(t) => t.clone(),
                    None => self.fresh(),
                };
                RightKind::Value(Rhs::Havoc(ty.clone()), ty)
            }
            ast::RhsKind::New { ty, args } => self.new_object(ty, args.as_deref(), hint, r.span),
            ast::RhsKind::NewArray {
                elem,
                dims,
                init,
                elements,
            } => {
                // Without a written element type, the target's type supplies it.
                let elem = match elem {
                    Some(t) => self.ty(t),
                    None => match hint.map(|h| self.base(h)) {
                        Some(Type::Array { elem, .. }) => *elem,
                        _ => self.fresh(),
                    },
                };
                let mut sizes: Vec<Expr> = dims.iter().map(|e| self.integer(e)).collect();
                for size in &sizes {
                    self.need(Kind::Integer, &size.ty, "the size of an array", size.span);
                }
                let init = match (init, elements) {
                    (Some(f), _) => {
                        let params = vec![Type::Int; sizes.len().max(1)];
                        let arrow = Type::Arrow {
                            kind: ast::ArrowKind::General,
                            params,
                            result: Box::new(elem.clone()),
                        };
                        ArrayInit::Function(self.check(f, &arrow))
                    }
                    (None, Some(es)) => {
                        let es: Vec<Expr> = es.iter().map(|e| self.check(e, &elem)).collect();
                        if sizes.is_empty() {
                            // `new [] [a, b]`: the number of elements is the length.
                            sizes.push(mk(
                                ExprKind::Literal(Literal::Int(BigInt::from(es.len()))),
                                Type::Int,
                                r.span,
                            ));
                        }
                        ArrayInit::Elements(es)
                    }
                    (None, None) => ArrayInit::Default,
                };
                let ty = Type::Array {
                    dims: sizes.len() as u32,
                    nullable: false,
                    elem: Box::new(elem.clone()),
                };
                RightKind::Value(
                    Rhs::NewArray {
                        elem,
                        dims: sizes,
                        init,
                    },
                    ty,
                )
            }
        }
    }

    fn call_or_expr(&mut self, e: &ast::Expr, hint: Option<&Type>) -> Called {
        if matches!(&e.kind, ast::ExprKind::Call { .. }) {
            self.call(e, hint)
        } else {
            Called::Value(self.expr(e, hint))
        }
    }

    /// Resolves the target of an assignment and returns it with its type.
    pub(super) fn target(&mut self, e: &ast::Expr) -> (Target, Type) {
        if let ast::ExprKind::Paren(e) = &e.kind {
            return self.target(e);
        }
        let x = self.expr(e, None);
        let ty = x.ty.clone();
        let immutable = |r: &mut Self, what: String, help: &str| {
            let d = Diagnostic::error(
                "resolve/immutable",
                e.span,
                format!("{what} cannot be assigned to"),
            );
            r.report(d.with_help(help));
        };
        let target = match x.kind.origin() {
            // Local variables and out-parameters are assignable; in-parameters and bound variables
            // are not.
            Some(Origin::Local(l)) => {
                if !self.cx.program[l].mutable && !self.st.outs.contains(&l) {
                    let name = self.cx.program[l].name.clone();
                    immutable(
                        self,
                        format!("the in-parameter or bound variable `{name}`"),
                        "declare a local variable for the new value",
                    );
                }
                Target::Local(l)
            }
            Some(Origin::Field(field)) => {
                let f = &self.cx.program[field];
                let name = f.name.clone();
                let ExprKind::Field {
                    object: Some(object),
                    ..
                } = x.kind
                else {
                    immutable(
                        self,
                        format!("the constant `{name}`"),
                        "declare a field with `var` in a class",
                    );
                    return (Target::Discard(ty.clone()), ty);
                };
                match f.kind {
                    FieldKind::Mutable if self.is_history(field) => {
                        immutable(
                            self,
                            format!("the history `{name}`"),
                            "it is updated by `yield` only",
                        );
                    }
                    FieldKind::Mutable => {}
                    FieldKind::Const(_) => {
                        // A constant without a value is initialized by a constructor of its class,
                        // before `new;`.
                        let open = self.st.first_phase && !self.consts.contains_key(&field);
                        if !(open && matches!(object.kind, ExprKind::This)) {
                            let help = if self.consts.contains_key(&field) {
                                "its value is given in its declaration"
                            } else {
                                "only a constructor of its class may assign it, before `new;`"
                            };
                            immutable(self, format!("the constant `{name}`"), help);
                        }
                    }
                    FieldKind::Destructor(_) => immutable(
                        self,
                        format!("the destructor `{name}`"),
                        "datatype values are immutable: create an updated copy with `d.(f := v)`",
                    ),
                }
                Target::Field {
                    object: *object,
                    field,
                }
            }
            Some(Origin::Call(_) | Origin::Function(_) | Origin::Ctor(..)) | None => {
                if let ExprKind::Index { object, indices } = x.kind {
                    self.element_target(&object.ty, e.span);
                    Target::Element {
                        array: *object,
                        indices,
                    }
                } else if matches!(x.kind, ExprKind::Error) {
                    Target::Discard(Type::Error)
                } else {
                    immutable(
                        self,
                        "this expression".into(),
                        "assign to a variable, a field or an array element",
                    );
                    Target::Discard(ty.clone())
                }
            }
        };
        (target, ty)
    }

    /// Requires that the indexed collection is an array. The check is deferred if its type is not
    /// known yet.
    pub(super) fn element_target(&mut self, collection: &Type, span: Span) {
        let ty = self.representation(collection);
        if matches!(ty, Type::Array { .. } | Type::Error) {
            return;
        }
        if self.st.inf.is_unbound(&ty) {
            self.st.pending.push(Pending::Element {
                collection: collection.clone(),
                span,
            });
        } else {
            let message = format!(
                "an element of a value of type {} cannot be assigned to",
                self.show(collection)
            );
            self.report(
                Diagnostic::error("resolve/immutable", span, message)
                    .with_help("write `s := s[i := v]`"),
            );
        }
    }

    /// Whether the field is a history of an iterator: the sequence of all values yielded so far.
    fn is_history(&self, field: crate::typed::FieldId) -> bool {
        let owner = self.cx.program[field].owner;
        owner.is_some_and(|o| matches!(&self.cx.program[o].kind, TypeDeclKind::Iterator(parts) if parts.histories.contains(&field)))
    }
}

/// Converts an assignment target to an expression. Returns `None` for variables and discarded
/// values.
fn place_of(target: &Target, ty: &Type, span: Span) -> Option<Expr> {
    match target {
        Target::Local(_) | Target::Discard(_) => None,
        Target::Field { object, field } => {
            let kind = ExprKind::Field {
                object: Some(boxed(object.clone())),
                discarded: None,
                field: *field,
                type_args: Vec::new(),
            };
            Some(mk(kind, ty.clone(), span))
        }
        Target::Element { array, indices } => Some(mk(
            ExprKind::Index {
                object: boxed(array.clone()),
                indices: indices.clone(),
            },
            ty.clone(),
            span,
        )),
    }
}
