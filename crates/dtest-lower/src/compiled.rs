//! Obligations of compiled expressions: Dafny can compile some only under a condition. A `:|` has to have one value, since the backends choose
//! differently, and where the constructor of a value matters it must not be a ghost one, since there is no value of it at run time.

use super::{Lowerer, build};
use dafny_resolve::typed::{self, BinaryOp, ExprKind as T, Type};
use dafny_source::Span;
use dtest_ir::{Expr, ExprKind, Op, ctors_of};

impl<'p> Lowerer<'p> {
    /// The values whose constructor a compiled expression depends on were not created by ghost constructors. `None`: it depends on none.
    pub(super) fn not_ghost(&mut self, e: &'p typed::Expr) -> Option<Expr> {
        // Dafny's verifier does not take bodies of lambdas for compiled here.
        if !self.is_compiled(e.span) || self.frames.is_in_lambda() || self.scopes.is_in_lambda() {
            return None;
        }
        let program = self.program;
        let objects: Vec<&'p typed::Expr> = if let T::CtorTest { object, .. }
        | T::Field {
            object: Some(object),
            ..
        }
        | T::DatatypeUpdate { object, .. } = &e.kind
        {
            vec![object]
        } else if let T::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) = &e.kind {
            vec![a, b]
        } else {
            return None;
        };
        // Only constructors with the field are possible where a field is read.
        let with_field = if let T::Field { field, .. } = &e.kind {
            if let typed::FieldKind::Destructor(ctors) = &program[*field].kind {
                Some(ctors)
            } else {
                return None;
            }
        } else {
            None
        };
        let mut conds = Vec::new();
        for object in objects {
            let Type::Named { decl, .. } = program.strip_subset(&object.ty) else {
                continue;
            };
            let ghosts: Vec<typed::CtorId> = ctors_of(program, decl)
                .iter()
                .copied()
                .filter(|c| program[*c].ghost && with_field.is_none_or(|all| all.contains(c)))
                .collect();
            for ctor in ghosts {
                let value = self.pure(|l| l.expr(object));
                let test = build::op(Op::CtorTest(ctor), vec![value], Type::Bool, e.span);
                conds.push(build::not(test));
            }
        }
        let cond = conds.into_iter().reduce(build::and)?;
        Some(Expr {
            span: e.span,
            ..cond
        })
    }

    /// Any two values that satisfy the condition of a compiled `:|` are the same. `None`: it is not compiled.
    pub(super) fn unique_choice(
        &mut self,
        vars: &'p typed::Quantified,
        span: Span,
    ) -> Option<Expr> {
        if !self.is_compiled(span) {
            return None;
        }
        let (one, other) = self.pure(|l| (l.quantified(vars), l.quantified(vars)));
        let pairs = vars.vars.iter().zip(one.vars.iter().zip(&other.vars));
        let same = pairs.map(|(local, (a, b))| {
            let ty = &self.program[*local].ty;
            let [a, b] = [a, b].map(|v| build::expr(ExprKind::Var(*v), ty.clone(), span));
            build::op(Op::Eq, vec![a, b], Type::Bool, span)
        });
        let same = same.reduce(build::and)?;
        let all = |vars, body| {
            let kind = ExprKind::Quantifier {
                forall: true,
                vars,
                body: Box::new(body),
            };
            build::expr(kind, Type::Bool, span)
        };
        Some(all(one, all(other, same)))
    }

    /// Whether the expression at this place is compiled under a condition that is an obligation.
    fn is_compiled(&self, span: Span) -> bool {
        self.has_obligations()
            && self.callable.id.is_some()
            && self.program.compiled.contains(&span)
    }
}
