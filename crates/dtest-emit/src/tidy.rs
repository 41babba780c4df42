//! What a translation step by step leaves behind and a person would not write: blocks in blocks, variables that are
//! returned at once, values that are given and never read, `return` at the end, types that are known from the result.

use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Local, Pat, ReturnType, Stmt};

use super::moves::{bound, mentions};

/// The attribute of a `let` that gives a variable no value of the program's, at most its type's default.
pub(super) const UNASSIGNED: &str = "unassigned";

/// Tidies the items. None of it changes what they compute.
pub(super) fn tidy(items: &mut [syn::Item]) {
    items.iter_mut().for_each(|i| Functions.visit_item_mut(i));
}

struct Functions;

impl VisitMut for Functions {
    fn visit_item_fn_mut(&mut self, f: &mut syn::ItemFn) {
        self.visit_block_mut(&mut f.block);
        function(&mut f.sig, &mut f.block);
    }

    fn visit_impl_item_fn_mut(&mut self, f: &mut syn::ImplItemFn) {
        self.visit_block_mut(&mut f.block);
        function(&mut f.sig, &mut f.block);
    }

    fn visit_trait_item_fn_mut(&mut self, f: &mut syn::TraitItemFn) {
        if let Some(block) = &mut f.default {
            self.visit_block_mut(block);
            function(&mut f.sig, block);
        }
    }
}

/// The passes over one function, in their order.
fn function(signature: &mut syn::Signature, body: &mut Block) {
    let has_result = !matches!(signature.output, ReturnType::Default);
    super::unique::rename(signature, body);
    Blocks.visit_block_mut(body);
    super::unused::unreachable(body);
    super::rounds::settle(body);
    Blocks.visit_block_mut(body);
    end_without_return(body, has_result);
    super::unused::settle(signature, body);
    Declarations.visit_block_mut(body);
    end_without_return(body, has_result);
    super::moves::settle(body);
    Redundant.visit_block_mut(body);
    super::simplify::simplify(body);
    if has_result {
        returned_variable(body, true);
        end_without_return(body, true);
        shorten_tail(body);
        Returns.visit_block_mut(body);
    }
    mutability(body);
    super::unique::restore(body);
}

// ---- Blocks --------------------------------------------------------------------------------------------------------

/// Opens blocks at the end of blocks, and turns `else { if … }` into `else if …`.
struct Blocks;

impl VisitMut for Blocks {
    fn visit_block_mut(&mut self, b: &mut Block) {
        visit_mut::visit_block_mut(self, b);
        while let Some(Stmt::Expr(Expr::Block(inner), None)) = b.stmts.last()
            && inner.label.is_none()
            && inner.attrs.is_empty()
        {
            if let Some(Stmt::Expr(Expr::Block(inner), None)) = b.stmts.pop() {
                b.stmts.extend(inner.block.stmts);
            }
        }
        returned_variable(b, false);
    }

    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        visit_mut::visit_expr_if_mut(self, i);
        if let Some((_, els)) = &mut i.else_branch
            && let Expr::Block(b) = &mut **els
            && let [Stmt::Expr(Expr::If(inner), None)] = b.block.stmts.as_slice()
            && b.label.is_none()
        {
            let inner = inner.clone();
            **els = Expr::If(inner);
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        // A block of one expression is that expression.
        if let Expr::Block(b) = e
            && b.label.is_none()
            && b.attrs.is_empty()
            && let [Stmt::Expr(only, None)] = b.block.stmts.as_slice()
        {
            *e = only.clone();
        }
        if let Expr::If(i) = e {
            // Branches keep their braces.
            if let Some((_, els)) = &mut i.else_branch
                && !matches!(&**els, Expr::Block(syn::ExprBlock { label: None, .. }) | Expr::If(_))
            {
                let only = (**els).clone();
                **els = braced(vec![Stmt::Expr(only, None)]);
            }
        }
    }
}

