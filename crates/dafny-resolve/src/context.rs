//! The state shared by all stages of the resolver: the program so far, the scopes of its modules,
//! and the lookup of names.
//!
//! `declare` fills a [`Context`] with arenas, scopes and signatures, and leaves expressions and
//! statements in [`Context::work`]. `bodies` resolves that list. After `declare`, ids are stable:
//! items of an arena are never removed or reordered.
//!
//! [`Context::lookup`] and [`Context::lookup_in`] look names up from inside and outside of a
//! module. [`Context::look_from`] switches the types of declarations to the view of one module (see
//! `opaque_synonyms`).

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::typed::{
    CallableId, Characteristics, CtorId, Expr, FieldId, LocalId, ModuleId, Program, Substitution,
    Type, TypeDeclKind, TypeId, TypeParamId,
};
use dafny_syntax::ast;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::{Name, Span};

use super::bodies::attributes::AttributeScope;
use super::dependencies::Dependencies;
use super::export_views::ExportSite;
use super::graph::Declaration;
use super::index::Notes;
use super::opaque_synonyms::OpaqueSynonyms;
use super::passes::{Findings, Pass, Places};
use super::refine::RefinedType;
use super::spelling;
use super::visibility::Visibility;

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
    /// The scope of each module, parallel to [`Program::modules`].
    pub scopes: Vec<ModuleScope>,
    /// Callables that have a body in the text, even one with errors.
    pub(super) with_body: FxHashSet<CallableId>,
    /// The token of each expression, by the span of the whole expression. See
    /// [`Anchors`](dafny_syntax::ast::Anchors).
    pub(super) anchors: FxHashMap<Span, Span>,
    /// Type synonyms. They are not part of the program.
    pub synonyms: Vec<Synonym>,
    /// Export sets.
    pub export_sets: Vec<ExportSet>,
    /// The origins of the export sets.
    pub(super) export_sites: Vec<ExportSite>,
    /// Variables with `{:assumption}`.
    pub(super) assumptions: FxHashSet<LocalId>,
    /// Whether modules are resolved as their export sets show them, so that values may be missing.
    pub(super) in_views: bool,
    /// The visibility of modules to each other.
    pub(super) visibility: Visibility,
    /// The members that each type declares itself, parallel to [`Program::types`].
    pub members: Vec<FxHashMap<Name, Member>>,
    /// The prefix predicate or lemma `P#` of each extreme predicate or lemma `P`. It has an
    /// additional first parameter `_k` of type `nat` or `ORDINAL`.
    pub prefix_callables: FxHashMap<CallableId, CallableId>,
    /// Constants without a written type. Their [`crate::typed::Field::ty`] is [`Type::Error`] until
    /// `bodies` infers it from the value.
    pub untyped_consts: FxHashSet<FieldId>,
    /// Constants without a written type whose value determines type arguments by inference. The
    /// older type system does not know these in the view of an export set.
    pub partly_inferred: FxHashSet<FieldId>,
    /// Lemmas declared `twostate`.
    pub two_state_lemmas: FxHashSet<CallableId>,
    /// Extreme lemmas. The value is true for least lemmas.
    pub extreme_lemmas: FxHashMap<CallableId, bool>,
    /// Constants, subset types and newtypes whose types or bases are inferred.
    pub(super) inferred: FxHashSet<Declaration>,
    /// Parameters declared `older`.
    pub older: FxHashSet<LocalId>,
    /// Parameters of two-state functions and lemmas declared `new`.
    pub(super) new_params: FxHashSet<LocalId>,
    /// The parameters of datatype constructors that are declared `nameonly`.
    pub(super) nameonly_params: FxHashSet<LocalId>,
    /// Parameters whose types are written as synonyms.
    pub(super) synonym_params: FxHashSet<LocalId>,
    /// Synonyms with arguments in types of signatures, by span. [`Context::declared_with`] consumes
    /// them.
    pub(super) synonym_uses: Vec<(Span, SynonymId, Vec<Type>)>,
    /// The synonyms in the type of a name, with their arguments, by the span of the name.
    pub(super) synonyms_of: FxHashMap<Span, Vec<(SynonymId, Vec<Type>)>>,
    /// Subset types and newtypes whose constraint, or that of a base, cannot be evaluated in
    /// compiled code.
    pub(super) uncompilable: FxHashSet<TypeId>,
    /// Types mentioned in expressions, statements and constraints, each with the enclosing
    /// declaration.
    pub(super) written_types: FxHashSet<(Declaration, TypeId)>,
    /// The types that stand for implicit classes of modules.
    pub(super) default_classes: Vec<(TypeId, ModuleId)>,
    /// Calls in compiled code of functions that are implemented by methods.
    pub(super) method_calls: Vec<(Declaration, CallableId)>,
    /// The spans of the written types of names, by the span of the name.
    pub(super) type_places: FxHashMap<Span, Span>,
    /// The mentions of type parameters in the definitions of synonyms, subset types and newtypes.
    pub(super) param_uses: Vec<(TypeParamId, Span)>,
    /// Arguments of attributes. They are not part of the typed program, but are checked for
    /// two-state expressions.
    pub(super) attribute_exprs: Vec<Expr>,
    /// The spans of `a decreases to b` expressions. These are ghost, which their desugared form
    /// does not show.
    pub(super) order_claims: FxHashSet<Span>,
    /// Synonyms whose definition is hidden from some module.
    pub(super) opaque_synonyms: OpaqueSynonyms,
    /// The declared characteristics of subset types.
    pub(super) declared_characteristics: Vec<(TypeId, Characteristics)>,
    /// Declarations that refine abstract types.
    pub(super) refined_types: Vec<RefinedType>,
    /// The right-hand side of each synonym, until it is resolved.
    pub(super) synonym_sources: Vec<SynonymSource>,
    /// References for editors.
    pub(super) notes: Notes,
}

