//! Refinement of bodies: matches the statements of a refining body with those of the base, in
//! order.
//!
//! Dafny 3's reference manual, "Refinement", "Statements": `...` represents statements of the base
//! up to one that matches the next statement. A statement with `...` inside takes the missing part
//! from the matching statement. Assignments and guards may replace nondeterministic ones. Every
//! block ends in an implicit `...`. A statement without a counterpart keeps its `...`, which
//! `bodies` reports.

use std::collections::VecDeque;

use super::added::Added;
use dafny_source::{Name, Span};
use dafny_syntax::ast::{self, Assign, Block, Expr, ExprKind, Guard, RhsKind, Stmt, StmtKind};

/// Merges the bodies of a refining and a refined method or iterator. Adds the statements without a
/// counterpart to `added`.
pub(super) fn merge_bodies(
    old: Option<Block>,
    new: Option<Block>,
    added: &mut Added,
) -> Option<Block> {
    match (old, new) {
        (Some(old), Some(new)) => Some(merge_block(&old, new, added)),
        (old, new) => new.or(old),
    }
}

/// Merges optional blocks inside a body. All statements of a block without a counterpart are added
/// ones.
fn merge_parts(old: Option<&Block>, new: Option<&Block>, added: &mut Added) -> Option<Block> {
    let nothing = Block {
        stmts: Vec::new(),
        divided_at: None,
        division: None,
        span: Span::default(),
    };
    match (old, new) {
        (old, Some(new)) => Some(merge_block(old.unwrap_or(&nothing), new.clone(), added)),
        (old, None) => old.cloned(),
    }
}

fn merge_block(old: &Block, new: Block, added: &mut Added) -> Block {
    if old.divided_at.is_none() && new.divided_at.is_none() {
        return Block {
            stmts: merge_list(&old.stmts, new.stmts, added),
            divided_at: None,
            division: None,
            span: new.span,
        };
    }
    // In a constructor, the parts before and after `new;` are merged separately.
    let (old_first, old_second) = old.stmts.split_at(
        old.divided_at
            .unwrap_or(old.stmts.len())
            .min(old.stmts.len()),
    );
    let mut first = new.stmts;
    let second = first.split_off(new.divided_at.unwrap_or(first.len()).min(first.len()));
    let mut stmts = merge_list(old_first, first, added);
    let divided_at = stmts.len();
    stmts.extend(merge_list(old_second, second, added));
    Block {
        stmts,
        divided_at: Some(divided_at),
        division: new.division,
        span: new.span,
    }
}

fn merge_list(old: &[Stmt], new: Vec<Stmt>, added: &mut Added) -> Vec<Stmt> {
    let mut old: VecDeque<Stmt> = old.iter().cloned().collect();
    let mut merged = Vec::new();
    let mut rest: VecDeque<Stmt> = new.into();
    while let Some(mut current) = rest.pop_front() {
        if is_dots(&current) {
            let next = rest.front();
            if next.is_some_and(is_dots) {
                continue;
            }
            // `...` takes the statements of the base up to the one that the next statement matches.
            while let Some(stmt) = old.pop_front() {
                if next.is_some_and(|n| may_match(n, &stmt)) {
                    old.push_front(stmt);
                    break;
                }
                merged.push(stmt);
            }
            continue;
        }
        // Labels are matched on their own: the label moves to the new statement, and the old
        // statement can still be matched.
        if let Some(first) = old.front_mut() {
            first
                .labels
                .retain(|l| current.labels.iter().all(|c| c.name != l.name));
        }
        let labels = std::mem::take(&mut current.labels);
        // A statement either refines the current statement of the base, or is inserted before it.
        let mut stmts = match old.pop_front() {
            None => {
                added.statement(&current, &labels);
                vec![current]
            }
            Some(stmt) => match merge_stmt(&stmt, &current, added) {
                Some(result) => result,
                None => {
                    old.push_front(stmt);
                    added.statement(&current, &labels);
                    vec![current]
                }
            },
        };
        if let Some(first) = stmts.first_mut() {
            first.labels.splice(0..0, labels);
        }
        merged.append(&mut stmts);
    }
    // The implicit `...` at the end of the block.
    merged.extend(old);
    merged
}

