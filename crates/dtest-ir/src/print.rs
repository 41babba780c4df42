//! A readable form of the IR, for snapshots and debugging.
//!
//! Variables print by name, with `@` and the index where a name occurs twice in a scope. Source
//! places print as their text if the texts are given, and as positions otherwise.
//!
//! Key type: [`Printer`].

use std::fmt::Write;

use super::{
    ArrayInit, AssertKind, Block, BlockId, Check, Clause, Coll, ContractPart, Decision, Domain,
    Expr, ExprKind, Frame, Function, Goal, GoalReason, Lambda, Num, Op, Procedure, Program,
    Quantified, Stmt, StmtKind, StoreTarget, Terminator, Var, VarInfo,
};
use dafny_resolve::typed::{CallableId, FieldId, Literal, Type};
use dafny_source::{SourceMap, Span};

/// A printer of parts of a program.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    program: &'a Program,
    sources: Option<&'a SourceMap>,
}

/// A printer within the scope of some variables.
struct InScope<'a> {
    printer: Printer<'a>,
    vars: &'a [VarInfo],
}

impl<'a> Printer<'a> {
    /// Creates a printer. With `sources`, places print as their text.
    pub fn new(program: &'a Program, sources: Option<&'a SourceMap>) -> Self {
        Self { program, sources }
    }

    /// Prints a procedure with its blocks.
    pub fn procedure(&self, p: &Procedure) -> String {
        let scope = InScope {
            printer: *self,
            vars: &p.vars,
        };
        let outs = if p.outs.is_empty() {
            String::new()
        } else {
            format!(" returns ({})", scope.declared(&p.outs))
        };
        let mut text = format!(
            "procedure {}({}){outs}\n",
            self.program.typed.callable_path(p.callable),
            scope.declared(&p.params)
        );
        for (i, block) in p.blocks.iter().enumerate() {
            scope.block(BlockId(i as u32), block, &mut text);
        }
        text
    }

    /// Prints a function.
    pub fn function(&self, name: &str, f: &Function) -> String {
        let scope = InScope {
            printer: *self,
            vars: &f.vars,
        };
        format!(
            "function {name}({}) = {}\n",
            scope.declared(&f.params),
            scope.expr(&f.body)
        )
    }

    /// Prints the lambda with this index.
    pub fn lambda(&self, index: usize, l: &Lambda) -> String {
        let scope = InScope {
            printer: *self,
            vars: &l.vars,
        };
        let requires: String = l
            .requires
            .iter()
            .map(|c| format!(" requires {}", scope.expr(&c.cond)))
            .collect();
        let reads: String = l
            .reads
            .iter()
            .map(|r| format!(" reads {}", scope.expr(r)))
            .collect();
        format!(
            "lambda {index}[{}]({}){requires}{reads} = {}\n",
            scope.declared(&l.captures),
            scope.declared(&l.params),
            scope.expr(&l.body)
        )
    }

    /// Prints everything that was lowered, in a fixed order. Empty contracts are left out.
    pub fn program(&self) -> String {
        let p = self.program;
        let mut text = String::new();
        for (id, f) in p.constraints.iter() {
            text += &self.function(&format!("constraint of {}", p.typed.type_path(*id)), f);
        }
        for (id, f) in p.witnesses.iter() {
            text += &self.function(&format!("witness of {}", p.typed.type_path(*id)), f);
        }
        for (id, f) in p.constants.iter() {
            text += &self.function(&format!("constant {}", p.typed[*id].name), f);
        }
        for (i, l) in p.lambdas.iter().enumerate() {
            text += &self.lambda(i, l);
        }
        for (id, f) in p.functions.iter() {
            text += &self.function(&p.typed.callable_path(*id), f);
        }
        for (id, c) in &p.contracts {
            let scope = InScope {
                printer: *self,
                vars: &c.vars,
            };
            let list = |word: &str, cs: &[Clause]| {
                cs.iter()
                    .map(|c| format!("  {word} {}\n", scope.expr(&c.cond)))
                    .collect::<String>()
            };
            let frames = |word: &str, fs: &[Frame]| {
                fs.iter()
                    .map(|f| format!("  {word} {}\n", scope.frame(f)))
                    .collect::<String>()
            };
            let clauses = list("requires", &c.requires)
                + &list("ensures", &c.ensures)
                + &frames("modifies", &c.modifies)
                + &frames("reads", &c.reads);
            if !clauses.is_empty() {
                let _ = write!(
                    text,
                    "contract of {}({})\n{clauses}",
                    p.typed.callable_path(*id),
                    scope.declared(&c.params)
                );
            }
        }
        for procedure in p.procedures.values() {
            text += &self.procedure(procedure);
        }
        text
    }

