//! Makes tracked ghost state a part of the compiled program.

use super::Tracked;
use super::needs::Node;
use dafny_resolve::typed::{
    Block, Body, CallableId, FieldId, LocalId, Pattern, PatternKind, Program, Rhs, Stmt, StmtKind,
    Target, TypeDeclKind,
};
use dtest_sorted::SortedSet;

/// Returns the program in which the tracked fields, variables and methods, and the statements that
/// assign them, are not ghost.
pub(super) fn apply(program: &Program, tracked: &Tracked) -> Program {
    let mut out = program.clone();
    for (i, f) in out.fields.iter_mut().enumerate() {
        if tracked.has(Node::Field(FieldId(i as u32))) {
            f.ghost = false;
            let note = "Ghost in Dafny: kept for the clauses that refer to it.";
            f.doc = Some(
                f.doc
                    .as_ref()
                    .map_or_else(|| note.into(), |doc| format!("{doc}\n\n{note}").into()),
            );
        }
    }
    let mut formals = SortedSet::new();
    for (i, c) in out.callables.iter_mut().enumerate() {
        let id = CallableId(i as u32);
        // A tracked ghost method is called by compiled code, with all its parameters.
        let kept = tracked.has(Node::Method(id));
        if kept {
            c.ghost = false;
            formals.extend(c.ins.iter().chain(&c.outs).map(|f| f.local));
        }
        if let Body::Block(b) | Body::ByMethod(_, b) = &mut c.body
            && (kept || !c.ghost)
        {
            block(b, tracked);
            if kept {
                jumps(b);
            }
        }
    }
    for (i, l) in out.locals.iter_mut().enumerate() {
        let id = LocalId(i as u32);
        // Parameters of a ghost method that no tracked state depends on stay ghost.
        l.ghost = (l.ghost || formals.contains(&id)) && !tracked.has(Node::Local(id));
    }
    for t in &mut out.types {
        if let TypeDeclKind::Iterator(parts) = &mut t.kind
            && let Some(b) = &mut parts.body
        {
            block(b, tracked);
        }
    }
    out
}

/// Marks the statements of a block that assign tracked state as compiled. Returns whether there are
/// any.
fn block(b: &mut Block, tracked: &Tracked) -> bool {
    // No short circuit: every statement must be visited.
    b.stmts
        .iter_mut()
        .fold(false, |any, s| any | stmt(s, tracked))
}

fn stmt(s: &mut Stmt, tracked: &Tracked) -> bool {
    let is_tracked = |t: &Target| match t {
        Target::Local(l) => tracked.has(Node::Local(*l)),
        Target::Field { field, .. } => tracked.has(Node::Field(*field)),
        Target::Element { .. } | Target::Discard(_) => false,
    };
    // `|` instead of `||`: the statements of both sides must be visited.
    let assigns = match &mut s.kind {
        StmtKind::VarDecl(locals) => locals.iter().any(|l| tracked.has(Node::Local(*l))),
        StmtKind::Assign { pairs, .. } => {
            let constructs = |r: &Rhs| matches!(r, Rhs::New { ctor: Some(c), .. } if tracked.effective.contains(&c.callee));
            pairs.iter().any(|(t, r)| is_tracked(t) || constructs(r))
        }
        StmtKind::AssignPattern { pattern, .. } => binds(pattern, tracked),
        StmtKind::Call { targets, call, .. } => {
            targets.iter().any(is_tracked) || tracked.effective.contains(&call.callee)
        }
        StmtKind::SuchThat { targets, .. } => targets.iter().any(is_tracked),
        StmtKind::AssignOrFail(a) => {
            stmt(&mut a.compute, tracked) | a.extract.iter().any(|(t, _)| is_tracked(t))
        }
        StmtKind::Block(b) => block(b, tracked),
        StmtKind::If { then, els, .. } => {
            block(then, tracked) | els.as_mut().is_some_and(|e| stmt(e, tracked))
        }
        StmtKind::IfCase(cases) => cases
            .iter_mut()
            .fold(false, |any, c| any | block(&mut c.body, tracked)),
        StmtKind::WhileCase { cases, .. } => {
            let any = cases
                .iter_mut()
                .fold(false, |any, c| any | block(&mut c.body, tracked));
            if any && s.ghost {
                cases
                    .iter_mut()
                    .fold(false, |any, c| any | jumps(&mut c.body));
            }
            any
        }
        StmtKind::While { body: Some(b), .. } | StmtKind::For { body: Some(b), .. } => {
            let any = block(b, tracked);
            // An executed loop must end as the ghost loop does, so its jumps are executed.
            if any && s.ghost {
                jumps(b);
            }
            any
        }
        StmtKind::Forall { body: Some(b), .. } | StmtKind::Modify { body: Some(b), .. } => {
            block(b, tracked)
        }
        StmtKind::Match { cases, .. } => cases
            .iter_mut()
            .fold(false, |any, c| any | block(&mut c.body, tracked)),
        StmtKind::While { body: None, .. }
        | StmtKind::For { body: None, .. }
        | StmtKind::Forall { body: None, .. }
        | StmtKind::Modify { body: None, .. }
        | StmtKind::Assert { .. }
        | StmtKind::Assume(_)
        | StmtKind::Expect { .. }
        | StmtKind::Print(_)
        | StmtKind::Break { .. }
        | StmtKind::Return
        | StmtKind::Yield
        | StmtKind::Reveal(_)
        | StmtKind::Calc { .. }
        | StmtKind::Error => false,
    };
    // A statement that assigns a tracked variable is compiled, even in ghost code.
    s.ghost &= !assigns;
    assigns
}

fn binds(p: &Pattern, tracked: &Tracked) -> bool {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Value(_) => false,
        PatternKind::Var(v) => tracked.has(Node::Local(*v)),
        PatternKind::Ctor { args, .. } | PatternKind::Tuple(args) | PatternKind::Or(args) => {
            args.iter().any(|p| binds(p, tracked))
        }
    }
}

/// Marks the jumps in an executed ghost loop or method as compiled, with the enclosing statements.
/// Returns whether there are any.
fn jumps(b: &mut Block) -> bool {
    b.stmts.iter_mut().fold(false, |any, s| any | jump(s))
}

fn jump(s: &mut Stmt) -> bool {
    let any = match &mut s.kind {
        StmtKind::Break { .. } | StmtKind::Return => true,
        StmtKind::Block(b) => jumps(b),
        StmtKind::If { then, els, .. } => jumps(then) | els.as_mut().is_some_and(|e| jump(e)),
        StmtKind::IfCase(cases) | StmtKind::WhileCase { cases, .. } => cases
            .iter_mut()
            .fold(false, |any, c| any | jumps(&mut c.body)),
        StmtKind::While { body, .. } | StmtKind::For { body, .. } => {
            body.as_mut().is_some_and(jumps)
        }
        StmtKind::Match { cases, .. } => cases
            .iter_mut()
            .fold(false, |any, c| any | jumps(&mut c.body)),
        StmtKind::Forall { .. }
        | StmtKind::Modify { .. }
        | StmtKind::AssignOrFail(_)
        | StmtKind::VarDecl(_)
        | StmtKind::Assign { .. }
        | StmtKind::AssignPattern { .. }
        | StmtKind::Call { .. }
        | StmtKind::SuchThat { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Assume(_)
        | StmtKind::Expect { .. }
        | StmtKind::Print(_)
        | StmtKind::Yield
        | StmtKind::Reveal(_)
        | StmtKind::Calc { .. }
        | StmtKind::Error => false,
    };
    s.ghost &= !any;
    any
}
