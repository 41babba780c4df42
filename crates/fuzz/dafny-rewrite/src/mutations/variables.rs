//! Local variables of one scope that can be moved to a data structure.

use dafny_resolve::typed::{CallableId, LocalId, Type};
use dafny_syntax::ast::{
    Assign, Attribute, Expr, ExprKind, File, FrameExpr, Name, RhsKind, Stmt, StmtKind, Update,
};
use dafny_syntax::visit::{Node, Visit};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::Facts;
use crate::mutation::Work;
use crate::scan::{Context, Look, scan};

/// A local variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) local: LocalId,
    pub(crate) name: Name,
    pub(crate) ty: Type,
    pub(crate) ghost: bool,
    /// Whether its members are only read or called.
    pub(crate) receiver: bool,
    /// The index, among the statements of its scope, of the statement that initializes it.
    pub(crate) ready: usize,
}

/// A scope with variables that can be merged.
pub(crate) struct Scope<'w> {
    pub(crate) cx: Context<'w>,
    pub(crate) stmts: &'w [Stmt],
    pub(crate) variables: Vec<Variable>,
}

/// All scopes with variables that satisfy `fits` and are only assigned by `:=`.
pub(crate) fn scopes<'w>(
    work: &'w Work<'w>,
    fits: impl Fn(&Facts<'_>, LocalId, Uses) -> bool,
) -> Vec<Scope<'w>> {
    let mut positions = Positions {
        facts: work.facts,
        uses: FxHashMap::default(),
        unknown: FxHashSet::default(),
    };
    scan(work.file, work.facts, &mut positions);
    let attributes = in_attributes(work.file);
    let mut find = Find {
        work,
        found: Vec::new(),
    };
    scan(work.file, work.facts, &mut find);
    let mut found = find.found;
    for scope in &mut found {
        scope.variables.retain_mut(|v| {
            let uses = positions.uses.get(&v.local).copied().unwrap_or_default();
            v.receiver = uses.receiver == work.facts.uses(v.local);
            let assigned = work.facts.assigned(v.local);
            !attributes.contains(&v.name)
                && !positions
                    .unknown
                    .contains(&(scope.cx.callable, v.name.clone()))
                && !uses.asked
                && !assigned.open
                && fits(work.facts, v.local, uses)
        });
    }
    found.retain(|s| !s.variables.is_empty());
    found
}

/// The contexts in which a variable is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Uses {
    /// Inside a lambda expression.
    pub(crate) lambda: bool,
    /// Inside `old(…)` or another two-state expression.
    pub(crate) old: bool,
    /// Inside `assigned(x)`.
    pub(crate) asked: bool,
    /// Inside a proof, or a statement within an expression.
    pub(crate) proof: bool,
    /// Inside a frame.
    pub(crate) frame: bool,
    /// The number of times it is the receiver of a member.
    pub(crate) receiver: usize,
}

struct Positions<'a> {
    facts: &'a Facts<'a>,
    uses: FxHashMap<LocalId, Uses>,
    /// Names whose uses the typed program does not fully show, for example receivers of static
    /// members, each with the callable.
    unknown: FxHashSet<(Option<CallableId>, Name)>,
}

impl<'t> Look<'t> for Positions<'_> {
    fn expr(&mut self, cx: &Context<'t>, e: &'t Expr) -> bool {
        if let Some(local) = self.facts.local(e) {
            let uses = self.uses.entry(local).or_default();
            uses.lambda |= cx.lambda;
            uses.old |= cx.old;
            uses.proof |= cx.proof;
        }
        if let ExprKind::Name { name, .. } = &e.kind
            && self.facts.typed(e).is_none()
        {
            self.unknown.insert((cx.callable, name.name.clone()));
        }
        if let ExprKind::Select { object, .. } = &e.kind
            && let Some(local) = self.facts.local(object)
        {
            self.uses.entry(local).or_default().receiver += 1;
        }
        if let ExprKind::Assigned(e) = &e.kind
            && let Some(local) = self.facts.local(e)
        {
            self.uses.entry(local).or_default().asked = true;
        }
        true
    }

    fn stmts(&mut self, _: &Context<'t>, stmts: &'t [Stmt]) {
        struct Frames<'a, 'b>(&'b mut Positions<'a>);
        impl<'t> Visit<'t> for Frames<'_, '_> {
            fn expr(&mut self, node: &'t Expr) {
                if let Some(local) = self.0.facts.local(node) {
                    self.0.uses.entry(local).or_default().frame = true;
                }
                node.walk(self);
            }
        }
        struct Find<'a, 'b>(&'b mut Positions<'a>);
        impl<'t> Visit<'t> for Find<'_, '_> {
            fn clause(&mut self, node: &'t dafny_syntax::ast::Clause) {
                use dafny_syntax::ast::ClauseKind;
                if let ClauseKind::Reads(frame) | ClauseKind::Modifies(frame) = &node.kind {
                    frame
                        .iter()
                        .for_each(|f: &FrameExpr| f.accept(&mut Frames(self.0)));
                }
            }
        }
        for s in stmts {
            s.accept(&mut Find(self));
            if let StmtKind::Modify { frame, .. } = &s.kind {
                frame.iter().for_each(|f| f.accept(&mut Frames(self)));
            }
        }
    }
}

/// The names in attributes, which are not resolved here.
pub(crate) fn in_attributes(file: &File) -> FxHashSet<Name> {
    let mut attributes = InAttributes::default();
    file.walk(&mut attributes);
    attributes.0
}

