//! Mutation operators that remove or exchange statements.
//!
//! A removed assignment must not leave a variable or a field without a value, and a parallel
//! assignment that loses one of its stores needs a text of its own.

use super::stmts::{reads_place, written};
use super::{Change, Finder, Mutation, MutationKind, Piece, Place};
use dafny_resolve::typed::{CallableId, FieldId};
use dafny_source::Span;
use dtest_ir::{Block, BlockId, Expr, ExprKind, Simple, Stmt, StmtKind, Var};
use dtest_sorted::SortedSet;

impl<'p> Finder<'p> {
    /// Exchanges a statement with the next one, if one of them reads what the other assigns.
    pub(super) fn swap(&mut self, block: BlockId, at: usize) {
        // The source statement of a store, with its target and value, if it can be moved.
        let whole = |at: usize| {
            let stmt = self.procedure.block(block)?.stmts.get(at)?;
            let (to, value) = written(stmt).filter(|_| self.is_compiled(stmt))?;
            let whole = self.procedure.statement_around(stmt.span)?;
            let ExprKind::Var(var) = to.kind else {
                return Some((whole, None, to, value));
            };
            let info = self.procedure.vars.get(var.0 as usize)?;
            let is_plain = !whole.contains_span(info.span)
                && self.assignments(var, whole) == 1
                && !info.name.starts_with('$');
            (is_plain && self.has_value_before(var, Place::Stmt(block, at))).then_some((
                whole,
                Some(var),
                to,
                value,
            ))
        };
        let Some((first, var, to, value)) = whole(at) else {
            return;
        };
        // Ghost statements between the two do not matter.
        let stmts = self.procedure.block(block).map_or(&[][..], |b| &b.stmts);
        let Some((other, _)) = stmts
            .iter()
            .enumerate()
            .skip(at + 1)
            .find(|(_, s)| self.is_compiled(s))
        else {
            return;
        };
        let Some((second, other_var, other_to, other_value)) = whole(other) else {
            return;
        };
        // A statement depends on the other if it reads what the other writes.
        let reads = |var: Option<Var>, to: &Expr, of: (&Expr, &Expr)| match var {
            Some(var) => {
                of.1.mentions(&[var])
                    || !matches!(of.0.kind, ExprKind::Var(_)) && of.0.mentions(&[var])
            }
            None => reads_place(of.1, to),
        };
        let depend = reads(var, &to, (&other_to, &other_value))
            || reads(other_var, &other_to, (&to, &value));
        // An assignment that is overwritten immediately is covered by the removal of statements.
        if depend && first.end <= second.start && (var.is_none() || var != other_var) {
            let between = Piece::Source(Span {
                start: first.end,
                end: second.start,
            });
            let instead = vec![Piece::Source(second), between, Piece::Source(first)];
            let mutation = Mutation::new(first.to(second), MutationKind::Order, instead);
            self.add(Place::Stmt(block, at), Change::Swapped(other), mutation);
        }
    }

