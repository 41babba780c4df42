//! Liveness analysis of functions: turns clones of variables into moves, and finds values that are
//! never read.
//!
//! A translated expression that needs a variable's value is an [`Expr::Take`], because the
//! translation does not know what follows. This pass walks a function backwards with the set of
//! variables that are still needed, and turns the last use of each into a move; the others become
//! clones. The analysis is conservative: a variable that a reference may point into, or that is
//! used again in the same expression, is cloned.
//!
//! The same walk finds values that are never read, and variables that are assigned more than once
//! ([`Purpose`]). The hard part is loops: the variables that the start of a loop needs are found by
//! iteration ([`Pass::looped`]).

use crate::rust::resolved::{
    Argument, Arm, Assign, Block, Closure, Expr, Function, If, Let, Loop, LoopHead, MacroName,
    NameId, NameTable, Names, Pat, Stmt, Visit, bound, mentions,
};
use dtest_sorted::SortedMap;

/// Turns the last uses of variables into moves.
pub(super) fn settle(f: &mut Function) {
    let found = Survey::of(&f.body);
    if found.takes {
        Pass::new(&found, &f.names, Purpose::Settle).block(&mut f.body, &Names::new());
    }
}

/// Marks values in `let`s and assignments that are never read, and removes such places from
/// assigned tuples.
pub(super) fn mark_dead(f: &mut Function) {
    Pass::new(&Survey::of(&f.body), &f.names, Purpose::Mark).block(&mut f.body, &Names::new());
}

/// Returns the variables that are changed after their first assignment.
pub(super) fn changed(f: &mut Function) -> Names {
    let found = Survey::of(&f.body);
    let mut pass = Pass::new(&found, &f.names, Purpose::Changes);
    pass.block(&mut f.body, &Names::new());
    pass.changed
}

/// The purpose of a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Finds the last uses of variables.
    Settle,
    /// Marks values that are never read.
    Mark,
    /// Finds variables that change.
    Changes,
}

/// Facts about a function that are collected before the walk.
#[derive(Default)]
struct Survey {
    takes: bool,
    /// For a variable that is a reference: the variables that it may point into.
    borrows: SortedMap<NameId, Names>,
}

impl Survey {
    fn of(body: &Block) -> Self {
        let mut found = Self::default();
        found.block(body);
        found
    }

    /// Whether one of the names is a reference into the variable.
    fn points_into(&self, names: &Names, variable: NameId) -> bool {
        names.iter().any(|n| {
            self.borrows
                .get(n)
                .is_some_and(|into| into.contains(&variable))
        })
    }
}

impl Visit for Survey {
    fn expr(&mut self, e: &Expr) {
        self.takes |= matches!(e, Expr::Take(_));
        self.inside_expr(e);
    }

    fn stmt(&mut self, s: &Stmt) {
        if let Stmt::Let(l) = s
            && let Let {
                pat,
                value: Some(value),
                borrows: true,
                ..
            } = &**l
        {
            let mut into = mentions(value);
            // A reference that is derived from another one points into the same variables.
            let further: Names = into
                .iter()
                .filter_map(|n| self.borrows.get(n))
                .flatten()
                .copied()
                .collect();
            into.extend(further);
            for name in bound(pat) {
                self.borrows.entry(name).or_default().extend(&into);
            }
        }
        self.inside_stmt(s);
    }
}

/// The liveness state at a program point.
#[derive(Clone, Default, PartialEq)]
struct Live {
    /// The variables whose values are needed later.
    needed: Names,
    /// The variables that are assigned later.
    assigned: Names,
}

impl Live {
    fn join(&mut self, other: &Self) {
        self.needed.extend(&other.needed);
        self.assigned.extend(&other.assigned);
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The target of a jump.
#[derive(Default)]
struct Target {
    label: Option<String>,
    is_loop: bool,
    /// The state after the loop or block, and at the start of the next iteration.
    after: Live,
    head: Live,
}

struct Pass<'s> {
    survey: &'s Survey,
    names: &'s NameTable,
    live: Live,
    loops: Vec<Target>,
    /// For each enclosing closure, the names that are bound in it.
    closures: Vec<Names>,
    /// The number of enclosing clauses; their macros evaluate an operand and also show it.
    clauses: usize,
    /// Whether the walk changes the tree. Otherwise it only computes the state at the start of a
    /// loop.
    marking: bool,
    purpose: Purpose,
    /// Returns the variables that are changed after their first assignment.
    changed: Names,
}

impl<'s> Pass<'s> {
    fn new(survey: &'s Survey, names: &'s NameTable, purpose: Purpose) -> Self {
        Self {
            survey,
            names,
            live: Live::default(),
            loops: Vec::new(),
            closures: Vec::new(),
            clauses: 0,
            marking: true,
            purpose,
            changed: Names::new(),
        }
    }
}

impl Pass<'_> {
    fn is_marking(&self) -> bool {
        self.marking && self.purpose == Purpose::Mark
    }

