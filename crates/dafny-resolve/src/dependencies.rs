//! Dependencies between modules: the order in which modules are resolved, and errors in module
//! names that Dafny reports before it resolves anything else.
//!
//! A module depends on its imports, on its nested modules and on the module that it refines. An
//! import depends on the module at the start of its path. [`Dependencies::build`] constructs the
//! graph, reports unknown names and cycles, and sorts the modules topologically.

use rustc_hash::FxHashMap;

use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast::{self, Ident, TopDecl};

use super::passes::{Findings, Pass};
use super::spelling;
use super::tree::{NodeId, NodeItem, Tree};

/// A module or an import.
#[derive(Debug, Clone)]
pub(super) enum Unit {
    Module {
        /// The span of the whole declaration.
        extent: Span,
        name: Span,
        /// The index of the enclosing module.
        around: Option<usize>,
        needs: Vec<Need>,
    },
    Import {
        /// The span of the whole import.
        span: Span,
        needs: Vec<Need>,
    },
}

/// A prerequisite of a unit: the index of a unit that must have no errors before this one is
/// checked.
#[derive(Debug, Clone)]
pub(super) enum Need {
    Import(usize),
    /// A nested module, with the error to report if the nested module has errors. `None` if
    /// skipping the outer module hides nothing.
    Nested(usize, Option<Box<Diagnostic>>),
}

/// Modules and imports in topological order: dependencies come first.
#[derive(Debug, Clone, Default)]
pub(super) struct Dependencies {
    pub(super) units: Vec<Unit>,
    /// The index of the default module.
    root: usize,
}

impl Dependencies {
    /// The innermost module whose text contains the position.
    pub(super) fn module_at(&self, position: u32) -> usize {
        self.innermost(position, |unit| match unit {
            Unit::Module { extent, .. } => Some(*extent),
            Unit::Import { .. } => None,
        })
        .unwrap_or(self.root)
    }

    /// The module that declares the name at the position. For the name of a module, that is the
    /// enclosing module.
    pub(super) fn module_declaring(&self, position: u32) -> usize {
        let at = self.module_at(position);
        match self.units.get(at) {
            Some(Unit::Module {
                name,
                around: Some(around),
                ..
            }) if name.start <= position && position < name.end => *around,
            Some(Unit::Module { .. } | Unit::Import { .. }) | None => at,
        }
    }

    /// The import whose text contains the position.
    pub(super) fn import_at(&self, position: u32) -> Option<usize> {
        self.innermost(position, |unit| match unit {
            Unit::Import { span, .. } => Some(*span),
            Unit::Module { .. } => None,
        })
    }

    /// Returns the sort key of a position in the order in which Dafny binds names: within a module,
    /// first the nested modules in source order, each after the names in it, then the imports. The
    /// key has a component for each enclosing module.
    pub(super) fn binding_order(&self, position: u32) -> Vec<(bool, u32)> {
        let extent = |(i, unit): (usize, &Unit)| match unit {
            Unit::Module { extent, .. } if i != self.root => Some(*extent),
            Unit::Module { .. } | Unit::Import { .. } => None,
        };
        let mut order: Vec<(bool, u32)> = self
            .units
            .iter()
            .enumerate()
            .filter_map(extent)
            .filter(|e| e.start <= position && position < e.end)
            .map(|e| (false, e.start))
            .collect();
        // Outer modules start earlier, so that the components have the order of nesting.
        order.sort();
        order.push((self.import_at(position).is_some(), position));
        order
    }

    fn innermost(&self, position: u32, span: impl Fn(&Unit) -> Option<Span>) -> Option<usize> {
        let around = self
            .units
            .iter()
            .enumerate()
            .filter_map(|(i, u)| Some((i, span(u)?)));
        let around =
            around.filter(|(i, s)| *i != self.root && s.start <= position && position < s.end);
        // Of nested texts, the shortest is the innermost.
        around.min_by_key(|(_, s)| s.end - s.start).map(|(i, _)| i)
    }

