//! What both halves of the resolver share: the program as far as it is resolved, the scopes of its
//! modules, and the questions that a name raises.
//!
//! `declare` fills a [`Context`] (arenas, scopes, signatures) and leaves in [`Context::work`] what
//! is expressions and statements; `bodies` takes that list and fills in the rest. From then on ids
//! are stable: nobody removes or reorders items of an arena.

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

/// Everything known while a program is resolved.
#[derive(Debug, Default)]
pub struct Context {
    /// The program: declarations with their signatures; bodies come in later.
    pub program: Program,
    /// What was found.
    pub diagnostics: Findings,
    /// Which module depends on which.
    pub(super) dependencies: Dependencies,
    /// Where declarations stand.
    pub(super) places: Places,
    /// Expressions and statements that wait for [`super::bodies::resolve_bodies`], in the order of the source.
    pub work: Vec<BodyWork>,
    /// The scope of each module, parallel to [`Program::modules`].
    pub scopes: Vec<ModuleScope>,
    /// Callables whose text has a body, also where that body has errors.
    pub(super) with_body: FxHashSet<CallableId>,
    /// See [`Anchors`](dafny_syntax::ast::Anchors): the whole expression, and its token.
    pub(super) anchors: FxHashMap<Span, Span>,
    /// Synonyms; they are not in the program.
    pub synonyms: Vec<Synonym>,
    /// Export sets.
    pub export_sets: Vec<ExportSet>,
    /// Where they come from.
    pub(super) export_sites: Vec<ExportSite>,
    /// Variables that are declared `{:assumption}`.
    pub(super) assumptions: FxHashSet<LocalId>,
    /// Whether modules are looked at as export sets show them, so that values may be missing.
    pub(super) in_views: bool,
    /// What modules see of each other.
    pub(super) visibility: Visibility,
    /// The members of each type that are declared in it (not inherited), parallel to [`Program::types`].
    pub members: Vec<FxHashMap<Name, Member>>,
    /// `P#` of each least or greatest predicate or lemma `P`: a callable with the same parameters after a first
    /// one named `_k` (of type `nat` or `ORDINAL`).
    pub prefix_callables: FxHashMap<CallableId, CallableId>,
    /// Constants without a written type. Their [`crate::typed::Field::ty`] is [`Type::Error`] until `bodies`
    /// infers it from the value.
    pub untyped_consts: FxHashSet<FieldId>,
    /// Lemmas that are declared `twostate`.
    pub two_state_lemmas: FxHashSet<CallableId>,
    /// Extreme lemmas, with whether they are least ones.
    pub extreme_lemmas: FxHashMap<CallableId, bool>,
    /// Constants, subset types and newtypes whose types or bases are inferred.
    pub(super) inferred: FxHashSet<Declaration>,
    /// Parameters that are declared `older`.
    pub older: FxHashSet<LocalId>,
    /// Parameters of two-state functions and lemmas that are declared `new`.
    pub(super) new_params: FxHashSet<LocalId>,
    /// Parameters whose types are written as synonyms.
    pub(super) synonym_params: FxHashSet<LocalId>,
    /// Synonyms with arguments in types of signatures, by where they stand; [`Context::declared_with`] takes them.
    pub(super) synonym_uses: Vec<(Span, SynonymId, Vec<Type>)>,
    /// By the name that is declared: the synonyms in its type, with their arguments.
    pub(super) synonyms_of: FxHashMap<Span, Vec<(SynonymId, Vec<Type>)>>,
    /// Subset types and newtypes whose constraints, or those of the types under them, only ghost code can evaluate.
    pub(super) uncompilable: FxHashSet<TypeId>,
    /// Declared types that are written in expressions, statements and constraints, each with the declaration around.
    pub(super) written_types: FxHashSet<(Declaration, TypeId)>,
    /// Calls in compiled code of functions that are computed by methods.
    pub(super) method_calls: Vec<(Declaration, CallableId)>,
    /// The places at which the types of names are written, by name.
    pub(super) type_places: FxHashMap<Span, Span>,
    /// The places at which the definition of a synonym, subset type or newtype mentions a type parameter.
    pub(super) param_uses: Vec<(TypeParamId, Span)>,
    /// Arguments of attributes. They are no part of the typed program, but may not speak of two states where there is one.
    pub(super) attribute_exprs: Vec<Expr>,
    /// The places of `a decreases to b`, which is ghost, and which no other form of expression shows.
    pub(super) order_claims: FxHashSet<Span>,
    /// Synonyms that hide what they stand for.
    pub(super) opaque_synonyms: OpaqueSynonyms,
    /// What subset types are declared to have.
    pub(super) obligations: Vec<(TypeId, Characteristics)>,
    /// Declarations that take the place of abstract types.
    pub(super) refined_types: Vec<RefinedType>,
    /// For each synonym: its right-hand side until that is resolved.
    pub(super) synonym_sources: Vec<SynonymSource>,
    /// What names denote, for editors.
    pub(super) notes: Notes,
}

