//! Subset types in the collections and tuples that Dafny 4.11 infers for local variables.
//!
//! The rules of [`super::assigned_types`] hold for elements too: `t := [0]` is an obligation if `t`
//! is otherwise assigned a `seq<Pos>`. Displays have the common type of their elements, but for
//! those of maps, concatenations that of their operands. An equality, `in`, `-`, an index or an
//! argument does not give a variable the base type. A tuple variable has the type of its first value.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "an approximation of inference: forms that it does not know say nothing about a type"
)]

use std::collections::BTreeMap;

use super::assigned_types::{Uses, Value, is_literal, type_of};
use dafny_resolve::typed::{BinaryOp, Expr, ExprKind, LocalId, Type, TypeDeclKind};

impl Uses<'_, '_> {
    /// The variables of collections that are assigned to variables of other types: they have the
    /// base type.
    pub(crate) fn flows_elsewhere(&self, types: &BTreeMap<LocalId, Type>) -> Vec<LocalId> {
        let mut found = Vec::new();
        for (target, values) in &self.values {
            for value in values {
                if let Value::Expr(e) = value
                    && let ExprKind::Local(source) = e.kind
                    && is_collection(&e.ty)
                    && types
                        .get(&source)
                        .is_some_and(|ty| types.get(target) != Some(ty))
                {
                    found.push(source);
                }
            }
        }
        found
    }

    /// The type of a collection or tuple variable, if it has a subset type in it.
    pub(crate) fn common_of_collections(
        &self,
        local: LocalId,
        values: &[Value<'_>],
        types: &BTreeMap<LocalId, Type>,
    ) -> Option<Type> {
        let plain = &self.program[local].ty;
        let elements = Elements { own: local, types };
        let known = |value: &Value<'_>| match value {
            Value::Expr(e) => elements.of(e),
            Value::Result(ty) => Elem::Of(ty.clone()),
            Value::Other => Elem::Unknown,
        };
        let ty = match plain {
            Type::Tuple(_) => known(values.first()?),
            _collection => values.iter().map(known).fold(Elem::Any, Elem::and),
        };
        let Elem::Of(ty) = ty else {
            return None;
        };
        // An operand on the left of another type gives the variable the base type.
        let fits = |right: &Expr| match elements.of(right) {
            Elem::Any => true,
            Elem::Of(other) => other == ty,
            Elem::Unknown => false,
        };
        let is_kept = self
            .operands
            .iter()
            .all(|(left, right)| *left != local || fits(right));
        (is_kept && ty != *plain && self.without_subsets(&ty)? == *plain).then_some(ty)
    }

    /// The type with the base types of the numbers in it. `None` if it has subset types of others.
    fn without_subsets(&self, ty: &Type) -> Option<Type> {
        let within = |ty: &Type| self.without_subsets(ty).map(Box::new);
        Some(match ty {
            Type::Seq(elem) => Type::Seq(within(elem)?),
            Type::Multiset(elem) => Type::Multiset(within(elem)?),
            Type::Set { finite, elem } => Type::Set {
                finite: *finite,
                elem: within(elem)?,
            },
            Type::Map { finite, key, value } => Type::Map {
                finite: *finite,
                key: within(key)?,
                value: within(value)?,
            },
            Type::Tuple(parts) => Type::Tuple(
                parts
                    .iter()
                    .map(|(ghost, ty)| Some((*ghost, self.without_subsets(ty)?)))
                    .collect::<Option<_>>()?,
            ),
            Type::Named { decl, .. }
                if matches!(self.program[*decl].kind, TypeDeclKind::Subset(_)) =>
            {
                let base = self.program.strip_subset(ty);
                matches!(base, Type::Int | Type::Real | Type::Bv(_)).then_some(base)?
            }
            other => other.clone(),
        })
    }
}

pub(crate) fn is_collection(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. } | Type::Tuple(_)
    )
}

/// The type that an expression gives to the variable that it is assigned to.
#[derive(Clone, PartialEq)]
enum Elem {
    /// Every type: it consists of literals.
    Any,
    /// This type.
    Of(Type),
    /// A type that is not followed.
    Unknown,
}

impl Elem {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, other) | (other, Self::Any) => other,
            (Self::Of(a), Self::Of(b)) if a == b => Self::Of(a),
            (Self::Of(_) | Self::Unknown, _) => Self::Unknown,
        }
    }

    /// The type of an element whose declared type is `plain`.
    fn or(self, plain: &Type) -> Option<Type> {
        match self {
            Self::Any => Some(plain.clone()),
            Self::Of(ty) => Some(ty),
            Self::Unknown => None,
        }
    }
}

/// The types of collections and their elements, as values of a variable.
struct Elements<'a> {
    /// The variable.
    own: LocalId,
    /// The inferred types of others.
    types: &'a BTreeMap<LocalId, Type>,
}

impl Elements<'_> {
    fn of(&self, e: &Expr) -> Elem {
        match &e.kind {
            ExprKind::Local(x) if *x == self.own => Elem::Any,
            ExprKind::SeqDisplay(es) | ExprKind::SetDisplay(es) | ExprKind::MultisetDisplay(es) => {
                self.display(es, &e.ty)
            }
            // Displays of maps have the base types of their keys and values.
            ExprKind::MapDisplay(pairs) => {
                match self.all(pairs.iter().flat_map(|(key, value)| [key, value])) {
                    Elem::Any => Elem::Any,
                    Elem::Of(_) | Elem::Unknown => Elem::Unknown,
                }
            }
            ExprKind::Tuple(es) => {
                let Type::Tuple(parts) = &e.ty else {
                    return Elem::Unknown;
                };
                let found: Option<Vec<_>> = es
                    .iter()
                    .zip(parts)
                    .map(|(e, (ghost, plain))| Some((*ghost, self.element(e).or(plain)?)))
                    .collect();
                found.map_or(Elem::Unknown, |parts| Elem::Of(Type::Tuple(parts)))
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Mul, a, b) if is_collection(&e.ty) => {
                self.of(a).and(self.of(b))
            }
            ExprKind::Binary(BinaryOp::Sub, a, _) if is_collection(&e.ty) => self.of(a),
            ExprKind::Slice { object, .. } if is_collection(&object.ty) => self.of(object),
            ExprKind::Update { object, key, value } => match self.of(object) {
                Elem::Any if is_literal(key) && is_literal(value) => Elem::Any,
                Elem::Of(ty @ Type::Seq(_)) => Elem::Of(ty),
                Elem::Any | Elem::Of(_) | Elem::Unknown => Elem::Unknown,
            },
            _declared => type_of(e, self.types).map_or(Elem::Unknown, Elem::Of),
        }
    }

    fn display(&self, es: &[Expr], ty: &Type) -> Elem {
        let elem = match self.all(es) {
            Elem::Of(elem) => Box::new(elem),
            other => return other,
        };
        match ty {
            Type::Seq(_) => Elem::Of(Type::Seq(elem)),
            Type::Multiset(_) => Elem::Of(Type::Multiset(elem)),
            Type::Set { finite, .. } => Elem::Of(Type::Set {
                finite: *finite,
                elem,
            }),
            _newtype => Elem::Unknown,
        }
    }

    fn all<'e>(&self, es: impl IntoIterator<Item = &'e Expr>) -> Elem {
        es.into_iter()
            .map(|e| self.element(e))
            .fold(Elem::Any, Elem::and)
    }

    fn element(&self, e: &Expr) -> Elem {
        match is_literal(e) {
            true => Elem::Any,
            false => self.of(e),
        }
    }
}
