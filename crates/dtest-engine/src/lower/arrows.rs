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
        let (Some(from), Some(to)) = (self.arrow(from), self.arrow(to)) else { return false };
        let is_less = rank(from.kind) > rank(to.kind) || self.may_miss(&from.result, &to.result);
        from.params.len() == to.params.len() && is_less
    }

    /// That a value, which was of type `from`, is one of the type `to`.
    pub(super) fn is_of(&mut self, value: Expr, from: &Type, to: &Type) -> Expr {
        let arrows = (self.arrow(from), self.arrow(to));
        match arrows {
            (Some(from), Some(to)) => self.fits(value, &from, &to),
            (_, _) if self.are_apart(from, to) => {
                let (span, null) = (value.span, build::expr(ExprKind::Literal(Literal::Null), from.clone(), value.span));
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
        let vars: Vec<_> = to.params.iter().map(|ty| self.temp("$argument", ty.clone(), span)).collect();
        let args: Vec<Expr> = vars.iter().zip(&to.params).map(|(v, ty)| build::expr(ExprKind::Var(*v), ty.clone(), span)).collect();
        let operands = || std::iter::once(function.clone()).chain(args.iter().cloned()).collect::<Vec<_>>();
        let inside = args.iter().zip(from.params.iter().zip(&to.params)).filter(|(_, (a, b))| self.may_miss(b, a));
        let inside = inside.map(|(arg, (ty, _))| build::expr(ExprKind::Is(Box::new(arg.clone()), ty.clone()), Type::Bool, span));
        let range = inside.reduce(build::and).map(Box::new);
        let allowed = build::op(Op::FunctionRequires, operands(), Type::Bool, span);
        let mut parts = Vec::new();
        if to.kind == ArrowKind::Total && from.kind != ArrowKind::Total {
            parts.push(allowed.clone());
        }
        if to.kind != ArrowKind::General && from.kind == ArrowKind::General {
            let objects = Type::Set { finite: true, elem: Box::new(Type::Object { nullable: false }) };
            let reads = build::op(Op::FunctionReads, operands(), objects.clone(), span);
            let nothing = build::op(Op::Display(Coll::Set), Vec::new(), objects, span);
            parts.push(build::op(Op::Eq, vec![reads, nothing], Type::Bool, span));
        }
        if self.may_miss(&from.result, &to.result) {
            let result = build::expr(ExprKind::Apply(Box::new(function.clone()), args.clone()), from.result.clone(), span);
            let is = build::expr(ExprKind::Is(Box::new(result), to.result.clone()), Type::Bool, span);
            parts.push(build::expr(ExprKind::Implies(Box::new(allowed), Box::new(is)), Type::Bool, span));
        }
        let body = parts.into_iter().reduce(build::and).unwrap_or_else(|| build::boolean(true, span));
        let vars = Quantified { vars, range, bounds: None };
        build::expr(ExprKind::Quantifier { forall: true, vars, body: Box::new(body) }, Type::Bool, span)
    }

    /// `f.reads(x)`, which needs the precondition of `f` where that may read the heap.
    pub(super) fn required(&mut self, e: Expr) -> Expr {
        let ExprKind::Op(Op::FunctionReads, operands) = &e.kind else { return e };
        if !self.has_promises() || !operands.first().is_some_and(|f| self.may_read_heap(&f.ty)) {
            return e;
        }
        let Expr { kind: ExprKind::Op(op, operands), ty, span } = e else { return e };
        let mut bindings = Vec::new();
        let operands: Vec<Expr> = operands.into_iter().map(|o| self.share(o, "$argument", &mut bindings)).collect();
        let allowed = build::op(Op::FunctionRequires, operands.clone(), Type::Bool, span);
        build::lets(bindings, only_if(Check::Application, Some(allowed), build::op(op, operands, ty, span)))
    }

    /// `seq(n, f)`: for every index, `f` may be applied to it, reads what may be read, and gives a value of the element type.
    pub(super) fn sequence_of(&mut self, len: Expr, init: Expr, ty: Type, span: Span) -> Expr {
        let arrow = self.arrow(&init.ty).filter(|_| self.has_promises());
        let Some(Arrow { params, result, kind }) = arrow else { return build::op(Op::SeqInit, vec![len, init], ty, span) };
        let mut bindings = Vec::new();
        let len = self.share(len, "$length", &mut bindings);
        let init = self.share(init, "$function", &mut bindings);
        let index = self.temp("$index", Type::Int, span);
        let i = build::expr(ExprKind::Var(index), Type::Int, span);
        let zero = build::int(0, Type::Int, span);
        let bounds = Some(vec![(index, Domain::IntRange { low: Some(Box::new(zero)), high: Some(Box::new(len.clone())) })]);
        let indices = Quantified { vars: vec![index], range: None, bounds };
        let all = |body: Expr| {
            let kind = ExprKind::Quantifier { forall: true, vars: indices.clone(), body: Box::new(body) };
            build::expr(kind, Type::Bool, span)
        };
        let reads = self.may_read_what_is_read(&init, std::slice::from_ref(&i), span);
        let elem = if let Type::Seq(elem) = self.program.strip_subset(&ty) { Some(*elem) } else { None };
        let admits = elem.filter(|elem| self.may_miss(&result, elem)).map(|elem| {
            let value = build::expr(ExprKind::Apply(Box::new(init.clone()), vec![i.clone()]), result.clone(), span);
            build::expr(ExprKind::Is(Box::new(value), elem), Type::Bool, span)
        });
        let inside = params.first().filter(|p| self.may_miss(&Type::Int, p));
        let inside = inside.map(|p| build::expr(ExprKind::Is(Box::new(i.clone()), p.clone()), Type::Bool, span));
        let allowed = build::op(Op::FunctionRequires, vec![init.clone(), i], Type::Bool, span);
        let allowed = (kind != ArrowKind::Total).then_some(allowed);
        let value = build::op(Op::SeqInit, vec![len, init], ty, span);
        let value = only_if(Check::Type, admits.map(all), value);
        let value = only_if(Check::Reads, reads.map(all), value);
        let value = only_if(Check::Application, allowed.map(all), value);
        build::lets(bindings, only_if(Check::Type, inside.map(all), value))
    }

    fn arrow(&self, ty: &Type) -> Option<Arrow> {
        match self.program.strip_subset(ty) {
            Type::Arrow { params, result, kind } => Some(Arrow { params, result: *result, kind }),
            _other => None,
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