/// `let x = e; x` → `e`, and the same with `return x;`. With `typed`, also where the `let` gives the type.
fn returned_variable(b: &mut Block, typed: bool) {
    let [.., Stmt::Local(l), Stmt::Expr(last, semi)] = b.stmts.as_mut_slice() else { return };
    let (p, returns) = match (last, &semi) {
        (Expr::Path(p), None) => (p, false),
        (Expr::Return(syn::ExprReturn { expr: Some(e), .. }), _) => match &mut **e {
            Expr::Path(p) => (p, true),
            _ => return,
        },
        _ => return,
    };
    let Some(init) = &mut l.init else { return };
    let (name, has_type) = match &l.pat {
        Pat::Ident(i) if i.by_ref.is_none() && i.subpat.is_none() => (&i.ident, false),
        Pat::Type(t) => match &*t.pat {
            Pat::Ident(i) => (&i.ident, true),
            _ => return,
        },
        _ => return,
    };
    // What is returned has the type of the function's result.
    let typed = typed || returns;
    if p.path.get_ident() != Some(name) || init.diverge.is_some() || has_type && !typed || !l.attrs.is_empty() {
        return;
    }
    let value = (*init.expr).clone();
    b.stmts.truncate(b.stmts.len().saturating_sub(2));
    if returns {
        b.stmts.push(syn::parse_quote!(return #value;));
        return;
    }
    b.stmts.push(Stmt::Expr(value, None));
    while let Some(Stmt::Expr(Expr::Block(inner), None)) = b.stmts.last()
        && inner.label.is_none()
    {
        if let Some(Stmt::Expr(Expr::Block(inner), None)) = b.stmts.pop() {
            b.stmts.extend(inner.block.stmts);
        }
    }
}

// ---- Declarations --------------------------------------------------------------------------------------------------

/// Variables are declared where they get their first value.
struct Declarations;

impl VisitMut for Declarations {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            if !self.declare_later(b, at) {
                at += 1;
            }
        }
        visit_mut::visit_block_mut(self, b);
    }

    fn visit_local_mut(&mut self, l: &mut Local) {
        l.attrs.retain(|a| !a.path().is_ident(UNASSIGNED));
        visit_mut::visit_local_mut(self, l);
    }
}

impl Declarations {
    /// Moves the declaration at this place to the statement that gives the variable its first value, where one does in
    /// all cases; whether it did.
    fn declare_later(&self, b: &mut Block, at: usize) -> bool {
        let Some(Stmt::Local(l)) = b.stmts.get(at) else { return false };
        if !l.attrs.iter().any(|a| a.path().is_ident(UNASSIGNED)) {
            return false;
        }
        let Some(name) = bound(&l.pat).into_iter().next() else { return false };
        let later = b.stmts.iter().enumerate().skip(at + 1).find(|(_, s)| statement_mentions(s, &name));
        let Some((place, _)) = later else { return false };
        let Some(Stmt::Expr(first, _)) = b.stmts.get_mut(place) else { return false };
        let value = match first {
            Expr::Assign(a) if is_variable(&a.left, &name) && !mentions(&a.right).contains(&name) => (*a.right).clone(),
            Expr::If(_) | Expr::Match(_) if gives_value(first, &name) => {
                let mut value = first.clone();
                into_value(&mut value);
                value
            }
            _ => return false,
        };
        let Stmt::Local(mut declaration) = b.stmts.remove(at) else { return false };
        declaration.attrs.retain(|a| !a.path().is_ident(UNASSIGNED));
        if let Pat::Type(t) = &declaration.pat
            && !needs_type(&value)
        {
            declaration.pat = (*t.pat).clone();
        }
        declaration.init = Some(syn::LocalInit { eq_token: Default::default(), expr: Box::new(value), diverge: None });
        // One was taken away before it.
        if let Some(s) = b.stmts.get_mut(place.saturating_sub(1)) {
            *s = Stmt::Local(declaration);
        }
        true
    }
}

/// Whether a value may not show its type to Rust.
fn needs_type(value: &Expr) -> bool {
    let text = quote::quote!(#value).to_string();
    ["null", "Fun", "unreachable", "panic"].iter().any(|w| text.contains(w))
}

/// `{ statements }`
fn braced(stmts: Vec<Stmt>) -> Expr {
    Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: Block { brace_token: Default::default(), stmts } })
}

