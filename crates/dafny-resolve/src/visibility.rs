//! What a module may use of others: what the export sets show through which it sees them (reference manual, "Export Sets and
//! Access Control").
//!
//! A module sees another through all its imports at once: through its own, and through those that an import shows in turn.
//! A name is looked up in one view ([`Context::lookup_in`]); what a value of an imported type offers is the union of all.

use rustc_hash::FxHashMap;

use crate::typed::{Arena, Characteristics, FieldKind, ModuleId, TypeDeclKind, TypeId};

use super::context::{Context, Entity, Member, ModuleView};

/// Who sees what, and from where the program is looked at.
#[derive(Debug, Default)]
pub(super) struct Visibility {
    /// The views that each module has of others, parallel to [`crate::typed::Program::modules`].
    views: Vec<FxHashMap<ModuleId, Vec<ModuleView>>>,
    /// The types of which each module sees the name only, with what they are declared to have; parallel too.
    opaque: Vec<Vec<(TypeId, Characteristics)>>,
    /// The module that the program is looked at from; none sees all.
    from: Option<ModuleId>,
    /// What stands behind the types that are opaque from there.
    behind: Vec<(TypeId, TypeDeclKind, Characteristics)>,
}

/// Settles who sees what, once all imports are known.
pub(super) fn settle(cx: &mut Context) {
    let modules: Vec<ModuleId> = (0..cx.scopes.len()).map(|m| ModuleId(m as u32)).collect();
    cx.visibility.views = modules.iter().map(|m| views(cx, *m)).collect();
    let mut restricted: FxHashMap<ModuleId, Vec<TypeId>> = FxHashMap::default();
    for id in Arena::<TypeId>::ids(&cx.program) {
        let module = cx.program[id].module;
        if cx.scope(module).is_some_and(|s| s.default_export.is_some()) {
            restricted.entry(module).or_default().push(id);
        }
    }
    let opaque = |from: &ModuleId| {
        let views = cx.visibility.views.get(from.0 as usize)?;
        let types = views.keys().filter_map(|m| restricted.get(m)).flatten();
        Some(
            types
                .filter(|t| !cx.reveals_type(*from, **t))
                .map(|t| (*t, cx.program[*t].characteristics))
                .collect(),
        )
    };
    cx.visibility.opaque = modules
        .iter()
        .map(|m| opaque(m).unwrap_or_default())
        .collect();
}

fn views(cx: &Context, module: ModuleId) -> FxHashMap<ModuleId, Vec<ModuleView>> {
    let mut seen: FxHashMap<ModuleId, Vec<ModuleView>> = FxHashMap::default();
    let mut queue = vec![ModuleView {
        module,
        export: None,
    }];
    while let Some(view) = queue.pop() {
        let known = seen.entry(view.module).or_default();
        if known.contains(&view) {
            continue;
        }
        known.push(view);
        let Some(scope) = cx.scope(view.module) else {
            continue;
        };
        let named = scope.top_levels.iter().map(|(n, e)| (n, *e));
        let opened = scope.opened.iter().map(|(n, v)| (n, Entity::Module(*v)));
        for (name, entity) in named.chain(opened) {
            if let Entity::Module(next) = entity
                && cx.provides(view, name)
            {
                queue.push(next);
            }
        }
    }
    seen
}

impl Context {
    /// The views that a module has of another. None: nothing hides it (it is the module itself, or built in).
    fn views_of(&self, from: ModuleId, module: ModuleId) -> &[ModuleView] {
        match self
            .visibility
            .views
            .get(from.0 as usize)
            .and_then(|v| v.get(&module))
        {
            Some(views) if from != module => views,
            Some(_) | None => &[],
        }
    }

    /// Whether a module may use a member of a type, found by that name in the type or an ancestor: `owner` declares it.
    pub(super) fn shows_member(
        &self,
        from: ModuleId,
        owner: TypeId,
        name: &str,
        member: Member,
    ) -> bool {
        let decl = &self.program[owner];
        let views = self.views_of(from, decl.module);
        let goes_with_type = match member {
            Member::Ctor(_) | Member::CtorTest(_) => true,
            Member::Field(f) => matches!(self.program[f].kind, FieldKind::Destructor(_)),
            Member::Callable(_) => name == "_ctor",
        };
        // A prefix predicate is seen with its predicate.
        let name = name.strip_suffix('#').unwrap_or(name);
        let shows = |view: &ModuleView| {
            let Some(set) = view.export.and_then(|e| self.export_sets.get(e.0 as usize)) else {
                return true;
            };
            let with_type = goes_with_type || matches!(decl.kind, TypeDeclKind::Iterator(_));
            with_type && set.reveals.contains(&decl.name)
                || set.members.contains(&(decl.name.clone(), name.into()))
        };
        let is_copy = self
            .scope(from)
            .is_some_and(|s| s.abstractions.contains(&decl.module));
        is_copy || views.is_empty() || views.iter().any(shows)
    }

    /// Whether a module sees what stands behind the name of a type.
    pub(super) fn reveals_type(&self, from: ModuleId, ty: TypeId) -> bool {
        let decl = &self.program[ty];
        self.reveals_name(from, decl.module, &decl.name)
    }

    /// Whether a module sees what stands behind a name of a module, if anything of it.
    pub(super) fn reveals_name(&self, from: ModuleId, module: ModuleId, name: &str) -> bool {
        let views = self.views_of(from, module);
        views.is_empty() || views.iter().any(|v| self.reveals(*v, name))
    }

    /// Whether a module sees some type by its name only.
    pub(super) fn has_opaque_types(&self, from: ModuleId) -> bool {
        self.visibility
            .opaque
            .get(from.0 as usize)
            .is_some_and(|types| !types.is_empty())
            || self.opaque_synonyms.hide_from(from)
    }

    /// Looks at the program as a module sees it: types of which it sees the name only are abstract, and have what is written
    /// behind their names. Gives back from where it was looked at before.
    pub(super) fn look_from(&mut self, module: Option<ModuleId>) -> Option<ModuleId> {
        let before = std::mem::replace(&mut self.visibility.from, module);
        if before == module {
            return before;
        }
        self.show_all();
        for (ty, kind, characteristics) in std::mem::take(&mut self.visibility.behind) {
            let decl = &mut self.program[ty];
            (decl.kind, decl.characteristics) = (kind, characteristics);
        }
        let opaque = module
            .and_then(|m| self.visibility.opaque.get(m.0 as usize))
            .into_iter()
            .flatten();
        self.visibility.behind = opaque
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
