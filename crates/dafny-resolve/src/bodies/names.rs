//! Names and member selections: the entities that they denote.
//!
//! [`Resolver::head`] resolves a name or a chain of selections without requiring a value, because
//! `M.T.C(x)` goes through modules, types and constructors. [`Resolver::value`] turns the result
//! into an expression.

use crate::typed::{
    ArrowKind, CallableId, CallableKind, CtorId, Expr, ExprKind, FieldId, LocalId, Type, TypeId,
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::super::context::{Entity, LookupError, Member, ModuleView, NameUse};
use super::super::index::{Candidate, Definition, Sort};
use super::super::spelling;
use super::super::types::DEFAULT_CLASS;
use super::{Resolver, calls};

/// The entity that a name or a chain of selections denotes.
#[derive(Debug)]
pub(super) enum Head {
    /// A value.
    Value(Expr),
    /// A module.
    Module(ModuleView),
    /// A type. Omitted type arguments are inference variables.
    Type(Type),
    /// A function, method or lemma.
    Callable(Callee),
    /// A datatype constructor with the type arguments of the datatype.
    Ctor(CtorId, Vec<Type>, Span),
    /// An error was reported.
    Error,
}

/// A function, method or lemma with its receiver and type arguments.
#[derive(Debug)]
pub(super) struct Callee {
    pub(super) id: CallableId,
    pub(super) receiver: Option<Expr>,
    /// See [`Call::discarded`](crate::typed::Call::discarded).
    pub(super) discarded: Option<Expr>,
    /// Type arguments of the owner, followed by those of the callee.
    pub(super) type_args: Vec<Type>,
    pub(super) span: Span,
    pub(super) is_static_dispatch: bool,
}

impl Resolver<'_> {
    /// The innermost variable with this name.
    pub(super) fn variable(&self, name: &str) -> Option<LocalId> {
        self.st
            .scope
            .variables
            .iter()
            .rev()
            .find(|(n, _)| &**n == name)
            .map(|(_, l)| *l)
    }

    /// An expression for a variable.
    pub(super) fn local(&self, local: LocalId, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Local(local),
            ty: self.cx.program[local].ty.clone(),
            span,
        }
    }

    /// An expression for `this`, if available.
    pub(super) fn this(&self, span: Span) -> Option<Expr> {
        self.st.this.clone().map(|ty| Expr {
            kind: ExprKind::This,
            ty,
            span,
        })
    }

    /// Resolves an expression without requiring a value.
    pub(super) fn head(&mut self, e: &ast::Expr, usage: NameUse, hint: Option<&Type>) -> Head {
        if let ast::ExprKind::Name { name, type_args } = &e.kind {
            self.name_head(name, type_args.as_deref(), usage)
        } else if let ast::ExprKind::Select {
            object,
            member,
            type_args,
        } = &e.kind
        {
            self.select_head(object, member, type_args.as_deref(), usage, e.span)
        } else {
            Head::Value(self.expr(e, hint))
        }
    }

    fn name_head(
        &mut self,
        name: &ast::Ident,
        type_args: Option<&[ast::Type]>,
        usage: NameUse,
    ) -> Head {
        if self.cx.notes.asks_for(&name.name) {
            self.offer_names();
        }
        // Step 1: variables.
        if let Some(local) = self.variable(&name.name) {
            self.cx.notes.note(name.span, Definition::Local(local));
            self.takes_no_types("variable", &name.name, type_args, name.span);
            return Head::Value(self.local(local, name.span));
        }
        // Step 2: members of the enclosing type.
        if let Some(owner) = self.st.owner
            && let Some(((member, declared), owner_args)) =
                self.find_member(&self.cx.self_type(owner), &name.name)
            && !matches!(member, Member::Ctor(_))
        {
            let receiver = self.this(name.span);
            let is_static = match member {
                Member::Field(f) => self.cx.program[f].is_static,
                Member::Callable(c) => {
                    self.cx.program[c].is_static
                        || self.cx.program[c].kind == CallableKind::Constructor
                }
                Member::Ctor(_) => true,
                Member::CtorTest(_) => false,
            };
            if receiver.is_none() && !is_static {
                // An instance member is unusable here: the name may denote a declaration of the
                // module.
                match self.cx.lookup(self.st.module, &name.name, usage) {
                    Ok(entity) => {
                        return self.noted_entity(entity, name.span, name.span, type_args);
                    }
                    Err(_) => {
                        self.error(
                            "resolve/needs-receiver",
                            name.span,
                            format!(
                                "`{}` is an instance member, but `this` is not available here",
                                name.name
                            ),
                        );
                        return Head::Error;
                    }
                }
            }
            self.cx.notes.note(name.span, member.into());
            return self.found(
                member,
                declared,
                owner_args,
                receiver.filter(|_| !is_static),
                name,
                type_args,
            );
        }
        // Outside of types, functions and constants of the module take the place of members.
        if self.st.owner.is_none()
            && let Some(&entity) = self
                .cx
                .names
                .scope(self.st.module)
                .and_then(|s| s.static_members.get(&name.name))
        {
            return self.noted_entity(entity, name.span, name.span, type_args);
        }
        // Step 3: declarations of the module, and what it imports.
        match self.cx.lookup(self.st.module, &name.name, usage) {
            Ok(entity) => self.noted_entity(entity, name.span, name.span, type_args),
            Err(error) => {
                if let Some(this) = self.this(name.span)
                    && let Some(head) = self.builtin(&this, &this.ty.clone(), name, name.span)
                {
                    return head;
                }
                self.report_unresolved(name, &error);
                self.st.errors += 1;
                Head::Error
            }
        }
    }

    /// Reports an unresolved name. Suggests a similar variable or member before similar
    /// declarations.
    fn report_unresolved(&mut self, name: &ast::Ident, error: &LookupError) {
        let local = {
            let members = self.st.owner.and_then(|o| self.cx.names.members_of(o));
            let names = self
                .st
                .scope
                .variables
                .iter()
                .map(|(n, _)| n)
                .chain(members.into_iter().flat_map(|m| m.keys()));
            spelling::closest(&name.name, names)
        };
        if let (LookupError::Unknown { .. }, Some(s)) = (error, local) {
            let d = Diagnostic::error(
                "resolve/unknown-name",
                name.span,
                format!("unresolved name: {}", name.name),
            );
            self.cx
                .diagnostics
                .push(d.with_help(format!("did you mean `{s}`?")));
        } else {
            self.cx.report_lookup("name", &name.name, name.span, error);
        }
    }

    /// The written type arguments, or `wanted` fresh variables.
    pub(super) fn type_args(
        &mut self,
        written: Option<&[ast::Type]>,
        wanted: usize,
        span: Span,
    ) -> Vec<Type> {
        match written {
            Some(ts) if !ts.is_empty() || wanted == 0 => {
                let mut args: Vec<Type> = ts.iter().map(|t| self.ty(t)).collect();
                if args.len() != wanted {
                    self.error(
                        "resolve/type-arguments",
                        span,
                        format!("expected {wanted} type arguments, found {}", args.len()),
                    );
                    args.resize(wanted, Type::Error);
                }
                args
            }
            _ => (0..wanted).map(|_| self.st.inf.fresh_argument()).collect(),
        }
    }

    /// Offers the completions for a name.
    fn offer_names(&mut self) {
        let variables = self
            .st
            .scope
            .variables
            .iter()
            .rev()
            .map(|(n, l)| (n.clone(), Definition::Local(*l)));
        let mut candidates: Vec<Candidate> = variables
            .map(|(name, d)| Candidate {
                name,
                definition: Some(d),
            })
            .collect();
        if let Some(owner) = self.st.owner {
            let ty = self.cx.self_type(owner);
            let has_this = self.st.this.is_some();
            candidates.extend(
                [false, true]
                    .into_iter()
                    .filter(|s| *s || has_this)
                    .flat_map(|s| self.cx.candidates_of_type(self.st.module, &ty, s)),
            );
        }
        candidates.extend(self.cx.candidates_of_scope(self.st.module, Sort::Any));
        self.cx.notes.offer(candidates);
    }

    /// Offers the completions after a dot.
    fn offer_members(&mut self, head: &Head) {
        let module = self.st.module;
        let candidates = match head {
            Head::Module(view) => self.cx.candidates_of_module(*view, Sort::Any),
            Head::Type(ty) => self.cx.candidates_of_type(module, ty, true),
            Head::Value(e) => {
                let mut ty = self.base(&e.ty);
                if self.st.inf.is_unbound(&ty) {
                    self.settle();
                    ty = self.base(&e.ty);
                }
                self.cx.candidates_of_type(module, &ty, false)
            }
            Head::Callable(_) | Head::Error => return,
            Head::Ctor(ctor, args, _) => {
                let ty = Type::named(self.cx.program[*ctor].datatype, args.clone());
                self.cx.candidates_of_type(module, &ty, false)
            }
        };
        self.cx.notes.offer(candidates);
    }

    /// Resolves an entity and records the reference. `at` is the span of the name, `span` that of
    /// the expression.
    fn noted_entity(
        &mut self,
        entity: Entity,
        at: Span,
        span: Span,
        written: Option<&[ast::Type]>,
    ) -> Head {
        self.cx.notes.note(at, entity.into());
        self.entity(entity, span, written)
    }

    fn entity(&mut self, entity: Entity, span: Span, written: Option<&[ast::Type]>) -> Head {
        match entity {
            Entity::Module(view) => {
                if self.cx.abstract_from(self.st.module, view) {
                    let pass = self.cx.diagnostics.pass();
                    self.cx.report_abstract(pass, self.st.module, view, span);
                    self.st.errors += 1;
                }
                if written.is_some_and(|w| !w.is_empty()) {
                    let name = self.cx.program[view.module].name.clone();
                    self.takes_no_types("module", &name, written, span);
                }
                Head::Module(view)
            }
            Entity::Type(t) => {
                let wanted = self.cx.program[t].type_params.len();
                Head::Type(Type::named(t, self.type_args(written, wanted, span)))
            }
            Entity::Synonym(s) => {
                let Some(synonym) = self.cx.synonyms.get(s) else {
                    return Head::Error;
                };
                let (params, rhs) = (synonym.params.clone(), synonym.rhs.clone());
                let args = self.type_args(written, params.len(), span);
                // A module that does not see the definition of the synonym gets an opaque type.
                if let Some(opaque) = self.cx.opaque_type_of(self.st.module, s) {
                    return Head::Type(Type::named(opaque, args));
                }
                Head::Type(rhs.subst(&params.into_iter().zip(args).collect()))
            }
            Entity::Const(f) => {
                let name = self.cx.program[f].name.clone();
                self.takes_no_types("constant", &name, written, span);
                Head::Value(self.field(f, None, Vec::new(), span))
            }
            Entity::Callable(id) => {
                let wanted = self.cx.program[id].type_params.len();
                let type_args = self.type_args(written, wanted, span);
                Head::Callable(Callee {
                    id,
                    receiver: None,
                    discarded: None,
                    type_args,
                    span,
                    is_static_dispatch: false,
                })
            }
            Entity::Ctor(c) => {
                self.constructor_takes_no_types(c, written, span);
                let wanted = self.cx.program[self.cx.program[c].datatype]
                    .type_params
                    .len();
                let args = self.type_args(written, wanted, span);
                Head::Ctor(c, args, span)
            }
        }
    }

    /// Reports type arguments after the name of a value.
    pub(super) fn takes_no_types(
        &mut self,
        what: &str,
        name: &str,
        written: Option<&[ast::Type]>,
        span: Span,
    ) {
        if written.is_some() {
            self.error(
                "resolve/type-arguments",
                span,
                format!("the {what} `{name}` takes no type arguments"),
            );
        }
    }

    fn constructor_takes_no_types(
        &mut self,
        ctor: CtorId,
        written: Option<&[ast::Type]>,
        span: Span,
    ) {
        if written.is_some() {
            let c = &self.cx.program[ctor];
            let (name, datatype) = (c.name.clone(), self.cx.program[c.datatype].name.clone());
            let d = Diagnostic::error(
                "resolve/type-arguments",
                span,
                format!("the constructor `{name}` takes no type arguments"),
            );
            self.report(d.with_help(format!(
                "write them after the datatype: `{datatype}<…>.{name}`"
            )));
        }
    }

    /// Selects a field of `object`, or a static constant. For a constant, `object` is only
    /// evaluated and discarded.
    pub(super) fn field(
        &mut self,
        field: FieldId,
        object: Option<Expr>,
        owner_args: Vec<Type>,
        span: Span,
    ) -> Expr {
        let ty = self.field_type(field);
        let f = &self.cx.program[field];
        let ty = match f.owner {
            Some(o) => ty.subst(&self.cx.program.substitution(o, &owner_args)),
            None => ty,
        };
        let kind = if f.is_static {
            ExprKind::Field {
                object: None,
                discarded: object.map(Box::new),
                field,
                type_args: owner_args,
            }
        } else {
            ExprKind::Field {
                object: object.map(Box::new),
                discarded: None,
                field,
                type_args: Vec::new(),
            }
        };
        Expr { kind, ty, span }
    }

    /// Resolves a member that was found by name.
    pub(super) fn found(
        &mut self,
        member: Member,
        owner: TypeId,
        owner_args: Vec<Type>,
        receiver: Option<Expr>,
        name: &ast::Ident,
        written: Option<&[ast::Type]>,
    ) -> Head {
        match member {
            Member::Field(f) => {
                self.takes_no_types("field", &name.name, written, name.span);
                Head::Value(self.field(f, receiver, owner_args, name.span))
            }
            Member::Callable(id) => {
                let wanted = self.cx.program[id].type_params.len();
                let mut type_args = owner_args;
                type_args.extend(self.type_args(written, wanted, name.span));
                // A static member may be selected from a value, which is then not evaluated.
                let (receiver, discarded) = if self.cx.program[id].is_static {
                    (None, receiver)
                } else {
                    (receiver, None)
                };
                Head::Callable(Callee {
                    id,
                    receiver,
                    discarded,
                    type_args,
                    span: name.span,
                    is_static_dispatch: false,
                })
            }
            Member::Ctor(c) => {
                self.constructor_takes_no_types(c, written, name.span);
                Head::Ctor(c, owner_args, name.span)
            }
            Member::CtorTest(ctor) => match receiver {
                Some(object) => {
                    self.takes_no_types("test", &name.name, written, name.span);
                    Head::Value(Expr {
                        kind: ExprKind::CtorTest {
                            ctor,
                            object: Box::new(object),
                        },
                        ty: Type::Bool,
                        span: name.span,
                    })
                }
                None => {
                    let owner = self.cx.program[owner].name.clone();
                    self.error(
                        "resolve/needs-receiver",
                        name.span,
                        format!(
                            "the discriminator `{}` requires a value of `{owner}`",
                            name.name
                        ),
                    );
                    Head::Error
                }
            },
        }
    }

    fn select_head(
        &mut self,
        object: &ast::Expr,
        member: &ast::Ident,
        written: Option<&[ast::Type]>,
        usage: NameUse,
        span: Span,
    ) -> Head {
        // Older programs name the implicit class `_default`.
        if let Some(view) = self.default_class(object) {
            return self.module_level(view, member, written, span);
        }
        let head = |this: &mut Self| {
            let head = this.head(object, NameUse::Qualifier, None);
            if this.cx.notes.asks_for(&member.name) {
                this.offer_members(&head);
            }
            head
        };
        // The kind of the qualifier decides how the member is looked up.
        stacker::maybe_grow(super::expr::RED_ZONE, super::expr::STACK, || {
            match head(self) {
                Head::Module(view) => match self.cx.lookup_in(view, &member.name, usage) {
                    Ok(entity) => self.noted_entity(entity, member.span, span, written),
                    Err(error) => {
                        self.cx
                            .report_lookup("name", &member.name, member.span, &error);
                        self.st.errors += 1;
                        Head::Error
                    }
                },
                Head::Type(ty) => {
                    let found = self.static_member(&ty, member, written, span);
                    match found {
                        Head::Error => {}
                        Head::Value(_)
                        | Head::Callable(_)
                        | Head::Ctor(..)
                        | Head::Type(_)
                        | Head::Module(_) => {
                            self.hides_import(object, member, usage != NameUse::Qualifier);
                        }
                    }
                    found
                }
                Head::Error => Head::Error,
                other @ (Head::Value(_) | Head::Callable(_) | Head::Ctor(..)) => {
                    let at = object.span;
                    let object = self.value(other, at);
                    self.member(object, member, written, span)
                }
            }
        })
    }

    /// The module if `e` names its implicit class, as `_default` or `M._default`.
    fn default_class(&mut self, e: &ast::Expr) -> Option<ModuleView> {
        if let ast::ExprKind::Name { name, .. } = &e.kind
            && &*name.name == DEFAULT_CLASS
        {
            return Some(ModuleView {
                module: self.st.module,
                export: None,
            });
        }
        if let ast::ExprKind::Select { object, member, .. } = &e.kind
            && &*member.name == DEFAULT_CLASS
            && let Head::Module(view) = self.head(object, NameUse::Qualifier, None)
        {
            return Some(view);
        }
        None
    }

    pub(super) fn module_level(
        &mut self,
        view: ModuleView,
        member: &ast::Ident,
        written: Option<&[ast::Type]>,
        span: Span,
    ) -> Head {
        let entity = self
            .cx
            .names
            .scope(view.module)
            .and_then(|s| s.static_members.get(&member.name))
            .copied();
        let error = match entity {
            Some(entity) if self.cx.names.provides(view, &member.name) => {
                return self.noted_entity(entity, member.span, span, written);
            }
            Some(_) => LookupError::NotExported,
            None => LookupError::Unknown { suggestion: None },
        };
        self.cx
            .report_lookup("name", &member.name, member.span, &error);
        self.st.errors += 1;
        Head::Error
    }

    /// Reports a selection that may denote a member of a type or of a module with the same name.
    fn hides_import(&mut self, object: &ast::Expr, member: &ast::Ident, last: bool) {
        let ast::ExprKind::Name { name, .. } = &object.kind else {
            return;
        };
        if self
            .cx
            .hides_member(self.st.module, &name.name, &member.name, last)
        {
            let message = format!(
                "`{member}` may be a member of the type `{name}` or of the module of the same name",
                member = member.name,
                name = name.name
            );
            let d = Diagnostic::error("resolve/ambiguous-name", member.span, message);
            self.report(d.with_help(format!(
                "give the import another name: `import opened Other = {}`",
                name.name
            )));
        }
    }

    /// Requires that a head is a value.
    pub(super) fn value(&mut self, head: Head, span: Span) -> Expr {
        match head {
            Head::Value(e) => e,
            Head::Module(view) => {
                let name = self.cx.program.module_path(view.module).join(".");
                self.error(
                    "resolve/not-a-value",
                    span,
                    format!("`{name}` is a module, not a value"),
                );
                self.broken(span)
            }
            Head::Type(ty) => {
                self.error(
                    "resolve/not-a-value",
                    span,
                    format!("`{}` is a type, not a value", self.show(&ty)),
                );
                self.broken(span)
            }
            Head::Ctor(ctor, args, span) => self.construct(ctor, args, &[], None, span, span),
            Head::Callable(callee) => self.function_value(callee),
            Head::Error => self.broken(span),
        }
    }

    fn function_value(&mut self, callee: Callee) -> Expr {
        let c = &self.cx.program[callee.id];
        if !c.kind.is_function() {
            let (name, kind) = (c.name.clone(), calls::kind_word(c.kind));
            let d = Diagnostic::error(
                "resolve/not-an-expression",
                callee.span,
                format!("the {kind} `{name}` is not a value"),
            );
            self.report(d.with_help("call it in a separate statement"));
            return self.broken(callee.span);
        }
        let map = self.instantiation(callee.id, &callee.type_args);
        let c = &self.cx.program[callee.id];
        let params = c
            .ins
            .iter()
            .map(|f| self.cx.program[f.local].ty.subst(&map))
            .collect();
        let result = c
            .outs
            .first()
            .map_or(Type::Error, |f| self.cx.program[f.local].ty.subst(&map));
        let ty = Type::Arrow {
            kind: self.arrow_kind(callee.id),
            params,
            result: Box::new(result),
        };
        let Callee {
            id,
            receiver,
            discarded,
            type_args,
            ..
        } = callee;
        let (receiver, discarded) = (receiver.map(Box::new), discarded.map(Box::new));
        let kind = ExprKind::FunctionRef {
            callee: id,
            receiver,
            discarded,
            type_args,
        };
        Expr {
            kind,
            ty,
            span: callee.span,
        }
    }

    /// The arrow of a function as a value, determined by its written clauses.
    fn arrow_kind(&self, id: CallableId) -> ArrowKind {
        let clauses = match self.callables.get(&id).and_then(|i| self.work.get(*i)) {
            Some(super::BodyWork::Function { ast, .. }) => &ast.spec.clauses,
            _ => return ArrowKind::Total,
        };
        if clauses
            .iter()
            .any(|c| matches!(&c.kind, ast::ClauseKind::Reads(fs) if !fs.is_empty()))
        {
            ArrowKind::General
        } else if clauses
            .iter()
            .any(|c| matches!(c.kind, ast::ClauseKind::Requires(_)))
        {
            ArrowKind::Partial
        } else {
            ArrowKind::Total
        }
    }
}