    /// Prints an expression over `vars`.
    pub fn expr(&self, e: &Expr, vars: &[VarInfo]) -> String {
        InScope {
            printer: *self,
            vars,
        }
        .expr(e)
    }

    /// Describes the reason of a goal in words.
    pub fn reason(&self, goal: &Goal) -> String {
        match &goal.reason {
            GoalReason::Entry => "entry".into(),
            GoalReason::Branch {
                cond,
                value,
                decision,
            } => {
                let what = match decision {
                    Decision::If => "if",
                    Decision::Loop => "loop",
                    Decision::Operand => "operand after",
                    Decision::Outcome => "outcome",
                };
                format!("{what} {} is {value}", self.place(*cond))
            }
            GoalReason::Case { pattern } => format!("case {}", self.place(*pattern)),
            GoalReason::Alternative { guard } => format!("alternative {}", self.place(*guard)),
            GoalReason::Failure {
                value,
                failed: true,
            } => format!("failure of {}", self.place(*value)),
            GoalReason::Failure {
                value,
                failed: false,
            } => format!("success of {}", self.place(*value)),
            GoalReason::Boundary {
                left,
                right,
                relation,
            } => format!("{relation:?} {} {}", self.place(*left), self.place(*right)),
            GoalReason::Decides {
                cond,
                value,
                decision,
            } => {
                format!(
                    "{} is {value} and decides {}",
                    self.place(*cond),
                    self.place(*decision)
                )
            }
            GoalReason::Clause { post, part, value } => {
                format!(
                    "{} {} is {value}",
                    if *post { "ensures" } else { "requires" },
                    self.place(*part)
                )
            }
            GoalReason::Path => "path".into(),
            GoalReason::After { stmt } => format!("after {}", self.place(*stmt)),
            GoalReason::Broken { obligation, .. } => format!("broken {obligation:?}"),
            GoalReason::Differs => "a mutant differs".into(),
        }
    }

    fn place(&self, span: Span) -> String {
        match self.sources.map(|s| s.text(span)) {
            Some(text) if !text.is_empty() => format!(
                "`{}`",
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            ),
            Some(_) | None => format!("{span:?}"),
        }
    }

    fn callable(&self, id: CallableId) -> String {
        self.program.typed.callable_path(id)
    }

    fn field(&self, id: FieldId) -> &str {
        &self.program.typed[id].name
    }

    fn ty(&self, ty: &Type) -> String {
        self.program.typed.show_type(ty)
    }

    fn types(&self, types: &[Type]) -> String {
        if types.is_empty() {
            String::new()
        } else {
            format!(
                "<{}>",
                types
                    .iter()
                    .map(|t| self.ty(t))
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }
    }
}

impl InScope<'_> {
    fn name(&self, var: Var) -> String {
        let Some(info) = self.vars.get(var.0 as usize) else {
            return format!("?{}", var.0);
        };
        let namesakes = self.vars.iter().filter(|v| v.name == info.name).count();
        if namesakes > 1 {
            format!("{}@{}", info.name, var.0)
        } else {
            info.name.to_string()
        }
    }

