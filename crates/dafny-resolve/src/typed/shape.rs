//! Views of expressions for recurring questions: control flow, terms, origins, temporal operators
//! and comprehensions.
//!
//! Each view lists all forms of [`ExprKind`] in one place, so that a new form has to be classified
//! here. Its users match on a few variants instead.

use super::{
    BinaryOp, Call, CallableId, CtorId, Expr, ExprCase, ExprKind, FieldId, Frame, LetOrFail,
    Literal, LocalId,
};
use super::{Pattern, Quantified, Stmt, UnaryOp};

/// A short-circuit operator. `a <== b` counts as `b ==> a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortCircuit {
    /// The operator `&&`.
    And,
    /// The operator `||`.
    Or,
    /// The operator `==>`.
    Implies,
}

impl ShortCircuit {
    /// The value of the left operand for which the right one is evaluated.
    pub fn goes_on_with(self) -> bool {
        match self {
            Self::And | Self::Implies => true,
            Self::Or => false,
        }
    }

    /// The value of the whole expression if the right operand is not evaluated.
    pub fn otherwise(self) -> bool {
        match self {
            Self::And => false,
            Self::Or | Self::Implies => true,
        }
    }

    /// The values of the left and the right operand if the whole expression has this value. `None`
    /// if they are not unique.
    pub fn operands(self, whole: bool) -> Option<(bool, bool)> {
        (whole != self.otherwise()).then_some((self.goes_on_with(), whole))
    }
}

