//! `{:tailrecursion}`: the callable has to be compiled, must not be mutually recursive, and may
//! call itself in tail position only (reference manual, `{:tailrecursion}`).
//!
//! A function may also apply one operation to the result of the call (`x + F(n - 1)`), if all
//! branches apply the same one. As in Dafny, a failure assignment (`:-`) or a loop without a body
//! ends the check of a method without an error.

use crate::typed::{
    Arena, AttributeArg, Attributes, BinaryOp, Block, Body, Call, Callable, CallableId, Control,
    Expr, ExprKind, Guard, LocalId, Origin, Pattern, PatternKind, Program, Rhs, Stmt, StmtKind,
    Target, Type,
    visit::{self, Visit},
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::Check;

const STACK: usize = 4 * 1024 * 1024;
const RED_ZONE: usize = 256 * 1024;

pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<CallableId> = program.ids();
    for id in ids {
        let callable = &program[id];
        let Some(attribute) = callable.attribute("tailrecursion") else {
            continue;
        };
        if attribute.args == [AttributeArg::Bool(false)] {
            continue;
        }
        let what = if callable.kind.is_function() {
            "function"
        } else {
            "method"
        };
        let about =
            |message: String| Diagnostic::error("resolve/tail-recursion", callable.span, message);
        let found = match &callable.body {
            // Nothing is compiled without a body. The other rules go from cheap to thorough; one
            // message is enough.
            Body::None => continue,
            _ if callable.ghost => vec![about(format!(
                "a ghost {what} is not compiled, so it cannot be tail recursive"
            ))],
            _ if in_circle(program, id) => {
                vec![about(format!(
                    "tail calls of {what}s that call each other are not supported"
                ))]
            }
            Body::Expr(e) => {
                let mut look = Look {
                    program,
                    id,
                    callable,
                    found: Vec::new(),
                };
                look.end(e, true);
                look.found
            }
            Body::Block(block) | Body::ByMethod(_, block) => {
                let mut look = Look {
                    program,
                    id,
                    callable,
                    found: Vec::new(),
                };
                look.block(block, &mut Span::default());
                look.found
            }
        };
        c.found.extend(found);
    }
}

/// Whether the callable is mutually recursive with another one of its module.
fn in_circle(program: &Program, id: CallableId) -> bool {
    let reached_from = |from: CallableId| {
        let (mut reached, mut queue) = (vec![from], vec![from]);
        while let Some(at) = queue.pop() {
            for callee in callees(program, at) {
                if program[callee].module == program[id].module && !reached.contains(&callee) {
                    reached.push(callee);
                    queue.push(callee);
                }
            }
        }
        reached
    };
    // Mutual recursion: some other callable is reached and reaches this one.
    reached_from(id)
        .into_iter()
        .any(|other| other != id && reached_from(other).contains(&id))
}

/// The callables that the contract and body mention.
fn callees(program: &Program, id: CallableId) -> Vec<CallableId> {
    struct Mentions(Vec<CallableId>);
    impl<'t> Visit<'t> for Mentions {
        fn expr(&mut self, e: &'t Expr) {
            if let ExprKind::Call(c) = &e.kind {
                self.0.push(c.callee);
            } else if let ExprKind::FunctionRef { callee, .. } = &e.kind {
                self.0.push(*callee);
            }
            visit::walk_expr(self, e);
        }
        fn stmt(&mut self, s: &'t Stmt) {
            if let StmtKind::Call { call, .. } = &s.kind {
                self.0.push(call.callee);
            }
            visit::walk_stmt(self, s);
        }
    }
    let mut mentions = Mentions(Vec::new());
    let c = &program[id];
    // Dafny counts calls in contracts, although they are not compiled.
    visit::walk_clauses(&mut mentions, &c.spec.requires);
    visit::walk_clauses(&mut mentions, &c.spec.ensures);
    c.spec.decreases.iter().for_each(|e| mentions.expr(e));
    match &c.body {
        Body::None => {}
        Body::Expr(e) => mentions.expr(e),
        Body::Block(b) => visit::walk_block(&mut mentions, b),
        Body::ByMethod(e, b) => {
            mentions.expr(e);
            visit::walk_block(&mut mentions, b);
        }
    }
    mentions.0
}

/// The form of an expression in tail position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// No recursive call.
    Value,
    /// A recursive call.
    Call,
    /// A recursive call followed by an operation.
    Accumulates(Operation),
    /// Any other form.
    Other,
}

