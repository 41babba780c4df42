//! Files, modules and type declarations (reference manual, "Modules", "Type Declarations").

use super::super::ast::{
    Anchors, Characteristics, ClassDecl, Constrained, Ctor, DatatypeDecl, Export, ExportId, File,
    Ident, Import, Include, IteratorDecl, Member, Modifiers, ModuleBase, ModuleDecl, NewtypeDecl,
    QualifiedName, Span, TopDecl, Type, TypeDecl, Witness,
};
use super::super::lexer::inside_comment;
use super::super::literal;
use super::super::options::module_options;
use super::super::token::TokenKind as T;
use super::members::Home;
use super::specifications::ITERATOR;
use super::{GeneralTraits, Mode, Parsed, Parser};
use dafny_source::Name;
use dafny_source::diagnostic::Diagnostic;

/// A type that may extend traits only with `--general-traits`.
#[derive(Clone, Copy)]
enum Extending {
    Datatype,
    Abstract,
    Newtype,
}

impl Parser<'_> {
    /// Parses `Dafny`: a whole file.
    pub(super) fn dafny(&mut self) -> File {
        let mut includes = Vec::new();
        let mut decls = Vec::new();
        while !self.at(T::Eof) {
            if self.at(T::Include) {
                if let Ok(include) = self.include() {
                    includes.push(include);
                }
                continue;
            }
            let before = decls.len();
            self.top_decls(&mut decls);
            for decl in decls.iter().skip(before) {
                if let TopDecl::Export(export) = decl {
                    let message = "an export set at top level has no effect: declarations outside of modules cannot be imported";
                    self.error("syntax/superfluous-export", export.span, message);
                }
            }
            if self.at(T::RBrace) {
                let span = self.bump().span;
                self.error("syntax/unexpected-token", span, "unmatched `}`");
                self.gave_up = true;
            }
        }
        let span = Span::new(self.base, self.base.saturating_add(self.text.len() as u32));
        File {
            includes,
            decls,
            anchors: Anchors(std::mem::take(&mut self.anchors)),
            is_prebuilt: false,
            span,
        }
    }

    fn include(&mut self) -> Parsed<Include> {
        let start = self.start();
        self.bump();
        if !matches!(self.kind(), T::String | T::VerbatimString) {
            return Err(self.expected("a string, the path of the file"));
        }
        let token = self.bump();
        let text = self.text_at(token.span);
        let units = if token.kind == T::String {
            literal::string(text)
        } else {
            literal::verbatim_string(text)
        };
        let path = units
            .into_iter()
            .map(|u| char::from_u32(u).unwrap_or('\u{fffd}'))
            .collect();
        let span = self.span_from(start);
        self.no_semicolon("an `include`");
        Ok(Include { path, span })
    }

    /// Parses `{TopDecl}`, up to a closing brace, the end of the file or an `include`.
    fn top_decls(&mut self, into: &mut Vec<TopDecl>) {
        loop {
            let before = self.at;
            if matches!(self.kind(), T::Eof | T::RBrace | T::Include) {
                return;
            }
            let result = self.top_decl(into);
            if result.is_err() && self.at == before {
                // Dafny reads nothing after a token that begins no declaration.
                self.gave_up = true;
            }
            if result.is_err() {
                self.skip_to_declaration(self.unclosed_since(before));
            }
            if self.at == before {
                self.bump();
            }
        }
    }

    /// Recovers from an error inside `open` unclosed braces: skips to the next possible start of a
    /// declaration, or to a closing brace.
    pub(super) fn skip_to_declaration(&mut self, mut open: usize) {
        loop {
            match self.kind() {
                T::Eof => return,
                T::RBrace if open > 0 => {
                    self.bump();
                    open -= 1;
                }
                T::RBrace => return,
                T::LBrace | T::LBraceColon => self.skip_braces(),
                // A word that begins declarations only is a safe place to continue, even inside
                // braces that were never closed.
                kind if kind.begins_declaration() => return,
                T::Ghost | T::Least | T::Greatest | T::Opaque
                    if self.on_new_line() && self.nth(1).begins_declaration() =>
                {
                    return;
                }
                T::At if self.on_new_line() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Parses `@…` attributes, documentation and modifiers before a declaration.
    pub(super) fn modifiers(&mut self) -> Parsed<Modifiers> {
        let mut modifiers = Modifiers {
            doc: self.doc(),
            ..Modifiers::default()
        };
        self.at_attributes(&mut modifiers.attributes)?;
        loop {
            // Modifiers may be in any order, each at most once.
            let flag = match self.kind() {
                T::Abstract => &mut modifiers.is_abstract,
                T::Ghost => &mut modifiers.ghost,
                T::Static => &mut modifiers.is_static,
                T::Opaque => &mut modifiers.opaque,
                T::Replaceable => &mut modifiers.replaceable,
                _ => break,
            };
            let again = std::mem::replace(flag, true);
            let token = self.bump();
            if again {
                let message = format!("{} is written twice", token.kind.describe());
                self.error("syntax/duplicate-modifier", token.span, message);
            }
        }
        Ok(modifiers)
    }

    /// The documentation of the next token: the documentation comment right before it, or the `//`
    /// comments directly above.
    fn doc(&mut self) -> Option<Name> {
        if self.gave_up {
            return None;
        }
        let i = self.docs.partition_point(|&(next, _)| next <= self.at);
        let block = i
            .checked_sub(1)
            .and_then(|i| self.docs.get(i))
            .filter(|&&(next, _)| next == self.at)
            .map(|&(_, span)| span);
        block
            .map(|span| Name::from(self.text_at(span)))
            .or_else(|| self.line_comments())
    }

    /// The `//` comments on the lines directly above the next token, if that is the first on its
    /// line. The result can be the text of a documentation comment.
    fn line_comments(&self) -> Option<Name> {
        let before = self.text_at(Span::new(self.base, self.start()));
        // The lexer drops these comments, so they are read from the text.
        let (above, indent) = before.rsplit_once('\n')?;
        if !indent.trim().is_empty() {
            return None;
        }
        let comments = above
            .lines()
            .rev()
            .map_while(|l| l.trim_start().strip_prefix("//"));
        let mut lines: Vec<&str> = comments.map(|l| l.trim_start_matches('/').trim()).collect();
        lines.reverse();
        // Comments at the start of a file are about the file.
        let is_first = above.lines().skip_while(|l| l.trim().is_empty()).count() == lines.len();
        if self.at == 0 && is_first {
            return None;
        }
        let text = lines.join("\n");
        (!text.trim().is_empty()).then(|| Name::from(inside_comment(&text)))
    }

    /// Parses `TopDecl`.
    fn top_decl(&mut self, into: &mut Vec<TopDecl>) -> Parsed<()> {
        let start = self.start();
        let mut modifiers = self.modifiers()?;
        match self.kind() {
            T::Module => {
                self.check_modifiers(&mut modifiers, "a module", &[T::Abstract, T::Replaceable]);
                let decl = self.module_definition(start, modifiers)?;
                into.push(TopDecl::Module(decl));
            }
            T::Import => {
                self.check_modifiers(&mut modifiers, "an import", &[]);
                into.push(TopDecl::Import(self.module_import(start)?));
            }
            T::Export => {
                self.check_modifiers(&mut modifiers, "an export set", &[]);
                into.push(TopDecl::Export(self.module_export(start)?));
            }
            T::Class | T::Trait => into.push(TopDecl::Class(self.class_decl(start, modifiers)?)),
            T::Datatype | T::Codatatype => {
                into.push(TopDecl::Datatype(self.datatype_decl(start, modifiers)?))
            }
            T::Newtype => into.push(TopDecl::Newtype(self.newtype_decl(start, modifiers)?)),
            T::Type => into.push(TopDecl::Type(self.synonym_type_decl(start, modifiers)?)),
            T::Iterator => into.push(TopDecl::Iterator(self.iterator_decl(start, modifiers)?)),
            _ => {
                let mut members: Vec<Member> = Vec::new();
                let result = self.class_member_decl(start, modifiers, Home::Module, &mut members);
                into.extend(members.into_iter().map(TopDecl::Member));
                result?;
            }
        }
        Ok(())
    }

    /// Reports and removes modifiers that the kind of declaration does not allow (reference manual,
    /// "Declaration Modifiers").
    pub(super) fn check_modifiers(&mut self, modifiers: &mut Modifiers, what: &str, allowed: &[T]) {
        let Modifiers {
            attributes: _,
            is_abstract,
            ghost,
            is_static,
            opaque,
            replaceable,
            doc: _,
        } = modifiers;
        let flags = [
            (T::Abstract, is_abstract),
            (T::Ghost, ghost),
            (T::Static, is_static),
            (T::Opaque, opaque),
            (T::Replaceable, replaceable),
        ];
        for (kind, flag) in flags {
            if *flag && !allowed.contains(&kind) {
                *flag = false;
                let span = self.last_before(kind);
                self.error(
                    "syntax/modifier-not-allowed",
                    span,
                    format!("{what} cannot be declared {}", kind.describe()),
                );
            }
        }
    }

    /// The span of the last token of this kind before the next one. It has been consumed.
    fn last_before(&self, kind: T) -> Span {
        let read = self.tokens.get(..self.at).unwrap_or_default();
        read.iter()
            .rev()
            .find(|t| t.kind == kind)
            .map_or(self.token(0).span, |t| t.span)
    }

    /// Parses `ModuleDefinition`.
    fn module_definition(&mut self, start: u32, mut modifiers: Modifiers) -> Parsed<ModuleDecl> {
        self.nested(|p| {
            p.bump();
            p.attributes(&mut modifiers.attributes)?;
            let (own, wrong) = module_options(&modifiers.attributes);
            wrong.into_iter().for_each(|d| p.report(d));
            let outer = p.options;
            p.options.function_syntax = own.function_syntax.unwrap_or(outer.function_syntax);
            p.options.quantifier_syntax = own.quantifier_syntax.unwrap_or(outer.quantifier_syntax);
            let module = p.module_rest(start, modifiers);
            p.options = outer;
            module
        })
    }

    /// Parses a module from its name on.
    fn module_rest(&mut self, start: u32, modifiers: Modifiers) -> Parsed<ModuleDecl> {
        let name = self.module_qualified_name()?;
        let base = match self.kind() {
            T::Refines => Some(ModuleBase::Refines),
            T::Replaces => Some(ModuleBase::Replaces),
            _ => None,
        };
        let base = match base {
            None => None,
            Some(base) => {
                self.bump();
                Some((base, self.module_qualified_name()?))
            }
        };
        let open = self.expect(T::LBrace)?.span;
        let mut decls = Vec::new();
        self.top_decls(&mut decls);
        if self.expect_closing(T::RBrace, open).is_err() && self.at(T::Include) {
            self.bump();
        }
        Ok(ModuleDecl {
            modifiers,
            name,
            base,
            decls,
            span: self.span_from(start),
        })
    }

    /// Parses `ModuleQualifiedName`.
    fn module_qualified_name(&mut self) -> Parsed<QualifiedName> {
        let start = self.start();
        let mut segments = vec![self.no_us_ident()?];
        while self.at(T::Dot) {
            self.bump();
            segments.push(self.no_us_ident()?);
        }
        Ok(QualifiedName {
            segments,
            span: self.span_from(start),
        })
    }

    /// Parses `ModuleImport`.
    fn module_import(&mut self, start: u32) -> Parsed<Import> {
        self.bump();
        let opened = self.eat(T::Opened);
        let is_abstract = self.nth(1) == T::Colon;
        let alias = if is_abstract || self.nth(1) == T::SingleEq {
            let alias = self.no_us_ident()?;
            self.bump();
            Some(alias)
        } else {
            None
        };
        let target = self.module_qualified_name()?;
        let mut exports = Vec::new();
        if self.eat(T::Backtick) {
            if self.at(T::LBrace) {
                let open = self.bump().span;
                exports = self.comma_separated(Self::ident_or_digits)?;
                self.expect_closing(T::RBrace, open)?;
            } else {
                exports.push(self.ident_or_digits()?);
            }
        }
        let span = self.span_from(start);
        self.no_semicolon("an import");
        Ok(Import {
            opened,
            alias,
            is_abstract,
            target,
            exports,
            span,
        })
    }

    /// Parses `ModuleExport`.
    fn module_export(&mut self, start: u32) -> Parsed<Export> {
        self.bump();
        let name = if self.at_name() || self.at(T::Digits) {
            Some(self.ident_or_digits()?)
        } else {
            None
        };
        let is_refining = self.eat(T::Ellipsis);
        let (mut extends, mut provides, mut reveals) = (Vec::new(), Vec::new(), Vec::new());
        let (mut provides_all, mut reveals_all) = (false, false);
        loop {
            match self.kind() {
                T::Provides | T::Reveals => {
                    let reveal = self.bump().kind == T::Reveals;
                    if self.eat(T::Star) {
                        *(if reveal {
                            &mut reveals_all
                        } else {
                            &mut provides_all
                        }) = true;
                    } else {
                        let list = self.export_list(Self::export_signature)?;
                        (if reveal { &mut reveals } else { &mut provides }).extend(list);
                    }
                }
                T::Extends => {
                    self.bump();
                    extends.extend(self.export_list(Self::ident_or_digits)?);
                }
                _ => break,
            }
            if self.at(T::Comma) {
                // Report the comma, and continue with the next clause.
                let span = self.bump().span;
                self.error(
                    "syntax/export-comma",
                    span,
                    "the clauses of an export set are not separated by commas",
                );
            }
        }
        let span = self.span_from(start);
        self.no_semicolon("an export set");
        Ok(Export {
            name,
            extends,
            provides,
            reveals,
            provides_all,
            reveals_all,
            is_refining,
            span,
        })
    }

    /// Parses names separated by commas. A comma before the next clause is not consumed.
    fn export_list<R>(&mut self, item: fn(&mut Self) -> Parsed<R>) -> Parsed<Vec<R>> {
        let mut items = vec![item(self)?];
        while self.at(T::Comma) && !matches!(self.nth(1), T::Provides | T::Reveals | T::Extends) {
            self.bump();
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Parses `ExportSignature`.
    fn export_signature(&mut self) -> Parsed<ExportId> {
        let first = self.type_name_or_ctor_suffix()?;
        if !self.eat(T::Dot) {
            return Ok(ExportId {
                prefix: None,
                name: first,
            });
        }
        Ok(ExportId {
            prefix: Some(first),
            name: self.type_name_or_ctor_suffix()?,
        })
    }

    /// Parses `TypeNameOrCtorSuffix`: also `_ctor`, the anonymous constructor.
    fn type_name_or_ctor_suffix(&mut self) -> Parsed<Ident> {
        if self.at(T::Digits) {
            self.ident_or_digits()
        } else {
            self.ident()
        }
    }

    /// Parses `ClassDecl`, `TraitDecl`.
    fn class_decl(&mut self, start: u32, mut modifiers: Modifiers) -> Parsed<ClassDecl> {
        let is_trait = self.at(T::Trait);
        self.check_modifiers(
            &mut modifiers,
            if is_trait { "a trait" } else { "a class" },
            &[],
        );
        self.bump();
        self.attributes(&mut modifiers.attributes)?;
        let name = self.no_us_ident()?;
        let type_params = self.opt_generic_parameters(true)?;
        let extends = self.opt_extends_clause()?;
        let is_refining = extends.is_empty() && self.eat(T::Ellipsis);
        let members = self.members(Home::Class)?;
        Ok(ClassDecl {
            is_trait,
            modifiers,
            name,
            type_params,
            extends,
            members,
            is_refining,
            span: self.span_from(start),
        })
    }

    /// Parses `[ExtendsClause]`.
    fn opt_extends_clause(&mut self) -> Parsed<Vec<Type>> {
        if self.eat(T::Extends) {
            self.comma_separated(Self::ty)
        } else {
            Ok(Vec::new())
        }
    }

    /// Parses `[ExtendsClause]` of a type that may extend traits only with an option.
    fn extends_clause_of(&mut self, extending: Extending) -> Parsed<Vec<Type>> {
        let given = self.options.general_traits;
        let refused = match (extending, given) {
            (Extending::Datatype, GeneralTraits::Legacy) => {
                Some("a datatype can extend traits only with `--general-traits=datatype`")
            }
            (Extending::Abstract, GeneralTraits::Legacy) => {
                Some("an abstract type can extend traits only with `--general-traits=datatype`")
            }
            (Extending::Newtype, GeneralTraits::Legacy | GeneralTraits::Datatype) => {
                Some("a newtype can extend traits only with `--general-traits=full`")
            }
            (
                Extending::Datatype | Extending::Abstract,
                GeneralTraits::Datatype | GeneralTraits::Full,
            )
            | (Extending::Newtype, GeneralTraits::Full) => None,
        };
        if let Some(message) = refused.filter(|_| self.at(T::Extends)) {
            let keyword = self.token(0).span;
            self.report(Diagnostic::error(
                "resolve/general-traits",
                keyword,
                message,
            ));
        }
        self.opt_extends_clause()
    }

    /// Parses `[TypeMembers]`.
    fn opt_type_members(&mut self) -> Parsed<Vec<Member>> {
        if self.at(T::LBrace) {
            self.members(Home::Type)
        } else {
            Ok(Vec::new())
        }
    }

    /// Parses `DatatypeDecl`.
    fn datatype_decl(&mut self, start: u32, mut modifiers: Modifiers) -> Parsed<DatatypeDecl> {
        let co = self.at(T::Codatatype);
        self.check_modifiers(
            &mut modifiers,
            if co { "a codatatype" } else { "a datatype" },
            &[],
        );
        self.bump();
        self.attributes(&mut modifiers.attributes)?;
        let name = self.no_us_ident()?;
        let type_params = self.opt_generic_parameters(true)?;
        let extends = self.extends_clause_of(Extending::Datatype)?;
        let mut ctors = Vec::new();
        let is_refining = if self.eat(T::Ellipsis) {
            true
        } else {
            if !self.at(T::SingleEq) {
                return Err(self.expected("`=` and the constructors"));
            }
            self.bump();
            let is_refining = self.misplaced_ellipsis();
            self.eat(T::Bar);
            ctors.push(self.datatype_member_decl()?);
            while self.eat(T::Bar) {
                ctors.push(self.datatype_member_decl()?);
            }
            is_refining
        };
        let members = self.opt_type_members()?;
        let span = self.span_from(start);
        self.no_semicolon("a datatype");
        Ok(DatatypeDecl {
            co,
            modifiers,
            name,
            type_params,
            extends,
            ctors,
            members,
            is_refining,
            span,
        })
    }

    /// Reports `= ...` where `...` without `=` is required.
    fn misplaced_ellipsis(&mut self) -> bool {
        let span = self.token(0).span;
        let found = self.eat(T::Ellipsis);
        if found {
            let diagnostic = Diagnostic::error(
                "syntax/refined-definition",
                span,
                "a refinement cannot change what defines a type",
            );
            self.report(diagnostic.with_help(
                "in a refinement, `...` replaces the `=` and the definition up to the members",
            ));
        }
        found
    }

    /// Parses `DatatypeMemberDecl`.
    fn datatype_member_decl(&mut self) -> Parsed<Ctor> {
        let mut modifiers = Modifiers {
            doc: self.doc(),
            ..Modifiers::default()
        };
        let start = self.start();
        modifiers.ghost = self.eat(T::Ghost);
        self.attributes(&mut modifiers.attributes)?;
        let name: Ident = self.ident_or_digits()?;
        let formals = if self.at(T::LParen) {
            self.formals_optional_ids()?
        } else {
            Vec::new()
        };
        Ok(Ctor {
            modifiers,
            name,
            formals,
            span: self.span_from(start),
        })
    }

    /// Parses the definition of a subset type or newtype: a constrained variable, or a type.
    fn constrained(&mut self, synonym: bool) -> Parsed<Constrained> {
        if !self.is_ident_colon_or_bar() {
            let base = Some(self.ty()?);
            let witness = if synonym {
                Witness::Default
            } else {
                self.witness_clause()?
            };
            return Ok(Constrained {
                var: None,
                base,
                constraint: None,
                witness,
            });
        }
        let var = Some(self.no_us_ident()?);
        let base = if self.eat(T::Colon) {
            Some(self.ty()?)
        } else {
            None
        };
        if !self.at(T::Bar) {
            return Err(self.expected("`|` and the constraint of the type"));
        }
        self.bump();
        let constraint = Some(self.expression(Mode::PLAIN)?);
        let witness = self.witness_clause()?;
        Ok(Constrained {
            var,
            base,
            constraint,
            witness,
        })
    }

    /// Parses `WitnessClause`.
    fn witness_clause(&mut self) -> Parsed<Witness> {
        if !self.is_witness() {
            return Ok(Witness::Default);
        }
        let ghost = self.eat(T::Ghost);
        self.bump();
        if !ghost && self.eat(T::Star) {
            return Ok(Witness::Star);
        }
        let value = Box::new(self.expression(Mode::PLAIN)?);
        Ok(if ghost {
            Witness::Ghost(value)
        } else {
            Witness::Compiled(value)
        })
    }

    /// Parses `NewtypeDecl`.
    fn newtype_decl(&mut self, start: u32, mut modifiers: Modifiers) -> Parsed<NewtypeDecl> {
        self.check_modifiers(&mut modifiers, "a newtype", &[]);
        self.bump();
        self.attributes(&mut modifiers.attributes)?;
        let name = self.no_us_ident()?;
        let type_params = self.opt_generic_parameters(true)?;
        let extends = self.extends_clause_of(Extending::Newtype)?;
        let mut is_refining = self.eat(T::Ellipsis);
        let definition = if is_refining {
            None
        } else {
            if !self.at(T::SingleEq) {
                return Err(self.expected("`=` and the base type"));
            }
            self.bump();
            is_refining = self.misplaced_ellipsis();
            Some(self.constrained(false)?)
        };
        let members = self.opt_type_members()?;
        let span = self.span_from(start);
        self.no_semicolon("a newtype");
        Ok(NewtypeDecl {
            modifiers,
            name,
            type_params,
            extends,
            definition,
            members,
            is_refining,
            span,
        })
    }

    /// Parses `SynonymTypeDecl`: synonyms, subset types and abstract types.
    fn synonym_type_decl(&mut self, start: u32, mut modifiers: Modifiers) -> Parsed<TypeDecl> {
        self.check_modifiers(&mut modifiers, "a type", &[]);
        self.bump();
        self.attributes(&mut modifiers.attributes)?;
        let name = self.no_us_ident()?;
        let mut characteristics = Characteristics::default();
        while self.at(T::LParen) {
            self.type_parameter_characteristics(&mut characteristics)?;
        }
        let type_params = self.opt_generic_parameters(true)?;
        let mut decl = TypeDecl {
            modifiers,
            name,
            characteristics,
            type_params,
            extends: Vec::new(),
            definition: None,
            members: Vec::new(),
            is_refining: false,
            span: Span::default(),
        };
        if self.eat(T::SingleEq) {
            decl.definition = Some(self.constrained(true)?);
        } else {
            decl.is_refining = self.eat(T::Ellipsis);
            decl.extends = self.extends_clause_of(Extending::Abstract)?;
            decl.members = self.opt_type_members()?;
        }
        decl.span = self.span_from(start);
        self.no_semicolon("a type");
        Ok(decl)
    }

    /// Parses `IteratorDecl`.
    fn iterator_decl(&mut self, start: u32, mut modifiers: Modifiers) -> Parsed<IteratorDecl> {
        self.check_modifiers(&mut modifiers, "an iterator", &[]);
        self.bump();
        self.attributes(&mut modifiers.attributes)?;
        let name = self.no_us_ident()?;
        let is_refining = self.eat(T::Ellipsis);
        let (mut type_params, mut ins, mut yields) = (Vec::new(), Vec::new(), Vec::new());
        if !is_refining {
            type_params = self.opt_generic_parameters(true)?;
            ins = self.in_formals()?;
            if self.at(T::Returns) {
                self.error(
                    "syntax/iterator-returns",
                    self.token(0).span,
                    "an iterator has `yields` instead of `returns` parameters",
                );
            }
            if matches!(self.kind(), T::Yields | T::Returns) {
                self.bump();
                yields = self.out_formals()?;
            }
        }
        let spec = self.specification(ITERATOR)?;
        let body = if self.at(T::LBrace) {
            Some(self.block_stmt()?)
        } else {
            None
        };
        let span = self.span_from(start);
        Ok(IteratorDecl {
            modifiers,
            name,
            type_params,
            ins,
            yields,
            spec,
            body,
            is_refining,
            span,
        })
    }
}
