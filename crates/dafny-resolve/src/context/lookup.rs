//! Lookup of names in modules and of members in types.

use crate::spelling;
use crate::typed::{CtorId, ModuleId, Substitution, Type, TypeDeclKind, TypeId};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};

use super::{Context, Entity, Member, ModuleView, SynonymSource};

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

impl Context {
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
            [] if self.names.is_broken(module, name) => Err(LookupError::Reported),
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
            if self.names.is_broken(view.module, name) {
                return Err(LookupError::Reported);
            }
            let names = self
                .names
                .scope(view.module)
                .into_iter()
                .flat_map(|s| s.names())
                .filter(|n| self.names.provides(view, n));
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
    pub(crate) fn hides_member(
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
            .names
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
        if let Some(&member) = self.names.members_of(ty).and_then(|m| m.get(name)) {
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
            if let Some(&member) = self.names.members_of(owner).and_then(|m| m.get(name)) {
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

    fn table(&self, module: ModuleId, name: &str, table: Table, usage: NameUse) -> Vec<Entity> {
        let own = self.own(module, name, table, usage);
        let Some(scope) = self.names.scope(module) else {
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
        let Some(scope) = self.names.scope(module) else {
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
            Entity::Ctor(c) => self
                .names
                .reveals(view, &self.program[self.program[*c].datatype].name),
            Entity::Module(_)
            | Entity::Type(_)
            | Entity::Synonym(_)
            | Entity::Const(_)
            | Entity::Callable(_) => self.names.provides(view, name),
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
                let rhs = &self.synonyms.get(*s)?.rhs;
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
    pub(crate) fn resolve_opened_synonyms(&mut self, module: ModuleId, name: &str) {
        let found = self.table(module, name, Table::TopLevels, NameUse::Type);
        for entity in found {
            if let Entity::Synonym(id) = entity
                && matches!(
                    self.synonyms.sources.get(id.0 as usize),
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
            Entity::Synonym(s) => match self.synonyms.target(*s) {
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
            Entity::Synonym(s) => self.synonyms.get(*s).map_or_else(String::new, |s| {
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
        let scope = self.names.scope(module)?;
        let opened = scope.opened.iter().flat_map(|(_, view)| {
            self.names
                .scope(view.module)
                .into_iter()
                .flat_map(|s| s.names())
                .filter(|n| self.names.provides(*view, n))
        });
        spelling::closest(name, scope.names().chain(opened))
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