/// An operation on the result of a call: the type of the values and, if relevant, the side of the
/// call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Add,
    Sub,
    Mul,
    Union,
    Difference,
    MultisetUnion,
    MultisetDifference,
    ConcatAfter,
    ConcatBefore,
}

impl End {
    /// Combines the forms of two parts.
    fn and(self, other: End) -> End {
        match (self, other) {
            (End::Other, _) | (_, End::Other) => End::Other,
            (End::Value, end) | (end, End::Value) | (End::Call, end) | (end, End::Call) => end,
            // One accumulator holds the results of one operation only.
            (End::Accumulates(a), End::Accumulates(b)) => {
                if a == b {
                    self
                } else {
                    End::Other
                }
            }
        }
    }
}

/// The effect of statements on what may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// No recursive call so far.
    Open,
    /// The tail call was made. Only ghost code may follow.
    Spent,
    /// Not tail recursive.
    Refused,
}

/// The check of one callable.
struct Look<'p> {
    program: &'p Program,
    id: CallableId,
    callable: &'p Callable,
    found: Vec<Diagnostic>,
}

impl<'p> Look<'p> {
    fn error(&mut self, span: Span, message: &str) {
        self.found
            .push(Diagnostic::error("resolve/tail-recursion", span, message));
    }

    fn is_ghost(&self, local: LocalId) -> bool {
        self.program[local].ghost
    }

    /// Whether the pattern binds a compiled variable.
    fn binds_compiled(&self, p: &Pattern) -> bool {
        match &p.kind {
            PatternKind::Var(l) => !self.is_ghost(*l),
            PatternKind::Ctor { args, .. } | PatternKind::Tuple(args) => {
                args.iter().any(|p| self.binds_compiled(p))
            }
            PatternKind::Wildcard | PatternKind::Value(_) | PatternKind::Or(_) => false,
        }
    }

    // Expressions of functions.

    /// Classifies an expression in tail position. `accumulate`: whether an operation may follow the
    /// call.
    fn end(&mut self, e: &'p Expr, accumulate: bool) -> End {
        stacker::maybe_grow(RED_ZONE, STACK, || self.end_here(e, accumulate))
    }

    fn end_here(&mut self, e: &'p Expr, accumulate: bool) -> End {
        match e.control() {
            Control::Delayed(inner) => self.end(inner, accumulate),
            Control::Let {
                ghost,
                bindings,
                body,
            } => {
                // Values of ghost variables are not evaluated at run time.
                let mut end = End::Value;
                for (_, value) in bindings
                    .iter()
                    .filter(|(p, _)| !ghost && self.binds_compiled(p))
                    .collect::<Vec<_>>()
                {
                    end = end.and(self.value(value));
                }
                end.and(self.end(body, accumulate))
            }
            Control::LetSuchThat { ghost, vars, body } => {
                let compiled = !ghost && vars.vars.iter().any(|l| !self.is_ghost(*l));
                let range = vars
                    .range
                    .as_ref()
                    .filter(|_| compiled)
                    .map_or(End::Value, |r| self.value(r));
                range.and(self.end(body, accumulate))
            }
            Control::LetOrFail(l) => self.value(&l.value).and(self.end(&l.body, accumulate)),
            Control::If { cond, then, els } => {
                let cond = self.value(cond);
                self.branches(e.span, cond, &[then, els], accumulate)
            }
            Control::IfBinding { vars, then, els } => {
                let cond = vars.range.as_ref().map_or(End::Value, |r| self.value(r));
                self.branches(e.span, cond, &[then, els], accumulate)
            }
            Control::Match { scrutinee, cases } => {
                let cond = self.value(scrutinee);
                let bodies: Vec<&Expr> = cases.iter().map(|c| &c.body).collect();
                self.branches(e.span, cond, &bodies, accumulate)
            }
            Control::StmtExpr { body, .. } => self.end(body, accumulate),
            Control::ShortCircuit { .. }
            | Control::Not(_)
            | Control::Chain { .. }
            | Control::Strict => self.strict(e, accumulate),
        }
    }

    /// Classifies an expression without control flow.
    fn strict(&mut self, e: &'p Expr, accumulate: bool) -> End {
        if let ExprKind::Call(call) = &e.kind
            && self.program[call.callee].kind.is_function()
        {
            // Arguments are evaluated before the call, so that a recursive call in them is none in
            // tail position.
            let own = if call.callee == self.id {
                End::Call
            } else {
                End::Value
            };
            own.and(self.arguments(call))
        } else if let ExprKind::Binary(op, left, right) = &e.kind
            && accumulate
            && let Some(operation) = self.operation(*op, left)
        {
            self.accumulated(operation, left, right)
        } else {
            self.value(e)
        }
    }

