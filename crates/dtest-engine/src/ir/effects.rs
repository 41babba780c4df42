//! What callables have to do with the world beside their arguments and results.

use super::{
    Choosers, Expr, ExprKind, Op, Procedure, Program, Stmt, StmtKind, StoreTarget, Terminator,
};
use dafny_resolve::typed::{CallableId, FieldId, Type, TypeDeclKind, TypeId};
use dtest_sorted::SortedSet;

/// Blocks of what [`Program::is_small`], and how deep its calls nest, at most.
const SMALL: usize = 24;
const MAX_SMALL_DEPTH: u32 = 4;

/// What compiled code of a callable, with all that it calls, may do beside giving results for its arguments. Ghost code
/// does nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Fields of objects that it reads or writes.
    pub fields: SortedSet<FieldId>,
    /// Those among them that it writes.
    pub written: SortedSet<FieldId>,
    /// Whether it looks into arrays.
    pub reads_arrays: bool,
    /// Whether it stores to arrays.
    pub writes_arrays: bool,
    /// Whether it makes objects or arrays.
    pub allocates: bool,
    /// Whether it calls on a trait.
    pub dispatches: bool,
    /// Whether it prints, may be halted, or leaves a choice.
    pub is_observable: bool,
    /// Whether it prints, or may be halted: somebody sees that it is called, whatever becomes of its results.
    pub is_heard: bool,
    /// Whether it does what this does not tell of: code that is not Dafny's, `modify`, arguments that are computed when they are
    /// looked at.
    pub is_opaque: bool,
}

impl Effects {
    /// Whether nothing is seen of it but its results: it changes no object and prints nothing.
    pub fn is_quiet(&self) -> bool {
        self.written.is_empty() && !self.writes_arrays && !self.is_heard && !self.is_opaque
    }
}

impl Program {
    /// What a callable may do.
    pub fn effects(&self, callable: CallableId) -> Effects {
        let mut walk = Walk {
            program: self,
            effects: Effects::default(),
        };
        for callable in std::iter::once(callable).chain(self.callees(callable)) {
            match self.procedures.get(&callable) {
                Some(procedure) => walk.procedure(procedure),
                None => walk.effects.is_opaque = true,
            }
        }
        walk.effects.is_observable |= Choosers::default().may_choose(self, callable);
        walk.effects
    }

    /// Whether a callable, with all that it calls, is so small that a copy of it for every call costs little: no loops, no recursion, and
    /// few blocks.
    pub fn is_small(&self, callable: CallableId) -> bool {
        let mut blocks = 0usize;
        let mut open = vec![(callable, 0u32)];
        while let Some((callable, depth)) = open.pop() {
            let Some(procedure) = self.procedures.get(&callable) else {
                return false;
            };
            blocks += procedure.blocks.len();
            // Recursion has no end of calls below calls.
            if blocks > SMALL
                || depth > MAX_SMALL_DEPTH
                || procedure.blocks.iter().any(|b| b.loop_head.is_some())
            {
                return false;
            }
            open.extend(
                self.direct_callees(callable)
                    .into_iter()
                    .map(|c| (c, depth + 1)),
            );
        }
        true
    }

    /// Whether compiled code of a callable, with all that it calls, gives the same results for the same arguments and does nothing else:
    /// it neither reads nor writes the heap, prints or halts, and leaves no choice. Arguments and results are values without
    /// references and functions.
    pub fn is_pure(&self, callable: CallableId) -> bool {
        let is_plain = |c: CallableId| {
            self.procedures.get(&c).is_some_and(|procedure| {
                let mut variables = procedure
                    .params
                    .iter()
                    .chain(&procedure.outs)
                    .filter_map(|v| procedure.vars.get(v.0 as usize));
                variables.all(|v| v.ghost || self.holds_only(&v.ty, false))
            })
        };
        self.effects(callable) == Effects::default()
            && std::iter::once(callable)
                .chain(self.callees(callable))
                .all(is_plain)
    }

    /// Whether it is decided by looking at them if two values of a concrete type are equal: they hold no functions and nothing of a
    /// codatatype. References are equal or not by themselves.
    pub fn is_comparable(&self, ty: &Type) -> bool {
        self.holds_only(ty, true)
    }

