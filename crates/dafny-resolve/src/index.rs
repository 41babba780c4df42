//! An index of references for editors: the definition that each name denotes. It is recorded during
//! lookup if [`super::resolve_indexed`] requests it.
//!
//! A [`Definition`] is identified by the span of its name ([`Index::place`]). A declaration that a
//! refining module inherits has a copy in the program, with the span of the original.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::{Context, Entity, Member, ModuleView, Synonym, SynonymId};
use crate::typed::{
    CallableId, CtorId, FieldId, LocalId, ModuleId, Program, Span, Type, TypeDeclKind, TypeId,
    TypeParamId,
};
use dafny_source::Name;
use dafny_syntax::ast;

/// A definition that a name denotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// A module.
    Module(ModuleId),
    /// A type declaration.
    Type(TypeId),
    /// A type synonym.
    Synonym(SynonymId),
    /// A type parameter.
    TypeParam(TypeParamId),
    /// A constructor of a datatype.
    Ctor(CtorId),
    /// A field, constant or destructor.
    Field(FieldId),
    /// A function, method, lemma or constructor of a class.
    Callable(CallableId),
    /// A variable or parameter.
    Local(LocalId),
}

/// A completion: a name that is valid at a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The name to insert.
    pub name: Name,
    /// The definition that the name would denote. `None` for members that the language defines.
    pub definition: Option<Definition>,
}

/// The references of a program.
#[derive(Debug, Clone, Default)]
pub struct Index {
    /// References in source order, each with its definition. The first recorded definition of a
    /// reference counts.
    pub uses: Vec<(Span, Definition)>,
    /// The type synonyms of the program.
    pub synonyms: Vec<Synonym>,
    /// The completions at the marker, if the marker was resolved.
    pub candidates: Option<Vec<Candidate>>,
    /// Constructor parameters that declare a destructor again: their spans, with the span of the
    /// destructor.
    shared: FxHashMap<Span, Span>,
}

impl Index {
    /// The span of the name in a declaration.
    pub fn place(&self, program: &Program, definition: Definition) -> Span {
        let at = match definition {
            Definition::Module(id) => program[id].span,
            Definition::Type(id) => program[id].span,
            Definition::Synonym(id) => self
                .synonyms
                .get(id.0 as usize)
                .map_or(Span::default(), |s| s.span),
            Definition::TypeParam(id) => program[id].span,
            Definition::Ctor(id) => program[id].span,
            Definition::Field(id) => program[id].span,
            Definition::Callable(id) => program[id].span,
            Definition::Local(id) => program[id].span,
        };
        self.shared.get(&at).copied().unwrap_or(at)
    }

    /// Additional spans of a declaration: a destructor may be declared by several constructors.
    pub fn other_places(&self, place: Span) -> impl Iterator<Item = Span> {
        self.shared
            .iter()
            .filter(move |(_, to)| **to == place)
            .map(|(from, _)| *from)
    }
}

/// Records references during resolution.
#[derive(Debug, Default)]
pub(super) struct Notes {
    is_wanted: bool,
    uses: Vec<(Span, Definition)>,
    /// The name of the marker at the position of the completions.
    marker: Option<Name>,
    candidates: Option<Vec<Candidate>>,
}

impl Notes {
    /// Records references, and the completions at `marker`.
    pub(super) fn wanted(marker: Option<&str>) -> Self {
        Self {
            is_wanted: true,
            marker: marker.map(Name::from),
            ..Self::default()
        }
    }

    /// Records that the name at a span denotes a definition.
    pub(super) fn note(&mut self, at: Span, definition: Definition) {
        if self.is_wanted {
            self.uses.push((at, definition));
        }
    }

    /// Whether the name is the marker, and its completions are not known yet.
    pub(super) fn asks_for(&self, name: &str) -> bool {
        self.marker.as_deref().is_some_and(|marker| marker.eq(name)) && self.candidates.is_none()
    }

    /// Sets the completions at the marker.
    pub(super) fn offer(&mut self, candidates: Vec<Candidate>) {
        self.candidates = Some(candidates);
    }
}

impl From<Entity> for Definition {
    fn from(entity: Entity) -> Self {
        match entity {
            Entity::Module(view) => Self::Module(view.module),
            Entity::Type(id) => Self::Type(id),
            Entity::Synonym(id) => Self::Synonym(id),
            Entity::Const(id) => Self::Field(id),
            Entity::Callable(id) => Self::Callable(id),
            Entity::Ctor(id) => Self::Ctor(id),
        }
    }
}

impl From<Member> for Definition {
    fn from(member: Member) -> Self {
        match member {
            Member::Field(id) => Self::Field(id),
            Member::Callable(id) => Self::Callable(id),
            Member::Ctor(id) | Member::CtorTest(id) => Self::Ctor(id),
        }
    }
}

/// The kinds of names that are valid completions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// All names.
    Any,
    /// Names of types and modules.
    Types,
}

impl Context {
    /// Builds the index from the recorded references.
    pub(super) fn index(&mut self) -> Index {
        if !self.notes.is_wanted {
            return Index::default();
        }
        let notes = std::mem::take(&mut self.notes);
        let mut uses = notes.uses;
        // The sort is stable: the first definition of a reference stays first.
        uses.sort_by_key(|(at, _)| (at.start, at.end));
        uses.dedup_by_key(|(at, _)| *at);
        Index {
            uses,
            synonyms: std::mem::take(&mut self.synonyms.all),
            candidates: notes.candidates,
            shared: self.shared_destructors(),
        }
    }

    fn shared_destructors(&self) -> FxHashMap<Span, Span> {
        let mut shared = FxHashMap::default();
        for ctor in &self.program.ctors {
            for (param, field) in ctor.params.iter().zip(&ctor.fields) {
                let (from, to) = (self.program[*param].span, self.program[*field].span);
                if from != to {
                    shared.insert(from, to);
                }
            }
        }
        shared
    }

