//! Moves the variables of one type and scope to the values of a map, with their names as keys.
//!
//! All their values are expressions, because results of methods and allocations cannot be part of a
//! map update. A variable that is declared without a value takes part if the next statement that
//! mentions it assigns it.
//!
//! Loops that change the map get invariants: the keys are present and, by comparison with a copy of
//! the map from before the loop, the values of variables that the loop does not assign are
//! unchanged. The verifier knows both for variables (the thesis has a false positive here, figure
//! 7.11).

use dafny_resolve::typed::LocalId;
use dafny_syntax::ast::{
    Assign, BinaryOp, Block, Clause, Ctor, DatatypeDecl, Expr, ExprKind, Formal, GuardedCase,
    LocalVar, Modifiers, Name, Rhs, RhsKind, Span, Spec, Stmt, StmtCase, StmtKind, TopDecl, Type,
    Update, VarDecl,
};
use dafny_syntax::visit::{Node, VisitMut};

use super::variables::{Scope, Variable, assigns, is_pure, scopes};
use crate::build::{
    assign, binary, call, declare, expr, formal, ident, index, invariant, named_type, rhs, select,
    stmt, string, var,
};
use crate::driver::Dialect;
use crate::edit::{add_decl, edit_list};
use crate::facts::Facts;
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::random::Random;
use crate::scan::module_span;
use crate::types::Writer;

/// The scopes with such variables.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let fits = |facts: &Facts<'_>, local: LocalId, _| {
        let assigned = facts.assigned(local);
        !assigned.made && !assigned.called
    };
    let place = |scope: Scope<'w>| {
        let first = scope.stmts.first().map(|s| s.span)?;
        Some(Place::new(first, move |rng, names| {
            change(work, &scope, rng, names)
        }))
    };
    scopes(work, fits).into_iter().filter_map(place).collect()
}

/// Like [`places`], for a datatype.
pub(super) fn places_of_datatype<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let fits = |facts: &Facts<'_>, local: LocalId, _| {
        let assigned = facts.assigned(local);
        !assigned.made && !assigned.called
    };
    let place = |scope: Scope<'w>| {
        let first = scope.stmts.first().map(|s| s.span)?;
        Some(Place::new(first, move |rng, names| {
            to_datatype(work, &scope, rng, names)
        }))
    };
    scopes(work, fits).into_iter().filter_map(place).collect()
}

/// Moves some variables of one declaration to the arguments of a datatype value.
fn to_datatype(
    work: &Work<'_>,
    scope: &Scope<'_>,
    rng: &mut Random,
    names: &mut Names,
) -> Option<dafny_syntax::ast::File> {
    let one = rng.pick(&scope.variables)?;
    let declaration = scope
        .stmts
        .get(one.ready)
        .filter(|s| is_pure(work.facts, s))?;
    let StmtKind::VarDecl(d) = &declaration.kind else {
        return None;
    };
    // Parameters of the constructor need different names, so only the first of several variables
    // with a name is taken.
    let is_first_of_its_name = |v: &Variable| {
        scope
            .variables
            .iter()
            .find(|o| o.name == v.name)
            .is_some_and(|o| o.local == v.local)
    };
    let is_here = |v: &Variable| {
        d.vars
            .iter()
            .any(|o| work.facts.declared(&o.name) == Some(v.local))
    };
    let together = scope
        .variables
        .iter()
        .filter(|v| is_here(v) && v.ghost == one.ghost && is_first_of_its_name(v));
    let mut merged: Vec<Variable> = together.cloned().collect();
    rng.shuffle(&mut merged);
    merged.truncate(1 + rng.below(merged.len()));
    let writer = Writer {
        work,
        cx: &scope.cx,
        owner: None,
    };
    let fields: Vec<Formal> = merged
        .iter()
        .map(|v| Some(formal(&v.name, writer.write(&v.ty)?)))
        .collect::<Option<_>>()?;
    let (ty, ctor) = (names.fresh("Held"), names.fresh("Hold"));
    let store = Store::Datatype(ctor.clone());
    let mut file = work.file.clone();
    let mut merge = Merge {
        facts: work.facts,
        dialect: work.dialect,
        merged: &merged,
        store,
        map: names.fresh("held"),
        names,
        at: 0,
        replaced: 0,
        fits: true,
    };
    edit_list(&mut file, scope.stmts.first()?.span, |stmts, _| {
        merge.list_of_scope(stmts)
    });
    // If some use was not replaced, it was in a place that the traversal does not reach: give up.
    let uses: usize = merged.iter().map(|v| work.facts.uses(v.local)).sum();
    let fits = merge.fits && merge.replaced == uses;
    let ctor = Ctor {
        modifiers: Modifiers::default(),
        name: ident(&ctor),
        formals: fields,
        span: Span::default(),
    };
    let decl = TopDecl::Datatype(DatatypeDecl {
        co: false,
        modifiers: Modifiers::default(),
        name: ident(&ty),
        type_params: Vec::new(),
        extends: Vec::new(),
        ctors: vec![ctor],
        members: Vec::new(),
        is_refining: false,
        span: Span::default(),
    });
    (fits && add_decl(&mut file, module_span(&scope.cx), decl)).then_some(file)
}

