//! Translates tail recursion to loops, as Dafny compiles it (reference manual, `{:tailrecursion}`):
//! direct recursion only, in which every recursive call is the last operation, or is followed by
//! one that can be accumulated before it (`x + F(n - 1)`).
//!
//! [`Body::as_loop`] decides whether a callable becomes a loop; [`Calls`] has the recursive calls
//! at its ends.

use super::body::Body;
use super::code::{Code, Own};
use super::convention::{Scope, Translated};
use super::jumps::Jump;
use super::rep::Rep;
use super::stmt::flat;
use super::walk::{each_expr, each_expr_of_stmt, each_stmt, mentioned};
use crate::rust::{self, Ident, LoopHead, Stmts, expr, stmts};
use dafny_resolve::typed::{
    AttributeArg, Attributes, BinaryOp, Block, Body as CallableBody, Call, CallableId,
    CallableKind, Control, Expr, ExprKind, Literal, LocalId, Rhs, Span, Stmt, StmtKind, Target,
    Type,
};

/// A callable whose body is a loop.
#[derive(Clone)]
pub(super) struct Looping {
    callee: CallableId,
    /// The parameters that calls change, with their positions in the arguments of a call.
    changed: Vec<(usize, LocalId)>,
    /// Whether calls change `this`.
    changes_this: bool,
    /// The operation after calls, and its accumulator variable.
    accumulator: Option<(Accumulator, Ident)>,
    /// The label of the loop.
    label: String,
}

/// An operation after a recursive call that can be accumulated before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Accumulator {
    op: Operation,
    /// Whether the call is the left operand: `F(n - 1) + x`.
    call_is_left: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    Add,
    /// The call is the left operand: `F(n - 1) - x`.
    Sub,
    Mul,
}

/// The recursive calls of a body.
#[derive(Default)]
struct Calls<'e> {
    at_end: Vec<&'e Call>,
    /// The operations after calls.
    after: Vec<Accumulator>,
    /// The number of ends that are not recursive calls.
    values: usize,
}

