//! Members of modules and of class-like declarations: fields, constants, functions, methods
//! (reference manual, "Member Declarations").

use dafny_source::diagnostic::Diagnostic;

use super::super::ast::{
    Block, ClauseKind, ConstDecl, Expr, FieldDecl, Formal, FunctionDecl, FunctionKind, Ident,
    Member, MethodDecl, MethodKind, Modifiers, Span, Type,
};
use super::super::token::TokenKind as T;
use super::formals::{FormalsMode, INS, OUTS, Signature};
use super::specifications::{FUNCTION, LEMMA, METHOD};
use super::{FunctionSyntax, Mode, Parsed, Parser};

/// The container of a member.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// A module or file.
    Module,
    /// A class or trait.
    Class,
    /// A datatype, newtype or abstract type.
    Type,
}

/// Whether a function or predicate of one state is ghost, by its keywords.
fn is_ghost(syntax: FunctionSyntax, modifiers: &Modifiers, kind: FunctionKind) -> bool {
    let is_method = matches!(
        kind,
        FunctionKind::FunctionMethod | FunctionKind::PredicateMethod
    );
    match syntax {
        FunctionSyntax::Version3 | FunctionSyntax::DefaultGhost => !is_method,
        FunctionSyntax::PredicateAlwaysGhost => {
            modifiers.ghost
                || matches!(
                    kind,
                    FunctionKind::Predicate | FunctionKind::PredicateMethod
                )
        }
        FunctionSyntax::Migration3To4
        | FunctionSyntax::DefaultCompiled
        | FunctionSyntax::Version4 => modifiers.ghost,
    }
}