/// Defines the view `$Control`, which holds the parts of an expression by `$reference`, and the
/// method that returns it.
macro_rules! control {
    ($(#[$doc:meta])* $Control:ident, $control:ident, [$($reference:tt)+] $($mutable:tt)?) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $Control<'e> {
            /// A short-circuit operator: `left && right`, `left || right` or `left ==> right`. For
            /// `right <== left`, `left` is evaluated first as well.
            ShortCircuit {
                /// The operator.
                op: ShortCircuit,
                /// The operand that is always evaluated.
                left: $($reference)+ Expr,
                /// The operand that is evaluated if `left` does not determine the result.
                right: $($reference)+ Expr,
            },
            /// A negation `!e`, which inverts the control flow of `e`.
            Not($($reference)+ Expr),
            /// A chained comparison. Operands after the second one are evaluated only if the
            /// previous links hold.
            Chain {
                /// The first operand.
                first: $($reference)+ Expr,
                /// The operators with their right operands.
                rest: $($reference)+ [(BinaryOp, Expr)],
            },
            /// A conditional.
            If {
                /// The condition.
                cond: $($reference)+ Expr,
                /// The value if the condition is true.
                then: $($reference)+ Expr,
                /// The value if the condition is false.
                els: $($reference)+ Expr,
            },
            /// A binding conditional `if x :| P`.
            IfBinding {
                /// The variables.
                vars: $($reference)+ Quantified,
                /// The value if the condition is satisfiable.
                then: $($reference)+ Expr,
                /// The value otherwise.
                els: $($reference)+ Expr,
            },
            /// A `match` expression.
            Match {
                /// The matched value.
                scrutinee: $($reference)+ Expr,
                /// The cases.
                cases: $($reference)+ [ExprCase],
            },
            /// A binding `var p := e; body`.
            Let {
                /// Whether the variables are ghost.
                ghost: bool,
                /// The patterns and their values.
                bindings: $($reference)+ [(Pattern, Expr)],
                /// The body of the binding.
                body: $($reference)+ Expr,
            },
            /// A choice `var x :| P; body`.
            LetSuchThat {
                /// Whether the variables are ghost.
                ghost: bool,
                /// The variables.
                vars: $($reference)+ Quantified,
                /// The body of the choice.
                body: $($reference)+ Expr,
            },
            /// A failure binding `var p :- e; body`.
            LetOrFail($($reference)+ LetOrFail),
            /// A statement before an expression.
            StmtExpr {
                /// The statement.
                stmt: $($reference)+ Stmt,
                /// The value.
                body: $($reference)+ Expr,
            },
            /// An expression that is evaluated when it is first used.
            Delayed($($reference)+ Expr),
            /// No control flow: the operands are evaluated one after the other, or under binders.
            Strict,
        }

        impl Expr {
            $(#[$doc])*
            pub fn $control(&$($mutable)? self) -> $Control<'_> {
                match &$($mutable)? self.kind {
                    ExprKind::Binary(BinaryOp::And, left, right) => $Control::ShortCircuit { op: ShortCircuit::And, left, right },
                    ExprKind::Binary(BinaryOp::Or, left, right) => $Control::ShortCircuit { op: ShortCircuit::Or, left, right },
                    ExprKind::Binary(BinaryOp::Implies, left, right) | ExprKind::Binary(BinaryOp::Explies, right, left) => {
                        $Control::ShortCircuit { op: ShortCircuit::Implies, left, right }
                    }
                    ExprKind::Unary(UnaryOp::Not, operand) => $Control::Not(operand),
                    ExprKind::Chain { first, rest } => $Control::Chain { first, rest },
                    ExprKind::If { cond, then, els } => $Control::If { cond, then, els },
                    ExprKind::IfBinding { vars, then, els } => $Control::IfBinding { vars, then, els },
                    ExprKind::Match { scrutinee, cases } => $Control::Match { scrutinee, cases },
                    ExprKind::Let { ghost, bindings, body } => $Control::Let { ghost: *ghost, bindings, body },
                    ExprKind::LetSuchThat { ghost, vars, body } => $Control::LetSuchThat { ghost: *ghost, vars, body },
                    ExprKind::LetOrFail(l) => $Control::LetOrFail(l),
                    ExprKind::StmtExpr { stmt, body } => $Control::StmtExpr { stmt, body },
                    ExprKind::Delayed(e) => $Control::Delayed(e),
                    ExprKind::Literal(_)
                    | ExprKind::Local(_)
                    | ExprKind::This
                    | ExprKind::Field { .. }
                    | ExprKind::Builtin { .. }
                    | ExprKind::CtorTest { .. }
                    | ExprKind::TupleField { .. }
                    | ExprKind::Construct { .. }
                    | ExprKind::Call(_)
                    | ExprKind::FunctionRef { .. }
                    | ExprKind::Apply { .. }
                    | ExprKind::Index { .. }
                    | ExprKind::Slice { .. }
                    | ExprKind::SliceLengths { .. }
                    | ExprKind::Update { .. }
                    | ExprKind::DatatypeUpdate { .. }
                    | ExprKind::TupleUpdate { .. }
                    | ExprKind::Unary(UnaryOp::BitNot | UnaryOp::Neg, _)
                    | ExprKind::Binary(
                        BinaryOp::Iff
                        | BinaryOp::Eq
                        | BinaryOp::Ne
                        | BinaryOp::Lt
                        | BinaryOp::Le
                        | BinaryOp::Gt
                        | BinaryOp::Ge
                        | BinaryOp::Above
                        | BinaryOp::In
                        | BinaryOp::NotIn
                        | BinaryOp::Disjoint
                        | BinaryOp::Shl
                        | BinaryOp::Shr
                        | BinaryOp::Add
                        | BinaryOp::Sub
                        | BinaryOp::Mul
                        | BinaryOp::Div
                        | BinaryOp::Mod
                        | BinaryOp::BitAnd
                        | BinaryOp::BitOr
                        | BinaryOp::BitXor,
                        ..,
                    )
                    | ExprKind::PrefixEq { .. }
                    | ExprKind::Convert(_)
                    | ExprKind::Is(..)
                    | ExprKind::Cardinality(_)
                    | ExprKind::Tuple(_)
                    | ExprKind::SeqDisplay(_)
                    | ExprKind::SetDisplay(_)
                    | ExprKind::MultisetDisplay(_)
                    | ExprKind::MultisetFrom(_)
                    | ExprKind::MapDisplay(_)
                    | ExprKind::SeqConstruct { .. }
                    | ExprKind::SetComp { .. }
                    | ExprKind::MapComp { .. }
                    | ExprKind::Quantifier { .. }
                    | ExprKind::Lambda(_)
                    | ExprKind::Old { .. }
                    | ExprKind::Fresh { .. }
                    | ExprKind::Allocated(_)
                    | ExprKind::Unchanged { .. }
                    | ExprKind::Assigned(_)
                    | ExprKind::Wildcard
                    | ExprKind::Error => $Control::Strict,
                }
            }
        }
    };
}