fn is_dots(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Skeleton)
}

/// Whether `...` ends before `old` because `next` matches it.
fn may_match(next: &Stmt, old: &Stmt) -> bool {
    if !next.labels.is_empty() {
        return old
            .labels
            .iter()
            .any(|o| next.labels.iter().any(|n| n.name == o.name));
    }
    match (&next.kind, &old.kind) {
        (
            StmtKind::Assert { cond: None, .. },
            StmtKind::Assert { .. } | StmtKind::Assume(_) | StmtKind::Expect { .. },
        )
        | (StmtKind::Expect { cond: None, .. }, StmtKind::Expect { .. })
        | (StmtKind::Assume(None), StmtKind::Assume(_))
        | (
            StmtKind::If {
                guard: Guard::Skeleton,
                ..
            },
            StmtKind::If { .. },
        )
        | (
            StmtKind::If { .. },
            StmtKind::If {
                guard: Guard::Star, ..
            },
        )
        | (
            StmtKind::While {
                guard: Guard::Skeleton,
                ..
            },
            StmtKind::While { .. },
        )
        | (
            StmtKind::While { .. },
            StmtKind::While {
                guard: Guard::Star, ..
            },
        ) => true,
        (StmtKind::Modify { frame, .. }, StmtKind::Modify { .. }) => frame.is_empty(),
        (StmtKind::Block(_), StmtKind::Block(_)) => old.labels.is_empty(),
        (StmtKind::VarDecl(new), StmtKind::VarDecl(old)) => same_variables(new, old),
        (StmtKind::Update(new), StmtKind::Update(old)) => {
            matches!(old.assign, Assign::SuchThat { .. }) && same_targets(&new.lhs, &old.lhs)
        }
        _ => false,
    }
}

/// Merges two statements. Returns `None` if they do not match.
fn merge_stmt(old: &Stmt, new: &Stmt, added: &mut Added) -> Option<Vec<Stmt>> {
    // A deterministic replacement of a choice has to satisfy the condition of the choice, which is
    // asserted after it.
    let mut asserted = None;
    let kind = match (&new.kind, &old.kind) {
        (
            StmtKind::Assert {
                cond: None,
                by,
                label,
            },
            StmtKind::Assert {
                cond, by: old_by, ..
            },
        ) => StmtKind::Assert {
            label: label.clone(),
            cond: cond.clone(),
            by: by.clone().or_else(|| old_by.clone()),
        },
        // `assert ...` may refine an assumption, which then has to be proved.
        (
            StmtKind::Assert {
                cond: None,
                by,
                label,
            },
            StmtKind::Assume(cond),
        ) => StmtKind::Assert {
            label: label.clone(),
            cond: cond.clone(),
            by: by.clone(),
        },
        (StmtKind::Expect { cond: None, .. }, StmtKind::Expect { cond, message }) => {
            StmtKind::Expect {
                cond: cond.clone(),
                message: message.clone(),
            }
        }
        (StmtKind::Assume(None), StmtKind::Assume(cond)) => StmtKind::Assume(cond.clone()),
        (
            StmtKind::If { guard, then, els },
            StmtKind::If {
                guard: old_guard,
                then: old_then,
                els: old_els,
            },
        ) => StmtKind::If {
            guard: merge_guard(guard, old_guard)?,
            then: merge_block(old_then, then.clone(), added),
            els: merge_else(old_els.as_deref(), els.as_deref(), added),
        },
        (
            StmtKind::While { guard, spec, body },
            StmtKind::While {
                guard: old_guard,
                spec: old_spec,
                body: old_body,
            },
        ) => StmtKind::While {
            guard: merge_guard(guard, old_guard)?,
            spec: {
                added.measure(old_spec, spec, new.span);
                super::merge_spec(old_spec.clone(), spec.clone())
            },
            body: merge_body("loop", old_body.as_ref(), body.as_ref(), new.span, added),
        },
        (
            StmtKind::Modify { frame, body },
            StmtKind::Modify {
                frame: old_frame,
                body: old_body,
            },
        ) if frame.is_empty() => StmtKind::Modify {
            frame: old_frame.clone(),
            body: merge_body(
                "`modify` statement",
                old_body.as_ref(),
                body.as_ref(),
                new.span,
                added,
            ),
        },
        (StmtKind::Block(new), StmtKind::Block(old)) => {
            StmtKind::Block(merge_block(old, new.clone(), added))
        }
        (StmtKind::VarDecl(decl), StmtKind::VarDecl(old_decl))
            if same_variables(decl, old_decl) && is_plain(decl.init.as_ref()) =>
        {
            asserted = refined_choice(old_decl.init.as_ref())?;
            new.kind.clone()
        }
        (StmtKind::Update(update), StmtKind::Update(old))
            if same_targets(&update.lhs, &old.lhs) && is_plain(Some(&update.assign)) =>
        {
            asserted = refined_choice(Some(&old.assign))?;
            new.kind.clone()
        }
        _ => return None,
    };
    let mut labels = new.labels.clone();
    labels.extend(old.labels.iter().cloned());
    let mut stmts = vec![Stmt {
        labels,
        attributes: new.attributes.clone(),
        kind,
        span: new.span,
    }];
    stmts.extend(asserted.map(|cond| assertion(cond, new.span)));
    Some(stmts)
}