    /// Whether the innermost closure, if there is one, declares the variable.
    fn is_own(&self, name: NameId) -> bool {
        self.closures
            .last()
            .is_none_or(|bound| bound.contains(&name))
    }

    /// Whether a value that is assigned to the variable here is never read.
    fn is_dead(&self, name: NameId) -> bool {
        !self.live.needed.contains(&name) && self.names.is_declared(name) && self.is_own(name)
    }

    /// Processes a declaration.
    fn declare(&mut self, l: &mut Let) {
        let names = bound(&l.pat);
        // The walk goes backwards, so an assignment that was seen already comes after this value.
        if l.value.is_some() {
            self.changed.extend(names.intersection(&self.live.assigned));
        }
        if self.is_marking() {
            // Only the declaration of a single variable can be dropped as a whole.
            let is_alone = (matches!(l.pat, Pat::Bind(_)) || l.ty.is_some())
                && names.len() == 1
                && l.value.is_some();
            l.is_dead = is_alone && names.iter().all(|&n| self.is_dead(n));
        }
        // Before its declaration, a variable has no value that could be needed.
        for name in &names {
            self.live.needed.remove(name);
            self.live.assigned.remove(name);
        }
    }

    /// Processes an assignment to a variable.
    fn store(&mut self, name: NameId) {
        // The first assignment after a declaration without a value initializes; only a second one
        // changes.
        if !self.live.assigned.insert(name) {
            self.changed.insert(name);
        }
        self.live.needed.remove(&name);
    }

    /// Processes a change of a place.
    fn change(&mut self, place: &Expr) {
        if let Expr::Name(n) = place {
            self.changed.insert(*n);
        } else if let Expr::Field(e, _) | Expr::Index(e, _) | Expr::Paren(e) = place {
            self.change(e);
        }
    }

    fn block(&mut self, b: &mut Block, held: &Names) {
        for s in b.stmts.iter_mut().rev() {
            match s {
                Stmt::Let(l) => {
                    self.declare(l);
                    if let Some(e) = &mut l.or_else {
                        // `else` leaves the block, or the variables are bound: either may follow
                        // the value.
                        let after = self.live.clone();
                        self.expr(e, held);
                        self.live.join(&after);
                    }
                    if let Some(e) = &mut l.value {
                        self.expr(e, held);
                    }
                }
                Stmt::Run(e) | Stmt::Value(e) => self.expr(e, held),
                Stmt::Space | Stmt::Fn(_) => {}
            }
        }
    }

    /// Removes variables from the needed ones, because they are assigned here.
    fn kill(&mut self, names: &Names) {
        self.live.needed.retain(|n| !names.contains(n));
    }