    /// The source statement that consists only of this statement and that can be removed: the
    /// variables that it assigns have values before it.
    pub(super) fn statement_to_leave_out(&self, place: Place, stmt: &Stmt) -> Option<Span> {
        let whole = self.procedure.statement_around(stmt.span)?;
        // The results of a `return` are removed together with it.
        if self
            .procedure
            .blocks
            .iter()
            .any(|b| b.jump.is_some_and(|j| j.statement == whole))
        {
            return None;
        }
        let may = match &stmt.kind {
            StmtKind::Assign { var, .. } => {
                let info = self.procedure.vars.get(var.0 as usize)?;
                // Declarations, and assignments of a `for` loop to its variable, cannot be removed.
                let is_declared = whole.contains_span(info.span);
                let is_whole = !is_declared && self.assignments(*var, whole) == 1;
                is_whole && !info.name.starts_with('$') && self.has_value_before(*var, place)
            }
            StmtKind::SetField { field, .. } => self.fields_set(*field) > 1 || !self.constructs(),
            StmtKind::SetElement { .. } | StmtKind::ForallStore { .. } | StmtKind::Print(_) => true,
            StmtKind::Call { outs, callee, .. } => {
                outs.iter().all(Option::is_none) && !self.is_constructor(*callee)
            }
            StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Havoc(_)
            | StmtKind::New { .. }
            | StmtKind::NewArray { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::SuchThat(_)
            | StmtKind::Expect { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::HavocHeap(_)
            | StmtKind::Answer { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Probe { .. }
            | StmtKind::Unsupported { .. } => false,
        };
        may.then_some(whole)
    }

    /// The source statement of a method call whose results may keep their values, and the places
    /// that store them in fields and elements.
    pub(super) fn call_to_leave_out(
        &self,
        place: Place,
        stmt: &Stmt,
    ) -> Option<(Span, Vec<Place>)> {
        let (Place::Stmt(block, at), StmtKind::Call { outs, callee, .. }) = (place, &stmt.kind)
        else {
            return None;
        };
        // Only statements that consist of the call have a written target.
        let whole = self.procedure.statement_around(stmt.span)?;
        self.forms.target(whole).filter(|_| whole == stmt.span)?;
        let out = outs.first().copied().flatten()?;
        let info = self.procedure.vars.get(out.0 as usize)?;
        if self.is_constructor(*callee) || outs.len() != 1 {
            return None;
        }
        if !info.name.starts_with('$') {
            let may_keep = !whole.contains_span(info.span)
                && self.assignments(out, whole) == 1
                && self.has_value_before(out, place);
            return may_keep.then(|| (whole, Vec::new()));
        }
        // In a constructor, a field may have no value before.
        let stmts = &self.procedure.block(block)?.stmts;
        let takes_result = |s: &Stmt| {
            let (StmtKind::SetField { value, .. } | StmtKind::SetElement { value, .. }) = &s.kind
            else {
                return false;
            };
            matches!(value.kind, ExprKind::Var(v) if v == out)
        };
        let store = (at + 1..stmts.len()).find(|i| stmts.get(*i).is_some_and(takes_result))?;
        (!self.constructs()).then(|| (whole, vec![Place::Stmt(block, store)]))
    }

    /// Number of variables, fields and elements that a source statement assigns.
    pub(super) fn stores(&self, whole: Span) -> usize {
        let is_store = |s: &Stmt| match &s.kind {
            StmtKind::Assign { var, .. } => !self
                .procedure
                .vars
                .get(var.0 as usize)
                .is_none_or(|v| v.name.starts_with('$')),
            StmtKind::SetField { .. } | StmtKind::SetElement { .. } => true,
            StmtKind::Call { outs, .. } => outs.iter().any(Option::is_some),
            StmtKind::ForallStore { .. }
            | StmtKind::Print(_)
            | StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Havoc(_)
            | StmtKind::New { .. }
            | StmtKind::NewArray { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::SuchThat(_)
            | StmtKind::Expect { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::HavocHeap(_)
            | StmtKind::Answer { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Probe { .. }
            | StmtKind::Unsupported { .. } => false,
        };
        let stmts = self.procedure.blocks.iter().flat_map(|b| &b.stmts);
        stmts
            .filter(|s| is_store(s) && self.procedure.statement_around(s.span) == Some(whole))
            .count()
    }

    /// The removal of one store of a parallel assignment: the target keeps its value, `x, y := x,
    /// e` for `x, y := d, e`. `None` if that has no text.
    pub(super) fn kept(&self, stmt: &Stmt) -> Option<Mutation> {
        // The value is replaced by a read of the target.
        let (value, instead) = match &stmt.kind {
            StmtKind::Assign { var, value } if matches!(value.kind, ExprKind::Var(v) if v == *var) =>
            {
                return None;
            }
            StmtKind::Assign { var, value } => (
                value,
                vec![Piece::Text(
                    self.procedure.vars.get(var.0 as usize)?.name.to_string(),
                )],
            ),
            StmtKind::SetField {
                object,
                field,
                value,
            } => {
                let name = &self.program.typed[*field].name;
                let object = if let ExprKind::Var(v) = &object.kind
                    && self
                        .procedure
                        .vars
                        .get(v.0 as usize)
                        .is_some_and(|v| &*v.name == "this")
                {
                    Piece::Text("this".into())
                } else {
                    Piece::Source(object.span)
                };
                (value, vec![object, Piece::Text(format!(".{name}"))])
            }
            StmtKind::SetElement {
                array,
                indices,
                value,
            } => {
                let mut instead = vec![Piece::Source(array.span), Piece::Text("[".into())];
                for (i, index) in indices.iter().enumerate() {
                    instead.extend((i > 0).then(|| Piece::Text(", ".into())));
                    instead.push(Piece::Source(index.span));
                }
                instead.push(Piece::Text("]".into()));
                (value, instead)
            }
            StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Havoc(_)
            | StmtKind::Call { .. }
            | StmtKind::New { .. } => {
                return None;
            }
            StmtKind::NewArray { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::ForallStore { .. }
            | StmtKind::SuchThat(_) => return None,
            StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::HavocHeap(_)
            | StmtKind::Answer { .. } => {
                return None;
            }
            StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Probe { .. }
            | StmtKind::Unsupported { .. } => return None,
        };
        // A result of a call has no text of its own.
        (value.span != stmt.span).then_some(Mutation::new(
            value.span,
            MutationKind::Operand,
            instead,
        ))
    }

    pub(super) fn constructs(&self) -> bool {
        self.is_constructor(self.procedure.callable)
    }

    pub(super) fn is_constructor(&self, callable: CallableId) -> bool {
        self.program.typed[callable].kind == dafny_resolve::typed::CallableKind::Constructor
    }

    /// Number of assignments to a variable within a part of the source.
    pub(super) fn assignments(&self, var: Var, within: Span) -> usize {
        let stmts = self.procedure.blocks.iter().flat_map(|b| &b.stmts);
        stmts
            .filter(|s| s.assigned().contains(&var) && within.contains_span(s.span))
            .count()
    }

    /// Whether the variable has a value on every path to a statement.
    pub(super) fn has_value_before(&self, var: Var, place: Place) -> bool {
        let Place::Stmt(block, at) = place else {
            return false;
        };
        // Only assignments in the block before the statement count.
        let gives = |b: &Block, most: usize| {
            b.stmts
                .iter()
                .take(most)
                .any(|s| s.assigned().contains(&var))
        };
        // Searches for a path from the entry to the statement without an assignment.
        let mut seen = SortedSet::new();
        let mut work = vec![BlockId(0)];
        while let Some(id) = work.pop() {
            let Some(b) = self.procedure.block(id).filter(|_| seen.insert(id)) else {
                continue;
            };
            if id == block && !gives(b, at) {
                return false;
            }
            if !gives(b, usize::MAX) {
                work.extend(b.terminator.successors());
            }
        }
        true
    }

    fn fields_set(&self, field: FieldId) -> usize {
        let stmts = self.procedure.blocks.iter().flat_map(|b| &b.stmts);
        stmts
            .filter(|s| matches!(&s.kind, StmtKind::SetField { field: f, .. } if *f == field))
            .count()
    }

    /// Whether a jump can be removed: the results that it assigns have values before.
    pub(super) fn may_leave_out(&self, id: BlockId, block: &Block, jump: Span) -> bool {
        // Statements of the jump assign its results.
        let given = block
            .stmts
            .iter()
            .enumerate()
            .filter(|(_, s)| jump.contains_span(s.span));
        given
            .map(|(at, s)| (Place::Stmt(id, at), s))
            .all(|(place, s)| match s.simple() {
                Some(Simple::Assigns(var, _)) => self.has_value_before(var, place),
                Some(Simple::Notes) => true,
                None => false,
            })
    }
}
