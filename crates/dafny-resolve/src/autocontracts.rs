//! `{:autocontracts}`: completes a class by contracts in the style of dynamic frames (reference
//! manual, "{:autocontracts}").
//!
//! The members `Repr` and `Valid` are added when names are declared ([`add_members`]). Contracts
//! and bodies are completed on the parsed tree ([`complete`]), after the types of fields are known
//! well enough to tell which of them hold references. Dafny's conjunct `null !in Repr` is omitted:
//! the element type of our `Repr` is non-nullable.

use std::sync::Arc;

use crate::typed::{CallableKind, Type, TypeId};
use dafny_source::{Name, Span};
use dafny_syntax::ast::{
    self, Argument, Assign, BinaryOp, Block, ClauseKind, Expr, ExprKind, FrameExpr, Guard, Ident,
    Literal, Member, Rhs, RhsKind, Stmt, StmtKind, TypeKind, UnaryOp,
};
use dafny_syntax::{TokenKind, expr_to_string, lex};

use super::context::{Context, Member as Found, MissingArgs};
use super::declare::Pending;

/// Adds `Repr` and `Valid` to a class with the attribute, unless the class declares them.
pub(super) fn add_members(class: &mut ast::ClassDecl) {
    if !is_on(&class.modifiers.attributes).unwrap_or(false) {
        return;
    }
    let at = |name: &str| Ident {
        name: Name::from(name),
        span: class.name.span,
    };
    let span = class.name.span;
    let ghost = || ast::Modifiers {
        ghost: true,
        ..ast::Modifiers::default()
    };
    // `ghost var Repr: set<object>`
    if !class
        .members
        .iter()
        .any(|m| matches!(m, Member::Field(f) if &*f.name.name == "Repr"))
    {
        let named = |name: &str, args| {
            let segment = ast::TypeSegment {
                name: at(name),
                args,
            };
            ast::Type {
                kind: TypeKind::Named(vec![segment]),
                span,
            }
        };
        let ty = named("set", Some(vec![named("object", None)]));
        class.members.push(Member::Field(ast::FieldDecl {
            modifiers: ghost(),
            name: at("Repr"),
            ty,
            span,
        }));
    }
    // `ghost predicate Valid()`
    if !class.members.iter().any(
        |m| matches!(m, Member::Function(f) if &*f.name.name == "Valid" && !f.modifiers.is_static),
    ) {
        class.members.push(Member::Function(ast::FunctionDecl {
            modifiers: ghost(),
            kind: ast::FunctionKind::Predicate,
            ghost: true,
            name: at("Valid"),
            type_params: Vec::new(),
            k_type: None,
            ins: Vec::new(),
            result_name: None,
            result: None,
            spec: ast::Spec::default(),
            body: None,
            by_method: None,
            is_refining: false,
            head: span,
            span,
        }));
    }
}

/// Completes the members of all classes with the attribute.
pub(super) fn complete(cx: &mut Context, pending: &mut [Pending]) {
    let asks = |p: &Pending| match p {
        Pending::Class(id, ast) if is_on(&ast.modifiers.attributes).unwrap_or(false) => Some(*id),
        Pending::Datatype(..)
        | Pending::Class(..)
        | Pending::Newtype(..)
        | Pending::Type(..)
        | Pending::Iterator(..)
        | Pending::Synonym(..)
        | Pending::Field(..)
        | Pending::Const(..)
        | Pending::Function(..)
        | Pending::Method(..) => None,
    };
    let classes: Vec<TypeId> = pending.iter().filter_map(asks).collect();
    for class in classes {
        let parts: Vec<Part> = pending.iter().filter_map(|p| part(cx, class, p)).collect();
        let fields: Vec<Name> = cx.program[class]
            .fields
            .iter()
            .map(|f| cx.program[*f].name.clone())
            .collect();
        for p in pending.iter_mut() {
            match p {
                Pending::Function(id, ast)
                    if cx.program[*id].owner == Some(class) && !cx.program[*id].is_static =>
                {
                    let ghost = cx.program[*id].ghost;
                    complete_function(Arc::make_mut(ast), ghost, &parts);
                }
                Pending::Method(id, ast)
                    if cx.program[*id].owner == Some(class) && !cx.program[*id].is_static =>
                {
                    let (ghost, kind) = (cx.program[*id].ghost, cx.program[*id].kind);
                    complete_method(Arc::make_mut(ast), ghost, kind, &parts, &fields);
                }
                Pending::Datatype(..)
                | Pending::Class(..)
                | Pending::Newtype(..)
                | Pending::Type(..)
                | Pending::Iterator(..)
                | Pending::Synonym(..)
                | Pending::Field(..)
                | Pending::Const(..)
                | Pending::Function(..)
                | Pending::Method(..) => {}
            }
        }
    }
}

