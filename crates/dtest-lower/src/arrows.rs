//! Obligations about function values that are used at another function type (reference manual,
//! section "Arrow types": a total function is a partial one, and a partial one is general;
//! everything else has to be proved).

use super::frames::only_if;
use super::{Lowerer, build};
use dafny_resolve::typed::{ArrowKind, Literal, Type};
use dafny_source::Span;
use dtest_ir::{Check, Coll, Domain, Expr, ExprKind, Op, Quantified};

/// The parts of a function type.
struct Arrow {
    params: Vec<Type>,
    result: Type,
    kind: ArrowKind,
}

impl<'p> Lowerer<'p> {
    /// Whether a function of one type may not belong to another with as many parameters. Parameter
    /// types are contravariant.
    pub(super) fn may_misfit(&self, from: &Type, to: &Type) -> bool {
        let (Some(from), Some(to)) = (self.arrow(from), self.arrow(to)) else {
            return false;
        };
        let takes_less = || {
            from.params
                .iter()
                .zip(&to.params)
                .any(|(a, b)| self.may_miss(b, a))
        };
        from.params.len() == to.params.len()
            && (rank(from.kind) > rank(to.kind)
                || self.may_miss(&from.result, &to.result)
                || takes_less())
    }

    /// Returns the condition that a value of type `from` belongs to type `to`.
    pub(super) fn is_of(&mut self, value: Expr, from: &Type, to: &Type) -> Expr {
        let arrows = (self.arrow(from), self.arrow(to));
        match arrows {
            (Some(from), Some(to)) => self.fits(value, &from, &to),
            (_, _) if self.has_obligations() && holds_arrow(to) => {
                self.parts_are_of(value, from, to)
            }
            (_, _) if self.are_apart(from, to) => {
                let (span, null) = (
                    value.span,
                    build::expr(ExprKind::Literal(Literal::Null), from.clone(), value.span),
                );
                build::op(Op::Eq, vec![value, null], Type::Bool, span)
            }
            (_, _) => {
                let span = value.span;
                build::expr(ExprKind::Is(Box::new(value), to.clone()), Type::Bool, span)
            }
        }
    }

    /// Returns the condition that every function in a value of type `from` belongs to its type in
    /// `to`.
    fn parts_are_of(&mut self, value: Expr, from: &Type, to: &Type) -> Expr {
        let span = value.span;
        let whole = build::expr(
            ExprKind::Is(Box::new(value.clone()), to.clone()),
            Type::Bool,
            span,
        );
        let mut parts = vec![whole];
        // The whole is tested by the target type; components are tested separately if they may
        // fail.
        match (
            self.program.strip_subset(from),
            self.program.strip_subset(to),
        ) {
            (Type::Seq(a), Type::Seq(b))
            | (Type::Multiset(a), Type::Multiset(b))
            | (Type::Set { elem: a, .. }, Type::Set { elem: b, .. }) => {
                parts.extend(self.elements_are_of(value, &a, &b));
            }
            (
                Type::Map {
                    key: a, value: v, ..
                },
                Type::Map {
                    key: b, value: w, ..
                },
            ) => {
                let set = |elem: &Type| Type::Set {
                    finite: true,
                    elem: Box::new(elem.clone()),
                };
                // Keys and values of a map are tested as sets.
                let values = build::op(Op::Values, vec![value.clone()], set(&v), span);
                let keys = build::op(Op::Keys, vec![value], set(&a), span);
                parts.extend(self.elements_are_of(keys, &a, &b));
                parts.extend(self.elements_are_of(values, &v, &w));
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                for (i, ((_, a), (_, b))) in (0..).zip(a.iter().zip(&b)) {
                    if self.may_miss(a, b) {
                        let part =
                            build::op(Op::TupleField(i), vec![value.clone()], a.clone(), span);
                        parts.push(self.is_of(part, a, b));
                    }
                }
            }
            (_, _) => {}
        }
        parts
            .into_iter()
            .reduce(build::and)
            .unwrap_or_else(|| build::boolean(true, span))
    }

    /// Returns the condition that all elements of a collection belong to the wanted type; `None` if
    /// they always do.
    fn elements_are_of(&mut self, all: Expr, from: &Type, to: &Type) -> Option<Expr> {
        if !self.may_miss(from, to) {
            return None;
        }
        let span = all.span;
        let var = self.temp("$element", from.clone(), span);
        let element = build::expr(ExprKind::Var(var), from.clone(), span);
        let body = Box::new(self.is_of(element, from, to));
        let vars = Quantified {
            vars: vec![var],
            range: None,
            bounds: Some(vec![(var, Domain::Elements(Box::new(all)))]),
        };
        let kind = ExprKind::Quantifier {
            forall: true,
            vars,
            body,
        };
        Some(build::expr(kind, Type::Bool, span))
    }

