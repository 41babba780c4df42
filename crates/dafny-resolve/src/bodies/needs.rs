//! Requirements of operators and other constructs on the kinds of types.
//!
//! They are checked when the types are known: inference may determine an operand late, as in
//! `x & y` of variables without written types. At that point, the type of an unconstrained literal
//! is `int` or `real`. An unknown type is no error here, because it is reported as underspecified.

use crate::typed::{Type, TypeDeclKind};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::infer::{Inference, VarKind};
use super::{Late, Pending, Resolver, Round};

/// A kind of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Numeric and bitvector types.
    NumberOrBits,
    /// Integer and bitvector types.
    IntegerOrBits,
    /// Integer types.
    Integer,
    /// Bitvector types.
    Bits,
    /// Operand types of `!`.
    BoolOrBits,
    /// `bool`.
    Bool,
    /// Integer types and `ORDINAL`.
    IntegerOrOrdinal,
    /// Operand types of `+`.
    Plus,
    /// Operand types of `-`.
    Minus,
    /// Operand types of `*`.
    Times,
    /// Operand types of `<=`.
    Less,
    /// Operand types of `<`: those of [`Kind::Less`].
    StrictlyLess,
    /// Operand types of `>=`: those of [`Kind::Less`] without sequences.
    Greater,
    /// Operand types of `>`: those of [`Kind::Greater`].
    StrictlyGreater,
    /// Finite collections, which have a cardinality.
    Sized,
    /// Sets and multisets, the operand types of `!!`.
    Disjoint,
    /// Types that convert to a numeric type.
    Convertible,
    /// Codatatypes, the operand types of `==#[k]`.
    Codatatype,
    /// Reference types, and sets and sequences of references: the operand types of `fresh`.
    Fresh,
    /// Inductive datatypes. The lesser side of a rank comparison may also be a type parameter.
    Ranked { lesser: bool },
    /// Finite sets and sequences: the operand types of `multiset(…)`.
    Multiset,
}

impl Kind {
    /// The kind as text for a message.
    fn words(self) -> &'static str {
        match self {
            Kind::NumberOrBits => "a number or bitvector",
            Kind::IntegerOrBits => "an integer or bitvector",
            Kind::Integer => "an integer",
            Kind::Bits => "a bitvector",
            Kind::BoolOrBits => "a boolean or bitvector",
            Kind::Bool => "a boolean",
            Kind::IntegerOrOrdinal => "an integer or ORDINAL",
            Kind::Plus => "a number, bitvector, ORDINAL, char, sequence, set, multiset or map",
            Kind::Minus => "a number, bitvector, ORDINAL, char, set, multiset or map",
            Kind::Times => "a number, bitvector, set or multiset",
            Kind::Less | Kind::StrictlyLess => {
                "a number, bitvector, ORDINAL, char, sequence, set or multiset"
            }
            Kind::Greater | Kind::StrictlyGreater => {
                "a number, bitvector, ORDINAL, char, set or multiset"
            }
            Kind::Sized => "a finite collection",
            Kind::Disjoint => "a set or multiset",
            Kind::Convertible => "a number, bitvector, char or ORDINAL",
            Kind::Codatatype => "a codatatype value",
            Kind::Fresh => "an object, or a set or sequence of objects",
            Kind::Ranked { .. } => "a value of an inductive datatype",
            Kind::Multiset => "a finite set or a sequence",
        }
    }
}

/// A requirement that a type be of a kind.
#[derive(Debug)]
pub(super) struct Need {
    kind: Kind,
    ty: Type,
    /// The construct with the requirement, for the message.
    what: String,
    span: Span,
    /// The position in the order of constraints.
    order: usize,
    /// See [`Late::segment`].
    segment: u32,
}

impl Need {
    /// Moves the requirement to the next segment if its type is not known when its segment ends.
    pub(super) fn postpone(&mut self, inference: &Inference, ended: u32, next: u32) {
        if self.segment == ended && inference.is_unbound(&self.ty) {
            self.segment = next;
        }
    }
}

