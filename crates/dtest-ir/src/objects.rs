//! The dynamic types of objects that a unit can distinguish.

use super::system::Calls;
use super::{Program, StmtKind};
use dafny_resolve::typed::{CallableId, Type};

impl Program {
    /// Returns the reference types that the compiled code of a unit and its callees tests or
    /// converts objects to (`is`, `as`) or allocates, and those in the precondition of the unit, in
    /// the order of their first mention. Types with type parameters are left out. Objects of all
    /// other types behave alike.
    pub fn distinguished_types(&self, unit: CallableId) -> Vec<Type> {
        let mut calls = Calls::new(self);
        for callable in std::iter::once(unit).chain(self.callees(unit)) {
            let Some(procedure) = self.procedures.get(&callable) else {
                continue;
            };
            for block in &procedure.blocks {
                // Type tests in the code and in the precondition distinguish objects by their
                // types.
                calls.block(procedure, block);
                for stmt in &block.stmts {
                    match &stmt.kind {
                        StmtKind::New { ty, .. } => calls.distinguish(ty),
                        StmtKind::NewArray { elem, dims, .. } => {
                            calls.distinguish(&Type::Array {
                                dims: dims.len() as u32,
                                nullable: false,
                                elem: Box::new(elem.clone()),
                            });
                        }
                        StmtKind::Assume { .. }
                        | StmtKind::Assert { .. }
                        | StmtKind::Assign { .. }
                        | StmtKind::Havoc(_)
                        | StmtKind::Call { .. }
                        | StmtKind::SetField { .. }
                        | StmtKind::SetElement { .. }
                        | StmtKind::Redefine { .. }
                        | StmtKind::ForallStore { .. }
                        | StmtKind::SuchThat(_)
                        | StmtKind::Print(_)
                        | StmtKind::Expect { .. }
                        | StmtKind::Snapshot(_)
                        | StmtKind::HavocHeap(..)
                        | StmtKind::Answer { .. }
                        | StmtKind::Save { .. }
                        | StmtKind::Restore { .. }
                        | StmtKind::Probe { .. }
                        | StmtKind::Unsupported { .. } => {}
                    }
                }
            }
        }
        if let Some(contract) = self.contracts.get(&unit) {
            contract.requires.iter().for_each(|c| calls.expr(&c.cond));
        }
        calls.distinguished
    }
}