/// The data structure that replaces variables.
enum Store {
    /// A map with names as keys.
    Map,
    /// A value of a datatype with this constructor. Its parameters have the names of the variables.
    Datatype(Name),
}

fn change(
    work: &Work<'_>,
    scope: &Scope<'_>,
    rng: &mut Random,
    names: &mut Names,
) -> Option<dafny_syntax::ast::File> {
    // Take the variables with the type and ghostness of a random one.
    let one = rng.pick(&scope.variables)?.clone();
    let mut merged: Vec<Variable> = scope
        .variables
        .iter()
        .filter(|v| v.ty == one.ty && v.ghost == one.ghost)
        .cloned()
        .collect();
    // The names are keys of the map, so only the first of several variables with a name is taken.
    let is_first_of_its_name = |v: &Variable| {
        scope
            .variables
            .iter()
            .find(|o| o.name == v.name)
            .is_some_and(|o| o.local == v.local)
    };
    merged.retain(is_first_of_its_name);
    rng.shuffle(&mut merged);
    merged.truncate(1 + rng.below(merged.len()));
    let value = Writer {
        work,
        cx: &scope.cx,
        owner: None,
    }
    .write(&one.ty)?;
    let mut file = work.file.clone();
    let mut merge = Merge {
        facts: work.facts,
        dialect: work.dialect,
        merged: &merged,
        store: Store::Map,
        map: names.fresh("m"),
        names,
        at: 0,
        replaced: 0,
        fits: true,
    };
    edit_list(&mut file, scope.stmts.first()?.span, |stmts, _| {
        merge.scope(stmts, one.ghost, value)
    });
    let uses: usize = merged.iter().map(|v| work.facts.uses(v.local)).sum();
    (merge.fits && merge.replaced == uses).then_some(file)
}

struct Merge<'a> {
    facts: &'a Facts<'a>,
    dialect: Dialect,
    merged: &'a [Variable],
    store: Store,
    /// The variable that holds the data structure.
    map: Name,
    names: &'a mut Names,
    /// The index of the statement being changed in the scope.
    at: usize,
    /// The number of replaced reads.
    replaced: usize,
    fits: bool,
}

