//! What a module may use of others: what the export sets show through which it sees them (reference manual, "Export Sets and
//! Access Control").
//!
//! A module sees another through all its imports at once: through its own, and through those that an import shows in turn.
//! A name is looked up in one view ([`Context::lookup_in`]); what a value of an imported type offers is the union of all.

use rustc_hash::FxHashMap;

use crate::typed::{FieldKind, ModuleId, TypeDeclKind, TypeId};

use super::context::{Context, Entity, Member, ModuleView};

/// The views that each module has of others, parallel to [`crate::typed::Program::modules`].
#[derive(Debug, Default)]
pub(super) struct Visibility(Vec<FxHashMap<ModuleId, Vec<ModuleView>>>);

/// Settles who sees what, once all imports are known.
pub(super) fn settle(cx: &mut Context) {
    let modules: Vec<ModuleId> = (0..cx.scopes.len()).map(|m| ModuleId(m as u32)).collect();
    cx.visibility = Visibility(modules.into_iter().map(|m| views(cx, m)).collect());
}

fn views(cx: &Context, module: ModuleId) -> FxHashMap<ModuleId, Vec<ModuleView>> {
    let mut seen: FxHashMap<ModuleId, Vec<ModuleView>> = FxHashMap::default();
    let mut queue = vec![ModuleView { module, export: None }];
    while let Some(view) = queue.pop() {
        let known = seen.entry(view.module).or_default();
        if known.contains(&view) {
            continue;
        }
        known.push(view);
        let Some(scope) = cx.scope(view.module) else { continue };
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
        match self.visibility.0.get(from.0 as usize).and_then(|v| v.get(&module)) {
            Some(views) if from != module => views,
            Some(_) | None => &[],
        }
    }

    /// Whether a module may use a member of a type, found by that name in the type or an ancestor: `owner` declares it.
    pub(super) fn shows_member(&self, from: ModuleId, owner: TypeId, name: &str, member: Member) -> bool {
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
            let Some(set) = view.export.and_then(|e| self.export_sets.get(e.0 as usize)) else { return true };
            let with_type = goes_with_type || matches!(decl.kind, TypeDeclKind::Iterator(_));
            with_type && set.reveals.contains(&decl.name) || set.members.contains(&(decl.name.clone(), name.into()))
        };
        views.is_empty() || views.iter().any(shows)
    }
}