    /// Returns `Some` if a unit is skipped because a prerequisite has errors. The inner option is
    /// the error to report, if any.
    pub(super) fn held_back(&self, unit: usize, good: &[bool]) -> Option<Option<Diagnostic>> {
        let needs = match self.units.get(unit)? {
            Unit::Module { needs, .. } | Unit::Import { needs, .. } => needs,
        };
        let is_bad = |unit: &usize| good.get(*unit) == Some(&false);
        // Dafny stops at the first prerequisite with errors. Only a nested module is reported as
        // the reason.
        needs.iter().find_map(|need| match need {
            Need::Import(unit) => is_bad(unit).then_some(None),
            Need::Nested(unit, error) => is_bad(unit).then(|| error.as_deref().cloned()),
        })
    }

    /// Analyzes all modules of a tree before refinement. Reports unknown modules and cycles.
    pub(super) fn build(tree: &Tree, findings: &mut Findings) -> Self {
        let mut graph = Graph {
            tree,
            vertices: Vec::new(),
            scopes: Vec::new(),
            modules: Vec::new(),
        };
        graph.bind(findings);
        graph.connect(findings);
        graph.report_cycles(findings);
        graph.sorted()
    }
}

/// A module or import during the construction of the graph.
struct Vertex<'t> {
    item: Item<'t>,
    /// The enclosing module. The default module encloses itself.
    home: NodeId,
    successors: Vec<usize>,
}

#[derive(Clone, Copy)]
enum Item<'t> {
    Module(NodeId),
    Import(&'t ast::Import),
}

struct Graph<'t> {
    tree: &'t Tree,
    vertices: Vec<Vertex<'t>>,
    /// For each module, the names that denote modules and imports.
    scopes: Vec<FxHashMap<Name, usize>>,
    /// The vertex of each module.
    modules: Vec<usize>,
}

impl<'t> Graph<'t> {
    /// Enters modules and imports into the scopes of their enclosing modules.
    fn bind(&mut self, findings: &mut Findings) {
        // Vertices of modules first: a module may be imported before its declaration.
        for (node, module) in self.tree.nodes.iter().enumerate() {
            self.modules.push(self.vertices.len());
            self.vertices.push(Vertex {
                item: Item::Module(node),
                home: module.parent.unwrap_or(node),
                successors: Vec::new(),
            });
            self.scopes.push(FxHashMap::default());
        }
        for (node, module) in self.tree.nodes.iter().enumerate() {
            for item in &module.items {
                // Nested modules are bound before imports, so that an import of the same name is
                // the duplicate.
                if let NodeItem::Module(child) = item {
                    let name = self.tree.node(*child).name.name.clone();
                    self.bind_name(node, name, self.module(*child));
                }
            }
            for item in &module.items {
                let NodeItem::Import(import, _) = item else {
                    continue;
                };
                let vertex = self.vertices.len();
                self.vertices.push(Vertex {
                    item: Item::Import(import),
                    home: node,
                    successors: Vec::new(),
                });
                let Some(name) = Tree::import_name(import) else {
                    continue;
                };
                let Some(first) = self.bind_name(node, name.name.clone(), vertex) else {
                    continue;
                };
                // `import opened M` beside a nested module `M` declares no second name.
                let is_module = matches!(
                    self.vertices.get(first),
                    Some(Vertex {
                        item: Item::Module(_),
                        ..
                    })
                );
                let is_whole =
                    matches!(import.target.segments.as_slice(), [only] if only.name == name.name);
                if is_module && import.opened && !import.is_abstract && is_whole {
                    continue;
                }
                let message = match is_module {
                    true => format!(
                        "the import {} has the same name as a module in the same scope",
                        name.name
                    ),
                    false => format!("duplicate name of import: {}", name.name),
                };
                let d = Diagnostic::error("resolve/duplicate", name.span, message);
                findings.push_in(
                    Pass::ModuleNames,
                    d.with_secondary(self.name_span(first), "the name is already used here"),
                );
            }
        }
    }