/// How far the right-hand side of a synonym is.
#[derive(Debug, Clone)]
pub(super) enum SynonymSource {
    /// Not looked at.
    Written(ast::Type),
    /// Being resolved: meeting it again is a cycle.
    Busy,
    /// [`Synonym::rhs`] holds.
    Resolved,
}

/// Index into [`Context::synonyms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SynonymId(pub u32);

/// Index into [`Context::export_sets`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExportSetId(pub u32);

/// `type S<A> = T`.
#[derive(Debug, Clone)]
pub struct Synonym {
    /// Its name.
    pub name: Name,
    /// Its module.
    pub module: ModuleId,
    /// Its parameters.
    pub params: Vec<TypeParamId>,
    /// What its declaration says of it.
    pub characteristics: Characteristics,
    /// What it stands for, over `params`; synonyms are expanded.
    pub rhs: Type,
    /// The name where it is declared.
    pub span: Span,
}

/// The names that a module's export set (or several, united) lets an importer see.
#[derive(Debug, Clone, Default)]
pub struct ExportSet {
    /// Provided or revealed names of top-level declarations, and of members of the default class.
    pub provides: FxHashSet<Name>,
    /// Revealed ones (a subset of `provides`).
    pub reveals: FxHashSet<Name>,
    /// Members of types, each with its type.
    pub members: FxHashSet<(Name, Name)>,
    /// Revealed ones (a subset of `members`).
    pub revealed_members: FxHashSet<(Name, Name)>,
}

/// A module as seen through an export set; `export: None` sees everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModuleView {
    /// Which module.
    pub module: ModuleId,
    /// What of it.
    pub export: Option<ExportSetId>,
}

/// What a name of a module's scope denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entity {
    /// A nested module or an import.
    Module(ModuleView),
    /// A declared type.
    Type(TypeId),
    /// A synonym; [`Context::synonym_target`] says what stands behind it when it is a declared type.
    Synonym(SynonymId),
    /// A constant of the module.
    Const(FieldId),
    /// A function, method or lemma of the module.
    Callable(CallableId),
    /// A constructor of one of the module's datatypes, which needs no qualification.
    Ctor(CtorId),
}

/// In what position a name stands; it settles which kinds of entities come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameUse {
    /// A whole name expression, or the callee of a call: constructors, then types and modules, then
    /// constants, functions and methods.
    Expression,
    /// The left part of a dot: types and modules, then constants and functions, then constructors.
    Qualifier,
    /// A type: types and modules only.
    Type,
    /// A module: modules only.
    Module,
}

/// Why a name could not be looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LookupError {
    /// Nobody declares it.
    Unknown {
        /// A visible name that is spelled much alike.
        suggestion: Option<Name>,
    },
    /// Several opened imports, or several datatypes' constructors, declare it.
    Ambiguous {
        /// Where, for example `A.x` and `B.x`.
        candidates: Vec<String>,
    },
    /// The module declares it, but the export set does not provide it.
    NotExported,
    /// What would declare it is broken, which has been reported.
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
    /// `d.C?`.
    CtorTest(CtorId),
}

/// A member with the type that declares it.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundMember {
    /// Which member.
    pub member: Member,
    /// The type that declares it: the type asked for, or one of its ancestors.
    pub owner: TypeId,
    /// Arguments of `owner`, over the type parameters of the type asked for.
    pub owner_args: Vec<Type>,
}

