//! What a function computes and never uses: first values that are overwritten, variables that only specifications of the
//! program speak of, statements that nothing reaches.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Local, Pat, Stmt};

use super::code::ident;
use super::moves::{self, DEAD, diverges};
use super::tidy::UNASSIGNED;
use super::unique::plain;

/// Takes out what nothing reaches.
pub(super) fn unreachable(body: &mut Block) {
    Reached.visit_block_mut(body);
}

struct Reached;

impl VisitMut for Reached {
    fn visit_block_mut(&mut self, b: &mut Block) {
        visit_mut::visit_block_mut(self, b);
        let end = b.stmts.iter().position(|s| match s {
            Stmt::Expr(e, _) => never_ends(e),
            Stmt::Local(l) => l.init.as_ref().is_some_and(|i| i.diverge.is_none() && never_ends(&i.expr)),
            Stmt::Macro(_) | Stmt::Item(_) => false,
        });
        let Some(end) = end else { return };
        b.stmts.truncate(end + 1);
        // A value that is never there has no name.
        if let Some(Stmt::Local(l)) = b.stmts.last_mut()
            && let Some(init) = l.init.take()
        {
            b.stmts.pop();
            b.stmts.push(Stmt::Expr(*init.expr, None));
        }
    }
}

/// Whether what comes after the expression is never reached.
pub(super) fn never_ends(e: &Expr) -> bool {
    let block = |b: &Block| b.stmts.last().is_some_and(|s| matches!(s, Stmt::Expr(e, _) if never_ends(e)));
    match e {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Call(c) => diverges(c),
        Expr::If(i) => {
            // A condition that is written out decides nothing for Rust.
            block(&i.then_branch) && i.else_branch.as_ref().is_some_and(|(_, e)| never_ends(e))
        }
        Expr::Match(m) => !m.arms.is_empty() && m.arms.iter().all(|a| never_ends(&a.body)),
        Expr::Block(b) => block(&b.block) && b.block.stmts.iter().all(|s| b.label.as_ref().is_none_or(|l| !leaves(s, Some(l)))),
        Expr::Loop(l) => !l.body.stmts.iter().any(|s| leaves(s, l.label.as_ref())),
        _ => false,
    }
}

/// Whether a statement leaves the loop or block around it that has this label: by it, or without one.
fn leaves(s: &Stmt, label: Option<&syn::Label>) -> bool {
    struct Breaks<'l> {
        label: Option<&'l syn::Lifetime>,
        loops: usize,
        found: bool,
    }
    impl<'e> Visit<'e> for Breaks<'_> {
        fn visit_expr_break(&mut self, b: &'e syn::ExprBreak) {
            self.found |= match &b.label {
                Some(l) => self.label.is_some_and(|own| own.ident == l.ident),
                None => self.loops == 0,
            };
            syn::visit::visit_expr_break(self, b);
        }

        fn visit_expr(&mut self, e: &'e Expr) {
            let is_loop = matches!(e, Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Closure(_));
            self.loops += usize::from(is_loop);
            syn::visit::visit_expr(self, e);
            self.loops -= usize::from(is_loop);
        }
    }
    let mut breaks = Breaks { label: label.map(|l| &l.name), loops: 0, found: false };
    breaks.visit_stmt(s);
    breaks.found
}

/// Takes out values that are never read, and says of variables that are never read that it is meant so.
pub(super) fn settle(signature: &mut syn::Signature, body: &mut Block) {
    loop {
        moves::mark_dead(body);
        let mut pass = Values { uses: Uses::of(body), changed: false };
        pass.visit_block_mut(body);
        if !pass.changed {
            break;
        }
    }
    let uses = Uses::of(body);
    let taken: BTreeSet<String> = uses.counts.keys().map(|n| plain(n).to_owned()).collect();
    let mut pass = Marks { uses: &uses, names: BTreeMap::new(), taken };
    for input in &mut signature.inputs {
        if let syn::FnArg::Typed(t) = input {
            pass.visit_pat_mut(&mut t.pat);
        }
    }
    pass.visit_block_mut(body);
    let names = pass.names;
    if !names.is_empty() {
        Stores(&names).visit_block_mut(body);
    }
}

/// How often each variable is mentioned, other than to be given a value.
struct Uses {
    counts: BTreeMap<String, usize>,
    stores: BTreeMap<String, usize>,
}

