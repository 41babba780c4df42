//! Conditions and branches as a person writes them: `!(a == b)` is `a != b`, `if c { true } else { false }` is `c`.

use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, Lit, Stmt, UnOp};

/// Simplifies the conditions and branches of a function. All comparisons with `<` and its like that the translation writes
/// are of total orders.
pub(super) fn simplify(body: &mut Block) {
    Simplify.visit_block_mut(body);
}

struct Simplify;

impl VisitMut for Simplify {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Some(simpler) = simpler(e) {
            *e = simpler;
        }
        if let Expr::Binary(b) = e
            && is_bitwise(&b.op)
        {
            with_parentheses(&mut b.left);
            with_parentheses(&mut b.right);
        }
    }

    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        self.visit_expr_mut(&mut i.cond);
        self.visit_block_mut(&mut i.then_branch);
        if let Some((_, els)) = &mut i.else_branch {
            match &mut **els {
                // A branch keeps its braces.
                Expr::Block(b) => self.visit_block_mut(&mut b.block),
                other => {
                    self.visit_expr_mut(other);
                    if !matches!(other, Expr::If(_) | Expr::Block(_)) {
                        let value = other.clone();
                        *other = syn::parse_quote!({ #value });
                    }
                }
            }
        }
        without_empty_branch(i);
        only_if(i);
    }

    fn visit_block_mut(&mut self, b: &mut Block) {
        visit_mut::visit_block_mut(self, b);
        for s in &mut b.stmts {
            if let Stmt::Expr(Expr::If(i), semi) = s
                && let Some(assignment) = assigned_condition(i)
            {
                *semi = Some(Default::default());
                *s = Stmt::Expr(assignment, Some(Default::default()));
            }
        }
    }
}

fn is_bitwise(op: &BinOp) -> bool {
    matches!(op, BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_) | BinOp::Shl(_) | BinOp::Shr(_))
}

