//! The effects of callables in addition to their arguments and results.
//!
//! Key type: [`Effects`], computed over a callable and everything that it calls.

use super::{
    Block, Choosers, Expr, ExprKind, Op, Procedure, Program, Stmt, StmtKind, StoreTarget,
    Terminator,
};
use dafny_resolve::typed::{CallableId, FieldId, Type, TypeDeclKind, TypeId};
use dtest_sorted::SortedSet;

/// The limit of blocks, and of nested calls, of a small callable ([`Program::is_small`]).
const SMALL: usize = 24;
const MAX_SMALL_DEPTH: u32 = 4;

/// The effects of the compiled code of a callable and everything that it calls, except for the
/// computation of results from arguments. Ghost code has no effects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The fields of objects that are read or written.
    pub fields: SortedSet<FieldId>,
    /// The subset of `fields` that is written.
    pub written: SortedSet<FieldId>,
    /// Whether arrays are read.
    pub reads_arrays: bool,
    /// Whether arrays are written.
    pub writes_arrays: bool,
    /// Whether objects or arrays are allocated.
    pub allocates: bool,
    /// Whether a call on a trait is dispatched.
    pub dispatches: bool,
    /// Whether the code prints, may halt the program, or makes a choice.
    pub is_observable: bool,
    /// Whether the code prints or may halt the program: the call is observed even if its results
    /// are dropped.
    pub is_heard: bool,
    /// Whether there are effects that the other fields do not describe: code outside Dafny,
    /// `modify`, lazily computed arguments.
    pub is_opaque: bool,
}

/// The part of the heap that code may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Any field and any array, because there are effects that are not described.
    Everything,
    /// Some fields of existing objects, and perhaps the elements of arrays.
    Only {
        /// The fields.
        fields: SortedSet<FieldId>,
        /// Whether elements of arrays are among it.
        arrays: bool,
    },
}

impl Writes {
    /// Whether a field is among it.
    pub fn has_field(&self, field: FieldId) -> bool {
        match self {
            Self::Everything => true,
            Self::Only { fields, .. } => fields.contains(&field),
        }
    }

    /// Whether elements of arrays are among it.
    pub fn has_arrays(&self) -> bool {
        match self {
            Self::Everything => true,
            Self::Only { arrays, .. } => *arrays,
        }
    }
}

impl Effects {
    /// Whether the results are the only observable effect: no object is changed and nothing is
    /// printed.
    pub fn is_quiet(&self) -> bool {
        self.written.is_empty() && !self.writes_arrays && !self.is_heard && !self.is_opaque
    }
}

impl Program {
    /// Computes the effects of a callable.
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

    /// Returns the locations that some blocks of a procedure and their callees may write.
    pub fn writes<'b>(&self, blocks: impl IntoIterator<Item = &'b Block>) -> Writes {
        let mut walk = Walk {
            program: self,
            effects: Effects::default(),
        };
        for stmt in blocks.into_iter().flat_map(|b| &b.stmts) {
            walk.stmt(stmt);
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                let callee = self.effects(*callee);
                walk.effects.written.extend(callee.written);
                walk.effects.writes_arrays |= callee.writes_arrays;
                walk.effects.is_opaque |= callee.is_opaque;
            }
        }
        let effects = walk.effects;
        match effects.is_opaque {
            true => Writes::Everything,
            false => Writes::Only {
                fields: effects.written,
                arrays: effects.writes_arrays,
            },
        }
    }

    /// Whether a callable, with everything that it calls, is small enough to be copied for every
    /// call: no loops, no recursion, few blocks.
    pub fn is_small(&self, callable: CallableId) -> bool {
        let mut blocks = 0usize;
        let mut open = vec![(callable, 0u32)];
        while let Some((callable, depth)) = open.pop() {
            let Some(procedure) = self.procedures.get(&callable) else {
                return false;
            };
            blocks += procedure.blocks.len();
            // Recursion is excluded by the depth limit: it has calls below calls without end.
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

    /// Whether the compiled code of a callable, with everything that it calls, is a pure function:
    /// it neither reads nor writes the heap, prints, halts or chooses, and its arguments and
    /// results contain no references and functions.
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

    /// Whether equality of values of a concrete type can be decided by comparing them: they contain
    /// no functions and no codatatypes. References are compared by identity.
    pub fn is_comparable(&self, ty: &Type) -> bool {
        self.holds_only(ty, true)
    }

    /// Whether values of a type contain no functions, and contain references only if that is
    /// allowed.
    fn holds_only(&self, ty: &Type, references: bool) -> bool {
        let mut seen: SortedSet<TypeId> = SortedSet::new();
        let mut work = vec![self.typed.representation(ty)];
        while let Some(ty) = work.pop() {
            // Types are examined with all their components.
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
                    // A recursive datatype is examined once.
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
            // Obligations and probes have no effect.
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
            | StmtKind::HavocHeap(..)
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

    /// Records the dynamic dispatch of a call on a trait, which may run any of several members.
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
            // A call has the effects of all possible callees.
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
            // Choices and functions without code are beyond a summary of effects.
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