impl Uses {
    fn of(body: &Block) -> Self {
        let mut found = Self { counts: BTreeMap::new(), stores: BTreeMap::new() };
        found.visit_block(body);
        found
    }

    fn is_used(&self, name: &str) -> bool {
        self.counts.contains_key(name)
    }
}

impl<'e> Visit<'e> for Uses {
    fn visit_expr_assign(&mut self, a: &'e syn::ExprAssign) {
        match &*a.left {
            Expr::Path(p) => *self.stores.entry(p.path.get_ident().map(ToString::to_string).unwrap_or_default()).or_default() += 1,
            Expr::Tuple(t) if t.elems.iter().all(|e| matches!(e, Expr::Path(_) | Expr::Infer(_))) => {
                for name in t.elems.iter().flat_map(moves::mentions) {
                    *self.stores.entry(name).or_default() += 1;
                }
            }
            left => self.visit_expr(left),
        }
        self.visit_expr(&a.right);
    }

    fn visit_expr_path(&mut self, p: &'e syn::ExprPath) {
        if let Some(name) = p.path.get_ident() {
            *self.counts.entry(name.to_string()).or_default() += 1;
        }
    }

    fn visit_macro(&mut self, m: &'e syn::Macro) {
        for name in moves::idents(m.tokens.clone()) {
            *self.counts.entry(name).or_default() += 1;
        }
    }
}

/// Whether evaluating an expression does nothing but give its value: it calls nothing of the program's, and always ends.
fn is_pure(e: &Expr) -> bool {
    use syn::BinOp;
    match e {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Reference(r) => is_pure(&r.expr),
        Expr::Unary(u) => is_pure(&u.expr),
        Expr::Paren(p) => is_pure(&p.expr),
        Expr::Field(f) => is_pure(&f.base),
        Expr::Tuple(t) => t.elems.iter().all(is_pure),
        Expr::Array(a) => a.elems.iter().all(is_pure),
        Expr::Struct(s) => s.fields.iter().all(|f| is_pure(&f.expr)),
        Expr::Binary(b) => {
            let total = matches!(
                b.op,
                BinOp::And(_) | BinOp::Or(_) | BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
            );
            total && is_pure(&b.left) && is_pure(&b.right)
        }
        Expr::MethodCall(m) => (m.method == moves::CLONE || m.method == "clone") && is_pure(&m.receiver),
        Expr::Call(c) => is_constructor(&c.func) && c.args.iter().all(is_pure),
        _ => false,
    }
}

/// Whether a function only puts values of the run-time library together.
fn is_constructor(f: &Expr) -> bool {
    let Expr::Path(p) = f else { return false };
    if let Some(name) = p.path.get_ident() {
        return super::print::is_macro(name, &["seq", "set", "map", "multiset"]) || ["int", "real", "str", "ch"].iter().any(|n| name == n);
    }
    let Some(last) = p.path.segments.last() else { return false };
    let is_of = |names: &[&str]| p.path.segments.first().is_some_and(|s| names.iter().any(|n| s.ident == n));
    let is_null = last.ident == "null" && (p.qself.is_some() || is_of(&["Ref", "Array", "Dyn"]));
    (is_of(&["Seq", "Set", "Multiset", "Map", "Rc"]) && last.ident == "new") || is_null || last.ident == "dafny_default"
}

/// Takes out values that are never read.
struct Values {
    uses: Uses,
    changed: bool,
}

impl VisitMut for Values {
    fn visit_block_mut(&mut self, b: &mut Block) {
        visit_mut::visit_block_mut(self, b);
        let before = std::mem::take(&mut b.stmts);
        for s in before {
            self.statement(s, &mut b.stmts);
        }
    }
}

impl Values {
    fn statement(&mut self, mut s: Stmt, out: &mut Vec<Stmt>) {
        match &mut s {
            Stmt::Local(l) => {
                if !self.local(l, out) {
                    return;
                }
            }
            Stmt::Expr(Expr::Assign(a), _) => {
                let dead = take_mark(&mut a.attrs);
                if dead && is_variable_of(&a.left, |n| self.uses.is_used(n)) {
                    self.changed = true;
                    if !is_pure(&a.right) {
                        out.push(evaluated((*a.right).clone()));
                    }
                    return;
                }
            }
            Stmt::Expr(..) | Stmt::Macro(_) | Stmt::Item(_) => {}
        }
        out.push(s);
    }