/// The state of resolution of a synonym's right-hand side.
#[derive(Debug, Clone)]
pub(super) enum SynonymSource {
    /// Not resolved yet.
    Written(ast::Type),
    /// Being resolved. Another request is a cycle.
    Busy,
    /// Resolved: [`Synonym::rhs`] is valid.
    Resolved,
}

/// Index into [`Context::synonyms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SynonymId(pub u32);

/// Index into [`Context::export_sets`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExportSetId(pub u32);

/// A type synonym `type S<A> = T`.
#[derive(Debug, Clone)]
pub struct Synonym {
    /// The declared name.
    pub name: Name,
    /// The module that declares the synonym.
    pub module: ModuleId,
    /// The type parameters.
    pub params: Vec<TypeParamId>,
    /// The declared characteristics.
    pub characteristics: Characteristics,
    /// The definition, over `params`, with synonyms expanded.
    pub rhs: Type,
    /// The span of the declared name.
    pub span: Span,
}

/// The names that one export set of a module, or a union of several, makes visible to an importer.
#[derive(Debug, Clone, Default)]
pub struct ExportSet {
    /// The provided or revealed names of top-level declarations and of members of the default
    /// class.
    pub provides: FxHashSet<Name>,
    /// The revealed names, a subset of `provides`.
    pub reveals: FxHashSet<Name>,
    /// The exported members of types, each with the name of its type.
    pub members: FxHashSet<(Name, Name)>,
    /// The revealed members, a subset of `members`.
    pub revealed_members: FxHashSet<(Name, Name)>,
}

/// A module as seen through an export set. `export: None` sees everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModuleView {
    /// The module.
    pub module: ModuleId,
    /// The export set through which the module is seen.
    pub export: Option<ExportSetId>,
}

/// The entity that a name in a module's scope denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entity {
    /// A nested module or an import.
    Module(ModuleView),
    /// A declared type.
    Type(TypeId),
    /// A synonym. [`Context::synonym_target`] returns the declared type that it abbreviates, if
    /// any.
    Synonym(SynonymId),
    /// A constant of the module.
    Const(FieldId),
    /// A function, method or lemma of the module.
    Callable(CallableId),
    /// A constructor of one of the module's datatypes, which needs no qualification.
    Ctor(CtorId),
}