fn is_variable(e: &Expr, name: &str) -> bool {
    matches!(e, Expr::Path(p) if p.path.get_ident().is_some_and(|i| i == name))
}

fn statement_mentions(s: &Stmt, name: &str) -> bool {
    mentions(&braced(vec![s.clone()])).contains(name)
}

/// Whether a branching statement gives the variable a value at the end of each of its branches, and does not speak of it
/// before that.
fn gives_value(e: &Expr, name: &str) -> bool {
    match e {
        Expr::If(i) => {
            !mentions(&i.cond).contains(name)
                && block_gives_value(&i.then_branch, name)
                && i.else_branch.as_ref().is_some_and(|(_, e)| gives_value(e, name))
        }
        Expr::Match(m) => {
            !mentions(&m.expr).contains(name)
                && m.arms.iter().all(|a| {
                    let guarded = matches!(&a.pat, Pat::Guard(g) if mentions(&g.guard).contains(name));
                    !guarded && !bound(&a.pat).contains(name) && gives_value(&a.body, name)
                })
        }
        Expr::Block(b) => b.label.is_none() && block_gives_value(&b.block, name),
        Expr::Assign(a) => is_variable(&a.left, name) && !mentions(&a.right).contains(name),
        e => leaves(e) && !mentions(e).contains(name),
    }
}

/// Whether control does not come to what stands after the expression.
fn leaves(e: &Expr) -> bool {
    match e {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Call(c) => super::moves::diverges(c),
        _ => false,
    }
}

fn block_gives_value(b: &Block, name: &str) -> bool {
    let Some((last, before)) = b.stmts.split_last() else { return false };
    if before.iter().any(|s| statement_mentions(s, name)) {
        return false;
    }
    match last {
        Stmt::Expr(e, _) if leaves(e) => !statement_mentions(last, name),
        Stmt::Expr(e, _) => gives_value(e, name),
        Stmt::Local(_) | Stmt::Macro(_) | Stmt::Item(_) => false,
    }
}

/// The branching statement as an expression: assignments at the ends of its branches become their values.
fn into_value(e: &mut Expr) {
    match e {
        Expr::If(i) => {
            block_into_value(&mut i.then_branch);
            if let Some((_, els)) = &mut i.else_branch {
                into_value(els);
            }
        }
        Expr::Match(m) => m.arms.iter_mut().for_each(|a| into_value(&mut a.body)),
        Expr::Block(b) => block_into_value(&mut b.block),
        Expr::Assign(a) => *e = (*a.right).clone(),
        _ => {}
    }
}

fn block_into_value(b: &mut Block) {
    if let Some(Stmt::Expr(last, semi)) = b.stmts.last_mut()
        && !leaves(last)
    {
        into_value(last);
        *semi = None;
    }
}

// ---- Returns -------------------------------------------------------------------------------------------------------

/// `return e;` at the end of a function → `e`.
fn end_without_return(b: &mut Block, has_result: bool) {
    let Some(Stmt::Expr(last, semi)) = b.stmts.last_mut() else { return };
    match last {
        Expr::Return(r) => match r.expr.take() {
            Some(value) => {
                *last = *value;
                *semi = None;
            }
            None => {
                b.stmts.pop();
            }
        },
        // Without a value behind it, each of its branches ends the function.
        Expr::If(_) | Expr::Match(_) if !has_result || semi.is_none() || returns(last) => {
            branch_without_return(last, has_result);
            if has_result {
                *semi = None;
            }
        }
        _ => {}
    }
}

/// Whether each branch ends in `return`.
fn returns(e: &Expr) -> bool {
    let block = |b: &Block| matches!(b.stmts.last(), Some(Stmt::Expr(e, _)) if returns(e));
    match e {
        Expr::Return(r) => r.expr.is_some(),
        Expr::Call(c) => super::moves::diverges(c),
        Expr::If(i) => block(&i.then_branch) && i.else_branch.as_ref().is_some_and(|(_, e)| returns(e)),
        Expr::Match(m) => !m.arms.is_empty() && m.arms.iter().all(|a| returns(&a.body)),
        Expr::Block(b) => b.label.is_none() && block(&b.block),
        _ => false,
    }
}

