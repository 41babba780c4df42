//! The dependency graph of declarations: functions, methods, constants, and types with constraints
//! or constructors.
//!
//! It corresponds to Dafny's call graph. A declaration depends on the declarations that it calls or
//! mentions, and on the types written in it (not on inferred ones), within its module. A member of
//! a trait depends on its overrides. Functions of traits are included across modules.

use crate::typed::{
    Arena, Body, Call, CallableId, Constrained, Expr, FieldId, FieldKind, ModuleId, Origin,
    Program, Spec, Type, TypeDeclKind, TypeId, Witness,
    visit::{self, Visit},
};

use super::context::Context;

/// A declaration in the dependency graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Declaration {
    /// A type.
    Type(TypeId),
    /// A function or method.
    Callable(CallableId),
    /// The method that implements a function-by-method.
    ByMethod(CallableId),
    /// A constant. For the types of declarations, any field.
    Const(FieldId),
}

/// The dependency graph with its strongly connected components.
pub(super) struct Graph {
    callables: usize,
    fields: usize,
    successors: Vec<Vec<usize>>,
    /// The component of each declaration.
    component: Vec<usize>,
    /// The number of declarations in each component.
    sizes: Vec<usize>,
}

impl Graph {
    /// Builds the graph of a program with resolved bodies.
    pub(super) fn of(cx: &Context) -> Self {
        let program = &cx.program;
        let (callables, fields) = (program.callables.len(), program.fields.len());
        let count = 2 * callables + fields + program.types.len();
        let mut graph = Self {
            callables,
            fields,
            successors: vec![Vec::new(); count],
            component: Vec::new(),
            sizes: Vec::new(),
        };
        graph.callables(program);
        graph.constants(program);
        graph.types(program);
        for (from, ty) in &cx.types.written {
            graph.mention(program, *from, *ty);
        }
        for (extreme, prefix) in &cx.callables.prefixes {
            graph.add(
                Declaration::Callable(*prefix),
                Declaration::Callable(*extreme),
            );
        }
        graph.find_circles();
        graph
    }

    /// Adds the calls in compiled code of functions that are implemented by methods.
    pub(super) fn add_method_calls(&mut self, cx: &Context) {
        for (from, callee) in &cx.callables.method_calls {
            if module_of(&cx.program, *from) == cx.program[*callee].module {
                self.add(*from, Declaration::ByMethod(*callee));
            }
        }
        self.find_circles();
    }

    /// Whether the declaration depends on itself directly.
    pub(super) fn mentions_itself(&self, declaration: Declaration) -> bool {
        let at = self.index(declaration);
        self.successors.get(at).is_some_and(|s| s.contains(&at))
    }

    /// The component of the declaration, if it contains other declarations too.
    pub(super) fn circle(&self, declaration: Declaration) -> Option<usize> {
        let component = *self.component.get(self.index(declaration))?;
        self.sizes
            .get(component)
            .is_some_and(|n| *n > 1)
            .then_some(component)
    }

    /// For each callable, its component and the component of the method that implements it.
    pub(super) fn circles(&self) -> Vec<(u32, u32)> {
        let component_of = |at: usize| self.component.get(at).map_or(u32::MAX, |c| *c as u32);
        (0..self.callables)
            .map(|c| (component_of(c), component_of(self.callables + c)))
            .collect()
    }

    /// Whether two declarations are equal or mutually dependent.
    pub(super) fn together(&self, a: Declaration, b: Declaration) -> bool {
        self.component.get(self.index(a)) == self.component.get(self.index(b))
    }

    fn index(&self, declaration: Declaration) -> usize {
        match declaration {
            Declaration::Callable(c) => c.0 as usize,
            Declaration::ByMethod(c) => self.callables + c.0 as usize,
            Declaration::Const(f) => 2 * self.callables + f.0 as usize,
            Declaration::Type(t) => 2 * self.callables + self.fields + t.0 as usize,
        }
    }

    fn add(&mut self, from: Declaration, to: Declaration) {
        let (from, to) = (self.index(from), self.index(to));
        if let Some(successors) = self.successors.get_mut(from) {
            successors.push(to);
        }
    }

