//! Resolution of bodies: structured statements become basic blocks of typed statements.
//!
//! [`Checker::blocks`] is the entry point; [`Builder`] holds the blocks under construction.

use boogie_syntax::ast::{self, Access, BinOp, StmtKind as P};
use dafny_source::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checker::{Checker, State};
use crate::typed::{
    Block, BlockId, Call, Clause, End, Expr, ExprKind, Loop, Printed, Stmt, StmtKind, Type,
    TypeVar, VarId, VarKind,
};
use crate::unify::substitute;

/// The blocks of a body under construction.
struct Builder {
    blocks: Vec<Block>,
    at: usize,
    /// Whether control can reach the end of the current block.
    open: bool,
    labels: FxHashMap<Name, BlockId>,
    /// The enclosing statements that `break` may leave: the label, the block after the statement,
    /// and whether it is a loop.
    enclosing: Vec<(Option<Name>, BlockId, bool)>,
    modifies: Vec<VarId>,
    pure: bool,
    /// The assumption variables assigned so far.
    assumed: FxHashSet<VarId>,
    /// The places from which on a selectively checked body is checked (`{:start_checking_here}`):
    /// the block and the number of the statement in it.
    starts: Vec<(BlockId, usize)>,
}

impl Builder {
    fn block(&mut self, span: Span) -> BlockId {
        self.blocks.push(Block {
            span,
            stmts: Vec::new(),
            end: End::Return,
            head: None,
        });
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn current(&mut self) -> Option<&mut Block> {
        self.blocks.get_mut(self.at)
    }

    fn push(&mut self, kind: StmtKind, span: Span) {
        if let Some(block) = self.current() {
            block.stmts.push(Stmt { kind, span });
        }
    }

    /// Records the next statement as the beginning of the checked part, if its attributes say so.
    fn start_checking(&mut self, attributes: &[ast::Attribute]) {
        let is_false = |e: &ast::Expr| matches!(e.kind, ast::ExprKind::Bool(false));
        let is_start = attributes
            .iter()
            .filter(|a| &*a.name.name == "start_checking_here")
            .any(|a| !a.args.first().is_some_and(is_false));
        let (at, next) = (self.at, self.current().map_or(0, |b| b.stmts.len()));
        if is_start {
            self.starts.push((BlockId(at as u32), next));
        }
    }

    /// Ends the current block.
    fn end(&mut self, end: End) {
        if self.open
            && let Some(block) = self.current()
        {
            block.end = end;
        }
        self.open = false;
    }

    /// Makes a block the current one; control falls through to it from the previous one.
    fn enter(&mut self, block: BlockId) {
        self.end(End::Goto(vec![block]));
        self.at = block.0 as usize;
        self.open = true;
    }
}

impl Checker<'_> {
    /// Returns the blocks of a body whose variables are in scope, and the statements from which on
    /// a selectively checked body is checked.
    pub(crate) fn blocks(
        &mut self,
        body: &ast::Body,
        modifies: &[VarId],
        pure: bool,
    ) -> (Vec<Block>, Vec<(BlockId, usize)>) {
        self.labels(&body.stmts);
        let mut b = Builder {
            blocks: Vec::new(),
            at: 0,
            open: true,
            labels: FxHashMap::default(),
            enclosing: Vec::new(),
            modifies: modifies.to_vec(),
            pure,
            assumed: FxHashSet::default(),
            starts: Vec::new(),
        };
        let start = body.stmts.first().map_or(body.end, |s| s.span);
        b.block(start);
        self.state = Some(State::Two);
        // A `goto` may precede its label, so the blocks of all labels are created first.
        self.declare_labels(&body.stmts, &mut b);
        self.stmts(&body.stmts, &mut b);
        self.state = None;
        b.end(End::Return);
        (b.blocks, b.starts)
    }