    /// Returns the condition that a function of one type belongs to another: for all arguments of
    /// the wanted type, the function accepts them and, for a total type, its precondition holds; it
    /// reads nothing unless the type allows that; and its results belong to the wanted type.
    fn fits(&mut self, function: Expr, from: &Arrow, to: &Arrow) -> Expr {
        let span = function.span;
        // The conditions are stated for arbitrary arguments of the target type.
        let vars: Vec<_> = to
            .params
            .iter()
            .map(|ty| self.temp("$argument", ty.clone(), span))
            .collect();
        let args: Vec<Expr> = vars
            .iter()
            .zip(&to.params)
            .map(|(v, ty)| build::expr(ExprKind::Var(*v), ty.clone(), span))
            .collect();
        let operands = || {
            std::iter::once(function.clone())
                .chain(args.iter().cloned())
                .collect::<Vec<_>>()
        };
        let allowed = build::op(Op::FunctionRequires, operands(), Type::Bool, span);
        let mut parts = Vec::new();
        // Parameters are contravariant: the given type must be included in the type that the
        // function takes.
        for (arg, (taken, given)) in args.iter().zip(from.params.iter().zip(&to.params)) {
            if self.may_miss(given, taken) {
                parts.push(self.is_of(arg.clone(), given, taken));
            }
        }
        // The function must accept all arguments if the target type is total.
        if to.kind == ArrowKind::Total && from.kind != ArrowKind::Total {
            parts.push(allowed.clone());
        }
        // It must read nothing if the target type does not allow reads.
        if to.kind != ArrowKind::General && from.kind == ArrowKind::General {
            let objects = Type::Set {
                finite: true,
                elem: Box::new(Type::Object { nullable: false }),
            };
            let reads = build::op(Op::FunctionReads, operands(), objects.clone(), span);
            let nothing = build::op(Op::Display(Coll::Set), Vec::new(), objects, span);
            parts.push(build::op(Op::Eq, vec![reads, nothing], Type::Bool, span));
        }
        // Results are covariant, and concern only arguments that the function accepts.
        if self.may_miss(&from.result, &to.result) {
            let result = build::expr(
                ExprKind::Apply(Box::new(function.clone()), args.clone()),
                from.result.clone(),
                span,
            );
            let is = self.is_of(result, &from.result, &to.result);
            parts.push(build::expr(
                ExprKind::Implies(Box::new(allowed), Box::new(is)),
                Type::Bool,
                span,
            ));
        }
        let body = parts
            .into_iter()
            .reduce(build::and)
            .unwrap_or_else(|| build::boolean(true, span));
        // Arguments other than integers cannot be enumerated.
        let all = |(v, ty): (&dtest_ir::Var, &Type)| {
            let ints = Domain::IntRange {
                low: None,
                high: None,
            };
            (self.program.representation(ty) == Type::Int).then_some((*v, ints))
        };
        let bounds = vars.iter().zip(&to.params).map(all).collect();
        let vars = Quantified {
            vars,
            range: None,
            bounds,
        };
        build::expr(
            ExprKind::Quantifier {
                forall: true,
                vars,
                body: Box::new(body),
            },
            Type::Bool,
            span,
        )
    }

    /// Adds the obligation of `f.reads(x)`: the precondition of `f` holds, if that may read the
    /// heap.
    pub(super) fn required(&mut self, e: Expr) -> Expr {
        let ExprKind::Op(Op::FunctionReads, operands) = &e.kind else {
            return e;
        };
        if !self.has_obligations() || !operands.first().is_some_and(|f| self.may_read_heap(&f.ty)) {
            return e;
        }
        let Expr {
            kind: ExprKind::Op(op, operands),
            ty,
            span,
        } = e
        else {
            return e;
        };
        let mut bindings = Vec::new();
        let operands: Vec<Expr> = operands
            .into_iter()
            .map(|o| self.share(o, "$argument", &mut bindings))
            .collect();
        let allowed = build::op(Op::FunctionRequires, operands.clone(), Type::Bool, span);
        build::lets(
            bindings,
            only_if(
                Check::Application,
                Some(allowed),
                build::op(op, operands, ty, span),
            ),
        )
    }