/// The setting of the attribute: `Some(false)` for `{:autocontracts false}`, `None` if it is
/// absent.
fn is_on(attributes: &[ast::Attribute]) -> Option<bool> {
    let attribute = attributes.iter().rev().find(|a| {
        &*a.name.name
            == if a.at {
                "AutoContracts"
            } else {
                "autocontracts"
            }
    })?;
    let off = attribute
        .args
        .iter()
        .any(|a| matches!(a.value.kind, ExprKind::Literal(Literal::Bool(false))));
    Some(!off)
}

/// A field of reference type. The referenced object belongs to the representation (`Repr`) of its
/// owner.
struct Part {
    name: Name,
    nullable: bool,
    has_repr: bool,
    has_valid: bool,
}

fn part(cx: &mut Context, class: TypeId, pending: &Pending) -> Option<Part> {
    let (id, ty, attributes) = match pending {
        Pending::Field(id, ast) => (*id, &ast.ty, &ast.modifiers.attributes),
        Pending::Const(id, ast) => (*id, ast.ty.as_ref()?, &ast.modifiers.attributes),
        Pending::Datatype(..)
        | Pending::Class(..)
        | Pending::Newtype(..)
        | Pending::Type(..)
        | Pending::Iterator(..)
        | Pending::Synonym(..)
        | Pending::Function(..)
        | Pending::Method(..) => return None,
    };
    let name = cx.program[id].name.clone();
    if cx.program[id].owner != Some(class)
        || cx.program[id].is_static
        || &*name == "Repr"
        || is_on(attributes) == Some(false)
    {
        return None;
    }
    // Discard the errors: the type is resolved again with the signature, which reports them.
    let reported = cx.diagnostics.len();
    let scope = cx.type_decl_scope(class);
    let params = cx.program[class].type_params.clone();
    let ty = cx.resolve_type_with(
        &scope,
        ty,
        &mut MissingArgs::Prefix {
            params,
            extend: None,
        },
    );
    cx.diagnostics.truncate(reported);
    // Arrays and `object` have neither `Repr` nor `Valid`; a class contributes the members it has.
    let part = |nullable, has_repr, has_valid| {
        Some(Part {
            name,
            nullable,
            has_repr,
            has_valid,
        })
    };
    if let Type::Array { nullable, .. } | Type::Object { nullable } = ty {
        part(nullable, false, false)
    } else if let Type::Named { decl, nullable, .. } = ty
        && cx.program.is_reference(&Type::named(decl, Vec::new()))
    {
        let member = |name: &str| cx.names.members_of(decl).and_then(|m| m.get(name)).copied();
        let has_repr = matches!(member("Repr"), Some(Found::Field(_)));
        let has_valid = match member("Valid") {
            Some(Found::Callable(c)) => {
                cx.program[c].kind == CallableKind::Function && !cx.program[c].is_static
            }
            Some(Found::Field(_) | Found::Ctor(_) | Found::CtorTest(_)) | None => false,
        };
        part(nullable, has_repr, has_repr && has_valid)
    } else {
        None
    }
}

fn complete_function(f: &mut ast::FunctionDecl, ghost: bool, parts: &[Part]) {
    if is_on(&f.modifiers.attributes) == Some(false) {
        return;
    }
    let make = Make(f.name.span);
    // Every function but `Valid` itself requires `Valid()` and, by default, reads `Repr`.
    if &*f.name.name != "Valid" {
        make.first(&mut f.spec, ClauseKind::Requires(make.valid(make.this())));
        if !f
            .spec
            .clauses
            .iter()
            .any(|c| matches!(c.kind, ClauseKind::Reads(_)))
        {
            make.last(
                &mut f.spec,
                ClauseKind::Reads(vec![make.frame(make.repr())]),
            );
        }
        return;
    }
    make.last(
        &mut f.spec,
        ClauseKind::Reads(vec![make.frame(make.this()), make.frame(make.repr())]),
    );
    // `Valid` reads the whole representation, and implies that `this` is part of it.
    let in_repr = make.binary(BinaryOp::In, make.this(), make.repr());
    make.first(
        &mut f.spec,
        ClauseKind::Ensures(make.binary(
            BinaryOp::Implies,
            make.valid(make.this()),
            in_repr.clone(),
        )),
    );
    if !ghost {
        return;
    }
    // The body of `Valid`: `this in Repr`, the conditions on each part, then the written body.
    let mut conjuncts = vec![in_repr];
    for part in parts {
        let field = || make.field(make.this(), &part.name);
        let mut holds = make.binary(BinaryOp::In, field(), make.repr());
        if part.has_repr {
            let inner = || make.field(field(), "Repr");
            holds = make.and(holds, make.binary(BinaryOp::Le, inner(), make.repr()));
            holds = make.and(holds, make.binary(BinaryOp::NotIn, make.this(), inner()));
        }
        if part.has_valid {
            holds = make.and(holds, make.valid(field()));
        }
        conjuncts.push(match part.nullable {
            true => make.paren(make.binary(
                BinaryOp::Implies,
                make.binary(BinaryOp::Ne, field(), make.null()),
                make.paren(holds),
            )),
            false => holds,
        });
    }
    let body = f.body.take().map(|b| make.paren(b));
    f.body = conjuncts
        .into_iter()
        .chain(body)
        .reduce(|a, b| make.and(a, b));
}