    fn declare_labels(&mut self, stmts: &[ast::Stmt], b: &mut Builder) {
        for stmt in stmts {
            match &stmt.kind {
                P::Label(label) => {
                    let block = b.block(label.span);
                    b.labels.insert(label.name.clone(), block);
                }
                P::If(_, then, other) => {
                    self.declare_labels(then, b);
                    self.declare_labels(other.as_deref().unwrap_or_default(), b);
                }
                P::While(_, _, body) => self.declare_labels(body, b),
                P::Assert(_)
                | P::Assume(_)
                | P::Havoc(_)
                | P::Assign(..)
                | P::Unpack(..)
                | P::Call(_)
                | P::CallForall(..)
                | P::Break(_)
                | P::Goto(_)
                | P::Return
                | P::ReturnExpr(_)
                | P::Hint => {}
            }
        }
    }

    fn stmts(&mut self, stmts: &[ast::Stmt], b: &mut Builder) {
        let mut label = None;
        for stmt in stmts {
            if !b.open && !matches!(stmt.kind, P::Label(_)) {
                // The statement is unreachable, but it is resolved and checked as well.
                let block = b.block(stmt.span);
                b.at = block.0 as usize;
                b.open = true;
            }
            if let P::Label(name) = &stmt.kind {
                if let Some(block) = b.labels.get(&name.name).copied() {
                    b.enter(block);
                }
                label = Some(name.name.clone());
                continue;
            }
            // Types are inferred within one statement only.
            stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.stmt(stmt, label.take(), b));
            self.inference.clear();
        }
    }

    fn stmt(&mut self, stmt: &ast::Stmt, label: Option<Name>, b: &mut Builder) {
        self.attribute_expressions(&stmt.attributes);
        self.unique_ids(&stmt.attributes, stmt.span);
        let span = stmt.span;
        match &stmt.kind {
            P::Label(_) | P::Hint => {}
            P::Assert(e) => {
                self.print(&stmt.attributes, span, b);
                b.start_checking(&stmt.attributes);
                let e = self.condition(e, "this assertion");
                self.assertion(e, &stmt.attributes, span, b);
            }
            P::Assume(e) => {
                self.print(&stmt.attributes, span, b);
                b.start_checking(&stmt.attributes);
                let e = self.condition(e, "this assumption");
                b.push(StmtKind::Assume(e), span);
            }
            P::Havoc(names) => {
                let vars: Vec<VarId> = names
                    .iter()
                    .filter_map(|n| self.assignable(n, b, n.span))
                    .collect();
                b.push(StmtKind::Havoc(vars), span);
            }
            P::Assign(targets, values) => self.assignment(targets, values, span, b),
            P::Unpack(constructor, names, value) => self.unpack(constructor, names, value, span, b),
            P::Call(call) => self.call(call, span, b),
            P::CallForall(name, args) => {
                if !self.procedures.contains_key(&name.name) {
                    self.name_error(
                        name.span,
                        format!("procedure `{}` is not declared", name.name),
                    );
                }
                args.iter().flatten().for_each(|a| {
                    // The arguments are only checked; the statement itself is not executed.
                    self.whole(a, None, "");
                });
                b.push(StmtKind::Unsupported("`call forall`"), span);
            }
            P::If(guard, then, other) => {
                self.conditional(guard.as_ref(), then, other.as_deref(), label, span, b)
            }
            P::While(guard, invariants, body) => {
                self.while_loop(guard.as_ref(), invariants, body, label, span, b)
            }
            // A label names an enclosing statement; without one, the innermost loop is left.
            P::Break(name) => {
                let target = b.enclosing.iter().rev().find(|(l, _, is_loop)| match name {
                    Some(name) => l.as_ref() == Some(&name.name),
                    None => *is_loop,
                });
                if let Some(block) = target.map(|t| t.1) {
                    b.end(End::Goto(vec![block]));
                }
            }
            P::Goto(names) => {
                let targets = names
                    .iter()
                    .filter_map(|n| b.labels.get(&n.name).copied())
                    .collect();
                b.end(End::Goto(targets));
            }
            P::Return => b.end(End::Return),
            P::ReturnExpr(e) => {
                self.whole(e, None, "");
                b.end(End::Return);
            }
        }
    }

    /// Adds an assertion.
    ///
    /// With `{:verified_under A}`, it was verified elsewhere under the assumption `A`: it is
    /// checked only if `A` does not hold, and assumed in any case.
    fn assertion(&mut self, e: Expr, attributes: &[ast::Attribute], span: Span, b: &mut Builder) {
        let is_forgotten = is_forgotten(attributes);
        let under = attributes
            .iter()
            .filter(|a| &*a.name.name == "verified_under")
            .find_map(|a| {
                let mut under = self.expr(a.args.first()?);
                self.finish(&mut under);
                (under.ty == Type::Bool).then_some(under)
            });
        if let Some(under) = under {
            let either = Expr {
                kind: ExprKind::Binary(BinOp::Or, Box::new(under), Box::new(e.clone())),
                ty: Type::Bool,
                span: e.span,
            };
            b.push(StmtKind::AssertOnly(either), span);
            if !is_forgotten {
                b.push(StmtKind::Assume(e), span);
            }
        } else if is_forgotten {
            b.push(StmtKind::AssertOnly(e), span);
        } else {
            b.push(StmtKind::Assert(e), span);
        }
    }

    /// Checks that the statement's `{:id "…"}` is unique.
    fn unique_ids(&mut self, attributes: &[ast::Attribute], span: Span) {
        for attribute in attributes.iter().filter(|a| &*a.name.name == "id") {
            if let Some(ast::Expr {
                kind: ast::ExprKind::String(text),
                ..
            }) = attribute.args.first()
                && !self.ids.insert(text.clone())
            {
                self.name_error(
                    span,
                    format!("the id `{text}` is already used by another statement"),
                );
            }
        }
    }

    fn print(&mut self, attributes: &[ast::Attribute], span: Span, b: &mut Builder) {
        for attribute in attributes.iter().filter(|a| &*a.name.name == "print") {
            let mut parts = Vec::new();
            for arg in &attribute.args {
                parts.push(if let ast::ExprKind::String(text) = &arg.kind {
                    Printed::Text(text.clone())
                } else {
                    Printed::Value(self.whole(arg, None, ""))
                });
            }
            b.push(StmtKind::Print(parts), span);
        }
    }

    /// Returns the variable with the given name if it may be assigned here; reports an error
    /// otherwise.
    fn assignable(&mut self, name: &ast::Ident, b: &Builder, at: Span) -> Option<VarId> {
        let Some(id) = self
            .scopes
            .var(&name.name)
            .or_else(|| self.globals.get(&name.name).copied())
        else {
            self.name_error(name.span, format!("`{}` is not declared", name.name));
            return None;
        };
        match self.program.var(id).kind {
            VarKind::Global if b.pure => self.name_error(
                name.span,
                format!("global variable `{}` cannot be read here", name.name),
            ),
            VarKind::Global if !b.modifies.contains(&id) => {
                self.type_error(
                    at,
                    format!(
                        "global variable `{}` is modified, but no `modifies` clause allows it",
                        name.name
                    ),
                );
            }
            VarKind::Constant | VarKind::In | VarKind::Bound => {
                self.type_error(at, format!("`{}` cannot be assigned to", name.name));
            }
            VarKind::Global | VarKind::Out | VarKind::Local => {}
        }
        Some(id)
    }

    fn assignment(
        &mut self,
        targets: &[ast::Target],
        values: &[ast::Expr],
        span: Span,
        b: &mut Builder,
    ) {
        if targets.len() != values.len() {
            self.name_error(
                span,
                format!(
                    "the left-hand side has {} variables, the right-hand side {} values",
                    targets.len(),
                    values.len()
                ),
            );
            return;
        }
        for (i, target) in targets.iter().enumerate() {
            if targets
                .iter()
                .take(i)
                .any(|t| t.name.name == target.name.name)
            {
                self.name_error(
                    target.name.span,
                    format!("`{}` is assigned twice in one assignment", target.name.name),
                );
            }
        }
        // All values are evaluated before any variable is assigned.
        let mut out = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            let at = match target.path.last() {
                Some(Access::Index(_, at)) => *at,
                Some(Access::Field(name)) => name.span,
                None => target.name.span,
            };
            let Some(id) = self.assignable(&target.name, b, at) else {
                self.whole(value, None, "");
                continue;
            };
            self.assumption(id, target, value, span, b);
            let ty = self.program.var(id).ty.clone();
            let variable = Expr {
                kind: ExprKind::Var(id),
                ty,
                span: target.name.span,
            };
            let value = self.expr(value);
            let mut stored = self.stored(variable, &target.path, value, at);
            self.finish(&mut stored);
            out.push((id, stored));
        }
        b.push(StmtKind::Assign(out), span);
    }

    /// Returns `base` with the value at the end of `path` replaced.
    fn stored(&mut self, base: Expr, path: &[Access], value: Expr, at: Span) -> Expr {
        let span = base.span;
        let Some((first, rest)) = path.split_first() else {
            let message = "the assigned value";
            self.same(&value.ty.clone(), &base.ty.clone(), at, message);
            return value;
        };
        let (kind, ty) = match first {
            Access::Index(indices, bracket) => {
                let indices: Vec<Expr> = indices.iter().map(|i| self.expr(i)).collect();
                let inner = if rest.is_empty() {
                    let element = self.select_of(base.clone(), indices.clone(), *bracket);
                    let fits = self.same(&value.ty.clone(), &element.ty, at, "the assigned value");
                    if !fits {
                        // The update would report the same error once more.
                        let (kind, ty) = (ExprKind::Code, base.ty);
                        return Expr { kind, ty, span };
                    }
                    value
                } else {
                    let element = self.select_of(base.clone(), indices.clone(), *bracket);
                    // The nested update is applied to the old element, and its result is stored in
                    // the outer value.
                    self.stored(element, rest, value, at)
                };
                self.store_of(base, indices, inner, *bracket)
            }
            Access::Field(name) => {
                let inner = if rest.is_empty() {
                    value
                } else {
                    let (kind, ty) = self.field_read(base.clone(), name);
                    self.stored(Expr { kind, ty, span }, rest, value, at)
                };
                self.field_store(base, name, inner)
            }
        };
        Expr { kind, ty, span }
    }

    /// Checks that an assumption variable is assigned only once, and only a stronger condition.
    fn assumption(
        &mut self,
        id: VarId,
        target: &ast::Target,
        value: &ast::Expr,
        span: Span,
        b: &mut Builder,
    ) {
        if !self.assumption_vars.contains(&id) {
            return;
        }
        if !b.assumed.insert(id) {
            self.name_error(
                span,
                format!(
                    "assumption variable `{}` is assigned twice",
                    target.name.name
                ),
            );
        }
        let is_stronger = matches!(&value.kind, ast::ExprKind::Binary(BinOp::And, left, _, _)
            if matches!(&left.kind, ast::ExprKind::Ident(name) if *name == target.name.name));
        if !is_stronger {
            let name = &target.name.name;
            self.name_error(
                span,
                format!("assumption variable `{name}` can be assigned only `{name} && …`"),
            );
        }
    }

    /// Resolves `C(x, y) := e`, which includes an assertion that `e` was constructed by `C`.
    fn unpack(
        &mut self,
        constructor: &ast::Ident,
        names: &[ast::Ident],
        value: &ast::Expr,
        span: Span,
        b: &mut Builder,
    ) {
        let vars: Vec<Option<VarId>> = names
            .iter()
            .map(|n| self.assignable(n, b, n.span))
            .collect();
        if !self.constructors.contains_key(&constructor.name) {
            self.name_error(
                constructor.span,
                format!("constructor `{}` is not declared", constructor.name),
            );
            return;
        }
        let mut value = self.whole(value, None, "");
        let Some(c) = self.constructor_for(&value, constructor) else {
            return;
        };
        let fields = self.program.constructor(c).fields.clone();
        if fields.len() != names.len() {
            self.type_error(
                span,
                format!(
                    "constructor `{}` has {} fields, not {}",
                    constructor.name,
                    fields.len(),
                    names.len()
                ),
            );
            return;
        }
        // The assertion precedes the assignments, since only a value of this constructor has the
        // fields.
        let is = ExprKind::Is(Box::new(value.clone()), c);
        b.push(
            StmtKind::Assert(Expr {
                kind: is,
                ty: Type::Bool,
                span,
            }),
            span,
        );
        let mut out = Vec::new();
        self.finish(&mut value);
        for ((var, name), (field, _)) in vars.into_iter().zip(names).zip(&fields) {
            let ident = ast::Ident {
                name: field.clone(),
                span: name.span,
            };
            // The field is restricted to this constructor, although others may share its name.
            let (kind, ty) = self.field_read(value.clone(), &ident);
            if let Some(var) = var {
                let expected = self.program.var(var).ty.clone();
                self.same(&ty, &expected, name.span, "this field");
                out.push((
                    var,
                    Expr {
                        kind: only(kind, c),
                        ty,
                        span: name.span,
                    },
                ));
            }
        }
        b.push(StmtKind::Assign(out), span);
    }

    fn call(&mut self, call: &ast::Call, span: Span, b: &mut Builder) {
        let args: Vec<Expr> = call.args.iter().map(|a| self.expr(a)).collect();
        let Some(id) = self.procedures.get(&call.procedure.name).copied() else {
            self.name_error(
                call.procedure.span,
                format!("procedure `{}` is not declared", call.procedure.name),
            );
            call.outs.iter().for_each(|o| {
                self.assignable(o, b, o.span);
            });
            return;
        };
        let callee = self.program.procedure(id).clone();
        if b.pure && !self.pure.contains(&id) {
            self.name_error(span, "a pure procedure can call pure procedures only");
        }
        for (i, out) in call.outs.iter().enumerate() {
            if call.outs.iter().take(i).any(|o| o.name == out.name) {
                self.name_error(out.span, format!("`{}` is assigned two results", out.name));
            }
        }
        let outs: Vec<VarId> = call
            .outs
            .iter()
            .filter_map(|o| self.assignable(o, b, o.span))
            .collect();
        if callee.ins.len() != args.len() {
            let message = format!(
                "procedure `{}` takes {} arguments, not {}",
                callee.name,
                callee.ins.len(),
                args.len()
            );
            self.type_error(span, message);
            return;
        }
        if callee.outs.len() != call.outs.len() {
            let message = format!(
                "procedure `{}` returns {} results, not {}",
                callee.name,
                callee.outs.len(),
                call.outs.len()
            );
            self.type_error(span, message);
            return;
        }
        // The type parameters of the callee are inferred anew for each call.
        let types: Vec<Type> = callee
            .type_params
            .iter()
            .map(|_| self.inference.fresh())
            .collect();
        let map: FxHashMap<TypeVar, Type> = callee
            .type_params
            .iter()
            .copied()
            .zip(types.iter().cloned())
            .collect();
        for (i, (param, arg)) in callee.ins.iter().zip(&args).enumerate() {
            let expected = substitute(&self.program.var(*param).ty.clone(), &map);
            self.same(
                &arg.ty.clone(),
                &expected,
                arg.span,
                &format!("argument {} of `{}`", i + 1, callee.name),
            );
        }
        for ((result, out), ident) in callee.outs.iter().zip(&outs).zip(&call.outs) {
            let found = substitute(&self.program.var(*result).ty.clone(), &map);
            let expected = self.program.var(*out).ty.clone();
            self.same(&found, &expected, ident.span, "this result");
        }
        // The `modifies` clause of the caller must include that of the callee.
        for changed in &callee.modifies {
            if !b.modifies.contains(changed) {
                let name = self.program.var(*changed).name.clone();
                let callee = &callee.name;
                self.type_error(span, format!("`{callee}` modifies global variable `{name}`, but no `modifies` clause allows it"));
            }
        }
        let mut args = args;
        args.iter_mut().for_each(|a| self.finish(a));
        let type_args = types
            .iter()
            .map(|t| self.inference.known(t, Some(&Type::Int)))
            .collect();
        b.push(
            StmtKind::Call(Call {
                procedure: id,
                type_args,
                args,
                outs,
                free: call.free,
            }),
            span,
        );
    }

    /// Ends the current block with a branch to two new ones.
    fn branch(
        &mut self,
        guard: Option<&ast::Expr>,
        b: &mut Builder,
        spans: (Span, Span),
    ) -> (BlockId, BlockId) {
        let guard = guard.map(|g| self.condition(g, "the condition"));
        let (then, other) = (b.block(spans.0), b.block(spans.1));
        b.end(match guard {
            Some(g) => End::Branch(g, then, other),
            None => End::Goto(vec![then, other]),
        });
        (then, other)
    }

    fn conditional(
        &mut self,
        guard: Option<&ast::Expr>,
        then: &[ast::Stmt],
        other: Option<&[ast::Stmt]>,
        label: Option<Name>,
        span: Span,
        b: &mut Builder,
    ) {
        let start = |stmts: &[ast::Stmt]| stmts.first().map_or(span, |s| s.span);
        let (first, second) = self.branch(guard, b, (start(then), other.map_or(span, start)));
        let after = b.block(span);
        b.enclosing.push((label, after, false));
        for (block, stmts) in [(first, then), (second, other.unwrap_or_default())] {
            b.at = block.0 as usize;
            b.open = true;
            self.stmts(stmts, b);
            b.end(End::Goto(vec![after]));
        }
        b.enclosing.pop();
        b.at = after.0 as usize;
        b.open = true;
    }

    fn while_loop(
        &mut self,
        guard: Option<&ast::Expr>,
        invariants: &[ast::Clause],
        body: &[ast::Stmt],
        label: Option<Name>,
        span: Span,
        b: &mut Builder,
    ) {
        // The head is a block of its own, to which every iteration returns.
        let head = b.block(span);
        b.enter(head);
        let mut clauses = Vec::new();
        for clause in invariants {
            self.attribute_expressions(&clause.attributes);
            let expr = self.condition(&clause.expr, "this invariant");
            clauses.push(Clause {
                expr,
                free: clause.free,
                span: clause.span,
            });
        }
        if let Some(block) = b.current() {
            block.head = Some(Loop {
                span,
                invariants: clauses,
            });
        }
        let (inside, after) = self.branch(guard, b, (body.first().map_or(span, |s| s.span), span));
        b.enclosing.push((label, after, true));
        b.at = inside.0 as usize;
        b.open = true;
        self.stmts(body, b);
        b.end(End::Goto(vec![head]));
        b.enclosing.pop();
        b.at = after.0 as usize;
        b.open = true;
    }
}

