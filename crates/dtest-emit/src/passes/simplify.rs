//! Simplifies conditions and branches: `!(a == b)` becomes `a != b`, `if c { true } else { false }`
//! becomes `c`.

use crate::rust::resolved::{
    Assign, BinaryOp, Block, Expr, If, Literal, Pat, Stmt, UnaryOp, VisitMut,
};

/// Simplifies the conditions and branches of a function. Comparisons are negated freely, because
/// the translation compares only totally ordered types with `<` and the like.
pub(super) fn simplify(body: &mut Block) {
    Simplify.block(body);
}

struct Simplify;

impl VisitMut for Simplify {
    fn expr(&mut self, e: &mut Expr) {
        if let Expr::If(i) = e {
            self.branch(i)
        } else {
            self.inside_expr(e)
        }
        // The parts are simple already, so one rule at the top suffices.
        if let Some(simpler) = simpler(e) {
            *e = simpler;
        }
        if let Expr::Binary(op, left, right) = e
            && op.is_bitwise()
        {
            with_parentheses(left);
            with_parentheses(right);
        }
    }

    fn block(&mut self, b: &mut Block) {
        self.inside_block(b);
        // After the branches were simplified: only then is an assignment alone in its branch.
        for s in &mut b.stmts {
            if let Stmt::Run(Expr::If(i)) | Stmt::Value(Expr::If(i)) = s
                && let Some(assignment) = assigned_condition(i)
            {
                *s = Stmt::Run(assignment);
            }
        }
    }
}

impl Simplify {
    fn branch(&mut self, i: &mut If) {
        self.expr(&mut i.cond);
        self.block(&mut i.then);
        match &mut i.els {
            // A branch keeps its braces.
            Some(Expr::Block { block, .. }) => self.block(block),
            Some(other) => {
                self.expr(other);
                // A simpler `else` may be a bare value, which has no syntax there.
                if !matches!(other, Expr::If(_) | Expr::Block { .. }) {
                    let value = std::mem::replace(other, Expr::Ignored);
                    *other = Expr::block(vec![Stmt::Value(value)]);
                }
            }
            None => {}
        }
        without_empty_branch(i);
        only_if(i);
    }
}

/// Parenthesizes arithmetic operands of bitwise operators, whose precedence few people know.
fn with_parentheses(e: &mut Expr) {
    if matches!(e, Expr::Binary(op, ..) if op.is_arithmetic()) {
        let inner = std::mem::replace(e, Expr::Ignored);
        *e = Expr::Paren(Box::new(inner));
    }
}

/// Rewrites `if a {} else { … }` to `if !a { … }`.
fn without_empty_branch(i: &mut If) {
    if i.els
        .as_ref()
        .and_then(Expr::plain_block)
        .is_some_and(|b| b.stmts.is_empty())
    {
        i.els = None;
    }
    // A condition with `let` has no negation.
    if i.then.stmts.is_empty()
        && !has_let(&i.cond)
        && let Some(els) = i.els.take()
    {
        i.cond = negated(&i.cond);
        i.then = if let Expr::Block { label: None, block } = els {
            block
        } else {
            Block {
                stmts: vec![Stmt::Value(els)],
            }
        };
    }
}

/// Rewrites `if a { if b { … } }` to `if a && b { … }`.
fn only_if(i: &mut If) {
    // With `else`, a false inner condition would select the outer `else` as well.
    if i.els.is_some() || has_let(&i.cond) {
        return;
    }
    let [Stmt::Run(Expr::If(inner)) | Stmt::Value(Expr::If(inner))] = i.then.stmts.as_mut_slice()
    else {
        return;
    };
    if inner.els.is_some() || has_let(&inner.cond) {
        return;
    }
    let then = std::mem::take(&mut inner.then);
    let inside = std::mem::replace(&mut inner.cond, Expr::Ignored);
    let outer = std::mem::replace(&mut i.cond, Expr::Ignored);
    i.cond = conjunction(operand(outer), operand(inside));
    i.then = then;
}

/// Builds `a && b`, where `b` may be a chain of conditions that is joined at the same level.
fn conjunction(a: Expr, b: Expr) -> Expr {
    if let Expr::Binary(BinaryOp::And, first, last) = b {
        Expr::Binary(BinaryOp::And, Box::new(conjunction(a, *first)), last)
    } else {
        Expr::Binary(BinaryOp::And, Box::new(a), Box::new(b))
    }
}

/// Parenthesizes an operand of `&&` if needed.
fn operand(e: Expr) -> Expr {
    if matches!(
        e,
        Expr::Binary(BinaryOp::Or, ..)
            | Expr::Closure(_)
            | Expr::If(_)
            | Expr::Match(..)
            | Expr::Block { .. }
    ) {
        Expr::Paren(Box::new(e))
    } else {
        e
    }
}

fn has_let(e: &Expr) -> bool {
    matches!(e, Expr::Let(..))
        || matches!(e, Expr::Binary(_, a, b) if has_let(a) || has_let(b))
        || matches!(e, Expr::Paren(e) if has_let(e))
}

/// Rewrites `if c { x = true; } else { x = false; }` to `x = c`.
fn assigned_condition(i: &If) -> Option<Expr> {
    let assigned = |b: &Block| {
        let [Stmt::Run(Expr::Assign(a)) | Stmt::Value(Expr::Assign(a))] = b.stmts.as_slice() else {
            return None;
        };
        bool_literal(&a.value).map(|v| (a.place.clone(), v))
    };
    let Some(Expr::Block { block: els, .. }) = &i.els else {
        return None;
    };
    let ((place, a), (other, b)) = (assigned(&i.then)?, assigned(els)?);
    // Equal values are left as they are: the condition may have an effect.
    if place != other || a == b || has_let(&i.cond) {
        return None;
    }
    let value = if a { i.cond.clone() } else { negated(&i.cond) };
    Some(Expr::Assign(Box::new(Assign {
        place,
        value,
        is_dead: false,
    })))
}