    /// Adds the obligations of `seq(n, f)`: for every index, `f` may be applied, reads only allowed
    /// locations, and returns a value of the element type.
    pub(super) fn sequence_of(&mut self, len: Expr, init: Expr, ty: Type, span: Span) -> Expr {
        if !self.has_obligations() || self.arrow(&init.ty).is_none() {
            return build::op(Op::SeqInit, vec![len, init], ty, span);
        }
        let mut bindings = Vec::new();
        let len = self.share(len, "$length", &mut bindings);
        let init = self.share(init, "$function", &mut bindings);
        let elem = if let Type::Seq(elem) = self.program.strip_subset(&ty) {
            *elem
        } else {
            Type::Error
        };
        let checks = self.initializer(std::slice::from_ref(&len), &init, &elem, span);
        let value = build::op(Op::SeqInit, vec![len, init], ty, span);
        let value = checks
            .into_iter()
            .rev()
            .fold(value, |value, (check, cond)| {
                only_if(check, Some(cond), value)
            });
        build::lets(bindings, value)
    }

    /// Returns the obligations of a function that initializes elements: for all indices below the
    /// lengths, it accepts them, may be applied, reads only allowed locations, and returns a value
    /// of the element type.
    pub(super) fn initializer(
        &mut self,
        lengths: &[Expr],
        init: &Expr,
        elem: &Type,
        span: Span,
    ) -> Vec<(Check, Expr)> {
        let Some(Arrow {
            params,
            result,
            kind,
        }) = self.arrow(&init.ty)
        else {
            return Vec::new();
        };
        // The function is applied to every index, so all conditions are quantified over the
        // indices.
        let vars: Vec<_> = lengths
            .iter()
            .map(|_| self.temp("$index", Type::Int, span))
            .collect();
        let index = |v: &dtest_ir::Var| build::expr(ExprKind::Var(*v), Type::Int, span);
        let indices: Vec<Expr> = vars.iter().map(index).collect();
        let zero = || Some(Box::new(build::int(0, Type::Int, span)));
        let range = |length: &Expr| Domain::IntRange {
            low: zero(),
            high: Some(Box::new(length.clone())),
        };
        let bounds = Some(
            vars.iter()
                .zip(lengths)
                .map(|(v, length)| (*v, range(length)))
                .collect(),
        );
        let bound = Quantified {
            vars,
            range: None,
            bounds,
        };
        let all = |body: Expr| {
            let kind = ExprKind::Quantifier {
                forall: true,
                vars: bound.clone(),
                body: Box::new(body),
            };
            build::expr(kind, Type::Bool, span)
        };
        let is_of = |value: Expr, ty: &Type| {
            build::expr(ExprKind::Is(Box::new(value), ty.clone()), Type::Bool, span)
        };
        let inside = indices
            .iter()
            .zip(&params)
            .filter(|(_, p)| self.may_miss(&Type::Int, p))
            .map(|(i, p)| is_of(i.clone(), p));
        let inside = inside.reduce(build::and);
        let operands = std::iter::once(init.clone())
            .chain(indices.clone())
            .collect();
        let allowed = (kind != ArrowKind::Total)
            .then(|| build::op(Op::FunctionRequires, operands, Type::Bool, span));
        let reads = self.may_read_what_is_read(init, &indices, span);
        let admits = self.may_miss(&result, elem).then(|| {
            let value = build::expr(
                ExprKind::Apply(Box::new(init.clone()), indices.clone()),
                result.clone(),
                span,
            );
            is_of(value, elem)
        });
        // The checks appear in the order in which the verifier requires them: the indices fit the
        // parameters, the function accepts them, it reads only what the frame allows, and the
        // result fits the elements.
        let checks = [
            (Check::Type, inside),
            (Check::Application, allowed),
            (Check::Reads, reads),
            (Check::Type, admits),
        ];
        checks
            .into_iter()
            .filter_map(|(check, cond)| Some((check, all(cond?))))
            .collect()
    }

    fn arrow(&self, ty: &Type) -> Option<Arrow> {
        if let Type::Arrow {
            params,
            result,
            kind,
        } = self.program.strip_subset(ty)
        {
            Some(Arrow {
                params,
                result: *result,
                kind,
            })
        } else {
            None
        }
    }
}

/// Whether the type contains a function type.
fn holds_arrow(ty: &Type) -> bool {
    ty.parts()
        .any(|part| matches!(part, Type::Arrow { .. }) || holds_arrow(part))
}

/// Returns the rank of a kind of functions: higher kinds may do more.
fn rank(kind: ArrowKind) -> u8 {
    match kind {
        ArrowKind::Total => 0,
        ArrowKind::Partial => 1,
        ArrowKind::General => 2,
    }
}
