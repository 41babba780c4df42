//! The tree of all modules, built from the files before any id is assigned: nesting, prefix-named
//! modules, targets of imports, and refinement as a merge of declarations.
//!
//! Module names are resolved as in the reference manual, "Module Id Context Name Resolution":
//! nested and imported modules first, then those of each enclosing module, from the inside out.
//! [`Tree::build`] is the entry point. The hard part is that `opened` imports and refinement may
//! bring in names on which other imports depend, so that targets are resolved on demand
//! ([`Tree::import_target`]).

mod refinement;

use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast;
use dafny_syntax::ast::{Ident, ModuleBase, QualifiedName, TopDecl};
use rustc_hash::{FxHashMap, FxHashSet};

use super::dependencies::Dependencies;
use super::passes::{Findings, Pass};
use super::{refine, spelling};

/// Index of a module in [`Tree::nodes`].
pub(super) type NodeId = usize;

/// All modules. The first one is the default module.
#[derive(Clone, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) findings: Findings,
    pub(super) dependencies: Dependencies,
    /// See [`TypeFacts::refined`](super::context::Context).
    pub(super) refined_types: Vec<refine::RefinedType>,
    targets: FxHashMap<(NodeId, u32), Option<Target>>,
    resolving: Vec<(NodeId, u32)>,
    /// Imports that failed to resolve while resolving the current one. They are not retried,
    /// because that would try every order of opened imports.
    failed: FxHashSet<(NodeId, u32)>,
}

/// A module in the tree.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) name: Ident,
    pub(super) parent: Option<NodeId>,
    pub(super) modifiers: ast::Modifiers,
    /// Whether the module exists only as a prefix of other names: there is a `module A.B`, but no
    /// `module A`.
    pub(super) is_implicit: bool,
    /// The span of the whole declaration.
    pub(super) extent: Span,
    pub(super) items: Vec<NodeItem>,
    pub(super) base: Option<(ModuleBase, QualifiedName)>,
    /// The module that this one refines or was copied from.
    pub(super) source: Option<NodeId>,
    /// The module that `replaces` this one.
    pub(super) replaced_by: Option<NodeId>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Busy,
    Done,
}

/// The target of a module name.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) node: NodeId,
    /// The export sets through which an alias on the path sees the module. Empty: the default
    /// export set.
    pub(super) exports: Vec<Ident>,
}

/// An item of a module, in source order.
#[derive(Clone)]
pub(super) enum NodeItem {
    Module(NodeId),
    /// An import, with the module whose text contains it.
    Import(ast::Import, NodeId),
    /// An export set. An inherited set without a name has the name of the refined module.
    Export(ast::Export),
    /// Any other declaration, never a module, import or export set.
    Decl(Box<TopDecl>),
}

impl Tree {
    /// Builds the tree of all files, including refinement.
    pub(super) fn build(files: Vec<ast::File>) -> Self {
        let mut tree = Tree::default();
        let span = files.first().map_or(Span::default(), |f| f.span);
        let root = Node::new(
            Ident {
                name: Name::from(""),
                span,
            },
            None,
            ast::Modifiers::default(),
            None,
        );
        tree.nodes.push(root);
        let mut prefixed = Vec::new();
        for file in files {
            tree.add_items(0, file.decls, &mut prefixed);
        }
        // Sort shorter prefixes first, so that `A.B` exists before `A.B.C` needs it.
        prefixed.sort_by_key(|(_, m)| m.name.segments.len());
        let mut next = prefixed;
        while !next.is_empty() {
            let mut inner = Vec::new();
            for (parent, module) in next {
                tree.add_prefixed(parent, module, &mut inner);
            }
            next = inner;
        }
        let mut findings = std::mem::take(&mut tree.findings);
        // Dependencies are those of the written modules, so they are built before refinement copies
        // declarations.
        tree.dependencies = Dependencies::build(&tree, &mut findings);
        tree.findings = findings;
        tree.findings.enter(Pass::Refinement);
        tree.mark_replacements();
        for node in 0..tree.nodes.len() {
            tree.finish(node);
        }
        tree.find_targets();
        tree
    }

