//! Calls of a function in its own postconditions.
//!
//! There, a function may refer to its own result and to its results for arguments with a smaller
//! measure (reference manual, section 12.7). Any other self-reference is circular: it proves
//! nothing, and its execution does not terminate. [`Lowerer::measured`] adds the check.

use super::{Lowerer, build};
use dafny_resolve::typed::{self, CallableId, Type, TypeDeclKind};
use dafny_source::Span;
use dtest_ir::{self as ir, Expr, ExprKind, Op, Var};

impl<'p> Lowerer<'p> {
    /// Lowers the postconditions of a callable.
    pub(super) fn postconditions(&mut self, id: CallableId) -> Vec<ir::Clause> {
        let c = &self.program[id];
        let measured = (c.kind.is_function() && !c.spec.decreases_star).then_some(id);
        self.scoped(
            |l| &mut l.callable.measured,
            measured,
            |l| l.clauses(&c.spec.ensures),
        )
    }

    /// Adds the check that the measure decreases, if a call stands in a postcondition of the called
    /// function itself.
    pub(super) fn measured(&mut self, args: &[Expr], value: Expr) -> Expr {
        let ExprKind::Call {
            callee,
            label: None,
            ..
        } = &value.kind
        else {
            return value;
        };
        if self.callable.measured != Some(*callee) {
            return value;
        }
        let callee = *callee;
        // The expressions of the check itself are not checked.
        let obligation = self.scoped(
            |l| &mut l.callable.measured,
            None,
            |l| l.gets_smaller(callee, args, value.span),
        );
        match obligation {
            Some(cond) => {
                let (ty, span) = (value.ty.clone(), value.span);
                let clause = ir::Clause { span, cond };
                build::expr(
                    ExprKind::Checked(ir::Check::Termination, Box::new(clause), Box::new(value)),
                    ty,
                    span,
                )
            }
            None => value,
        }
    }

    /// Returns the condition that the arguments equal the parameters or have a smaller measure.
    /// `None` if they are the same, or if the question cannot be decided.
    fn gets_smaller(&mut self, id: CallableId, args: &[Expr], span: Span) -> Option<Expr> {
        let program = self.program;
        let c = &program[id];
        let mut old: Vec<Expr> = Vec::new();
        if !c.is_static && c.owner.is_some() {
            old.push(self.this(span));
        }
        for f in &c.ins {
            let var = self.local(f.local);
            old.push(self.var(var, span));
        }
        if old.len() != args.len() {
            return None;
        }
        // Only the arguments that differ from the parameters can change the measure.
        let changed: Vec<(&Expr, &Expr)> = old
            .iter()
            .zip(args)
            .filter(|(o, a)| !is_variable(a, o))
            .collect();
        if changed.is_empty() || changed.iter().any(|(o, _)| !is_comparable(&o.ty)) {
            return None;
        }
        let same = changed
            .iter()
            .map(|(o, a)| equal((*o).clone(), (*a).clone(), span))
            .reduce(build::and)?;
        let skipped = old.len() - c.ins.len();
        if old
            .iter()
            .zip(args)
            .take(skipped)
            .any(|(o, a)| !is_variable(a, o))
        {
            return None;
        }
        let (measure, smaller) = if c.spec.decreases.is_empty() {
            // The objects in the `reads` clause would come first in the default measure.
            let is_plain = c.spec.reads.is_empty();
            let ordered = |e: &Expr| is_ordered(program, &e.ty);
            let pairs: Vec<(Expr, Expr)> = old
                .iter()
                .cloned()
                .zip(args.iter().cloned())
                .skip(skipped)
                .filter(|(o, _)| ordered(o))
                .collect();
            (is_plain && !pairs.is_empty()).then(|| pairs.into_iter().unzip())?
        } else {
            let measure: Vec<Expr> = c
                .spec
                .decreases
                .iter()
                .map(|e| self.pure(|l| l.expr(e)))
                .collect();
            (measure, self.measure_of(c, args))
        };
        if measure.iter().any(|e| !is_comparable(&e.ty)) {
            return None;
        }
        // Lexicographic comparison, built from the last component.
        let mut cond = build::boolean(false, span);
        for (old, new) in measure.into_iter().zip(smaller).rev() {
            let tie = build::and(equal(old.clone(), new.clone(), span), cond);
            cond = build::or(build::op(Op::Below, vec![new, old], Type::Bool, span), tie);
        }
        Some(build::or(same, cond))
    }

    /// Returns the measure for other arguments.
    fn measure_of(&mut self, c: &'p typed::Callable, args: &[Expr]) -> Vec<Expr> {
        let skipped = args.len() - c.ins.len();
        let before: Vec<Var> = c.ins.iter().map(|f| self.local(f.local)).collect();
        let bound: Vec<(Var, Expr)> = c
            .ins
            .iter()
            .zip(args.iter().skip(skipped))
            .map(|(f, a)| (self.bind(f.local), a.clone()))
            .collect();
        let measure: Vec<Expr> = c
            .spec
            .decreases
            .iter()
            .map(|e| self.pure(|l| l.expr(e)))
            .collect();
        for (f, var) in c.ins.iter().zip(before) {
            self.rebind(f.local, var);
        }
        measure
            .into_iter()
            .map(|e| build::lets(bound.clone(), e))
            .collect()
    }
}

fn equal(a: Expr, b: Expr, span: Span) -> Expr {
    build::op(Op::Eq, vec![a, b], Type::Bool, span)
}

fn is_variable(e: &Expr, variable: &Expr) -> bool {
    matches!((&e.kind, &variable.kind), (ExprKind::Var(a), ExprKind::Var(b)) if a == b)
}

/// Whether equality of the values of a type can be decided.
fn is_comparable(ty: &Type) -> bool {
    let mut work = vec![ty];
    while let Some(ty) = work.pop() {
        if matches!(ty, Type::Arrow { .. } | Type::Error) {
            return false;
        }
        work.extend(ty.parts());
    }
    true
}

/// Whether a parameter of this type is part of the default measure of a function.
pub(super) fn is_ordered(program: &typed::Program, ty: &Type) -> bool {
    match program.representation(ty) {
        Type::Named { decl, .. } => !matches!(
            program[decl].kind,
            TypeDeclKind::Datatype { co: true, .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Trait { .. }
        ),
        Type::Param(_) | Type::Arrow { .. } | Type::Error => false,
        Type::Set { finite, .. } | Type::Map { finite, .. } => finite,
        Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_) | Type::Ordinal => true,
        Type::Seq(_)
        | Type::Multiset(_)
        | Type::Tuple(_)
        | Type::Array { .. }
        | Type::Object { .. } => true,
    }
}
