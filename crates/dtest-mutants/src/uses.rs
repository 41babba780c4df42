//! Errors at one of several uses of a value: a record of which one field is not updated, and a
//! variable of which one use is written anew, with a part of its definition missing.
//!
//! A mutation operator changes the definition of a variable, and with it all of its uses. Where a
//! value is used three times, an error at one of them shows only if the part that is missing there
//! matters, and if what was stored at that use is read again.

use super::exprs::{is_written, only, text};
use super::stmts::{is_argument_compiled, roots};
use super::types::unconstrained;
use super::{Finder, Piece, clones};
use dafny_source::Span;
use dtest_ir::{Expr, ExprKind, Op, Program, Simple, Var};
use dtest_sorted::SortedMap;

/// Maximum number of uses that are written anew, per callable.
const MAX_USES: usize = 12;

/// An expression instead of another one, and its text.
type Instead = (Expr, Vec<Piece>);

impl<'p> Finder<'p> {
    /// Adds the hints in the order of the code.
    pub(super) fn uses(&mut self, lambdas: &[u32]) {
        let program = self.program;
        let definitions = self.definitions();
        let counts = self.reads();
        let mut rewritten = 0;
        for (place, root, whole) in self.compiled_roots(lambdas) {
            let mut found: Vec<(Vec<usize>, Instead, Span)> = Vec::new();
            clones::parts(program, whole, &mut |path, e| {
                let mut others = self.without_one_field(e);
                if let ExprKind::Var(v) = e.kind
                    && counts.get(&v).is_some_and(|n| *n > 1)
                    && rewritten < MAX_USES
                {
                    let anew = written_anew(program, e, v, &definitions);
                    rewritten += anew.len();
                    others.extend(anew);
                }
                found.extend(others.into_iter().map(|o| (path.to_vec(), o, e.span)));
            });
            for (path, (instead, text), span) in found {
                self.meaning((place, root, whole), path, instead, (span, text));
            }
        }
    }

    /// The variables that are assigned once, with the expressions that they are assigned.
    fn definitions(&self) -> SortedMap<Var, &'p Expr> {
        let stmts = || self.procedure.blocks.iter().flat_map(|b| &b.stmts);
        let assigned: Vec<Var> = stmts().flat_map(|s| s.assigned()).collect();
        let mut found = SortedMap::new();
        for stmt in stmts().filter(|s| self.is_compiled(s)) {
            if let Some(Simple::Assigns(var, value)) = stmt.simple()
                && assigned.iter().filter(|a| **a == var).count() == 1
                && is_written(value)
            {
                found.insert(var, value);
            }
        }
        found
    }

    /// The number of times that the compiled code reads each variable.
    fn reads(&self) -> SortedMap<Var, usize> {
        let mut counts = SortedMap::new();
        let mut count = |root: &'p Expr| {
            clones::parts(self.program, root, &mut |_, e| {
                if let ExprKind::Var(v) = e.kind {
                    *counts.entry(v).or_default() += 1;
                }
            });
        };
        for block in &self.procedure.blocks {
            for stmt in block.stmts.iter().filter(|s| self.is_compiled(s)) {
                for (n, root) in roots(stmt).into_iter().enumerate() {
                    if is_argument_compiled(self.program, stmt, n) {
                        count(root);
                    }
                }
            }
        }
        counts
    }

    /// `d.(f := a)` for `d.(f := a, g := b)`, for each of several fields.
    fn without_one_field(&self, e: &Expr) -> Vec<Instead> {
        let ExprKind::Op(Op::Construct(ctor), args) = &e.kind else {
            return Vec::new();
        };
        let Some(object) = self.forms.updated(e.span) else {
            return Vec::new();
        };
        let mut parts = vec![e];
        let mut updated = None;
        while let Some(part) = parts.pop().filter(|_| updated.is_none()) {
            if part.span == object {
                updated = Some(part);
            }
            parts.extend(part.children().into_iter().rev());
        }
        let Some(updated) = updated else {
            return Vec::new();
        };
        let typed = &self.program.typed;
        let is_new = |a: &Expr| is_written(a) && a.span != e.span && !object.contains_span(a.span);
        let new: Vec<usize> = (0..args.len())
            .filter(|i| args.get(*i).is_some_and(is_new))
            .collect();
        if new.len() < 2 {
            return Vec::new();
        }
        let without = |i: usize| {
            let field = *typed[*ctor].fields.get(i)?;
            let arg = args.get(i)?;
            if typed[field].ghost {
                return None;
            }
            let kept = Expr {
                kind: ExprKind::Op(Op::Destruct(field), vec![updated.clone()]),
                ty: arg.ty.clone(),
                span: arg.span,
            };
            let mut all = args.clone();
            *all.get_mut(i)? = kept;
            let instead = Expr {
                kind: ExprKind::Op(Op::Construct(*ctor), all),
                ty: e.ty.clone(),
                span: e.span,
            };
            let name = &typed[field].name;
            Some((instead, vec![only(e), text(format!(" without `{name}`"))]))
        };
        new.into_iter().filter_map(without).collect()
    }
}