fn simpler(e: &Expr) -> Option<Expr> {
    [
        resolved_negation,
        compared_with_literal,
        condition_alone,
        named_cast,
    ]
    .iter()
    .find_map(|rule| rule(e))
}

/// Rewrites `!(a < b)` to `a >= b`.
fn resolved_negation(e: &Expr) -> Option<Expr> {
    if let Expr::Unary(UnaryOp::Not, e) = e {
        simple_negation(e)
    } else {
        None
    }
}

/// Rewrites `a == true` to `a`.
fn compared_with_literal(e: &Expr) -> Option<Expr> {
    let Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) = e else {
        return None;
    };
    let (value, other) = match (bool_literal(left), bool_literal(right)) {
        (Some(v), None) => (v, right),
        (None, Some(v)) => (v, left),
        (Some(_), Some(_)) | (None, None) => return None,
    };
    Some(if value == (*op == BinaryOp::Eq) {
        (**other).clone()
    } else {
        negated(other)
    })
}

/// Rewrites `if c { true } else { false }` to `c`.
fn condition_alone(e: &Expr) -> Option<Expr> {
    let Expr::If(i) = e else { return None };
    let value = |b: &Block| {
        if let [Stmt::Value(e)] = b.stmts.as_slice() {
            bool_literal(e)
        } else {
            None
        }
    };
    let Some(Expr::Block { block: els, .. }) = &i.els else {
        return None;
    };
    match (value(&i.then)?, value(els)?) {
        (true, false) if !has_let(&i.cond) => Some(i.cond.clone()),
        (false, true) if !has_let(&i.cond) => Some(negated(&i.cond)),
        (true | false, true | false) => None,
    }
}

/// Rewrites `|x| upcast::<T, _>(x)` to `upcast::<T, _>`.
fn named_cast(e: &Expr) -> Option<Expr> {
    let Expr::Closure(c) = e else { return None };
    let ([(Pat::Bind(x), None)], Expr::Call(call)) = (c.params.as_slice(), &c.body) else {
        return None;
    };
    let is_cast = matches!(&call.func, Expr::Path(f) if f.is_library_function("upcast"));
    match call.args.as_slice() {
        [Expr::Name(n)] if is_cast && *n == x.name => Some(call.func.clone()),
        _ => None,
    }
}

/// Builds `!e`, or a shorter equivalent without `!`.
fn negated(e: &Expr) -> Expr {
    simple_negation(e).unwrap_or_else(|| {
        let e = if matches!(e, Expr::Binary(..) | Expr::Cast(..)) {
            Expr::Paren(Box::new(e.clone()))
        } else {
            e.clone()
        };
        Expr::Unary(UnaryOp::Not, Box::new(e))
    })
}

/// Returns the negation of a comparison, a negation or a literal.
fn simple_negation(e: &Expr) -> Option<Expr> {
    let e = e.without_parens();
    if let Expr::Unary(UnaryOp::Not, e) = e {
        let inner = if let Expr::Paren(inner) = &**e {
            inner
        } else {
            e
        };
        // A bitwise `!` of a reference is a value; removing it would leave the reference.
        (!matches!(**inner, Expr::Reference { .. })).then(|| (**inner).clone())
    } else if let Expr::Binary(op, left, right) = e {
        Some(Expr::Binary(op.negation()?, left.clone(), right.clone()))
    } else {
        bool_literal(e).map(|value| Expr::Literal(Literal::Bool(!value)))
    }
}

fn bool_literal(e: &Expr) -> Option<bool> {
    if let Expr::Literal(Literal::Bool(value)) = e.without_parens() {
        Some(*value)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::rust::{Stmts, items, stmts};

    fn tidied(body: Stmts) -> String {
        let text = super::super::tidied(items!(fn f() -> bool { #..body }))
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        text.strip_prefix("fn f() -> bool { ")
            .and_then(|t| t.strip_suffix(" }"))
            .unwrap()
            .to_owned()
    }

    #[test]
    fn negations_of_comparisons_are_comparisons() {
        assert_eq!(
            tidied(stmts!(!(a == b) || !!c || !(a < b) || !(a && b))),
            "a != b || c || a >= b || !(a && b)"
        );
        assert_eq!(
            tidied(stmts!(a == true || b != true || false == c.d())),
            "a || !b || !c.d()"
        );
    }

    #[test]
    fn conditions_are_their_own_values() {
        assert_eq!(tidied(stmts!(if a { true } else { false })), "a");
        assert_eq!(tidied(stmts!(if a > b { false } else { true })), "a <= b");
        assert_eq!(
            tidied(stmts!(if let A = b { true } else { false }; c)),
            "if let A = b { true } else { false }; c"
        );
        assert_eq!(
            tidied(stmts!(if a { s.x = true; } else { s.x = false; } g())),
            "s.x = a; g()"
        );
    }

    #[test]
    fn branches_in_branches_are_one() {
        assert_eq!(
            tidied(stmts!(if a {} else { g(); } if b { g(); } else {} d)),
            "if !a { g(); } if b { g(); } d"
        );
        assert_eq!(
            tidied(stmts!(if a { if b || c { g(); } } d)),
            "if a && (b || c) { g(); } d"
        );
        assert_eq!(
            tidied(stmts!(if a { if b { g(); } } else { h(); } d)),
            "if a { if b { g(); } } else { h(); } d"
        );
    }
}