/// The syntactic position of a name, which determines the order of kinds in the lookup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameUse {
    /// A complete name expression, or the callee of a call: constructors, then types and modules,
    /// then constants, functions and methods.
    Expression,
    /// The qualifier before a dot: types and modules, then constants and functions, then
    /// constructors.
    Qualifier,
    /// A type: types and modules only.
    Type,
    /// A module: modules only.
    Module,
}

/// The reason why a lookup failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LookupError {
    /// No declaration has the name.
    Unknown {
        /// A visible name with a similar spelling.
        suggestion: Option<Name>,
    },
    /// Several opened imports, or constructors of several datatypes, have the name.
    Ambiguous {
        /// The qualified candidates, for example `A.x` and `B.x`.
        candidates: Vec<String>,
    },
    /// The module declares the name, but the export set does not provide it.
    NotExported,
    /// The declaration has an error that has been reported.
    Reported,
}

/// A member of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Member {
    /// A field, constant or destructor.
    Field(FieldId),
    /// A function, method, lemma or constructor of a class.
    Callable(CallableId),
    /// `D.C`: a constructor of the datatype.
    Ctor(CtorId),
    /// `d.C?`: the test for a constructor.
    CtorTest(CtorId),
}

/// A member with its declaring type.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundMember {
    /// The member.
    pub member: Member,
    /// The declaring type: the type of the lookup or one of its ancestors.
    pub owner: TypeId,
    /// The type arguments of `owner`, over the type parameters of the type of the lookup.
    pub owner_args: Vec<Type>,
}

/// The names that a module declares.
#[derive(Debug, Clone, Default)]
pub struct ModuleScope {
    /// Types, synonyms, nested modules and imports.
    pub top_levels: FxHashMap<Name, Entity>,
    /// Constants, functions and methods of the default class.
    pub static_members: FxHashMap<Name, Entity>,
    /// Constructors of the module's datatypes.
    pub ctors: FxHashMap<Name, Vec<CtorId>>,
    /// Imports with `opened`, each with its local name.
    pub opened: Vec<(Name, ModuleView)>,
    /// Export sets by name. The default set has the name of the module.
    pub exports: FxHashMap<Name, ExportSetId>,
    /// The default export set. `None`: everything is revealed.
    pub default_export: Option<ExportSetId>,
    /// Whether the module is declared `abstract`.
    pub is_abstract: bool,
    /// Modules imported as abstractions (`import A : M`): copies whose types hide no members.
    pub abstractions: FxHashSet<ModuleId>,
    /// Local names of imports whose module does not exist.
    pub broken: FxHashSet<Name>,
    /// Whether such an import is `opened`, so that it might declare any name.
    pub broken_opened: bool,
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
    /// extreme predicate ([`Context::prefix_callables`]) has no work of its own.
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
        /// Whether the type is omitted (also in [`Context::untyped_consts`]).
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

    /// The scope of a module.
    pub fn scope(&self, module: ModuleId) -> Option<&ModuleScope> {
        self.scopes.get(module.0 as usize)
    }

    /// Looks a name up in the scope of a module: declarations of the module, then its opened
    /// imports. The caller has to try local variables and members of the enclosing type first.
    ///
    /// # Errors
    /// Unknown, or ambiguous among opened imports or constructors.
    pub fn lookup(
        &self,
        module: ModuleId,
        name: &str,
        usage: NameUse,
    ) -> Result<Entity, LookupError> {
        let mut found = Vec::new();
        // The first table with the name decides; later ones are hidden.
        for table in tables(usage) {
            found = self.table(module, name, *table, usage);
            if !found.is_empty() {
                break;
            }
        }
        match found.as_slice() {
            [] if self.is_broken(module, name) => Err(LookupError::Reported),
            [] => Err(LookupError::Unknown {
                suggestion: self.suggestion(module, name),
            }),
            [one] => Ok(*one),
            [first, rest @ ..] => {
                // Several paths to one declaration are not ambiguous.
                if rest.iter().all(|e| self.mean_the_same(module, first, e)) {
                    return Ok(*first);
                }
                Err(LookupError::Ambiguous {
                    candidates: found.iter().map(|e| self.show_entity(e)).collect(),
                })
            }
        }
    }