    /// Processes operands, given in evaluation order. The value of each is held while the later
    /// ones are evaluated, so none of its variables can be moved by them.
    fn operands<'e>(&mut self, operands: impl IntoIterator<Item = &'e mut Expr>, held: &Names) {
        let mut operands: Vec<&mut Expr> = operands.into_iter().collect();
        let mut before = vec![held.clone()];
        for o in &operands {
            let mut next = before.last().cloned().unwrap_or_default();
            next.extend(mentions(o));
            before.push(next);
        }
        // The last entry is the state after all operands, which no operand is evaluated in.
        before.pop();
        while let (Some(o), Some(held)) = (operands.pop(), before.pop()) {
            self.expr(o, &held);
        }
    }

    /// Passes over an expression, from its end to its start.
    fn expr(&mut self, e: &mut Expr, held: &Names) {
        // Nothing after the call runs, so nothing is needed there.
        if e.diverges() {
            self.live.clear();
        }
        match e {
            Expr::Take(name) => {
                let name = *name;
                self.take(e, name, held);
            }
            Expr::Name(name) => {
                self.live.needed.insert(*name);
            }
            Expr::Method(m) => {
                if m.changes {
                    self.change(&m.receiver);
                }
                self.operands(std::iter::once(&mut m.receiver).chain(&mut m.args), held);
            }
            Expr::Call(c) => self.operands(std::iter::once(&mut c.func).chain(&mut c.args), held),
            Expr::Macro(m) if m.name.is_on_one_line() => self.live.needed.extend(mentions(e)),
            Expr::Macro(m) => {
                // These macros evaluate an operand and name it again in their message, so it is not
                // moved.
                let is_clause = matches!(
                    m.name,
                    MacroName::Expect
                        | MacroName::ExpectEq
                        | MacroName::Require
                        | MacroName::DafnyPrint
                );
                self.clauses += usize::from(is_clause);
                self.operands(m.args.iter_mut().flat_map(values), held);
                self.clauses -= usize::from(is_clause);
            }
            // The right operand may be skipped.
            Expr::Binary(op, left, right) if op.is_lazy() => {
                let after = self.live.clone();
                self.expr(right, held);
                self.live.join(&after);
                self.expr(left, held);
            }
            Expr::Update(_, place, value) => {
                self.change(place);
                self.operands([&mut **place, &mut **value], held);
            }
            Expr::Assign(a) => self.assign(a, held),
            Expr::Reference { mutable, of } => {
                if *mutable {
                    self.change(of);
                }
                self.expr(of, held);
            }
            Expr::Unary(_, e) | Expr::Paren(e) | Expr::Field(e, _) | Expr::Cast(e, _) => {
                self.expr(e, held)
            }
            Expr::Binary(_, a, b) | Expr::Index(a, b) => self.operands([&mut **a, &mut **b], held),
            Expr::Struct { fields, rest, .. } => self.operands(
                fields.iter_mut().map(|(_, e)| e).chain(rest.as_deref_mut()),
                held,
            ),
            Expr::Tuple(es) | Expr::Array(es) => self.operands(es, held),
            Expr::Range { from, to, .. } => self.operands(
                from.as_deref_mut().into_iter().chain(to.as_deref_mut()),
                held,
            ),
            Expr::Block { label, block } => self.labelled_block(label.as_deref(), block, held),
            Expr::If(i) => self.branch(i, held),
            Expr::Match(e, arms) => self.matching(e, arms, held),
            Expr::Loop(l) => self.looped(l, held),
            Expr::Closure(c) => self.closure(c),
            Expr::Return(e) => {
                self.live.clear();
                if let Some(e) = e {
                    self.expr(e, held);
                }
            }
            Expr::Break(label, e) => {
                // What follows in the text is not reached; the state is that at the target.
                self.live = self
                    .target(label.as_deref())
                    .map(|t| t.after.clone())
                    .unwrap_or_default();
                if let Some(e) = e {
                    self.expr(e, held);
                }
            }
            Expr::Continue(label) => {
                // The next iteration starts with the head.
                self.live = self
                    .target(label.as_deref())
                    .map(|t| t.head.clone())
                    .unwrap_or_default()
            }
            Expr::Let(p, e) => {
                self.kill(&bound(p));
                self.expr(e, held);
            }
            Expr::Literal(_) | Expr::Path(_) | Expr::Ignored => {}
            // Conservatively, all variables in it are needed.
            Expr::Await(_) => self.live.needed.extend(mentions(e)),
        }
    }

    /// Passes over a `Take`. It becomes a plain name where the variable may be moved; a `Take` that
    /// stays is printed as a clone.
    fn take(&mut self, e: &mut Expr, name: NameId, held: &Names) {
        if self.marking && self.purpose == Purpose::Settle && self.may_move(name, held) {
            *e = Expr::Name(name);
        }
        self.live.needed.insert(name);
    }

    /// Passes over a block. A `break` out of the block continues after it.
    fn labelled_block(&mut self, label: Option<&str>, block: &mut Block, held: &Names) {
        self.loops.push(Target {
            label: label.map(Into::into),
            is_loop: false,
            after: self.live.clone(),
            head: Live::default(),
        });
        self.block(block, held);
        self.loops.pop();
    }

    /// Passes over a closure. It may run any number of times, so that the variables of its
    /// environment are never moved.
    fn closure(&mut self, c: &mut Closure) {
        let inside = declared(|find| {
            c.params.iter().for_each(|(p, _)| find.pat(p));
            find.expr(&c.body);
        });
        self.apart(inside, |pass| pass.expr(&mut c.body, &Names::new()));
    }

    /// Whether a variable may be moved here.
    fn may_move(&self, name: NameId, held: &Names) -> bool {
        // The variable is not read later, is not held by an operand that was evaluated before, is
        // not borrowed by either, and is not captured.
        self.clauses == 0
            && !self.live.needed.contains(&name)
            && !held.contains(&name)
            && !self.survey.points_into(&self.live.needed, name)
            && !self.survey.points_into(held, name)
            && self.is_own(name)
    }

    fn assign(&mut self, a: &mut Assign, held: &Names) {
        if let Expr::Name(name) = &a.place {
            if self.is_marking() {
                a.is_dead = self.is_dead(*name);
            }
            self.store(*name);
        } else if let Expr::Tuple(places) = &mut a.place
            && places
                .iter()
                .all(|e| matches!(e, Expr::Name(_) | Expr::Ignored))
        {
            // Of a tuple, the parts that are read stay; the others become `_`.
            for place in places {
                if let Expr::Name(name) = *place {
                    if self.is_marking() && self.is_dead(name) {
                        *place = Expr::Ignored;
                    }
                    self.store(name);
                }
            }
        } else if a.place != Expr::Ignored {
            // A field or an element: the variable around it stays needed.
            self.change(&a.place);
            self.expr(&mut a.place, held);
        }
        self.expr(&mut a.value, held);
    }

    fn branch(&mut self, i: &mut If, held: &Names) {
        let inside = held_in(&i.cond, held);
        let after = self.live.clone();
        self.block(&mut i.then, &inside);
        // Both branches start from the state after the `if`; without `else`, that state is a branch
        // itself.
        let then = std::mem::replace(&mut self.live, after);
        if let Some(e) = &mut i.els {
            self.expr(e, held);
        }
        self.live.join(&then);
        self.expr(&mut i.cond, held);
    }

    fn matching(&mut self, e: &mut Expr, arms: &mut [Arm], held: &Names) {
        let after = self.live.clone();
        let mut all = Live::default();
        let scrutinee = mentions(e);
        for arm in arms {
            self.live.clone_from(&after);
            let names = bound(&arm.pat);
            // Names of the pattern may be references into the scrutinee, which must then outlive
            // the arm.
            let inside = if names.is_empty() {
                held.clone()
            } else {
                held | &scrutinee
            };
            self.expr(&mut arm.body, &inside);
            if let Some(guard) = &mut arm.guard {
                // If the guard fails, a later arm runs. The guard sees the bindings by reference,
                // so it moves nothing.
                self.live.join(&after);
                self.clauses += 1;
                self.expr(guard, &inside);
                self.clauses -= 1;
            }
            self.kill(&names);
            all.join(&std::mem::take(&mut self.live));
        }
        self.live = all;
        self.expr(e, held);
    }

    /// Processes a loop. The state at its start is computed first, because the end of an iteration
    /// continues there.
    fn looped(&mut self, l: &mut Loop, held: &Names) {
        let inside = match &l.head {
            LoopHead::Always => held.clone(),
            LoopHead::While(cond) => held_in(cond, held),
            LoopHead::For(_, values) => held | &mentions(values),
        };
        let mut target = Target {
            label: l.label.clone(),
            is_loop: true,
            after: self.live.clone(),
            head: Live::default(),
        };
        // The state at the head grows with each round and is bounded by the variables of the
        // function, so this ends. Nothing is marked before it is complete.
        let marking = std::mem::replace(&mut self.marking, false);
        loop {
            target = self.round(target, l, held, &inside);
            if self.live == target.head {
                break;
            }
            target.head.join(&self.live);
        }
        self.marking = marking;
        self.round(target, l, held, &inside);
        if let LoopHead::For(_, values) = &mut l.head {
            self.expr(values, held);
        }
    }

    /// Walks once over a loop, from its end to its start, where it may also be left unless it is
    /// infinite.
    fn round(&mut self, target: Target, l: &mut Loop, held: &Names, inside: &Names) -> Target {
        self.live.clone_from(&target.head);
        self.loops.push(target);
        self.block(&mut l.body, inside);
        let target = self.loops.pop().unwrap_or_default();
        match &mut l.head {
            LoopHead::Always => {}
            LoopHead::While(cond) => {
                // The condition decides whether the loop is left.
                self.live.join(&target.after);
                self.expr(cond, held);
            }
            LoopHead::For(pat, _) => {
                self.kill(&bound(pat));
                self.live.join(&target.after);
            }
        }
        self.live.join(&target.head);
        target
    }

    /// Processes code that runs later or repeatedly: the body of a closure, in which these names
    /// are declared.
    fn apart(&mut self, names: Names, walk: impl FnOnce(&mut Self)) {
        let (after, loops) = (
            std::mem::take(&mut self.live),
            std::mem::take(&mut self.loops),
        );
        // Jumps do not leave a closure, and what follows it does not follow its body.
        self.closures.push(names);
        walk(self);
        let names = self.closures.pop().unwrap_or_default();
        self.loops = loops;
        let used = std::mem::replace(&mut self.live, after);
        // The environment's variables are assigned in place, whenever the closure runs.
        let outer_assigned = &used.assigned - &names;
        self.changed.extend(&outer_assigned);
        self.live.needed.extend(outer_assigned);
        self.live.needed.extend(&used.needed - &names);
    }

    fn target(&self, label: Option<&str>) -> Option<&Target> {
        match label {
            Some(_) => self
                .loops
                .iter()
                .rev()
                .find(|t| t.label.as_deref() == label),
            None => self.loops.iter().rev().find(|t| t.is_loop),
        }
    }
}

