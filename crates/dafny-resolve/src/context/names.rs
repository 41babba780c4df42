//! The names of modules and types: scopes, export sets, and the members of types.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::export_views::ExportSite;
use crate::typed::{CallableId, CtorId, FieldId, ModuleId, TypeId};
use crate::visibility::Visibility;
use dafny_source::Name;

use super::SynonymId;

/// The names that modules and types declare, import and export.
#[derive(Debug, Default)]
pub struct Names {
    /// The scope of each module, parallel to [`Program::modules`](crate::typed::Program::modules).
    pub scopes: Vec<ModuleScope>,
    /// The members that each type declares itself, parallel to
    /// [`Program::types`](crate::typed::Program::types).
    pub members: Vec<FxHashMap<Name, Member>>,
    /// The types that stand for implicit classes of modules.
    pub(crate) default_classes: Vec<(TypeId, ModuleId)>,
    /// Export sets.
    pub export_sets: Vec<ExportSet>,
    /// The origins of the export sets.
    pub(crate) export_sites: Vec<ExportSite>,
    /// The visibility of modules to each other.
    pub(crate) visibility: Visibility,
    /// Whether modules are resolved as their export sets show them, so that values may be missing.
    pub(crate) in_views: bool,
}

impl Names {
    /// The members that a type declares itself.
    pub fn members_of(&self, ty: TypeId) -> Option<&FxHashMap<Name, Member>> {
        self.members.get(ty.0 as usize)
    }

    /// The export set with the id.
    pub fn export_set(&self, id: ExportSetId) -> Option<&ExportSet> {
        self.export_sets.get(id.0 as usize)
    }

    /// The scope of a module.
    pub fn scope(&self, module: ModuleId) -> Option<&ModuleScope> {
        self.scopes.get(module.0 as usize)
    }

    /// Whether an export set of the module provides a type without revealing its definition.
    pub(crate) fn is_provided(&self, module: ModuleId, name: &str) -> bool {
        let sets = self
            .scope(module)
            .into_iter()
            .flat_map(|s| s.exports.values());
        let mut sets = sets.filter_map(|id| self.export_set(*id));
        sets.any(|set| set.provides.contains(name) && !set.reveals.contains(name))
    }

    /// Whether the view shows the name at all.
    pub fn provides(&self, view: ModuleView, name: &str) -> bool {
        view.export
            .and_then(|e| self.export_set(e))
            .is_none_or(|set| set.provides.contains(name))
    }

    /// Whether the view shows the definition of the name: the right-hand side of a type, or the
    /// body of a function.
    pub fn reveals(&self, view: ModuleView, name: &str) -> bool {
        view.export
            .and_then(|e| self.export_set(e))
            .is_none_or(|set| set.reveals.contains(name))
    }

    /// The module as seen through its default export set.
    pub fn default_view(&self, module: ModuleId) -> ModuleView {
        ModuleView {
            module,
            export: self.scope(module).and_then(|s| s.default_export),
        }
    }

    /// Whether the name may be declared by an import whose module does not exist.
    pub(super) fn is_broken(&self, module: ModuleId, name: &str) -> bool {
        self.scope(module)
            .is_some_and(|s| s.broken_opened || s.broken.contains(name))
    }
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

impl ModuleScope {
    /// All names that the module declares, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.top_levels
            .keys()
            .chain(self.static_members.keys())
            .chain(self.ctors.keys())
    }
}

/// Index into [`Names::export_sets`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExportSetId(pub u32);

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
    /// A synonym. [`Synonyms::target`](super::Synonyms::target) returns the declared type that it abbreviates, if
    /// any.
    Synonym(SynonymId),
    /// A constant of the module.
    Const(FieldId),
    /// A function, method or lemma of the module.
    Callable(CallableId),
    /// A constructor of one of the module's datatypes, which needs no qualification.
    Ctor(CtorId),
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