    /// The node with the id. An invalid id returns the default module.
    #[allow(clippy::indexing_slicing)] // ids are made by `push` only, and the root is there from the start
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.min(self.nodes.len() - 1)]
    }

    #[allow(clippy::indexing_slicing)]
    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        let last = self.nodes.len() - 1;
        &mut self.nodes[id.min(last)]
    }

    /// The module that an import of `node` denotes. Reports an unknown module once and returns
    /// `None`.
    pub(super) fn import_target(
        &mut self,
        node: NodeId,
        import: &ast::Import,
        origin: NodeId,
    ) -> Option<Target> {
        let key = (node, import.span.start);
        if let Some(known) = self.targets.get(&key) {
            return known.clone();
        }
        if self.resolving.contains(&key)
            || (!self.resolving.is_empty() && self.failed.contains(&key))
        {
            return None;
        }
        self.resolving.push(key);
        let found = self.find(origin, &import.target);
        self.resolving.pop();
        // A failed import is forgotten when another one succeeds or the outermost request ends: it
        // may then resolve.
        if found.is_ok() || self.resolving.is_empty() {
            self.failed.clear();
        } else {
            self.failed.insert(key);
        }
        let target = match found {
            Ok(target) => {
                let meant = self.redirect(node, target.node);
                let meant = if self.is_repeated(node, import) {
                    self.separate_copy(meant, import)
                } else {
                    meant
                };
                let exports = if import.exports.is_empty() {
                    target.exports
                } else {
                    import.exports.clone()
                };
                Some(Target {
                    node: self.replacement(meant),
                    exports,
                })
            }
            Err(error) => {
                if !self.resolving.is_empty() {
                    return None;
                }
                self.report_unknown(Pass::Imports, &import.target, &error);
                None
            }
        };
        if self.resolving.is_empty() || target.is_some() {
            self.targets.insert(key, target.clone());
        }
        target
    }

    /// The imports of a module, each with the module whose text contains it.
    pub(super) fn imports_of(&self, node: NodeId) -> Vec<(ast::Import, NodeId)> {
        self.node(node)
            .items
            .iter()
            .filter_map(import_item)
            .collect()
    }

    /// The target of the first segments of a path.
    pub(super) fn prefix_target(
        &mut self,
        from: NodeId,
        path: &QualifiedName,
        segments: usize,
    ) -> Option<Target> {
        let segments = path.segments.iter().take(segments).cloned().collect();
        self.find(
            from,
            &QualifiedName {
                segments,
                span: path.span,
            },
        )
        .ok()
    }

    /// Removes the target of an import, after an error.
    pub(super) fn give_up(&mut self, node: NodeId, import: &ast::Import) {
        self.targets.insert((node, import.span.start), None);
    }

    /// Takes the items out of a module. Afterwards modules are no longer found by name, but the
    /// targets of imports stay known.
    pub(super) fn take_items(&mut self, id: NodeId) -> Vec<NodeItem> {
        std::mem::take(&mut self.node_mut(id).items)
    }

    /// The module that is compiled instead of this one: itself, or the module that replaces it.
    pub(super) fn replacement(&self, node: NodeId) -> NodeId {
        let mut at = node;
        for _ in 0..self.nodes.len() {
            match self.node(at).replaced_by {
                Some(by) => at = by,
                None => return at,
            }
        }
        node
    }

    /// Copies the tree with empty method bodies and without findings.
    pub(super) fn without_method_bodies(&mut self) -> Self {
        // Bodies are most of a program. They are swapped out for the copy. The copies are empty and
        // not missing, because a method without a body would have to be implemented.
        let empty = |body: &ast::Block| ast::Block {
            stmts: Vec::new(),
            divided_at: None,
            division: None,
            span: body.span,
        };
        let bodies: Vec<_> = self
            .methods()
            .map(|m| {
                let nothing = m.body.as_ref().map(empty);
                std::mem::replace(&mut m.body, nothing)
            })
            .collect();
        let copy = Self {
            findings: Findings::default(),
            ..self.clone()
        };
        self.methods()
            .zip(bodies)
            .for_each(|(m, body)| m.body = body);
        copy
    }

    fn methods(&mut self) -> impl Iterator<Item = &mut ast::MethodDecl> {
        let items = self.nodes.iter_mut().flat_map(|n| &mut n.items);
        let members = items.filter_map(|item| {
            if let NodeItem::Decl(decl) = item {
                Some(members_of(decl))
            } else {
                None
            }
        });
        members.flatten().filter_map(|m| {
            if let ast::Member::Method(m) = m {
                Some(m)
            } else {
                None
            }
        })
    }

    /// Copies the tree, keeping the contents only of the given modules, and of those that they
    /// import or contain.
    pub(super) fn reduced_to(&self, modules: Vec<NodeId>) -> Self {
        let mut needed: FxHashSet<NodeId> = FxHashSet::default();
        let mut queue = modules;
        while let Some(node) = queue.pop() {
            if needed.insert(node) {
                queue.extend(self.children(node));
                queue.extend(
                    self.imports_of(node)
                        .iter()
                        .filter_map(|(import, _)| self.known_target(node, import))
                        .map(|t| t.node),
                );
            }
        }
        let nodes = self.nodes.iter().enumerate();
        let nodes = nodes.map(|(id, node)| {
            if needed.contains(&id) {
                node.clone()
            } else {
                node.without_declarations()
            }
        });
        Self {
            nodes: nodes.collect(),
            dependencies: self.dependencies.clone(),
            targets: self.targets.clone(),
            findings: Findings::default(),
            refined_types: Vec::new(),
            resolving: Vec::new(),
            failed: FxHashSet::default(),
        }
    }

    /// The target of an import of a module, after [`Tree::build`].
    pub(super) fn known_target(&self, node: NodeId, import: &ast::Import) -> Option<Target> {
        self.targets
            .get(&(node, import.span.start))
            .cloned()
            .flatten()
    }

    /// The other modules whose texts may contain declarations of a module: those that it refines or
    /// was copied from.
    pub(super) fn sources(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut at = self.node(node).source.filter(|n| !found.contains(n));
        while let Some(here) = at {
            found.push(here);
            at = self.node(here).source.filter(|n| !found.contains(n));
        }
        found
    }

    /// Adds a sibling of `node` with other items. `targets` are the targets of its imports, by the
    /// position of the import in the text.
    pub(super) fn add_view(
        &mut self,
        node: NodeId,
        name: Name,
        items: Vec<NodeItem>,
        targets: Vec<(u32, Option<Target>)>,
    ) {
        let original = self.node(node).clone();
        let Some(parent) = original.parent else {
            return;
        };
        let name = Ident {
            name,
            span: original.name.span,
        };
        let view = self.push(Node {
            name,
            items,
            base: None,
            source: None,
            replaced_by: None,
            ..original
        });
        self.targets.extend(
            targets
                .into_iter()
                .map(|(position, target)| ((view, position), target)),
        );
        self.node_mut(parent).items.push(NodeItem::Module(view));
    }

    /// Resolves the targets of all imports, while modules are found by name.
    fn find_targets(&mut self) {
        // Abstract imports add modules, which have imports too.
        let mut next = 0;
        while next < self.nodes.len() {
            let node = next;
            next += 1;
            let imports: Vec<(ast::Import, NodeId)> = self
                .node(node)
                .items
                .iter()
                .filter_map(import_item)
                .collect();
            for (import, origin) in imports {
                self.import_target(node, &import, origin);
            }
        }
    }

    /// The local name of an import.
    pub(super) fn import_name(import: &ast::Import) -> Option<&Ident> {
        import.alias.as_ref().or(import.target.segments.last())
    }

    /// Reports an unknown path segment after the first. [`Dependencies`] resolves and reports the
    /// first one.
    fn report_unknown(
        &mut self,
        pass: Pass,
        path: &QualifiedName,
        (name, suggestion): &(Ident, Option<Name>),
    ) {
        if path
            .segments
            .first()
            .is_some_and(|first| first.span == name.span)
        {
            return;
        }
        self.findings
            .push_in(pass, unknown_module(name, name.span, suggestion.as_ref()));
    }

    fn add_items(
        &mut self,
        parent: NodeId,
        decls: Vec<TopDecl>,
        prefixed: &mut Vec<(NodeId, ast::ModuleDecl)>,
    ) {
        for decl in decls {
            let item = match decl {
                // `module A.B` is added when all modules with shorter names exist.
                TopDecl::Module(module) if module.name.segments.len() > 1 => {
                    prefixed.push((parent, module));
                    continue;
                }
                TopDecl::Module(module) => {
                    self.add_module(parent, module, prefixed);
                    continue;
                }
                TopDecl::Import(import) => NodeItem::Import(import, parent),
                TopDecl::Export(export) => NodeItem::Export(export),
                decl @ (TopDecl::Class(_)
                | TopDecl::Datatype(_)
                | TopDecl::Newtype(_)
                | TopDecl::Type(_)
                | TopDecl::Iterator(_)
                | TopDecl::Member(_)) => NodeItem::Decl(Box::new(decl)),
            };
            self.node_mut(parent).items.push(item);
        }
    }

    fn add_module(
        &mut self,
        parent: NodeId,
        module: ast::ModuleDecl,
        prefixed: &mut Vec<(NodeId, ast::ModuleDecl)>,
    ) {
        let Some(name) = module.name.segments.last().cloned() else {
            return;
        };
        if let Some(first) = self.child(parent, &name.name) {
            let first = self.node(first).name.span;
            let d = Diagnostic::error(
                "resolve/duplicate",
                name.span,
                format!("duplicate name of module: {}", name.name),
            );
            self.findings.push_in(
                Pass::ModuleNames,
                d.with_secondary(first, "first declared here"),
            );
            return;
        }
        let extent = module.span;
        let id = self.push(Node {
            extent,
            ..Node::new(name, Some(parent), module.modifiers, module.base)
        });
        self.node_mut(parent).items.push(NodeItem::Module(id));
        self.add_items(id, module.decls, prefixed);
    }

    fn add_prefixed(
        &mut self,
        mut parent: NodeId,
        module: ast::ModuleDecl,
        prefixed: &mut Vec<(NodeId, ast::ModuleDecl)>,
    ) {
        let path = module.name.segments.clone();
        for segment in path.iter().take(path.len().saturating_sub(1)) {
            // A module that exists only as a prefix is created implicitly.
            parent = match self.child(parent, &segment.name) {
                Some(child) => child,
                None => {
                    let node = Node::new(
                        segment.clone(),
                        Some(parent),
                        ast::Modifiers::default(),
                        None,
                    );
                    let id = self.push(Node {
                        is_implicit: true,
                        ..node
                    });
                    self.node_mut(parent).items.push(NodeItem::Module(id));
                    id
                }
            };
        }
        self.add_module(parent, module, prefixed);
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub(super) fn child(&self, node: NodeId, name: &str) -> Option<NodeId> {
        self.node(node).items.iter().find_map(|item| match item {
            NodeItem::Module(m) if &*self.node(*m).name.name == name => Some(*m),
            NodeItem::Module(_)
            | NodeItem::Import(..)
            | NodeItem::Export(_)
            | NodeItem::Decl(_) => None,
        })
    }

    fn mark_replacements(&mut self) {
        // Dafny visits modules in the reverse order of dependencies, and the first replacement that
        // it meets is the one that counts.
        let mut ids: Vec<NodeId> = (0..self.nodes.len()).collect();
        ids.sort_by_key(|id| {
            let position = self.node(*id).name.span.start;
            std::cmp::Reverse(self.dependencies.module_at(position))
        });
        for id in ids {
            let node = self.node(id);
            let (Some((ModuleBase::Replaces, path)), Some(parent)) =
                (node.base.clone(), node.parent)
            else {
                continue;
            };
            match self.find(parent, &path) {
                Ok(Target { node: target, .. }) if target != id => {
                    let (old, new) = (&self.node(target).modifiers, &self.node(id).modifiers);
                    // The replacement is compiled under the name of the replaced module, which must
                    // not be compiled too.
                    if !old.replaceable && !old.is_abstract && !new.is_abstract {
                        let (name, new, old) = (
                            &self.node(target).name.name,
                            self.node(id).name.span,
                            self.node(target).name.span,
                        );
                        let message = format!(
                            "module {name} and its replacement would both be compiled as {name}"
                        );
                        let d = Diagnostic::error("resolve/replacement", new, message)
                            .with_secondary(old, "the replaced module");
                        self.findings.push_in(
                            Pass::Program,
                            d.with_help("declare the replaced module `replaceable`"),
                        );
                    }
                    if let Some(other) = self.node(target).replaced_by {
                        let (name, other) = (
                            self.node(target).name.name.clone(),
                            self.node(other).name.span,
                        );
                        let d = Diagnostic::error(
                            "resolve/replacement",
                            self.node(id).name.span,
                            format!("module {name} is replaced more than once"),
                        );
                        self.findings.push_in(
                            Pass::Program,
                            d.with_secondary(other, "the other replacement"),
                        );
                        continue;
                    }
                    self.node_mut(target).replaced_by = Some(id);
                }
                Ok(_) | Err(_) => {}
            }
        }
    }

    /// Resolves a qualified module name from inside `from`.
    fn find(
        &mut self,
        from: NodeId,
        path: &QualifiedName,
    ) -> Result<Target, (Ident, Option<Name>)> {
        let Some((first, rest)) = path.segments.split_first() else {
            return Ok(Target::whole(from));
        };
        // The first segment may be declared in any enclosing module, the others only in the module
        // before.
        let mut at = Some(from);
        let mut seen = Vec::new();
        let mut found = None;
        while let Some(here) = at {
            found = self.module_in(here, &first.name, true);
            if found.is_some() {
                break;
            }
            seen.extend(self.module_names(here));
            at = self.node(here).parent;
        }
        let mut target =
            found.ok_or_else(|| (first.clone(), spelling::closest(&first.name, seen.iter())))?;
        for segment in rest {
            self.finish(target.node);
            let inner = self.module_in(target.node, &segment.name, false);
            target = inner.ok_or_else(|| {
                (
                    segment.clone(),
                    spelling::closest(&segment.name, self.module_names(target.node).iter()),
                )
            })?;
        }
        Ok(target)
    }

    fn module_names(&self, node: NodeId) -> Vec<Name> {
        let items = self.node(node).items.iter();
        let name = |item: &NodeItem| match item {
            NodeItem::Module(m) => Some(self.node(*m).name.name.clone()),
            NodeItem::Import(i, _) => Self::import_name(i).map(|n| n.name.clone()),
            NodeItem::Export(_) | NodeItem::Decl(_) => None,
        };
        items.filter_map(name).collect()
    }

    /// Looks up a nested module, an import or, with `opened`, a module of an opened import.
    fn module_in(&mut self, node: NodeId, name: &str, opened: bool) -> Option<Target> {
        if let Some(child) = self.child(node, name) {
            return Some(Target::whole(child));
        }
        // Refinement may add the module.
        self.finish(node);
        if let Some(child) = self.child(node, name) {
            return Some(Target::whole(child));
        }
        let imports: Vec<(ast::Import, NodeId)> = self
            .node(node)
            .items
            .iter()
            .filter_map(import_item)
            .collect();
        for (import, origin) in &imports {
            if Self::import_name(import).is_some_and(|n| &*n.name == name)
                && let Some(target) = self.import_target(node, import, *origin)
            {
                return Some(target);
            }
        }
        // Opened imports last, and without those that the imported module opens.
        for (import, origin) in imports.iter().filter(|(i, _)| opened && i.opened) {
            let target = self
                .import_target(node, import, *origin)
                .filter(|t| t.node != node);
            if let Some(found) = target.and_then(|t| self.module_in(t.node, name, false)) {
                return Some(found);
            }
        }
        None
    }
}