/// Merges the optional bodies of a statement. A body of the base must not be lost.
fn merge_body(
    what: &'static str,
    old: Option<&Block>,
    new: Option<&Block>,
    span: Span,
    added: &mut Added,
) -> Option<Block> {
    if old.is_some() && new.is_none() {
        added.body_left_out(what, span);
    }
    merge_parts(old, new, added)
}

fn merge_guard(new: &Guard, old: &Guard) -> Option<Guard> {
    match (new, old) {
        (Guard::Skeleton, _) => Some(old.clone()),
        (Guard::Expr(_) | Guard::Star | Guard::Binding { .. }, Guard::Star) => Some(new.clone()),
        (
            Guard::Expr(_) | Guard::Star | Guard::Binding { .. },
            Guard::Expr(_) | Guard::Binding { .. } | Guard::Skeleton,
        ) => None,
    }
}

fn merge_else(old: Option<&Stmt>, new: Option<&Stmt>, added: &mut Added) -> Option<Box<Stmt>> {
    let block = |s: &Stmt| {
        if let StmtKind::Block(block) = &s.kind {
            block.clone()
        } else {
            Block {
                stmts: vec![s.clone()],
                divided_at: None,
                division: None,
                span: s.span,
            }
        }
    };
    let (Some(old), Some(new)) = (old, new) else {
        new.iter().for_each(|s| added.statement(s, &[]));
        return new.or(old).cloned().map(Box::new);
    };
    let merged = merge_block(&block(old), block(new), added);
    Some(Box::new(Stmt {
        labels: Vec::new(),
        attributes: Vec::new(),
        span: merged.span,
        kind: StmtKind::Block(merged),
    }))
}

/// The condition that a deterministic assignment has to satisfy when it replaces `old`: none after
/// `:= *` or a declaration without value, the condition after `:|`. Returns `None` if it cannot
/// replace `old`.
fn refined_choice(old: Option<&Assign>) -> Option<Option<Expr>> {
    match old {
        None => Some(None),
        Some(Assign::SuchThat { cond, .. }) => Some(Some(cond.clone())),
        Some(Assign::Rhs(rhs)) => rhs
            .iter()
            .all(|r| matches!(r.kind, RhsKind::Havoc))
            .then_some(None),
        Some(Assign::Failure { .. }) => None,
    }
}

fn assertion(cond: Expr, span: Span) -> Stmt {
    Stmt {
        labels: Vec::new(),
        attributes: Vec::new(),
        kind: StmtKind::Assert {
            label: None,
            cond: Some(cond),
            by: None,
        },
        span,
    }
}

