//! Lowering of patterns to tests and destructors on a subject that is already evaluated.
//!
//! [`Lowerer::pattern_test`] yields the condition of a match, [`Lowerer::pattern_bindings`] the
//! variables. [`Taken`] records the constructors that earlier cases cover, to omit redundant tests.

use super::{Lowerer, build};
use dafny_resolve::typed::{self, CtorId, Literal, LocalId, Pattern, PatternKind, Type};
use dtest_ir::{Expr, ExprKind, Op, Var, ctors_of};

/// The values that the cases so far match regardless of constructor arguments.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) ctors: Vec<CtorId>,
    on_true: bool,
    on_false: bool,
}

impl<'p> Lowerer<'p> {
    /// Returns the condition that `subject` matches; `None` if it always does. `gone` are the
    /// constructors that the subject is known not to have.
    pub(super) fn pattern_test(
        &mut self,
        pattern: &'p Pattern,
        subject: &Expr,
        gone: &[CtorId],
    ) -> Option<Expr> {
        // The test of a constructor precedes those of its arguments, which exist only for this
        // constructor.
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Var(_) => None,
            PatternKind::Value(e) => {
                let value = self.pure(|l| l.expr(e));
                Some(build::op(
                    Op::Eq,
                    vec![subject.clone(), value],
                    Type::Bool,
                    pattern.span,
                ))
            }
            PatternKind::Ctor { ctor, args } => {
                let mut test = self.has_other_ctors(*ctor, gone).then(|| {
                    build::op(
                        Op::CtorTest(*ctor),
                        vec![subject.clone()],
                        Type::Bool,
                        pattern.span,
                    )
                });
                for (i, arg) in args.iter().enumerate() {
                    if let Some(part) = self.ctor_part(*ctor, i, arg, subject) {
                        test = both(test, self.pattern_test(arg, &part, &[]));
                    }
                }
                test
            }
            PatternKind::Tuple(parts) => {
                let mut test = None;
                for (i, p) in parts.iter().enumerate() {
                    test = both(test, self.pattern_test(p, &tuple_part(i, p, subject), &[]));
                }
                test
            }
            PatternKind::Or(alternatives) => {
                let mut test: Option<Expr> = None;
                for p in alternatives {
                    let this = self.pattern_test(p, subject, gone)?;
                    test = Some(match test {
                        Some(t) => build::or(t, this),
                        None => this,
                    });
                }
                test
            }
        })
    }

    /// Declares the variables of a pattern and appends them with their values, which are checked
    /// against the written types.
    pub(super) fn admitted_bindings(
        &mut self,
        pattern: &'p Pattern,
        subject: &Expr,
        into: &mut Vec<(Var, Expr)>,
    ) {
        let mut bindings = Vec::new();
        self.pattern_bindings(pattern, subject, &mut bindings);
        for (var, value) in bindings {
            let written = self.info(var).map_or(Type::Error, |i| i.ty.clone());
            into.push((var, self.admitted(value, &written)));
        }
    }

    /// Returns the subject as a case receives it: if the case is a variable of another type, the
    /// type obligation is placed at the pattern.
    pub(super) fn in_case(&self, pattern: &Pattern, subject: &Expr) -> Expr {
        let narrows =
            Self::sole_variable(pattern).is_some_and(|local| self.program[local].ty != subject.ty);
        let span = if narrows { pattern.span } else { subject.span };
        Expr {
            span,
            ..subject.clone()
        }
    }

    /// Declares the variables of a pattern and appends them with their values.
    pub(super) fn pattern_bindings(
        &mut self,
        pattern: &'p Pattern,
        subject: &Expr,
        into: &mut Vec<(Var, Expr)>,
    ) {
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

    /// Whether the last pattern matches every value that the preceding patterns leave over, judging
    /// by the outermost constructors.
    pub(super) fn last_is_certain(&self, patterns: &[&'p Pattern]) -> bool {
        let Some(last) = patterns.last() else {
            return false;
        };
        if self.is_irrefutable(last) {
            return true;
        }
        let mut taken = Taken::default();
        for p in patterns {
            self.add_taken(p, &mut taken);
        }
        let all = taken.ctors.first().map_or(&[][..], |c| {
            ctors_of(self.program, self.program[*c].datatype)
        });
        (taken.on_false && taken.on_true)
            || (!all.is_empty() && all.iter().all(|c| taken.ctors.contains(c)))
    }

    /// Returns the variable of a pattern that consists of a variable only.
    pub(super) fn sole_variable(pattern: &Pattern) -> Option<LocalId> {
        match &pattern.kind {
            PatternKind::Var(local) => Some(*local),
            PatternKind::Wildcard
            | PatternKind::Ctor { .. }
            | PatternKind::Tuple(_)
            | PatternKind::Value(_)
            | PatternKind::Or(_) => None,
        }
    }

    fn is_irrefutable(&self, pattern: &Pattern) -> bool {
        match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Var(_) => true,
            PatternKind::Ctor { ctor, args } => {
                !self.has_other_ctors(*ctor, &[]) && args.iter().all(|a| self.is_irrefutable(a))
            }
            PatternKind::Tuple(parts) => parts.iter().all(|p| self.is_irrefutable(p)),
            PatternKind::Value(_) => false,
            PatternKind::Or(alternatives) => alternatives.iter().any(|a| self.is_irrefutable(a)),
        }
    }

    /// Adds the values that a pattern matches regardless of constructor arguments.
    pub(super) fn add_taken(&self, pattern: &Pattern, taken: &mut Taken) {
        match &pattern.kind {
            PatternKind::Ctor { ctor, args } if args.iter().all(|a| self.is_irrefutable(a)) => {
                taken.ctors.push(*ctor)
            }
            PatternKind::Value(e) => {
                if let typed::ExprKind::Literal(Literal::Bool(value)) = e.kind {
                    taken.on_true |= value;
                    taken.on_false |= !value;
                }
            }
            PatternKind::Or(alternatives) => {
                alternatives.iter().for_each(|a| self.add_taken(a, taken))
            }
            PatternKind::Ctor { .. }
            | PatternKind::Wildcard
            | PatternKind::Var(_)
            | PatternKind::Tuple(_) => {}
        }
    }

    fn has_other_ctors(&self, ctor: CtorId, gone: &[CtorId]) -> bool {
        ctors_of(self.program, self.program[ctor].datatype)
            .iter()
            .any(|c| *c != ctor && !gone.contains(c))
    }

    fn ctor_part(&self, ctor: CtorId, index: usize, arg: &Pattern, subject: &Expr) -> Option<Expr> {
        let field = *self.program[ctor].fields.get(index)?;
        Some(build::op(
            Op::Destruct(field),
            vec![subject.clone()],
            arg.ty.clone(),
            arg.span,
        ))
    }
}

fn tuple_part(index: usize, part: &Pattern, subject: &Expr) -> Expr {
    build::expr(
        ExprKind::Op(Op::TupleField(index), vec![subject.clone()]),
        part.ty.clone(),
        part.span,
    )
}

fn both(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(build::and(a, b)),
        (a, b) => a.or(b),
    }
}