/// The names that a module declares.
#[derive(Debug, Clone, Default)]
pub struct ModuleScope {
    /// Types, synonyms, nested modules and imports.
    pub top_levels: FxHashMap<Name, Entity>,
    /// Constants, functions and methods of the default class.
    pub static_members: FxHashMap<Name, Entity>,
    /// Constructors of its datatypes.
    pub ctors: FxHashMap<Name, Vec<CtorId>>,
    /// Imported with `opened`, with the local name of the import.
    pub opened: Vec<(Name, ModuleView)>,
    /// Its export sets by name; the default set has the module's own name.
    pub exports: FxHashMap<Name, ExportSetId>,
    /// The default export set; `None`: everything is revealed.
    pub default_export: Option<ExportSetId>,
    /// Whether it says `abstract`.
    pub is_abstract: bool,
    /// Modules of which it imports an abstraction (`import A : M`): a copy, whose types hide no members.
    pub abstractions: FxHashSet<ModuleId>,
    /// Local names of imports whose module does not exist.
    pub broken: FxHashSet<Name>,
    /// Whether one of those is opened, so that it might declare any name.
    pub broken_opened: bool,
}

/// Where a type is written.
#[derive(Debug, Clone)]
pub struct TypeScope {
    /// The module.
    pub module: ModuleId,
    /// Type parameters in scope, inner ones last.
    pub type_params: Vec<(Name, TypeParamId)>,
}

/// What remains to be resolved by `bodies`. The declarations that it speaks of are in the program, with
/// signatures; formals are [`crate::typed::Local`]s already, in the order of the source. A formal is ghost when
/// it or its callable is.
#[derive(Debug, Clone)]
pub enum BodyWork {
    /// Contract and body (and defaults of formals) of a function or predicate. For extreme predicates the
    /// callable of the prefix predicate ([`Context::prefix_callables`]) has no work of its own.
    Function {
        /// Which.
        id: CallableId,
        /// Its text.
        ast: Arc<ast::FunctionDecl>,
    },
    /// Contract and body (and defaults of formals) of a method, lemma or constructor.
    Method {
        /// Which.
        id: CallableId,
        /// Its text.
        ast: Arc<ast::MethodDecl>,
    },
    /// The value of a constant; its type too when `untyped`.
    ConstValue {
        /// Which.
        field: FieldId,
        /// Its value.
        ast: Arc<ast::Expr>,
        /// Whether no type was written (also in [`Context::untyped_consts`]).
        untyped: bool,
    },
    /// Constraint and witness of a subset type or newtype; [`crate::typed::Constrained::var`] is declared, its
    /// type is the base. `infer_base`: no base was written (`base` and the variable's type are [`Type::Error`]).
    Constraint {
        /// Which.
        ty: TypeId,
        /// Its text.
        ast: Arc<ast::Constrained>,
        /// Whether the base type must be inferred from the constraint.
        infer_base: bool,
    },
    /// Defaults of a constructor's arguments; there is work only where some argument has one.
    CtorDefaults {
        /// Which.
        ctor: CtorId,
        /// Its text; formals are parallel to [`crate::typed::Ctor::fields`].
        ast: Arc<ast::Ctor>,
    },
    /// Arguments of the attributes of a declaration that is neither function nor method.
    Attributes {
        /// What they may mention.
        scope: AttributeScope,
        /// Their text.
        ast: Arc<[ast::Attribute]>,
    },
    /// What an iterator asks for when it is made.
    IteratorHead {
        /// Which.
        ty: TypeId,
        /// Its constructor.
        constructor: CallableId,
        /// Its text.
        ast: Arc<ast::IteratorDecl>,
    },
    /// What an iterator obligations, and its body.
    Iterator {
        /// Which.
        ty: TypeId,
        /// Its text.
        ast: Arc<ast::IteratorDecl>,
    },
}

