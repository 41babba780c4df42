//! Two-state functions and lemmas as code of their own, where promises are goals: between the state that the inputs describe, which is the
//! earlier one, and the body, anything may have happened to the heap (reference manual, "Two-state functions and predicates", "Two-state
//! lemmas").

use super::Lowerer;
use crate::ir::{ArrayInit, AssertKind, Assumed, Expr, ExprKind, Frame, StmtKind, Var};
use dafny_resolve::typed::{self, CallableId, Type, TypeDeclKind};

impl<'p> Lowerer<'p> {
    /// Whether a callable is executed in two states.
    pub(super) fn has_two_states(&self, id: CallableId) -> bool {
        self.has_promises() && self.program[id].is_two_state
    }

    /// From the earlier state to the one in which the body begins: what `new` parameters stand for may have been made since, all objects may
    /// hold other values, and the preconditions hold.
    pub(super) fn since_the_earlier_state(&mut self, id: CallableId, params: &[Var]) {
        let program = self.program;
        let c = &program[id];
        let receivers = params.len().saturating_sub(c.ins.len());
        for (formal, param) in c.ins.iter().zip(params.iter().skip(receivers)).filter(|(f, _)| f.is_new) {
            self.perhaps_made_since(formal.local, *param);
        }
        let everything = Frame { object: None, field: None, span: c.span };
        self.graph.push(StmtKind::HavocHeap(vec![everything]), c.span);
        for clause in &c.spec.requires {
            let cond = self.pure(|l| l.expr(&clause.cond));
            self.execute(StmtKind::Assume { cond, by: Assumed::Statement }, clause.span);
        }
    }

    /// The local variable of a parameter, which may be a new object instead of what is passed.
    fn perhaps_made_since(&mut self, local: typed::LocalId, param: Var) {
        let (ty, span) = (self.program[local].ty.clone(), self.program[local].span);
        let made = match self.program.representation(&ty) {
            Type::Named { decl, args, .. } if matches!(self.program[decl].kind, TypeDeclKind::Class) => {
                Some(Type::Named { decl, args, nullable: false })
            }
            array @ Type::Array { .. } => Some(array),
            _other => None,
        };
        let Some(made) = made else { return };
        let var = self.bind(local);
        let value = self.var(param, span);
        self.graph.push(StmtKind::Assign { var, value }, span);
        let (given, new, after) = (self.graph.block(None, span), self.graph.block(None, span), self.graph.block(None, span));
        self.graph.choose(vec![given, new], None, span);
        self.graph.enter(given);
        self.graph.goto(after);
        self.graph.enter(new);
        let kind = match made {
            Type::Array { dims, elem, .. } => {
                let zero = Expr { kind: ExprKind::Literal(typed::Literal::Int(0.into())), ty: Type::Int, span };
                StmtKind::NewArray { var, elem: *elem, dims: vec![zero; dims as usize], init: ArrayInit::Default }
            }
            class => StmtKind::New { var, ty: class },
        };
        self.graph.push(kind, span);
        self.graph.goto(after);
        self.graph.enter(after);
    }

    /// The postconditions of a two-state callable, which speak of the state after [`Self::since_the_earlier_state`].
    pub(super) fn assert_postconditions(&mut self) {
        for clause in self.ensured {
            let cond = self.pure(|l| l.expr(&clause.cond));
            self.pure(|l| l.assert(Expr { span: clause.span, ..cond }, AssertKind::Postcondition));
        }
    }
}
