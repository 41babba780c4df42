//! Arguments of attributes. They are resolved as expressions for their errors; the results are
//! discarded.

use crate::typed::{CallableId, CallableKind, CtorId, ModuleId, TypeDeclKind, TypeId};
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::super::at_attributes;
use super::super::context::NameUse;
use super::names::Head;
use super::{Pass, Resolver, State};

/// The names in scope for the attributes of a declaration.
#[derive(Clone, Copy, Debug)]
pub enum AttributeScope {
    /// Names that the annotated module declares.
    OwnModule(ModuleId),
    /// Names visible in a module.
    Module(ModuleId),
    /// The module's names and the parameters of an iterator.
    Iterator(TypeId),
    /// The module's names and the parameters of a datatype constructor.
    Ctor(CtorId),
    /// The module's names and the members of a type. The flag says whether `this` is available.
    Member(TypeId, bool),
}

impl Resolver<'_> {
    /// Resolves the attributes of a declaration that has no body to resolve them with.
    pub(super) fn declaration_attributes(
        &mut self,
        scope: AttributeScope,
        attributes: &[ast::Attribute],
    ) {
        let program = &self.cx.program;
        let (module, owner, locals) = match scope {
            AttributeScope::OwnModule(m) | AttributeScope::Module(m) => (m, None, Vec::new()),
            AttributeScope::Iterator(t) => {
                let made_by = |c: &&CallableId| program[**c].kind == CallableKind::Constructor;
                let made = match program[t].kind {
                    TypeDeclKind::Iterator(_) => program[t].callables.iter().find(made_by),
                    TypeDeclKind::Datatype { .. }
                    | TypeDeclKind::Newtype(_)
                    | TypeDeclKind::Subset(_)
                    | TypeDeclKind::Abstract
                    | TypeDeclKind::Class
                    | TypeDeclKind::Trait { .. } => None,
                };
                (
                    program[t].module,
                    None,
                    made.map_or_else(Vec::new, |c| {
                        program[*c].ins.iter().map(|f| f.local).collect()
                    }),
                )
            }
            AttributeScope::Ctor(c) => (
                program[program[c].datatype].module,
                None,
                program[c].params.clone(),
            ),
            AttributeScope::Member(t, _) => (program[t].module, Some(t), Vec::new()),
        };
        let mut state = State::new(self.cx, module, owner, self.scope_of(module, owner));
        if !matches!(scope, AttributeScope::Member(_, true)) {
            state.this = None;
        }
        self.within(state, |r| {
            locals.iter().for_each(|l| r.enter(*l));
            r.attributes(attributes);
            r.finish_locals();
        });
    }

    /// Requires that the arguments of attributes resolve. Built-in `@Name(…)` attributes are
    /// skipped: `at_attributes` checks their parameters.
    pub(super) fn attributes(&mut self, attributes: &[ast::Attribute]) {
        for attribute in attributes {
            if !attribute.at {
                attribute
                    .args
                    .iter()
                    .for_each(|arg| self.attribute_argument(&arg.value));
                self.fuel(attribute);
            } else if !at_attributes::is_built_in(&attribute.name.name)
                && !attribute.name.name.is_empty()
            {
                self.unknown_attribute(attribute);
            }
        }
    }

    /// Checks `{:fuel F, low, high}`: the number of unfoldings of `F` in assumptions and in
    /// assertions.
    fn fuel(&mut self, attribute: &ast::Attribute) {
        let ("fuel", [function, low, high, ..]) =
            (&*attribute.name.name, attribute.args.as_slice())
        else {
            return;
        };
        let number = |arg: &ast::Argument| {
            if let ast::ExprKind::Literal(ast::Literal::Int(n)) = &arg.value.kind {
                Some(n.clone())
            } else {
                None
            }
        };
        let (Some(low), Some(high)) = (number(low), number(high)) else {
            return;
        };
        let none =
            low.sign() == num_bigint::Sign::NoSign && high.sign() == num_bigint::Sign::NoSign;
        if high == low + 1 || none || self.st.errors > 0 {
            return;
        }
        if let Head::Callable(c) = self.head(&function.value, NameUse::Expression, None)
            && self.cx.program[c.id].kind.is_function()
        {
            let message = format!(
                "the second fuel of `{}` must be one more than the first",
                self.cx.program[c.id].name
            );
            self.cx.diagnostics.push_in(
                Pass::Afterwards,
                Diagnostic::error("resolve/fuel", attribute.span, message),
            );
        }
    }

    fn attribute_argument(&mut self, e: &ast::Expr) {
        let (ast::ExprKind::Name { .. } | ast::ExprKind::Select { .. }) = &e.kind else {
            let typed = self.expr(e, None);
            self.cx.text.attribute_exprs.push(typed);
            return;
        };
        // A function may be mentioned without arguments.
        match self.head(e, NameUse::Expression, None) {
            Head::Module(_) => self.error("resolve/not-a-value", e.span, "a module is not a value"),
            Head::Type(_) => self.error("resolve/not-a-value", e.span, "a type is not a value"),
            Head::Callable(c) => match self.cx.program[c.id].kind {
                CallableKind::Method | CallableKind::Constructor | CallableKind::Lemma => {
                    let name = self.cx.program[c.id].name.clone();
                    self.error(
                        "resolve/not-an-expression",
                        e.span,
                        format!("the method `{name}` cannot be used in an attribute"),
                    );
                }
                CallableKind::Function
                | CallableKind::TwostateFunction
                | CallableKind::LeastPredicate
                | CallableKind::GreatestPredicate => {}
            },
            Head::Value(_) | Head::Ctor(..) | Head::Error => {}
        }
    }

    fn unknown_attribute(&mut self, attribute: &ast::Attribute) {
        let name = &attribute.name.name;
        let d = Diagnostic::error(
            "resolve/attribute",
            attribute.name.span,
            format!("there is no attribute `@{name}`"),
        );
        self.report(match at_attributes::closest(name) {
            Some(close) => d.with_help(format!("did you mean `@{close}`?")),
            None => {
                d.with_help(format!("Dafny has no user-defined `@` attributes; write `{{:{name}}}` after the keyword of the declaration"))
            }
        });
        for argument in &attribute.args {
            self.expr(&argument.value, None);
        }
    }
}