control! {
    /// The control flow at the root of an expression.
    Control, control, [&'e]
}

control! {
    /// The control flow at the root of an expression, with mutable parts.
    ControlMut, control_mut, [&'e mut] mut
}

/// An expression as a term over variables and constants.
#[derive(Clone, Copy, Debug)]
pub enum Term<'e> {
    /// A literal.
    Literal(&'e Literal),
    /// A variable.
    Local(LocalId),
    /// A field or constant.
    Field(FieldId),
    /// An operator with one operand.
    Unary(UnaryOp, &'e Expr),
    /// An operator with two operands.
    Binary(BinaryOp, &'e Expr, &'e Expr),
    /// A conversion `e as T`.
    Convert(&'e Expr),
    /// Any other expression.
    Other,
}

/// The declaration from which the value of an expression comes.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'e> {
    /// A variable.
    Local(LocalId),
    /// A field, constant or destructor.
    Field(FieldId),
    /// A call.
    Call(&'e Call),
    /// A function as a value.
    Function(CallableId),
    /// A datatype constructor with its arguments.
    Ctor(CtorId, &'e [Expr]),
}

/// An operator on states of the heap.
#[derive(Clone, Copy, Debug)]
pub enum Temporal<'e> {
    /// A value in an earlier state, `old(e)` or `old@L(e)`.
    Old(&'e Expr),
    /// A freshness test `fresh(e)`.
    Fresh(&'e Expr),
    /// A comparison of states `unchanged(…)`.
    Unchanged(&'e [Frame]),
    /// An allocation test `allocated(e)`.
    Allocated(&'e Expr),
}

/// An expression whose variables are bound to all values in a range.
#[derive(Clone, Copy, Debug)]
pub enum Comprehension<'e> {
    /// A quantifier.
    Quantifier {
        /// Whether it is `forall`.
        forall: bool,
        /// The variables and their range.
        vars: &'e Quantified,
        /// The body.
        body: &'e Expr,
    },
    /// A set comprehension `set x | P :: e`.
    Set {
        /// The variables and their range.
        vars: &'e Quantified,
        /// The element.
        term: &'e Expr,
    },
    /// A map comprehension `map x | P :: k := v`.
    Map {
        /// The variables and their range.
        vars: &'e Quantified,
        /// The key.
        key: &'e Expr,
    },
    /// A binding conditional `if x :| P then a else b`, decided by whether values exist.
    If(&'e Quantified),
}

impl ExprKind {
    /// The view of the expression as a term.
    pub fn term(&self) -> Term<'_> {
        match self {
            Self::Literal(l) => Term::Literal(l),
            Self::Local(l) => Term::Local(*l),
            Self::Field { field, .. } => Term::Field(*field),
            Self::Unary(op, e) => Term::Unary(*op, e),
            Self::Binary(op, a, b) => Term::Binary(*op, a, b),
            Self::Convert(e) => Term::Convert(e),
            Self::This
            | Self::Builtin { .. }
            | Self::CtorTest { .. }
            | Self::TupleField { .. }
            | Self::Wildcard
            | Self::Error => Term::Other,
            Self::Construct { .. }
            | Self::Delayed(_)
            | Self::Call(_)
            | Self::FunctionRef { .. }
            | Self::Apply { .. } => Term::Other,
            Self::Index { .. }
            | Self::Slice { .. }
            | Self::SliceLengths { .. }
            | Self::Cardinality(_) => Term::Other,
            Self::Update { .. }
            | Self::DatatypeUpdate { .. }
            | Self::TupleUpdate { .. }
            | Self::Tuple(_) => Term::Other,
            Self::Chain { .. }
            | Self::PrefixEq { .. }
            | Self::Is(..)
            | Self::SeqDisplay(_)
            | Self::SetDisplay(_) => Term::Other,
            Self::MultisetDisplay(_)
            | Self::MultisetFrom(_)
            | Self::MapDisplay(_)
            | Self::SeqConstruct { .. } => Term::Other,
            Self::SetComp { .. }
            | Self::MapComp { .. }
            | Self::Quantifier { .. }
            | Self::Lambda(_) => Term::Other,
            Self::If { .. }
            | Self::IfBinding { .. }
            | Self::Match { .. }
            | Self::Let { .. }
            | Self::LetSuchThat { .. } => Term::Other,
            Self::LetOrFail(_) | Self::StmtExpr { .. } | Self::Assigned(_) => Term::Other,
            Self::Old { .. } | Self::Fresh { .. } | Self::Allocated(_) | Self::Unchanged { .. } => {
                Term::Other
            }
        }
    }

    /// The declaration from which the value comes, if the expression names one.
    pub fn origin(&self) -> Option<Origin<'_>> {
        match self {
            Self::Local(l) => Some(Origin::Local(*l)),
            Self::Field { field, .. } => Some(Origin::Field(*field)),
            Self::Call(call) => Some(Origin::Call(call)),
            Self::FunctionRef { callee, .. } => Some(Origin::Function(*callee)),
            Self::Construct { ctor, args } => Some(Origin::Ctor(*ctor, args)),
            Self::Literal(_)
            | Self::This
            | Self::Builtin { .. }
            | Self::CtorTest { .. }
            | Self::TupleField { .. } => None,
            Self::Delayed(_)
            | Self::Apply { .. }
            | Self::Index { .. }
            | Self::Slice { .. }
            | Self::SliceLengths { .. } => None,
            Self::Update { .. }
            | Self::DatatypeUpdate { .. }
            | Self::TupleUpdate { .. }
            | Self::Tuple(_) => None,
            Self::Unary(..)
            | Self::Binary(..)
            | Self::Chain { .. }
            | Self::PrefixEq { .. }
            | Self::Convert(_)
            | Self::Is(..) => None,
            Self::Cardinality(_)
            | Self::SeqDisplay(_)
            | Self::SetDisplay(_)
            | Self::MultisetDisplay(_)
            | Self::MultisetFrom(_) => None,
            Self::MapDisplay(_)
            | Self::SeqConstruct { .. }
            | Self::SetComp { .. }
            | Self::MapComp { .. } => None,
            Self::Quantifier { .. }
            | Self::Lambda(_)
            | Self::If { .. }
            | Self::IfBinding { .. }
            | Self::Match { .. } => None,
            Self::Let { .. }
            | Self::LetSuchThat { .. }
            | Self::LetOrFail(_)
            | Self::StmtExpr { .. } => None,
            Self::Old { .. }
            | Self::Fresh { .. }
            | Self::Allocated(_)
            | Self::Unchanged { .. }
            | Self::Assigned(_) => None,
            Self::Wildcard | Self::Error => None,
        }
    }

    /// The temporal operator at the root of the expression, if any.
    pub fn temporal(&self) -> Option<Temporal<'_>> {
        match self {
            Self::Old { expr, .. } => Some(Temporal::Old(expr)),
            Self::Fresh { expr, .. } => Some(Temporal::Fresh(expr)),
            Self::Unchanged { frame, .. } => Some(Temporal::Unchanged(frame)),
            Self::Allocated(e) => Some(Temporal::Allocated(e)),
            Self::Literal(_)
            | Self::Local(_)
            | Self::This
            | Self::Field { .. }
            | Self::Builtin { .. }
            | Self::CtorTest { .. } => None,
            Self::TupleField { .. }
            | Self::Construct { .. }
            | Self::Delayed(_)
            | Self::Call(_)
            | Self::FunctionRef { .. } => None,
            Self::Apply { .. }
            | Self::Index { .. }
            | Self::Slice { .. }
            | Self::SliceLengths { .. }
            | Self::Update { .. } => None,
            Self::DatatypeUpdate { .. }
            | Self::TupleUpdate { .. }
            | Self::Tuple(_)
            | Self::Unary(..)
            | Self::Binary(..) => None,
            Self::Chain { .. }
            | Self::PrefixEq { .. }
            | Self::Convert(_)
            | Self::Is(..)
            | Self::Cardinality(_) => None,
            Self::SeqDisplay(_)
            | Self::SetDisplay(_)
            | Self::MultisetDisplay(_)
            | Self::MultisetFrom(_)
            | Self::MapDisplay(_) => None,
            Self::SeqConstruct { .. }
            | Self::SetComp { .. }
            | Self::MapComp { .. }
            | Self::Quantifier { .. }
            | Self::Lambda(_) => None,
            Self::If { .. }
            | Self::IfBinding { .. }
            | Self::Match { .. }
            | Self::Let { .. }
            | Self::LetSuchThat { .. } => None,
            Self::LetOrFail(_)
            | Self::StmtExpr { .. }
            | Self::Assigned(_)
            | Self::Wildcard
            | Self::Error => None,
        }
    }

    /// The view of the expression as a comprehension, if it is one. A choice `var x :| P` is none,
    /// because it takes one value.
    pub fn comprehension(&self) -> Option<Comprehension<'_>> {
        match self {
            Self::Quantifier { forall, vars, body } => Some(Comprehension::Quantifier {
                forall: *forall,
                vars,
                body,
            }),
            Self::SetComp { vars, term } => Some(Comprehension::Set { vars, term }),
            Self::MapComp { vars, key, .. } => Some(Comprehension::Map { vars, key }),
            Self::IfBinding { vars, .. } => Some(Comprehension::If(vars)),
            Self::Literal(_)
            | Self::Local(_)
            | Self::This
            | Self::Field { .. }
            | Self::Builtin { .. }
            | Self::CtorTest { .. } => None,
            Self::TupleField { .. }
            | Self::Construct { .. }
            | Self::Delayed(_)
            | Self::Call(_)
            | Self::FunctionRef { .. } => None,
            Self::Apply { .. }
            | Self::Index { .. }
            | Self::Slice { .. }
            | Self::SliceLengths { .. }
            | Self::Update { .. } => None,
            Self::DatatypeUpdate { .. }
            | Self::TupleUpdate { .. }
            | Self::Tuple(_)
            | Self::Unary(..)
            | Self::Binary(..) => None,
            Self::Chain { .. }
            | Self::PrefixEq { .. }
            | Self::Convert(_)
            | Self::Is(..)
            | Self::Cardinality(_) => None,
            Self::SeqDisplay(_)
            | Self::SetDisplay(_)
            | Self::MultisetDisplay(_)
            | Self::MultisetFrom(_)
            | Self::MapDisplay(_) => None,
            Self::SeqConstruct { .. }
            | Self::Lambda(_)
            | Self::If { .. }
            | Self::Match { .. }
            | Self::Let { .. } => None,
            Self::LetSuchThat { .. }
            | Self::LetOrFail(_)
            | Self::StmtExpr { .. }
            | Self::Assigned(_) => None,
            Self::Old { .. }
            | Self::Fresh { .. }
            | Self::Allocated(_)
            | Self::Unchanged { .. }
            | Self::Wildcard
            | Self::Error => None,
        }
    }
}
