//! Mutation operators for statements and terminators.
//!
//! `Finder::procedure` visits the blocks. A mutant must be a program that Dafny accepts: a removed
//! assignment, for instance, must not leave a variable without a value.

use super::copies::Equal;
use super::exprs::{Names, is_comparison, only};
use super::{Change, Finder, Mutation, MutationKind, Piece, Place};
use dafny_resolve::typed::{CallableId, FieldId, Literal, Type};
use dafny_source::Span;
use dtest_ir::{
    Block, BlockId, Decision, Expr, ExprKind, GoalReason, Num, Op, Procedure, Program, Simple,
    Stmt, StmtKind, StoreTarget, Terminator, Var, build,
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
    fn names(&self, place: Place, known: SortedSet<Var>) -> Names<'p> {
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
            | StmtKind::HavocHeap(_) => return,
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
            let absent = super::exprs::absent(self.program, names, root);
            let other = if is_store {
                super::exprs::other_collection(self.program, names, root, target)
            } else {
                None
            };
            // The counter of a loop would not count any more, which every test shows.
            let is_counter = target.is_some_and(|v| self.decides_loop(v));
            let reset = super::exprs::reset(root).filter(|_| is_store && !is_counter);
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

    /// Exchanges a statement with the next one, if one of them reads what the other assigns.
    fn swap(&mut self, block: BlockId, at: usize) {
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

    fn is_compiled(&self, stmt: &Stmt) -> bool {
        is_compiled(self.program, self.procedure, stmt)
    }

    /// The source statement that consists only of this statement and that can be removed: the
    /// variables that it assigns have values before it.
    fn statement_to_leave_out(&self, place: Place, stmt: &Stmt) -> Option<Span> {
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

    /// The source statement of a method call whose results may keep their values, and the places
    /// that store them in fields and elements.
    fn call_to_leave_out(&self, place: Place, stmt: &Stmt) -> Option<(Span, Vec<Place>)> {
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
    fn stores(&self, whole: Span) -> usize {
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
    fn kept(&self, stmt: &Stmt) -> Option<Mutation> {
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

    fn constructs(&self) -> bool {
        self.is_constructor(self.procedure.callable)
    }

    fn is_constructor(&self, callable: CallableId) -> bool {
        self.program.typed[callable].kind == dafny_resolve::typed::CallableKind::Constructor
    }

    /// Number of assignments to a variable within a part of the source.
    fn assignments(&self, var: Var, within: Span) -> usize {
        let stmts = self.procedure.blocks.iter().flat_map(|b| &b.stmts);
        stmts
            .filter(|s| s.assigned().contains(&var) && within.contains_span(s.span))
            .count()
    }

    /// Whether the variable has a value on every path to a statement.
    fn has_value_before(&self, var: Var, place: Place) -> bool {
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

    /// Adds the mutants of a terminator.
    fn end(&mut self, id: BlockId, block: &Block) {
        if let Some(jump) = block.jump
            && self.may_leave_out(id, block, jump.statement)
        {
            self.add(
                Place::End(id),
                Change::Next(jump.without),
                Mutation::left_out(jump.statement),
            );
        }
        self.one_iteration(id, block);
        // Other terminators have no condition.
        let Terminator::Branch { cond, then, els } = &block.terminator else {
            return;
        };
        // The test of a `match` case is not a written condition.
        if matches!(&cond.kind, ExprKind::Op(Op::CtorTest(_), _)) && self.case(*then).is_some() {
            return self.arms(id, *then, *els);
        }
        let mut known = self.read(&[cond]);
        known.extend(self.procedure.params.iter().copied());
        // The condition of a `for` loop has mutants of its own.
        if block
            .loop_head
            .as_ref()
            .is_some_and(|h| !h.range.is_empty())
        {
            return self.turns(id, cond, known);
        }
        // `:-` can only be negated: the failing value continues, and the other one returns.
        if self.is_outcome_of_failure(*then) {
            let change = Change::Branch {
                then: *els,
                els: *then,
                flipped: None,
            };
            let mutation = Mutation::new(cond.span, MutationKind::Negation, Vec::new());
            return self.add(Place::End(id), change, mutation);
        }
        let names = self.names(Place::End(id), known);
        self.root(Place::End(id), 0, cond, &names);
        if self.forms.is_in_pattern(cond.span) {
            return;
        }
        // The operator mutants of a comparison include its negation.
        if !is_comparison(cond) {
            let is_written = [*then, *els]
                .into_iter()
                .all(|b| self.is_outcome_of_condition(b));
            let text = || {
                vec![
                    Piece::Text("!(".into()),
                    Piece::Source(cond.span),
                    Piece::Text(")".into()),
                ]
            };
            let instead = if is_written { text() } else { Vec::new() };
            let mutation = Mutation::new(cond.span, MutationKind::Negation, instead);
            self.add(
                Place::End(id),
                Change::Branch {
                    then: *els,
                    els: *then,
                    flipped: None,
                },
                mutation,
            );
        }
        // An operand of `&&` or `||` is removed by the neutral value.
        if let Some(neutral) = self.neutral(id, *then, *els) {
            let (kind, ty) = (ExprKind::Literal(Literal::Bool(neutral)), cond.ty.clone());
            let instead = Box::new(Expr {
                kind,
                ty,
                span: cond.span,
            });
            let mutation = Mutation::new(
                cond.span,
                MutationKind::Operand,
                vec![Piece::Text(neutral.to_string())],
            );
            self.add(
                Place::End(id),
                Change::Expr {
                    root: 0,
                    path: Vec::new(),
                    instead,
                },
                mutation,
            );
        }
        self.decision(id, block, cond);
        self.shorter_loop(id, block, cond);
        // The connective itself is replaced by redirecting the branches.
        if let Some(change) = other_connective(self.procedure, *then, *els) {
            let mutation = Mutation::new(cond.span, MutationKind::Connective, Vec::new());
            self.add(Place::End(id), change, mutation);
        }
    }

    /// Replaces a decision by a constant: its body is always or never executed. A loop is only
    /// never entered, because every test would kill an endless loop.
    fn decision(&mut self, id: BlockId, block: &Block, cond: &Expr) {
        let Terminator::Branch { then, els, .. } = &block.terminator else {
            return;
        };
        let is_whole = |b: BlockId| {
            let reason = self
                .procedure
                .block(b)
                .and_then(|b| b.goal.as_ref())
                .map(|g| &g.reason);
            matches!(reason, Some(GoalReason::Branch { decision: Decision::If | Decision::Loop, cond: whole, .. }) if *whole == cond.span)
        };
        // A decision that is an operand has its own mutants, and a constant condition is not a
        // decision.
        if self.neutral(id, *then, *els).is_some()
            || ![*then, *els].into_iter().any(is_whole)
            || matches!(cond.kind, ExprKind::Literal(_))
        {
            return;
        }
        // The condition of a `for` loop is not written.
        let ways: &[bool] = match &block.loop_head {
            Some(head) if !head.range.is_empty() => &[],
            Some(_) => &[false],
            None => &[false, true],
        };
        for way in ways {
            let instead = Box::new(build::boolean(*way, cond.span));
            let mutation = Mutation::new(
                cond.span,
                MutationKind::Decision,
                vec![Piece::Text(way.to_string())],
            );
            self.add(
                Place::End(id),
                Change::Expr {
                    root: 0,
                    path: Vec::new(),
                    instead,
                },
                mutation,
            );
        }
    }

    /// Leaves a loop at the end of its first iteration.
    fn one_iteration(&mut self, head: BlockId, block: &Block) {
        let Some(info) = &block.loop_head else {
            return;
        };
        let Some(brace) = self.forms.end_of_loop(info.span) else {
            return;
        };
        // The exit of the loop begins where its statement ends.
        let is_exit = |b: &Block| {
            b.goal.as_ref().is_some_and(|g| {
                g.span == Span::new(info.span.end, info.span.end)
                    && matches!(
                        g.reason,
                        GoalReason::Branch {
                            value: false,
                            decision: Decision::Loop,
                            ..
                        }
                    )
            })
        };
        let Some(exit) = self.procedure.blocks.iter().position(is_exit) else {
            return;
        };
        let exit = BlockId(exit as u32);
        let (ends, inside) = self.iterations(head);
        // A loop without effects outside of it may as well end earlier.
        let matters = self.has_effects(head, exit, &inside);
        let Some((first, others)) = ends.split_first().filter(|_| matters) else {
            return;
        };
        let leave = || Change::Leave { head, exit };
        let mutation = Mutation::new(
            brace,
            MutationKind::Iteration,
            vec![Piece::Text("break; }".into())],
        );
        let count = self.found.len();
        self.add(Place::End(*first), leave(), mutation);
        if let Some(added) = self.found.get_mut(count) {
            added.also = others.iter().map(|b| (Place::End(*b), leave())).collect();
        }
    }

    /// Whether a loop is left in several ways, or an observable statement of it changes something
    /// that is read outside of the loop.
    fn has_effects(&self, head: BlockId, exit: BlockId, inside: &SortedSet<BlockId>) -> bool {
        let leaves = |b: &BlockId| {
            let next = self.procedure.block(*b).map(|b| b.terminator.successors());
            let mut next = next.into_iter().flatten();
            next.any(|n| !inside.contains(&n) && n != exit)
        };
        if inside.iter().any(leaves) {
            return true;
        }
        // The variables that other blocks read, and the results.
        let mut roots: Vec<&Expr> = Vec::new();
        for (i, block) in self.procedure.blocks.iter().enumerate() {
            let id = BlockId(i as u32);
            if id == head || inside.contains(&id) {
                continue;
            }
            roots.extend(block.stmts.iter().flat_map(self::roots));
            if let Terminator::Branch { cond, .. } = &block.terminator {
                roots.push(cond);
            }
        }
        let mut read = self.read(&roots);
        read.extend(self.procedure.outs.iter().copied());
        inside.iter().any(|b| {
            let stmts = self.procedure.block(*b).map_or(&[][..], |b| &b.stmts);
            stmts.iter().enumerate().any(|(at, stmt)| {
                let is_local = match stmt.simple() {
                    Some(Simple::Assigns(var, _)) => !read.contains(&var),
                    Some(Simple::Notes) => true,
                    None => false,
                };
                self.seen.matters(*b, at) && !is_local
            })
        })
    }

    /// The blocks of a loop from which its head is reached again, and all blocks of its body: the
    /// natural loop (Aho, Lam, Sethi and Ullman, *Compilers*, section 9.6.6).
    fn iterations(&self, head: BlockId) -> (Vec<BlockId>, SortedSet<BlockId>) {
        let before = self.procedure.predecessors();
        let before = |b: BlockId| before.get(&b).map_or(&[][..], Vec::as_slice);
        // Blocks that are reached without passing the head are not dominated by it.
        let mut outside = SortedSet::new();
        let mut work = vec![BlockId(0)];
        while let Some(id) = work.pop() {
            if id != head && outside.insert(id) {
                let next = self.procedure.block(id).map(|b| b.terminator.successors());
                work.extend(next.into_iter().flatten());
            }
        }
        let ends: Vec<BlockId> = before(head)
            .iter()
            .copied()
            .filter(|b| !outside.contains(b))
            .collect();
        let mut inside = SortedSet::new();
        let mut work = ends.clone();
        while let Some(id) = work.pop() {
            if inside.insert(id) && id != head {
                work.extend(before(id).iter().copied());
            }
        }
        (ends, inside)
    }

    /// Ends a loop one iteration earlier: `i < n - 1` for `i < n`. Literals have neighbours.
    fn shorter_loop(&mut self, id: BlockId, block: &Block, cond: &Expr) {
        let ExprKind::Op(Op::Lt(Num::Int), operands) = &cond.kind else {
            return;
        };
        let ([a, b], Terminator::Branch { then, els, .. }) =
            (operands.as_slice(), &block.terminator)
        else {
            return;
        };
        let is_of_loop = [*then, *els].into_iter().any(|b| {
            let goal = self.procedure.block(b).and_then(|b| b.goal.as_ref());
            matches!(
                goal.map(|g| &g.reason),
                Some(GoalReason::Branch {
                    decision: Decision::Loop,
                    ..
                })
            )
        });
        if !is_of_loop && block.loop_head.is_none() {
            return;
        }
        // The index is the side that changes in the loop.
        let heads = self
            .procedure
            .blocks
            .iter()
            .filter_map(|b| b.loop_head.as_ref());
        let assigned: SortedSet<Var> = heads.flat_map(|h| &h.assigned).copied().collect();
        let changes = |e: &Expr| assigned.iter().any(|v| e.mentions(&[*v]));
        let (path, bound, up) = match (changes(a), changes(b)) {
            (true, false) => (1, b, true),
            (false, true) => (0, a, false),
            (true, true) | (false, false) => return,
        };
        if let Some((instead, mut text)) = moved(bound, up) {
            let mutation = Mutation::new(bound.span, MutationKind::Constant, {
                text.insert(0, Piece::Operand(bound.span));
                text
            });
            self.add_expr((Place::End(id), 0, cond), vec![path], instead, mutation);
        }
    }

    /// For a branch on an operand of `&&` or `||`: the constant that makes the operand irrelevant.
    fn neutral(&self, id: BlockId, then: BlockId, els: BlockId) -> Option<bool> {
        if is_operand(self.procedure, then) {
            return Some(true);
        }
        if is_operand(self.procedure, els) {
            return Some(false);
        }
        // The last operand is recognized by the decision before it.
        let leads_here =
            |b: &&Block| is_operand(self.procedure, id) && b.terminator.successors().contains(&id);
        let before = self.procedure.blocks.iter().find(leads_here)?;
        matches!(before.terminator, Terminator::Branch { then, .. } if then == id)
            .then_some(true)
            .or(Some(false))
    }

    /// Whether a block is entered by a written condition, and not by a pattern or `:-`.
    fn is_outcome_of_condition(&self, block: BlockId) -> bool {
        let reason = self
            .procedure
            .block(block)
            .and_then(|b| b.goal.as_ref())
            .map(|g| &g.reason);
        reason.is_none_or(|r| matches!(r, GoalReason::Branch { .. }))
    }

    /// Whether a block is entered by a `:-`.
    fn is_outcome_of_failure(&self, block: BlockId) -> bool {
        let goal = self.procedure.block(block).and_then(|b| b.goal.as_ref());
        matches!(goal.map(|g| &g.reason), Some(GoalReason::Failure { .. }))
    }

    /// Mutants of a `for` loop, whose condition is not written: those of its end, and one more
    /// iteration.
    fn turns(&mut self, id: BlockId, cond: &Expr, mut known: SortedSet<Var>) {
        // The lowering compares the index with the end; the direction of the loop decides the
        // order.
        let ExprKind::Op(Op::Lt(num), operands) = &cond.kind else {
            return;
        };
        let [a, b] = operands.as_slice() else {
            return;
        };
        let is_index = |e: &Expr| {
            let is_declared = |v: Var| {
                let info = self.procedure.vars.get(v.0 as usize);
                info.is_some_and(|i| i.span.contains_span(e.span) && !i.name.starts_with('$'))
            };
            matches!(e.kind, ExprKind::Var(v) if is_declared(v))
        };
        let is_up = is_index(a);
        let (end, step) = if is_up { (b, " + 1") } else { (a, " - 1") };
        // The index is not in scope where the end is evaluated.
        known.retain(|v| ![a, b].iter().any(|e| is_index(e) && e.mentions(&[*v])));
        let names = self.names(Place::End(id), known);
        let place = Place::End(id);
        for (path, instead, mutation) in super::exprs::rewrites(self.program, &names, cond) {
            if mutation.span != cond.span {
                self.add_expr((place, 0, cond), path, instead, mutation);
            }
        }
        // One more iteration: the exclusive end becomes inclusive.
        let instead = build::op(Op::Le(*num), operands.clone(), Type::Bool, cond.span);
        let before = Span {
            start: cond.span.start,
            end: end.span.start,
        };
        let shown = vec![
            Piece::Source(before),
            Piece::Operand(end.span),
            Piece::Text(step.into()),
        ];
        let mutation = Mutation {
            is_bare: true,
            ..Mutation::new(cond.span, MutationKind::Operator, shown)
        };
        let change = |instead: Expr| Change::Expr {
            root: 0,
            path: Vec::new(),
            instead: Box::new(instead),
        };
        self.add(place, change(instead), mutation);
        // One iteration less.
        if *num == Num::Int
            && let Some((moved, text)) = moved(end, is_up)
        {
            let operands = if is_up {
                vec![a.clone(), moved]
            } else {
                vec![moved, b.clone()]
            };
            let fewer = build::op(Op::Lt(*num), operands, Type::Bool, cond.span);
            let shown = [
                &[Piece::Source(before), Piece::Operand(end.span)],
                &text[..],
            ]
            .concat();
            let mutation = Mutation {
                is_bare: true,
                ..Mutation::new(cond.span, MutationKind::Constant, shown)
            };
            self.add(place, change(fewer), mutation);
        }
    }

    /// Whether a jump can be removed: the results that it assigns have values before.
    fn may_leave_out(&self, id: BlockId, block: &Block, jump: Span) -> bool {
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

    /// For the body of a `match` case: its location, and whether it reads no destructor.
    fn case(&self, block: BlockId) -> Option<(Span, bool)> {
        let block = self.procedure.block(block)?;
        let goal = block.goal.as_ref().filter(|g| g.is_case())?;
        Some((
            goal.source(),
            !block.stmts.iter().flat_map(Stmt::operands).any(takes_apart),
        ))
    }

    /// Exchanges a case of a `match` with the next one, if neither reads the parts of the value.
    fn arms(&mut self, id: BlockId, then: BlockId, els: BlockId) {
        // Bodies that read parts of the value depend on their case.
        let Some((first, true)) = self.case(then) else {
            return;
        };
        let asks = |b: BlockId| match self.procedure.block(b).map(|b| (&b.goal, &b.terminator)) {
            Some((None, Terminator::Branch { cond, then, .. }))
                if matches!(&cond.kind, ExprKind::Op(Op::CtorTest(_), _)) =>
            {
                Some(*then)
            }
            Some(_) | None => None,
        };
        // The next case is either tested by the next block, or it is the last one.
        let (second, change) = match (self.case(els), asks(els)) {
            (Some((second, true)), _) => (
                second,
                Change::Branch {
                    then: els,
                    els: then,
                    flipped: None,
                },
            ),
            (None, Some(next)) => match self.case(next) {
                Some((second, true)) => (second, Change::Arms(els)),
                Some((_, false)) | None => return,
            },
            (Some((_, false)), _) | (None, None) => return,
        };
        if first.end <= second.start {
            let mutation = Mutation::new(first.to(second), MutationKind::Order, Vec::new());
            self.add(Place::End(id), change, mutation);
        }
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
        | StmtKind::HavocHeap(_)
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
fn takes_apart(e: &Expr) -> bool {
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
fn reads_place(e: &Expr, written: &Expr) -> bool {
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
        | StmtKind::HavocHeap(_)
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

/// The bound of a loop that counts up or down, moved by one so that the loop ends earlier, and the
/// text behind the bound. `None` for a literal, whose neighbours are mutants of their own.
fn moved(bound: &Expr, up: bool) -> Option<(Expr, Vec<Piece>)> {
    let is_literal = matches!(bound.kind, ExprKind::Literal(_));
    if is_literal || bound.span.start >= bound.span.end {
        return None;
    }
    let (op, text) = if up {
        (Op::Sub(Num::Int), " - 1")
    } else {
        (Op::Add(Num::Int), " + 1")
    };
    let one = build::int(1, Type::Int, bound.span);
    let instead = build::op(op, vec![bound.clone(), one], Type::Int, bound.span);
    Some((instead, vec![Piece::Text(text.into())]))
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

/// Whether a block is entered to evaluate a further operand of `&&` or `||`.
fn is_operand(procedure: &Procedure, block: BlockId) -> bool {
    // Goals record which blocks evaluate operands.
    let reason = procedure
        .block(block)
        .and_then(|b| b.goal.as_ref())
        .map(|g| &g.reason);
    matches!(
        reason,
        Some(GoalReason::Branch {
            decision: Decision::Operand,
            ..
        })
    )
}

/// A decision of `&&` turned into one of `||`, or the reverse. `els` or `then` is the block of the
/// next operand, which ends in a branch; or the connective is a value, and the short-circuiting
/// block assigns it.
fn other_connective(procedure: &Procedure, then: BlockId, els: BlockId) -> Option<Change> {
    let is_operand = |b: BlockId| is_operand(procedure, b);
    // Blocks that compute the operand may precede its branch.
    let branch_of = |mut b: BlockId| {
        for _ in 0..procedure.blocks.len() {
            match &procedure.block(b)?.terminator {
                Terminator::Branch { then, els, .. } => return Some((*then, *els)),
                Terminator::Goto(next) => b = *next,
                Terminator::Choose { .. } | Terminator::Return | Terminator::Stop => return None,
            }
        }
        None
    };
    // The other successor is the end of a short-circuited evaluation.
    let short = if is_operand(then) { els } else { then };
    if !is_operand(then) && !is_operand(els) {
        return None;
    }
    // The connective is a value: both the target and the constant are exchanged.
    if procedure
        .block(short)
        .cloned()
        .is_some_and(|mut b| decided(&mut b).is_some())
    {
        let is_shared = procedure
            .predecessors()
            .get(&short)
            .is_some_and(|p| p.len() > 1);
        return (!is_shared).then_some(Change::Branch {
            then: els,
            els: then,
            flipped: Some(short),
        });
    }
    // The connective is a decision: the short-circuiting edge is exchanged with the corresponding
    // edge of the next operand.
    let (on_true, on_false) = branch_of(if short == els { then } else { els })?;
    match short == els {
        true => (on_false == els).then_some(Change::Branch {
            then: on_true,
            els: then,
            flipped: None,
        }),
        false => (on_true == then).then_some(Change::Branch {
            then: els,
            els: on_false,
            flipped: None,
        }),
    }
}

/// The Boolean constant that a block assigns, if it does nothing else.
pub(super) fn decided(block: &mut Block) -> Option<&mut bool> {
    let mut assigned = block
        .stmts
        .iter_mut()
        .filter(|s| !matches!(s.kind, StmtKind::Probe { .. }));
    match (assigned.next().map(|s| &mut s.kind), assigned.next()) {
        (
            Some(StmtKind::Assign {
                value:
                    Expr {
                        kind: ExprKind::Literal(Literal::Bool(b)),
                        ..
                    },
                ..
            }),
            None,
        ) => Some(b),
        (_, _) => None,
    }
}