    /// Mends a declaration; whether it stays.
    fn local(&mut self, l: &mut Local, out: &mut Vec<Stmt>) -> bool {
        let dead = take_mark(&mut l.attrs);
        let Some(name) = moves::bound(&l.pat).into_iter().next() else { return true };
        let unassigned = l.attrs.iter().any(|a| a.path().is_ident(UNASSIGNED));
        let (used, stored) = (self.uses.is_used(&name), self.uses.stores.contains_key(&name));
        if unassigned && !used && !stored {
            return false;
        }
        if !dead || !stored || !(used || unassigned) {
            return true;
        }
        self.changed = true;
        if let Some(init) = l.init.take()
            && !is_pure(&init.expr)
        {
            // Nothing else may say what type it is of.
            let e = *init.expr;
            out.push(match &l.pat {
                Pat::Type(syn::PatType { ty, .. }) => syn::parse_quote!(let _: #ty = #e;),
                _ => evaluated(e),
            });
        }
        if !unassigned {
            let mark = syn::Ident::new(UNASSIGNED, proc_macro2::Span::call_site());
            l.attrs.push(syn::parse_quote!(#[#mark]));
        }
        true
    }
}

/// `let _ = e;`
fn evaluated(e: Expr) -> Stmt {
    syn::parse_quote!(let _ = #e;)
}

fn take_mark(attrs: &mut Vec<syn::Attribute>) -> bool {
    let before = attrs.len();
    attrs.retain(|a| !a.path().is_ident(DEAD));
    attrs.len() < before
}

fn is_variable_of(e: &Expr, is: impl FnOnce(&str) -> bool) -> bool {
    matches!(e, Expr::Path(p) if p.path.get_ident().is_some_and(|i| is(&i.to_string())))
}

/// Gives variables that are never read a name that says so.
struct Marks<'u> {
    uses: &'u Uses,
    /// The new names.
    names: BTreeMap<String, syn::Ident>,
    /// The names of the function.
    taken: BTreeSet<String>,
}

impl Marks<'_> {
    fn is_unused(&self, p: &Pat) -> bool {
        matches!(p, Pat::Ident(i) if i.subpat.is_none() && self.is_unused_name(&i.ident.to_string()))
    }

    fn is_unused_name(&self, name: &str) -> bool {
        // Constructors without arguments look like variables in patterns.
        let is_variable = name.trim_start_matches("r#").starts_with(|c: char| c.is_lowercase());
        is_variable && !self.uses.is_used(name)
    }

    /// Whether the program gives what is declared no name, and nothing of ours speaks of it either.
    fn is_nameless(&self, l: &Local) -> bool {
        let word = moves::bound(&l.pat).into_iter().next().is_some_and(|n| plain(&n).starts_with(super::body::NAMELESS));
        word && self.is_unused(&l.pat) && l.init.is_some()
    }

    /// The patterns of a `match` and its like say `_`.
    fn left_out(&self, p: &mut Pat) {
        struct LeftOut<'m, 'u>(&'m Marks<'u>);
        impl VisitMut for LeftOut<'_, '_> {
            fn visit_pat_mut(&mut self, p: &mut Pat) {
                visit_mut::visit_pat_mut(self, p);
                if self.0.is_unused(p) {
                    *p = syn::parse_quote!(_);
                }
            }

            fn visit_pat_struct_mut(&mut self, s: &mut syn::PatStruct) {
                visit_mut::visit_pat_struct_mut(self, s);
                let before = s.fields.len();
                s.fields = std::mem::take(&mut s.fields).into_iter().filter(|f| !matches!(&*f.pat, Pat::Wild(_))).collect();
                if s.fields.len() < before && s.rest.is_none() {
                    s.rest = Some(syn::PatRest { attrs: Vec::new(), dot2_token: Default::default() });
                }
            }

            fn visit_expr_mut(&mut self, _: &mut Expr) {}
        }
        LeftOut(self).visit_pat_mut(p);
    }
}

impl VisitMut for Marks<'_> {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        let name = p.ident.to_string();
        if !self.is_unused_name(&name) {
            return;
        }
        let mut new = format!("_{}", plain(name.trim_start_matches("r#")));
        while !self.taken.insert(new.clone()) {
            new.push('_');
        }
        p.ident = ident(&new);
        self.names.insert(name, p.ident.clone());
    }

