//! Constructors of tree nodes that have no source text.

use dafny_syntax::ast::{
    Argument, Assign, BinaryOp, Block, Clause, ClauseKind, Expr, ExprKind, Formal, Guard, Ident,
    Literal, LocalVar, Name, Pattern, PatternKind, QualifiedName, Rhs, RhsKind, Span, Stmt,
    StmtKind, Type, TypeKind, TypeSegment, UnaryOp, Update, VarDecl,
};

pub(crate) fn ident(name: &str) -> Ident {
    Ident {
        name: Name::from(name),
        span: Span::default(),
    }
}

pub(crate) fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: Span::default(),
    }
}

pub(crate) fn var(name: &str) -> Expr {
    expr(ExprKind::Name {
        name: ident(name),
        type_args: None,
    })
}

pub(crate) fn int(n: i64) -> Expr {
    expr(ExprKind::Literal(Literal::Int(n.into())))
}

pub(crate) fn boolean(b: bool) -> Expr {
    expr(ExprKind::Literal(Literal::Bool(b)))
}

pub(crate) fn string(text: &str) -> Expr {
    expr(ExprKind::Literal(Literal::String {
        units: text.chars().map(u32::from).collect(),
        verbatim: false,
    }))
}

pub(crate) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

pub(crate) fn chain(first: Expr, rest: Vec<(BinaryOp, Expr)>) -> Expr {
    expr(ExprKind::Chain {
        first: Box::new(first),
        rest,
    })
}

pub(crate) fn not(e: Expr) -> Expr {
    expr(ExprKind::Unary(UnaryOp::Not, Box::new(e)))
}

pub(crate) fn index(object: Expr, at: Expr) -> Expr {
    expr(ExprKind::Index {
        object: Box::new(object),
        indices: vec![at],
    })
}

pub(crate) fn stmt(kind: StmtKind) -> Stmt {
    Stmt {
        labels: Vec::new(),
        attributes: Vec::new(),
        kind,
        span: Span::default(),
    }
}

pub(crate) fn block(stmts: Vec<Stmt>) -> Block {
    Block {
        stmts,
        divided_at: None,
        division: None,
        span: Span::default(),
    }
}

pub(crate) fn rhs(value: Expr) -> Rhs {
    Rhs {
        attributes: Vec::new(),
        kind: RhsKind::Expr(value),
        span: Span::default(),
    }
}

pub(crate) fn assign(lhs: Expr, value: Expr) -> Stmt {
    stmt(StmtKind::Update(Update {
        lhs: vec![lhs],
        assign: Assign::Rhs(vec![rhs(value)]),
    }))
}

pub(crate) fn declare(ghost: bool, name: &str, ty: Option<Type>, value: Rhs) -> Stmt {
    let vars = vec![LocalVar {
        attributes: Vec::new(),
        name: ident(name),
        ty,
    }];
    stmt(StmtKind::VarDecl(VarDecl {
        ghost,
        vars,
        init: Some(Assign::Rhs(vec![value])),
    }))
}

pub(crate) fn assert(cond: Expr) -> Stmt {
    stmt(StmtKind::Assert {
        label: None,
        cond: Some(cond),
        by: None,
    })
}

pub(crate) fn if_then(cond: Expr, then: Block) -> Stmt {
    stmt(StmtKind::If {
        guard: Guard::Expr(cond),
        then,
        els: None,
    })
}

pub(crate) fn break_to(label: &str) -> Stmt {
    stmt(StmtKind::Break {
        is_continue: false,
        count: 1,
        label: Some(ident(label)),
    })
}

pub(crate) fn clause(kind: ClauseKind) -> Clause {
    Clause {
        kind,
        is_yield: false,
        attributes: Vec::new(),
        label: None,
        span: Span::default(),
    }
}

pub(crate) fn invariant(cond: Expr) -> Clause {
    clause(ClauseKind::Invariant(cond))
}

pub(crate) fn named_type(name: &str, args: Vec<Type>) -> Type {
    let args = if args.is_empty() { None } else { Some(args) };
    Type {
        kind: TypeKind::Named(vec![TypeSegment {
            name: ident(name),
            args,
        }]),
        span: Span::default(),
    }
}
pub(crate) fn select(object: Expr, member: &str) -> Expr {
    expr(ExprKind::Select {
        object: Box::new(object),
        member: ident(member),
        type_args: None,
    })
}

pub(crate) fn call(callee: Expr, args: Vec<Expr>) -> Expr {
    let args = args
        .into_iter()
        .map(|value| Argument { name: None, value })
        .collect();
    expr(ExprKind::Call {
        callee: Box::new(callee),
        at_label: None,
        args,
    })
}

/// Builds the pattern of a variable.
pub(crate) fn pattern(name: &str, ty: Option<Type>) -> Pattern {
    let path = QualifiedName {
        segments: vec![ident(name)],
        span: Span::default(),
    };
    Pattern {
        kind: PatternKind::Name { path, ty },
        span: Span::default(),
    }
}

/// Builds `var x: T, y: U := a, b; body`.
pub(crate) fn let_in(bound: Vec<(Name, Option<Type>, Expr)>, body: Expr) -> Expr {
    let (mut patterns, mut values) = (Vec::new(), Vec::new());
    for (name, ty, value) in bound {
        patterns.push(pattern(&name, ty));
        values.push(value);
    }
    expr(ExprKind::Let {
        ghost: false,
        patterns,
        values,
        body: Box::new(body),
    })
}

/// Builds `(e)`, unless the expression needs no parentheses.
pub(crate) fn paren(e: Expr) -> Expr {
    if matches!(
        &e.kind,
        ExprKind::Paren(_) | ExprKind::Name { .. } | ExprKind::Literal(Literal::Bool(_))
    ) {
        e
    } else {
        expr(ExprKind::Paren(Box::new(e)))
    }
}

/// Builds a parameter.
pub(crate) fn formal(name: &str, ty: Type) -> Formal {
    Formal {
        attributes: Vec::new(),
        name: Some(ident(name)),
        ty,
        ghost: false,
        is_new: false,
        older: false,
        nameonly: false,
        default: None,
        span: Span::default(),
    }
}