/// A use of a variable as its definition, with a variable in that replaced by a part of its own
/// definition.
fn written_anew(
    program: &Program,
    e: &Expr,
    v: Var,
    definitions: &SortedMap<Var, &Expr>,
) -> Vec<Instead> {
    let Some(definition) = definitions.get(&v) else {
        return Vec::new();
    };
    let (ExprKind::Op(..) | ExprKind::Call { .. }) = &definition.kind else {
        return Vec::new();
    };
    let of_type = |a: &Expr, b: &Expr| {
        unconstrained(&program.typed, &a.ty) == unconstrained(&program.typed, &b.ty)
    };
    let mut found = Vec::new();
    for (i, part) in definition.children().into_iter().enumerate() {
        let ExprKind::Var(w) = part.kind else {
            continue;
        };
        let Some(inner) = definitions.get(&w).filter(|_| w != v) else {
            continue;
        };
        for operand in inner.children() {
            let is_other = is_written(operand) && operand.span != inner.span;
            if !is_other || !of_type(operand, part) || dtest_ir::build::is_literal(operand) {
                continue;
            }
            let mut instead = (*definition).clone();
            let mut children = instead.children_mut();
            if let Some(child) = children.get_mut(i) {
                **child = operand.clone();
            }
            instead.span = e.span;
            instead.ty = e.ty.clone();
            let shown = vec![
                only(definition),
                text(" with "),
                only(operand),
                text(" for "),
                only(part),
            ];
            found.push((instead, shown));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::hints;

    #[test]
    fn one_of_several_fields_is_not_updated() {
        let source = "datatype P = P(x: int, y: int, z: int)\nfunction F(p: P, n: int): P { p.(x := n, z := n + 1) }";
        let all = hints(source);
        for field in ["without `x`", "without `z`"] {
            assert!(all.iter().any(|h| h.contains(field)), "{field}: {all:#?}");
        }
        assert!(all.iter().all(|h| !h.contains("without `y`")));
        // The update of one field as a whole is a mutant.
        let one = "datatype P = P(x: int, y: int)\nfunction F(p: P, n: int): P { p.(x := n) }";
        assert!(hints(one).iter().all(|h| !h.contains("without")));
    }

    #[test]
    fn one_use_of_a_variable_has_a_part_of_its_definition_only() {
        let all = hints(
            "method M(free: int, ready: int, cost: int) returns (end: int, next: int) { var start := Max(free, ready); var stop := start + cost; end := stop; next := stop; }
             function Max(a: int, b: int): int { if a < b then b else a }",
        );
        assert!(
            all.iter()
                .any(|h| h.contains("start + cost with free for start")),
            "{all:#?}"
        );
        assert!(
            all.iter()
                .any(|h| h.contains("start + cost with ready for start")),
            "{all:#?}"
        );
    }
}
