//! Two-state functions and lemmas as code of their own, where obligations are goals: between the state that the inputs describe, which is the
//! earlier one, and the body, anything may have happened to the heap (reference manual, "Two-state functions and predicates", "Two-state
//! lemmas").

use super::{Lowerer, build};
use crate::ir::{ArrayInit, AssertKind, Assumed, Expr, ExprKind, Frame, StmtKind, Var};
use dafny_resolve::typed::{self, CallableId, Type, TypeDeclKind};
use dafny_syntax::source::Span;

impl<'p> Lowerer<'p> {
    /// Whether a callable is executed in two states.
    pub(super) fn has_two_states(&self, id: CallableId) -> bool {
        self.has_obligations() && self.program[id].is_two_state
    }

    /// From the earlier state to the one in which the body begins: what `new` parameters stand for may have been made since, all objects may
    /// hold other values, and the preconditions hold.
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
            .push(StmtKind::HavocHeap(vec![everything]), c.span);
        for clause in &c.spec.requires {
            let cond = self.pure(|l| l.expr(&clause.cond));
            self.execute(
                StmtKind::Assume {
                    cond,
                    by: Assumed::Statement,
                },
                clause.span,
            );
        }
    }

    /// The local variable of a parameter, which may be a new object instead of what is passed.
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
            let is_of = build::expr(
                ExprKind::Is(Box::new(new.clone()), ty.clone()),
                Type::Bool,
                span,
            );
            self.graph.push(
                StmtKind::Assume {
                    cond: is_of,
                    by: Assumed::Statement,
                },
                span,
            );
            let value = build::expr(ExprKind::Convert(Box::new(new)), ty.clone(), span);
            self.graph.push(StmtKind::Assign { var, value }, span);
            self.graph.goto(after);
        }
        self.graph.enter(after);
    }

    /// Types of new objects that a value of a type may be, whatever its type parameters stand for.
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

    /// A new object of a class, of which nobody assigned the fields, or an array without elements.
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

    /// The postconditions of a two-state callable, which speak of the state after [`Self::since_the_earlier_state`].
    pub(super) fn assert_postconditions(&mut self) {
        for clause in self.ensured {
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