    /// Binds a name in the scope of a module. Returns the vertex that already has it, if any.
    fn bind_name(&mut self, node: NodeId, name: Name, vertex: usize) -> Option<usize> {
        let scope = self.scopes.get_mut(node)?;
        match scope.entry(name) {
            std::collections::hash_map::Entry::Occupied(taken) => Some(*taken.get()),
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(vertex);
                None
            }
        }
    }

    fn module(&self, node: NodeId) -> usize {
        self.modules.get(node).copied().unwrap_or_default()
    }

    fn name_span(&self, vertex: usize) -> Span {
        match self.vertices.get(vertex).map(|v| v.item) {
            Some(Item::Module(node)) => self.tree.node(node).name.span,
            Some(Item::Import(import)) => Tree::import_name(import).map_or(import.span, |n| n.span),
            None => Span::default(),
        }
    }

    fn connect(&mut self, findings: &mut Findings) {
        self.connect_module(0, findings);
    }

    fn connect_module(&mut self, node: NodeId, findings: &mut Findings) {
        let tree = self.tree;
        let module = tree.node(node);
        let own = self.module(node);
        if let Some((_, path)) = &module.base
            && let Some(root) = path.segments.first()
        {
            // Any module qualifies that is not declared inside the refining one.
            match self.lookup(node, &root.name, &|v| v.home != node || v.is(node)) {
                Some(base) if base == own => {
                    let message = format!("module {} cannot refine itself", module.name.name);
                    findings.push_in(
                        Pass::ModuleGraph,
                        Diagnostic::error("resolve/cyclic-module", root.span, message),
                    );
                }
                Some(base) => self.add_edge(own, base),
                None => self.unknown(node, root, root.span, findings),
            }
        }
        // The imports of a module have vertices in the order of their declarations.
        let imports: Vec<usize> = (0..self.vertices.len())
            .filter(
                |v| matches!(&self.vertices.get(*v), Some(v) if v.home == node && v.is_import()),
            )
            .collect();
        let mut imports = imports.into_iter();
        for item in &module.items {
            match item {
                NodeItem::Module(child) => {
                    self.add_edge(own, self.module(*child));
                    self.connect_module(*child, findings);
                }
                NodeItem::Import(import, _) => {
                    let Some(vertex) = imports.next() else {
                        continue;
                    };
                    self.add_edge(own, vertex);
                    self.connect_import(node, vertex, import, findings);
                }
                NodeItem::Export(_) | NodeItem::Decl(_) => {}
            }
        }
    }

    fn connect_import(
        &mut self,
        node: NodeId,
        vertex: usize,
        import: &ast::Import,
        findings: &mut Findings,
    ) {
        let Some(root) = import.target.segments.first() else {
            return;
        };
        // With an export set, the path denotes a module and not an import. An import never denotes
        // itself.
        let fits = |v: &Vertex<'_>| match v.item {
            Item::Module(_) => true,
            Item::Import(other) => {
                v.home == node && import.exports.is_empty() && !std::ptr::eq(other, import)
            }
        };
        let Some(target) = self.lookup(node, &root.name, &fits) else {
            let span = if import.is_abstract {
                Tree::import_name(import).map_or(root.span, |n| n.span)
            } else {
                root.span
            };
            return self.unknown(node, root, span, findings);
        };
        self.add_edge(vertex, target);
        let module = self.tree.node(node);
        if import.is_abstract && !module.modifiers.is_abstract && !module.modifiers.replaceable {
            let name = Tree::import_name(import).unwrap_or(root);
            let message = format!(
                "the abstract import {} is allowed only in an abstract or replaceable module",
                name.name
            );
            let d = Diagnostic::error("resolve/abstract-import", name.span, message);
            findings.push_in(
                Pass::ModuleGraph,
                d.with_help(
                    "import the module itself with `=`, or declare the enclosing module `abstract`",
                ),
            );
        }
    }

    /// Looks a name up in the scope of a module and then in those of its enclosing modules.
    fn lookup(
        &self,
        node: NodeId,
        name: &str,
        fits: &dyn Fn(&Vertex<'t>) -> bool,
    ) -> Option<usize> {
        let mut at = Some(node);
        while let Some(here) = at {
            let found = self.scopes.get(here).and_then(|s| s.get(name)).copied();
            if let Some(found) = found.filter(|v| self.vertices.get(*v).is_some_and(fits)) {
                return Some(found);
            }
            at = self.tree.node(here).parent;
        }
        None
    }

    fn unknown(&self, node: NodeId, name: &Ident, span: Span, findings: &mut Findings) {
        // All names that the lookup has passed are candidates for a suggestion.
        let mut seen: Vec<Name> = Vec::new();
        let mut at = Some(node);
        while let Some(here) = at {
            seen.extend(
                self.scopes
                    .get(here)
                    .into_iter()
                    .flat_map(|s| s.keys().cloned()),
            );
            at = self.tree.node(here).parent;
        }
        seen.sort();
        seen.retain(|n| *n != name.name);
        let close = spelling::closest(&name.name, seen.iter());
        findings.push_in(
            Pass::ModuleGraph,
            super::tree::unknown_module(name, span, close.as_ref()),
        );
    }

    fn add_edge(&mut self, from: usize, to: usize) {
        if let Some(vertex) = self.vertices.get_mut(from) {
            vertex.successors.push(to);
        }
    }

    /// Reports cycles, each at its first member. The reported cycles have no member in common.
    fn report_cycles(&self, findings: &mut Findings) {
        let mut search = Search {
            graph: self,
            states: vec![State::New; self.vertices.len()],
            stack: Vec::new(),
            cycles: Vec::new(),
        };
        search.visit(self.module(0));
        for cycle in search.cycles {
            let Some(first) = cycle.first() else { continue };
            let names: Vec<String> = cycle
                .iter()
                .chain([first])
                .map(|v| self.describe(*v))
                .collect();
            let message = format!("cyclic dependency between modules: {}", names.join(" -> "));
            let d = Diagnostic::error("resolve/cyclic-module", self.name_span(*first), message);
            findings.push_in(
                Pass::ModuleGraph,
                d.with_note("a module depends on the modules in it, on those it imports and on what it refines"),
            );
        }
    }

    fn describe(&self, vertex: usize) -> String {
        match self.vertices.get(vertex).map(|v| v.item) {
            Some(Item::Module(node)) => format!("module {}", self.tree.node(node).name.name),
            Some(Item::Import(import)) => format!(
                "import {}",
                Tree::import_name(import).map_or("", |n| &*n.name)
            ),
            None => String::new(),
        }
    }

    /// Sorts all units topologically, dependencies first.
    fn sorted(&self) -> Dependencies {
        let mut order = Vec::new();
        let mut seen = vec![false; self.vertices.len()];
        self.walk(self.module(0), &mut seen, &mut order);
        // Modules that are unreachable from the default module, because of duplicate names, come
        // last.
        (0..self.vertices.len()).for_each(|v| self.walk(v, &mut seen, &mut order));
        let mut index = vec![0; self.vertices.len()];
        for (i, v) in order.iter().enumerate() {
            if let Some(slot) = index.get_mut(*v) {
                *slot = i;
            }
        }
        let index = |v: usize| index.get(v).copied().unwrap_or_default();
        let units = order
            .iter()
            .filter_map(|v| self.vertices.get(*v))
            .map(|vertex| match vertex.item {
                Item::Import(import) => {
                    let needs = vertex
                        .successors
                        .iter()
                        .map(|v| Need::Import(index(*v)))
                        .collect();
                    Unit::Import {
                        span: import.span,
                        needs,
                    }
                }
                Item::Module(node) => {
                    let mut needs = Vec::new();
                    self.needs(node, node, &index, &mut needs, 0);
                    let (extent, name) =
                        (self.tree.node(node).extent, self.tree.node(node).name.span);
                    let around = self
                        .tree
                        .node(node)
                        .parent
                        .map(|parent| index(self.module(parent)));
                    Unit::Module {
                        extent,
                        name,
                        around,
                        needs,
                    }
                }
            });
        Dependencies {
            units: units.collect(),
            root: index(self.module(0)),
        }
    }

    fn walk(&self, vertex: usize, seen: &mut [bool], order: &mut Vec<usize>) {
        match seen.get_mut(vertex) {
            Some(slot) if !*slot => *slot = true,
            Some(_) | None => return,
        }
        for next in self
            .vertices
            .get(vertex)
            .into_iter()
            .flat_map(|v| &v.successors)
        {
            self.walk(*next, seen, order);
        }
        order.push(vertex);
    }

    /// Collects the prerequisites of `module` that the declaration of `node` implies. `node` is the
    /// module itself or one that it refines.
    fn needs(
        &self,
        module: NodeId,
        node: NodeId,
        index: &dyn Fn(usize) -> usize,
        needs: &mut Vec<Need>,
        depth: usize,
    ) {
        let mut base = None;
        let own = self.module(node);
        for next in self
            .vertices
            .get(own)
            .into_iter()
            .flat_map(|v| &v.successors)
        {
            let Some(vertex) = self.vertices.get(*next) else {
                continue;
            };
            match vertex.item {
                Item::Import(import) => {
                    let root = if import.is_abstract {
                        Some(next)
                    } else {
                        vertex.successors.first()
                    };
                    needs.extend(root.map(|root| Need::Import(index(*root))));
                }
                Item::Module(child) if vertex.home == node && child != 0 => {
                    let name = &self.tree.node(child).name;
                    let outer = match module {
                        0 => "the enclosing module".to_owned(),
                        _ => format!("module {}", self.tree.node(module).name.name),
                    };
                    let error = (!self.is_empty(module)).then(|| {
                        let message = format!(
                            "{outer} is not checked, because its nested module {} has errors",
                            name.name
                        );
                        Box::new(Diagnostic::error(
                            "resolve/nested-errors",
                            name.span,
                            message,
                        ))
                    });
                    needs.push(Need::Nested(index(*next), error));
                }
                Item::Module(child) => base = Some(child),
            }
        }
        // Declarations of the base belong to the module, too. The depth ends cyclic refinements.
        if let Some(base) = base.filter(|_| depth < self.tree.nodes.len()) {
            self.needs(module, base, index, needs, depth + 1);
        }
    }

    /// Whether the module contains no declaration that could have an error.
    fn is_empty(&self, node: NodeId) -> bool {
        self.tree.node(node).items.iter().all(|item| match item {
            NodeItem::Module(_) | NodeItem::Import(..) | NodeItem::Export(_) => true,
            NodeItem::Decl(decl) => is_empty(decl),
        })
    }
}