    fn visit_stmt_mut(&mut self, s: &mut Stmt) {
        // A call whose result has no name is a statement.
        if let Stmt::Local(l) = s
            && self.is_nameless(l)
            && let Some(init) = &l.init
            && matches!(&*init.expr, Expr::Call(_) | Expr::MethodCall(_))
        {
            *s = Stmt::Expr((*init.expr).clone(), Some(Default::default()));
        }
        visit_mut::visit_stmt_mut(self, s);
    }

    fn visit_expr_let_mut(&mut self, l: &mut syn::ExprLet) {
        self.left_out(&mut l.pat);
        visit_mut::visit_expr_let_mut(self, l);
    }

    fn visit_arm_mut(&mut self, a: &mut syn::Arm) {
        self.left_out(&mut a.pat);
        visit_mut::visit_arm_mut(self, a);
    }

    fn visit_local_mut(&mut self, l: &mut Local) {
        if self.is_nameless(l) {
            l.pat = syn::parse_quote!(_);
        }
        if matches!(l.pat, Pat::Struct(_) | Pat::TupleStruct(_)) {
            self.left_out(&mut l.pat);
        }
        visit_mut::visit_local_mut(self, l);
    }
}

/// Gives the assignments of renamed variables the new names.
struct Stores<'n>(&'n BTreeMap<String, syn::Ident>);

impl VisitMut for Stores<'_> {
    fn visit_expr_path_mut(&mut self, p: &mut syn::ExprPath) {
        if let Some(new) = p.path.get_ident().and_then(|i| self.0.get(&i.to_string())) {
            p.path = new.clone().into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::print;

    fn tidied(body: &str) -> String {
        let items = print::items(format!("fn f(a: u8, b: u8) -> u8 {{ {body} }}").parse().unwrap()).unwrap();
        let text = print::print_items(items);
        text.replace('\n', " ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn values_that_are_overwritten_are_not_written() {
        assert_eq!(
            tidied("let mut x = 1; loop { x = g(a, b); if x > 1 { return x; } }"),
            "fn f(a: u8, b: u8) -> u8 { let mut x; loop { x = g(a, b); if x > 1 { return x; } } }"
        );
        assert_eq!(tidied("let mut x = g(a); x = b; x"), "fn f(a: u8, b: u8) -> u8 { let _ = g(a); b }");
        assert_eq!(tidied("let mut x: u8 = g(a); x = b; x"), "fn f(a: u8, b: u8) -> u8 { let _: u8 = g(a); b }");
        assert_eq!(tidied("let mut x: Ref<u8> = Ref::null(); x = b; x"), "fn f(_a: u8, b: u8) -> u8 { b }");
        assert_eq!(
            tidied("let mut x = a; while h(b) { x = x + 1; } x"),
            "fn f(a: u8, b: u8) -> u8 { let mut x = a; while h(b) { x = x + 1; } x }"
        );
        assert_eq!(tidied("let mut x = a; let y = g(x); x = b; y"), "fn f(a: u8, _b: u8) -> u8 { let x = a; g(x) }");
    }

    #[test]
    fn variables_that_are_never_read_say_so() {
        assert_eq!(tidied("let x = g(a); b"), "fn f(a: u8, b: u8) -> u8 { let _x = g(a); b }");
        assert_eq!(
            tidied("match a { A { x, y } => y, B(z) => b }"),
            "fn f(a: u8, b: u8) -> u8 { match a { A { y, .. } => y, B(_) => b, } }"
        );
        assert_eq!(
            tidied("let (x, y) = g(a, b); for i in r() { h(|z| x); } x"),
            "fn f(a: u8, b: u8) -> u8 { let (x, _y) = g(a, b); for _i in r() { h(|_z| x); } x }"
        );
    }

    #[test]
    fn what_nothing_reaches_is_left_out() {
        assert_eq!(
            tidied("#[unassigned] let mut x = 0; if a { return 1; } else { return b; } x"),
            "fn f(a: u8, b: u8) -> u8 { if a { 1 } else { b } }"
        );
        assert_eq!(tidied("loop { if a { break; } } b"), "fn f(a: u8, b: u8) -> u8 { loop { if a { break; } } b }");
    }
}
