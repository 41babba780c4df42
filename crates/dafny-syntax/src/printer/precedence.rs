//! Binding strengths of operators, and the shapes of expressions that decide about parentheses.

use super::super::ast::{Assign, BinaryOp, Expr, ExprKind, QuantifiedVars, Stmt, StmtKind};

impl Level {
    /// The next stronger level.
    pub(super) fn tighter(self) -> Self {
        match self {
            Level::Top => Level::DecreasesTo,
            Level::DecreasesTo => Level::Iff,
            Level::Iff => Level::Implies,
            Level::Implies => Level::Logical,
            Level::Logical => Level::Relational,
            Level::Relational => Level::Shift,
            Level::Shift => Level::Term,
            Level::Term => Level::Factor,
            Level::Factor => Level::Bitwise,
            Level::Bitwise => Level::As,
            Level::As => Level::Unary,
            Level::Unary | Level::Primary => Level::Primary,
        }
    }
}

/// The binding strength of an operator: the production that parses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// `Expression`, which includes `call; e`.
    Top,
    /// The comparison `e decreases to e`.
    DecreasesTo,
    Iff,
    Implies,
    Logical,
    Relational,
    Shift,
    Term,
    Factor,
    Bitwise,
    As,
    Unary,
    Primary,
}

pub(super) fn binary_level(op: BinaryOp) -> Level {
    match op {
        BinaryOp::Iff => Level::Iff,
        BinaryOp::Implies | BinaryOp::Explies => Level::Implies,
        BinaryOp::And | BinaryOp::Or => Level::Logical,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            Level::Relational
        }
        BinaryOp::In | BinaryOp::NotIn | BinaryOp::Disjoint => Level::Relational,
        BinaryOp::Shl | BinaryOp::Shr => Level::Shift,
        BinaryOp::Add | BinaryOp::Sub => Level::Term,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => Level::Factor,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => Level::Bitwise,
    }
}

/// The syntactic behavior of an expression inside others.
pub(super) enum Shape {
    /// An expression that binds as strongly as the level.
    Binds(Level),
    /// An expression that extends as far to the right as possible.
    Endless,
}

pub(super) fn shape(kind: &ExprKind) -> Shape {
    match kind {
        ExprKind::StmtExpr { stmt, .. } if is_call(stmt) => Shape::Binds(Level::Top),
        ExprKind::DecreasesTo { from, to, .. } if from.len() == 1 && to.len() == 1 => {
            Shape::Binds(Level::DecreasesTo)
        }
        ExprKind::Binary(op, ..) => Shape::Binds(binary_level(*op)),
        ExprKind::Chain { .. } | ExprKind::PrefixEq { .. } => Shape::Binds(Level::Relational),
        ExprKind::As(..) | ExprKind::Is(..) => Shape::Binds(Level::As),
        ExprKind::Unary(..) => Shape::Binds(Level::Unary),
        // An operator may follow an expression that ends in a brace or in a bare variable.
        ExprKind::Match { braces: true, .. } => Shape::Binds(Level::Unary),
        ExprKind::SetComp {
            vars, term: None, ..
        } if is_bare(vars) => Shape::Binds(Level::Unary),
        ExprKind::SetComp { .. }
        | ExprKind::MapComp { .. }
        | ExprKind::Quantifier { .. }
        | ExprKind::Lambda { .. }
        | ExprKind::If { .. }
        | ExprKind::Match { .. }
        | ExprKind::Let { .. }
        | ExprKind::LetSuchThat { .. }
        | ExprKind::LetOrFail { .. }
        | ExprKind::StmtExpr { .. } => Shape::Endless,
        ExprKind::Literal(_)
        | ExprKind::This
        | ExprKind::Name { .. }
        | ExprKind::Select { .. }
        | ExprKind::DatatypeUpdate { .. }
        | ExprKind::Call { .. }
        | ExprKind::Index { .. }
        | ExprKind::Slice { .. }
        | ExprKind::SliceLengths { .. }
        | ExprKind::Update { .. }
        | ExprKind::Prefix { .. }
        | ExprKind::Cardinality(_)
        | ExprKind::Paren(_)
        | ExprKind::Tuple(_)
        | ExprKind::SeqDisplay(_)
        | ExprKind::SetDisplay { .. }
        | ExprKind::MultisetDisplay(_)
        | ExprKind::MultisetFrom(_)
        | ExprKind::MapDisplay { .. }
        | ExprKind::SeqConstruct { .. }
        | ExprKind::Old { .. }
        | ExprKind::Fresh { .. }
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged { .. }
        | ExprKind::Assigned(_)
        | ExprKind::Wildcard
        | ExprKind::DecreasesTo { .. }
        | ExprKind::Error => Shape::Binds(Level::Primary),
    }
}

