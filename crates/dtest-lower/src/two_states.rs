//! Two-state functions and lemmas as code of their own, if obligations are goals.
//!
//! The inputs describe the earlier state. Between it and the body, the heap may change arbitrarily
//! (reference manual, "Two-state functions and predicates", "Two-state lemmas").
//! [`Lowerer::since_the_earlier_state`] lowers that change.

use super::{Lowerer, build};
use dafny_resolve::typed::{self, CallableId, Type, TypeDeclKind};
use dafny_source::Span;
use dtest_ir::{ArrayInit, AssertKind, Assumed, Changed, Expr, ExprKind, Frame, StmtKind, Var};

impl<'p> Lowerer<'p> {
    /// Whether a callable is executed in two states.
    pub(super) fn has_two_states(&self, id: CallableId) -> bool {
        self.has_obligations() && self.program[id].is_two_state
    }

    /// Lowers the transition from the earlier state to the beginning of the body: `new` parameters
    /// may denote objects allocated in the meantime, all objects may have other values, and the
    /// preconditions hold.
    pub(super) fn since_the_earlier_state(&mut self, id: CallableId, params: &[Var]) {
        let program = self.program;
        let c = &program[id];
        let receivers = params.len().saturating_sub(c.ins.len());
        for (formal, param) in c
            .ins
            .iter()
            .zip(params.iter().skip(receivers))
            .filter(|(f, _)| f.is_new)
        {
            self.perhaps_made_since(formal.local, *param);
        }
        let everything = Frame {
            object: None,
            field: None,
            span: c.span,
        };
        self.graph
            .push(StmtKind::HavocHeap(vec![everything], Changed::Here), c.span);
        for clause in &c.spec.requires {
            let cond = self.pure(|l| l.expr(&clause.cond));
            self.execute(
                StmtKind::Assume {
                    cond,
                    by: Assumed::Caller,
                },
                clause.span,
            );
        }
    }

    /// Assigns to the variable of a parameter either the given value or a new object.
    fn perhaps_made_since(&mut self, local: typed::LocalId, param: Var) {
        let (ty, span) = (self.program[local].ty.clone(), self.program[local].span);
        let made = self.new_objects_of(&ty);
        if made.is_empty() {
            return;
        }
        let var = self.bind(local);
        let value = self.var(param, span);
        self.graph.push(StmtKind::Assign { var, value }, span);
        let given = self.graph.block(None, span);
        let arms: Vec<_> = made.iter().map(|_| self.graph.block(None, span)).collect();
        let after = self.graph.block(None, span);
        // The first alternative keeps the value that was passed; each other one allocates an object
        // of one type.
        self.graph.choose(
            std::iter::once(given).chain(arms.iter().copied()).collect(),
            None,
            span,
        );
        self.graph.enter(given);
        self.graph.goto(after);
        for (arm, object) in arms.into_iter().zip(made) {
            self.graph.enter(arm);
            let new = self.made(object, span);
            // An object of an implementing class need not satisfy the constraint of the parameter's
            // type.
            let is_of = build::expr(
                ExprKind::Is(Box::new(new.clone()), ty.clone()),
                Type::Bool,
                span,
            );
            self.graph.push(
                StmtKind::Assume {
                    cond: is_of,
                    by: Assumed::Caller,
                },
                span,
            );
            let value = build::expr(ExprKind::Convert(Box::new(new)), ty.clone(), span);
            self.graph.push(StmtKind::Assign { var, value }, span);
            self.graph.goto(after);
        }
        self.graph.enter(after);
    }

    /// Returns the types of new objects that may be values of a type, for any instantiation of its
    /// type parameters.
    pub(super) fn new_objects_of(&self, ty: &Type) -> Vec<Type> {
        match self.program.representation(ty) {
            Type::Named { decl, args, .. } => match &self.program[decl].kind {
                TypeDeclKind::Class => vec![Type::Named {
                    decl,
                    args,
                    nullable: false,
                }],
                TypeDeclKind::Trait { .. } => self.program.implementing_classes(decl, &args),
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Iterator(_)
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract => Vec::new(),
            },
            array @ Type::Array { .. } => vec![array],
            Type::Param(param) if self.program[param].characteristics.no_new => Vec::new(),
            Type::Object { .. } | Type::Param(_) => vec![Type::Array {
                dims: 1,
                nullable: false,
                elem: Box::new(Type::Int),
            }],
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. } => Vec::new(),
            Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Error => Vec::new(),
        }
    }

    /// Allocates an object with unassigned fields, or an array without elements.
    pub(super) fn made(&mut self, object: Type, span: Span) -> Expr {
        let var = self.temp("$new", object.clone(), span);
        let kind = if let Type::Array { dims, elem, .. } = object {
            let lengths = (0..dims).map(|_| build::int(0, Type::Int, span)).collect();
            StmtKind::NewArray {
                var,
                elem: *elem,
                dims: lengths,
                init: ArrayInit::Default,
            }
        } else {
            StmtKind::New { var, ty: object }
        };
        self.graph.push(kind, span);
        self.var(var, span)
    }

    /// Asserts the postconditions of a two-state callable, which refer to the state after
    /// [`Self::since_the_earlier_state`].
    pub(super) fn assert_postconditions(&mut self) {
        for clause in self.callable.ensured {
            let cond = self.pure(|l| l.expr(&clause.cond));
            self.pure(|l| {
                l.assert(
                    Expr {
                        span: clause.span,
                        ..cond
                    },
                    AssertKind::Postcondition,
                )
            });
        }
    }
}