    fn declared(&self, vars: &[Var]) -> String {
        let one = |v: &Var| {
            let info = self.vars.get(v.0 as usize);
            let ghost = if info.is_some_and(|i| i.ghost) {
                "ghost "
            } else {
                ""
            };
            format!(
                "{ghost}{}: {}",
                self.name(*v),
                info.map_or_else(|| "?".into(), |i| self.printer.ty(&i.ty))
            )
        };
        vars.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn block(&self, id: BlockId, block: &Block, text: &mut String) {
        let _ = write!(text, "  b{}:", id.0);
        if let Some(goal) = &block.goal {
            let _ = write!(
                text,
                " goal {} ~ {}",
                self.printer.reason(goal),
                self.printer.place(goal.span)
            );
        }
        text.push('\n');
        if let Some(l) = &block.loop_head {
            let assigned: Vec<String> = l.assigned.iter().map(|v| self.name(*v)).collect();
            let heap = if l.writes_heap { ", the heap" } else { "" };
            let _ = writeln!(text, "    loop assigns {}{heap}", assigned.join(", "));
            for c in l.range.iter().chain(&l.invariants) {
                let _ = writeln!(text, "    invariant {}", self.expr(&c.cond));
            }
        }
        for stmt in &block.stmts {
            let _ = writeln!(text, "    {}", self.stmt(stmt));
        }
        let end = match &block.terminator {
            Terminator::Goto(b) => format!("goto b{}", b.0),
            Terminator::Branch { cond, then, els } => {
                format!("if {} then b{} else b{}", self.expr(cond), then.0, els.0)
            }
            Terminator::Choose { among, open, .. } => {
                let blocks = among
                    .iter()
                    .map(|b| format!("b{}", b.0))
                    .collect::<Vec<_>>()
                    .join(", ");
                let open = open
                    .as_ref()
                    .map_or_else(String::new, |e| format!(" if {}", self.expr(e)));
                format!("choose {blocks}{open}")
            }
            Terminator::Return => "return".into(),
            Terminator::Stop => "stop".into(),
        };
        let _ = writeln!(text, "    {end}");
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Assume { cond: e, .. } => format!("assume {}", self.expr(e)),
            StmtKind::Assert { cond, kind } => {
                format!("assert{} {}", assertion(*kind), self.expr(cond))
            }
            StmtKind::Assign { var, value } => {
                format!("{} := {}", self.name(*var), self.expr(value))
            }
            StmtKind::Havoc(var) => format!("{} := *", self.name(*var)),
            StmtKind::Call {
                callee,
                type_args,
                args,
                outs,
                label: _,
            } => self.call(*callee, type_args, args, outs),
            StmtKind::New { var, ty } => {
                format!("{} := new {}", self.name(*var), self.printer.ty(ty))
            }
            StmtKind::NewArray {
                var,
                elem,
                dims,
                init,
            } => self.new_array(*var, elem, dims, init),
            StmtKind::SetField {
                object,
                field,
                value,
            } => {
                format!(
                    "{}.{} := {}",
                    self.expr(object),
                    self.printer.field(*field),
                    self.expr(value)
                )
            }
            StmtKind::Redefine {
                object,
                function,
                value,
            } => {
                format!(
                    "{}.{} answers {}",
                    self.expr(object),
                    self.printer.callable(*function),
                    self.expr(value)
                )
            }
            StmtKind::SetElement {
                array,
                indices,
                value,
            } => {
                format!(
                    "{}[{}] := {}",
                    self.expr(array),
                    self.exprs(indices),
                    self.expr(value)
                )
            }
            StmtKind::ForallStore {
                vars,
                target,
                value,
            } => self.forall_store(vars, target, value),
            StmtKind::SuchThat(vars) => format!("choose {}", self.quantified(vars)),
            StmtKind::Print(es) => format!("print {}", self.exprs(es)),
            StmtKind::Expect { cond, message } => {
                let message = message
                    .as_ref()
                    .map_or_else(String::new, |m| format!(", {}", self.expr(m)));
                format!("expect {}{message}", self.expr(cond))
            }
            StmtKind::Snapshot(label) => format!("label {label}"),
            StmtKind::Probe { probe, cond } => format!("probe {probe}: {}", self.expr(cond)),
            StmtKind::HavocHeap(frames, _) => {
                format!(
                    "modify {}",
                    frames
                        .iter()
                        .map(|f| self.frame(f))
                        .collect::<Vec<_>>()
                        .join(", ")
                )
            }
            StmtKind::Answer {
                callee,
                params,
                outs,
            } => self.answer(*callee, params, outs),
            StmtKind::Save { object, vars } => {
                format!("save in {}: {}", self.expr(object), self.kept(vars))
            }
            StmtKind::Restore { object, vars } => {
                format!("restore from {}: {}", self.expr(object), self.kept(vars))
            }
            StmtKind::Unsupported { reason } => format!("unsupported: {reason}"),
        }
    }

