//! Notation of trees in tests: every operator with its parentheses, so that a line of a table
//! shows how a text was read.

use crate::ast::{Access, Binder, Clause, Decl, Expr, ExprKind, Stmt, StmtKind, Type, TypeKind};
use crate::parse;

/// Returns the messages of a text, each with its line and column.
pub(crate) fn errors(text: &str) -> Vec<String> {
    let mut sources = dafny_source::SourceMap::new();
    let _ = sources.add("t.bpl", text, true);
    let (_, diagnostics) = parse(0, text);
    let located = |d: dafny_source::diagnostic::Diagnostic| {
        let start = d.span.map_or(0, |s| s.start);
        let place = sources.line_column(start).expect("a position of the text");
        format!("{}:{}: {}", place.line, place.column, d.message)
    };
    diagnostics.into_iter().map(located).collect()
}

/// Parses a text without errors.
pub(crate) fn decls(text: &str) -> Vec<Decl> {
    let (program, diagnostics) = parse(0, text);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    program.decls
}

/// Parses one expression.
pub(crate) fn expr(text: &str) -> String {
    match decls(&format!("axiom {text};")).as_slice() {
        [Decl::Axiom(axiom)] => shape(&axiom.expr),
        other => panic!("{text}: {other:?}"),
    }
}

/// Parses one type.
pub(crate) fn ty(text: &str) -> String {
    match decls(&format!("const c: {text};")).as_slice() {
        [Decl::Const(c)] => type_shape(&c.ty),
        other => panic!("{text}: {other:?}"),
    }
}

/// Parses the statements of a procedure.
pub(crate) fn stmts(text: &str) -> Vec<String> {
    match decls(&format!("procedure P() {{ {text} }}")).as_slice() {
        [Decl::Procedure(p)] => {
            let body = p.body.as_ref().expect("a body");
            body.stmts.iter().map(stmt_shape).collect()
        }
        other => panic!("{text}: {other:?}"),
    }
}

fn list<T>(items: &[T], shape: impl Fn(&T) -> String) -> String {
    items.iter().map(shape).collect::<Vec<_>>().join(", ")
}

/// Returns a type with parentheses around the arguments that have arguments themselves.
pub(crate) fn type_shape(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Bool => "bool".into(),
        TypeKind::Int => "int".into(),
        TypeKind::Real => "real".into(),
        TypeKind::Named(name, args) => {
            let argument = |a: &Type| match &a.kind {
                TypeKind::Named(_, inner) if !inner.is_empty() => format!(" ({})", type_shape(a)),
                _ => format!(" {}", type_shape(a)),
            };
            format!("{name}{}", args.iter().map(argument).collect::<String>())
        }
        TypeKind::Map(params, args, result) => {
            let params = match params.as_slice() {
                [] => String::new(),
                some => format!("<{}>", list(some, |p| p.name.to_string())),
            };
            format!("{params}[{}]{}", list(args, type_shape), type_shape(result))
        }
    }
}

/// Returns an expression with all parentheses.
pub(crate) fn shape(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Real(r) => format!("{r}r"),
        ExprKind::Bv(n, w) => format!("{n}bv{w}"),
        ExprKind::Float(text) | ExprKind::Rounding(text) => text.to_string(),
        ExprKind::String(text) => format!("{text:?}"),
        ExprKind::Ident(name) => name.to_string(),
        ExprKind::Call(f, args) => format!("{}({})", f.name, list(args, shape)),
        ExprKind::Old(a) => format!("old({})", shape(a)),
        ExprKind::ToInt(a) => format!("int({})", shape(a)),
        ExprKind::ToReal(a) => format!("real({})", shape(a)),
        ExprKind::Quantifier(q) => {
            let binder = match q.binder {
                Binder::Forall => "forall",
                Binder::Exists => "exists",
                Binder::Lambda => "lambda",
            };
            let types = match q.type_params.as_slice() {
                [] => String::new(),
                some => format!("<{}>", list(some, |p| p.name.to_string())),
            };
            let vars = list(&q.vars, |v| {
                format!("{}: {}", v.name.name, type_shape(&v.ty))
            });
            let trigger = |(positive, parts, _): &(bool, Vec<Expr>, _)| {
                let sign = if *positive { "" } else { "not " };
                format!("{{{sign}{}}} ", list(parts, shape))
            };
            let triggers: String = q.triggers.iter().map(trigger).collect();
            format!("({binder}{types} {vars} :: {triggers}{})", shape(&q.body))
        }
        ExprKind::Let(names, values, body) => {
            let names = list(names, |n| n.name.to_string());
            format!("(var {names} := {}; {})", list(values, shape), shape(body))
        }
        ExprKind::If(c, a, b) => {
            format!("(if {} then {} else {})", shape(c), shape(a), shape(b))
        }
        ExprKind::Code(body) => format!("|{{ {} }}|", list(&body.stmts, stmt_shape)),
        ExprKind::Not(a) => format!("!{}", shape(a)),
        ExprKind::Neg(a) => format!("-{}", shape(a)),
        ExprKind::Binary(op, a, b, _) => format!("({} {} {})", shape(a), op.text(), shape(b)),
        ExprKind::Select(m, args, _) => format!("{}[{}]", shape(m), list(args, shape)),
        ExprKind::Store(m, args, value, _) => {
            format!("{}[{} := {}]", shape(m), list(args, shape), shape(value))
        }
        ExprKind::Extract(a, high, low) => format!("{}[{high}:{low}]", shape(a)),
        ExprKind::Coerce(a, ty) => format!("({}: {})", shape(a), type_shape(ty)),
        ExprKind::Field(a, name) => format!("{}->{}", shape(a), name.name),
        ExprKind::FieldUpdate(a, name, value) => {
            format!("{}->({} := {})", shape(a), name.name, shape(value))
        }
        ExprKind::Is(a, name) => format!("({} is {})", shape(a), name.name),
    }
}

