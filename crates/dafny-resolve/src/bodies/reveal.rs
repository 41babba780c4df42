//! `reveal` and `hide`: functions, constants, and labels of assertions and preconditions.

use crate::typed::{CallableId, CallableKind, ExprKind, FieldKind, Revealed, Type};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::super::context::{Member, NameUse};
use super::super::graph::Declaration;
use super::Resolver;
use super::names::Head;

impl Resolver<'_> {
    /// Checks the operands of `reveal` or `hide`.
    pub(super) fn revealed(&mut self, es: &[ast::Expr], hides: bool, span: Span) -> Revealed {
        let what = if hides { "hidden" } else { "revealed" };
        let mut found = Vec::new();
        let (mut all, mut labels) = (false, Vec::new());
        for e in es {
            let e = if matches!(&e.kind, ast::ExprKind::Wildcard) {
                all = true;
                continue;
            } else if let ast::ExprKind::Name { name, .. } = &e.kind
                && self.st.scope.asserted(&name.name)
            {
                // The label of an assertion or precondition. With parentheses, the name denotes a
                // function.
                labels.push(name.name.clone());
                continue;
            } else if let ast::ExprKind::Literal(ast::Literal::Int(n)) = &e.kind
                && self.st.scope.asserted(&n.to_string())
            {
                labels.push(n.to_string().into());
                continue;
            } else if let ast::ExprKind::Call {
                callee, at_label, ..
            } = &e.kind
            {
                if let Some(label) = at_label {
                    self.error(
                        "resolve/reveal",
                        label.span,
                        "the target of `reveal` or `hide` cannot have a label after `@`",
                    );
                }
                callee
            } else {
                e
            };
            let (ast::ExprKind::Name { name, .. } | ast::ExprKind::Select { member: name, .. }) =
                &e.kind
            else {
                let d = Diagnostic::error(
                    "resolve/reveal",
                    span,
                    "only names can be revealed or hidden",
                );
                self.report(d.with_help("name a function, a constant, or the label of an assertion, without parentheses"));
                continue;
            };
            if let Some(member) = self.revealed_member(e) {
                match member {
                    Member::Callable(id) if self.is_function(id) => {
                        self.reveals(id, name, what, &mut found)
                    }
                    Member::Field(f) if self.is_constant(f) => {}
                    Member::Field(_)
                    | Member::Callable(_)
                    | Member::Ctor(_)
                    | Member::CtorTest(_) => self.not_revealable(name.span, what),
                }
                continue;
            }
            match self.head(e, NameUse::Expression, None) {
                Head::Callable(c) if self.is_function(c.id) => {
                    self.reveals(c.id, name, what, &mut found)
                }
                Head::Value(v) if matches!(&v.kind, ExprKind::Field { field, .. } if self.is_constant(*field)) =>
                    {}
                Head::Value(v) if matches!(v.kind, ExprKind::Error) => {}
                Head::Value(v)
                    if matches!(v.kind, ExprKind::Field { .. } | ExprKind::Builtin { .. }) =>
                {
                    self.not_revealable(name.span, what)
                }
                Head::Callable(_) => self.not_revealable(name.span, what),
                Head::Value(_) | Head::Module(_) | Head::Type(_) | Head::Ctor(..) => {
                    let message = format!(
                        "`{}` is not a function, a constant or a label of an assertion, so it cannot be {what}",
                        name.name
                    );
                    self.error("resolve/reveal", name.span, message);
                }
                Head::Error => {}
            }
        }
        Revealed {
            hides,
            all,
            functions: found,
            labels,
        }
    }

    /// Checks a revealed function: it has to be opaque and to have a body.
    fn reveals(
        &mut self,
        id: CallableId,
        name: &ast::Ident,
        what: &str,
        found: &mut Vec<CallableId>,
    ) {
        if what == "revealed"
            && self.cx.program[id].opaque
            && !self.cx.callables.with_body.contains(&id)
        {
            self.error(
                "resolve/reveal",
                name.span,
                format!("`{}` has no body to reveal here", name.name),
            );
        }
        let around = self.st.declaration.and_then(|d| match d {
            Declaration::Callable(c) => Some(self.cx.program[c].kind),
            Declaration::ByMethod(_) => Some(CallableKind::Method),
            Declaration::Const(_) | Declaration::Type(_) => None,
        });
        let two_states = self.st.yields.is_some()
            || around.is_some_and(|k| !k.is_function() || k == CallableKind::TwostateFunction);
        let revealed = &self.cx.program[id];
        if what == "revealed"
            && revealed.opaque
            && revealed.kind == CallableKind::TwostateFunction
            && !two_states
        {
            let message = format!(
                "the two-state function `{}` can be revealed only in a two-state context",
                name.name
            );
            self.error("resolve/two-state", name.span, message);
        }
        found.push(id);
    }

    fn not_revealable(&mut self, span: Span, what: &str) {
        self.error(
            "resolve/reveal",
            span,
            format!("only functions, constants and labels of assertions can be {what}"),
        );
    }

    fn is_function(&self, id: CallableId) -> bool {
        match self.cx.program[id].kind {
            CallableKind::Method | CallableKind::Constructor | CallableKind::Lemma => false,
            CallableKind::Function
            | CallableKind::TwostateFunction
            | CallableKind::LeastPredicate
            | CallableKind::GreatestPredicate => true,
        }
    }

    fn is_constant(&self, field: crate::typed::FieldId) -> bool {
        matches!(self.cx.program[field].kind, FieldKind::Const(_))
    }

    /// Resolves `T.f` for an instance member `f`, which only `reveal` allows.
    fn revealed_member(&mut self, e: &ast::Expr) -> Option<Member> {
        let ast::ExprKind::Select { object, member, .. } = &e.kind else {
            return None;
        };
        if !matches!(
            object.kind,
            ast::ExprKind::Name { .. } | ast::ExprKind::Select { .. }
        ) {
            return None;
        }
        let Head::Type(Type::Named { decl, .. }) = self.head(object, NameUse::Qualifier, None)
        else {
            return None;
        };
        match self.cx.lookup_member(decl, &member.name)?.member {
            found @ (Member::Callable(_) | Member::Field(_)) => {
                self.cx.notes.note(member.span, found.into());
                Some(found)
            }
            Member::Ctor(_) | Member::CtorTest(_) => None,
        }
    }

    /// The function `f` of `reveal_f()`, the lemma call with which older programs reveal it.
    pub(super) fn reveal_lemma(&mut self, e: &ast::Expr) -> Option<CallableId> {
        let ast::ExprKind::Call { callee, args, .. } = &e.kind else {
            return None;
        };
        if !args.is_empty() {
            return None;
        }
        let strip = |i: &ast::Ident| {
            Some(ast::Ident {
                name: i.name.strip_prefix("reveal_")?.into(),
                span: i.span,
            })
        };
        let kind = if let ast::ExprKind::Name { name, type_args } = &callee.kind {
            // A declaration with the name `reveal_f` takes precedence. Then the call is an ordinary
            // one.
            let known = self.variable(&name.name).is_some()
                || self
                    .st
                    .owner
                    .is_some_and(|o| self.cx.lookup_member(o, &name.name).is_some())
                || self
                    .cx
                    .find(self.st.module, &name.name, NameUse::Expression)
                    .is_some();
            if known {
                return None;
            }
            ast::ExprKind::Name {
                name: strip(name)?,
                type_args: type_args.clone(),
            }
        } else if let ast::ExprKind::Select {
            object,
            member,
            type_args,
        } = &callee.kind
        {
            let stripped = strip(member)?;
            if self.is_member(object, &member.name) {
                return None;
            }
            ast::ExprKind::Select {
                object: object.clone(),
                member: stripped,
                type_args: type_args.clone(),
            }
        } else {
            return None;
        };
        let e = ast::Expr {
            kind,
            span: callee.span,
        };
        if let Some(Member::Callable(id)) = self.revealed_member(&e) {
            return Some(id);
        }
        match self.head(&e, NameUse::Expression, None) {
            Head::Callable(c) => Some(c.id),
            Head::Value(_) | Head::Module(_) | Head::Type(_) | Head::Ctor(..) | Head::Error => None,
        }
    }

    /// Whether the expression before a dot has a member with this name.
    fn is_member(&mut self, object: &ast::Expr, name: &str) -> bool {
        match self.head(object, NameUse::Qualifier, None) {
            Head::Module(view) => self.cx.lookup_in(view, name, NameUse::Expression).is_ok(),
            Head::Type(ty) => self.find_member(&ty, name).is_some(),
            other @ (Head::Value(_) | Head::Callable(_) | Head::Ctor(..)) => {
                let value = self.value(other, object.span);
                let ty = self.base(&value.ty);
                self.find_member(&ty, name).is_some()
            }
            Head::Error => false,
        }
    }
}
