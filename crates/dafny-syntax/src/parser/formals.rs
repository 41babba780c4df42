//! Signatures of callables: parameters, their modifiers, and results.

use dafny_source::diagnostic::Diagnostic;

use super::super::ast::{Expr, Formal, Ident, Span, Type, TypeKind, TypeParam, TypeSegment};
use super::super::token::TokenKind as T;
use super::{Mode, Parsed, Parser};

impl Parser<'_> {
    /// Parses type parameters, `KType` and in-parameters.
    pub(super) fn signature(&mut self, mode: FormalsMode, extreme: bool) -> Parsed<Signature> {
        let type_params = self.opt_generic_parameters(false)?;
        if self.at(T::LBracket) && !extreme {
            let span = self.token(0).span;
            self.error(
                "syntax/k-type",
                span,
                "only least and greatest predicates and lemmas can have a type in brackets",
            );
        }
        let k_type = if self.at(T::LBracket) {
            Some(self.k_type()?)
        } else {
            None
        };
        let ins = self.formals(mode)?;
        Ok(Signature {
            type_params,
            k_type,
            ins,
        })
    }

    /// Parses `KType`.
    pub(super) fn k_type(&mut self) -> Parsed<Type> {
        let open = self.expect(T::LBracket)?.span;
        let token = self.token(0);
        if !matches!(self.text_at(token.span), "nat" | "ORDINAL") {
            return Err(self.expected("`nat` or `ORDINAL`"));
        }
        self.bump();
        let name = self.ident_of(token);
        self.expect_closing(T::RBracket, open)?;
        Ok(Type {
            kind: TypeKind::Named(vec![TypeSegment { name, args: None }]),
            span: token.span,
        })
    }

    /// Parses `Formals` of out-parameters and yield-parameters.
    pub(super) fn out_formals(&mut self) -> Parsed<Vec<Formal>> {
        self.formals(OUTS)
    }

    /// Parses `Formals` of in-parameters.
    pub(super) fn in_formals(&mut self) -> Parsed<Vec<Formal>> {
        self.formals(INS)
    }

    pub(super) fn formals(&mut self, mode: FormalsMode) -> Parsed<Vec<Formal>> {
        let open = self.expect(T::LParen)?.span;
        if self.eat(T::RParen) {
            return Ok(Vec::new());
        }
        let formals = self.comma_separated(|p| p.g_ident_type(mode))?;
        self.expect_closing(T::RParen, open)?;
        Ok(formals)
    }

    /// Parses `GIdentType` with attributes and a default value.
    fn g_ident_type(&mut self, mode: FormalsMode) -> Parsed<Formal> {
        let start = self.start();
        let mut formal = FormalModifiers::default();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        while self.is_keyword_for_formal() {
            let token = self.bump();
            formal.add(token.kind);
            let allowed = match token.kind {
                T::New => mode.new,
                T::Older => mode.older,
                T::Nameonly => mode.incoming,
                T::Ghost => mode.ghost,
                _ => true,
            };
            if !allowed && token.kind == T::Ghost {
                self.all_is_ghost(token.span);
            } else if !allowed {
                let message = format!(
                    "a parameter cannot be declared {} here",
                    token.kind.describe()
                );
                self.error("syntax/formal-modifier", token.span, message);
            }
        }
        let name = Some(self.no_us_ident()?);
        if !self.at(T::Colon) {
            return Err(self.expected("`:` and the type of the parameter"));
        }
        self.bump();
        let ty = self.ty()?;
        let default = self.parameter_default_value(mode.incoming)?;
        Ok(formal.finish(attributes, name, ty, default, self.span_from(start)))
    }

    /// Reports the modifier `ghost` of a parameter where all parameters are ghost.
    pub(super) fn all_is_ghost(&mut self, span: Span) {
        let message = "a parameter cannot be declared `ghost` here";
        let diagnostic = Diagnostic::error("syntax/formal-modifier", span, message);
        self.report(diagnostic.with_help("all parameters are ghost here: remove it"));
    }

    fn is_keyword_for_formal(&self) -> bool {
        match self.kind() {
            T::Ghost | T::New | T::Nameonly => true,
            T::Older => self.nth(1) != T::Colon,
            _ => false,
        }
    }

    /// Parses `ParameterDefaultValue`.
    fn parameter_default_value(&mut self, allowed: bool) -> Parsed<Option<Expr>> {
        let span = self.token(0).span;
        match self.kind() {
            T::Gets => {
                self.bump();
            }
            T::SingleEq => self.assignment_written_as_equals(),
            _ => return Ok(None),
        }
        if !allowed {
            self.error(
                "syntax/out-parameter-default",
                span,
                "an out-parameter cannot have a default value",
            );
        }
        self.expression(Mode::INNER).map(Some)
    }

    /// Parses `TypeIdentOptional`.
    pub(super) fn type_ident_optional(&mut self) -> Parsed<Formal> {
        let start = self.start();
        let mut formal = FormalModifiers::default();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        while matches!(self.kind(), T::Ghost | T::Nameonly) {
            let token = self.bump();
            formal.add(token.kind);
        }
        let named = (self.at_name() || self.at(T::Digits)) && self.nth(1) == T::Colon;
        let mut name = None;
        if named {
            name = Some(self.ident_or_digits()?);
            self.bump();
        }
        if formal.nameonly && !named {
            self.error(
                "syntax/nameonly",
                self.token(0).span,
                "a `nameonly` parameter must have a name",
            );
        }
        let ty = self.ty()?;
        let default = if named {
            self.parameter_default_value(true)?
        } else {
            None
        };
        Ok(formal.finish(attributes, name, ty, default, self.span_from(start)))
    }
}

impl FormalModifiers {
    pub(super) fn add(&mut self, kind: T) {
        match kind {
            T::New => self.is_new = true,
            T::Older => self.older = true,
            T::Nameonly => self.nameonly = true,
            _ => self.ghost = true,
        }
    }

    pub(super) fn finish(
        self,
        attributes: Vec<super::super::ast::Attribute>,
        name: Option<Ident>,
        ty: Type,
        default: Option<Expr>,
        span: Span,
    ) -> Formal {
        let Self {
            ghost,
            is_new,
            older,
            nameonly,
        } = self;
        Formal {
            attributes,
            name,
            ty,
            ghost,
            is_new,
            older,
            nameonly,
            default,
            span,
        }
    }
}

/// The context of formals, which determines the allowed modifiers.
#[derive(Clone, Copy)]
pub(super) struct FormalsMode {
    /// Whether they are in-parameters, which allow `nameonly` and default values.
    pub(super) incoming: bool,
    /// Whether `new` is allowed, in two-state declarations.
    pub(super) new: bool,
    /// Whether `older` is allowed.
    pub(super) older: bool,
    /// Whether `ghost` is allowed: not if all formals are ghost anyway.
    pub(super) ghost: bool,
}

pub(super) const INS: FormalsMode = FormalsMode {
    incoming: true,
    new: false,
    older: false,
    ghost: true,
};

pub(super) const OUTS: FormalsMode = FormalsMode {
    incoming: false,
    new: false,
    older: false,
    ghost: true,
};

#[derive(Default)]
pub(super) struct Signature {
    pub(super) type_params: Vec<TypeParam>,
    pub(super) k_type: Option<Type>,
    pub(super) ins: Vec<Formal>,
}

#[derive(Default)]
struct FormalModifiers {
    ghost: bool,
    is_new: bool,
    older: bool,
    nameonly: bool,
}