/// Restricts a field access to the field of one constructor.
fn only(kind: ExprKind, constructor: crate::typed::ConstructorId) -> ExprKind {
    match kind {
        ExprKind::Field(e, mut fields) => {
            fields.retain(|(c, _)| *c == constructor);
            ExprKind::Field(e, fields)
        }
        other @ (ExprKind::Literal(_)
        | ExprKind::Var(_)
        | ExprKind::Call(..)
        | ExprKind::Old(_)
        | ExprKind::ToInt(_)
        | ExprKind::ToReal(_)
        | ExprKind::Quantifier(_)
        | ExprKind::Let(..)
        | ExprKind::If(..)
        | ExprKind::Not(_)
        | ExprKind::Neg(_)
        | ExprKind::Binary(..)
        | ExprKind::Select(..)
        | ExprKind::Store(..)
        | ExprKind::Extract(..)
        | ExprKind::FieldUpdate(..)
        | ExprKind::Is(..)
        | ExprKind::Code) => other,
    }
}

/// Whether the assertion is not assumed afterwards (`{:subsumption 0}`).
fn is_forgotten(attributes: &[ast::Attribute]) -> bool {
    let zero = |e: &ast::Expr| matches!(&e.kind, ast::ExprKind::Int(n) if *n == num_bigint::BigUint::from(0u32));
    attributes
        .iter()
        .any(|a| &*a.name.name == "subsumption" && a.args.first().is_some_and(zero))
}