/// The error for an unknown module.
pub(super) fn unknown_module(name: &Ident, span: Span, close: Option<&Name>) -> Diagnostic {
    let d = Diagnostic::error(
        "resolve/unknown-module",
        span,
        format!("module {} does not exist", name.name),
    );
    match close {
        _ if &*name.name == "Std" => d.with_help(
            "for Dafny's standard libraries, pass the directory of their sources with `--standard-libraries`",
        ),
        Some(close) => d.with_help(format!("did you mean `{close}`?")),
        None => d,
    }
}

fn import_item(item: &NodeItem) -> Option<(ast::Import, NodeId)> {
    match item {
        NodeItem::Import(import, origin) => Some((import.clone(), *origin)),
        NodeItem::Module(_) | NodeItem::Export(_) | NodeItem::Decl(_) => None,
    }
}

/// The members that a declaration contains, or the member that it is.
fn members_of(decl: &mut TopDecl) -> &mut [ast::Member] {
    match decl {
        TopDecl::Class(d) => &mut d.members,
        TopDecl::Datatype(d) => &mut d.members,
        TopDecl::Newtype(d) => &mut d.members,
        TopDecl::Type(d) => &mut d.members,
        TopDecl::Member(m) => std::slice::from_mut(m),
        TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Export(_) | TopDecl::Iterator(_) => {
            &mut []
        }
    }
}