    /// Like [`Self::lookup`], for a name that need not exist.
    pub fn find(&self, module: ModuleId, name: &str, usage: NameUse) -> Option<Entity> {
        let declared = tables(usage)
            .iter()
            .any(|t| !self.table(module, name, *t, usage).is_empty());
        if declared {
            self.lookup(module, name, usage).ok()
        } else {
            None
        }
    }

    /// Looks a name up in a module from outside, as in `M.x`, among the names that the export set
    /// provides.
    ///
    /// # Errors
    /// Unknown, not exported, or ambiguous among constructors.
    pub fn lookup_in(
        &self,
        view: ModuleView,
        name: &str,
        usage: NameUse,
    ) -> Result<Entity, LookupError> {
        // Opened imports of a module are not visible through it, so only its own scope counts.
        let own = |table| self.own(view.module, name, table, usage);
        let Some(found) = tables(usage)
            .iter()
            .map(|t| own(*t))
            .find(|f| !f.is_empty())
        else {
            if self.is_broken(view.module, name) {
                return Err(LookupError::Reported);
            }
            let names = self
                .scope(view.module)
                .into_iter()
                .flat_map(|s| s.names())
                .filter(|n| self.provides(view, n));
            return Err(LookupError::Unknown {
                suggestion: spelling::closest(name, names),
            });
        };
        let visible: Vec<Entity> = found
            .iter()
            .copied()
            .filter(|e| self.visible(view, name, e))
            .collect();
        match visible.as_slice() {
            [] => Err(LookupError::NotExported),
            [one] => Ok(*one),
            _ => Err(LookupError::Ambiguous {
                candidates: visible.iter().map(|e| self.show_entity(e)).collect(),
            }),
        }
    }

    fn is_broken(&self, module: ModuleId, name: &str) -> bool {
        self.scope(module)
            .is_some_and(|s| s.broken_opened || s.broken.contains(name))
    }

    /// Reports a failed lookup. `what` is the kind of entity that was looked up (`type`, `module`,
    /// `name`).
    pub fn report_lookup(&mut self, what: &str, name: &str, span: Span, error: &LookupError) {
        let diagnostic = match error {
            LookupError::Unknown { .. } if matches!(name, "fp32" | "fp64") => Diagnostic::error(
                "resolve/floating-point",
                span,
                format!("the floating-point type `{name}` is not supported"),
            )
            .with_help("use `real`, the type of exact real numbers"),
            LookupError::Unknown { suggestion } => {
                let d = Diagnostic::error(
                    "resolve/unknown-name",
                    span,
                    format!("unresolved {what}: {name}"),
                );
                match suggestion {
                    Some(s) => d.with_help(format!("did you mean `{s}`?")),
                    None => d,
                }
            }
            LookupError::Ambiguous { candidates } => Diagnostic::error(
                "resolve/ambiguous-name",
                span,
                format!("the {what} `{name}` is ambiguous"),
            )
            .with_note(format!("it may be {}", candidates.join(" or ")))
            .with_help("qualify it with its module or type"),
            LookupError::NotExported => Diagnostic::error(
                "resolve/not-exported",
                span,
                format!("the {what} `{name}` is not exported by its module"),
            )
            .with_help("add it to an export set of the module, or import another export set"),
            LookupError::Reported => return,
        };
        self.diagnostics.push(diagnostic);
    }

    /// Looks up a datatype constructor, as in `D.C`. Constructors have a namespace of their own.
    pub fn lookup_ctor(&self, ty: TypeId, name: &str) -> Option<CtorId> {
        match &self.program[ty].kind {
            TypeDeclKind::Datatype { ctors, .. } => ctors
                .iter()
                .copied()
                .find(|c| &*self.program[*c].name == name),
            TypeDeclKind::Subset(_)
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => None,
        }
    }