    /// Whether values of a type hold no functions, and references only where that is allowed.
    fn holds_only(&self, ty: &Type, references: bool) -> bool {
        let mut seen: SortedSet<TypeId> = SortedSet::new();
        let mut work = vec![self.typed.representation(ty)];
        while let Some(ty) = work.pop() {
            match &ty {
                Type::Bool | Type::Int | Type::Char | Type::Real | Type::Bv(_) => {}
                ty if self.typed.is_reference(ty) => {
                    if !references {
                        return false;
                    }
                }
                Type::Seq(_)
                | Type::Set { .. }
                | Type::Multiset(_)
                | Type::Map { .. }
                | Type::Tuple(_) => {
                    work.extend(ty.parts().map(|t| self.typed.representation(t)));
                }
                Type::Named { decl, args, .. } => {
                    let TypeDeclKind::Datatype { co: false, ctors } = &self.typed[*decl].kind
                    else {
                        return false;
                    };
                    work.extend(args.iter().map(|t| self.typed.representation(t)));
                    if seen.insert(*decl) {
                        let substitution = self.typed.substitution(*decl, args);
                        let fields = ctors.iter().flat_map(|c| &self.typed[*c].fields);
                        work.extend(fields.map(|f| {
                            self.typed
                                .representation(&self.typed[*f].ty.subst(&substitution))
                        }));
                    }
                }
                Type::Ordinal
                | Type::Arrow { .. }
                | Type::Array { .. }
                | Type::Object { .. }
                | Type::Param(_)
                | Type::Error => {
                    return false;
                }
            }
        }
        true
    }
}

struct Walk<'p> {
    program: &'p Program,
    effects: Effects,
}

impl Walk<'_> {
    fn procedure(&mut self, procedure: &Procedure) {
        for block in &procedure.blocks {
            for stmt in &block.stmts {
                if !procedure.is_ghost_assignment(stmt) {
                    self.stmt(stmt);
                }
            }
            match &block.terminator {
                Terminator::Branch { cond, .. } => self.expr(cond),
                Terminator::Choose { among, .. } => self.effects.is_observable |= among.len() > 1,
                Terminator::Goto(_) | Terminator::Return | Terminator::Stop => {}
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            // Obligations and probes do nothing.
            StmtKind::Assert { .. } | StmtKind::Probe { .. } | StmtKind::Snapshot(_) => return,
            StmtKind::Call { callee, .. } if self.program.typed[*callee].ghost => return,
            StmtKind::SetField { field, .. } if self.program.typed[*field].ghost => return,
            StmtKind::Assume { .. } | StmtKind::Assign { .. } => {}
            StmtKind::Call { callee, .. } => self.dispatch(*callee),
            StmtKind::Havoc(_) | StmtKind::SuchThat(_) => self.effects.is_observable = true,
            StmtKind::Print(_) | StmtKind::Expect { .. } => {
                (self.effects.is_observable, self.effects.is_heard) = (true, true)
            }
            StmtKind::New { .. } | StmtKind::NewArray { .. } => self.effects.allocates = true,
            StmtKind::SetField { field, .. }
            | StmtKind::ForallStore {
                target: StoreTarget::Field(_, field),
                ..
            } => self.writes(*field),
            StmtKind::SetElement { .. }
            | StmtKind::ForallStore {
                target: StoreTarget::Element(..),
                ..
            } => {
                self.effects.writes_arrays = true;
            }
            StmtKind::Save { vars, .. } => vars.iter().for_each(|(field, _)| self.writes(*field)),
            StmtKind::Restore { vars, .. } => self
                .effects
                .fields
                .extend(vars.iter().map(|(field, _)| *field)),
            StmtKind::Redefine { .. }
            | StmtKind::HavocHeap(_)
            | StmtKind::Answer { .. }
            | StmtKind::Unsupported { .. } => {
                self.effects.is_opaque = true;
            }
        }
        self.all(stmt.operands());
    }

    fn writes(&mut self, field: FieldId) {
        self.effects.fields.insert(field);
        self.effects.written.insert(field);
    }

    /// A call on a trait may run any of several members.
    fn dispatch(&mut self, callee: CallableId) {
        let c = &self.program.typed[callee];
        self.effects.dispatches |=
            !c.is_static && c.owner.is_some_and(|o| self.program.typed.is_trait(o));
    }

    fn all<'e>(&mut self, es: impl IntoIterator<Item = &'e Expr>) {
        es.into_iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Call { callee, .. } => {
                self.dispatch(*callee);
                self.effects.is_opaque |= !self.program.functions.contains_key(callee);
            }
            ExprKind::Lambda { lambda, .. } => match self.program.lambdas.get(*lambda as usize) {
                Some(lambda) => self.expr(&lambda.body),
                None => self.effects.is_opaque = true,
            },
            ExprKind::ReadField(_, field)
            | ExprKind::Const {
                field,
                object: Some(_),
                ..
            } => {
                self.effects.fields.insert(*field);
            }
            ExprKind::ReadElement(..) | ExprKind::Op(Op::ArraySlice | Op::ArrayLength(_), _) => {
                self.effects.reads_arrays = true
            }
            ExprKind::LetSuchThat(..) | ExprKind::IfSuchThat(..) => {
                self.effects.is_observable = true
            }
            ExprKind::Op(Op::FunctionReads, _)
            | ExprKind::Delay { .. }
            | ExprKind::Old(..)
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)
            | ExprKind::OfContract { .. }
            | ExprKind::Unsupported(_) => self.effects.is_opaque = true,
            ExprKind::Const { object: None, .. }
            | ExprKind::Literal(_)
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
            | ExprKind::Checked(..) => {}
        }
        self.all(e.children());
    }
}