impl Body<'_, '_, '_> {
    /// Translates the body of a callable as a loop; `None` if its recursion is not a loop.
    pub(super) fn as_loop(&mut self, id: CallableId) -> Translated<Option<Stmts>> {
        let program = self.scope.ground.program;
        let c = &program[id];
        // Calls through a trait may run another body, so they are no iteration of this one.
        let refused = c
            .attribute("tailrecursion")
            .is_some_and(|a| a.args == [AttributeArg::Bool(false)]);
        let is_plain = matches!(c.kind, CallableKind::Function | CallableKind::Method) && !c.ghost;
        let is_of_trait = c.owner.is_some_and(|t| program.is_trait(t))
            || super::traits::is_looked_up(program, id);
        if refused || !is_plain || is_of_trait {
            return Ok(None);
        }
        let Some(looping) = self.looping_of(id) else {
            return Ok(None);
        };
        // Parameters become mutable variables in front of the loop.
        let (label, mut prelude) = (looping.label.clone(), self.variables(&looping)?);
        self.end.looping = Some(looping);
        let inner = self.with_jump(Jump::Loop(Vec::new(), label.clone()), |b| match &c.body {
            CallableBody::Expr(e) => b.ending(e),
            CallableBody::Block(block) | CallableBody::ByMethod(_, block) => {
                super::item::method(b, id, block)
            }
            CallableBody::None => Ok(Vec::new()),
        });
        self.end.looping = None;
        // The label is written only if a jump uses it.
        let (inner, is_labelled) = (inner?, self.jumps.is_used(&label));
        let (label, body) = (is_labelled.then_some(label), rust::Block { stmts: inner });
        prelude.push(rust::Stmt::Value(rust::Expr::Loop(Box::new(rust::Loop {
            label,
            head: LoopHead::Always,
            body,
        }))));
        Ok(Some(prelude))
    }

    fn looping_of(&mut self, id: CallableId) -> Option<Looping> {
        let program = self.scope.ground.program;
        let c = &program[id];
        // A loop needs every recursive call to be at an end: calls are counted wherever they are,
        // and compared with those at the ends.
        let (mut calls, count) = (Calls::default(), std::cell::Cell::new(0));
        let count_if = |is_call: bool| count.set(count.get() + usize::from(is_call));
        let counted =
            |e: &Expr| count_if(matches!(&e.kind, ExprKind::Call(call) if call.callee == id));
        match &c.body {
            CallableBody::Expr(e) => {
                self.ends_of(id, e, &mut calls);
                each_expr(e, &mut |e| counted(e));
            }
            CallableBody::Block(b) | CallableBody::ByMethod(_, b) => {
                self.ends_of_block(id, &b.stmts, true, &mut calls);
                for s in &b.stmts {
                    each_expr_of_stmt(s, &mut |e| counted(e));
                    each_stmt(s, &mut |s| {
                        count_if(
                            matches!(&s.kind, StmtKind::Call { call, .. } if call.callee == id),
                        )
                    });
                }
            }
            CallableBody::None => return None,
        }
        // A function that always calls itself stays recursive.
        if matches!(c.body, CallableBody::Expr(_)) && calls.values == 0 {
            return None;
        }
        // Different operations after the calls cannot share one accumulator.
        let one_operation = calls.after.iter().all(|a| Some(a) == calls.after.first());
        if calls.at_end.is_empty() || calls.at_end.len() != count.get() || !one_operation {
            return None;
        }
        // The type arguments must be the same.
        let own: Vec<Type> = program
            .all_type_params(id)
            .into_iter()
            .map(Type::Param)
            .collect();
        if calls
            .at_end
            .iter()
            .any(|call| call.type_args != own && !(call.type_args.is_empty() && own.is_empty()))
        {
            return None;
        }
        // A parameter that every call passes on needs no variable.
        let changes = |i: usize, l: LocalId| {
            calls.at_end.iter().any(|call| {
                !call
                    .args
                    .get(i)
                    .is_some_and(|a| matches!(&a.kind, ExprKind::Local(v) if *v == l))
            })
        };
        let there = c
            .ins
            .iter()
            .enumerate()
            .filter(|(_, f)| !program[f.local].ghost);
        let changed = there
            .map(|(i, f)| (i, f.local))
            .filter(|&(i, l)| changes(i, l))
            .collect();
        // A call on another object changes `this`.
        let keeps_this = |call: &&Call| {
            call.receiver
                .as_ref()
                .is_none_or(|r| matches!(r.kind, ExprKind::This))
        };
        let changes_this = !c.is_static && !calls.at_end.iter().all(keeps_this);
        let accumulator = calls.after.first().map(|&a| (a, self.make_up("total")));
        Some(Looping {
            callee: id,
            changed,
            changes_this,
            accumulator,
            label: self.label(&[]),
        })
    }

    /// Collects the calls at the ends of an expression.
    fn ends_of<'e>(&self, id: CallableId, e: &'e Expr, out: &mut Calls<'e>) {
        match e.control() {
            Control::Let { body, .. }
            | Control::StmtExpr { body, .. }
            | Control::LetSuchThat { body, .. } => self.ends_of(id, body, out),
            Control::LetOrFail(l) => self.ends_of(id, &l.body, out),
            Control::If { then, els, .. } => [then, els]
                .into_iter()
                .for_each(|e| self.ends_of(id, e, out)),
            Control::Match { cases, .. } => {
                cases.iter().for_each(|c| self.ends_of(id, &c.body, out))
            }
            // An operand of `&&` is evaluated last, but its value is not all of the function's.
            Control::IfBinding { .. }
            | Control::ShortCircuit { .. }
            | Control::Not(_)
            | Control::Chain { .. } => self.own_end_of(id, e, out),
            Control::Delayed(_) | Control::Strict => self.own_end_of(id, e, out),
        }
    }

    /// Collects the call that an expression without control flow ends in, if it does.
    fn own_end_of<'e>(&self, id: CallableId, e: &'e Expr, out: &mut Calls<'e>) {
        if let ExprKind::Call(call) = &e.kind
            && call.callee == id
        {
            out.at_end.push(call)
        } else {
            // Otherwise it may be an operation on the result of a call, or a value that ends the
            // recursion.
            match self.scope.accumulated(id, e) {
                Some((call, operation, _)) => {
                    out.at_end.push(call);
                    out.after.push(operation);
                }
                None => out.values += 1,
            }
        }
    }

    /// Collects the calls at the ends of statements; `last` tells whether the callable ends with
    /// them.
    fn ends_of_block<'e>(
        &self,
        id: CallableId,
        stmts: &'e [Stmt],
        last: bool,
        out: &mut Calls<'e>,
    ) {
        let stmts: Vec<&Stmt> = flat(stmts)
            .into_iter()
            .filter(|s| !self.scope.is_erased(s))
            .collect();
        // A statement ends the method if it is the last one, or if `return` follows.
        for (i, s) in stmts.iter().enumerate() {
            let returns = stmts
                .get(i + 1)
                .is_some_and(|n| matches!(n.kind, StmtKind::Return));
            let ends = returns || last && i + 1 == stmts.len();
            if ends && let Some(call) = self.call_at_end(id, s) {
                out.at_end.push(call);
                continue;
            }
            // A block in such a position passes it on to its own last statement; a loop does not,
            // because another iteration may follow.
            let block =
                |b: &'e Block, out: &mut Calls<'e>| self.ends_of_block(id, &b.stmts, ends, out);
            match &s.kind {
                StmtKind::Block(b) => block(b, out),
                StmtKind::If { then, els, .. } => {
                    block(then, out);
                    if let Some(e) = els {
                        self.ends_of_block(id, std::slice::from_ref(&**e), ends, out);
                    }
                }
                StmtKind::IfCase(cases) => cases.iter().for_each(|c| block(&c.body, out)),
                StmtKind::Match { cases, .. } => cases.iter().for_each(|c| block(&c.body, out)),
                StmtKind::WhileCase { cases, .. } => cases
                    .iter()
                    .for_each(|c| self.ends_of_block(id, &c.body.stmts, false, out)),
                StmtKind::While { body, .. } | StmtKind::For { body, .. } => {
                    body.iter()
                        .for_each(|b| self.ends_of_block(id, &b.stmts, false, out));
                }
                StmtKind::Assert { .. }
                | StmtKind::Assume(_)
                | StmtKind::Expect { .. }
                | StmtKind::Print(_)
                | StmtKind::VarDecl(_)
                | StmtKind::Assign { .. }
                | StmtKind::AssignPattern { .. }
                | StmtKind::Call { .. }
                | StmtKind::SuchThat { .. }
                | StmtKind::AssignOrFail(_)
                | StmtKind::Forall { .. }
                | StmtKind::Modify { .. }
                | StmtKind::Break { .. }
                | StmtKind::Return
                | StmtKind::Yield
                | StmtKind::Reveal(_)
                | StmtKind::Calc { .. }
                | StmtKind::Error => {}
            }
        }
    }

    /// Returns the call of a statement that assigns the callable's results to its out-parameters.
    fn call_at_end<'e>(&self, id: CallableId, s: &'e Stmt) -> Option<&'e Call> {
        let outs = self.scope.ground.results(id);
        let is_out = |t: &Target, out: &LocalId| matches!(t, Target::Local(l) if l == out);
        // A call statement whose results are exactly the out-parameters, or an assignment of the
        // result of a function call to the out-parameter.
        if let StmtKind::Call {
            declares,
            targets,
            call,
        } = &s.kind
            && call.callee == id
            && declares.is_empty()
            && s.labels.is_empty()
        {
            let there: Vec<&Target> = targets
                .iter()
                .filter(|t| self.scope.compiled_target(t))
                .collect();
            (there.len() == outs.len() && there.iter().zip(&outs).all(|(t, o)| is_out(t, o)))
                .then_some(call)
        } else if let StmtKind::Assign { declares, pairs } = &s.kind
            && declares.is_empty()
            && s.labels.is_empty()
        {
            match (pairs.as_slice(), outs.as_slice()) {
                (
                    [
                        (
                            target,
                            Rhs::Expr(Expr {
                                kind: ExprKind::Call(call),
                                ..
                            }),
                        ),
                    ],
                    [out],
                ) if call.callee == id && is_out(target, out) => Some(call),
                _ => None,
            }
        } else {
            None
        }
    }

    /// Writes the changing parameters as variables.
    fn variables(&mut self, looping: &Looping) -> Translated<Stmts> {
        let program = self.scope.ground.program;
        let mut out = Vec::new();
        if looping.changes_this
            && let Some(this) = self.this.clone()
        {
            let value = this.owned_value();
            out = stmts!(let mut this = #value;);
            self.this = Some(Code::named("this", false));
        }
        // Changed parameters are copied into mutable variables of the loop.
        for &(_, local) in &looping.changed {
            let Some(value) = self.vars.get(local).map(Code::owned_value) else {
                continue;
            };
            let name = self.declare(local, Own::Place);
            self.reserve(&name);
            out.extend(stmts!(let mut #name = #value;));
            self.vars.change_repeatedly(local);
        }
        // The accumulator starts with the neutral element of its operation.
        if let Some((operation, name)) = &looping.accumulator {
            let ty = program[looping.callee]
                .outs
                .first()
                .map_or(Type::Error, |f| program[f.local].ty.clone());
            let (t, unit) = (
                self.scope.rust_type(&ty)?,
                self.scope.unit(*operation, &ty)?,
            );
            out.extend(stmts!(let mut #name: #t = #unit;));
        }
        Ok(out)
    }

    /// Translates the end of a function that is a loop: its value, or another iteration.
    pub(super) fn end_of_function(&mut self, e: &Expr) -> Translated<Stmts> {
        let Some(looping) = self.end.looping.clone() else {
            return self.value(e).map(|e| stmts!(#e));
        };
        // Plain tail call.
        if let ExprKind::Call(call) = &e.kind
            && call.callee == looping.callee
        {
            return self.again(&looping, call);
        }
        // Without an accumulator, any other value leaves the loop.
        let Some((operation, total)) = &looping.accumulator else {
            let value = self.value(e)?;
            return Ok(stmts!(return #value;));
        };
        // `f(x) + e`: accumulate `e`, and continue with `f(x)`.
        if let Some((call, _, other)) = self.scope.accumulated(looping.callee, e) {
            let other = self.expr(other)?.operand();
            let mut out = match operation.op {
                Operation::Mul => stmts!(#total *= #other;),
                Operation::Add if operation.call_is_left => stmts!(#total = #other + &#total;),
                Operation::Add | Operation::Sub => stmts!(#total += #other;),
            };
            out.extend(self.again(&looping, call)?);
            return Ok(out);
        }
        // End of the recursion: combine the last value with the accumulator, unless it is neutral.
        if is_unit(e, operation.op) && operation.op != Operation::Sub {
            return Ok(stmts!(return #total;));
        }
        let value = self.expr(e)?.operand();
        Ok(match operation.op {
            Operation::Mul => stmts!(return #total * #value;),
            Operation::Sub => stmts!(return #value - #total;),
            Operation::Add if operation.call_is_left => stmts!(return #value + #total;),
            Operation::Add => stmts!(return #total + #value;),
        })
    }

    /// Translates a statement at the end of a method that is a loop, if it calls the method.
    pub(super) fn end_of_method(&mut self, s: &Stmt) -> Translated<Option<Stmts>> {
        let Some(looping) = self.end.looping.clone() else {
            return Ok(None);
        };
        match self.call_at_end(looping.callee, s) {
            Some(call) => Ok(Some(self.again(&looping, call)?)),
            None => Ok(None),
        }
    }

    /// Writes another iteration, with the arguments of a call.
    fn again(&mut self, looping: &Looping, call: &Call) -> Translated<Stmts> {
        // Only what differs from the present iteration is assigned.
        let mut changes: Vec<(Ident, Option<LocalId>, &Expr)> = Vec::new();
        if let (true, Some(receiver)) = (looping.changes_this, &call.receiver)
            && !matches!(receiver.kind, ExprKind::This)
        {
            changes.push((crate::rust::ident("this"), None, receiver));
        }
        for &(i, local) in &looping.changed {
            let Some(argument) = call.args.get(i) else {
                continue;
            };
            let is_same = matches!(&argument.kind, ExprKind::Local(l) if *l == local);
            if let Some(name) = self.name_of(local).filter(|_| !is_same) {
                changes.push((name, Some(local), argument));
            }
        }
        // Sequential assignments are the most readable. They are correct if no argument mentions a
        // parameter that is assigned before it.
        let formals = self.scope.ground.formals(looping.callee);
        let in_turn = changes
            .iter()
            .enumerate()
            .skip(1)
            .all(|(i, (_, _, argument))| {
                // `this` may be among the changes before the argument.
                let (locals, this) = mentioned(argument);
                let earlier = changes.get(..i).unwrap_or_default();
                !this
                    && locals.iter().all(|l| {
                        formals.contains(l) && !earlier.iter().any(|(_, e, _)| *e == Some(*l))
                    })
            });
        let (mut out, mut names, mut values) = (Stmts::new(), Vec::<rust::Expr>::new(), Vec::new());
        for (name, local, argument) in changes {
            // `n := n - 1` is `n -= 1`.
            let compound = match local {
                Some(l) if in_turn => {
                    self.compound(&Target::Local(l), &Rhs::Expr(argument.clone()))?
                }
                Some(_) | None => None,
            };
            if let Some(compound) = compound {
                out.push(compound);
                continue;
            }
            let value = self.value(argument)?;
            if in_turn {
                out.extend(stmts!(#name = #value;));
            } else {
                names.push(name.into());
                values.push(value);
            }
        }
        if !names.is_empty() {
            out = stmts!((#..names) = (#..values););
        }
        let label = self.jumps.repeat(&looping.label);
        out.push(rust::Stmt::Run(rust::Expr::Continue(label)));
        Ok(out)
    }
}

impl Scope<'_, '_> {
    /// Recognizes `x + F(n)`. Returns the call, the operation after it and the other operand.
    fn accumulated<'e>(
        &self,
        id: CallableId,
        e: &'e Expr,
    ) -> Option<(&'e Call, Accumulator, &'e Expr)> {
        let ExprKind::Binary(op, left, right) = &e.kind else {
            return None;
        };
        let own = |e: &'e Expr| {
            if let ExprKind::Call(call) = &e.kind {
                Some(call).filter(|c| c.callee == id)
            } else {
                None
            }
        };
        let (call, call_is_left, other) = match (own(left), own(right)) {
            (Some(call), _) => (call, true, right),
            (None, Some(call)) => (call, false, left),
            (None, None) => return None,
        };
        let rep = self.rep(&e.ty);
        // The accumulated operation must be associative, so that the order of the steps does not
        // matter.
        let is_number = matches!(rep, Rep::Int | Rep::Real | Rep::Bv(_));
        let is_collection = matches!(rep, Rep::Set(_) | Rep::Multiset(_) | Rep::Seq(_));
        let op = if *op == BinaryOp::Add && (is_number || is_collection) {
            Operation::Add
        } else if *op == BinaryOp::Mul && is_number {
            Operation::Mul
        } else if *op == BinaryOp::Sub && is_number && call_is_left {
            Operation::Sub
        } else {
            return None;
        };
        // An infinite set has no neutral value to start from.
        let finite = !matches!(
            self.ground.program.representation(&e.ty),
            Type::Set { finite: false, .. }
        );
        // The side of the operands is normalized if the operation is commutative.
        let call_is_left = call_is_left && (op == Operation::Sub || matches!(rep, Rep::Seq(_)));
        finite.then_some((call, Accumulator { op, call_is_left }, other))
    }

    /// Writes the neutral value that an operation starts from.
    fn unit(&self, operation: Accumulator, ty: &Type) -> Translated<rust::Expr> {
        if operation.op != Operation::Mul {
            let base = self.ground.program.representation(ty);
            let none =
                || self.unsupported(Span::default(), "a total without a value to start from");
            return self.default_value(&base)?.ok_or_else(none);
        }
        let t = self.rust_type(ty)?;
        let rep = self.rep(ty);
        Ok(if rep == Rep::Int {
            let int = self.runtime("int");
            expr!(#int(1))
        } else if rep == Rep::Real {
            let real = self.runtime("real");
            expr!(#real("1.0"))
        } else {
            expr!(<#t>::from(1))
        })
    }
}

/// Whether an expression is the neutral value of an operation.
fn is_unit(e: &Expr, op: Operation) -> bool {
    matches!(&e.kind, ExprKind::Literal(Literal::Int(n)) if *n == num_bigint::BigInt::from(u8::from(op == Operation::Mul)))
        || matches!(&e.kind, ExprKind::Literal(Literal::String(s)) if s.is_empty())
        || matches!(&e.kind, ExprKind::SeqDisplay(es) | ExprKind::SetDisplay(es) | ExprKind::MultisetDisplay(es) if es.is_empty())
}
