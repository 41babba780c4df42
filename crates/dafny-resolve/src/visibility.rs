//! Visibility between modules: the declarations of another module that its export sets show to a
//! module (reference manual, "Export Sets and Access Control").
//!
//! A module sees another one through all its imports at once, both its own and those that its
//! imports provide. A name is looked up in one view ([`Context::lookup_in`]). The visible members
//! of an imported type are the union over all views.

use rustc_hash::FxHashMap;

use crate::typed::{Arena, Characteristics, FieldKind, ModuleId, TypeDecl, TypeDeclKind, TypeId};

use super::context::{Context, Entity, Member, ModuleView};

/// The visibility between all modules, and the module whose view is active.
#[derive(Debug, Default)]
pub(super) struct Visibility {
    /// For each module, its views of other modules. Parallel to [`crate::typed::Program::modules`].
    views: Vec<FxHashMap<ModuleId, Vec<ModuleView>>>,
    /// For each module, the types of which it sees only the name, with their declared
    /// characteristics. Parallel as well.
    opaque: Vec<Vec<(TypeId, Characteristics)>>,
    /// The module whose view is active. `None`: the whole program is visible.
    from: Option<ModuleId>,
    /// The definitions of the types that are opaque in the active view.
    behind: Vec<(TypeId, TypeDeclKind, Characteristics)>,
}

/// Computes the visibility between modules. All imports have to be resolved.
pub(super) fn settle(cx: &mut Context) {
    let modules: Vec<ModuleId> = (0..cx.names.scopes.len())
        .map(|m| ModuleId(m as u32))
        .collect();
    cx.names.visibility.views = modules.iter().map(|m| views(cx, *m)).collect();
    // Only a module with export sets can hide anything; all others need no look at their types.
    let mut restricted: FxHashMap<ModuleId, Vec<TypeId>> = FxHashMap::default();
    for id in Arena::<TypeId>::ids(&cx.program) {
        let module = cx.program[id].module;
        if cx
            .names
            .scope(module)
            .is_some_and(|s| s.default_export.is_some())
        {
            restricted.entry(module).or_default().push(id);
        }
    }
    let opaque = |from: &ModuleId| {
        let views = cx.names.visibility.views.get(from.0 as usize)?;
        let types = views.keys().filter_map(|m| restricted.get(m)).flatten();
        Some(
            types
                .filter(|t| !cx.reveals_type(*from, **t))
                .map(|t| (*t, known_characteristics(&cx.program[*t])))
                .collect(),
        )
    };
    cx.names.visibility.opaque = modules
        .iter()
        .map(|m| opaque(m).unwrap_or_default())
        .collect();
}

/// The characteristics of a type of which only the name is visible: the declared ones, and that
/// references have equality.
fn known_characteristics(decl: &TypeDecl) -> Characteristics {
    let is_reference = match decl.kind {
        TypeDeclKind::Class | TypeDeclKind::Iterator(_) => true,
        TypeDeclKind::Trait { is_reference } => is_reference,
        TypeDeclKind::Datatype { .. }
        | TypeDeclKind::Newtype(_)
        | TypeDeclKind::Subset(_)
        | TypeDeclKind::Abstract => false,
    };
    Characteristics {
        equality: decl.characteristics.equality || is_reference,
        ..decl.characteristics
    }
}

fn views(cx: &Context, module: ModuleId) -> FxHashMap<ModuleId, Vec<ModuleView>> {
    let mut seen: FxHashMap<ModuleId, Vec<ModuleView>> = FxHashMap::default();
    let mut queue = vec![ModuleView {
        module,
        export: None,
    }];
    while let Some(view) = queue.pop() {
        // A module may be reached through several export sets. What any of them shows is visible.
        let known = seen.entry(view.module).or_default();
        if known.contains(&view) {
            continue;
        }
        known.push(view);
        let Some(scope) = cx.names.scope(view.module) else {
            continue;
        };
        let named = scope.top_levels.iter().map(|(n, e)| (n, *e));
        let opened = scope.opened.iter().map(|(n, v)| (n, Entity::Module(*v)));
        for (name, entity) in named.chain(opened) {
            // An import of an imported module is visible if the export set on the way provides its
            // name.
            if let Entity::Module(next) = entity
                && cx.names.provides(view, name)
            {
                queue.push(next);
            }
        }
    }
    seen
}

