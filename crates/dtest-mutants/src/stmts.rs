//! Mutation operators for statements and terminators.
//!
//! `Finder::procedure` visits the blocks. A mutant must be a program that Dafny accepts: a removed
//! assignment, for instance, must not leave a variable without a value.

use super::copies::Equal;
use super::exprs::{Names, only};
use super::{Change, Finder, Mutation, MutationKind, Piece, Place};
use dafny_resolve::typed::Type;
use dafny_source::Span;
use dtest_ir::{
    BlockId, Expr, ExprKind, Op, Procedure, Program, Stmt, StmtKind, StoreTarget, Terminator, Var,
    build,
};
use dtest_sorted::SortedSet;

/// Maximum number of arguments that replace a call.
const MAX_ARGUMENTS: usize = 2;

impl<'p> Finder<'p> {
    /// Adds the mutants of all blocks.
    pub(super) fn procedure(&mut self) {
        let procedure = self.procedure;
        // In the order of the source.
        for (i, block) in procedure.blocks.iter().enumerate() {
            let id = BlockId(i as u32);
            for (at, stmt) in block.stmts.iter().enumerate() {
                self.stmt(Place::Stmt(id, at), stmt);
            }
            self.end(id, block);
        }
    }

    /// The context of expressions at a place of the procedure.
    pub(super) fn names(&self, place: Place, known: SortedSet<Var>) -> Names<'p> {
        let equal = match place {
            Place::Stmt(block, at) => self.copies.before(block, at),
            Place::End(block) => self.copies.before(block, usize::MAX),
            Place::Whole | Place::Lambda(_) => Equal::new(),
        };
        Names {
            callees: self.callees.clone(),
            forms: self.forms.clone(),
            vars: &self.procedure.vars,
            params: &self.procedure.params,
            known,
            equal,
        }
    }

    fn stmt(&mut self, place: Place, stmt: &Stmt) {
        // Mutants of unobservable or ghost code cannot be killed.
        let is_seen = matches!(place, Place::Stmt(block, at) if self.seen.matters(block, at));
        if !is_seen || !self.is_compiled(stmt) {
            return;
        }
        let roots = roots(stmt);
        // Variables that the statement reads and parameters have a value here.
        let mut known = self.read(&roots);
        known.extend(self.procedure.params.iter().copied());
        let names = self.names(place, known);
        for (i, root) in roots.iter().enumerate() {
            if is_argument_compiled(self.program, stmt, i) {
                self.root(place, i, root, &names);
            }
        }
        // A call is removed together with the stores of its results.
        if let Some((whole, stores)) = self.call_to_leave_out(place, stmt) {
            let count = self.found.len();
            self.add(place, Change::LeftOut, Mutation::left_out(whole));
            if let Some(added) = self.found.get_mut(count) {
                added.also = stores.into_iter().map(|s| (s, Change::LeftOut)).collect();
            }
        }
        // A parallel assignment loses only one of its stores.
        if let Some(whole) = self.statement_to_leave_out(place, stmt) {
            let mutation = if self.stores(whole) > 1 {
                self.kept(stmt)
            } else {
                Some(Mutation::left_out(whole))
            };
            mutation
                .into_iter()
                .for_each(|m| self.add(place, Change::LeftOut, m));
        }
        if let Place::Stmt(block, at) = place {
            self.swap(block, at);
        }
        self.other_callee(place, stmt);
        self.argument_of_call(place, stmt);
        if let StmtKind::Assign { value, .. } = &stmt.kind {
            self.always(place, value);
        }
        self.passed_on(place, stmt, &names);
        // Arguments of calls and indices that are not expressions of their own are exchanged in the
        // statement.
        let (args, callee) = if let StmtKind::Call { callee, args, .. } = &stmt.kind {
            (args.as_slice(), Some(*callee))
        } else if let StmtKind::NewArray { dims: args, .. }
        | StmtKind::SetElement { indices: args, .. } = &stmt.kind
        {
            (args.as_slice(), None)
        } else {
            return;
        };
        for (i, j) in super::exprs::alike(args, self.program, callee) {
            let (Some(a), Some(b)) = (args.get(i), args.get(j)) else {
                continue;
            };
            // Default values are located at declarations, and named arguments may be in another
            // order.
            let is_there = [a, b].iter().all(|e| stmt.span.contains_span(e.span));
            if !is_there || a.span.end > b.span.start {
                continue;
            }
            let mut other = stmt.clone();
            if let StmtKind::Call { args, .. }
            | StmtKind::NewArray { dims: args, .. }
            | StmtKind::SetElement { indices: args, .. } = &mut other.kind
            {
                args.swap(i, j);
            }
            let mutation = Mutation::new(a.span.to(b.span), MutationKind::Order, swapped(a, b));
            self.add(place, Change::Stmt(Box::new(other)), mutation);
        }
    }

    /// Replaces the value of a Boolean assignment by a constant.
    fn always(&mut self, place: Place, value: &Expr) {
        let is_plain = matches!(value.kind, ExprKind::Literal(_) | ExprKind::Var(_))
            || super::exprs::is_made(value);
        // Both constants, because each removes one outcome of the condition.
        for way in [false, true] {
            if value.ty == Type::Bool && !is_plain {
                let instead = Box::new(build::boolean(way, value.span));
                let mutation = Mutation::new(
                    value.span,
                    MutationKind::Decision,
                    vec![Piece::Text(way.to_string())],
                );
                self.add(
                    place,
                    Change::Expr {
                        root: 0,
                        path: Vec::new(),
                        instead,
                    },
                    mutation,
                );
            }
        }
    }

    /// Replaces the method of a call by others with the same signature.
    fn other_callee(&mut self, place: Place, stmt: &Stmt) {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else {
            return;
        };
        // A receiver that is not written has the location of the method's name.
        let mut args = args.clone();
        let is_implied = |e: &Expr| {
            let is_this = |v: Var| {
                let info = self.procedure.vars.get(v.0 as usize);
                info.is_some_and(|i| &*i.name == "this")
            };
            matches!(e.kind, ExprKind::Var(v) if is_this(v)) && e.span.end - e.span.start != 4
        };
        if let Some(receiver) = args.first_mut().filter(|r| is_implied(r)) {
            receiver.span = stmt.span;
        }
        for other in self.callees.alike(self.program, *callee) {
            // The arguments stay, and only the callee changes.
            let mut changed = stmt.clone();
            if let StmtKind::Call { callee, .. } = &mut changed.kind {
                *callee = other;
            }
            let text = self
                .forms
                .target(stmt.span)
                .map_or_else(Vec::new, |target| {
                    let call = super::callees::called(self.program, &args, stmt.span, other);
                    [target, &call, &[Piece::Text(";".into())]].concat()
                });
            // Without a written target, the description names the statement. Of several such
            // mutants, the first stands for all.
            let mutation = Mutation::new(stmt.span, MutationKind::Callee, text);
            let is_known = |m: &super::Mutant| m.mutation == mutation;
            if !self.found.iter().any(is_known) {
                self.add(place, Change::Stmt(Box::new(changed)), mutation);
            }
        }
    }

    /// Replaces a method call with one result by an argument of the result's type.
    fn argument_of_call(&mut self, place: Place, stmt: &Stmt) {
        let StmtKind::Call {
            callee, args, outs, ..
        } = &stmt.kind
        else {
            return;
        };
        let [Some(out)] = outs.as_slice() else {
            return;
        };
        // A call without a written target, such as that of a `:-`, is followed by further code that
        // depends on it.
        let Some(target) = self.forms.target(stmt.span).map(<[_]>::to_vec) else {
            return;
        };
        let Some(info) = self.procedure.vars.get(out.0 as usize).filter(|i| !i.ghost) else {
            return;
        };
        let is_alike = |(i, arg): &(usize, &Expr)| {
            !matches!(arg.kind, ExprKind::Var(v) if v == *out)
                && super::exprs::is_parameter_compiled(self.program, *callee, *i)
                && super::types::are_alike(&self.program.typed, &arg.ty, &info.ty)
                && arg.span.start < arg.span.end
                && stmt.span.contains_span(arg.span)
                // A declaration takes its type from the value.
                && (!arg.children().is_empty() || matches!(arg.kind, ExprKind::Var(_)))
        };
        let alike: Vec<&Expr> = args
            .iter()
            .enumerate()
            .filter(is_alike)
            .map(|(_, arg)| arg)
            .take(MAX_ARGUMENTS)
            .collect();
        for arg in alike {
            let value = Expr {
                span: stmt.span,
                ..arg.clone()
            };
            let instead = Stmt {
                kind: StmtKind::Assign { var: *out, value },
                span: stmt.span,
            };
            let end = Piece::Text(";".into());
            let text = [target.as_slice(), &[only(arg), end]].concat();
            let mutation = Mutation {
                is_bare: true,
                is_hint: false,
                ..Mutation::new(stmt.span, MutationKind::Operand, text)
            };
            self.add(place, Change::Stmt(Box::new(instead)), mutation);
        }
    }

    /// Replaces a value that a statement passes on by a default value, and an assigned collection
    /// by another one.
    fn passed_on(&mut self, place: Place, stmt: &Stmt, names: &Names<'_>) {
        // Of an array store, only the value is passed on.
        let (skipped, target) = match &stmt.kind {
            StmtKind::Assign { var, .. } => (0, Some(*var)),
            StmtKind::Call { .. } => (0, None),
            StmtKind::SetField { .. } => (1, None),
            StmtKind::SetElement { indices, .. } => (1 + indices.len(), None),
            StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Havoc(_)
            | StmtKind::New { .. }
            | StmtKind::NewArray { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::ForallStore { .. }
            | StmtKind::SuchThat(_)
            | StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::HavocHeap(..) => return,
            StmtKind::Answer { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Probe { .. }
            | StmtKind::Unsupported { .. } => return,
        };
        let is_store = !matches!(stmt.kind, StmtKind::Call { .. });
        for (i, root) in roots(stmt).into_iter().enumerate().skip(skipped) {
            if !is_argument_compiled(self.program, stmt, i) || !stmt.span.contains_span(root.span) {
                continue;
            }
            let absent = super::defaults::absent(self.program, names, root);
            let other = if is_store {
                super::defaults::other_collection(self.program, names, root, target)
            } else {
                None
            };
            // The counter of a loop would not count any more, which every test shows.
            let is_counter = target.is_some_and(|v| self.decides_loop(v));
            let reset = super::defaults::reset(root).filter(|_| is_store && !is_counter);
            for (kind, how, text) in absent.into_iter().chain(other).chain(reset) {
                let instead = Expr {
                    ty: super::types::unconstrained(&self.program.typed, &root.ty),
                    kind,
                    span: root.span,
                };
                let mutation = Mutation::new(root.span, how, text);
                self.add_expr((place, i, root), Vec::new(), instead, mutation);
            }
        }
    }

    pub(super) fn is_compiled(&self, stmt: &Stmt) -> bool {
        is_compiled(self.program, self.procedure, stmt)
    }

    /// Whether the condition of a loop reads a variable.
    fn decides_loop(&self, var: Var) -> bool {
        self.procedure.blocks.iter().any(|b| {
            let cond = match &b.terminator {
                Terminator::Branch { cond, .. } => Some(cond),
                Terminator::Goto(_)
                | Terminator::Choose { .. }
                | Terminator::Return
                | Terminator::Stop => None,
            };
            b.loop_head.is_some() && cond.is_some_and(|c| c.mentions(&[var]))
        })
    }
}

/// Whether the statement is compiled code of the source.
pub(super) fn is_compiled(program: &Program, procedure: &Procedure, stmt: &Stmt) -> bool {
    let typed = &program.typed;
    let is_ghost = |var: Var| procedure.vars.get(var.0 as usize).is_none_or(|v| v.ghost);
    match &stmt.kind {
        StmtKind::Assign { var, .. } => !is_ghost(*var),
        StmtKind::Call { callee, .. } => !typed[*callee].ghost,
        StmtKind::SetField { field, .. } => !typed[*field].ghost,
        StmtKind::ForallStore {
            target: StoreTarget::Field(_, field),
            ..
        } => !typed[*field].ghost,
        StmtKind::NewArray { var, .. } => !is_ghost(*var),
        StmtKind::SetElement { .. }
        | StmtKind::ForallStore {
            target: StoreTarget::Element(..),
            ..
        }
        | StmtKind::Print(_) => true,
        StmtKind::Assume { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Havoc(_)
        | StmtKind::New { .. }
        | StmtKind::Redefine { .. }
        | StmtKind::SuchThat(_)
        | StmtKind::Expect { .. }
        | StmtKind::Snapshot(_)
        | StmtKind::HavocHeap(..)
        | StmtKind::Answer { .. }
        | StmtKind::Save { .. }
        | StmtKind::Restore { .. }
        | StmtKind::Probe { .. }
        | StmtKind::Unsupported { .. } => false,
    }
}

/// Whether an expression of a statement is compiled. Arguments for ghost parameters are not.
pub(super) fn is_argument_compiled(program: &Program, stmt: &Stmt, root: usize) -> bool {
    if let StmtKind::Call { callee, .. } = &stmt.kind {
        super::exprs::is_parameter_compiled(program, *callee, root)
    } else {
        true
    }
}

/// Whether an expression reads a destructor.
pub(super) fn takes_apart(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Op(Op::Destruct(_), _)) || e.children().into_iter().any(takes_apart)
}

/// The expressions of a statement that may be mutated, without the domains and ranges of bound
/// variables.
pub(super) fn roots(stmt: &Stmt) -> Vec<&Expr> {
    let ranges = stmt.quantified().map_or(0, |q| q.operands().count());
    stmt.operands().into_iter().skip(ranges).collect()
}

/// The same expressions, mutably.
pub(super) fn roots_mut(stmt: &mut Stmt) -> Vec<&mut Expr> {
    let ranges = stmt.quantified().map_or(0, |q| q.operands().count());
    stmt.operands_mut().into_iter().skip(ranges).collect()
}

/// Whether an expression may read the location that a statement writes: the same field, or an
/// element of an array of the same type.
pub(super) fn reads_place(e: &Expr, written: &Expr) -> bool {
    let is_read = match (&e.kind, &written.kind) {
        (ExprKind::ReadField(_, field), ExprKind::ReadField(_, other)) => field == other,
        (ExprKind::ReadElement(..), ExprKind::ReadElement(..)) => e.ty == written.ty,
        (_, _) => false,
    };
    is_read || e.children().into_iter().any(|c| reads_place(c, written))
}

/// The target of a statement as an expression, and the value that it assigns.
pub(super) fn written(stmt: &Stmt) -> Option<(Expr, Expr)> {
    let place = |kind: ExprKind, value: &Expr| {
        (
            Expr {
                kind,
                ty: value.ty.clone(),
                span: stmt.span,
            },
            value.clone(),
        )
    };
    match &stmt.kind {
        StmtKind::Assign { var, value } => Some(place(ExprKind::Var(*var), value)),
        StmtKind::SetField {
            object,
            field,
            value,
        } => Some(place(
            ExprKind::ReadField(Box::new(object.clone()), *field),
            value,
        )),
        StmtKind::SetElement {
            array,
            indices,
            value,
        } => Some(place(
            ExprKind::ReadElement(Box::new(array.clone()), indices.clone()),
            value,
        )),
        StmtKind::Assume { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Havoc(_)
        | StmtKind::New { .. }
        | StmtKind::Call { .. }
        | StmtKind::NewArray { .. }
        | StmtKind::ForallStore { .. }
        | StmtKind::Print(_)
        | StmtKind::Redefine { .. }
        | StmtKind::SuchThat(_)
        | StmtKind::Expect { .. }
        | StmtKind::Snapshot(_)
        | StmtKind::HavocHeap(..)
        | StmtKind::Answer { .. }
        | StmtKind::Save { .. }
        | StmtKind::Restore { .. }
        | StmtKind::Probe { .. }
        | StmtKind::Unsupported { .. } => None,
    }
}

/// The value that a statement assigns, mutably. Defined for the same statements as [`written`].
pub(super) fn written_mut(stmt: &mut Stmt) -> Option<&mut Expr> {
    if let StmtKind::Assign { value, .. }
    | StmtKind::SetField { value, .. }
    | StmtKind::SetElement { value, .. } = &mut stmt.kind
    {
        Some(value)
    } else {
        None
    }
}

/// Two texts in reverse order, with the text between them.
fn swapped(a: &Expr, b: &Expr) -> Vec<Piece> {
    let between = Span {
        start: a.span.end,
        end: b.span.start,
    };
    let between = if between.start <= between.end {
        Piece::Source(between)
    } else {
        Piece::Text(", ".into())
    };
    vec![only(b), between, only(a)]
}
