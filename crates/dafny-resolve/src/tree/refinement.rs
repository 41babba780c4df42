//! Refinement in the tree of modules: each refining module becomes a merge with a copy of its base.

use crate::passes::Pass;
use crate::refine;
use dafny_source::Name;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;
use dafny_syntax::ast::ModuleBase;

use super::{NodeId, NodeItem, State, Target, Tree};

impl Tree {
    /// Performs the refinement of a module, after that of the refined one.
    pub(super) fn finish(&mut self, id: NodeId) {
        if self.node(id).state != State::New {
            return;
        }
        self.node_mut(id).state = State::Busy;
        let (base, parent) = (self.node(id).base.clone(), self.node(id).parent);
        // A replacement is a refinement that is used in place of its base.
        if let (Some((ModuleBase::Refines | ModuleBase::Replaces, path)), Some(parent)) =
            (base, parent)
        {
            match self.find(parent, &path) {
                // A cycle, which has been reported.
                Ok(Target { node: base, .. }) if self.node(base).state == State::Busy => {}
                Ok(Target { node: base, .. }) => {
                    let kind = self.node(id).base.as_ref().map(|(kind, _)| *kind);
                    if self.node(base).modifiers.replaceable && kind == Some(ModuleBase::Refines) {
                        let message = "a replaceable module cannot be refined";
                        let d = Diagnostic::error("resolve/replacement", path.span, message);
                        self.findings.push_in(
                            Pass::Refinement,
                            d.with_help("write `replaces` in the place of `refines`"),
                        );
                    }
                    self.finish_all(base);
                    self.refine(id, base);
                }
                Err(error) => self.report_unknown(Pass::Refinement, &path, &error),
            }
        }
        self.node_mut(id).state = State::Done;
    }

    fn finish_all(&mut self, id: NodeId) {
        self.finish(id);
        for child in self.children(id) {
            self.finish_all(child);
        }
    }

    pub(super) fn children(&self, id: NodeId) -> Vec<NodeId> {
        let module = |item: &NodeItem| match item {
            NodeItem::Module(m) => Some(*m),
            NodeItem::Import(..) | NodeItem::Export(_) | NodeItem::Decl(_) => None,
        };
        self.node(id).items.iter().filter_map(module).collect()
    }

    pub(super) fn refine(&mut self, id: NodeId, base: NodeId) {
        self.node_mut(id).source = Some(base);
        // Submodules of the base are copied, unless the refining module declares them itself.
        let own: Vec<Name> = self
            .children(id)
            .iter()
            .map(|c| self.node(*c).name.name.clone())
            .collect();
        let mut inherited = Vec::new();
        let base_name = self.node(base).name.clone();
        self.check_submodules(id, base);
        for item in self.node(base).items.clone() {
            match item {
                NodeItem::Module(m) if own.contains(&self.node(m).name.name) => {}
                NodeItem::Module(m) => inherited.push(NodeItem::Module(self.copy(m, id))),
                NodeItem::Export(mut export) => {
                    // The inherited default set is known by the name of the base.
                    export.name.get_or_insert_with(|| base_name.clone());
                    inherited.push(NodeItem::Export(export));
                }
                item @ (NodeItem::Import(..) | NodeItem::Decl(_)) => inherited.push(item),
            }
        }
        let items = std::mem::take(&mut self.node_mut(id).items);
        refine::refined_types(&base_name.name, &inherited, &items, &mut self.refined_types);
        let merged = refine::merge(inherited, items, &mut self.findings);
        self.node_mut(id).items = merged;
    }

