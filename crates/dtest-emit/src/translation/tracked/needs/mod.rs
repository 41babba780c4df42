//! The ghost state that clauses read, and its dependencies: a graph over fields, variables and
//! ghost methods.
//!
//! The edges of a field or variable lead to everything that its assignments depend on: the ghost
//! state in their right-hand sides and in the ghost conditions around them, and the ghost methods
//! that contain them or that they call. All nodes that are reachable from the reads of a clause
//! must exist for the clause to be executed.

mod code;

use std::cell::RefCell;
use std::rc::Rc;

use crate::translation::convention::Dependency;
use crate::translation::walk::each_expr;
use dafny_resolve::typed::{
    Arena, Block, Body, Call, CallableId, Expr, FieldId, FieldKind, Guard, LocalId, Origin,
    Pattern, PatternKind, Program, Quantified, Rhs, Span, Stmt, StmtKind, Target, TypeDeclKind,
    TypeId,
};
use dtest_desugar::ExternalCode as _;
use dtest_sorted::{SortedMap, SortedSet};

use code::Code;

/// A part of the ghost state, or a method that changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Node {
    /// A ghost field.
    Field(FieldId),
    /// A ghost variable or parameter.
    Local(LocalId),
    /// A ghost method.
    Method(CallableId),
}

/// The dependency graph of a program.
pub(super) struct Needs {
    edges: SortedMap<Node, SortedSet<Node>>,
    /// The state that the clauses and frames of compiled code read, by the span of the condition.
    pub(super) roots: SortedMap<Span, SortedSet<Node>>,
    /// Ghost fields that linked Rust would have to assign.
    pub(super) kept_by_others: SortedSet<Node>,
    /// The nodes that belong to an item, each with the enclosing statement: those that a callable
    /// assigns, those that a type holds, or the callable itself.
    kept_in: SortedMap<Dependency, Vec<(Node, Span)>>,
    /// The state that calls of ghost methods assign.
    pub(super) effects: SortedMap<CallableId, SortedSet<Node>>,
}

impl Needs {
    /// The dependency graph of a program.
    pub(super) fn of(program: &Program) -> Self {
        let mut finder = Finder::new(program);
        let roots = finder.roots();
        if !roots.is_empty() {
            finder.bodies();
            finder.signatures();
            finder.fields();
        }
        let kept_by_others = finder.kept_by_others();
        Self {
            edges: finder.edges,
            roots,
            kept_by_others,
            kept_in: finder.kept_in,
            effects: finder.effects,
        }
    }

    /// Returns the nodes with all their transitive needs.
    pub(super) fn closure(&self, from: &SortedSet<Node>) -> SortedSet<Node> {
        let mut todo: Vec<Node> = from.iter().copied().collect();
        let mut found = SortedSet::new();
        while let Some(n) = todo.pop() {
            if found.insert(n) {
                todo.extend(self.edges.get(&n).into_iter().flatten());
            }
        }
        found
    }

    /// Returns the nodes that belong to an item at a span: those of the innermost enclosing
    /// statement, or all if there is none.
    pub(super) fn kept_in(&self, id: Dependency, place: Span) -> SortedSet<Node> {
        let all = self.kept_in.get(&id).map_or(&[][..], Vec::as_slice);
        let around = |span: Span| place != Span::default() && span.contains_span(place);
        let innermost = all
            .iter()
            .map(|(_, s)| *s)
            .filter(|s| around(*s))
            .min_by_key(|s| s.end - s.start);
        all.iter()
            .filter(|(_, s)| innermost.is_none_or(|i| *s == i))
            .map(|(n, _)| *n)
            .collect()
    }
}

/// The fields that a function reads directly, and the functions that it calls.
#[derive(Default)]
struct Reads {
    fields: SortedSet<Node>,
    calls: SortedSet<CallableId>,
}

