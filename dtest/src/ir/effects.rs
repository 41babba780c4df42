//! Callables whose results are a function of their arguments, and that do nothing else.

use std::collections::BTreeSet;

use super::{ArrayInit, Expr, ExprKind, Op, Procedure, Program, StmtKind, StoreTarget, Terminator};
use crate::typed::{CallableId, Type, TypeDeclKind, TypeId};

impl Program {
    /// Whether compiled code of a callable, with all that it calls, gives the same results for the same arguments and does nothing else:
    /// it neither reads nor writes the heap, prints or halts, and leaves no choice. Arguments and results are values without
    /// references and functions.
    pub fn is_pure(&self, callable: CallableId) -> bool {
        std::iter::once(callable).chain(self.callees(callable)).all(|c| self.is_pure_itself(c))
    }

    fn is_pure_itself(&self, callable: CallableId) -> bool {
        let Some(procedure) = self.procedures.get(&callable) else { return false };
        let mut variables = procedure.params.iter().chain(&procedure.outs).filter_map(|v| procedure.vars.get(v.0 as usize));
        variables.all(|v| v.ghost || self.is_plain(&v.ty)) && self.has_pure_blocks(procedure)
    }

    /// Whether values of a type hold no references and no functions.
    fn is_plain(&self, ty: &Type) -> bool {
        let mut seen: BTreeSet<TypeId> = BTreeSet::new();
        let mut work = vec![self.typed.representation(ty)];
        while let Some(ty) = work.pop() {
            match &ty {
                Type::Bool | Type::Int | Type::Char | Type::Real | Type::Bv(_) => {}
                Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. } | Type::Tuple(_) => {
                    work.extend(ty.parts().into_iter().map(|t| self.typed.representation(t)));
                }
                Type::Named { decl, args, .. } => {
                    let TypeDeclKind::Datatype { co: false, ctors } = &self.typed[*decl].kind else { return false };
                    work.extend(args.iter().map(|t| self.typed.representation(t)));
                    if seen.insert(*decl) {
                        let substitution = self.typed.substitution(*decl, args);
                        let fields = ctors.iter().flat_map(|c| &self.typed[*c].fields);
                        work.extend(fields.map(|f| self.typed.representation(&self.typed[*f].ty.subst(&substitution))));
                    }
                }
                Type::Ordinal | Type::Arrow { .. } | Type::Array { .. } | Type::Object { .. } | Type::Param(_) | Type::Error => {
                    return false;
                }
            }
        }
        true
    }

    fn has_pure_blocks(&self, procedure: &Procedure) -> bool {
        let is_ghost = |v: &super::Var| procedure.vars.get(v.0 as usize).is_some_and(|i| i.ghost);
        let is_pure = |e: &Expr| self.is_pure_expr(e);
        procedure.blocks.iter().all(|block| {
            block.stmts.iter().all(|s| match &s.kind {
                StmtKind::Assume(e) | StmtKind::Assert { cond: e, .. } => is_pure(e),
                StmtKind::Assign { var, value } => is_ghost(var) || is_pure(value),
                StmtKind::Call { callee, args, .. } => {
                    let c = &self.typed[*callee];
                    c.ghost || ((c.is_static || c.owner.is_none_or(|o| !self.typed.is_trait(o))) && args.iter().all(is_pure))
                }
                StmtKind::Probe { .. } => true,
                StmtKind::Havoc(_)
                | StmtKind::New { .. }
                | StmtKind::NewArray { init: ArrayInit::Default | ArrayInit::Function(_) | ArrayInit::Elements(_), .. }
                | StmtKind::SetField { .. }
                | StmtKind::SetElement { .. }
                | StmtKind::Redefine { .. }
                | StmtKind::ForallStore { target: StoreTarget::Field(..) | StoreTarget::Element(..), .. }
                | StmtKind::SuchThat(_)
                | StmtKind::Print(_)
                | StmtKind::Expect { .. }
                | StmtKind::Snapshot(_)
                | StmtKind::HavocHeap(_)
                | StmtKind::Answer { .. }
                | StmtKind::Save { .. }
                | StmtKind::Restore { .. }
                | StmtKind::Unsupported { .. } => false,
            }) && match &block.terminator {
                Terminator::Branch { cond, .. } => is_pure(cond),
                Terminator::Choose(blocks) => blocks.len() == 1,
                Terminator::Goto(_) | Terminator::Return | Terminator::Stop => true,
            }
        })
    }

    fn is_pure_expr(&self, e: &Expr) -> bool {
        let here = match &e.kind {
            ExprKind::Call { callee, .. } => {
                let c = &self.typed[*callee];
                self.functions.contains_key(callee) && (c.is_static || c.owner.is_none_or(|o| !self.typed.is_trait(o)))
            }
            ExprKind::Lambda { lambda, .. } => self.lambdas.get(*lambda as usize).is_some_and(|l| self.is_pure_expr(&l.body)),
            ExprKind::Op(Op::ArraySlice | Op::ArrayLength(_) | Op::FunctionReads, _)
            | ExprKind::ReadField(..)
            | ExprKind::ReadElement(..)
            | ExprKind::Delay { .. }
            | ExprKind::LetSuchThat(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Old(..)
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)
            | ExprKind::Unsupported(_) => false,
            ExprKind::Const { object, .. } => object.is_none(),
            ExprKind::Literal(_)
            | ExprKind::Var(_)
            | ExprKind::Op(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::If(..)
            | ExprKind::Let(..)
            | ExprKind::Apply(..)
            | ExprKind::FunctionRef { .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::SetComp(..)
            | ExprKind::MapComp(..)
            | ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Checked(..) => true,
        };
        here && e.children().into_iter().all(|c| self.is_pure_expr(c))
    }
}