#[derive(Default)]
struct InAttributes(FxHashSet<Name>);

impl<'t> Visit<'t> for InAttributes {
    fn attribute(&mut self, node: &'t Attribute) {
        struct Idents<'a>(&'a mut FxHashSet<Name>);
        impl<'t> Visit<'t> for Idents<'_> {
            fn ident(&mut self, node: &'t dafny_syntax::ast::Ident) {
                self.0.insert(node.name.clone());
            }
        }
        node.args.accept(&mut Idents(&mut self.0));
    }
}

struct Find<'w> {
    work: &'w Work<'w>,
    found: Vec<Scope<'w>>,
}

impl<'w> Look<'w> for Find<'w> {
    fn stmts(&mut self, cx: &Context<'w>, stmts: &'w [Stmt]) {
        if cx.proof || cx.spec || cx.apart || cx.bound || cx.callable.is_none() {
            return;
        }
        let facts = self.work.facts;
        let mut variables = Vec::new();
        for (at, s) in stmts.iter().enumerate() {
            let StmtKind::VarDecl(d) = &s.kind else {
                continue;
            };
            let plain = s.attributes.is_empty()
                && s.labels.is_empty()
                && d.vars.iter().all(|v| v.attributes.is_empty());
            let assigns = matches!(d.init, None | Some(Assign::Rhs(_)));
            if !plain || !assigns {
                continue;
            }
            for v in &d.vars {
                if v.name.name.starts_with('_') {
                    continue;
                }
                let Some(local) = facts.declared(&v.name) else {
                    continue;
                };
                // A variable is ready at the statement that gives it its first value.
                let ready = if d.init.is_some() {
                    Some(at)
                } else {
                    first_value(facts, stmts, at, local)
                };
                let known = &facts.program[local];
                variables.extend(ready.map(|ready| Variable {
                    local,
                    name: v.name.name.clone(),
                    ty: known.ty.clone(),
                    ghost: known.ghost || cx.ghost,
                    receiver: false,
                    ready,
                }));
            }
        }
        if !variables.is_empty() {
            self.found.push(Scope {
                cx: cx.clone(),
                stmts,
                variables,
            });
        }
    }
}

/// The index of the statement that initializes a variable, if it is in the same scope and no
/// earlier statement mentions the variable. The variable then is definitely assigned before it is
/// read, by any rules.
fn first_value(
    facts: &Facts<'_>,
    stmts: &[Stmt],
    declared: usize,
    local: LocalId,
) -> Option<usize> {
    let (at, first) = stmts
        .iter()
        .enumerate()
        .skip(declared + 1)
        .find(|(_, s)| mentions(facts, s, local))?;
    let StmtKind::Update(Update {
        lhs,
        assign: Assign::Rhs(values),
    }) = &first.kind
    else {
        return None;
    };
    let reads = values.iter().any(|v| reads_local(facts, v, local));
    let is_it = |(e, t): (&Expr, &Option<LocalId>)| {
        *t == Some(local) && matches!(e.without_parens().kind, ExprKind::Name { .. })
    };
    let assigns = lhs.iter().zip(&facts.targets(first)?).any(is_it);
    (assigns && !reads && first.labels.is_empty()).then_some(at)
}

fn mentions(facts: &Facts<'_>, s: &Stmt, local: LocalId) -> bool {
    assigns(facts, s, &|l| l == local) || reads_local(facts, s, local)
}

fn reads_local<T: Node>(facts: &Facts<'_>, node: &T, local: LocalId) -> bool {
    struct Reads<'a>(&'a Facts<'a>, LocalId, bool);
    impl<'t> Visit<'t> for Reads<'_> {
        fn expr(&mut self, node: &'t Expr) {
            self.2 |= self.0.local(node) == Some(self.1);
            node.walk(self);
        }
    }
    let mut reads = Reads(facts, local, false);
    node.accept(&mut reads);
    reads.2
}

/// Whether the statement or a nested one assigns a variable that satisfies `wanted`.
pub(crate) fn assigns(facts: &Facts<'_>, s: &Stmt, wanted: &dyn Fn(LocalId) -> bool) -> bool {
    struct Assigns<'a>(&'a Facts<'a>, &'a dyn Fn(LocalId) -> bool, bool);
    impl<'t> Visit<'t> for Assigns<'_> {
        fn stmt(&mut self, node: &'t Stmt) {
            let targets = self.0.targets(node).unwrap_or_default();
            self.2 |= targets.into_iter().flatten().any(self.1);
            node.walk(self);
        }
    }
    let mut assigns = Assigns(facts, wanted, false);
    s.accept(&mut assigns);
    assigns.2
}

/// Whether an assignment has one side-effect-free expression for each left-hand side.
pub(crate) fn is_pure(facts: &Facts<'_>, s: &Stmt) -> bool {
    use dafny_resolve::typed;
    let values = if let StmtKind::Update(Update {
        assign: Assign::Rhs(values),
        ..
    }) = &s.kind
    {
        values
    } else if let StmtKind::VarDecl(dafny_syntax::ast::VarDecl {
        init: Some(Assign::Rhs(values)),
        ..
    }) = &s.kind
    {
        values
    } else {
        return false;
    };
    values.iter().all(|v| matches!(v.kind, RhsKind::Expr(_)) && v.attributes.is_empty())
        && facts.stmts(s).iter().any(
            |s| matches!(&s.kind, typed::StmtKind::Assign { pairs, .. } if pairs.iter().all(|(_, r)| matches!(r, typed::Rhs::Expr(_)))),
        )
}