/// Returns the variables that are held while a branch runs: the operands of a pattern in its
/// condition.
fn held_in(cond: &Expr, held: &Names) -> Names {
    if let Expr::Let(_, e) = cond {
        held | &mentions(e)
    } else {
        held.clone()
    }
}

/// Returns the expressions of an argument, in evaluation order.
fn values(a: &mut Argument) -> impl Iterator<Item = &mut Expr> {
    let (first, second) = match a {
        Argument::Value(e) => (Some(e), None),
        Argument::Pair(a, b) | Argument::Times(a, b) => (Some(a), Some(b)),
        Argument::Pattern(_) | Argument::Type(_) => (None, None),
    };
    first.into_iter().chain(second)
}

/// Returns the variables that are declared in the code that `walk` visits.
fn declared(walk: impl FnOnce(&mut Declared)) -> Names {
    let mut found = Declared(Names::new());
    walk(&mut found);
    found.0
}

struct Declared(Names);

impl Visit for Declared {
    fn pat(&mut self, p: &Pat) {
        self.0.extend(bound(p));
    }
}

#[cfg(test)]
mod tests {
    use crate::rust::{Expr, Ident, Stmts, items, stmts};

    /// Returns the body of a function of `a` and `b` after the passes.
    fn settled(body: Stmts) -> String {
        let printed = super::super::tidied(items!(fn f(a: A, b: A) { #..body }));
        let inner = printed
            .trim()
            .strip_prefix("fn f(a: A, b: A) {")
            .and_then(|t| t.strip_suffix('}'))
            .unwrap_or(&printed);
        inner.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn check(body: Stmts, expected: &str) {
        assert_eq!(settled(body), expected);
    }

    /// Returns uses of variables whose kind is to be determined.
    fn clones<const N: usize>(names: [&str; N]) -> [Expr; N] {
        names.map(|name| Expr::Take(Ident::new(name)))
    }

    #[test]
    fn the_last_use_moves() {
        let [a] = &clones(["a"]);
        check(stmts!(g(b); g(#a); #a), "g(b); g(a.clone()); a");
        check(
            stmts!(g(b); if c { #a } else { g(#a, #a) }),
            "g(b); if c { a } else { g(a.clone(), a.clone()) }",
        );
    }

    #[test]
    fn values_that_the_next_iteration_needs_are_cloned() {
        let [a, b, i, x] = &clones(["a", "b", "i", "x"]);
        check(
            stmts!(g(b); while c() { g(#a); }),
            "g(b); while c() { g(a.clone()); }",
        );
        check(
            stmts!(g(b); while c() { a = g(#a); } #a),
            "g(b); while c() { a = g(a); } a",
        );
        check(
            stmts!(for i in r(a, b) { g(#i); }),
            "for i in r(a, b) { g(i); }",
        );
        check(
            stmts!(loop { if c() { return #a; } h(#b); }),
            "loop { if c() { return a; } h(b.clone()); }",
        );
        check(
            stmts!(while c(a, b) { let x = f(); if d() { g(#x); break; } g(#x); }),
            "while c(a, b) { let x = f(); if d() { g(x); break; } g(x); }",
        );
    }

    #[test]
    fn borrowed_values_are_cloned() {
        let [a] = &clones(["a"]);
        check(stmts!(h(b); g(&a, #a)), "h(b); g(&a, a.clone())");
        check(
            stmts!(h(b); match &a { Some(x) => h(#a, x), _ => #a }),
            "h(b); match &a { Some(x) => h(a.clone(), x), _ => a, }",
        );
        check(
            stmts!(h(b); #[borrows] let r = &a[0]; let c = #a; h(r, c)),
            "h(b); let r = &a[0]; let c = a.clone(); h(r, c)",
        );
    }

    #[test]
    fn closures_keep_captured_variables() {
        let [a, y] = &clones(["a", "y"]);
        check(
            stmts!(h(b); f(|x| g(x, #a))),
            "h(b); f(|x| g(x, a.clone()))",
        );
        check(
            stmts!(h(a, b); f(|x| { let y = g(x); k(); #y })),
            "h(a, b); f(|x| { let y = g(x); k(); y })",
        );
    }
}