    /// Whether `M.x` is ambiguous: `M` is a type that hides an opened import of the same name, and
    /// the imported module also has an `x`. `last`: whether `x` is the last name of the path, so
    /// that it may be a constructor.
    pub(super) fn hides_member(
        &self,
        module: ModuleId,
        name: &str,
        member: &str,
        last: bool,
    ) -> bool {
        let is_hidden = matches!(
            self.lookup(module, name, NameUse::Qualifier),
            Ok(Entity::Type(_) | Entity::Synonym(_))
        );
        let Some(Entity::Module(view)) = self
            .scope(module)
            .and_then(|s| s.top_levels.get(name))
            .copied()
            .filter(|_| is_hidden)
        else {
            return false;
        };
        let shown = |table| {
            self.own(view.module, member, table, NameUse::Qualifier)
                .into_iter()
                .filter(|e| self.visible(view, member, e))
        };
        let ctors: Vec<Entity> = shown(Table::Ctors).collect();
        let other_ctor = matches!(ctors.as_slice(), [Entity::Ctor(c)] if *self.program[self.program[*c].datatype].name != *name);
        (last && other_ctor)
            || shown(Table::TopLevels).next().is_some()
            || shown(Table::StaticMembers).next().is_some()
    }

    /// Looks up a member of a type, declared or inherited from a parent trait. A subset type has
    /// the members of its base, a newtype its own. Members that the language defines (`Keys`,
    /// `Length`) are not included.
    pub fn lookup_member(&self, ty: TypeId, name: &str) -> Option<FoundMember> {
        // Most members are declared by the type itself.
        if let Some(&member) = self.members.get(ty.0 as usize).and_then(|m| m.get(name)) {
            let owner_args = self.program[ty]
                .type_params
                .iter()
                .map(|p| Type::Param(*p))
                .collect();
            return Some(FoundMember {
                member,
                owner: ty,
                owner_args,
            });
        }
        for (owner, owner_args) in self.ancestors(ty).into_iter().skip(1) {
            if let Some(&member) = self.members.get(owner.0 as usize).and_then(|m| m.get(name)) {
                return Some(FoundMember {
                    member,
                    owner,
                    owner_args,
                });
            }
        }
        None
    }