impl Resolver<'_> {
    /// Adds a requirement that a type be of a kind.
    pub(super) fn need(&mut self, kind: Kind, ty: &Type, what: impl Into<String>, span: Span) {
        if *ty != Type::Error {
            let order = self.next_demand();
            self.st.needs.push(Need {
                kind,
                ty: ty.clone(),
                what: what.into(),
                span,
                order,
                segment: self.st.segment,
            });
        }
    }

    /// Checks all requirements. [`Resolver::solve`] calls it when the types are known.
    pub(super) fn check_needs(&mut self) {
        // The new type system checks requirements as soon as all constraints are solved. The older
        // one reports underspecified types first.
        let refresh = self.cx.program.options.type_system_refresh;
        for Need {
            kind,
            ty,
            what,
            span,
            order,
            segment,
        } in std::mem::take(&mut self.st.needs)
        {
            let is_unknown = refresh && self.st.inf.kind(&ty) == Some(VarKind::Any);
            if is_unknown || !self.is_of(kind, &ty) {
                let message = format!("{what} must be {}, found {}", kind.words(), self.show(&ty));
                self.st.errors += 1;
                let diagnostic = Diagnostic::error("resolve/type-mismatch", span, message);
                self.st.late.push(Late {
                    segment,
                    round: if matches!(kind, Kind::StrictlyLess | Kind::StrictlyGreater) {
                        Round::StrictOrder
                    } else {
                        Round::Needs
                    },
                    order,
                    diagnostic,
                });
            }
        }
        // Constraints on collections wait for the type of the collection. A literal will never be
        // one.
        let rest = std::mem::take(&mut self.st.pending);
        for p in rest {
            let (Pending::In {
                collection, span, ..
            }
            | Pending::Index {
                collection, span, ..
            }
            | Pending::Element { collection, span }) = &p;
            match self.st.inf.kind(&self.base(collection)) {
                Some(VarKind::IntLike | VarKind::RealLike | VarKind::Null) => {
                    let message = format!("expected a collection, found {}", self.show(collection));
                    self.mismatch(*span, message);
                }
                Some(VarKind::Any) | None => self.st.pending.push(p),
            }
        }
    }

    /// Whether the type is of the kind. An unknown type is of every kind.
    fn is_of(&self, kind: Kind, ty: &Type) -> bool {
        // Newtypes have the operators of the type that represents them, literals those of their
        // default type.
        let ty = match (self.st.inf.kind(ty), self.representation(ty)) {
            (Some(VarKind::Any), _) | (None, Type::Error) => return true,
            (Some(VarKind::IntLike), _) => Type::Int,
            (Some(VarKind::RealLike), _) => Type::Real,
            (Some(VarKind::Null), _) => Type::Object { nullable: true },
            (None, ty) => ty,
        };
        let number = matches!(ty, Type::Int | Type::Real);
        let bits = matches!(ty, Type::Bv(_));
        let ordinal = ty == Type::Ordinal;
        let set = matches!(ty, Type::Set { .. } | Type::Multiset(_));
        match kind {
            Kind::NumberOrBits => number || bits,
            Kind::IntegerOrBits => ty == Type::Int || bits,
            Kind::Integer => ty == Type::Int,
            Kind::Bits => bits,
            Kind::BoolOrBits => ty == Type::Bool || bits,
            Kind::Bool => ty == Type::Bool,
            Kind::IntegerOrOrdinal => ty == Type::Int || ordinal,
            Kind::Plus => {
                number
                    || bits
                    || ordinal
                    || set
                    || matches!(ty, Type::Char | Type::Seq(_) | Type::Map { .. })
            }
            Kind::Minus => {
                number || bits || ordinal || set || matches!(ty, Type::Char | Type::Map { .. })
            }
            Kind::Times => number || bits || set,
            Kind::Less | Kind::StrictlyLess => {
                number || bits || ordinal || set || matches!(ty, Type::Char | Type::Seq(_))
            }
            Kind::Greater | Kind::StrictlyGreater => {
                number || bits || ordinal || set || ty == Type::Char
            }
            Kind::Sized => {
                matches!(
                    ty,
                    Type::Seq(_)
                        | Type::Multiset(_)
                        | Type::Set { finite: true, .. }
                        | Type::Map { finite: true, .. }
                )
            }
            Kind::Disjoint => set,
            Kind::Convertible => number || bits || ordinal || ty == Type::Char,
            Kind::Codatatype => self.is_datatype(&ty, true),
            Kind::Fresh => {
                let elem = if let Type::Set { elem, .. } | Type::Seq(elem) = &ty {
                    self.base(elem)
                } else {
                    ty.clone()
                };
                match self.st.inf.kind(&elem) {
                    // Nothing more about the elements will become known.
                    Some(kind) => kind == VarKind::Null,
                    None => elem == Type::Error || self.is_reference(&elem),
                }
            }
            Kind::Ranked { lesser } => {
                matches!(ty, Type::Tuple(_))
                    || self.is_datatype(&ty, false)
                    || lesser && matches!(ty, Type::Param(_))
            }
            Kind::Multiset => matches!(ty, Type::Seq(_) | Type::Set { finite: true, .. }),
        }
    }

    fn is_datatype(&self, ty: &Type, codatatype: bool) -> bool {
        matches!(ty, Type::Named { decl, .. } if matches!(self.cx.program[*decl].kind, TypeDeclKind::Datatype { co, .. } if co == codatatype))
    }

    /// Whether the type has references as values. For a type parameter, its bound decides.
    pub(super) fn is_reference(&self, ty: &Type) -> bool {
        let by_bound = |p: &crate::typed::TypeParamId| {
            self.cx.program[*p]
                .bounds
                .iter()
                .any(|b| self.cx.program.is_reference(b))
        };
        self.cx.program.is_reference(ty) || matches!(ty, Type::Param(p) if by_bound(p))
    }
}