    fn mention(&mut self, program: &Program, from: Declaration, ty: TypeId) {
        let depends = match program[ty].kind {
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Iterator(_) => true,
            TypeDeclKind::Abstract | TypeDeclKind::Class | TypeDeclKind::Trait { .. } => false,
        };
        // Imports are acyclic, so only dependencies within a module can be cyclic.
        if depends && program[ty].module == module_of(program, from) {
            self.add(from, Declaration::Type(ty));
        }
    }

    fn types_in(&mut self, program: &Program, from: Declaration, ty: &Type) {
        ty.any(&mut |t| {
            if let Type::Named { decl, .. } = t {
                self.mention(program, from, *decl);
            }
            false
        });
    }

    fn callables(&mut self, program: &Program) {
        for id in Arena::<CallableId>::ids(program) {
            let (this, callable) = (Declaration::Callable(id), &program[id]);
            // A call of the overridden member may execute this one.
            for overridden in &callable.overrides {
                self.add(Declaration::Callable(*overridden), this);
            }
            for formal in callable.ins.iter().chain(&callable.outs) {
                self.types_in(program, this, &program[formal.local].ty);
            }
            let mut uses = Uses::new(self, program, this);
            callable
                .ins
                .iter()
                .filter_map(|f| f.default.as_ref())
                .for_each(|e| uses.expr(e));
            uses.spec(&callable.spec);
            match &callable.body {
                Body::None => {}
                // Branches that were removed because only proofs need them are dependencies, too.
                Body::Expr(e) => uses.expr(program.whole_bodies.get(&id).unwrap_or(e)),
                Body::Block(b) => uses.block(b),
                Body::ByMethod(e, b) => {
                    uses.expr(e);
                    // The method is a declaration of its own, which compiled code calls.
                    let mut uses = Uses::new(self, program, Declaration::ByMethod(id));
                    uses.spec(&callable.spec);
                    uses.block(b);
                }
            }
        }
    }

    fn constants(&mut self, program: &Program) {
        for id in Arena::<FieldId>::ids(program) {
            if let FieldKind::Const(value) = &program[id].kind {
                let this = Declaration::Const(id);
                self.types_in(program, this, &program[id].ty);
                let mut uses = Uses::new(self, program, this);
                value.iter().for_each(|e| uses.expr(e));
            }
        }
    }

    fn types(&mut self, program: &Program) {
        for id in Arena::<TypeId>::ids(program) {
            let this = Declaration::Type(id);
            match &program[id].kind {
                TypeDeclKind::Datatype { ctors, .. } => {
                    for ctor in ctors {
                        let ctor = &program[*ctor];
                        ctor.fields
                            .iter()
                            .for_each(|f| self.types_in(program, this, &program[*f].ty));
                        let mut uses = Uses::new(self, program, this);
                        ctor.defaults.iter().flatten().for_each(|e| uses.expr(e));
                    }
                }
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    self.constrained(program, this, c)
                }
                // The body of an iterator runs when `MoveNext` is called, not when it is created.
                TypeDeclKind::Iterator(parts) => {
                    let Some(members) = parts.members else {
                        continue;
                    };
                    let mut uses =
                        Uses::new(self, program, Declaration::Callable(members.move_next));
                    uses.spec(&parts.spec);
                    parts.body.iter().for_each(|b| uses.block(b));
                }
                TypeDeclKind::Abstract | TypeDeclKind::Class | TypeDeclKind::Trait { .. } => {}
            }
        }
    }

    fn constrained(&mut self, program: &Program, this: Declaration, c: &Constrained) {
        self.types_in(program, this, &c.base);
        let mut uses = Uses::new(self, program, this);
        c.constraint.iter().for_each(|e| uses.expr(e));
        match &c.witness {
            Witness::Compiled(e) | Witness::Ghost(e) => uses.expr(e),
            Witness::Default | Witness::Opt => {}
        }
    }

    fn find_circles(&mut self) {
        for successors in &mut self.successors {
            successors.sort_unstable();
            successors.dedup();
        }
        self.component = components(&self.successors);
        self.sizes = vec![0; self.successors.len()];
        for component in &self.component {
            if let Some(size) = self.sizes.get_mut(*component) {
                *size += 1;
            }
        }
    }
}