struct Finder<'p> {
    program: &'p Program,
    edges: SortedMap<Node, SortedSet<Node>>,
    kept_in: SortedMap<Dependency, Vec<(Node, Span)>>,
    /// Parameters of ghost methods.
    ghost_formals: SortedSet<LocalId>,
    /// The direct overrides of a callable.
    overridden_by: SortedMap<CallableId, Vec<CallableId>>,
    functions: SortedMap<CallableId, Reads>,
    /// The ghost fields that calls of functions read, computed on demand.
    read: RefCell<SortedMap<CallableId, Rc<SortedSet<Node>>>>,
    /// The state that calls of ghost methods assign.
    effects: SortedMap<CallableId, SortedSet<Node>>,
}

impl<'p> Finder<'p> {
    fn new(program: &'p Program) -> Self {
        let ids: Vec<CallableId> = program.ids();
        let (mut ghost_formals, mut overridden_by) = (
            SortedSet::new(),
            SortedMap::<CallableId, Vec<CallableId>>::new(),
        );
        // Calls of methods are resolved dynamically, so overriding methods must be known first.
        for &id in &ids {
            let c = &program[id];
            if c.ghost && !c.kind.is_function() {
                ghost_formals.extend(c.ins.iter().chain(&c.outs).map(|f| f.local));
            }
            c.overrides
                .iter()
                .for_each(|o| overridden_by.entry(*o).or_default().push(id));
        }
        let mut finder = Self {
            program,
            edges: SortedMap::new(),
            kept_in: SortedMap::new(),
            ghost_formals,
            overridden_by,
            functions: SortedMap::new(),
            read: RefCell::default(),
            effects: SortedMap::new(),
        };
        // Bodies of functions come first: statements read variables through calls of functions.
        for &id in ids.iter().filter(|id| program[**id].kind.is_function()) {
            let reads = finder.function(id);
            finder.functions.insert(id, reads);
        }
        finder.find_effects(&ids);
        finder
    }

    /// Returns the reads of a function's bodies: its specification's and its method's.
    fn function(&self, id: CallableId) -> Reads {
        let mut reads = Reads::default();
        let mut of = |e: &Expr| {
            each_expr(e, &mut |e| match e.kind.origin() {
                Some(Origin::Field(field)) => reads.fields.extend(self.field(field)),
                Some(Origin::Call(Call { callee, .. })) => reads.calls.extend([*callee]),
                Some(Origin::Function(callee)) => reads.calls.extend([callee]),
                Some(Origin::Local(_) | Origin::Ctor(..)) | None => {}
            });
        };
        match &self.program[id].body {
            Body::Expr(e) | Body::ByMethod(e, _) => of(e),
            Body::None | Body::Block(_) => {}
        }
        reads
    }

    /// Computes the fields that calls of ghost methods assign, transitively.
    fn find_effects(&mut self, ids: &[CallableId]) {
        let methods: Vec<CallableId> = ids
            .iter()
            .copied()
            .filter(|id| self.program[*id].ghost && !self.program[*id].kind.is_function())
            .collect();
        let mut calls: SortedMap<CallableId, SortedSet<CallableId>> = SortedMap::new();
        // The fields that each ghost method assigns itself.
        for &id in &methods {
            let (mut own, mut called) = (SortedSet::new(), SortedSet::new());
            if let Body::Block(b) = &self.program[id].body {
                each_ghost_stmt(b, &mut |s| {
                    own.extend(
                        s.kind
                            .targets()
                            .into_iter()
                            .filter_map(|t| self.target(t))
                            .filter(|n| matches!(n, Node::Field(_))),
                    );
                    called.extend(calls_in(s).into_iter().map(|c| c.callee));
                });
            }
            // Any override may run instead.
            called.extend(self.overridden_by.get(&id).into_iter().flatten());
            self.effects.insert(id, own);
            calls.insert(id, called);
        }
        // Add the effects of callees until nothing changes. This ends, because the sets only grow.
        loop {
            let mut grew = false;
            for (id, called) in &calls {
                let more: SortedSet<Node> = called
                    .iter()
                    .filter_map(|c| self.effects.get(c))
                    .flatten()
                    .copied()
                    .collect();
                let own = self.effects.entry(*id).or_default();
                let before = own.len();
                own.extend(more);
                grew |= own.len() > before;
            }
            if !grew {
                return;
            }
        }
    }