fn is_empty(decl: &TopDecl) -> bool {
    let plain = |m: &ast::Modifiers, params: &[ast::TypeParam]| {
        m.attributes.is_empty() || !params.is_empty()
    };
    match decl {
        TopDecl::Class(d) => {
            d.members.is_empty() && d.extends.is_empty() && plain(&d.modifiers, &d.type_params)
        }
        TopDecl::Datatype(d) => {
            let ctors = d
                .ctors
                .iter()
                .all(|c| c.formals.is_empty() && c.modifiers.attributes.is_empty());
            ctors
                && d.members.is_empty()
                && d.extends.is_empty()
                && plain(&d.modifiers, &d.type_params)
        }
        TopDecl::Type(d) => {
            d.definition.is_none()
                && d.members.is_empty()
                && d.extends.is_empty()
                && plain(&d.modifiers, &d.type_params)
        }
        TopDecl::Newtype(_) | TopDecl::Iterator(_) | TopDecl::Member(_) => false,
        TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Export(_) => true,
    }
}

impl Vertex<'_> {
    fn is_import(&self) -> bool {
        matches!(self.item, Item::Import(_))
    }

    fn is(&self, node: NodeId) -> bool {
        matches!(self.item, Item::Module(n) if n == node)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Busy,
    Done,
}