fn module_of(program: &Program, declaration: Declaration) -> ModuleId {
    match declaration {
        Declaration::Type(t) => program[t].module,
        Declaration::Callable(c) | Declaration::ByMethod(c) => program[c].module,
        Declaration::Const(f) => program[f].module,
    }
}

/// Collects the dependencies in the expressions and statements of a declaration.
struct Uses<'g, 'p> {
    graph: &'g mut Graph,
    program: &'p Program,
    from: Declaration,
    module: ModuleId,
}

impl<'g, 'p> Uses<'g, 'p> {
    fn new(graph: &'g mut Graph, program: &'p Program, from: Declaration) -> Self {
        Self {
            graph,
            program,
            from,
            module: module_of(program, from),
        }
    }

    fn spec(&mut self, spec: &'p Spec) {
        visit::walk_clauses(self, &spec.requires);
        visit::walk_frames(self, &spec.reads);
        visit::walk_frames(self, &spec.modifies);
        visit::walk_clauses(self, &spec.ensures);
        spec.decreases.iter().for_each(|e| self.expr(e));
    }

    fn callable(&mut self, callee: CallableId) {
        let called = &self.program[callee];
        let of_trait = || {
            called
                .owner
                .is_some_and(|o| matches!(self.program[o].kind, TypeDeclKind::Trait { .. }))
        };
        // Functions of a trait may be overridden in this module.
        if called.module == self.module || (called.kind.is_function() && of_trait()) {
            self.graph.add(self.from, Declaration::Callable(callee));
        }
    }
}

impl<'p> Visit<'p> for Uses<'_, 'p> {
    fn expr(&mut self, e: &'p Expr) {
        match e.kind.origin() {
            Some(Origin::Function(callee)) => self.callable(callee),
            Some(Origin::Field(field)) => {
                if matches!(self.program[field].kind, FieldKind::Const(_))
                    && self.program[field].module == self.module
                {
                    self.graph.add(self.from, Declaration::Const(field));
                }
            }
            Some(Origin::Ctor(ctor, _)) => {
                self.graph
                    .mention(self.program, self.from, self.program[ctor].datatype)
            }
            // Handled by `call`, which also visits the calls of statements.
            Some(Origin::Call(_)) => {}
            Some(Origin::Local(_)) | None => {}
        }
        visit::walk_expr(self, e);
    }

    fn call(&mut self, c: &'p Call) {
        self.callable(c.callee);
        visit::walk_call(self, c);
    }
}

/// The strongly connected components of a graph, by Kosaraju's algorithm with explicit stacks. For
/// each vertex, returns the number of one vertex that represents its component.
pub(super) fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); successors.len()];
    for (from, to) in successors
        .iter()
        .enumerate()
        .flat_map(|(from, to)| to.iter().map(move |to| (from, *to)))
    {
        if let Some(back) = predecessors.get_mut(to) {
            back.push(from);
        }
    }
    // First pass: vertices in the order in which a depth-first search finishes them. Second pass:
    // the reversed graph, in the opposite order.
    let mut finished = Vec::with_capacity(successors.len());
    let mut seen = vec![false; successors.len()];
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..successors.len() {
        path.push((root, 0));
        while let Some((at, next)) = path.pop() {
            if next == 0
                && seen
                    .get_mut(at)
                    .is_none_or(|seen| std::mem::replace(seen, true))
            {
                continue;
            }
            match successors.get(at).and_then(|s| s.get(next)) {
                Some(to) => path.extend([(at, next + 1), (*to, 0)]),
                None => finished.push(at),
            }
        }
    }
    let mut component = vec![usize::MAX; successors.len()];
    for root in finished.into_iter().rev() {
        let mut work = vec![root];
        while let Some(at) = work.pop() {
            if let Some(c) = component.get_mut(at).filter(|c| **c == usize::MAX) {
                *c = root;
                work.extend(predecessors.get(at).into_iter().flatten());
            }
        }
    }
    component
}