fn complete_method(
    m: &mut ast::MethodDecl,
    ghost: bool,
    kind: CallableKind,
    parts: &[Part],
    fields: &[Name],
) {
    if is_on(&m.modifiers.attributes) == Some(false) {
        return;
    }
    let make = Make(m.head);
    let valid = make.valid(make.this());
    // A constructor establishes `Valid` with a fresh `Repr`, which its second phase builds up.
    if kind == CallableKind::Constructor {
        make.first(&mut m.spec, ClauseKind::Ensures(make.fresh(make.repr())));
        make.first(&mut m.spec, ClauseKind::Ensures(valid));
        if let Some(body) = &mut m.body {
            body.divided_at.get_or_insert(body.stmts.len());
            let this = make.expr(ExprKind::SetDisplay {
                infinite: false,
                elements: vec![make.this()],
            });
            body.stmts.push(make.assign_repr(this));
            make.update_repr(body, parts);
        }
        return;
    }
    // Lemmas and queries only require `Valid()`; they change no object.
    if ghost || is_simple_query(m, fields) {
        let valid = match m.kind {
            ast::MethodKind::TwostateLemma => make.old(valid),
            ast::MethodKind::Method
            | ast::MethodKind::Constructor
            | ast::MethodKind::Lemma
            | ast::MethodKind::LeastLemma
            | ast::MethodKind::GreatestLemma => valid,
        };
        make.first(&mut m.spec, ClauseKind::Requires(valid));
        return;
    }
    // Every other method preserves `Valid` and may extend `Repr` by fresh objects only.
    let grown = make.binary(BinaryOp::Sub, make.repr(), make.old(make.repr()));
    make.first(&mut m.spec, ClauseKind::Ensures(make.fresh(grown)));
    make.first(&mut m.spec, ClauseKind::Ensures(valid.clone()));
    make.first(&mut m.spec, ClauseKind::Requires(valid));
    if !m
        .spec
        .clauses
        .iter()
        .any(|c| matches!(c.kind, ClauseKind::Modifies(_)))
    {
        make.last(
            &mut m.spec,
            ClauseKind::Modifies(vec![make.frame(make.repr())]),
        );
        if let Some(body) = &mut m.body {
            make.update_repr(body, parts);
        }
    }
}

/// Whether a method is a query: it has results, its body assigns to variables only, and its
/// postconditions mention one state only.
fn is_simple_query(m: &ast::MethodDecl, fields: &[Name]) -> bool {
    let two_state = |c: &ast::Clause| match &c.kind {
        ClauseKind::Ensures(e) => {
            let text = expr_to_string(e);
            lex(0, &text).tokens.iter().any(|t| {
                matches!(
                    t.kind,
                    TokenKind::Old | TokenKind::Fresh | TokenKind::Unchanged
                )
            })
        }
        ClauseKind::Requires(_)
        | ClauseKind::Invariant(_)
        | ClauseKind::Reads(_)
        | ClauseKind::Modifies(_)
        | ClauseKind::Decreases(_) => false,
    };
    let Some(body) = &m.body else { return false };
    !m.outs.is_empty()
        && body.stmts.iter().all(|s| assigns_variables_only(s, fields))
        && !m.spec.clauses.iter().any(two_state)
}