impl Context {
    /// The views that a module has of another one. Empty if nothing is hidden: it is the module
    /// itself, or built in.
    fn views_of(&self, from: ModuleId, module: ModuleId) -> &[ModuleView] {
        match self
            .names
            .visibility
            .views
            .get(from.0 as usize)
            .and_then(|v| v.get(&module))
        {
            Some(views) if from != module => views,
            Some(_) | None => &[],
        }
    }

    /// Whether a module may use a member of a type. The member was found by name in the type or an
    /// ancestor, and `owner` declares it.
    pub(super) fn shows_member(
        &self,
        from: ModuleId,
        owner: TypeId,
        name: &str,
        member: Member,
    ) -> bool {
        let decl = &self.program[owner];
        let views = self.views_of(from, decl.module);
        // Constructors and destructors are parts of the definition of a type: who sees it sees
        // them.
        let goes_with_type = match member {
            Member::Ctor(_) | Member::CtorTest(_) => true,
            Member::Field(f) => matches!(self.program[f].kind, FieldKind::Destructor(_)),
            Member::Callable(_) => name == "_ctor",
        };
        // A prefix predicate is as visible as its predicate.
        let name = name.strip_suffix('#').unwrap_or(name);
        let shows = |view: &ModuleView| {
            let Some(set) = view.export.and_then(|e| self.names.export_set(e)) else {
                return true;
            };
            let with_type = goes_with_type || matches!(decl.kind, TypeDeclKind::Iterator(_));
            with_type && set.reveals.contains(&decl.name)
                || set.members.contains(&(decl.name.clone(), name.into()))
        };
        // `import A : M` makes a copy of the abstract module, in which nothing is hidden.
        let is_copy = self
            .names
            .scope(from)
            .is_some_and(|s| s.abstractions.contains(&decl.module));
        is_copy || views.is_empty() || views.iter().any(shows)
    }

    /// Whether the module sees the definition of the type.
    pub(super) fn reveals_type(&self, from: ModuleId, ty: TypeId) -> bool {
        let decl = &self.program[ty];
        self.reveals_name(from, decl.module, &decl.name)
    }

    /// Whether the module sees the definition of a name in another module.
    pub(super) fn reveals_name(&self, from: ModuleId, module: ModuleId, name: &str) -> bool {
        let views = self.views_of(from, module);
        views.is_empty() || views.iter().any(|v| self.names.reveals(*v, name))
    }

    /// Whether the module sees only the names of some types.
    pub(super) fn has_opaque_types(&self, from: ModuleId) -> bool {
        self.names
            .visibility
            .opaque
            .get(from.0 as usize)
            .is_some_and(|types| !types.is_empty())
            || self.synonyms.opaque.hide_from(from)
    }

    /// Runs `act` in the view of a module, and restores the previous view.
    pub(super) fn seen_by<T>(
        &mut self,
        module: Option<ModuleId>,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.look_from(module);
        let result = act(self);
        self.look_from(before);
        result
    }

    /// Activates the view of a module: types of which it sees only the name become abstract, with
    /// their declared characteristics. Returns the previously active module.
    pub(super) fn look_from(&mut self, module: Option<ModuleId>) -> Option<ModuleId> {
        let before = std::mem::replace(&mut self.names.visibility.from, module);
        if before == module {
            return before;
        }
        // Back to the view of the whole program first, so that hidden definitions are never
        // overwritten.
        self.show_all();
        for (ty, kind, characteristics) in std::mem::take(&mut self.names.visibility.behind) {
            let decl = &mut self.program[ty];
            (decl.kind, decl.characteristics) = (kind, characteristics);
        }
        let opaque = module
            .and_then(|m| self.names.visibility.opaque.get(m.0 as usize))
            .into_iter()
            .flatten();
        self.names.visibility.behind = opaque
            .map(|&(ty, declared)| {
                let decl = &mut self.program[ty];
                let kind = std::mem::replace(&mut decl.kind, TypeDeclKind::Abstract);
                (
                    ty,
                    kind,
                    std::mem::replace(&mut decl.characteristics, declared),
                )
            })
            .collect();
        if let Some(module) = module {
            self.hide_from_module(module);
        }
        before
    }
}