fn is_bare(vars: &QuantifiedVars) -> bool {
    vars.range.is_none()
        && vars
            .vars
            .last()
            .is_some_and(|v| v.ty.is_none() && v.domain.is_none())
}

pub(super) fn is_call(stmt: &Stmt) -> bool {
    let StmtKind::Update(update) = &stmt.kind else {
        return false;
    };
    update.lhs.is_empty() && matches!(&update.assign, Assign::Rhs(rhs) if rhs.len() == 1)
}

/// The subexpression at the right end of an expression.
fn last_part(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Binary(_, _, last)
        | ExprKind::PrefixEq { right: last, .. }
        | ExprKind::Unary(_, last)
        | ExprKind::SetComp {
            term: Some(last), ..
        }
        | ExprKind::MapComp { value: last, .. }
        | ExprKind::Quantifier { body: last, .. }
        | ExprKind::Lambda { body: last, .. }
        | ExprKind::If { els: last, .. }
        | ExprKind::Let { body: last, .. }
        | ExprKind::LetSuchThat { body: last, .. }
        | ExprKind::LetOrFail { body: last, .. }
        | ExprKind::StmtExpr { body: last, .. } => Some(last),
        ExprKind::Chain { rest, .. } => rest.last().map(|(_, e)| e),
        ExprKind::DecreasesTo { from, to, .. } if from.len() == 1 && to.len() == 1 => to.last(),
        ExprKind::Match {
            cases,
            braces: false,
            ..
        } => cases.last().map(|c| &c.body),
        ExprKind::As(..)
        | ExprKind::Is(..)
        | ExprKind::SetComp { term: None, .. }
        | ExprKind::Match { braces: true, .. } => None,
        ExprKind::Literal(_)
        | ExprKind::This
        | ExprKind::Name { .. }
        | ExprKind::Select { .. }
        | ExprKind::DatatypeUpdate { .. }
        | ExprKind::Call { .. }
        | ExprKind::Index { .. }
        | ExprKind::Slice { .. }
        | ExprKind::SliceLengths { .. }
        | ExprKind::Update { .. }
        | ExprKind::Prefix { .. }
        | ExprKind::Cardinality(_)
        | ExprKind::Paren(_)
        | ExprKind::Tuple(_)
        | ExprKind::SeqDisplay(_)
        | ExprKind::SetDisplay { .. }
        | ExprKind::MultisetDisplay(_)
        | ExprKind::MultisetFrom(_)
        | ExprKind::MapDisplay { .. }
        | ExprKind::SeqConstruct { .. }
        | ExprKind::Old { .. }
        | ExprKind::Fresh { .. }
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged { .. }
        | ExprKind::Assigned(_)
        | ExprKind::Wildcard
        | ExprKind::DecreasesTo { .. }
        | ExprKind::Error => None,
    }
}

/// Whether a following `:=` would be parsed as that of a map comprehension inside the expression.
pub(super) fn takes_gets(e: &Expr) -> bool {
    std::iter::successors(Some(e), |e| last_part(e))
        .any(|e| matches!(e.kind, ExprKind::MapComp { key: None, .. }))
}
