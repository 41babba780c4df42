//! Function values that are used as values of another type of functions, where promises are goals (reference manual, section "Arrow types": a
//! total function is a partial one, and that is one that may read the heap; the rest is to be shown).

use super::frames::only_if;
use super::{Lowerer, build};
use crate::ir::{Check, Coll, Domain, Expr, ExprKind, Op, Quantified};
use dafny_resolve::typed::{ArrowKind, Literal, Type};
use dafny_syntax::source::Span;

/// The parts of a type of functions.
struct Arrow {
    params: Vec<Type>,
    result: Type,
    kind: ArrowKind,
}

impl<'p> Lowerer<'p> {
    /// Whether a function of one type need not be one of another with as many parameters. That this has wider parameters is no reason: the
    /// types of variables that are inferred may be.
    pub(super) fn may_misfit(&self, from: &Type, to: &Type) -> bool {
        let (Some(from), Some(to)) = (self.arrow(from), self.arrow(to)) else {
            return false;
        };
        let is_less = rank(from.kind) > rank(to.kind) || self.may_miss(&from.result, &to.result);
        from.params.len() == to.params.len() && is_less
    }

    /// That a value, which was of type `from`, is one of the type `to`.
    pub(super) fn is_of(&mut self, value: Expr, from: &Type, to: &Type) -> Expr {
        let arrows = (self.arrow(from), self.arrow(to));
        match arrows {
            (Some(from), Some(to)) => self.fits(value, &from, &to),
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

    /// For all arguments of both types: the function may be applied if the type is one of total functions, it reads nothing unless the
    /// type allows that, and where it may be applied, the result is one of the wanted type.
    fn fits(&mut self, function: Expr, from: &Arrow, to: &Arrow) -> Expr {
        let span = function.span;
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
        let inside = args
            .iter()
            .zip(from.params.iter().zip(&to.params))
            .filter(|(_, (a, b))| self.may_miss(b, a));
        let inside = inside.map(|(arg, (ty, _))| {
            build::expr(
                ExprKind::Is(Box::new(arg.clone()), ty.clone()),
                Type::Bool,
                span,
            )
        });
        let range = inside.reduce(build::and).map(Box::new);
        let allowed = build::op(Op::FunctionRequires, operands(), Type::Bool, span);
        let mut parts = Vec::new();
        if to.kind == ArrowKind::Total && from.kind != ArrowKind::Total {
            parts.push(allowed.clone());
        }
        if to.kind != ArrowKind::General && from.kind == ArrowKind::General {
            let objects = Type::Set {
                finite: true,
                elem: Box::new(Type::Object { nullable: false }),
            };
            let reads = build::op(Op::FunctionReads, operands(), objects.clone(), span);
            let nothing = build::op(Op::Display(Coll::Set), Vec::new(), objects, span);
            parts.push(build::op(Op::Eq, vec![reads, nothing], Type::Bool, span));
        }
        if self.may_miss(&from.result, &to.result) {
            let result = build::expr(
                ExprKind::Apply(Box::new(function.clone()), args.clone()),
                from.result.clone(),
                span,
            );
            let is = build::expr(
                ExprKind::Is(Box::new(result), to.result.clone()),
                Type::Bool,
                span,
            );
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
        let vars = Quantified {
            vars,
            range,
            bounds: None,
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

    /// `f.reads(x)`, which needs the precondition of `f` where that may read the heap.
    pub(super) fn required(&mut self, e: Expr) -> Expr {
        let ExprKind::Op(Op::FunctionReads, operands) = &e.kind else {
            return e;
        };
        if !self.has_promises() || !operands.first().is_some_and(|f| self.may_read_heap(&f.ty)) {
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

    /// `seq(n, f)`: for every index, `f` may be applied to it, reads what may be read, and gives a value of the element type.
    pub(super) fn sequence_of(&mut self, len: Expr, init: Expr, ty: Type, span: Span) -> Expr {
        if !self.has_promises() || self.arrow(&init.ty).is_none() {
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

    /// What is promised of a function that initializes elements: for all indices below the lengths, it takes them, may be applied to them,
    /// reads what may be read, and gives a value of the element type.
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
        let vars: Vec<_> = lengths
            .iter()
            .map(|_| self.temp("$index", Type::Int, span))
            .collect();
        let index = |v: &crate::ir::Var| build::expr(ExprKind::Var(*v), Type::Int, span);
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
        let is = |value: Expr, ty: &Type| {
            build::expr(ExprKind::Is(Box::new(value), ty.clone()), Type::Bool, span)
        };
        let inside = indices
            .iter()
            .zip(&params)
            .filter(|(_, p)| self.may_miss(&Type::Int, p))
            .map(|(i, p)| is(i.clone(), p));
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
            is(value, elem)
        });
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

/// How much functions of a kind may do.
fn rank(kind: ArrowKind) -> u8 {
    match kind {
        ArrowKind::Total => 0,
        ArrowKind::Partial => 1,
        ArrowKind::General => 2,
    }
}