fn branch_without_return(e: &mut Expr, has_result: bool) {
    match e {
        Expr::If(i) => {
            end_without_return(&mut i.then_branch, has_result);
            if let Some((_, els)) = &mut i.else_branch {
                branch_without_return(els, has_result);
            }
        }
        Expr::Match(m) => m.arms.iter_mut().for_each(|a| branch_without_return(&mut a.body, has_result)),
        Expr::Block(b) if b.label.is_none() => end_without_return(&mut b.block, has_result),
        Expr::Return(r) => {
            if let Some(value) = r.expr.take() {
                *e = *value;
            } else {
                *e = syn::parse_quote!({});
            }
        }
        _ => {}
    }
}

// ---- What the result's type says ------------------------------------------------------------------------------------

/// `Option::<Int>::None` → `Option::None` where the type is known from the function's result.
fn shorten_tail(b: &mut Block) {
    if let Some(Stmt::Expr(last, None)) = b.stmts.last_mut() {
        shorten(last);
    }
}

fn shorten(e: &mut Expr) {
    match e {
        Expr::If(i) => {
            shorten_tail(&mut i.then_branch);
            if let Some((_, els)) = &mut i.else_branch {
                shorten(els);
            }
        }
        Expr::Match(m) => m.arms.iter_mut().for_each(|a| shorten(&mut a.body)),
        Expr::Block(b) if b.label.is_none() => shorten_tail(&mut b.block),
        Expr::Tuple(t) => t.elems.iter_mut().for_each(shorten),
        Expr::Path(p) => without_arguments(&mut p.path),
        Expr::Struct(s) => {
            without_arguments(&mut s.path);
            s.fields.iter_mut().for_each(|f| shorten(&mut f.expr));
        }
        Expr::Call(c) if c.args.is_empty() => {
            if let Expr::Path(p) = &mut *c.func
                && is_empty_collection(&p.path)
            {
                without_arguments(&mut p.path);
            }
        }
        Expr::Call(c) if matches!(&*c.func, Expr::Path(p) if is_path(&p.path, &["Rc", "new"])) => c.args.iter_mut().for_each(shorten),
        _ => {}
    }
}

/// What is returned early.
struct Returns;

impl VisitMut for Returns {
    fn visit_expr_return_mut(&mut self, r: &mut syn::ExprReturn) {
        if let Some(e) = &mut r.expr {
            shorten(e);
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}

fn is_path(path: &syn::Path, names: &[&str]) -> bool {
    path.segments.len() == names.len() && path.segments.iter().zip(names).all(|(s, n)| s.ident == n)
}

fn is_empty_collection(path: &syn::Path) -> bool {
    ["Seq", "Set", "Multiset", "Map"].iter().any(|c| is_path(path, &[c, "new"]))
}

/// The path without the type arguments of a type in front of a constructor or function.
fn without_arguments(path: &mut syn::Path) {
    let count = path.segments.len();
    path.segments.iter_mut().take(count.saturating_sub(1)).for_each(|s| s.arguments = syn::PathArguments::None);
}

// ---- What is left over ----------------------------------------------------------------------------------------------

/// `let x = x;`, which a move leaves, and empty declarations.
struct Redundant;

impl VisitMut for Redundant {
    fn visit_block_mut(&mut self, b: &mut Block) {
        visit_mut::visit_block_mut(self, b);
        b.stmts.retain(|s| !is_itself(s));
        returned_variable(b, false);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Expr::Block(b) = e
            && b.label.is_none()
            && let [Stmt::Expr(only, None)] = b.block.stmts.as_slice()
            && matches!(only, Expr::Call(_) | Expr::MethodCall(_))
        {
            *e = only.clone();
        }
    }

    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        // Branches keep their braces.
        self.visit_expr_mut(&mut i.cond);
        self.visit_block_mut(&mut i.then_branch);
        if let Some((_, els)) = &mut i.else_branch {
            match &mut **els {
                Expr::Block(b) => self.visit_block_mut(&mut b.block),
                other => self.visit_expr_mut(other),
            }
        }
    }
}

fn is_itself(s: &Stmt) -> bool {
    match s {
        Stmt::Local(Local { pat: Pat::Ident(i), init: Some(init), .. }) => {
            i.mutability.is_none() && init.diverge.is_none() && is_variable(&init.expr, &i.ident.to_string())
        }
        Stmt::Local(_) | Stmt::Item(_) | Stmt::Expr(..) | Stmt::Macro(_) => false,
    }
}

/// `mut` stands where a variable is changed after its declaration.
fn mutability(body: &mut Block) {
    let changed = super::moves::changed(body);
    Mutability { changed }.visit_block_mut(body);
}

struct Mutability {
    changed: super::moves::Names,
}

impl VisitMut for Mutability {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        if p.by_ref.is_none() && !self.changed.contains(&p.ident.to_string()) {
            p.mutability = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::print;