impl Target {
    pub(super) fn whole(node: NodeId) -> Self {
        Self {
            node,
            exports: Vec::new(),
        }
    }
}

impl Node {
    fn without_declarations(&self) -> Self {
        let is_module = |item: &&NodeItem| match item {
            NodeItem::Module(_) => true,
            NodeItem::Import(..) | NodeItem::Export(_) | NodeItem::Decl(_) => false,
        };
        Self {
            items: self.items.iter().filter(is_module).cloned().collect(),
            ..self.clone_head()
        }
    }

    fn clone_head(&self) -> Self {
        Self {
            name: self.name.clone(),
            parent: self.parent,
            modifiers: self.modifiers.clone(),
            is_implicit: self.is_implicit,
            extent: self.extent,
            items: Vec::new(),
            base: self.base.clone(),
            source: self.source,
            replaced_by: self.replaced_by,
            state: self.state,
        }
    }

    fn new(
        name: Ident,
        parent: Option<NodeId>,
        modifiers: ast::Modifiers,
        base: Option<(ModuleBase, QualifiedName)>,
    ) -> Self {
        let extent = name.span;
        Self {
            name,
            parent,
            modifiers,
            is_implicit: false,
            extent,
            items: Vec::new(),
            base,
            source: None,
            replaced_by: None,
            state: State::New,
        }
    }
}