fn guard(condition: Option<&Expr>) -> String {
    condition.map_or_else(|| "*".into(), shape)
}

/// Returns a clause with its `free`.
pub(crate) fn clause(keyword: &str, c: &Clause) -> String {
    let free = if c.free { "free " } else { "" };
    format!("{free}{keyword} {}", shape(&c.expr))
}

fn block(stmts: &[Stmt]) -> String {
    let inside: Vec<String> = stmts.iter().map(stmt_shape).collect();
    format!("{{ {} }}", inside.join(" "))
}

/// Returns a statement on one line.
pub(crate) fn stmt_shape(stmt: &Stmt) -> String {
    match &stmt.kind {
        StmtKind::Label(l) => format!("{}:", l.name),
        StmtKind::Assert(e) => format!("assert {};", shape(e)),
        StmtKind::Assume(e) => format!("assume {};", shape(e)),
        StmtKind::Havoc(vars) => format!("havoc {};", list(vars, |v| v.name.to_string())),
        StmtKind::Assign(targets, values) => {
            let access = |a: &Access| match a {
                Access::Index(indices, _) => format!("[{}]", list(indices, shape)),
                Access::Field(name) => format!("->{}", name.name),
            };
            let targets = list(targets, |t| {
                let path: String = t.path.iter().map(access).collect();
                format!("{}{path}", t.name.name)
            });
            format!("{targets} := {};", list(values, shape))
        }
        StmtKind::Unpack(c, names, value) => {
            let names = list(names, |n| n.name.to_string());
            format!("{}({names}) := {};", c.name, shape(value))
        }
        StmtKind::Call(c) => {
            let free = if c.free { "free " } else { "" };
            let outs = match c.outs.as_slice() {
                [] => String::new(),
                some => format!("{} := ", list(some, |o| o.name.to_string())),
            };
            let args = list(&c.args, shape);
            format!("{free}call {outs}{}({args});", c.procedure.name)
        }
        StmtKind::CallForall(name, args) => {
            let args = list(args, |a| guard(a.as_ref()));
            format!("call forall {}({args});", name.name)
        }
        StmtKind::If(c, then, other) => {
            let other = match other {
                Some(stmts) => format!(" else {}", block(stmts)),
                None => String::new(),
            };
            format!("if ({}) {}{other}", guard(c.as_ref()), block(then))
        }
        StmtKind::While(c, invariants, body) => {
            let invariants: String = invariants
                .iter()
                .map(|i| format!(" {};", clause("invariant", i)))
                .collect();
            format!("while ({}){invariants} {}", guard(c.as_ref()), block(body))
        }
        StmtKind::Break(None) => "break;".into(),
        StmtKind::Break(Some(l)) => format!("break {};", l.name),
        StmtKind::Goto(labels) => format!("goto {};", list(labels, |l| l.name.to_string())),
        StmtKind::Return => "return;".into(),
        StmtKind::ReturnExpr(e) => format!("return {};", shape(e)),
        StmtKind::Hint => "hint;".into(),
    }
}