    /// Classifies an expression with branches. Reports branches that apply different operations
    /// after the call.
    fn branches(&mut self, span: Span, cond: End, branches: &[&'p Expr], accumulate: bool) -> End {
        let ends: Vec<End> = branches.iter().map(|b| self.end(b, accumulate)).collect();
        // If each branch is fine by itself, their combination is what is wrong.
        let all = ends.iter().fold(cond, |all, end| all.and(*end));
        if all == End::Other && cond != End::Other && !ends.contains(&End::Other) {
            self.error(
                span,
                "not tail recursive: the branches do different things after the recursive call",
            );
        }
        all
    }

    fn accumulated(&mut self, operation: Operation, left: &'p Expr, right: &'p Expr) -> End {
        let only_left = matches!(
            operation,
            Operation::Sub | Operation::Difference | Operation::MultisetDifference
        );
        // One operand may be the recursive call, the other must not mention the function.
        let end = self.end(left, false);
        if matches!(end, End::Value) {
            let right = if only_left {
                self.value(right)
            } else {
                self.end(right, false)
            };
            if right == End::Call {
                End::Accumulates(operation)
            } else {
                right
            }
        } else if matches!(end, End::Call) {
            match self.value(right) {
                // `F(n - 1) + [x]`: concatenation does not commute, so that the side of the call
                // matters.
                End::Value if operation == Operation::ConcatBefore => {
                    End::Accumulates(Operation::ConcatAfter)
                }
                End::Value => End::Accumulates(operation),
                end @ (End::Call | End::Accumulates(_) | End::Other) => end,
            }
        } else {
            self.end(right, false);
            end
        }
    }

    /// The operation that can be moved before the recursive call in its operand.
    fn operation(&self, op: BinaryOp, operand: &Expr) -> Option<Operation> {
        let result = self
            .callable
            .outs
            .first()
            .map(|f| self.program.representation(&self.program[f.local].ty));
        // Sums of bitvectors and characters may wrap, so that Dafny does not move them.
        let of_bits = matches!(result, Some(Type::Bv(_)));
        let of_char = result == Some(Type::Char);
        let operand = self.program.representation(&operand.ty);
        let (sum, difference, product) = match operand {
            Type::Set { .. } => (Some(Operation::Union), Some(Operation::Difference), None),
            Type::Multiset(_) => (
                Some(Operation::MultisetUnion),
                Some(Operation::MultisetDifference),
                None,
            ),
            Type::Seq(_) => (Some(Operation::ConcatBefore), None, None),
            Type::Map { .. } => (None, None, None),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => {
                let of_both = |operation| (!of_bits && !of_char).then_some(operation);
                (
                    of_both(Operation::Add),
                    of_both(Operation::Sub),
                    (!of_bits).then_some(Operation::Mul),
                )
            }
        };
        if op == BinaryOp::Add {
            sum
        } else if op == BinaryOp::Sub {
            difference
        } else if op == BinaryOp::Mul {
            product
        } else {
            None
        }
    }

    fn arguments(&mut self, call: &'p Call) -> End {
        let formals = &self.program[call.callee].ins;
        let mut end = End::Value;
        for (arg, _) in call
            .args
            .iter()
            .zip(formals)
            .filter(|(_, f)| !self.is_ghost(f.local))
            .collect::<Vec<_>>()
        {
            end = end.and(self.value(arg));
        }
        end
    }

    /// Checks an expression that is not in tail position: its compiled part must not mention the
    /// function.
    fn value(&mut self, e: &'p Expr) -> End {
        // The search reports each mention; whether there is any is seen by the count.
        let before = self.found.len();
        Uses { look: self }.expr(e);
        if self.found.len() == before {
            End::Value
        } else {
            End::Other
        }
    }

    // Statements of methods.

    /// Checks statements in order. `call` is set to the span of the last tail call.
    fn block(&mut self, block: &'p Block, call: &mut Span) -> Flow {
        let mut flow = Flow::Open;
        for s in block.stmts.iter().filter(|s| !s.ghost) {
            if matches!(s.kind, StmtKind::Return) {
                return flow;
            }
            // A ghost statement may follow the tail call, because it is not compiled.
            if flow == Flow::Spent {
                self.error(
                    *call,
                    "this recursive call is not a tail call: compiled code follows it",
                );
                return Flow::Refused;
            }
            flow = self.stmt(s, call);
            if flow == Flow::Refused {
                return flow;
            }
        }
        flow
    }

    fn stmt(&mut self, s: &'p Stmt, call: &mut Span) -> Flow {
        stacker::maybe_grow(RED_ZONE, STACK, || self.stmt_here(s, call))
    }

    fn stmt_here(&mut self, s: &'p Stmt, at: &mut Span) -> Flow {
        if s.ghost {
            return Flow::Open;
        }
        match &s.kind {
            StmtKind::Block(b) => self.block(b, at),
            StmtKind::Call { call, targets, .. } if call.callee == self.id => {
                call.args.iter().for_each(|a| self.not_within(a));
                self.tail_call(s, call, &targets.iter().collect::<Vec<_>>(), at)
            }
            StmtKind::Assign { pairs, .. } => self.assign(s, pairs, at),
            StmtKind::If { guard, then, els } => {
                // At most one branch is executed, so the result of one branch with a tail call is
                // that of the statement.
                self.guard(guard);
                let then = self.block(then, at);
                if then == Flow::Refused {
                    return then;
                }
                let els = els.as_ref().map_or(Flow::Open, |s| self.stmt(s, at));
                if els == Flow::Open { then } else { els }
            }
            StmtKind::IfCase(cases) => {
                let cases = cases.iter().map(|c| (Some(&c.guard), &c.body));
                self.cases(cases.collect(), at)
            }
            StmtKind::Match { scrutinee, cases } => {
                self.not_within(scrutinee);
                self.cases(cases.iter().map(|c| (None, &c.body)).collect(), at)
            }
            StmtKind::While { guard, body, .. } => {
                self.guard(guard);
                self.repeated(body.as_ref(), "within a loop", at)
            }
            StmtKind::WhileCase { cases, .. } => {
                for case in cases {
                    self.guard(&case.guard);
                    if self.repeated(Some(&case.body), "within a loop", at) == Flow::Refused {
                        return Flow::Refused;
                    }
                }
                Flow::Open
            }
            StmtKind::For { from, to, body, .. } => {
                self.not_within(from);
                to.iter().for_each(|e| self.not_within(e));
                self.repeated(body.as_ref(), "within a loop", at)
            }
            StmtKind::Forall { body, .. } => {
                self.repeated(body.as_ref(), "within a `forall` statement", at)
            }
            StmtKind::Modify {
                body: Some(body), ..
            } => self.block(body, at),
            // Dafny stops the check here without an error.
            StmtKind::AssignOrFail(_) => Flow::Refused,
            StmtKind::AssignPattern { value, .. } => {
                self.not_within(value);
                Flow::Open
            }
            StmtKind::Print(values) => {
                values.iter().for_each(|e| self.not_within(e));
                Flow::Open
            }
            StmtKind::Expect { cond, message } => {
                self.not_within(cond);
                message.iter().for_each(|e| self.not_within(e));
                Flow::Open
            }
            StmtKind::Assert { .. }
            | StmtKind::Assume(_)
            | StmtKind::VarDecl(_)
            | StmtKind::Call { .. }
            | StmtKind::SuchThat { .. }
            | StmtKind::Break { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Modify { body: None, .. }
            | StmtKind::Reveal(_)
            | StmtKind::Calc { .. }
            | StmtKind::Error => Flow::Open,
        }
    }

    /// Checks an assignment. If its value is a recursive call, it is the last one before the result.
    fn assign(&mut self, s: &'p Stmt, pairs: &'p [(Target, Rhs)], at: &mut Span) -> Flow {
        match pairs {
            // A constructor call is followed by the assignment of the object.
            [
                (
                    _,
                    Rhs::New {
                        ctor: Some(call), ..
                    },
                ),
            ] if call.callee == self.id => {
                self.error(
                    s.span,
                    "this recursive call is not a tail call: the new object is assigned after it",
                );
                Flow::Refused
            }
            [
                (
                    target,
                    Rhs::Expr(Expr {
                        kind: ExprKind::Call(call),
                        ..
                    }),
                ),
            ] if call.callee == self.id => {
                call.args.iter().for_each(|a| self.not_within(a));
                self.tail_call(s, call, &[target], at)
            }
            pairs => {
                for (target, rhs) in pairs {
                    match target {
                        Target::Field { object, .. } => self.not_within(object),
                        Target::Element { array, indices } => std::iter::once(array)
                            .chain(indices)
                            .for_each(|e| self.not_within(e)),
                        Target::Local(_) | Target::Discard(_) => {}
                    }
                    if let Rhs::Expr(e) = rhs {
                        self.not_within(e);
                    }
                }
                Flow::Open
            }
        }
    }

    fn guard(&mut self, guard: &'p Guard) {
        match guard {
            Guard::Expr(e) => self.not_within(e),
            Guard::Binding(vars) => vars.range.iter().for_each(|e| self.not_within(e)),
            Guard::Star => {}
        }
    }

    fn cases(&mut self, cases: Vec<(Option<&'p Guard>, &'p Block)>, at: &mut Span) -> Flow {
        let mut flow = Flow::Open;
        for (guard, body) in cases {
            guard.into_iter().for_each(|g| self.guard(g));
            match self.block(body, at) {
                Flow::Refused => return Flow::Refused,
                Flow::Spent => flow = Flow::Spent,
                Flow::Open => {}
            }
        }
        flow
    }

    /// Checks the body of a loop, which cannot contain a tail call.
    fn repeated(&mut self, body: Option<&'p Block>, place: &str, at: &mut Span) -> Flow {
        match body.map(|b| self.block(b, at)) {
            Some(Flow::Open) => Flow::Open,
            Some(Flow::Spent) => {
                self.error(
                    *at,
                    &format!("this recursive call is not a tail call: it is {place}"),
                );
                Flow::Refused
            }
            Some(Flow::Refused) | None => Flow::Refused,
        }
    }

    /// Checks a recursive call: it assigns its results to the out-parameters and has the same type
    /// arguments.
    fn tail_call(
        &mut self,
        s: &'p Stmt,
        call: &'p Call,
        targets: &[&Target],
        at: &mut Span,
    ) -> Flow {
        let program = self.program;
        for (target, out) in targets.iter().zip(&self.callable.outs) {
            let is_it = matches!(target, Target::Local(l) if *l == out.local);
            if !is_it && !self.is_ghost(out.local) {
                let name = &program[out.local].name;
                self.error(
                    s.span,
                    &format!("this recursive call is not a tail call: its result is not assigned to the out-parameter `{name}`"),
                );
                return Flow::Refused;
            }
        }
        let own = &self.callable.type_params;
        let given = call
            .type_args
            .iter()
            .skip(call.type_args.len().saturating_sub(own.len()));
        for (param, arg) in own.iter().zip(given) {
            if !matches!(arg, Type::Param(p) if p == param) {
                let name = &program[*param].name;
                self.error(
                    s.span,
                    &format!(
                        "this recursive call is not a tail call: its type argument is not `{name}`"
                    ),
                );
                return Flow::Refused;
            }
        }
        *at = s.span;
        Flow::Spent
    }

    /// Reports that the method of a function-by-method calls the function inside an expression.
    fn not_within(&mut self, e: &'p Expr) {
        if self.callable.kind.is_function() {
            self.value(e);
        }
    }
}

/// Finds uses of the callable in the compiled part of an expression.
struct Uses<'l, 'p> {
    look: &'l mut Look<'p>,
}

impl Uses<'_, '_> {
    fn found(&mut self, span: Span) {
        self.look.error(span, "this recursive call is not a tail call, and the operation that follows cannot be moved before it");
    }
}

impl<'p> Visit<'p> for Uses<'_, 'p> {
    fn expr(&mut self, e: &'p Expr) {
        match e.kind.origin() {
            Some(Origin::Call(call)) => {
                if call.callee == self.look.id {
                    self.found(e.span);
                }
                let formals = &self.look.program[call.callee].ins;
                for (arg, f) in call.args.iter().zip(formals) {
                    if !self.look.is_ghost(f.local) {
                        self.expr(arg);
                    }
                }
            }
            Some(Origin::Function(callee)) if callee == self.look.id => self.found(e.span),
            Some(Origin::Ctor(ctor, args)) => {
                let fields = &self.look.program[ctor].fields;
                for (arg, f) in args.iter().zip(fields) {
                    if !self.look.program[*f].ghost {
                        self.expr(arg);
                    }
                }
            }
            Some(Origin::Local(_) | Origin::Field(_) | Origin::Function(_)) | None => {
                if let ExprKind::Let {
                    ghost,
                    bindings,
                    body,
                } = &e.kind
                {
                    for (p, value) in bindings {
                        if !ghost && self.look.binds_compiled(p) {
                            self.expr(value);
                        }
                    }
                    self.expr(body);
                } else if let ExprKind::LetSuchThat {
                    ghost: true, body, ..
                } = &e.kind
                {
                    self.expr(body)
                } else {
                    visit::walk_expr(self, e)
                }
            }
        }
    }

    fn stmt(&mut self, _: &'p Stmt) {}
}