    /// Prints a call with the variables that take its results.
    fn call(
        &self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Expr],
        outs: &[Option<Var>],
    ) -> String {
        let outs: Vec<String> = outs
            .iter()
            .map(|o| o.map_or_else(|| "_".into(), |v| self.name(v)))
            .collect();
        let takes = if outs.is_empty() {
            String::new()
        } else {
            format!("{} := ", outs.join(", "))
        };
        format!(
            "{takes}call {}{}({})",
            self.printer.callable(callee),
            self.printer.types(type_args),
            self.exprs(args)
        )
    }

    /// Prints the allocation of an array.
    fn new_array(&self, var: Var, elem: &Type, dims: &[Expr], init: &ArrayInit) -> String {
        let init = match init {
            ArrayInit::Default => String::new(),
            ArrayInit::Function(f) => format!(" by {}", self.expr(f)),
            ArrayInit::Elements(es) => format!(" of {}", self.exprs(es)),
        };
        format!(
            "{} := new {}[{}]{init}",
            self.name(var),
            self.printer.ty(elem),
            self.exprs(dims)
        )
    }

    /// Prints the stores of a `forall` statement.
    fn forall_store(&self, vars: &Quantified, target: &StoreTarget, value: &Expr) -> String {
        let target = match target {
            StoreTarget::Field(o, f) => {
                format!("{}.{}", self.expr(o), self.printer.field(*f))
            }
            StoreTarget::Element(a, is) => format!("{}[{}]", self.expr(a), self.exprs(is)),
        };
        format!(
            "forall {} :: {target} := {}",
            self.quantified(vars),
            self.expr(value)
        )
    }

    /// Prints the body of a callable that a stub or a mock answers.
    fn answer(&self, callee: CallableId, params: &[Var], outs: &[Var]) -> String {
        let names = |vs: &[Var]| {
            vs.iter()
                .map(|v| self.name(*v))
                .collect::<Vec<_>>()
                .join(", ")
        };
        format!(
            "{} := answer of {}({})",
            names(outs),
            self.printer.callable(callee),
            names(params)
        )
    }

    fn kept(&self, vars: &[(FieldId, Var)]) -> String {
        vars.iter()
            .map(|(_, v)| self.name(*v))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn exprs(&self, es: &[Expr]) -> String {
        es.iter()
            .map(|e| self.expr(e))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn frame(&self, f: &Frame) -> String {
        let object = f
            .object
            .as_ref()
            .map_or_else(|| "*".into(), |o| self.expr(o));
        f.field.map_or(object.clone(), |f| {
            format!("{object}`{}", self.printer.field(f))
        })
    }

    fn quantified(&self, q: &Quantified) -> String {
        let range = q
            .range
            .as_ref()
            .map_or_else(String::new, |r| format!(" | {}", self.expr(r)));
        let bounds = match &q.bounds {
            None => " <- ?".into(),
            Some(bs) => bs
                .iter()
                .map(|(v, d)| format!(" <{} <- {}>", self.name(*v), self.domain(d)))
                .collect::<String>(),
        };
        format!("{}{bounds}{range}", self.declared(&q.vars))
    }

    fn domain(&self, domain: &Domain) -> String {
        let end = |e: &Option<Box<Expr>>| e.as_ref().map_or_else(String::new, |e| self.expr(e));
        match domain {
            Domain::IntRange { low, high } => format!("{}..{}", end(low), end(high)),
            Domain::Exact(e) => self.expr(e),
            Domain::Elements(e) => format!("elements of {}", self.expr(e)),
            Domain::SubsetsOf(e) => format!("subsets of {}", self.expr(e)),
            Domain::PrefixesOf(e) => format!("prefixes of {}", self.expr(e)),
            Domain::AllValues(t) => self.printer.ty(t),
            Domain::SubtermsOf(e) => format!("subterms of {}", self.expr(e)),
            Domain::Allocated => "all objects".to_owned(),
        }
    }

    /// Prints an expression as an operand: in parentheses unless it is atomic.
    fn operand(&self, e: &Expr) -> String {
        let text = self.expr(e);
        match &e.kind {
            ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::If(..)
            | ExprKind::Let(..)
            | ExprKind::LetSuchThat(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Quantifier { .. }
            | ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Checked(..) => format!("({text})"),
            ExprKind::Op(op, args)
                if matches!(form(op), Form::Infix(_) | Form::Prefix(_)) && !args.is_empty() =>
            {
                format!("({text})")
            }
            ExprKind::Op(..)
            | ExprKind::Literal(_)
            | ExprKind::Var(_)
            | ExprKind::Call { .. }
            | ExprKind::Const { .. }
            | ExprKind::Apply(..)
            | ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::FunctionRef { .. }
            | ExprKind::SetComp(..)
            | ExprKind::MapComp(..)
            | ExprKind::ReadField(..)
            | ExprKind::ReadElement(..)
            | ExprKind::Old(..)
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)
            | ExprKind::OfContract { .. }
            | ExprKind::Unsupported(_) => text,
        }
    }

    fn expr(&self, e: &Expr) -> String {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.expr_inner(e))
    }

    fn expr_inner(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Literal(l) => literal(l),
            ExprKind::Var(v) => self.name(*v),
            ExprKind::Op(op, args) => self.op(op, args),
            ExprKind::And(a, b) => format!("{} && {}", self.operand(a), self.operand(b)),
            ExprKind::Or(a, b) => format!("{} || {}", self.operand(a), self.operand(b)),
            ExprKind::Implies(a, b) => format!("{} ==> {}", self.operand(a), self.operand(b)),
            ExprKind::If(c, a, b) => format!(
                "if {} then {} else {}",
                self.expr(c),
                self.expr(a),
                self.expr(b)
            ),
            ExprKind::Let(v, value, body) => format!(
                "var {} := {}; {}",
                self.name(*v),
                self.expr(value),
                self.expr(body)
            ),
            ExprKind::LetSuchThat(q, body) => {
                format!("var {}; {}", self.quantified(q), self.expr(body))
            }
            ExprKind::IfSuchThat(q, a, b) => format!(
                "if choose {} then {} else {}",
                self.quantified(q),
                self.expr(a),
                self.expr(b)
            ),
            ExprKind::Call {
                callee,
                type_args,
                args,
                label,
            } => {
                format!(
                    "{}{}{}({})",
                    self.printer.callable(*callee),
                    self.printer.types(type_args),
                    at(label),
                    self.exprs(args)
                )
            }
            ExprKind::Const {
                field,
                type_args,
                object,
            } => {
                let object = object
                    .as_ref()
                    .map_or_else(String::new, |o| format!("{}.", self.operand(o)));
                format!(
                    "{object}const {}{}",
                    self.printer.field(*field),
                    self.printer.types(type_args)
                )
            }
            ExprKind::Apply(f, args) => format!("{}.({})", self.operand(f), self.exprs(args)),
            ExprKind::Lambda { lambda, captures } => {
                format!("lambda {lambda}[{}]", self.exprs(captures))
            }
            ExprKind::Delay { lambda, captures } => {
                format!("delay {lambda}[{}]", self.exprs(captures))
            }
            ExprKind::FunctionRef {
                callee,
                type_args,
                receiver,
            } => {
                let receiver = receiver
                    .as_ref()
                    .map_or_else(String::new, |r| format!("{}.", self.operand(r)));
                format!(
                    "&{receiver}{}{}",
                    self.printer.callable(*callee),
                    self.printer.types(type_args)
                )
            }
            ExprKind::Quantifier { forall, vars, body } => {
                format!(
                    "{} {} :: {}",
                    if *forall { "forall" } else { "exists" },
                    self.quantified(vars),
                    self.expr(body)
                )
            }
            ExprKind::SetComp(q, term) => {
                format!("{{{} :: {}}}", self.quantified(q), self.expr(term))
            }
            ExprKind::MapComp(q, k, v) => format!(
                "map[{} :: {} := {}]",
                self.quantified(q),
                self.expr(k),
                self.expr(v)
            ),
            ExprKind::ReadField(o, f) => format!("{}.{}", self.operand(o), self.printer.field(*f)),
            ExprKind::ReadElement(a, is) => format!("{}[{}]", self.operand(a), self.exprs(is)),
            ExprKind::Old(label, e) => format!("old{}({})", at(label), self.expr(e)),
            ExprKind::Fresh(label, e) => format!("fresh{}({})", at(label), self.expr(e)),
            ExprKind::Allocated(e) => format!("allocated({})", self.expr(e)),
            ExprKind::Unchanged(label, frames) => {
                format!(
                    "unchanged{}({})",
                    at(label),
                    frames
                        .iter()
                        .map(|f| self.frame(f))
                        .collect::<Vec<_>>()
                        .join(", ")
                )
            }
            ExprKind::Convert(inner) => {
                format!("{} as {}", self.operand(inner), self.printer.ty(&e.ty))
            }
            ExprKind::Is(inner, ty) => {
                format!("{} is {}", self.operand(inner), self.printer.ty(ty))
            }
            ExprKind::Checked(check, clause, e) => {
                format!(
                    "{} {}; {}",
                    check_word(check),
                    self.expr(&clause.cond),
                    self.expr(e)
                )
            }
            ExprKind::OfContract {
                callee,
                part,
                type_args,
                args,
            } => {
                let part = contract_part(*part);
                format!(
                    "{part} of {}{}({})",
                    self.printer.callable(*callee),
                    self.printer.types(type_args),
                    self.exprs(args)
                )
            }
            ExprKind::Unsupported(reason) => format!("unsupported({reason})"),
        }
    }

    fn op(&self, op: &Op, args: &[Expr]) -> String {
        match (form(op), args) {
            (Form::Infix(symbol), [a, b]) => {
                format!("{} {symbol} {}", self.operand(a), self.operand(b))
            }
            (Form::Prefix(symbol), [a]) => format!("{symbol}{}", self.operand(a)),
            (Form::Brackets(open, close), args) => format!("{open}{}{close}", self.exprs(args)),
            (Form::Member(name), [a]) => format!("{}.{name}", self.operand(a)),
            (Form::Special, args) => self.special(op, args),
            (Form::Infix(name) | Form::Prefix(name) | Form::Member(name), args) => {
                format!("{name}({})", self.exprs(args))
            }
        }
    }

    fn special(&self, op: &Op, args: &[Expr]) -> String {
        let typed = &self.printer.program.typed;
        match (op, args) {
            (Op::Display(Coll::Map), args) => {
                let pairs: Vec<String> = args
                    .chunks(2)
                    .map(|p| {
                        p.iter()
                            .map(|e| self.expr(e))
                            .collect::<Vec<_>>()
                            .join(" := ")
                    })
                    .collect();
                format!("map[{}]", pairs.join(", "))
            }
            (Op::Select(_), [c, i]) => format!("{}[{}]", self.operand(c), self.expr(i)),
            (Op::Update(_), [c, k, v]) => {
                format!("{}[{} := {}]", self.operand(c), self.expr(k), self.expr(v))
            }
            (Op::Slice | Op::ArraySlice, [c, a, b]) => {
                format!("{}[{}..{}]", self.operand(c), self.expr(a), self.expr(b))
            }
            (Op::ArrayLength(n), [a]) => format!("{}.Length{n}", self.operand(a)),
            (Op::TupleField(i), [t]) => format!("{}.{i}", self.operand(t)),
            (Op::Construct(c), args) => format!("{}({})", typed[*c].name, self.exprs(args)),
            (Op::CtorTest(c), [d]) => format!("{}.{}?", self.operand(d), typed[*c].name),
            (Op::Destruct(f), [d]) => format!("{}.{}", self.operand(d), self.printer.field(*f)),
            (op, args) => format!("{op:?}({})", self.exprs(args)),
        }
    }
}