    /// Reports submodules and export sets of a refining module that would replace those of the
    /// base.
    fn check_submodules(&mut self, id: NodeId, base: NodeId) {
        let mut found = Vec::new();
        let base_name = &self.node(base).name;
        let default_export = self
            .node(base)
            .items
            .iter()
            .any(|i| matches!(i, NodeItem::Export(e) if e.name.is_none()));
        for item in &self.node(id).items {
            match item {
                NodeItem::Module(m) => {
                    let name = &self.node(*m).name;
                    let inherited = self.node(base).items.iter().find_map(|i| match i {
                        NodeItem::Module(old) => {
                            Some(&self.node(*old).name).filter(|o| o.name == name.name)
                        }
                        NodeItem::Import(..) | NodeItem::Export(_) | NodeItem::Decl(_) => None,
                    });
                    if let Some(old) = inherited {
                        let message = format!(
                            "to redeclare and refine declaration '{}', you must refine the module that the base declares",
                            name.name
                        );
                        found.push(
                            Diagnostic::error("resolve/refinement", name.span, message)
                                .with_secondary(old.span, "the refined module"),
                        );
                    }
                }
                NodeItem::Export(e) if default_export => {
                    if let Some(name) = e.name.as_ref().filter(|n| n.name == base_name.name) {
                        let message =
                            format!("can't change if a module export is default ({})", name.name);
                        found.push(Diagnostic::error("resolve/refinement", name.span, message));
                    }
                }
                NodeItem::Export(_) | NodeItem::Import(..) | NodeItem::Decl(_) => {}
            }
        }
        self.findings.extend(found);
    }

    pub(super) fn copy(&mut self, id: NodeId, parent: NodeId) -> NodeId {
        let mut node = self.node(id).clone();
        node.parent = Some(parent);
        node.source = Some(id);
        node.base = None;
        node.state = State::Done;
        let copy = self.push(node);
        let items = self.node(id).items.clone();
        let items = items.into_iter().map(|item| match item {
            NodeItem::Module(m) => NodeItem::Module(self.copy(m, copy)),
            item @ (NodeItem::Import(..) | NodeItem::Export(_) | NodeItem::Decl(_)) => item,
        });
        let items = items.collect();
        self.node_mut(copy).items = items;
        copy
    }

    /// Whether an earlier abstract import of the same module has the same target.
    pub(super) fn is_repeated(&self, node: NodeId, import: &ast::Import) -> bool {
        let names = |i: &ast::Import| -> Vec<Name> {
            i.target.segments.iter().map(|s| s.name.clone()).collect()
        };
        let is_same = |item: &NodeItem| match item {
            NodeItem::Import(other, _) => {
                other.is_abstract
                    && other.span.start < import.span.start
                    && names(other) == names(import)
            }
            NodeItem::Module(_) | NodeItem::Export(_) | NodeItem::Decl(_) => false,
        };
        import.is_abstract && self.node(node).items.iter().any(is_same)
    }

    /// Copies a module for an abstract import. Different modules can take the place of two abstract
    /// imports of one module, so that their types differ.
    pub(super) fn separate_copy(&mut self, id: NodeId, import: &ast::Import) -> NodeId {
        let (Some(parent), Some(alias)) = (self.node(id).parent, Self::import_name(import)) else {
            return id;
        };
        let copy = self.copy(id, parent);
        // No identifier contains a space, so that no name of the program denotes the copy.
        let mut name = format!("{} as {}", self.node(id).name.name, alias.name);
        while self.child(parent, &name).is_some() {
            name.push('\'');
        }
        self.node_mut(copy).name.name = Name::from(name);
        self.node_mut(parent).items.push(NodeItem::Module(copy));
        copy
    }

    /// Redirects a target inside the copied original to the corresponding module of the copy. Names
    /// are resolved where they are written, so a name in copied text first finds the original.
    pub(super) fn redirect(&self, node: NodeId, target: NodeId) -> NodeId {
        let mut at = Some(node);
        while let Some(here) = at {
            let mut source = self.node(here).source;
            while let Some(base) = source {
                // The target is inside a module that `here` was copied from: follow the same path
                // in `here`.
                if let Some(path) = self.path_below(base, target) {
                    let followed = path.iter().try_fold(here, |n, name| self.child(n, name));
                    if let Some(found) = followed.filter(|_| !path.is_empty()) {
                        return found;
                    }
                }
                source = self.node(base).source;
            }
            at = self.node(here).parent;
        }
        target
    }

    fn path_below(&self, root: NodeId, mut node: NodeId) -> Option<Vec<Name>> {
        let mut path = Vec::new();
        while node != root {
            path.push(self.node(node).name.name.clone());
            node = self.node(node).parent?;
        }
        path.reverse();
        Some(path)
    }
}
