//! Export sets, and the imports that use them.

use rustc_hash::FxHashSet;

use crate::typed::ModuleId;
use dafny_source::{Name, Span};
use dafny_syntax::ast;

use super::context::{Entity, ExportSet, ExportSetId, ModuleView};
use super::declare::Declarer;
use super::export_views::{ExportSite, export_place};
use super::exportable::{ExportKind, Exportable};
use super::index::Definition;
use super::passes::Pass;
use super::spelling;
use super::tree::{NodeId, NodeItem, Tree};

impl Declarer<'_> {
    /// Builds the export sets of all modules.
    pub(super) fn export_sets(&mut self) {
        for node in 0..self.tree.nodes.len() {
            let Some(module) = self.module_of(node) else {
                continue;
            };
            let items = &self.tree.node(node).items;
            let exports: Vec<ast::Export> = items.iter().filter_map(export_item).collect();
            if exports.is_empty() {
                continue;
            }
            // Names are compared as written: export sets are built before types are resolved.
            let all: Vec<Exportable> = items.iter().filter_map(|i| self.exportable(i)).collect();
            let own_name = self.tree.node(node).name.name.clone();
            if exports.iter().any(|e| e.name.is_none())
                && exports
                    .iter()
                    .any(|e| e.name.as_ref().is_some_and(|n| n.name == own_name))
            {
                let message = format!("more than one default export set in module {own_name}");
                let d = dafny_source::diagnostic::Diagnostic::error(
                    "resolve/duplicate",
                    self.tree.node(node).name.span,
                    message,
                );
                self.cx
                    .diagnostics
                    .push(d.with_help(format!("an export set named `{own_name}` is the default export set, like one without a name")));
            }
            let name_of = |e: &ast::Export| {
                e.name
                    .as_ref()
                    .map_or_else(|| own_name.clone(), |n| n.name.clone())
            };
            self.cyclic_exports(&exports, &name_of);
            // Each set is complete by itself, with the sets that it extends copied into it.
            let mut done: Vec<(Name, ExportSet)> = Vec::new();
            let mut texts: Vec<&ast::Export> = Vec::new();
            for export in &exports {
                let name = name_of(export);
                if done.iter().any(|(n, _)| *n == name) {
                    self.cx.error(
                        "resolve/duplicate",
                        export.span,
                        format!("duplicate name of export set: {name}"),
                    );
                    continue;
                }
                let mut set = ExportSet::default();
                self.collect(
                    export,
                    &exports,
                    &name_of,
                    &all,
                    &mut vec![name.clone()],
                    &mut set,
                );
                done.push((name, set));
                texts.push(export);
            }
            // A refining module inherits the default set under the name of the refined module.
            let mut default = None;
            let mut at = Some(node);
            while let (Some(here), None) = (at, default) {
                let wanted = self.tree.node(here).name.name.clone();
                default = done.iter().position(|(n, _)| *n == wanted);
                at = self.tree.node(here).source;
            }
            // The sets of a module have consecutive ids.
            let first = self.cx.names.export_sets.len() as u32;
            let mut ids = Vec::new();
            for (i, (name, set)) in done.into_iter().enumerate() {
                self.cx.names.export_sets.push(set);
                ids.push((name, ExportSetId(first + i as u32)));
            }
            for ((name, set), text) in ids.iter().cloned().zip(texts) {
                self.cx.names.export_sites.push(ExportSite {
                    node,
                    module,
                    set,
                    name,
                    text: text.clone(),
                });
            }
            let default = match default {
                Some(i) => ExportSetId(first + i as u32),
                None => {
                    // No default set: nothing is visible unless an import names an export set.
                    self.cx.names.export_sets.push(ExportSet::default());
                    ExportSetId(self.cx.names.export_sets.len() as u32 - 1)
                }
            };
            if let Some(scope) = self.scope_mut(module) {
                scope.exports = ids.into_iter().collect();
                scope.default_export = Some(default);
            }
        }
    }

    /// Reports cycles of export sets that extend each other, each at its first set.
    fn cyclic_exports(&mut self, exports: &[ast::Export], name_of: &dyn Fn(&ast::Export) -> Name) {
        let names: Vec<Name> = exports.iter().map(name_of).collect();
        let index = |name: &Name| names.iter().position(|n| n == name);
        let mut reported: FxHashSet<usize> = FxHashSet::default();
        for start in 0..exports.len() {
            // The sets on the way, each with the set from which it was reached, to reconstruct the
            // cycle.
            let mut from: Vec<(usize, usize)> = vec![(start, start)];
            // A breadth-first search for the way back, so that the shortest cycle is reported.
            let mut next = 0;
            let mut back = None;
            while let (Some((at, _)), None) = (from.get(next).copied(), back) {
                next += 1;
                for extended in exports
                    .get(at)
                    .into_iter()
                    .flat_map(|e| &e.extends)
                    .filter_map(|e| index(&e.name))
                {
                    if extended == start {
                        back = Some(at);
                    } else if !from.iter().any(|(seen, _)| *seen == extended) {
                        from.push((extended, at));
                    }
                }
            }
            // Follow the way back to its start.
            let mut cycle = Vec::new();
            while let Some(at) = back {
                cycle.insert(0, at);
                back = from
                    .iter()
                    .find(|(seen, _)| *seen == at)
                    .map(|(_, before)| *before)
                    .filter(|_| at != start);
            }
            let is_new = cycle.iter().all(|at| !reported.contains(at));
            reported.extend(&cycle);
            if let (Some(export), false, true) = (exports.get(start), cycle.is_empty(), is_new) {
                let path = cycle
                    .iter()
                    .chain([&start])
                    .filter_map(|at| names.get(*at))
                    .map(|n| &**n)
                    .collect::<Vec<_>>();
                let message = format!("cyclic extension of export sets: {}", path.join(" -> "));
                self.cx
                    .error("resolve/cyclic-export", export_place(export), message);
            }
        }
    }

    /// The declaration of an item, as an export set can name it.
    fn exportable(&self, item: &NodeItem) -> Option<Exportable> {
        let module = |name: Name| Exportable {
            name,
            revealable: false,
            kind: ExportKind::Other,
        };
        match item {
            NodeItem::Module(m) => Some(module(self.tree.node(*m).name.name.clone())),
            NodeItem::Import(import, _) => {
                Tree::import_name(import).map(|n| module(n.name.clone()))
            }
            NodeItem::Export(_) => None,
            NodeItem::Decl(decl) => Exportable::of(decl),
        }
    }

    fn collect(
        &mut self,
        export: &ast::Export,
        exports: &[ast::Export],
        name_of: &dyn Fn(&ast::Export) -> Name,
        all: &[Exportable],
        path: &mut Vec<Name>,
        set: &mut ExportSet,
    ) {
        for (ids, reveal) in [(&export.provides, false), (&export.reveals, true)] {
            for id in ids {
                match &id.prefix {
                    Some(prefix) => self.collect_member(prefix, &id.name, reveal, all, set),
                    None => self.collect_name(&id.name, reveal, all, set),
                }
            }
        }
        if export.provides_all || export.reveals_all {
            // A type that was revealed by its name shows its fields and constructors under
            // `provides *`.
            let explicit = set.reveals.clone();
            all.iter().for_each(|item| {
                item.export(export.reveals_all, explicit.contains(&item.name), set)
            });
        }
        for extended in &export.extends {
            // A cycle, which is reported at its start.
            if path.contains(&extended.name) {
                continue;
            }
            match exports.iter().find(|e| name_of(e) == extended.name) {
                Some(other) => {
                    path.push(extended.name.clone());
                    self.collect(other, exports, name_of, all, path, set);
                    path.pop();
                }
                None => self.cx.error(
                    "resolve/unknown-export",
                    extended.span,
                    format!("{} must be an export set of this module", extended.name),
                ),
            }
        }
    }

    fn collect_name(
        &mut self,
        name: &ast::Ident,
        reveal: bool,
        all: &[Exportable],
        set: &mut ExportSet,
    ) {
        let Some(item) = all.iter().find(|item| item.name == name.name) else {
            let message = format!(
                "'{}' must be a member of the module to be exported",
                name.name
            );
            return self.unknown_export(name, message, all.iter().map(|i| &i.name));
        };
        if reveal && !item.revealable {
            return self.cannot_reveal(name);
        }
        set.provides.insert(name.name.clone());
        if reveal {
            set.reveals.insert(name.name.clone());
        }
    }

    fn collect_member(
        &mut self,
        prefix: &ast::Ident,
        name: &ast::Ident,
        reveal: bool,
        all: &[Exportable],
        set: &mut ExportSet,
    ) {
        let is_type = |item: &&Exportable| {
            item.name == prefix.name && !matches!(item.kind, ExportKind::Member)
        };
        let Some(item) = all.iter().find(is_type) else {
            let message = format!("'{}' is not a type of the module", prefix.name);
            return self.unknown_export(prefix, message, all.iter().map(|i| &i.name));
        };
        let members = match &item.kind {
            ExportKind::Type { members, .. } => members,
            ExportKind::Member | ExportKind::Other => {
                let message = format!("'{}' is not a type that declares members", prefix.name);
                return self.unknown_export(prefix, message, std::iter::empty());
            }
            // Members of an iterator are generated.
            ExportKind::Iterator => &Vec::new(),
        };
        let found = members.iter().find(|m| m.name == name.name);
        if found.is_none() && !matches!(item.kind, ExportKind::Iterator) {
            let message = format!("'{}' is not a member of type '{}'", name.name, prefix.name);
            return self.unknown_export(name, message, members.iter().map(|m| &m.name));
        }
        if reveal && found.is_some_and(|m| !m.revealable) {
            return self.cannot_reveal(name);
        }
        let key = (prefix.name.clone(), name.name.clone());
        set.members.insert(key.clone());
        if reveal {
            set.revealed_members.insert(key);
        }
    }

    fn unknown_export<'a>(
        &mut self,
        name: &ast::Ident,
        message: String,
        names: impl Iterator<Item = &'a Name>,
    ) {
        let d = dafny_source::diagnostic::Diagnostic::error(
            "resolve/unknown-export",
            name.span,
            message,
        );
        self.cx
            .diagnostics
            .push(match spelling::closest(&name.name, names) {
                Some(close) => d.with_help(format!("did you mean `{close}`?")),
                None => d,
            });
    }

    fn cannot_reveal(&mut self, name: &ast::Ident) {
        let message = format!(
            "'{}' has no definition that an export set could reveal",
            name.name
        );
        let d = dafny_source::diagnostic::Diagnostic::error(
            "resolve/not-revealable",
            name.span,
            message,
        );
        self.cx.diagnostics.push(d.with_help(
            "only types, functions and constants can be revealed; list it under `provides`",
        ));
    }

    /// Reports imports whose path passes through a module that the enclosing module's default
    /// export set does not provide. Runs while modules are still found by name.
    pub(super) fn paths_of_imports(&mut self) {
        let nodes = (0..self.tree.nodes.len()).filter(|n| self.module_of(*n).is_some());
        let imports = nodes.flat_map(|node| {
            self.tree
                .imports_of(node)
                .into_iter()
                .map(move |(import, origin)| (node, import, origin))
        });
        let long: Vec<_> = imports
            .filter(|(_, import, _)| import.target.segments.len() > 1)
            .collect();
        let mut hidden = Vec::new();
        for (node, import, origin) in long {
            if let Some(k) = self.hidden_on_the_way(origin, &import) {
                hidden.push((node, import, k));
            }
        }
        for (node, import, k) in hidden {
            let Some(segment) = import.target.segments.get(k) else {
                continue;
            };
            let message = format!(
                "the module `{}` is not exported by its enclosing module",
                segment.name
            );
            let d = dafny_source::diagnostic::Diagnostic::error(
                "resolve/not-exported",
                segment.span,
                message,
            );
            self.cx.diagnostics.push_in(
                Pass::Imports,
                d.with_help("list it under `provides` in the default export set of that module"),
            );
            self.tree.give_up(node, &import);
        }
    }

    /// The index of the first path segment that the preceding module does not provide.
    fn hidden_on_the_way(&mut self, origin: NodeId, import: &ast::Import) -> Option<usize> {
        (1..import.target.segments.len()).find(|&k| {
            let (Some(before), Some(segment)) = (
                self.tree.prefix_target(origin, &import.target, k),
                import.target.segments.get(k),
            ) else {
                return false;
            };
            let Some(module) = self
                .module_of(before.node)
                .filter(|_| before.exports.is_empty())
            else {
                return false;
            };
            !self
                .cx
                .names
                .provides(self.cx.names.default_view(module), &segment.name)
        })
    }

    /// Enters the imports into scopes.
    pub(super) fn imports(&mut self) {
        for (node, import, origin) in std::mem::take(&mut self.imports) {
            if let Some(module) = self.module_of(node) {
                self.import(node, module, &import, origin);
            }
        }
    }

    fn import(&mut self, node: NodeId, module: ModuleId, import: &ast::Import, origin: NodeId) {
        let Some(name) = Tree::import_name(import).cloned() else {
            return;
        };
        let Some(found) = self.tree.import_target(node, import, origin) else {
            if let Some(scope) = self.scope_mut(module) {
                scope.broken.insert(name.name);
                scope.broken_opened |= import.opened;
            }
            return;
        };
        let Some(target) = self.module_of(found.node) else {
            return;
        };
        self.note_import(import, origin, target);
        let view = self.view(target, &found.exports, import.span);
        if import.is_abstract
            && let Some(scope) = self.scope_mut(module)
        {
            scope.abstractions.insert(target);
        }
        if !import.is_abstract && !self.tree.node(node).modifiers.replaceable {
            let at = import
                .target
                .segments
                .first()
                .map_or(import.span, |s| s.span);
            self.cx.report_abstract(Pass::Signatures, module, view, at);
        }
        let same = self
            .cx
            .names
            .scope(module)
            .and_then(|s| s.top_levels.get(&name.name))
            .copied();
        // `import opened M` beside a nested module `M` declares no second name.
        let is_redundant =
            matches!(same, Some(Entity::Module(v)) if v.module == target && import.opened);
        if !is_redundant && !self.top_level(module, &name, Entity::Module(view)) {
            return;
        }
        if import.opened
            && let Some(scope) = self.scope_mut(module)
        {
            scope.opened.push((name.name.clone(), view));
        }
    }

    /// Records the references of an import's path and local name.
    fn note_import(&mut self, import: &ast::Import, origin: NodeId, target: ModuleId) {
        let last = import.target.segments.len().saturating_sub(1);
        for (i, segment) in import.target.segments.iter().enumerate() {
            let on_the_way =
                (i < last).then(|| self.tree.prefix_target(origin, &import.target, i + 1));
            let module = match on_the_way {
                None => Some(target),
                Some(found) => found.and_then(|t| self.module_of(t.node)),
            };
            if let Some(module) = module {
                self.cx.notes.note(segment.span, Definition::Module(module));
            }
        }
        if let Some(alias) = &import.alias {
            self.cx.notes.note(alias.span, Definition::Module(target));
        }
    }

    fn view(&mut self, module: ModuleId, exports: &[ast::Ident], span: Span) -> ModuleView {
        if exports.is_empty() {
            let scope = self.cx.names.scope(module);
            let hidden = scope.is_some_and(|s| {
                s.default_export
                    .is_some_and(|d| !s.exports.values().any(|e| *e == d))
            });
            // A view imports modules nested in its own module, whatever they export.
            if hidden && !self.cx.names.in_views {
                let name = self.cx.program.module_path(module).join(".");
                self.cx.error(
                    "resolve/no-default-export",
                    span,
                    format!("no default export set declared in module: {name}"),
                );
            }
            return self.cx.names.default_view(module);
        }
        let mut union = ExportSet::default();
        let mut only = None;
        for export in exports {
            let own_name = self.cx.program[module].name.clone();
            let scope = self.cx.names.scope(module);
            let id = scope.and_then(|s| s.exports.get(&export.name)).copied();
            match id {
                Some(id) => {
                    only = Some(id);
                    if let Some(set) = self.cx.names.export_set(id) {
                        union.provides.extend(set.provides.iter().cloned());
                        union.reveals.extend(set.reveals.iter().cloned());
                        union.members.extend(set.members.iter().cloned());
                        union
                            .revealed_members
                            .extend(set.revealed_members.iter().cloned());
                    }
                }
                None => {
                    let close =
                        scope.and_then(|s| spelling::closest(&export.name, s.exports.keys()));
                    let mut d = dafny_source::diagnostic::Diagnostic::error(
                        "resolve/unknown-export",
                        export.span,
                        format!("no export set '{}' in module '{own_name}'", export.name),
                    );
                    if let Some(close) = close {
                        d = d.with_help(format!("did you mean `{close}`?"));
                    }
                    self.cx.diagnostics.push(d);
                }
            }
        }
        if let (Some(id), 1) = (only, exports.len()) {
            return ModuleView {
                module,
                export: Some(id),
            };
        }
        self.cx.names.export_sets.push(union);
        ModuleView {
            module,
            export: Some(ExportSetId(self.cx.names.export_sets.len() as u32 - 1)),
        }
    }
}

fn export_item(item: &NodeItem) -> Option<ast::Export> {
    match item {
        NodeItem::Export(export) => Some(export.clone()),
        NodeItem::Module(_) | NodeItem::Import(..) | NodeItem::Decl(_) => None,
    }
}