/// What to do where a type needs arguments and none are written.
pub enum MissingArgs<'a> {
    /// Ask for a fresh (inference) type for each.
    Infer(&'a mut dyn FnMut() -> Type),
    /// Take a prefix of these parameters; more are declared when `extend` is given (they are pushed there).
    Prefix {
        /// The enclosing declaration's parameters.
        params: Vec<TypeParamId>,
        /// New ones, `_T0` and so on.
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

    /// Looks a name up in the scope of a module: what the module declares, then its opened imports. Local
    /// variables and members of the enclosing type come before and are the caller's.
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
                if rest.iter().all(|e| self.mean_the_same(module, first, e)) {
                    return Ok(*first);
                }
                Err(LookupError::Ambiguous {
                    candidates: found.iter().map(|e| self.show_entity(e)).collect(),
                })
            }
        }
    }

    /// As [`Self::lookup`], where it is no mistake that nobody declares the name.
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

    /// Looks a name up in a module from outside, as in `M.x`: what the export set provides.
    ///
    /// # Errors
    /// Unknown, not exported, or ambiguous among constructors.
    pub fn lookup_in(
        &self,
        view: ModuleView,
        name: &str,
        usage: NameUse,
    ) -> Result<Entity, LookupError> {
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

    /// Reports that a name could not be looked up; `what` says what was looked for (`type`, `module`, `name`).
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

    /// A constructor of a datatype by name, as in `D.C`; it has a namespace of its own.
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

    /// Whether `M.x` could mean two things: `M` is a type that hides an opened import of the same name, and that module has
    /// an `x`, too. `last`: nothing follows `x`, so that it may be a constructor.
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

    /// A member of a type by name: its own, or inherited from a parent trait. For subset types the base's members;
    /// for newtypes their own. Members that the language defines (`Keys`, `Length`) are not here.
    pub fn lookup_member(&self, ty: TypeId, name: &str) -> Option<FoundMember> {
        // Most members are the type's own.
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

    /// The type itself and its ancestors (parent traits, the base of a subset type), nearest first, each with its
    /// arguments over the type parameters of `ty`.
    pub fn ancestors(&self, ty: TypeId) -> Vec<(TypeId, Vec<Type>)> {
        let own = self.program[ty]
            .type_params
            .iter()
            .map(|p| Type::Param(*p))
            .collect();
        let mut found: Vec<(TypeId, Vec<Type>)> = vec![(ty, own)];
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

    /// The type of `this` in a declaration: the type over its own parameters.
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

    /// The declared type behind a synonym, through any number of synonyms, with its arguments over the
    /// synonym's parameters; `None` when it stands for a built-in type.
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

    /// Resolves a type as written. Arguments that are left out come from `infer`, one call each.
    /// Errors are reported, and the result is [`Type::Error`] there.
    pub fn resolve_type(
        &mut self,
        scope: &TypeScope,
        ty: &ast::Type,
        infer: &mut dyn FnMut() -> Type,
    ) -> Type {
        self.resolve_type_with(scope, ty, &mut MissingArgs::Infer(infer))
    }

    /// Notes which synonyms the type of a name mentions: their arguments are held to what the synonyms ask for.
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

    /// Whether a view is one of an abstract module as a whole, from a module that is compiled (which may not use it).
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

    /// Whether an export set of its module shows the name of a type and not what stands behind it.
    pub(super) fn is_provided(&self, module: ModuleId, name: &str) -> bool {
        let sets = self
            .scope(module)
            .into_iter()
            .flat_map(|s| s.exports.values());
        let mut sets = sets.filter_map(|id| self.export_sets.get(id.0 as usize));
        sets.any(|set| set.provides.contains(name) && !set.reveals.contains(name))
    }

    /// Whether a view shows a name at all.
    pub fn provides(&self, view: ModuleView, name: &str) -> bool {
        view.export
            .and_then(|e| self.export_sets.get(e.0 as usize))
            .is_none_or(|set| set.provides.contains(name))
    }

    /// Whether a view shows what stands behind a name (the right-hand side of a type, the body of a function).
    pub fn reveals(&self, view: ModuleView, name: &str) -> bool {
        view.export
            .and_then(|e| self.export_sets.get(e.0 as usize))
            .is_none_or(|set| set.reveals.contains(name))
    }

    /// The module as others see it by default.
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
        let opened = |from: &(Name, ModuleView)| {
            let own = self.own(from.1.module, name, table, usage).into_iter();
            own.filter(|e| self.visible(from.1, name, e))
                .collect::<Vec<_>>()
        };
        // `import opened X = M` where the module M declares an M of its own: the name means the inner one, except where a
        // module is asked for.
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

    /// Whether two entities are the same declaration reached by two paths, or synonyms of the same type, as the module sees them.
    fn mean_the_same(&self, module: ModuleId, one: &Entity, other: &Entity) -> bool {
        self.meaning(one) == self.meaning(other)
            || matches!((self.seen_type(module, one), self.seen_type(module, other)), (Some(a), Some(b)) if a == b)
    }

    /// The type that an entity stands for in a module; none: it is no type, or the module sees its name only, or it is not resolved yet.
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

    /// Makes sure that the synonyms of a name are resolved that a module imports with `opened`.
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

    /// Equal for two entities that are the same declaration reached by two paths.
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
    /// All names that it declares, in no order.
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