fn assigns_variables_only(stmt: &Stmt, fields: &[Name]) -> bool {
    let all = |stmts: &[Stmt]| stmts.iter().all(|s| assigns_variables_only(s, fields));
    let optional = |b: &Option<Block>| b.as_ref().is_none_or(|b| all(&b.stmts));
    match &stmt.kind {
        StmtKind::Update(u) => u.lhs.iter().all(
            |e| matches!(&e.kind, ExprKind::Name { name, .. } if !fields.contains(&name.name)),
        ),
        StmtKind::Block(b) | StmtKind::Opaque { body: b, .. } => all(&b.stmts),
        StmtKind::If { then, els, .. } => {
            all(&then.stmts)
                && els
                    .as_deref()
                    .is_none_or(|e| assigns_variables_only(e, fields))
        }
        StmtKind::IfCase(cases) | StmtKind::WhileCase { cases, .. } => {
            cases.iter().all(|c| all(&c.body))
        }
        StmtKind::While { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Forall { body, .. }
        | StmtKind::Modify { body, .. } => optional(body),
        StmtKind::Match { cases, .. } => cases.iter().all(|c| all(&c.body)),
        StmtKind::By { stmt, .. } => assigns_variables_only(stmt, fields),
        StmtKind::Assert { .. }
        | StmtKind::Assume(_)
        | StmtKind::Expect { .. }
        | StmtKind::Print(_)
        | StmtKind::VarDecl(_)
        | StmtKind::VarPattern { .. }
        | StmtKind::Break { .. }
        | StmtKind::Return(_)
        | StmtKind::Yield(_)
        | StmtKind::Reveal(_)
        | StmtKind::Hide(_)
        | StmtKind::Calc { .. }
        | StmtKind::Skeleton => true,
    }
}

/// Builder of tree nodes that all have the span of the member being completed.
struct Make(Span);

impl Make {
    fn expr(&self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.0 }
    }

    fn this(&self) -> Expr {
        self.expr(ExprKind::This)
    }

    fn null(&self) -> Expr {
        self.expr(ExprKind::Literal(Literal::Null))
    }

    fn field(&self, object: Expr, name: &str) -> Expr {
        let member = Ident {
            name: Name::from(name),
            span: self.0,
        };
        self.expr(ExprKind::Select {
            object: Box::new(object),
            member,
            type_args: None,
        })
    }

    fn repr(&self) -> Expr {
        self.field(self.this(), "Repr")
    }

    fn valid(&self, object: Expr) -> Expr {
        let callee = Box::new(self.field(object, "Valid"));
        self.expr(ExprKind::Call {
            callee,
            at_label: None,
            args: Vec::<Argument>::new(),
        })
    }

    fn binary(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)))
    }

    fn and(&self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::And, a, b)
    }

    fn paren(&self, e: Expr) -> Expr {
        self.expr(ExprKind::Paren(Box::new(e)))
    }

    fn old(&self, e: Expr) -> Expr {
        self.expr(ExprKind::Old {
            label: None,
            expr: Box::new(e),
        })
    }

    fn fresh(&self, e: Expr) -> Expr {
        self.expr(ExprKind::Fresh {
            label: None,
            expr: Box::new(e),
        })
    }

    fn frame(&self, object: Expr) -> FrameExpr {
        FrameExpr {
            object: Some(object),
            field: None,
            span: self.0,
        }
    }

    fn clause(&self, kind: ClauseKind) -> ast::Clause {
        ast::Clause {
            kind,
            is_yield: false,
            attributes: Vec::new(),
            label: None,
            span: self.0,
        }
    }

    fn first(&self, spec: &mut ast::Spec, kind: ClauseKind) {
        spec.clauses.insert(0, self.clause(kind));
    }

    fn last(&self, spec: &mut ast::Spec, kind: ClauseKind) {
        spec.clauses.push(self.clause(kind));
    }

    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt {
            labels: Vec::new(),
            attributes: Vec::new(),
            kind,
            span: self.0,
        }
    }

    fn assign_repr(&self, value: Expr) -> Stmt {
        let rhs = Rhs {
            attributes: Vec::new(),
            kind: RhsKind::Expr(value),
            span: self.0,
        };
        self.stmt(StmtKind::Update(ast::Update {
            lhs: vec![self.repr()],
            assign: Assign::Rhs(vec![rhs]),
        }))
    }

    /// Appends `if F != null && !(F in Repr && F.Repr <= Repr) { Repr := Repr + {F} + F.Repr; }`
    /// for each part.
    fn update_repr(&self, body: &mut Block, parts: &[Part]) {
        for part in parts {
            let field = || self.field(self.this(), &part.name);
            let single = self.expr(ExprKind::SetDisplay {
                infinite: false,
                elements: vec![field()],
            });
            let mut value = self.binary(BinaryOp::Add, self.repr(), single);
            let mut holds = self.binary(BinaryOp::In, field(), self.repr());
            if part.has_repr {
                let inner = || self.field(field(), "Repr");
                value = self.binary(BinaryOp::Add, value, inner());
                holds = self.and(holds, self.binary(BinaryOp::Le, inner(), self.repr()));
            }
            let mut cond = self.expr(ExprKind::Unary(UnaryOp::Not, Box::new(self.paren(holds))));
            if part.nullable {
                cond = self.and(self.binary(BinaryOp::Ne, field(), self.null()), cond);
            }
            let then = Block {
                stmts: vec![self.assign_repr(value)],
                divided_at: None,
                division: None,
                span: self.0,
            };
            body.stmts.push(self.stmt(StmtKind::If {
                guard: Guard::Expr(cond),
                then,
                els: None,
            }));
        }
    }
}