fn is_plain(assign: Option<&Assign>) -> bool {
    matches!(assign, Some(Assign::Rhs(_)))
}

fn same_variables(new: &ast::VarDecl, old: &ast::VarDecl) -> bool {
    new.vars
        .iter()
        .map(|v| &v.name.name)
        .eq(old.vars.iter().map(|v| &v.name.name))
}

fn same_targets(new: &[Expr], old: &[Expr]) -> bool {
    !new.is_empty()
        && new.len() == old.len()
        && new
            .iter()
            .zip(old)
            .all(|(n, o)| plain_name(n).is_some_and(|n| Some(n) == plain_name(o)))
}

fn plain_name(e: &Expr) -> Option<&Name> {
    if let ExprKind::Name { name, .. } = &e.kind {
        Some(&name.name)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dafny_syntax::ast::{Member, TopDecl};

    fn body(text: &str) -> Block {
        let source = format!("method M() {text}");
        let (file, errors) = dafny_syntax::parse(0, &source);
        assert!(errors.is_empty(), "{source}: {errors:?}");
        match file.decls.into_iter().next() {
            Some(TopDecl::Member(Member::Method(m))) => {
                m.body.unwrap_or_else(|| panic!("no body: {source}"))
            }
            other => panic!("{other:?}"),
        }
    }

    /// The kinds of statements, one letter each, with blocks in braces.
    fn sketch(stmts: &[Stmt]) -> String {
        let one = |s: &Stmt| {
            let labels: String = s.labels.iter().map(|l| format!("{}:", l.name)).collect();
            let kind = match &s.kind {
                StmtKind::Assert { cond: Some(_), .. } => "assert".to_owned(),
                StmtKind::Assume(_) => "assume".to_owned(),
                StmtKind::VarDecl(_) => "var".to_owned(),
                StmtKind::Update(_) => ":=".to_owned(),
                StmtKind::If { then, els, .. } => {
                    let els = els.as_ref().map_or_else(String::new, |e| {
                        format!(" else {}", sketch(std::slice::from_ref(e)))
                    });
                    format!("if {{{}}}{els}", sketch(&then.stmts))
                }
                StmtKind::While {
                    body: Some(b),
                    spec,
                    ..
                } => format!("while/{} {{{}}}", spec.clauses.len(), sketch(&b.stmts)),
                StmtKind::Block(b) => format!("{{{}}}", sketch(&b.stmts)),
                StmtKind::Return(_) => "return".to_owned(),
                StmtKind::Skeleton => "...".to_owned(),
                other => format!("{other:?}"),
            };
            labels + &kind
        };
        stmts.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn refined_bodies_are_merged_by_the_table_of_the_manual() {
        let cases = [
            ("{ a := 1; }", "{ return; }", "return; :="),
            ("{ a := 1; b := 2; }", "{ x := 0; ...; }", ":=; :=; :="),
            ("{ a :| a > 1; }", "{ a := 2; }", ":=; assert"),
            (
                "{ var a := *; b := 1; }",
                "{ var a := 2; ...; c := 1; }",
                "var; :=; :=",
            ),
            (
                "{ a := 1; assume P; }",
                "{ ...; assert ...; }",
                ":=; assert",
            ),
            (
                "{ a := 1; label L: assume P; }",
                "{ ...; label L: assume Q; assert ...; }",
                ":=; L:{}; assume; assert",
            ),
            (
                "{ if a { b := 1; } else { c := 1; } }",
                "{ if ... { x := 1; } else { y := 1; } }",
                "if {:=; :=} else {:=; :=}",
            ),
            (
                "{ while * invariant I { b := 1; } }",
                "{ while c invariant J { x := 1; } }",
                "while/2 {:=; :=}",
            ),
            ("{ a := 1; }", "{ if ... { } }", "if {}; :="),
        ];
        for (old, new, wanted) in cases {
            assert_eq!(
                sketch(&merge_block(&body(old), body(new), &mut Added::default()).stmts),
                wanted,
                "{old} refined by {new}"
            );
        }
    }
}