    /// Returns the node of a field of objects.
    fn field(&self, id: FieldId) -> Option<Node> {
        let field = &self.program[id];
        let of_class = field.owner.is_none_or(|t| match self.program[t].kind {
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } => true,
            // The language maintains the ghost fields of iterators.
            TypeDeclKind::Iterator(_)
            | TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract => false,
        });
        (field.ghost && of_class && !matches!(field.kind, FieldKind::Destructor(_)))
            .then_some(Node::Field(id))
    }

    fn local(&self, id: LocalId) -> Option<Node> {
        (self.program[id].ghost || self.ghost_formals.contains(&id)).then_some(Node::Local(id))
    }

    fn target(&self, t: &Target) -> Option<Node> {
        match t {
            Target::Local(l) => self.local(*l),
            Target::Field { field, .. } => self.field(*field),
            Target::Element { .. } | Target::Discard(_) => None,
        }
    }

    /// Returns the ghost fields that a call of a function reads.
    fn read_by(&self, function: CallableId) -> Rc<SortedSet<Node>> {
        if let Some(known) = self.read.borrow().get(&function) {
            return known.clone();
        }
        // A walk over the call graph with a list, because functions may call each other.
        let (mut found, mut seen, mut todo) = (SortedSet::new(), SortedSet::new(), vec![function]);
        while let Some(f) = todo.pop() {
            if !seen.insert(f) {
                continue;
            }
            if let Some(known) = self.read.borrow().get(&f) {
                found.extend(known.iter().copied());
                continue;
            }
            // A call of an overridden function may read what the override reads.
            todo.extend(self.overridden_by.get(&f).into_iter().flatten());
            if let Some(reads) = self.functions.get(&f) {
                found.extend(reads.fields.iter().copied());
                todo.extend(reads.calls.iter().copied());
            }
        }
        let found = Rc::new(found);
        self.read.borrow_mut().insert(function, found.clone());
        found
    }

    /// Returns the ghost state that an expression reads.
    fn reads(&self, e: &Expr) -> SortedSet<Node> {
        let (mut found, mut called) = (SortedSet::new(), SortedSet::new());
        each_expr(e, &mut |e| match e.kind.origin() {
            Some(Origin::Field(field)) => found.extend(self.field(field)),
            Some(Origin::Local(l)) => found.extend(self.local(l)),
            Some(Origin::Call(Call { callee, .. })) => called.extend([*callee]),
            Some(Origin::Function(callee)) => called.extend([callee]),
            Some(Origin::Ctor(..)) | None => {}
        });
        called
            .into_iter()
            .for_each(|f| found.extend(self.read_by(f).iter().copied()));
        found
    }

    fn quantified(&self, q: &Quantified) -> SortedSet<Node> {
        let vars = q.vars.iter().filter_map(|v| self.local(*v));
        q.range
            .iter()
            .flat_map(|r| self.reads(r))
            .chain(vars)
            .collect()
    }

    fn guard(&self, guard: &Guard) -> SortedSet<Node> {
        match guard {
            Guard::Expr(e) => self.reads(e),
            Guard::Star => SortedSet::new(),
            Guard::Binding(q) => self.quantified(q),
        }
    }

    /// Returns the variables of a pattern, and the reads of its constants.
    fn pattern(&self, p: &Pattern) -> SortedSet<Node> {
        match &p.kind {
            PatternKind::Wildcard => SortedSet::new(),
            PatternKind::Var(v) => self.local(*v).into_iter().collect(),
            PatternKind::Ctor { args, .. } | PatternKind::Tuple(args) | PatternKind::Or(args) => {
                args.iter().flat_map(|p| self.pattern(p)).collect()
            }
            PatternKind::Value(e) => self.reads(e),
        }
    }

    fn add(&mut self, from: Node, to: impl IntoIterator<Item = Node>) {
        self.edges.entry(from).or_default().extend(to);
    }

    /// Adds the edges for the assignments in the program's code.
    fn bodies(&mut self) {
        let program = self.program;
        let ids: Vec<CallableId> = program.ids();
        for id in ids {
            // Jumps out of the method's body decide whether the rest of it runs.
            if let Body::Block(b) | Body::ByMethod(_, b) = &program[id].body {
                let method = (program[id].ghost && !program[id].kind.is_function()).then_some(id);
                let mut code = Code {
                    finder: self,
                    within: Dependency::Callable(id),
                    method,
                    guards: Vec::new(),
                    around: Vec::new(),
                };
                let mut jumps = SortedSet::new();
                code.jumps(b, &mut jumps);
                code.block(b);
                if let Some(method) = method {
                    self.add(Node::Method(method), jumps);
                    self.kept_in
                        .entry(Dependency::Callable(id))
                        .or_default()
                        .push((Node::Method(method), Span::default()));
                }
            }
        }
        // Bodies of iterators belong to the type.
        let types: Vec<TypeId> = program.ids();
        for t in types {
            if let TypeDeclKind::Iterator(parts) = &program[t].kind
                && let Some(b) = &parts.body
            {
                Code {
                    finder: self,
                    within: Dependency::Type(t),
                    method: None,
                    guards: Vec::new(),
                    around: Vec::new(),
                }
                .block(b);
            }
        }
    }

    /// Links the parameters of a member with those of its overrides, which must stay alike.
    fn signatures(&mut self) {
        let pairs: Vec<(CallableId, CallableId)> = self
            .overridden_by
            .iter()
            .flat_map(|(first, others)| others.iter().map(|o| (*first, *o)))
            .collect();
        for (a, b) in pairs {
            let (first, second) = (&self.program[a], &self.program[b]);
            // Functions assign nothing, and their ghost parameters are those of clauses.
            if first.kind.is_function() || second.kind.is_function() {
                continue;
            }
            // Overriding and overridden method are compiled both or not at all; so are their
            // parameters.
            if first.ghost {
                self.add(Node::Method(a), [Node::Method(b)]);
                self.add(Node::Method(b), [Node::Method(a)]);
            }
            let formals = first
                .ins
                .iter()
                .zip(&second.ins)
                .chain(first.outs.iter().zip(&second.outs));
            for (f, g) in formals.map(|(f, g)| (f.local, g.local)).collect::<Vec<_>>() {
                if let (Some(f), Some(g)) = (self.local(f), self.local(g)) {
                    self.add(f, [g]);
                    self.add(g, [f]);
                }
            }
        }
    }

    /// Adds the reads of ghost constants, and the fields of each type.
    fn fields(&mut self) {
        let ids: Vec<FieldId> = self.program.ids();
        for id in ids {
            let Some(node) = self.field(id) else { continue };
            let field = &self.program[id];
            // A constant is computed from what its value reads.
            if let FieldKind::Const(Some(value)) = &field.kind {
                let reads = self.reads(value);
                self.add(node, reads);
            }
            self.kept_in
                .entry(Dependency::Const(id))
                .or_default()
                .push((node, Span::default()));
            // A field exists in its owner and, for a trait, in all implementing classes.
            if let Some(owner) = field.owner {
                let holders = if self.program.is_trait(owner) {
                    self.program.implementers(owner)
                } else {
                    Vec::new()
                };
                for t in holders.into_iter().chain([owner]) {
                    self.kept_in
                        .entry(Dependency::Type(t))
                        .or_default()
                        .push((node, Span::default()));
                }
            }
        }
    }

    /// Returns the reads of each clause and frame of compiled code.
    fn roots(&self) -> SortedMap<Span, SortedSet<Node>> {
        let mut roots = SortedMap::new();
        let ids: Vec<CallableId> = self.program.ids();
        for id in ids {
            let c = &self.program[id];
            if c.ghost || self.program.is_module_left_out(c.module) {
                continue;
            }
            // Tests have their own values of ghost in-parameters.
            let ins: SortedSet<Node> = c.ins.iter().map(|f| Node::Local(f.local)).collect();
            let outs: SortedSet<LocalId> = c.outs.iter().map(|f| f.local).collect();
            let mut root = |span: Span, reads: SortedSet<Node>| {
                let state = |n: &Node| match n {
                    Node::Field(_) => true,
                    Node::Local(l) => outs.contains(l) && !ins.contains(n),
                    Node::Method(_) => false,
                };
                let reads: SortedSet<Node> = reads.into_iter().filter(state).collect();
                if !reads.is_empty() {
                    roots
                        .entry(span)
                        .or_insert_with(SortedSet::new)
                        .extend(reads);
                }
            };
            for clause in c.spec.requires.iter().chain(&c.spec.ensures) {
                root(clause.cond.span, self.reads(&clause.cond));
            }
            if !c.kind.is_function() {
                for frame in &c.spec.modifies {
                    let field = frame.field.and_then(|f| self.field(f));
                    root(
                        frame.span,
                        frame
                            .object
                            .iter()
                            .flat_map(|e| self.reads(e))
                            .chain(field)
                            .collect(),
                    );
                }
            }
        }
        roots
    }

    /// Returns the ghost fields that linked Rust would have to assign.
    fn kept_by_others(&self) -> SortedSet<Node> {
        let program = self.program;
        let mut found = SortedSet::new();
        let ids: Vec<CallableId> = program.ids();
        // External methods may assign fields that their specification mentions.
        for id in ids
            .into_iter()
            .filter(|id| program.is_linked(*id) && !program[*id].spec.modifies.is_empty())
        {
            let spec = &program[id].spec;
            found.extend(spec.ensures.iter().flat_map(|c| self.reads(&c.cond)));
            found.extend(
                spec.modifies
                    .iter()
                    .filter_map(|f| f.field)
                    .filter_map(|f| self.field(f)),
            );
        }
        // Fields of external classes are accessible to external code.
        let fields: Vec<FieldId> = program.ids();
        let linked = |f: &FieldId| {
            program[*f]
                .owner
                .is_some_and(|t| program.type_link(t).is_some())
        };
        found.extend(
            fields
                .into_iter()
                .filter(linked)
                .filter_map(|f| self.field(f)),
        );
        found
    }
}

/// Calls `f` for every statement of a block, ghost or not, that is not a proof.
fn each_ghost_stmt<'s>(b: &'s Block, f: &mut dyn FnMut(&'s Stmt)) {
    b.stmts.iter().for_each(|s| each_of(s, f));
}

fn each_of<'s>(s: &'s Stmt, f: &mut dyn FnMut(&'s Stmt)) {
    f(s);
    s.kind.inner().into_iter().for_each(|s| each_of(s, f));
}

/// Returns the methods and constructors that a statement calls directly.
fn calls_in(s: &Stmt) -> Vec<&Call> {
    if let StmtKind::Call { call, .. } = &s.kind {
        vec![call]
    } else if let StmtKind::Assign { pairs, .. } = &s.kind {
        pairs.iter().filter_map(|(_, r)| constructor(r)).collect()
    } else {
        Vec::new()
    }
}

fn constructor(rhs: &Rhs) -> Option<&Call> {
    match rhs {
        Rhs::New { ctor, .. } => ctor.as_ref(),
        Rhs::Expr(_) | Rhs::Havoc(_) | Rhs::NewArray { .. } => None,
    }
}