    /// The type itself and its ancestors (parent traits, the base of a subset type), nearest first,
    /// each with type arguments over the type parameters of `ty`.
    pub fn ancestors(&self, ty: TypeId) -> Vec<(TypeId, Vec<Type>)> {
        let own = self.program[ty]
            .type_params
            .iter()
            .map(|p| Type::Param(*p))
            .collect();
        let mut found: Vec<(TypeId, Vec<Type>)> = vec![(ty, own)];
        // Breadth-first: `found` is both the result and the queue.
        let mut next = 0;
        while let Some((at, args)) = found.get(next).cloned() {
            next += 1;
            let decl = &self.program[at];
            let map: Substitution = self.program.substitution(at, &args);
            let base = match &decl.kind {
                TypeDeclKind::Subset(c) => Some(&c.base),
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => None,
            };
            for parent in decl.parents.iter().chain(base) {
                if let Type::Named { decl, args, .. } = parent.subst(&map)
                    && !found.iter().any(|(t, _)| *t == decl)
                {
                    found.push((decl, args));
                }
            }
        }
        found
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

    /// The declared type that a chain of synonyms abbreviates, with arguments over the parameters
    /// of the synonym. `None` for a built-in type.
    pub fn synonym_target(&self, id: SynonymId) -> Option<(TypeId, Vec<Type>)> {
        match &self.synonyms.get(id.0 as usize)?.rhs {
            Type::Named { decl, args, .. } => Some((*decl, args.clone())),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => None,
        }
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

    /// Records the synonyms in the type of a name, so that their arguments are checked against the
    /// synonym's requirements.
    pub(super) fn declared_with(&mut self, name: Span, ty: Span) {
        self.type_places.insert(name, ty);
        let within = |at: Span| ty.contains_span(at);
        let uses = std::mem::take(&mut self.synonym_uses);
        let found: Vec<_> = uses
            .into_iter()
            .filter(|(at, ..)| within(*at))
            .map(|(_, id, args)| (id, args))
            .collect();
        if !found.is_empty() {
            self.synonyms_of.insert(name, found);
        }
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
        let is_abstract = |m: ModuleId| self.scope(m).is_some_and(|s| s.is_abstract);
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

    /// Whether an export set of the module provides a type without revealing its definition.
    pub(super) fn is_provided(&self, module: ModuleId, name: &str) -> bool {
        let sets = self
            .scope(module)
            .into_iter()
            .flat_map(|s| s.exports.values());
        let mut sets = sets.filter_map(|id| self.export_sets.get(id.0 as usize));
        sets.any(|set| set.provides.contains(name) && !set.reveals.contains(name))
    }

    /// Whether the view shows the name at all.
    pub fn provides(&self, view: ModuleView, name: &str) -> bool {
        view.export
            .and_then(|e| self.export_sets.get(e.0 as usize))
            .is_none_or(|set| set.provides.contains(name))
    }

    /// Whether the view shows the definition of the name: the right-hand side of a type, or the
    /// body of a function.
    pub fn reveals(&self, view: ModuleView, name: &str) -> bool {
        view.export
            .and_then(|e| self.export_sets.get(e.0 as usize))
            .is_none_or(|set| set.reveals.contains(name))
    }

    /// The module as seen through its default export set.
    pub fn default_view(&self, module: ModuleId) -> ModuleView {
        ModuleView {
            module,
            export: self.scope(module).and_then(|s| s.default_export),
        }
    }

    fn table(&self, module: ModuleId, name: &str, table: Table, usage: NameUse) -> Vec<Entity> {
        let own = self.own(module, name, table, usage);
        let Some(scope) = self.scope(module) else {
            return own;
        };
        // Only names that the import's export set provides are visible.
        let opened = |from: &(Name, ModuleView)| {
            let own = self.own(from.1.module, name, table, usage).into_iter();
            own.filter(|e| self.visible(from.1, name, e))
                .collect::<Vec<_>>()
        };
        // `import opened X = M` where the module M declares an M itself: the name denotes the inner
        // one, except where a module is required.
        if table == Table::TopLevels
            && usage != NameUse::Module
            && !own.is_empty()
            && let Some(from) = scope
                .opened
                .iter()
                .rfind(|(_, view)| *self.program[view.module].name == *name)
        {
            let inner: Vec<Entity> = opened(from)
                .into_iter()
                .filter(|e| !matches!(e, Entity::Module(_)))
                .collect();
            if !inner.is_empty() {
                return inner;
            }
        }
        if !own.is_empty() {
            return own;
        }
        scope.opened.iter().flat_map(opened).collect()
    }

    fn own(&self, module: ModuleId, name: &str, table: Table, usage: NameUse) -> Vec<Entity> {
        let Some(scope) = self.scope(module) else {
            return Vec::new();
        };
        match table {
            Table::TopLevels => {
                let wanted =
                    |e: &&Entity| usage != NameUse::Module || matches!(e, Entity::Module(_));
                scope
                    .top_levels
                    .get(name)
                    .filter(wanted)
                    .copied()
                    .into_iter()
                    .collect()
            }
            Table::StaticMembers => scope
                .static_members
                .get(name)
                .copied()
                .into_iter()
                .collect(),
            Table::Ctors => scope
                .ctors
                .get(name)
                .into_iter()
                .flatten()
                .map(|c| Entity::Ctor(*c))
                .collect(),
        }
    }

    fn visible(&self, view: ModuleView, name: &str, entity: &Entity) -> bool {
        match entity {
            Entity::Ctor(c) => self.reveals(view, &self.program[self.program[*c].datatype].name),
            Entity::Module(_)
            | Entity::Type(_)
            | Entity::Synonym(_)
            | Entity::Const(_)
            | Entity::Callable(_) => self.provides(view, name),
        }
    }

    /// Whether two entities are one declaration reached by two paths, or synonyms of one type in
    /// the view of the module.
    fn mean_the_same(&self, module: ModuleId, one: &Entity, other: &Entity) -> bool {
        self.meaning(one) == self.meaning(other)
            || matches!((self.seen_type(module, one), self.seen_type(module, other)), (Some(a), Some(b)) if a == b)
    }

    /// The type that an entity denotes in the view of a module. `None` if it is no type, if the
    /// module sees only its name, or if it is not resolved yet.
    fn seen_type(&self, module: ModuleId, entity: &Entity) -> Option<Type> {
        match entity {
            Entity::Type(t) if self.program[*t].type_params.is_empty() => {
                Some(Type::named(*t, Vec::new()))
            }
            Entity::Synonym(s) if self.opaque_in(module, *s) => None,
            Entity::Synonym(s) => {
                let rhs = &self.synonyms.get(s.0 as usize)?.rhs;
                Some(self.seen_from(Some(module), rhs)).filter(|t| *t != Type::Error)
            }
            Entity::Type(_)
            | Entity::Module(_)
            | Entity::Const(_)
            | Entity::Callable(_)
            | Entity::Ctor(_) => None,
        }
    }

    /// Resolves the synonyms with this name that the module imports with `opened`.
    pub(super) fn resolve_opened_synonyms(&mut self, module: ModuleId, name: &str) {
        let found = self.table(module, name, Table::TopLevels, NameUse::Type);
        for entity in found {
            if let Entity::Synonym(id) = entity
                && matches!(
                    self.synonym_sources.get(id.0 as usize),
                    Some(SynonymSource::Written(_))
                )
            {
                self.resolve_synonym(id);
            }
        }
    }

    /// Normalizes an entity: the results are equal for one declaration reached by two paths.
    fn meaning(&self, entity: &Entity) -> Entity {
        match entity {
            Entity::Synonym(s) => match self.synonym_target(*s) {
                Some((t, _)) => Entity::Type(t),
                None => *entity,
            },
            Entity::Module(v) => Entity::Module(ModuleView {
                module: v.module,
                export: None,
            }),
            Entity::Type(_) | Entity::Const(_) | Entity::Callable(_) | Entity::Ctor(_) => *entity,
        }
    }

    /// The dotted name of an entity, for messages.
    pub fn show_entity(&self, entity: &Entity) -> String {
        match entity {
            Entity::Module(v) => self.program.module_path(v.module).join("."),
            Entity::Type(t) => self.program.type_path(*t),
            Entity::Synonym(s) => self
                .synonyms
                .get(s.0 as usize)
                .map_or_else(String::new, |s| {
                    let mut path = self.program.module_path(s.module);
                    path.push(s.name.clone());
                    path.join(".")
                }),
            Entity::Const(f) => {
                let mut path = self.program.module_path(self.program[*f].module);
                path.push(self.program[*f].name.clone());
                path.join(".")
            }
            Entity::Callable(c) => self.program.callable_path(*c),
            Entity::Ctor(c) => {
                let ctor = &self.program[*c];
                format!("{}.{}", self.program.type_path(ctor.datatype), ctor.name)
            }
        }
    }

    fn suggestion(&self, module: ModuleId, name: &str) -> Option<Name> {
        let scope = self.scope(module)?;
        let opened = scope.opened.iter().flat_map(|(_, view)| {
            self.scope(view.module)
                .into_iter()
                .flat_map(|s| s.names())
                .filter(|n| self.provides(*view, n))
        });
        spelling::closest(name, scope.names().chain(opened))
    }
}

impl ModuleScope {
    /// All names that the module declares, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.top_levels
            .keys()
            .chain(self.static_members.keys())
            .chain(self.ctors.keys())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Table {
    TopLevels,
    StaticMembers,
    Ctors,
}

fn tables(usage: NameUse) -> &'static [Table] {
    match usage {
        NameUse::Expression => &[Table::Ctors, Table::TopLevels, Table::StaticMembers],
        NameUse::Qualifier => &[Table::TopLevels, Table::StaticMembers, Table::Ctors],
        NameUse::Type | NameUse::Module => &[Table::TopLevels],
    }
}
