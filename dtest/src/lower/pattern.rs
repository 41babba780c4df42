//! Patterns as tests and destructors on a subject that is evaluated already.

use super::{Lowerer, build};
use crate::ir::{Expr, ExprKind, Op, Var, ctors_of};
use crate::typed::{self, CtorId, Literal, LocalId, Pattern, PatternKind, Type};

impl<'p> Lowerer<'p> {
    /// The condition under which `subject` matches; `None`: always.
    pub(super) fn pattern_test(&mut self, pattern: &'p Pattern, subject: &Expr) -> Option<Expr> {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Var(_) => None,
            PatternKind::Value(e) => {
                let value = self.pure(|l| l.expr(e));
                Some(build::op(Op::Eq, vec![subject.clone(), value], Type::Bool, pattern.span))
            }
            PatternKind::Ctor { ctor, args } => {
                let mut test = self
                    .has_other_ctors(*ctor)
                    .then(|| build::op(Op::CtorTest(*ctor), vec![subject.clone()], Type::Bool, pattern.span));
                for (i, arg) in args.iter().enumerate() {
                    if let Some(part) = self.ctor_part(*ctor, i, arg, subject) {
                        test = both(test, self.pattern_test(arg, &part));
                    }
                }
                test
            }
            PatternKind::Tuple(parts) => {
                let mut test = None;
                for (i, p) in parts.iter().enumerate() {
                    test = both(test, self.pattern_test(p, &tuple_part(i, p, subject)));
                }
                test
            }
            PatternKind::Or(alternatives) => {
                let mut test: Option<Expr> = None;
                for p in alternatives {
                    let this = self.pattern_test(p, subject)?;
                    test = Some(match test {
                        Some(t) => build::or(t, this),
                        None => this,
                    });
                }
                test
            }
        })
    }

    /// The variables of a pattern, declared here, with what they stand for.
    pub(super) fn pattern_bindings(&mut self, pattern: &'p Pattern, subject: &Expr, into: &mut Vec<(Var, Expr)>) {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Value(_) | PatternKind::Or(_) => {}
            PatternKind::Var(local) => {
                let var = self.bind(*local);
                into.push((var, subject.clone()));
            }
            PatternKind::Ctor { ctor, args } => {
                for (i, arg) in args.iter().enumerate() {
                    if let Some(part) = self.ctor_part(*ctor, i, arg, subject) {
                        self.pattern_bindings(arg, &part, into);
                    }
                }
            }
            PatternKind::Tuple(parts) => {
                for (i, p) in parts.iter().enumerate() {
                    self.pattern_bindings(p, &tuple_part(i, p, subject), into);
                }
            }
        });
    }

    /// Whether the last of these patterns matches whatever the ones before it left over, judged by the
    /// outermost constructors.
    pub(super) fn last_is_certain(&self, patterns: &[&'p Pattern]) -> bool {
        let Some(last) = patterns.last() else { return false };
        if self.is_irrefutable(last) {
            return true;
        }
        let mut seen: Vec<CtorId> = Vec::new();
        let mut bools = (false, false);
        for p in patterns {
            self.whole_ctors(p, &mut seen, &mut bools);
        }
        let all = seen.first().map_or(&[][..], |c| ctors_of(self.program, self.program[*c].datatype));
        bools == (true, true) || (!all.is_empty() && all.iter().all(|c| seen.contains(c)))
    }

    /// The variable that a pattern consists of.
    pub(super) fn sole_variable(pattern: &Pattern) -> Option<LocalId> {
        match &pattern.kind {
            PatternKind::Var(local) => Some(*local),
            PatternKind::Wildcard | PatternKind::Ctor { .. } | PatternKind::Tuple(_) | PatternKind::Value(_) | PatternKind::Or(_) => None,
        }
    }

    fn is_irrefutable(&self, pattern: &Pattern) -> bool {
        match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Var(_) => true,
            PatternKind::Ctor { ctor, args } => !self.has_other_ctors(*ctor) && args.iter().all(|a| self.is_irrefutable(a)),
            PatternKind::Tuple(parts) => parts.iter().all(|p| self.is_irrefutable(p)),
            PatternKind::Value(_) => false,
            PatternKind::Or(alternatives) => alternatives.iter().any(|a| self.is_irrefutable(a)),
        }
    }

    /// Constructors and booleans that a pattern takes whatever their arguments.
    fn whole_ctors(&self, pattern: &Pattern, seen: &mut Vec<CtorId>, bools: &mut (bool, bool)) {
        match &pattern.kind {
            PatternKind::Ctor { ctor, args } if args.iter().all(|a| self.is_irrefutable(a)) => seen.push(*ctor),
            PatternKind::Value(e) => {
                if let typed::ExprKind::Literal(Literal::Bool(value)) = e.kind {
                    *bools = (bools.0 || !value, bools.1 || value);
                }
            }
            PatternKind::Or(alternatives) => alternatives.iter().for_each(|a| self.whole_ctors(a, seen, bools)),
            PatternKind::Ctor { .. } | PatternKind::Wildcard | PatternKind::Var(_) | PatternKind::Tuple(_) => {}
        }
    }

    pub(super) fn has_other_ctors(&self, ctor: CtorId) -> bool {
        ctors_of(self.program, self.program[ctor].datatype).len() > 1
    }

    fn ctor_part(&self, ctor: CtorId, index: usize, arg: &Pattern, subject: &Expr) -> Option<Expr> {
        let field = *self.program[ctor].fields.get(index)?;
        Some(build::op(Op::Destruct(field), vec![subject.clone()], arg.ty.clone(), arg.span))
    }
}

fn tuple_part(index: usize, part: &Pattern, subject: &Expr) -> Expr {
    build::expr(ExprKind::Op(Op::TupleField(index), vec![subject.clone()]), part.ty.clone(), part.span)
}

fn both(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(build::and(a, b)),
        (a, b) => a.or(b),
    }
}