/// Arithmetic beside a bitwise operator stands in parentheses: few know which of them binds tighter.
fn with_parentheses(e: &mut Expr) {
    let is_arithmetic = |op: &BinOp| matches!(op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_));
    if matches!(e, Expr::Binary(b) if is_arithmetic(&b.op)) {
        let inner = e.clone();
        *e = syn::parse_quote!((#inner));
    }
}

/// `if a {} else { … }` → `if !a { … }`.
fn without_empty_branch(i: &mut syn::ExprIf) {
    if matches!(&i.else_branch, Some((_, els)) if matches!(&**els, Expr::Block(b) if b.label.is_none() && b.block.stmts.is_empty())) {
        i.else_branch = None;
    }
    if i.then_branch.stmts.is_empty()
        && !has_let(&i.cond)
        && let Some((_, els)) = i.else_branch.take()
    {
        *i.cond = negated(&i.cond);
        i.then_branch = match *els {
            Expr::Block(b) if b.label.is_none() => b.block,
            other => syn::parse_quote!({ #other }),
        };
    }
}

/// `if a { if b { … } }` → `if a && b { … }`.
fn only_if(i: &mut syn::ExprIf) {
    if i.else_branch.is_some() || has_let(&i.cond) {
        return;
    }
    let [Stmt::Expr(Expr::If(inner), _)] = i.then_branch.stmts.as_mut_slice() else { return };
    if inner.else_branch.is_some() || has_let(&inner.cond) {
        return;
    }
    let (outer, inside, then) = (i.cond.clone(), inner.cond.clone(), inner.then_branch.clone());
    let (outer, inside) = (operand(*outer), operand(*inside));
    *i.cond = syn::parse_quote!(#outer && #inside);
    i.then_branch = then;
}

/// An operand of `&&`, in parentheses where it needs them.
fn operand(e: Expr) -> Expr {
    match e {
        Expr::Binary(syn::ExprBinary { op: BinOp::Or(_), .. }) | Expr::Closure(_) | Expr::If(_) | Expr::Match(_) | Expr::Block(_) => {
            syn::parse_quote!((#e))
        }
        other => other,
    }
}

fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) => has_let(&b.left) || has_let(&b.right),
        Expr::Paren(p) => has_let(&p.expr),
        _ => false,
    }
}

/// `if c { x = true; } else { x = false; }` → `x = c`.
fn assigned_condition(i: &syn::ExprIf) -> Option<Expr> {
    let assigned = |b: &Block| match b.stmts.as_slice() {
        [Stmt::Expr(Expr::Assign(a), _)] => bool_literal(&a.right).map(|v| ((*a.left).clone(), v)),
        _ => None,
    };
    let (_, els) = i.else_branch.as_ref()?;
    let Expr::Block(els) = &**els else { return None };
    let ((left, a), (other, b)) = (assigned(&i.then_branch)?, assigned(&els.block)?);
    if left != other || a == b || has_let(&i.cond) {
        return None;
    }
    let value = if a { (*i.cond).clone() } else { negated(&i.cond) };
    Some(syn::parse_quote!(#left = #value))
}

fn simpler(e: &Expr) -> Option<Expr> {
    match e {
        Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => simple_negation(&u.expr),
        Expr::Binary(b) if matches!(b.op, BinOp::Eq(_) | BinOp::Ne(_)) => {
            let (value, other) = match (bool_literal(&b.left), bool_literal(&b.right)) {
                (Some(v), None) => (v, &b.right),
                (None, Some(v)) => (v, &b.left),
                (Some(_), Some(_)) | (None, None) => return None,
            };
            Some(if value == matches!(b.op, BinOp::Eq(_)) { (**other).clone() } else { negated(other) })
        }
        Expr::If(i) if !has_let(&i.cond) => {
            let value = |b: &Block| match b.stmts.as_slice() {
                [Stmt::Expr(e, None)] => bool_literal(e),
                _ => None,
            };
            let (_, els) = i.else_branch.as_ref()?;
            let Expr::Block(els) = &**els else { return None };
            match (value(&i.then_branch)?, value(&els.block)?) {
                (true, false) => Some((*i.cond).clone()),
                (false, true) => Some(negated(&i.cond)),
                (true, true) | (false, false) => None,
            }
        }
        Expr::Closure(c) => named_cast(c),
        _ => None,
    }
}

/// `|x| upcast::<T, _>(x)` → `upcast::<T, _>`.
fn named_cast(c: &syn::ExprClosure) -> Option<Expr> {
    let (Some(syn::Pat::Ident(x)), 1, Expr::Call(call)) = (c.inputs.first(), c.inputs.len(), &*c.body) else { return None };
    let Expr::Path(f) = &*call.func else { return None };
    let is_cast = f.path.segments.last().is_some_and(|s| s.ident == "upcast");
    match call.args.first() {
        Some(Expr::Path(p)) if is_cast && call.args.len() == 1 && p.path.is_ident(&x.ident) => Some((*call.func).clone()),
        _ => None,
    }
}

/// `!e`, without the `!` where there is a shorter way.
fn negated(e: &Expr) -> Expr {
    simple_negation(e).unwrap_or_else(|| match e {
        Expr::Binary(_) | Expr::Cast(_) => syn::parse_quote!(!(#e)),
        _ => syn::parse_quote!(!#e),
    })
}

/// The negation of a comparison, a negation or a literal.
fn simple_negation(e: &Expr) -> Option<Expr> {
    match e {
        Expr::Paren(p) => simple_negation(&p.expr),
        Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => {
            let inner = match &*u.expr {
                Expr::Paren(p) => &*p.expr,
                inner => inner,
            };
            // A bitwise `!` of a reference is a value; without it the reference would be left.
            (!matches!(inner, Expr::Reference(_))).then(|| inner.clone())
        }
        Expr::Binary(b) => {
            let op: BinOp = match b.op {
                BinOp::Eq(_) => syn::parse_quote!(!=),
                BinOp::Ne(_) => syn::parse_quote!(==),
                BinOp::Lt(_) => syn::parse_quote!(>=),
                BinOp::Le(_) => syn::parse_quote!(>),
                BinOp::Gt(_) => syn::parse_quote!(<=),
                BinOp::Ge(_) => syn::parse_quote!(<),
                _ => return None,
            };
            Some(Expr::Binary(syn::ExprBinary { op, ..b.clone() }))
        }
        e => bool_literal(e).map(|value| {
            let opposite = !value;
            syn::parse_quote!(#opposite)
        }),
    }
}

fn bool_literal(e: &Expr) -> Option<bool> {
    match e {
        Expr::Lit(syn::ExprLit { lit: Lit::Bool(b), .. }) => Some(b.value),
        Expr::Paren(p) => bool_literal(&p.expr),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::print;

    fn tidied(body: &str) -> String {
        let items = print::items(format!("fn f() -> bool {{ {body} }}").parse().unwrap()).unwrap();
        let text = print::print_items(items).split_whitespace().collect::<Vec<_>>().join(" ");
        text.strip_prefix("fn f() -> bool { ").and_then(|t| t.strip_suffix(" }")).unwrap().to_owned()
    }

    #[test]
    fn negations_of_comparisons_are_comparisons() {
        assert_eq!(tidied("!(a == b) || !!c || !(a < b) || !(a && b)"), "a != b || c || a >= b || !(a && b)");
        assert_eq!(tidied("a == true || b != true || false == c.d()"), "a || !b || !c.d()");
    }

    #[test]
    fn conditions_are_their_own_values() {
        assert_eq!(tidied("if a { true } else { false }"), "a");
        assert_eq!(tidied("if a > b { false } else { true }"), "a <= b");
        assert_eq!(tidied("if let A = b { true } else { false }; c"), "if let A = b { true } else { false }; c");
        assert_eq!(tidied("if a { s.x = true; } else { s.x = false; } g()"), "s.x = a; g()");
    }

    #[test]
    fn branches_in_branches_are_one() {
        assert_eq!(tidied("if a {} else { g(); } if b { g(); } else {} d"), "if !a { g(); } if b { g(); } d");
        assert_eq!(tidied("if a { if b || c { g(); } } d"), "if a && (b || c) { g(); } d");
        assert_eq!(tidied("if a { if b { g(); } } else { h(); } d"), "if a { if b { g(); } } else { h(); } d");
    }
}
