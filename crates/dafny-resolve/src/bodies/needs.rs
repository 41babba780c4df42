//! What operators and other constructs ask of types, checked once the types are known.
//!
//! Inference may learn later what an operand is (`x & y` of variables without types), so that a demand waits for the end of
//! what is inferred together. A literal that nothing says more of is then an `int` or `real`; a type of which nothing is
//! known is not wrong here: it is underspecified.

use crate::typed::{Type, TypeDeclKind};
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::Span;

use super::infer::{Inference, VarKind};
use super::{Late, Pending, Resolver, Round};

/// A kind of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Numbers and bitvectors.
    NumberOrBits,
    /// Integers and bitvectors.
    IntegerOrBits,
    /// Integers only.
    Integer,
    /// Bitvectors.
    Bits,
    /// What `!` negates.
    BoolOrBits,
    /// Integers and ORDINAL.
    IntegerOrOrdinal,
    /// What `+` joins.
    Plus,
    /// What `-` takes apart.
    Minus,
    /// What `*` takes.
    Times,
    /// What `<=` orders.
    Less,
    /// What `<` orders.
    StrictlyLess,
    /// What `>=` orders: as [`Kind::Less`] without sequences.
    Greater,
    /// What `>` orders.
    StrictlyGreater,
    /// What has a size: finite collections.
    Sized,
    /// Sets and multisets.
    Disjoint,
    /// What converts to a number.
    Convertible,
    /// Codatatypes.
    Codatatype,
    /// Objects, and sets and sequences of them.
    Fresh,
    /// Datatypes that are inductive; the lesser side of a comparison may also be of a type parameter.
    Ranked { lesser: bool },
    /// Finite sets and sequences.
    Multiset,
}

impl Kind {
    /// The kind in words.
    fn words(self) -> &'static str {
        match self {
            Kind::NumberOrBits => "a number or bitvector",
            Kind::IntegerOrBits => "an integer or bitvector",
            Kind::Integer => "an integer",
            Kind::Bits => "a bitvector",
            Kind::BoolOrBits => "a boolean or bitvector",
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

/// A demand on a type.
#[derive(Debug)]
pub(super) struct Need {
    kind: Kind,
    ty: Type,
    /// What must be of that kind, for the message.
    what: String,
    span: Span,
    /// Its place among the demands.
    order: usize,
    /// See [`Late::segment`].
    segment: u32,
}

impl Need {
    /// Where the type is not known at the end of a segment, the demand belongs to the next one.
    pub(super) fn postpone(&mut self, inference: &Inference, ended: u32, next: u32) {
        if self.segment == ended && inference.is_unbound(&self.ty) {
            self.segment = next;
        }
    }
}

impl Resolver<'_> {
    /// Demands that a type be of a kind.
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

    /// Checks all demands; see [`Resolver::solve`].
    pub(super) fn check_needs(&mut self) {
        // The new type system asks as soon as all constraints are solved; the older one finds what is underspecified first.
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

    /// Whether a type is of a kind, as far as it is known.
    fn is_of(&self, kind: Kind, ty: &Type) -> bool {
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
                    // All that is known of the elements is known by now.
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

    /// Whether values of the type are references; those of a type parameter are, if its bound says so.
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
