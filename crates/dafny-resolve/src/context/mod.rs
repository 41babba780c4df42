//! The state shared by all stages of the resolver: the program so far, the scopes of its modules,
//! and the lookup of names.
//!
//! `declare` fills a [`Context`] with arenas, scopes and signatures, and leaves expressions and
//! statements in [`Context::work`]. `bodies` resolves that list. After `declare`, ids are stable:
//! items of an arena are never removed or reordered.
//!
//! The state is grouped by its subject: [`Names`], [`Synonyms`], and facts about kinds of
//! declarations. A method that needs one group belongs to that group; only methods that need
//! several belong to [`Context`].
//!
//! [`Context::lookup`] and [`Context::lookup_in`] look names up from inside and outside of a
//! module. [`Context::seen_by`] switches the types of declarations to the view of one module (see
//! `opaque_synonyms`).

mod facts;
mod lookup;
mod names;
mod synonyms;

use std::sync::Arc;

use crate::typed::{
    CallableId, CtorId, FieldId, LocalId, ModuleId, Program, Type, TypeId, TypeParamId,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast;

use super::bodies::attributes::AttributeScope;
use super::dependencies::Dependencies;
use super::index::Notes;
use super::passes::{Findings, Pass, Places};

pub(crate) use facts::TextFacts;
pub use facts::{CallableFacts, TypeFacts, VariableFacts};
pub use lookup::{FoundMember, LookupError, NameUse};
pub use names::{Entity, ExportSet, ExportSetId, Member, ModuleScope, ModuleView, Names};
pub(crate) use synonyms::SynonymSource;
pub use synonyms::{Synonym, SynonymId, Synonyms};

/// The state of the resolution of one program.
#[derive(Debug, Default)]
pub struct Context {
    /// The program: declarations with signatures. Bodies are filled in later.
    pub program: Program,
    /// The diagnostics so far.
    pub diagnostics: Findings,
    /// The dependencies between modules.
    pub(super) dependencies: Dependencies,
    /// The positions of declarations, by module.
    pub(super) places: Places,
    /// Expressions and statements for [`super::bodies::resolve_bodies`], in source order.
    pub work: Vec<BodyWork>,
    /// The names that modules and types declare, import and export.
    pub names: Names,
    /// Type synonyms.
    pub synonyms: Synonyms,
    /// Facts about functions, methods and lemmas.
    pub callables: CallableFacts,
    /// Facts about parameters and local variables.
    pub variables: VariableFacts,
    /// Facts about types.
    pub types: TypeFacts,
    /// Facts about the text.
    pub(super) text: TextFacts,
    /// References for editors.
    pub(super) notes: Notes,
}

/// The scope of a written type.
#[derive(Debug, Clone)]
pub struct TypeScope {
    /// The module that contains the type.
    pub module: ModuleId,
    /// Type parameters in scope, with inner ones last.
    pub type_params: Vec<(Name, TypeParamId)>,
}

/// A piece of work for `bodies`.
///
/// The declarations are in the program and have signatures. Their formals are
/// [`crate::typed::Local`]s already, in source order. A formal is ghost if it or its callable is.
#[derive(Debug, Clone)]
pub enum BodyWork {
    /// Contract, body and default values of a function or predicate. The prefix predicate of an
    /// extreme predicate ([`CallableFacts::prefixes`]) has no work of its own.
    Function {
        /// The function.
        id: CallableId,
        /// The parsed declaration.
        ast: Arc<ast::FunctionDecl>,
    },
    /// Contract, body and default values of a method, lemma or constructor.
    Method {
        /// The method.
        id: CallableId,
        /// The parsed declaration.
        ast: Arc<ast::MethodDecl>,
    },
    /// The value of a constant, and its type if `untyped`.
    ConstValue {
        /// The constant.
        field: FieldId,
        /// The parsed value.
        ast: Arc<ast::Expr>,
        /// Whether the type is omitted (also in [`TypeFacts::untyped_consts`]).
        untyped: bool,
    },
    /// Constraint and witness of a subset type or newtype. [`crate::typed::Constrained::var`] is
    /// declared with the base as its type. If `infer_base`, the base and the type of the variable
    /// are [`Type::Error`].
    Constraint {
        /// The subset type or newtype.
        ty: TypeId,
        /// The parsed declaration.
        ast: Arc<ast::Constrained>,
        /// Whether the base is omitted and has to be inferred from the constraint.
        infer_base: bool,
    },
    /// Default values of a datatype constructor, which has at least one.
    CtorDefaults {
        /// The constructor.
        ctor: CtorId,
        /// The parsed constructor. Its formals are parallel to [`crate::typed::Ctor::fields`].
        ast: Arc<ast::Ctor>,
    },
    /// Arguments of the attributes of a declaration that is neither function nor method.
    Attributes {
        /// The names that the arguments may mention.
        scope: AttributeScope,
        /// The parsed attributes.
        ast: Arc<[ast::Attribute]>,
    },
    /// The preconditions of an iterator, as those of its constructor.
    IteratorHead {
        /// The iterator.
        ty: TypeId,
        /// The constructor of the iterator.
        constructor: CallableId,
        /// The parsed declaration.
        ast: Arc<ast::IteratorDecl>,
    },
    /// The postconditions and the body of an iterator.
    Iterator {
        /// The iterator.
        ty: TypeId,
        /// The parsed declaration.
        ast: Arc<ast::IteratorDecl>,
    },
}

/// The treatment of omitted type arguments.
pub enum MissingArgs<'a> {
    /// Creates an inference variable for each.
    Infer(&'a mut dyn FnMut() -> Type),
    /// Uses a prefix of the given parameters. If `extend` is given, missing ones are declared and
    /// appended there.
    Prefix {
        /// The type parameters of the enclosing declaration.
        params: Vec<TypeParamId>,
        /// Newly declared parameters, `_T0` and so on.
        extend: Option<&'a mut Vec<TypeParamId>>,
    },
}

impl Context {
    /// Reports an error.
    pub fn error(&mut self, id: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(id, span, message));
    }

    /// Runs `act` with `pass` as the current pass, and restores the previous one.
    pub(super) fn in_pass<T>(&mut self, pass: Pass, act: impl FnOnce(&mut Self) -> T) -> T {
        let around = self.diagnostics.enter(pass);
        let result = act(self);
        self.diagnostics.enter(around);
        result
    }

    /// The type of `this` in a declaration: the type applied to its own parameters.
    pub fn self_type(&self, ty: TypeId) -> Type {
        Type::named(
            ty,
            self.program[ty]
                .type_params
                .iter()
                .map(|p| Type::Param(*p))
                .collect(),
        )
    }

    /// The scope for types written inside a callable.
    pub fn callable_scope(&self, id: CallableId) -> TypeScope {
        let params = self.program.all_type_params(id);
        self.type_scope(self.program[id].module, &params)
    }

    /// The scope for types written inside a type declaration.
    pub fn type_decl_scope(&self, id: TypeId) -> TypeScope {
        let decl = &self.program[id];
        self.type_scope(decl.module, &decl.type_params)
    }

    /// A scope with these type parameters.
    pub fn type_scope(&self, module: ModuleId, params: &[TypeParamId]) -> TypeScope {
        TypeScope {
            module,
            type_params: params
                .iter()
                .map(|p| (self.program[*p].name.clone(), *p))
                .collect(),
        }
    }

    /// Resolves a written type. `infer` supplies omitted arguments, with one call for each. Parts
    /// with errors are reported and become [`Type::Error`].
    pub fn resolve_type(
        &mut self,
        scope: &TypeScope,
        ty: &ast::Type,
        infer: &mut dyn FnMut() -> Type,
    ) -> Type {
        self.resolve_type_with(scope, ty, &mut MissingArgs::Infer(infer))
    }

    /// Records the written type of a name, and the synonyms in it, so that their arguments are
    /// checked against the synonym's requirements.
    pub(super) fn declared_with(&mut self, name: Span, ty: Span) {
        self.text.type_places.insert(name, ty);
        self.synonyms.take_uses(name, ty);
    }

    /// Adds a variable.
    pub fn add_local(
        &mut self,
        name: Name,
        ty: Type,
        ghost: bool,
        mutable: bool,
        span: Span,
    ) -> LocalId {
        use crate::typed::{Arena, Local};
        self.program.add(Local {
            name,
            ty,
            ghost,
            mutable,
            inferred: false,
            span,
        })
    }

    /// Whether the view shows an abstract module as a whole to a compiled module, which may not use
    /// it.
    pub fn abstract_from(&self, module: ModuleId, view: ModuleView) -> bool {
        let is_abstract = |m: ModuleId| self.names.scope(m).is_some_and(|s| s.is_abstract);
        let nested = self.program[view.module].parent == Some(module);
        is_abstract(view.module) && !is_abstract(module) && (nested || view.export.is_none())
    }

    /// Reports the use of an abstract module in a compiled one.
    pub fn report_abstract(&mut self, pass: Pass, module: ModuleId, view: ModuleView, span: Span) {
        if !self.abstract_from(module, view) {
            return;
        }
        let name = self.program.module_path(view.module).join(".");
        let message =
            format!("the abstract module `{name}` cannot be used in a module that is compiled");
        let d = Diagnostic::error("resolve/abstract-module", span, message);
        self.diagnostics.push_in(
            pass,
            d.with_help("use a module that refines it, or declare the enclosing module `abstract`"),
        );
    }
}
