//! Types (reference manual, "Types").

use super::super::ast::{
    ArrowKind, Characteristics, TupleComponent, Type, TypeKind, TypeParam, TypeSegment, Variance,
};
use super::super::token::TokenKind as T;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Parses `Type`.
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.type_in(false)
    }

    /// Parses `Type`. `in_expression`: whether it follows `as` or `is`, where `<` may be a
    /// comparison.
    pub(super) fn type_in(&mut self, in_expression: bool) -> Parsed<Type> {
        self.nested(|p| {
            let start = p.start();
            let left = if p.at(T::LParen) {
                Left::Parens(p.tuple_type()?)
            } else {
                Left::Type(p.named_type(in_expression)?)
            };
            let left_span = p.span_from(start);
            let kind = match p.kind() {
                T::Arrow => ArrowKind::Total,
                T::PartialArrow => ArrowKind::Partial,
                T::GeneralArrow => ArrowKind::General,
                _ => return Ok(left.into_type(left_span)),
            };
            p.bump();
            let params = match left {
                Left::Type(ty) => vec![ty],
                Left::Parens(components) => {
                    if let Some(ghost) = components.iter().find(|c| c.ghost) {
                        let span = ghost.ty.span;
                        p.error(
                            "syntax/ghost-arrow-argument",
                            span,
                            "an argument of an arrow type cannot be ghost",
                        );
                    }
                    components.into_iter().map(|c| c.ty).collect()
                }
            };
            let result = Box::new(p.type_in(in_expression)?);
            Ok(Type {
                kind: TypeKind::Arrow {
                    kind,
                    params,
                    result,
                },
                span: p.span_from(start),
            })
        })
    }

    /// Parses `TupleType`. A single component without `ghost` denotes its own type.
    fn tuple_type(&mut self) -> Parsed<Vec<TupleComponent>> {
        let open = self.expect(T::LParen)?.span;
        if self.eat(T::RParen) {
            return Ok(Vec::new());
        }
        let components = self.comma_separated(|p| {
            let ghost = p.eat(T::Ghost);
            Ok(TupleComponent { ghost, ty: p.ty()? })
        })?;
        self.expect_closing(T::RParen, open)?;
        Ok(components)
    }

    /// Parses `NamedType`, including built-in types.
    fn named_type(&mut self, in_expression: bool) -> Parsed<Type> {
        let start = self.start();
        let built_in = matches!(
            self.kind(),
            T::BuiltinType | T::Set | T::Iset | T::Multiset | T::Seq | T::Map | T::Imap
        );
        if !built_in && !self.at_name() {
            let help = self.reserved_word();
            return Err(self.expected_or("a type", help));
        }
        let token = self.bump();
        let name = self.ident_of(token);
        let args = self.opt_generic_instantiation(in_expression)?;
        let mut segments = vec![TypeSegment { name, args }];
        while !built_in && self.at(T::Dot) && (self.nth(1).is_name() || self.nth(1) == T::Digits) {
            self.bump();
            let token = self.bump();
            let name = self.ident_of(token);
            let args = self.opt_generic_instantiation(in_expression)?;
            segments.push(TypeSegment { name, args });
        }
        Ok(Type {
            kind: TypeKind::Named(segments),
            span: self.span_from(start),
        })
    }

    /// Parses `OptGenericInstantiation`.
    pub(super) fn opt_generic_instantiation(
        &mut self,
        in_expression: bool,
    ) -> Parsed<Option<Vec<Type>>> {
        let present = self.at(T::Lt) && self.is_generic_instantiation(in_expression);
        if present {
            self.generic_instantiation().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Parses `GenericInstantiation`.
    pub(super) fn generic_instantiation(&mut self) -> Parsed<Vec<Type>> {
        let open = self.expect(T::Lt)?.span;
        let types = self.comma_separated(Self::ty)?;
        self.expect_closing(T::Gt, open)?;
        Ok(types)
    }

    /// Parses `[GenericParameters]`.
    pub(super) fn opt_generic_parameters(
        &mut self,
        allow_variance: bool,
    ) -> Parsed<Vec<TypeParam>> {
        if !self.at(T::Lt) {
            return Ok(Vec::new());
        }
        let open = self.bump().span;
        let params = self.comma_separated(|p| p.one_type_parameter(allow_variance))?;
        self.expect_closing(T::Gt, open)?;
        Ok(params)
    }

    fn one_type_parameter(&mut self, allow_variance: bool) -> Parsed<TypeParam> {
        let variance = match self.kind() {
            T::Plus => Variance::Covariant,
            T::Star => Variance::CovariantAny,
            T::Minus => Variance::Contravariant,
            T::Not => Variance::InvariantAny,
            _ => Variance::Invariant,
        };
        if variance != Variance::Invariant {
            let sign = self.bump().span;
            if !allow_variance {
                self.error(
                    "syntax/variance-not-allowed",
                    sign,
                    "a type parameter of a function or method has no variance",
                );
            }
        }
        let name = self.no_us_ident()?;
        let mut characteristics = Characteristics::default();
        while self.at(T::LParen) {
            self.type_parameter_characteristics(&mut characteristics)?;
        }
        let mut bounds = Vec::new();
        while self.eat(T::Extends) {
            bounds.push(self.ty()?);
        }
        Ok(TypeParam {
            name,
            variance,
            characteristics,
            bounds,
        })
    }

    /// Parses `TypeParameterCharacteristics` and adds them to those parsed before.
    pub(super) fn type_parameter_characteristics(
        &mut self,
        into: &mut Characteristics,
    ) -> Parsed<()> {
        let open = self.expect(T::LParen)?.span;
        loop {
            let token = self.token(0);
            match (token.kind, self.text_at(token.span)) {
                (T::Eq, _) => into.equality = true,
                (T::Digits, "0") => into.auto_init = true,
                (T::Digits, "00") => into.nonempty = true,
                (T::Not, _) if self.nth(1) == T::New => {
                    self.bump();
                    into.no_new = true;
                }
                _ => return Err(self.expected("a type characteristic (`==`, `0`, `00` or `!new`)")),
            }
            self.bump();
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect_closing(T::RParen, open)?;
        Ok(())
    }
}

/// The type before a possible arrow.
enum Left {
    Parens(Vec<TupleComponent>),
    Type(Type),
}

impl Left {
    fn into_type(self, span: super::super::ast::Span) -> Type {
        match self {
            Left::Type(ty) => ty,
            Left::Parens(mut components)
                if components.len() == 1 && components.iter().all(|c| !c.ghost) =>
            {
                components.pop().map_or(
                    Type {
                        kind: TypeKind::Tuple(Vec::new()),
                        span,
                    },
                    |c| c.ty,
                )
            }
            Left::Parens(components) => Type {
                kind: TypeKind::Tuple(components),
                span,
            },
        }
    }
}
