//! What the names of a text denote, for editors: noted while they are looked up, where [`super::resolve_indexed`] asks for it.
//!
//! A [`Definition`] is known by the place of its name ([`Index::place`]): what a refining module inherits has a copy in the program, with
//! the place of the text that it came from.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::{Context, Entity, Member, ModuleView, Synonym, SynonymId};
use crate::typed::{
    CallableId, CtorId, FieldId, LocalId, ModuleId, Program, Span, Type, TypeDeclKind, TypeId,
    TypeParamId,
};
use dafny_syntax::ast;
use dafny_syntax::source::Name;

/// What a name denotes.
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

/// A name that could stand at a place.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The name.
    pub name: Name,
    /// What it would denote; `None`: a member that the language defines.
    pub definition: Option<Definition>,
}

/// The names of a program with what they denote.
#[derive(Debug, Clone, Default)]
pub struct Index {
    /// Names that are used, in the order of their places, each with what it denotes; the first meaning of each counts.
    pub uses: Vec<(Span, Definition)>,
    /// What the program's synonyms are.
    pub synonyms: Vec<Synonym>,
    /// What could stand in the place of the name that was asked for, if that name was come upon.
    pub candidates: Option<Vec<Candidate>>,
    /// Parameters of constructors that declare a destructor again, by their places: the place of the destructor.
    shared: FxHashMap<Span, Span>,
}

impl Index {
    /// The place of the name where something is declared.
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

    /// Further places where something is declared: destructors that several constructors have.
    pub fn other_places(&self, place: Span) -> impl Iterator<Item = Span> {
        self.shared
            .iter()
            .filter(move |(_, to)| **to == place)
            .map(|(from, _)| *from)
    }
}

/// Takes notes while a program is resolved.
#[derive(Debug, Default)]
pub(super) struct Notes {
    is_wanted: bool,
    uses: Vec<(Span, Definition)>,
    /// The name that stands where candidates are asked for.
    marker: Option<Name>,
    candidates: Option<Vec<Candidate>>,
}

impl Notes {
    /// Notes uses, and candidates for what `marker` stands for.
    pub(super) fn wanted(marker: Option<&str>) -> Self {
        Self {
            is_wanted: true,
            marker: marker.map(Name::from),
            ..Self::default()
        }
    }

    /// A name denotes something.
    pub(super) fn note(&mut self, at: Span, definition: Definition) {
        if self.is_wanted {
            self.uses.push((at, definition));
        }
    }

    /// Whether a name stands where candidates are asked for, and none are known yet.
    pub(super) fn asks_for(&self, name: &str) -> bool {
        self.marker.as_deref().is_some_and(|marker| marker.eq(name)) && self.candidates.is_none()
    }

    /// These are the candidates.
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

/// Which names of a module are candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// All.
    Any,
    /// Those of types and modules.
    Types,
}

impl Context {
    /// Takes the notes.
    pub(super) fn index(&mut self) -> Index {
        if !self.notes.is_wanted {
            return Index::default();
        }
        let notes = std::mem::take(&mut self.notes);
        let mut uses = notes.uses;
        // Stable: the first meaning of a name stays first.
        uses.sort_by_key(|(at, _)| (at.start, at.end));
        uses.dedup_by_key(|(at, _)| *at);
        Index {
            uses,
            synonyms: std::mem::take(&mut self.synonyms),
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

    /// Notes the names in export sets.
    pub(super) fn note_exports(&mut self) {
        if !self.notes.is_wanted {
            return;
        }
        let mut found: Vec<(Span, Definition)> = Vec::new();
        for site in &self.export_sites {
            let Some(scope) = self.scope(site.module) else {
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

    /// The names that a module offers from within: its own and what it opens.
    pub(super) fn candidates_of_scope(&self, module: ModuleId, sort: Sort) -> Vec<Candidate> {
        let mut found = self.candidates_of_module(
            ModuleView {
                module,
                export: None,
            },
            sort,
        );
        for (_, view) in self.scope(module).into_iter().flat_map(|s| &s.opened) {
            found.extend(self.candidates_of_module(*view, sort));
        }
        found
    }

    /// The names that a module shows.
    pub(super) fn candidates_of_module(&self, view: ModuleView, sort: Sort) -> Vec<Candidate> {
        let Some(scope) = self.scope(view.module) else {
            return Vec::new();
        };
        let shown = |name: &Name, e: &Entity| match e {
            Entity::Ctor(c) => self.reveals(view, &self.program[self.program[*c].datatype].name),
            Entity::Module(_)
            | Entity::Type(_)
            | Entity::Synonym(_)
            | Entity::Const(_)
            | Entity::Callable(_) => self.provides(view, name),
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

    /// The members of values of a type, or of the type itself (`of_type`): what is static in it, constructors among them.
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
        let Some(members) = self.members.get(owner.0 as usize) else {
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

/// Members that the language defines for values of a built-in type.
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