    fn tidied(text: &str) -> String {
        let items = print::items(text.parse().unwrap()).unwrap();
        print::print_items(items)
    }

    #[test]
    fn blocks_in_blocks_are_opened() {
        assert_eq!(tidied("fn f() -> u8 { { { let a = g(); a + 1 } } }"), "fn f() -> u8 {\n    let a = g();\n    a + 1\n}\n");
        assert_eq!(tidied("fn f() -> u8 { h(|x| { g(x) }) }"), "fn f() -> u8 {\n    h(|x| g(x))\n}\n");
    }

    #[test]
    fn variables_are_declared_with_their_first_value() {
        let text = "fn f(c: bool) -> u8 { #[unassigned] let mut a: u8 = 0; g(); if c { a = 1; } else { h(); a = 2; } a }";
        assert_eq!(
            tidied(text),
            "fn f(c: bool) -> u8 {\n    g();\n    if c {\n        1\n    } else {\n        h();\n        2\n    }\n}\n"
        );
        let kept = "fn f(c: bool) -> u8 {\n    let mut a: u8 = 0;\n    if c {\n        a = 1;\n    }\n    a\n}\n";
        assert_eq!(tidied("fn f(c: bool) -> u8 { #[unassigned] let mut a: u8 = 0; if c { a = 1; } a }"), kept);
    }

    #[test]
    fn functions_end_in_their_value() {
        assert_eq!(tidied("fn f() -> u8 { let a = 1; return a; }"), "fn f() -> u8 {\n    1\n}\n");
        assert_eq!(
            tidied("fn f(c: bool) -> u8 { if c { return 1; } else { return 2; } }"),
            "fn f(c: bool) -> u8 {\n    if c { 1 } else { 2 }\n}\n"
        );
    }

    #[test]
    fn the_result_says_its_type() {
        assert_eq!(
            tidied("fn f(c: bool) -> Option<u8> { if c { return Option::<u8>::None; } g(Option::<u8>::None); Option::<u8>::None }"),
            "fn f(c: bool) -> Option<u8> {\n    if c {\n        return Option::None;\n    }\n    g(Option::<u8>::None);\n    Option::None\n}\n"
        );
    }

    #[test]
    fn a_copy_for_a_closure_leaves_the_parameter_of_its_name() {
        let text = "fn f(a: A) { let c = { let a = a.cloneǃ(); move || a.b }; a.g(c) }";
        assert!(tidied(text).contains("let a = a.clone();"), "{}", tidied(text));
    }

    #[test]
    fn mut_stands_where_a_variable_changes() {
        assert_eq!(
            tidied("fn f() { let mut a = 1; let mut b = 1; h(b); b = 2; g(a, b); }"),
            "fn f() {\n    let a = 1;\n    let mut b = 1;\n    h(b);\n    b = 2;\n    g(a, b);\n}\n"
        );
    }
}
