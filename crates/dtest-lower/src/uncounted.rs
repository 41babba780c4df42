//! Parts of compiled code that some executions skip and that are deliberately no goals
//! (`docs/criteria.md` lists them).
//!
//! [`Uncounted::count`] counts them for the report.

use dafny_resolve::typed::visit::{Visit, walk_call, walk_expr, walk_stmt};
use dafny_resolve::typed::{
    ArrayInit, BinaryOp, Body, Call, CallableId, Clause, Expr, ExprKind, FieldKind, Frame,
    LoopSpec, Program, Quantified, Rhs, Stmt, StmtKind,
};
use dafny_source::Span;

/// The numbers of arms of conditionals and matches, and of operands that may be skipped, that are
/// no goals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Uncounted {
    /// Parts of bodies of lambdas, other than those that yield the elements of a new array or
    /// sequence.
    pub lambdas: u32,
    /// Parts of initial values of constants.
    pub constants: u32,
    /// Parts of default values of parameters.
    pub defaults: u32,
    /// Parts of ranges of quantifiers and comprehensions, and operands in their bodies.
    pub binders: u32,
}

impl Uncounted {
    /// Returns the total number.
    pub fn total(&self) -> u32 {
        let Self {
            lambdas,
            constants,
            defaults,
            binders,
        } = self;
        lambdas + constants + defaults + binders
    }

    /// Counts the parts in the given units, and in the constants for which `named` says that they
    /// lie in the user's files.
    pub fn count(program: &Program, units: &[CallableId], named: impl Fn(Span) -> bool) -> Self {
        let mut counter = Counter {
            program,
            place: Place::Executed,
            initializers: Vec::new(),
            found: Self::default(),
        };
        for id in units {
            let callable = &program[*id];
            for default in callable
                .ins
                .iter()
                .filter(|f| !program[f.local].ghost)
                .filter_map(|f| f.default.as_ref())
            {
                counter.within(Place::Default, |c| c.expr(default));
            }
            match &callable.body {
                Body::None => {}
                Body::Expr(e) => counter.expr(e),
                Body::Block(b) | Body::ByMethod(_, b) => counter.block(b),
            }
        }
        for field in program.fields.iter().filter(|f| !f.ghost && named(f.span)) {
            match &field.kind {
                FieldKind::Const(Some(value)) => counter.within(Place::Constant, |c| c.expr(value)),
                FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => {}
            }
        }
        counter.found
    }
}

impl std::iter::Sum for Uncounted {
    fn sum<I: Iterator<Item = Self>>(programs: I) -> Self {
        programs.fold(Self::default(), |a, b| Self {
            lambdas: a.lambdas + b.lambdas,
            constants: a.constants + b.constants,
            defaults: a.defaults + b.defaults,
            binders: a.binders + b.binders,
        })
    }
}

/// The surroundings of a part of the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// No special surroundings: arms and operands are goals.
    Executed,
    /// A quantifier, a comprehension or a lambda that yields the elements of a new value: arms are
    /// goals.
    Binder,
    /// A range.
    Range,
    Lambda,
    Constant,
    Default,
}

struct Counter<'t> {
    program: &'t Program,
    place: Place,
    /// The spans of the lambdas that yield the elements of a new value.
    initializers: Vec<Span>,
    found: Uncounted,
}

impl Counter<'_> {
    /// Runs `work` in a place; a lambda, a constant or a default value determines the place of
    /// everything inside it.
    fn within(&mut self, place: Place, work: impl FnOnce(&mut Self)) {
        let outer = self.place;
        self.place = match outer {
            Place::Executed | Place::Binder | Place::Range => place,
            Place::Lambda | Place::Constant | Place::Default => outer,
        };
        work(self);
        self.place = outer;
    }

    fn arms(&mut self, count: usize) {
        match self.place {
            Place::Executed | Place::Binder => {}
            Place::Range | Place::Lambda | Place::Constant | Place::Default => self.add(count),
        }
    }

    fn operands(&mut self, count: usize) {
        match self.place {
            Place::Executed => {}
            Place::Binder | Place::Range | Place::Lambda | Place::Constant | Place::Default => {
                self.add(count)
            }
        }
    }

    fn add(&mut self, count: usize) {
        let found = match self.place {
            Place::Executed => return,
            Place::Binder | Place::Range => &mut self.found.binders,
            Place::Lambda => &mut self.found.lambdas,
            Place::Constant => &mut self.found.constants,
            Place::Default => &mut self.found.defaults,
        };
        *found += count as u32;
    }
}

impl<'t> Visit<'t> for Counter<'t> {
    fn stmt(&mut self, s: &'t Stmt) {
        if s.ghost {
            return;
        }
        if let StmtKind::Assign { pairs, .. } = &s.kind {
            for (_, rhs) in pairs {
                if let Rhs::NewArray {
                    init: ArrayInit::Function(f),
                    ..
                } = rhs
                {
                    self.initializers.push(f.span);
                }
            }
            walk_stmt(self, s);
        } else if matches!(&s.kind, StmtKind::Forall { .. }) {
            self.within(Place::Binder, |c| walk_stmt(c, s))
        } else {
            walk_stmt(self, s)
        }
    }

    fn loop_spec(&mut self, _: &'t LoopSpec) {}

    fn clause(&mut self, _: &'t Clause) {}

    fn frame(&mut self, _: &'t Frame) {}

    fn call(&mut self, c: &'t Call) {
        let formals = &self.program[c.callee].ins;
        if formals.iter().any(|f| self.program[f.local].ghost) {
            c.receiver.iter().for_each(|r| self.expr(r));
            let compiled = c
                .args
                .iter()
                .zip(formals)
                .filter(|(_, f)| !self.program[f.local].ghost);
            compiled.for_each(|(a, _)| self.expr(a));
        } else {
            walk_call(self, c);
        }
    }

    fn quantified(&mut self, q: &'t Quantified) {
        if let Some(range) = &q.range {
            self.within(Place::Range, |c| c.expr(range));
        }
    }

    fn expr(&mut self, e: &'t Expr) {
        if matches!(&e.kind, ExprKind::If { .. } | ExprKind::IfBinding { .. }) {
            self.arms(2);
        } else if let ExprKind::Match { cases, .. } = &e.kind {
            self.arms(cases.len());
        } else if matches!(
            &e.kind,
            ExprKind::Binary(
                BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Explies,
                ..
            )
        ) {
            self.operands(1);
        } else if let ExprKind::Chain { rest, .. } = &e.kind {
            self.operands(rest.len().saturating_sub(1));
        } else if let ExprKind::SeqConstruct { init, .. } = &e.kind {
            self.initializers.push(init.span);
        }
        if matches!(
            &e.kind,
            ExprKind::Quantifier { .. } | ExprKind::SetComp { .. } | ExprKind::MapComp { .. }
        ) {
            self.within(Place::Binder, |c| walk_expr(c, e));
        // Only an executed constructor of an array or sequence evaluates its lambda at a known
        // place.
        } else if matches!(&e.kind, ExprKind::Lambda(_)) {
            let gives_elements =
                self.place == Place::Executed && self.initializers.contains(&e.span);
            self.within(
                if gives_elements {
                    Place::Binder
                } else {
                    Place::Lambda
                },
                |c| walk_expr(c, e),
            );
        } else if matches!(&e.kind, ExprKind::Delayed(_)) {
            self.within(Place::Lambda, |c| walk_expr(c, e))
        } else if let ExprKind::Let {
            ghost: true, body, ..
        } = &e.kind
        {
            self.expr(body)
        } else {
            walk_expr(self, e)
        }
    }
}