/// A depth-first search for cycles.
struct Search<'g, 't> {
    graph: &'g Graph<'t>,
    states: Vec<State>,
    stack: Vec<usize>,
    cycles: Vec<Vec<usize>>,
}

impl Search<'_, '_> {
    fn state(&self, vertex: usize) -> State {
        self.states.get(vertex).copied().unwrap_or(State::Done)
    }

    fn set(&mut self, vertex: usize, state: State) {
        if let Some(slot) = self.states.get_mut(vertex) {
            *slot = state;
        }
    }

    fn visit(&mut self, vertex: usize) {
        self.set(vertex, State::Busy);
        self.stack.push(vertex);
        let graph = self.graph;
        for next in graph
            .vertices
            .get(vertex)
            .into_iter()
            .flat_map(|v| &v.successors)
        {
            match self.state(*next) {
                State::Done => {}
                State::New => self.visit(*next),
                State::Busy => self.close(*next),
            }
        }
        self.stack.pop();
        self.set(vertex, State::Done);
    }

    /// Records the cycle from `first` to the top of the stack, unless it overlaps a recorded one.
    fn close(&mut self, first: usize) {
        let from = self
            .stack
            .iter()
            .rposition(|v| *v == first || self.state(*v) == State::Done);
        let Some(cycle) = from
            .and_then(|from| self.stack.get(from..))
            .filter(|c| c.first() == Some(&first))
        else {
            return;
        };
        if self.state(first) == State::Done {
            return;
        }
        let cycle = cycle.to_vec();
        cycle.iter().for_each(|v| self.set(*v, State::Done));
        self.cycles.push(cycle);
    }
}