impl Merge<'_> {
    fn scope(&mut self, stmts: &mut Vec<Stmt>, ghost: bool, value: Type) {
        let declares = |s: &Stmt| {
            let StmtKind::VarDecl(d) = &s.kind else {
                return false;
            };
            d.vars
                .iter()
                .any(|v| self.variable(self.facts.declared(&v.name)).is_some())
        };
        let first = stmts.iter().position(declares).unwrap_or(0);
        let mut new = Vec::new();
        for (at, s) in std::mem::take(stmts).into_iter().enumerate() {
            if at == first {
                let ty = named_type("map", vec![named_type("string", vec![]), value.clone()]);
                let empty = expr(ExprKind::MapDisplay {
                    infinite: false,
                    pairs: Vec::new(),
                });
                new.push(declare(ghost, &self.map, Some(ty), rhs(empty)));
            }
            self.at = at;
            self.statement(s, &mut new);
        }
        *stmts = new;
    }

    /// Rewrites the statements of the scope, one of which declares all merged variables.
    fn list_of_scope(&mut self, stmts: &mut Vec<Stmt>) {
        let mut new = Vec::new();
        for (at, s) in std::mem::take(stmts).into_iter().enumerate() {
            self.at = at;
            self.statement(s, &mut new);
        }
        *stmts = new;
    }

    /// Builds the read of a variable from a data structure.
    fn read(&self, store: &str, name: &str) -> Expr {
        match self.store {
            Store::Map => index(var(store), string(name)),
            Store::Datatype(_) => select(var(store), name),
        }
    }

    fn variable(&self, local: Option<LocalId>) -> Option<&Variable> {
        self.merged.iter().find(|v| Some(v.local) == local)
    }

    fn list(&mut self, stmts: &mut Vec<Stmt>) {
        let mut new = Vec::new();
        for s in std::mem::take(stmts) {
            self.statement(s, &mut new);
        }
        *stmts = new;
    }

    fn statement(&mut self, mut s: Stmt, out: &mut Vec<Stmt>) {
        if let StmtKind::VarDecl(d) = &mut s.kind
            && d.vars
                .iter()
                .any(|v| self.variable(self.facts.declared(&v.name)).is_some())
        {
            self.declaration(s, out)
        } else if let StmtKind::Update(Update { lhs, .. }) = &mut s.kind {
            let targets = self
                .facts
                .targets(&Stmt {
                    kind: StmtKind::Skeleton,
                    ..bare(s.span)
                })
                .unwrap_or_default();
            let keys: Vec<Option<Name>> = (0..lhs.len())
                .map(|i| {
                    self.variable(targets.get(i).copied().flatten())
                        .map(|v| v.name.clone())
                })
                .collect();
            if keys.iter().any(Option::is_some) {
                self.update(s, &keys, out)
            } else {
                self.other(s, out)
            }
        } else if matches!(
            &mut s.kind,
            StmtKind::While { .. } | StmtKind::WhileCase { .. } | StmtKind::For { .. }
        ) {
            self.a_loop(s, out)
        } else {
            self.other(s, out)
        }
    }

    fn other(&mut self, mut s: Stmt, out: &mut Vec<Stmt>) {
        s.walk_mut(self);
        out.push(s);
    }

    /// Splits a declaration. Variables that stay are declared after the map, because their names
    /// may denote other variables in the values.
    fn declaration(&mut self, mut s: Stmt, out: &mut Vec<Stmt>) {
        let pure = is_pure(self.facts, &s);
        s.walk_mut(self);
        let StmtKind::VarDecl(VarDecl { ghost, vars, init }) = s.kind else {
            return;
        };
        let is_merged = |v: &LocalVar| self.variable(self.facts.declared(&v.name)).is_some();
        match init {
            // The map is declared elsewhere, so merged variables without value need no statement.
            None => {
                let kept: Vec<LocalVar> = vars.into_iter().filter(|v| !is_merged(v)).collect();
                if !kept.is_empty() {
                    out.push(stmt(StmtKind::VarDecl(VarDecl {
                        ghost,
                        vars: kept,
                        init: None,
                    })));
                }
            }
            Some(Assign::Rhs(values)) if pure && values.len() == vars.len() => {
                // A pure declaration may be split, because the order of its values does not matter.
                let (merged, kept): (Vec<_>, Vec<_>) = vars
                    .into_iter()
                    .zip(values)
                    .partition(|(v, _)| is_merged(v));
                let pairs: Vec<(Name, Expr)> = merged
                    .into_iter()
                    .filter_map(|(v, r)| Some((v.name.name, value_of(r)?)))
                    .collect();
                out.push(match &self.store {
                    Store::Map => assign(var(&self.map), self.updated(pairs)),
                    Store::Datatype(ctor) => {
                        let value_of_variable = |v: &Variable| {
                            pairs
                                .iter()
                                .find(|(n, _)| *n == v.name)
                                .map(|(_, e)| e.clone())
                        };
                        let args: Vec<Expr> =
                            self.merged.iter().filter_map(value_of_variable).collect();
                        declare(
                            ghost || self.merged.iter().all(|v| v.ghost),
                            &self.map,
                            None,
                            rhs(call(var(ctor), args)),
                        )
                    }
                });
                if !kept.is_empty() {
                    let (vars, values) = kept.into_iter().unzip();
                    out.push(stmt(StmtKind::VarDecl(VarDecl {
                        ghost,
                        vars,
                        init: Some(Assign::Rhs(values)),
                    })));
                }
            }
            Some(Assign::Rhs(_) | Assign::SuchThat { .. } | Assign::Failure { .. }) => {
                self.fits = false
            }
        }
    }

    fn update(&mut self, mut s: Stmt, keys: &[Option<Name>], out: &mut Vec<Stmt>) {
        let pure = is_pure(self.facts, &s);
        let StmtKind::Update(Update {
            lhs,
            assign: Assign::Rhs(values),
        }) = &mut s.kind
        else {
            self.fits = false;
            return;
        };
        if !pure || values.len() != lhs.len() {
            self.fits = false;
            return;
        }
        values.accept_mut(self);
        let (mut left, mut right, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        let mut place = None;
        for ((mut target, value), key) in lhs.drain(..).zip(values.drain(..)).zip(keys) {
            match key {
                Some(key) => {
                    place.get_or_insert(left.len());
                    pairs.extend(value_of(value).map(|v| (key.clone(), v)));
                }
                None => {
                    target.accept_mut(self);
                    left.push(target);
                    right.push(value);
                }
            }
        }
        let place = place.unwrap_or(0).min(left.len());
        left.insert(place, var(&self.map));
        right.insert(place, rhs(self.updated(pairs)));
        let assign = Assign::Rhs(right);
        out.push(Stmt {
            kind: StmtKind::Update(Update { lhs: left, assign }),
            ..s
        });
    }

    /// Builds the map with new values: an update for one key, a merge with another map for several.
    fn updated(&self, mut pairs: Vec<(Name, Expr)>) -> Expr {
        let map = var(&self.map);
        if let Store::Datatype(_) = self.store {
            let updates = pairs
                .into_iter()
                .map(|(name, value)| (ident(&name), value))
                .collect();
            return expr(ExprKind::DatatypeUpdate {
                object: Box::new(map),
                updates,
            });
        }
        let update = |m: Expr, (key, value): (Name, Expr)| {
            expr(ExprKind::Update {
                object: Box::new(m),
                key: Box::new(string(&key)),
                value: Box::new(value),
            })
        };
        match (self.dialect, pairs.len()) {
            (Dialect::Four, 2..) => {
                let pairs = pairs.into_iter().map(|(k, v)| (string(&k), v)).collect();
                binary(
                    BinaryOp::Add,
                    map,
                    expr(ExprKind::MapDisplay {
                        infinite: false,
                        pairs,
                    }),
                )
            }
            // Dafny 2 cannot merge maps. Here as well, all values are evaluated before the
            // assignment.
            (Dialect::Four | Dialect::Two, _) => pairs.drain(..).fold(map, update),
        }
    }

    /// Adds the invariants to a loop that changes the map, which the verifier would know about
    /// variables.
    fn a_loop(&mut self, mut s: Stmt, out: &mut Vec<Stmt>) {
        let is_assigned = |s: &Stmt, v: &Variable| assigns(self.facts, s, &|l| l == v.local);
        let assigned: Vec<bool> = self.merged.iter().map(|v| is_assigned(&s, v)).collect();
        s.walk_mut(self);
        if assigned.contains(&true) {
            let ready: Vec<(&Variable, bool)> = self
                .merged
                .iter()
                .zip(assigned)
                .filter(|(v, _)| v.ready < self.at)
                .collect();
            let mut clauses: Vec<Clause> = match self.store {
                // The keys of the variables that have a value before the loop are in the map.
                Store::Map => ready
                    .iter()
                    .map(|(v, _)| invariant(binary(BinaryOp::In, string(&v.name), var(&self.map))))
                    .collect(),
                Store::Datatype(_) => Vec::new(),
            };
            // Variables that the loop does not assign keep their values.
            if ready.iter().any(|(_, assigned)| !assigned) {
                let before = self.names.fresh("before");
                out.push(declare(true, &before, None, rhs(var(&self.map))));
                let same = |v: &Variable| {
                    let value = |m: &str| self.read(m, &v.name);
                    invariant(binary(BinaryOp::Eq, value(&self.map), value(&before)))
                };
                clauses.extend(
                    ready
                        .iter()
                        .filter(|(_, assigned)| !assigned)
                        .map(|(v, _)| same(v)),
                );
            }
            if let StmtKind::While { spec, .. }
            | StmtKind::WhileCase { spec, .. }
            | StmtKind::For { spec, .. } = &mut s.kind
            {
                let Spec { clauses: old } = std::mem::take(spec);
                clauses.extend(old);
                spec.clauses = clauses;
            }
        }
        out.push(s);
    }
}

/// A statement that only has a span.
fn bare(span: Span) -> Stmt {
    Stmt {
        span,
        ..stmt(StmtKind::Skeleton)
    }
}

fn value_of(value: Rhs) -> Option<Expr> {
    match value.kind {
        RhsKind::Expr(e) => Some(e),
        RhsKind::Havoc | RhsKind::New { .. } | RhsKind::NewArray { .. } => None,
    }
}

impl VisitMut for Merge<'_> {
    fn block(&mut self, node: &mut Block) {
        self.list(&mut node.stmts);
    }
    fn guarded_case(&mut self, node: &mut GuardedCase) {
        node.guard.accept_mut(self);
        self.list(&mut node.body);
    }
    fn stmt_case(&mut self, node: &mut StmtCase) {
        self.list(&mut node.body);
    }
    fn expr(&mut self, node: &mut Expr) {
        match self.variable(self.facts.local(node)) {
            Some(v) if matches!(node.kind, ExprKind::Name { .. }) => {
                *node = self.read(&self.map, &v.name);
                self.replaced += 1;
            }
            Some(_) | None => node.walk_mut(self),
        }
    }
}