impl Parser<'_> {
    /// Parses `TypeMembers`, and the members of classes and traits.
    pub(super) fn members(&mut self, home: Home) -> Parsed<Vec<Member>> {
        let open = self.expect(T::LBrace)?.span;
        let mut members = Vec::new();
        loop {
            let before = self.at;
            match self.kind() {
                T::RBrace => break,
                T::Eof
                | T::Module
                | T::Class
                | T::Trait
                | T::Datatype
                | T::Codatatype
                | T::Newtype
                | T::Import
                | T::Export
                | T::Include => break,
                _ => {}
            }
            if self.member(home, &mut members).is_err() {
                self.skip_to_declaration(self.unclosed_since(before));
            }
            if self.at == before {
                self.bump();
            }
        }
        self.expect_closing(T::RBrace, open)?;
        Ok(members)
    }

    fn member(&mut self, home: Home, into: &mut Vec<Member>) -> Parsed<()> {
        let start = self.start();
        let modifiers = self.modifiers()?;
        self.class_member_decl(start, modifiers, home, into)
    }

    /// Parses `ClassMemberDecl`.
    pub(super) fn class_member_decl(
        &mut self,
        start: u32,
        modifiers: Modifiers,
        home: Home,
        into: &mut Vec<Member>,
    ) -> Parsed<()> {
        match self.kind() {
            T::Var => self.field_decl(modifiers, home, into),
            T::Const => {
                let decl = self.constant_field_decl(start, modifiers)?;
                into.push(Member::Const(decl));
                Ok(())
            }
            _ if self.is_function_decl() => {
                let decl = self.function_decl(start, modifiers)?;
                into.push(Member::Function(decl));
                Ok(())
            }
            T::Method
            | T::Lemma
            | T::Constructor
            | T::Colemma
            | T::Least
            | T::Greatest
            | T::Inductive
            | T::Twostate => {
                let decl = self.method_decl(start, modifiers, home)?;
                into.push(Member::Method(decl));
                Ok(())
            }
            _ => Err(self.expected_keyword(if home == Home::Module {
                "a declaration"
            } else {
                "a declaration of a member"
            })),
        }
    }

    fn is_function_decl(&self) -> bool {
        match self.kind() {
            T::Function | T::Predicate | T::Copredicate => true,
            T::Least | T::Greatest | T::Inductive => self.nth(1) == T::Predicate,
            T::Twostate => matches!(self.nth(1), T::Function | T::Predicate),
            _ => false,
        }
    }

    /// Parses `FieldDecl`.
    fn field_decl(
        &mut self,
        mut modifiers: Modifiers,
        home: Home,
        into: &mut Vec<Member>,
    ) -> Parsed<()> {
        self.check_modifiers(&mut modifiers, "a field", &[T::Ghost]);
        let keyword = self.bump().span;
        if home == Home::Module {
            let diagnostic = Diagnostic::error(
                "syntax/module-level-field",
                keyword,
                "a mutable field cannot be declared at module level",
            );
            self.report(diagnostic.with_help("declare it in a class, or make it a `const`"));
        }
        self.attributes(&mut modifiers.attributes)?;
        loop {
            let start = self.start();
            let name = self.ident_or_digits()?;
            if !self.eat(T::Colon) {
                let message = format!("the field `{}` has no type", name.name);
                let diagnostic = Diagnostic::error("syntax/field-type", name.span, message);
                self.report(diagnostic.with_help("declare it as `name: Type`"));
                return Err(super::Failed);
            }
            let ty = self.ty()?;
            let span = self.span_from(start);
            into.push(Member::Field(FieldDecl {
                modifiers: modifiers.clone(),
                name,
                ty,
                span,
            }));
            // Parse the value nevertheless, for its errors.
            if matches!(self.kind(), T::Gets | T::SingleEq) {
                let span = self.bump().span;
                let diagnostic = Diagnostic::error(
                    "syntax/field-initialiser",
                    span,
                    "a field cannot have an initial value",
                );
                self.report(
                    diagnostic.with_help("assign it in the constructor, or make it a `const`"),
                );
                self.expression(Mode::INNER)?;
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.old_semi();
        Ok(())
    }

    /// Parses `ConstantFieldDecl`.
    fn constant_field_decl(&mut self, start: u32, mut modifiers: Modifiers) -> Parsed<ConstDecl> {
        self.check_modifiers(
            &mut modifiers,
            "a constant",
            &[T::Ghost, T::Static, T::Opaque],
        );
        self.bump();
        self.attributes(&mut modifiers.attributes)?;
        let name = self.ident_or_digits()?;
        let ty = if self.eat(T::Colon) {
            Some(self.ty()?)
        } else {
            None
        };
        let is_refining = self.eat(T::Ellipsis);
        let value = match self.kind() {
            T::Gets => {
                self.bump();
                Some(self.expression(Mode::PLAIN)?)
            }
            T::SingleEq => {
                self.assignment_written_as_equals();
                Some(self.expression(Mode::PLAIN)?)
            }
            _ => None,
        };
        let span = self.span_from(start);
        self.old_semi();
        Ok(ConstDecl {
            modifiers,
            name,
            ty,
            value,
            is_refining,
            span,
        })
    }

    fn method_kind(&mut self) -> Parsed<MethodKind> {
        let keyword = self.bump().kind;
        let kind = match keyword {
            T::Method => return Ok(MethodKind::Method),
            T::Constructor => return Ok(MethodKind::Constructor),
            T::Lemma => return Ok(MethodKind::Lemma),
            T::Colemma => return Ok(MethodKind::GreatestLemma),
            T::Twostate => MethodKind::TwostateLemma,
            T::Greatest => MethodKind::GreatestLemma,
            _ => MethodKind::LeastLemma,
        };
        if !self.at(T::Lemma) {
            let what = if keyword == T::Twostate {
                "`function`, `predicate` or `lemma`"
            } else {
                "`predicate` or `lemma`"
            };
            return Err(self.expected(what));
        }
        self.bump();
        Ok(kind)
    }

    /// Parses `MethodDecl`.
    fn method_decl(
        &mut self,
        start: u32,
        mut modifiers: Modifiers,
        home: Home,
    ) -> Parsed<MethodDecl> {
        let head_start = self.start();
        let keyword = self.token(0).span;
        // Modifiers precede the keyword, but only the keyword tells which ones are allowed.
        let (what, allowed): (_, &[T]) = match self.kind() {
            T::Method => ("a method", &[T::Ghost, T::Static]),
            T::Constructor => ("a constructor", &[T::Ghost]),
            _ => ("a lemma, which is always ghost,", &[T::Static]),
        };
        self.check_modifiers(&mut modifiers, what, allowed);
        let kind = self.method_kind()?;
        let is_constructor = kind == MethodKind::Constructor;
        if is_constructor && home != Home::Class {
            self.error(
                "syntax/misplaced-constructor",
                keyword,
                "only classes can have constructors",
            );
        }
        self.attributes(&mut modifiers.attributes)?;
        let name = if self.at_name() || self.at(T::Digits) {
            Some(self.ident_or_digits()?)
        } else {
            None
        };
        if name.is_none() && !is_constructor {
            return Err(self.expected("the name of the method"));
        }
        let head = self.span_from(head_start);
        let two_state = kind == MethodKind::TwostateLemma;
        // Lemmas and ghost methods have other clauses, and `ghost` parameters are redundant in
        // them.
        let compiled =
            matches!(kind, MethodKind::Method | MethodKind::Constructor) && !modifiers.ghost;
        let mut signature = Signature::default();
        let mut outs = Vec::new();
        let is_refining = self.eat(T::Ellipsis);
        if !is_refining {
            let extreme = matches!(kind, MethodKind::LeastLemma | MethodKind::GreatestLemma);
            signature = self.signature(
                FormalsMode {
                    new: two_state,
                    ghost: compiled,
                    ..INS
                },
                extreme,
            )?;
            if self.at(T::Returns) {
                let span = self.bump().span;
                if is_constructor {
                    self.error(
                        "syntax/constructor-returns",
                        span,
                        "constructors cannot have out-parameters",
                    );
                }
                outs = self.formals(FormalsMode {
                    ghost: compiled,
                    ..OUTS
                })?;
            }
        }
        let spec = self.specification(if compiled { METHOD } else { LEMMA })?;
        let body = match self.at(T::LBrace) {
            true if is_constructor => Some(self.divided_block_stmt()?),
            true => Some(self.block_stmt()?),
            false => None,
        };
        let span = self.span_from(start);
        let Signature {
            type_params,
            k_type,
            ins,
        } = signature;
        Ok(MethodDecl {
            modifiers,
            kind,
            name,
            type_params,
            k_type,
            ins,
            outs,
            spec,
            body,
            is_refining,
            head,
            span,
        })
    }

    fn function_kind(&mut self) -> Parsed<FunctionKind> {
        let keyword = self.bump().kind;
        let kind = match keyword {
            T::Function => FunctionKind::Function,
            T::Predicate => FunctionKind::Predicate,
            T::Copredicate => return Ok(FunctionKind::GreatestPredicate),
            T::Twostate if self.at(T::Function) => FunctionKind::TwostateFunction,
            T::Twostate => FunctionKind::TwostatePredicate,
            T::Greatest => FunctionKind::GreatestPredicate,
            _ => FunctionKind::LeastPredicate,
        };
        if !matches!(keyword, T::Function | T::Predicate) {
            self.bump();
        }
        if !self.at(T::Method) {
            return Ok(kind);
        }
        let span = self.bump().span;
        match kind {
            FunctionKind::Function => Ok(FunctionKind::FunctionMethod),
            FunctionKind::Predicate => Ok(FunctionKind::PredicateMethod),
            FunctionKind::TwostateFunction
            | FunctionKind::TwostatePredicate
            | FunctionKind::LeastPredicate
            | FunctionKind::GreatestPredicate
            | FunctionKind::FunctionMethod
            | FunctionKind::PredicateMethod => {
                self.error(
                    "syntax/ghost-only-function",
                    span,
                    "two-state and extreme functions are always ghost",
                );
                Ok(kind)
            }
        }
    }

    /// Parses `FunctionDecl`.
    fn function_decl(&mut self, start: u32, mut modifiers: Modifiers) -> Parsed<FunctionDecl> {
        let head_start = self.start();
        let (what, allowed): (_, &[T]) = match self.kind() {
            T::Function | T::Predicate => ("a function", &[T::Ghost, T::Static, T::Opaque]),
            _ => (
                "a two-state or extreme function, which is always ghost,",
                &[T::Static, T::Opaque],
            ),
        };
        self.check_modifiers(&mut modifiers, what, allowed);
        let kind = self.function_kind()?;
        self.attributes(&mut modifiers.attributes)?;
        let name = self.ident_or_digits()?;
        let head = self.span_from(head_start);
        let (two_state, extreme) = (kind.is_two_state(), kind.is_extreme());
        let is_function = !kind.is_predicate();
        let ghost =
            two_state || extreme || is_ghost(self.options.function_syntax, &modifiers, kind);
        let is_refining = self.eat(T::Ellipsis);
        let mut signature = Signature::default();
        let mut result = (None, None);
        if !is_refining {
            signature = self.signature(
                FormalsMode {
                    incoming: true,
                    new: two_state,
                    older: !extreme,
                    ghost: !(modifiers.ghost || two_state || extreme),
                },
                extreme,
            )?;
            if is_function && !self.at(T::Colon) {
                let help = "a function must declare its result type; a `predicate` is a function that returns `bool`";
                return Err(self.expected_with_help("`:` and the type of the result", help));
            }
            if self.eat(T::Colon) {
                result = self.function_result()?;
                if let (false, (name, Some(ty))) = (is_function, &result) {
                    self.check_predicate_result(name.as_ref(), ty);
                }
            }
        }
        let spec = self.specification(FUNCTION)?;
        let decreases = spec
            .clauses
            .iter()
            .find(|c| matches!(c.kind, ClauseKind::Decreases(_)));
        if let Some(clause) = decreases.filter(|_| extreme) {
            let message = "least and greatest predicates cannot have a `decreases` clause";
            self.error("syntax/extreme-decreases", clause.span, message);
        }
        let (body, by_method) = if self.at(T::LBrace) {
            self.function_body()?
        } else {
            (None, None)
        };
        let span = self.span_from(start);
        if by_method.is_some()
            && (modifiers.ghost
                || kind != FunctionKind::Function && kind != FunctionKind::Predicate)
        {
            let message = "a function by method cannot be declared `ghost` or `method`: its body is ghost, and its `by method` body is compiled";
            self.error("syntax/ghost-by-method", head, message);
        } else if by_method.is_none() {
            self.check_function_syntax(&modifiers, kind, head);
            // Without a keyword, the function turns out to be ghost only after its body: no
            // `by method` follows.
            if ghost && !(modifiers.ghost || two_state || extreme) {
                for formal in signature.ins.iter().filter(|f| f.ghost) {
                    self.all_is_ghost(formal.span);
                }
            }
        }
        let ghost = ghost && by_method.is_none();
        let Signature {
            type_params,
            k_type,
            ins,
        } = signature;
        let (result_name, result) = result;
        Ok(FunctionDecl {
            modifiers,
            kind,
            ghost,
            name,
            type_params,
            k_type,
            ins,
            result_name,
            result,
            spec,
            body,
            by_method,
            is_refining,
            head,
            span,
        })
    }

    /// Checks the keywords of a function without `by method` against the function syntax.
    fn check_function_syntax(&mut self, modifiers: &Modifiers, kind: FunctionKind, head: Span) {
        use FunctionSyntax as S;
        let (is_predicate, is_method) = match kind {
            FunctionKind::Function => (false, false),
            FunctionKind::FunctionMethod => (false, true),
            FunctionKind::Predicate => (true, false),
            FunctionKind::PredicateMethod => (true, true),
            FunctionKind::TwostateFunction
            | FunctionKind::TwostatePredicate
            | FunctionKind::LeastPredicate
            | FunctionKind::GreatestPredicate => return,
        };
        let message = match (self.options.function_syntax, modifiers.ghost, is_method) {
            (S::PredicateAlwaysGhost, true, _) | (S::PredicateAlwaysGhost, _, true)
                if is_predicate =>
            {
                "a predicate is always ghost here: it is declared by `predicate` alone"
            }
            (S::Version4 | S::PredicateAlwaysGhost, false, true) => {
                "`method` after `function` or `predicate` belongs to Dafny 3: in Dafny 4 a function is compiled unless it is `ghost`"
            }
            (S::Version3, true, false) => {
                "with `--function-syntax 3` a function is ghost unless it is a `method`"
            }
            (S::Migration3To4, false, false) => {
                "with `--function-syntax migration3to4` a function says whether it is compiled: `ghost function` or `function method`"
            }
            (_, true, true) => {
                let message = "a function is either `ghost` or a `method`";
                return self.error("syntax/ghost-function-method", head, message);
            }
            (
                S::Version3
                | S::Migration3To4
                | S::DefaultGhost
                | S::DefaultCompiled
                | S::PredicateAlwaysGhost
                | S::Version4,
                _,
                _,
            ) => return,
        };
        self.error("syntax/function-syntax", head, message);
    }

    /// Parses the type of a result, or a named result in parentheses.
    fn function_result(&mut self) -> Parsed<(Option<Ident>, Option<Type>)> {
        if !self.is_paren_idents_colon() {
            return Ok((None, Some(self.ty()?)));
        }
        let open = self.bump().span;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        if let Some(attribute) = attributes.first() {
            let span = attribute.span;
            self.report(Diagnostic::warning(
                "syntax/result-attribute",
                span,
                "an attribute of a function's result has no effect",
            ));
        }
        if self.at(T::Ghost) {
            let span = self.bump().span;
            self.error(
                "syntax/ghost-result",
                span,
                "the result of a function cannot be declared ghost",
            );
        }
        let name = self.no_us_ident()?;
        self.expect(T::Colon)?;
        let ty = self.ty()?;
        self.expect_closing(T::RParen, open)?;
        Ok((Some(name), Some(ty)))
    }

    /// Checks `PredicateResult`: a predicate may state its result type `bool` only to name the
    /// result.
    fn check_predicate_result(&mut self, name: Option<&Ident>, ty: &Type) {
        let found = self.text_at(ty.span);
        let diagnostic = match name {
            None if found == "bool" => {
                let message = "a predicate does not declare a result type: it is `bool`";
                let help = "remove the type, or name the result: `: (result: bool)`";
                Diagnostic::error("syntax/predicate-result", ty.span, message).with_help(help)
            }
            Some(_) if found == "bool" => return,
            None | Some(_) => {
                let message = format!("a predicate returns `bool`, not `{found}`");
                Diagnostic::error("syntax/predicate-result", ty.span, message)
                    .with_help("remove the result type, or declare a function")
            }
        };
        self.report(diagnostic);
    }

    /// Parses `FunctionBody`.
    fn function_body(&mut self) -> Parsed<(Option<Expr>, Option<Block>)> {
        let open = self.expect(T::LBrace)?.span;
        let body = self.expression(Mode::INNER)?;
        self.expect_closing(T::RBrace, open)?;
        if !(self.at(T::By) && self.nth(1) == T::Method) {
            return Ok((Some(body), None));
        }
        self.bump();
        self.bump();
        Ok((Some(body), Some(self.block_stmt()?)))
    }

    /// Parses `FormalsOptionalIds`: the parameters of a datatype constructor.
    pub(super) fn formals_optional_ids(&mut self) -> Parsed<Vec<Formal>> {
        let open = self.expect(T::LParen)?.span;
        if self.eat(T::RParen) {
            return Ok(Vec::new());
        }
        let formals = self.comma_separated(Self::type_ident_optional)?;
        self.expect_closing(T::RParen, open)?;
        Ok(formals)
    }
}
