//! Verdicts of the resolver, and the notation of typed programs in tests.

use dafny_source::SourceMap;

use crate::typed::{
    Block, End, Expr, ExprKind, Implementation, Literal, Printed, Program, StmtKind, VarId,
};

/// Returns the messages of a program, each with its line.
pub(crate) fn errors(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let _ = sources.add("t.bpl", text, true);
    let (program, diagnostics) = boogie_syntax::parse(0, text);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    let found = crate::resolve(&program).err().unwrap_or_default();
    let located = |d: dafny_source::diagnostic::Diagnostic| {
        let start = d.span.map_or(0, |s| s.start);
        let line = sources.line_column(start).map_or(0, |l| l.line);
        format!("{line}: {}", d.message)
    };
    found.into_iter().map(located).collect()
}

/// Checks that each text is a program.
pub(crate) fn accepted(texts: &[&str]) {
    for text in texts {
        assert_eq!(errors(text), Vec::<String>::new(), "{text}");
    }
}

/// Checks the only message of each text.
pub(crate) fn rejected(table: &[(&str, &str)]) {
    for (text, message) in table {
        assert_eq!(errors(text), [*message], "{text}");
    }
}

/// Resolves a program without errors.
pub(crate) fn program(text: &str) -> Program {
    let (parsed, diagnostics) = boogie_syntax::parse(0, text);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    crate::resolve(&parsed).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

/// Returns the type of an expression, with the given declarations before it.
pub(crate) fn type_of(declarations: &str, text: &str) -> String {
    let all = program(&format!(
        "{declarations} function it(): bool {{ (var it := {text}; true) }}"
    ));
    let body = all.functions.iter().find(|f| &*f.name == "it");
    match body.and_then(|f| f.body.as_ref()).map(|e| &e.kind) {
        Some(ExprKind::Let(_, values, _)) => all.type_text(&values[0].ty),
        other => panic!("{text}: {other:?}"),
    }
}

/// Returns the blocks of the only implementation of the first procedure, one a line.
pub(crate) fn blocks(text: &str) -> Vec<String> {
    let all = program(text);
    let body = &all.procedures[0].implementations[0];
    body.blocks.iter().map(|b| block(&all, b)).collect()
}

/// Returns the only implementation of the first procedure.
pub(crate) fn implementation(program: &Program) -> &Implementation {
    &program.procedures[0].implementations[0]
}

fn list<T>(items: &[T], shape: impl Fn(&T) -> String) -> String {
    items.iter().map(shape).collect::<Vec<_>>().join(", ")
}

/// Returns a block: its loop, its statements and its end.
pub(crate) fn block(p: &Program, b: &Block) -> String {
    let mut parts = Vec::new();
    if let Some(head) = &b.head {
        let clauses = list(&head.invariants, |c| {
            let free = if c.free { "free " } else { "" };
            format!("{free}{}", expr(p, &c.expr))
        });
        parts.push(format!("loop({clauses})"));
    }
    parts.extend(b.stmts.iter().map(|s| stmt(p, &s.kind)));
    parts.push(match &b.end {
        End::Goto(targets) => format!("goto {}", list(targets, |t| t.0.to_string())),
        End::Branch(c, a, b) => format!("if {} goto {} else {}", expr(p, c), a.0, b.0),
        End::Return => "return".into(),
    });
    parts.join("; ")
}

fn name(p: &Program, v: VarId) -> String {
    p.var(v).name.to_string()
}

/// Returns a statement.
pub(crate) fn stmt(p: &Program, kind: &StmtKind) -> String {
    match kind {
        StmtKind::Assert(e) => format!("assert {}", expr(p, e)),
        StmtKind::AssertOnly(e) => format!("assert only {}", expr(p, e)),
        StmtKind::Assume(e) => format!("assume {}", expr(p, e)),
        StmtKind::Print(parts) => {
            let part = |x: &Printed| match x {
                Printed::Text(text) => format!("{text:?}"),
                Printed::Value(e) => expr(p, e),
            };
            format!("print {}", list(parts, part))
        }
        StmtKind::Assign(all) => list(all, |(v, e)| format!("{} := {}", name(p, *v), expr(p, e))),
        StmtKind::Havoc(vars) => format!("havoc {}", list(vars, |v| name(p, *v))),
        StmtKind::Call(c) => {
            let free = if c.free { "free " } else { "" };
            let types = match c.type_args.as_slice() {
                [] => String::new(),
                some => format!("<{}>", list(some, |t| p.type_text(t))),
            };
            let callee = &p.procedure(c.procedure).name;
            let (outs, args) = (
                list(&c.outs, |v| name(p, *v)),
                list(&c.args, |a| expr(p, a)),
            );
            format!("{free}call {outs} := {callee}{types}({args})")
        }
        StmtKind::Unsupported(what) => format!("unsupported {what}"),
    }
}

/// Returns an expression with all parentheses.
pub(crate) fn expr(p: &Program, e: &Expr) -> String {
    let fields = |all: &[(crate::typed::ConstructorId, usize)]| {
        list(all, |(c, i)| {
            let c = p.constructor(*c);
            format!("{}.{}", c.name, c.fields[*i].0)
        })
    };
    match &e.kind {
        ExprKind::Literal(l) => match l {
            Literal::Bool(b) => b.to_string(),
            Literal::Int(n) => n.to_string(),
            Literal::Real(r) => format!("{r}r"),
            Literal::Bv(n, w) => format!("{n}bv{w}"),
            Literal::Opaque(text) => text.to_string(),
        },
        ExprKind::Var(v) => name(p, *v),
        ExprKind::Call(f, types, args) => {
            let types = match types.as_slice() {
                [] => String::new(),
                some => format!("<{}>", list(some, |t| p.type_text(t))),
            };
            format!(
                "{}{types}({})",
                p.function(*f).name,
                list(args, |a| expr(p, a))
            )
        }
        ExprKind::Old(a) => format!("old({})", expr(p, a)),
        ExprKind::ToInt(a) => format!("int({})", expr(p, a)),
        ExprKind::ToReal(a) => format!("real({})", expr(p, a)),
        ExprKind::Quantifier(q) => {
            let vars = list(&q.vars, |v| name(p, *v));
            format!("({:?} {vars} :: {})", q.binder, expr(p, &q.body))
        }
        ExprKind::Let(vars, values, body) => {
            let vars = list(vars, |v| name(p, *v));
            format!(
                "(var {vars} := {}; {})",
                list(values, |v| expr(p, v)),
                expr(p, body)
            )
        }
        ExprKind::If(c, a, b) => {
            format!(
                "(if {} then {} else {})",
                expr(p, c),
                expr(p, a),
                expr(p, b)
            )
        }
        ExprKind::Not(a) => format!("!{}", expr(p, a)),
        ExprKind::Neg(a) => format!("-{}", expr(p, a)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", expr(p, a), op.text(), expr(p, b)),
        ExprKind::Select(m, _, args) => {
            format!("{}[{}]", expr(p, m), list(args, |a| expr(p, a)))
        }
        ExprKind::Store(m, _, args, value) => {
            let args = list(args, |a| expr(p, a));
            format!("{}[{args} := {}]", expr(p, m), expr(p, value))
        }
        ExprKind::Extract(a, high, low) => format!("{}[{high}:{low}]", expr(p, a)),
        ExprKind::Field(a, all) => format!("{}->{{{}}}", expr(p, a), fields(all)),
        ExprKind::FieldUpdate(a, all, value) => {
            format!(
                "{}->({{{}}} := {})",
                expr(p, a),
                fields(all),
                expr(p, value)
            )
        }
        ExprKind::Is(a, c) => format!("({} is {})", expr(p, a), p.constructor(*c).name),
        ExprKind::Code => "code".into(),
    }
}
