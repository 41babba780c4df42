//! Parsing of declarations.
//!
//! `Parser::top` is the entry point; it dispatches on the first word.

use super::{Parsed, Parser};
use crate::ast::{
    AxiomDecl, Binding, Clause, ConstDecl, DatatypeDecl, Decl, FunctionDecl, Ident, ProcedureDecl,
    Spec, Type, TypeDecl, TypeKind, VarsDecl,
};

/// Words that begin a declaration of the concurrent extension.
const CONCURRENT: [&str; 7] = [
    "yield",
    "action",
    "left",
    "right",
    "both",
    "atomic",
    "invariant",
];

impl Parser<'_> {
    pub(super) fn top(&mut self, out: &mut Vec<Decl>) -> Parsed<()> {
        let word = self.word_at(0).to_owned();
        match word.as_str() {
            "type" => self.types(out)?,
            "datatype" => out.push(Decl::Datatype(self.datatype()?)),
            "const" => out.push(Decl::Const(self.constant()?)),
            "function" | "revealed" => out.push(Decl::Function(self.function()?)),
            "axiom" | "hideable" => out.push(Decl::Axiom(self.axiom()?)),
            "var" => out.push(Decl::Globals(VarsDecl {
                bindings: self.variables()?,
            })),
            "procedure" => out.push(Decl::Procedure(self.procedure(false)?)),
            "pure" if self.word_at(1) == "procedure" => {
                self.bump();
                out.push(Decl::Procedure(self.procedure(true)?));
            }
            "pure" => {
                self.bump();
                return self.concurrent();
            }
            "implementation" => {
                self.bump();
                let mut decl = self.signature(Some("the parameters of an implementation"))?;
                decl.body = Some(self.body()?);
                out.push(Decl::Implementation(decl));
            }
            _ if CONCURRENT.contains(&word.as_str()) => return self.concurrent(),
            _ => return self.expected("a declaration"),
        }
        Ok(())
    }

    fn types(&mut self, out: &mut Vec<Decl>) -> Parsed<()> {
        self.expect_word("type")?;
        let attributes = self.attributes()?;
        // Boogie 2 of 2008 has `type finite T`.
        if self.is_word("finite") && self.is_ident_at(1) {
            self.bump();
        }
        loop {
            let name = self.ident()?;
            let mut params = Vec::new();
            while self.is_ident_at(0) {
                params.push(self.ident()?);
            }
            let body = if self.eat("=") {
                Some(self.ty()?)
            } else {
                None
            };
            out.push(Decl::Type(TypeDecl {
                name,
                params,
                body,
                attributes: attributes.clone(),
            }));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    fn datatype(&mut self) -> Parsed<DatatypeDecl> {
        self.expect_word("datatype")?;
        self.attributes()?;
        let name = self.ident()?;
        let params = self.type_params()?;
        self.expect("{")?;
        let mut constructors: Vec<(Ident, Vec<Binding>)> = Vec::new();
        loop {
            let name = self.ident()?;
            self.expect("(")?;
            let fields = if self.is(")") {
                Vec::new()
            } else {
                self.bindings(Some("the fields of a constructor"))?
            };
            self.expect(")")?;
            if constructors.iter().any(|(c, _)| c.name == name.name) {
                self.error(
                    name.span,
                    format!("constructor `{}` is declared twice", name.name),
                );
            }
            constructors.push((name, fields));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(DatatypeDecl {
            name,
            params,
            constructors,
        })
    }

    fn constant(&mut self) -> Parsed<ConstDecl> {
        self.expect_word("const")?;
        let attributes = self.attributes()?;
        let unique = self.eat_word("unique");
        let names = self.idents()?;
        self.expect(":")?;
        let ty = self.ty()?;
        // Boogie 2 of 2008 declares a partial order of constants with `extends`.
        let mut parents = None;
        if self.eat_word("extends") {
            let mut above = Vec::new();
            while self.is_word("unique") || (self.is_ident_at(0) && !self.is_word("complete")) {
                self.eat_word("unique");
                above.push(self.ident()?);
                if !self.eat(",") {
                    break;
                }
            }
            parents = Some(above);
        }
        self.eat_word("complete");
        let uses = if self.is_word("uses") {
            self.uses()?
        } else {
            Vec::new()
        };
        if uses.is_empty() && !self.previous_is_brace() {
            self.expect(";")?;
        }
        Ok(ConstDecl {
            names,
            ty,
            unique,
            parents,
            uses,
            attributes,
        })
    }

    fn previous_is_brace(&self) -> bool {
        self.text_of(self.previous()) == "}"
    }

    fn uses(&mut self) -> Parsed<Vec<AxiomDecl>> {
        self.expect_word("uses")?;
        self.expect("{")?;
        let mut out = Vec::new();
        while self.is_word("axiom") || self.is_word("hideable") {
            out.push(self.axiom()?);
        }
        self.expect("}")?;
        Ok(out)
    }

    fn function(&mut self) -> Parsed<FunctionDecl> {
        self.eat_word("revealed");
        self.expect_word("function")?;
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        self.expect("(")?;
        let mut params = Vec::new();
        if !self.is(")") {
            params.push(self.parameter()?);
            while self.eat(",") {
                params.push(self.parameter()?);
            }
        }
        self.expect(")")?;
        // The types of unnamed parameters can only be determined with the complete list.
        let params = self.shared_types(params);
        let (result_name, result) = if self.eat_word("returns") {
            self.expect("(")?;
            let result = self.parameter()?;
            self.expect(")")?;
            result
        } else {
            self.expect(":")?;
            (None, self.ty()?)
        };
        // A definition, a `uses` clause or a semicolon ends the declaration.
        let (mut body, mut uses) = (None, Vec::new());
        if self.eat("{") {
            body = Some(self.expression()?);
            self.expect("}")?;
            if self.is_word("uses") {
                uses = self.uses()?;
            }
        } else if self.is_word("uses") {
            uses = self.uses()?;
        } else {
            self.expect(";")?;
        }
        let has_attribute = |text: &str| attributes.iter().any(|a| &*a.name.name == text);
        if body.is_some() && has_attribute("inline") && has_attribute("define") {
            let span = self.previous();
            self.error(
                span,
                "a function can have at most one of `:inline` and `:define`",
            );
        } else if body.is_some() && has_attribute("define") && !type_params.is_empty() {
            self.error(
                name.span,
                "a function with `:define` cannot have type parameters",
            );
        }
        Ok(FunctionDecl {
            name,
            type_params,
            params,
            result_name,
            result,
            body,
            uses,
            attributes,
        })
    }

    /// Parses a parameter `x: T` or `T`. A single identifier may be a name whose type follows
    /// later.
    fn parameter(&mut self) -> Parsed<(Option<Ident>, Type)> {
        self.attributes()?;
        let ty = self.ty()?;
        if !self.eat(":") {
            return Ok((None, ty));
        }
        let name = match &ty.kind {
            TypeKind::Named(name, args) if args.is_empty() => Ident {
                name: name.clone(),
                span: ty.span,
            },
            TypeKind::Named(..)
            | TypeKind::Bool
            | TypeKind::Int
            | TypeKind::Real
            | TypeKind::Map(..) => {
                self.error(ty.span, "expected a name before `:`");
                return Err(super::Failed);
            }
        };
        Ok((Some(name), self.ty()?))
    }

    /// Distributes shared types: in `f(x, y: int)`, `x` has the type of `y`. If one parameter has a
    /// name, all have.
    fn shared_types(
        &mut self,
        mut params: Vec<(Option<Ident>, Type)>,
    ) -> Vec<(Option<Ident>, Type)> {
        if params.iter().all(|(name, _)| name.is_none()) {
            return params;
        }
        let mut last: Option<Type> = None;
        for (name, ty) in params.iter_mut().rev() {
            if name.is_some() {
                last = Some(ty.clone());
                continue;
            }
            let Some(shared) = &last else {
                self.error(ty.span, "the type of the last parameter is missing");
                break;
            };
            match &ty.kind {
                TypeKind::Named(text, args) if args.is_empty() => {
                    *name = Some(Ident {
                        name: text.clone(),
                        span: ty.span,
                    });
                    *ty = shared.clone();
                }
                TypeKind::Named(..)
                | TypeKind::Bool
                | TypeKind::Int
                | TypeKind::Real
                | TypeKind::Map(..) => {
                    self.error(ty.span, "expected the name of a parameter");
                }
            }
        }
        params
    }

    fn axiom(&mut self) -> Parsed<AxiomDecl> {
        self.eat_word("hideable");
        let span = self.expect_word("axiom")?;
        let attributes = self.attributes()?;
        let expr = self.expression()?;
        self.expect(";")?;
        Ok(AxiomDecl {
            expr,
            span,
            attributes,
        })
    }

    /// Parses `var x, y: T where e, z: S;`.
    pub(super) fn variables(&mut self) -> Parsed<Vec<Binding>> {
        self.expect_word("var")?;
        let attributes = self.attributes()?;
        let mut out = self.bindings(None)?;
        for binding in &mut out {
            binding.attributes.extend(attributes.iter().cloned());
        }
        self.expect(";")?;
        Ok(out)
    }

    /// Parses `x, y: T where e, z: S`. `unconditional` names the kind of binding for which `where`
    /// is not allowed.
    pub(super) fn bindings(&mut self, unconditional: Option<&str>) -> Parsed<Vec<Binding>> {
        let mut out = Vec::new();
        loop {
            let attributes = self.attributes()?;
            let names = self.idents()?;
            self.expect(":")?;
            let ty = self.ty()?;
            let mut where_clause = None;
            if self.is_word("where") {
                self.bump();
                let clause = self.expression()?;
                match unconditional {
                    Some(what) => self.error(
                        self.previous(),
                        format!("{what} cannot have a `where` clause"),
                    ),
                    None => where_clause = Some(clause),
                }
            }
            for name in names {
                out.push(Binding {
                    name,
                    ty: ty.clone(),
                    where_clause: where_clause.clone(),
                    attributes: attributes.clone(),
                });
            }
            if !self.eat(",") {
                return Ok(out);
            }
        }
    }

    fn formals(&mut self, unconditional: Option<&str>) -> Parsed<Vec<Binding>> {
        self.expect("(")?;
        let out = if self.is(")") {
            Vec::new()
        } else {
            self.bindings(unconditional)?
        };
        self.expect(")")?;
        Ok(out)
    }

    fn signature(&mut self, unconditional: Option<&str>) -> Parsed<ProcedureDecl> {
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        let ins = self.formals(unconditional)?;
        let outs = if self.eat_word("returns") {
            self.formals(unconditional)?
        } else {
            Vec::new()
        };
        Ok(ProcedureDecl {
            name,
            type_params,
            ins,
            outs,
            specs: Vec::new(),
            body: None,
            pure: false,
            attributes,
        })
    }

    fn procedure(&mut self, pure: bool) -> Parsed<ProcedureDecl> {
        self.expect_word("procedure")?;
        let mut decl = self.signature(None)?;
        decl.pure = pure;
        let is_bodiless = self.eat(";");
        while let Some(spec) = self.spec()? {
            decl.specs.push(spec);
        }
        if !is_bodiless {
            decl.body = Some(self.body()?);
        }
        Ok(decl)
    }

    fn spec(&mut self) -> Parsed<Option<Spec>> {
        let free = self.is_word("free");
        match self.word_at(usize::from(free)) {
            "requires" | "ensures" => {
                if free {
                    self.bump();
                }
                let is_pre = self.is_word("requires");
                // The end of the clause decides between contract and concurrent extension.
                let span = self.bump();
                let attributes = self.attributes()?;
                if self.is_word("call") {
                    return self.concurrent();
                }
                let expr = self.expression()?;
                self.expect(";")?;
                let clause = Clause {
                    expr,
                    free,
                    span,
                    attributes,
                };
                Ok(Some(if is_pre {
                    Spec::Requires(clause)
                } else {
                    Spec::Ensures(clause)
                }))
            }
            // `free` applies to conditions only.
            "modifies" if !free => {
                self.bump();
                let names = if self.is(";") {
                    Vec::new()
                } else {
                    self.idents()?
                };
                self.expect(";")?;
                Ok(Some(Spec::Modifies(names)))
            }
            "measure" if !free => {
                self.bump();
                self.attributes()?;
                let measures = self.expressions()?;
                self.expect(";")?;
                Ok(Some(Spec::Measure(measures)))
            }
            "preserves" | "refines" | "asserts" => self.concurrent(),
            _ => Ok(None),
        }
    }
}