    /// Records the names in export sets.
    pub(super) fn note_exports(&mut self) {
        if !self.notes.is_wanted {
            return;
        }
        let mut found: Vec<(Span, Definition)> = Vec::new();
        for site in &self.names.export_sites {
            let Some(scope) = self.names.scope(site.module) else {
                continue;
            };
            let named = |name: &ast::Ident| {
                scope
                    .top_levels
                    .get(&name.name)
                    .or_else(|| scope.static_members.get(&name.name))
                    .copied()
            };
            for id in site.text.provides.iter().chain(&site.text.reveals) {
                match &id.prefix {
                    None => found.extend(named(&id.name).map(|e| (id.name.span, e.into()))),
                    Some(prefix) => {
                        let Some(Entity::Type(owner)) = named(prefix) else {
                            continue;
                        };
                        found.push((prefix.span, Definition::Type(owner)));
                        found.extend(
                            self.lookup_member(owner, &id.name.name)
                                .map(|m| (id.name.span, m.member.into())),
                        );
                    }
                }
            }
        }
        self.notes.uses.extend(found);
    }

    /// The completions inside a module: names that it declares and names from opened imports.
    pub(super) fn candidates_of_scope(&self, module: ModuleId, sort: Sort) -> Vec<Candidate> {
        let mut found = self.candidates_of_module(
            ModuleView {
                module,
                export: None,
            },
            sort,
        );
        for (_, view) in self.names.scope(module).into_iter().flat_map(|s| &s.opened) {
            found.extend(self.candidates_of_module(*view, sort));
        }
        found
    }

    /// The completions after a module's name: the names that the view provides.
    pub(super) fn candidates_of_module(&self, view: ModuleView, sort: Sort) -> Vec<Candidate> {
        let Some(scope) = self.names.scope(view.module) else {
            return Vec::new();
        };
        let shown = |name: &Name, e: &Entity| match e {
            Entity::Ctor(c) => self
                .names
                .reveals(view, &self.program[self.program[*c].datatype].name),
            Entity::Module(_)
            | Entity::Type(_)
            | Entity::Synonym(_)
            | Entity::Const(_)
            | Entity::Callable(_) => self.names.provides(view, name),
        };
        let ctors = scope
            .ctors
            .iter()
            .flat_map(|(n, cs)| cs.iter().map(move |c| (n, Entity::Ctor(*c))));
        let others = scope
            .static_members
            .iter()
            .map(|(n, e)| (n, *e))
            .chain(ctors)
            .filter(|_| sort == Sort::Any);
        let all = scope.top_levels.iter().map(|(n, e)| (n, *e)).chain(others);
        all.filter(|(n, e)| shown(n, e))
            .map(|(n, e)| Candidate {
                name: n.clone(),
                definition: Some(e.into()),
            })
            .collect()
    }

    /// The completions after a value of a type or, with `of_type`, after the type itself: then the
    /// static members and constructors.
    pub(super) fn candidates_of_type(
        &self,
        module: ModuleId,
        ty: &Type,
        of_type: bool,
    ) -> Vec<Candidate> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut todo = vec![ty.clone()];
        while let Some(ty) = todo.pop() {
            if let Type::Named { decl, .. } = &ty {
                if !seen.insert(*decl) {
                    continue;
                }
                for (owner, _) in self.ancestors(*decl) {
                    found.extend(self.members_shown(module, owner, of_type));
                }
                if let TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) =
                    &self.program[*decl].kind
                {
                    todo.push(c.base.clone());
                }
            } else if let Type::Param(p) = &ty
                && !super::bodies::is_variable(*p)
            {
                todo.extend(self.program[*p].bounds.iter().cloned());
            } else if !of_type {
                found.extend(builtin_members(&ty).into_iter().map(|n| Candidate {
                    name: n.into(),
                    definition: None,
                }));
            }
        }
        found
    }

    fn members_shown(&self, module: ModuleId, owner: TypeId, of_type: bool) -> Vec<Candidate> {
        let Some(members) = self.names.members_of(owner) else {
            return Vec::new();
        };
        let fits = |member: &Member| match member {
            Member::Field(f) => self.program[*f].is_static == of_type,
            Member::Callable(c) => {
                &*self.program[*c].name != "_ctor" && self.program[*c].is_static == of_type
            }
            Member::Ctor(_) => of_type,
            Member::CtorTest(_) => !of_type,
        };
        let shown = members
            .iter()
            .filter(|(n, m)| fits(m) && self.shows_member(module, owner, n, **m));
        shown
            .map(|(n, m)| Candidate {
                name: n.clone(),
                definition: Some((*m).into()),
            })
            .collect()
    }
}

/// Names of the members that the language defines for values of a built-in type.
fn builtin_members(ty: &Type) -> Vec<String> {
    let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
    match ty {
        Type::Map { .. } => names(&["Keys", "Values", "Items"]),
        Type::Real => names(&["Floor"]),
        Type::Array { dims: 1, .. } => names(&["Length"]),
        Type::Array { dims, .. } => (0..(*dims).min(16)).map(|n| format!("Length{n}")).collect(),
        Type::Ordinal => names(&["IsLimit", "IsSucc", "Offset", "IsNat"]),
        Type::Bv(_) => names(&["RotateLeft", "RotateRight"]),
        Type::Arrow { .. } => names(&["requires", "reads"]),
        Type::Tuple(parts) => (0..parts.len()).map(|n| n.to_string()).collect(),
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Seq(_)
        | Type::Set { .. }
        | Type::Multiset(_)
        | Type::Named { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => Vec::new(),
    }
}
