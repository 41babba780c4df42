//! Rust expressions with their ownership.

use crate::rust::{Expr, Ident, Pat, Type, UnaryOp, expr, ident, pat, ty};

/// The ownership of an expression's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// A temporary, which can be moved.
    Owned,
    /// A place of the value's type, which must be cloned to be moved out.
    Place,
    /// A reference to the value.
    Ref,
}

/// A Rust expression.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    expr: Expr,
    own: Own,
    /// Whether the value's type is `Copy`.
    copy: bool,
    /// Whether the place or reference outlives the statement.
    stable: bool,
    /// The `Lazy` that holds the value, as a place or reference, which allows passing it on without
    /// evaluating it.
    lazy: Option<Expr>,
}

impl Code {
    /// Creates a temporary.
    pub(crate) fn owned(expr: impl Into<Expr>, copy: bool) -> Self {
        Self {
            expr: expr.into(),
            own: Own::Owned,
            copy,
            stable: false,
            lazy: None,
        }
    }

    /// Creates a variable.
    pub(crate) fn variable(name: &Ident, copy: bool) -> Self {
        Self::place(name, copy)
    }

    /// Creates a variable with a generated name, such as `this`.
    pub(crate) fn named(name: &str, copy: bool) -> Self {
        Self::variable(&ident(name), copy)
    }

    /// Creates a place that outlives the statement.
    pub(crate) fn place(expr: impl Into<Expr>, copy: bool) -> Self {
        Self {
            own: Own::Place,
            stable: true,
            ..Self::owned(expr, copy)
        }
    }

    /// Creates a variable that is a reference.
    pub(super) fn reference(expr: impl Into<Expr>, copy: bool) -> Self {
        Self {
            own: Own::Ref,
            ..Self::place(expr, copy)
        }
    }

    /// Creates a place or reference that lives as long as `root`.
    pub(super) fn within(expr: impl Into<Expr>, own: Own, copy: bool, root: &Code) -> Self {
        Self {
            own,
            stable: root.stable,
            ..Self::owned(expr, copy)
        }
    }

    /// Creates a place or reference to a value that `lazy` holds.
    pub(super) fn held_by(self, lazy: impl Into<Expr>) -> Self {
        Self {
            lazy: Some(lazy.into()),
            ..self
        }
    }

    /// Creates a variable that is a `Lazy` of the value, or a reference to one.
    pub(super) fn lazy_variable(name: &Ident, is_reference: bool) -> Self {
        let value = if is_reference {
            expr!(**#name)
        } else {
            expr!(*#name)
        };
        Self::place(value, false).held_by(name)
    }

    /// The `Lazy` that holds the value, if any.
    pub(super) fn lazy(&self) -> Option<&Expr> {
        self.lazy.as_ref()
    }

    /// Returns the ownership.
    pub(super) fn own(&self) -> Own {
        self.own
    }

    /// Whether the expression can be bound by reference.
    pub(super) fn is_stable(&self) -> bool {
        self.stable
    }

    /// Returns the variable, if the expression is just a variable.
    pub(super) fn name(&self) -> Option<&Ident> {
        if let Expr::Name(name) = &self.expr {
            Some(name)
        } else {
            None
        }
    }

    /// Returns an expression that yields the owned value.
    pub(crate) fn owned_value(&self) -> Expr {
        let e = &self.expr;
        match (self.own, self.copy, e) {
            (Own::Owned, ..) | (Own::Place, true, _) => e.clone(),
            (Own::Ref, true, _) => expr!(*#e),
            // Whether a variable is moved or cloned is decided by liveness, when the function is
            // complete.
            (Own::Place, false, Expr::Name(name)) if self.lazy.is_none() => {
                Expr::Take(name.clone())
            }
            (Own::Place | Own::Ref, false, _) => expr!(#e.clone()),
        }
    }

    /// Returns an expression that yields a reference to the value.
    pub(crate) fn borrowed(&self) -> Expr {
        let e = &self.expr;
        match self.own {
            Own::Owned | Own::Place => expr!(&#e),
            Own::Ref => e.clone(),
        }
    }

    /// Returns an operand of an operator that takes values and references alike.
    pub(super) fn operand(&self) -> Expr {
        let e = &self.expr;
        match (self.own, self.copy) {
            (Own::Owned, _) | (Own::Place, true) => e.clone(),
            (Own::Place, false) => expr!(&#e),
            (Own::Ref, true) => expr!(*#e),
            // Operators of the run-time library are implemented for values and references.
            (Own::Ref, false) => e.clone(),
        }
    }

    /// Returns a place or temporary of the value's type that is only read: a side of a comparison,
    /// a condition.
    pub(crate) fn looked_at(&self) -> Expr {
        let e = &self.expr;
        match self.own {
            Own::Owned | Own::Place => e.clone(),
            Own::Ref => expr!(*#e),
        }
    }

    /// Returns the receiver of a method that takes `&self`.
    pub(crate) fn receiver(&self) -> Expr {
        self.expr.clone()
    }
}

/// Maximum length of tuples that are Rust's own.
const MOST_PLAIN: usize = 12;
/// Maximum length of tuples.
pub(super) const MOST_COMPONENTS: usize = 21;

/// Returns the name of the type of longer tuples.
fn long_tuple(length: usize) -> Option<Ident> {
    (length > MOST_PLAIN).then(|| ident(&format!("Tuple{length}")))
}

/// Creates `(a, b)`; a single component represents itself.
pub(crate) fn tuple(parts: Vec<Expr>) -> Expr {
    match long_tuple(parts.len()) {
        Some(name) => expr!(dunit::#name(#..parts)),
        None => Expr::one_or_tuple(parts),
    }
}

/// Creates `(a, b)` as a pattern.
pub(super) fn tuple_pattern(parts: Vec<Pat>) -> Pat {
    match long_tuple(parts.len()) {
        Some(name) => pat!(dunit::#name(#..parts)),
        None => Pat::one_or_tuple(parts),
    }
}

/// Creates `(A, B)` as a type.
pub(super) fn tuple_type(parts: Vec<Type>) -> Type {
    match long_tuple(parts.len()) {
        Some(name) => ty!(dunit::#name<#..parts>),
        None => Type::one_or_tuple(parts),
    }
}

/// Creates a number literal; a negative one becomes a negation.
pub(crate) fn number(digits: &str) -> Expr {
    match digits
        .strip_prefix('-')
        // A literal of that size would not be one of a negative number.
        .filter(|_| digits.parse::<i64>().is_err())
    {
        Some(magnitude) => Expr::Unary(UnaryOp::Neg, Box::new(Expr::number(magnitude))),
        None => Expr::number(digits),
    }
}