/// The notation of an operator.
enum Form {
    Infix(&'static str),
    Prefix(&'static str),
    Brackets(&'static str, &'static str),
    Member(&'static str),
    Special,
}

fn form(op: &Op) -> Form {
    let by_num = |n: &Num, symbol| {
        if *n == Num::Ordinal {
            Form::Special
        } else {
            Form::Infix(symbol)
        }
    };
    match op {
        Op::Not | Op::BitNot => Form::Prefix("!"),
        Op::Neg(_) => Form::Prefix("-"),
        Op::Eq => Form::Infix("=="),
        Op::Ne => Form::Infix("!="),
        Op::Add(n) => by_num(n, "+"),
        Op::Sub(n) => by_num(n, "-"),
        Op::Mul(n) => by_num(n, "*"),
        Op::Div(n) => by_num(n, "/"),
        Op::Mod(n) => by_num(n, "%"),
        Op::Lt(n) => by_num(n, "<"),
        Op::Le(n) => by_num(n, "<="),
        Op::BitAnd => Form::Infix("&"),
        Op::BitOr => Form::Infix("|"),
        Op::BitXor => Form::Infix("^"),
        Op::Shl => Form::Infix("<<"),
        Op::Shr => Form::Infix(">>"),
        Op::Floor => Form::Member("Floor"),
        Op::OrdinalIsLimit => Form::Member("IsLimit"),
        Op::OrdinalIsSucc => Form::Member("IsSucc"),
        Op::OrdinalOffset => Form::Member("Offset"),
        Op::OrdinalIsNat => Form::Member("IsNat"),
        Op::Display(Coll::Seq) => Form::Brackets("[", "]"),
        Op::Display(Coll::Set) => Form::Brackets("{", "}"),
        Op::Display(Coll::Multiset) => Form::Brackets("multiset{", "}"),
        Op::Cardinality(_) => Form::Brackets("|", "|"),
        Op::In(_) => Form::Infix("in"),
        Op::Union(_) => Form::Infix("+"),
        Op::Intersect(_) => Form::Infix("*"),
        Op::Difference(_) => Form::Infix("-"),
        Op::Disjoint(_) => Form::Infix("!!"),
        Op::SubsetEq(_) => Form::Infix("<="),
        Op::Subset(_) => Form::Infix("<"),
        Op::Below => Form::Infix("below"),
        Op::PrefixEq => Form::Prefix("prefix-equal"),
        Op::MultisetOf(_) => Form::Brackets("multiset(", ")"),
        Op::Keys => Form::Member("Keys"),
        Op::Values => Form::Member("Values"),
        Op::Items => Form::Member("Items"),
        Op::SeqInit => Form::Brackets("seq(", ")"),
        Op::Tuple => Form::Brackets("(", ")"),
        Op::Display(Coll::Map)
        | Op::RotateLeft
        | Op::RotateRight
        | Op::Select(_)
        | Op::Update(_)
        | Op::Slice
        | Op::ArraySlice
        | Op::ArrayLength(_)
        | Op::TupleField(_)
        | Op::Construct(_)
        | Op::CtorTest(_)
        | Op::Destruct(_)
        | Op::FunctionRequires
        | Op::FunctionReads => Form::Special,
    }
}

fn literal(l: &Literal) -> String {
    let text = |cs: &[u32]| {
        cs.iter()
            .map(|c| char::from_u32(*c).unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect::<String>()
    };
    match l {
        Literal::Bool(b) => b.to_string(),
        Literal::Int(n) => n.to_string(),
        Literal::Real(r) => r.to_string(),
        Literal::Char(c) => format!(
            "{:?}",
            char::from_u32(*c).unwrap_or(char::REPLACEMENT_CHARACTER)
        ),
        Literal::String(cs) => format!("{:?}", text(cs)),
        Literal::Null => "null".into(),
    }
}

/// Returns the text that distinguishes an assertion of this kind.
fn assertion(kind: AssertKind) -> &'static str {
    match kind {
        AssertKind::Assert => "",
        AssertKind::Termination => " (termination)",
        AssertKind::Invariant => " (invariant)",
        AssertKind::InvariantKept => " (invariant, kept)",
        AssertKind::Decreases => " (measure)",
        AssertKind::Frame => " (frame)",
        AssertKind::Reads => " (reads)",
        AssertKind::CallPrecondition => " (precondition)",
        AssertKind::LoopRange => " (loop range)",
        AssertKind::TypeConstraint => " (type constraint)",
        AssertKind::MissingCase => " (missing case)",
        AssertKind::Aliasing => " (aliasing)",
        AssertKind::Unique => " (unique)",
        AssertKind::Constructor => " (constructor)",
        AssertKind::Allocated => " (allocated)",
        AssertKind::Override => " (override)",
        AssertKind::Witness => " (witness)",
        AssertKind::Inhabited => " (inhabited)",
        AssertKind::Size => " (size)",
        AssertKind::Application => " (application)",
        AssertKind::Postcondition => " (postcondition)",
        AssertKind::Assigned => " (assigned)",
    }
}

/// Returns the word that introduces a check.
fn check_word(check: &Check) -> &'static str {
    match check {
        Check::Assert => "assert",
        Check::Termination => "assert smaller",
        Check::Type => "assert of a type",
        Check::Result => "assert of a result",
        Check::Decreases => "assert of a measure",
        Check::Reads => "assert of a frame",
        Check::Allocated => "assert of an older state",
        Check::Application => "assert of an application",
        Check::Aliasing => "assert of one value a key",
        Check::Case => "assert of a case",
        Check::Unique => "assert of one choice",
        Check::Constructor => "assert of a constructor",
        Check::Precondition(_) => "assert of a precondition",
        Check::WellFormed => "evaluate",
        Check::Assume => "assume",
    }
}

/// Returns the name of a part of a contract.
fn contract_part(part: ContractPart) -> String {
    match part {
        ContractPart::Requires(i) => format!("requires {i}"),
        ContractPart::Measure(i) => format!("measure {i}"),
        ContractPart::Modifies(i) => format!("modifies {i}"),
        ContractPart::Reads(i) => format!("reads {i}"),
        ContractPart::Ensures(i) => format!("ensures {i}"),
    }
}

/// Returns the text of a label behind the word that refers to it.
fn at(label: &Option<dafny_source::Name>) -> String {
    label.as_ref().map_or_else(String::new, |l| format!("@{l}"))
}
