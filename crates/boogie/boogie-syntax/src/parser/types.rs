//! Parsing of types. The arguments of a constructor are atoms, as in `Pair (Seq int) int`.

use super::{Parsed, Parser};
use crate::ast::{Type, TypeKind};

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.nested(Self::type_inner)
    }

    fn type_inner(&mut self) -> Parsed<Type> {
        if self.is("[") || self.is("<") {
            return self.map_type();
        }
        if let Some(atom) = self.type_atom()? {
            return Ok(atom);
        }
        if !self.is_ident_at(0) {
            return self.expected("a type");
        }
        let name = self.ident()?;
        let args = self.type_args()?;
        Ok(Type {
            kind: TypeKind::Named(name.name, args),
            span: name.span.to(self.previous()),
        })
    }

    /// Parses `int`, `real`, `bool` or a type in parentheses.
    fn type_atom(&mut self) -> Parsed<Option<Type>> {
        let kind = match self.word_at(0) {
            "int" => TypeKind::Int,
            "real" => TypeKind::Real,
            "bool" => TypeKind::Bool,
            _ if self.is("(") => {
                self.bump();
                let inner = self.ty()?;
                self.expect(")")?;
                return Ok(Some(inner));
            }
            _ => return Ok(None),
        };
        let span = self.bump();
        Ok(Some(Type { kind, span }))
    }

    fn type_args(&mut self) -> Parsed<Vec<Type>> {
        let mut out = Vec::new();
        loop {
            // A map type can only be the last argument.
            if self.is("[") || self.is("<") {
                out.push(self.nested(Self::map_type)?);
                return Ok(out);
            }
            // A contextual keyword ends the arguments if it begins a clause.
            if matches!(
                self.word_at(0),
                "uses" | "extends" | "complete" | "where" | "is"
            ) {
                return Ok(out);
            }
            if let Some(atom) = self.type_atom()? {
                out.push(atom);
            } else if self.is_ident_at(0) {
                let name = self.ident()?;
                out.push(Type {
                    kind: TypeKind::Named(name.name, Vec::new()),
                    span: name.span,
                });
            } else {
                return Ok(out);
            }
        }
    }

    fn map_type(&mut self) -> Parsed<Type> {
        let start = self.span();
        let params = self.type_params()?;
        self.expect("[")?;
        let mut args = Vec::new();
        if !self.is("]") {
            args.push(self.ty()?);
            while self.eat(",") {
                args.push(self.ty()?);
            }
        }
        self.expect("]")?;
        let result = self.ty()?;
        Ok(Type {
            kind: TypeKind::Map(params, args, Box::new(result)),
            span: start.to(self.previous()),
        })
    }
}
