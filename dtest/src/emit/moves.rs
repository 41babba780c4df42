//! Clones of a variable that is not used any more become moves.
//!
//! A translated expression that needs a variable's value writes [`CLONE`] where it cannot know what comes after. This
//! pass walks a whole function against the direction of execution with the set of variables that are still needed
//! (liveness analysis), and turns those calls into moves or clones. It is careful rather than sharp: a variable that a
//! reference may point to, or that stands beside its last use in the same expression, is cloned.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Local, Pat, Stmt};

/// The method that stands for a clone or a move.
pub(super) const CLONE: &str = "cloneǃ";

/// The attribute of a `let` whose variable is a reference into what its value mentions.
pub(super) const BORROWS: &str = "borrows";

type Names = BTreeSet<String>;

/// Settles the clones in the body of a function. A parameter that is no reference is a variable like those of the body.
pub(super) fn settle(signature: Option<&syn::Signature>, body: &mut Block) {
    let mut found = Survey::default();
    for input in signature.iter().flat_map(|s| &s.inputs) {
        if let syn::FnArg::Typed(param) = input
            && let (Pat::Ident(name), false) = (&*param.pat, matches!(*param.ty, syn::Type::Reference(_)))
        {
            *found.declared.entry(name.ident.to_string()).or_default() += 1;
        }
    }
    found.visit_block_mut(body);
    if found.has_clones {
        let mut pass = Pass { survey: &found, live: Names::new(), loops: Vec::new(), closures: Vec::new(), clauses: 0, marking: true };
        pass.block(body, &Names::new());
    }
    Finish.visit_block_mut(body);
}

/// What is known of a function before the walk.
#[derive(Default)]
struct Survey {
    has_clones: bool,
    /// How often a name is declared.
    declared: BTreeMap<String, usize>,
    /// For a variable that is a reference: what it may point into.
    borrows: BTreeMap<String, Names>,
}

impl VisitMut for Survey {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        *self.declared.entry(p.ident.to_string()).or_default() += 1;
        visit_mut::visit_pat_ident_mut(self, p);
    }

    fn visit_expr_method_call_mut(&mut self, e: &mut syn::ExprMethodCall) {
        self.has_clones |= e.method == CLONE;
        visit_mut::visit_expr_method_call_mut(self, e);
    }

    fn visit_local_mut(&mut self, l: &mut Local) {
        if l.attrs.iter().any(|a| a.path().is_ident(BORROWS))
            && let Some(init) = &l.init
        {
            let mut into = mentions(&init.expr);
            // A reference into what a reference points into.
            let further: Names = into.iter().filter_map(|n| self.borrows.get(n)).flatten().cloned().collect();
            into.extend(further);
            for name in bound(&l.pat) {
                self.borrows.entry(name).or_default().extend(into.iter().cloned());
            }
        }
        visit_mut::visit_local_mut(self, l);
    }
}

/// Takes off what was there for the walk alone.
struct Finish;

impl VisitMut for Finish {
    fn visit_expr_method_call_mut(&mut self, e: &mut syn::ExprMethodCall) {
        if e.method == CLONE {
            e.method = syn::Ident::new("clone", e.method.span());
        }
        visit_mut::visit_expr_method_call_mut(self, e);
    }

    fn visit_local_mut(&mut self, l: &mut Local) {
        l.attrs.retain(|a| !a.path().is_ident(BORROWS));
        visit_mut::visit_local_mut(self, l);
    }
}

/// What a jump can go to.
#[derive(Default)]
struct Target {
    label: Option<String>,
    is_loop: bool,
    /// What is needed after it, and where it starts over.
    after: Names,
    head: Names,
}

struct Pass<'s> {
    survey: &'s Survey,
    /// The variables that are needed after the place where the walk is.
    live: Names,
    loops: Vec<Target>,
    /// For each closure around: the names that are bound in it.
    closures: Vec<Names>,
    /// How many clauses are around: what their macros evaluate, they also show.
    clauses: usize,
    /// Whether clones are settled; else the walk only finds out what a loop needs.
    marking: bool,
}

impl Pass<'_> {
    fn block(&mut self, b: &mut Block, held: &Names) {
        for s in b.stmts.iter_mut().rev() {
            match s {
                Stmt::Local(l) => {
                    self.kill(&bound(&l.pat));
                    if let Some(init) = &mut l.init {
                        if let Some((_, diverge)) = &mut init.diverge {
                            let after = self.live.clone();
                            self.expr(diverge, held);
                            self.live.extend(after);
                        }
                        self.expr(&mut init.expr, held);
                    }
                }
                Stmt::Expr(e, _) => self.expr(e, held),
                Stmt::Macro(m) => self.live.extend(idents(m.mac.tokens.clone())),
                Stmt::Item(_) => {}
            }
        }
    }

    /// A variable gets a new value: the old one is not needed before that.
    fn kill(&mut self, names: &Names) {
        for n in names {
            if self.survey.declared.get(n).is_none_or(|&n| n <= 1) {
                self.live.remove(n);
            }
        }
    }

    /// Operands in the order of their evaluation; each is kept while the next ones are evaluated.
    fn operands<'e>(&mut self, operands: impl IntoIterator<Item = &'e mut Expr>, held: &Names) {
        let mut operands: Vec<&mut Expr> = operands.into_iter().collect();
        let mut before = vec![held.clone()];
        for o in &operands {
            let mut next = before.last().cloned().unwrap_or_default();
            next.extend(mentions(o));
            before.push(next);
        }
        before.pop();
        while let (Some(o), Some(held)) = (operands.pop(), before.pop()) {
            self.expr(o, &held);
        }
    }

    fn expr(&mut self, e: &mut Expr, held: &Names) {
        if let Some(name) = cloned_variable(e) {
            if self.marking
                && self.may_move(&name, held)
                && let Expr::MethodCall(call) = e
            {
                *e = (*call.receiver).clone();
            }
            self.live.insert(name);
            return;
        }
        match e {
            Expr::Path(p) => self.live.extend(p.path.get_ident().map(ToString::to_string)),
            Expr::MethodCall(c) => self.operands(std::iter::once(&mut *c.receiver).chain(c.args.iter_mut()), held),
            Expr::Call(c) => {
                let is_clause = matches!(&*c.func, Expr::Path(p) if p.path.get_ident().is_some_and(is_clause));
                self.clauses += usize::from(is_clause);
                self.operands(std::iter::once(&mut *c.func).chain(c.args.iter_mut()), held);
                self.clauses -= usize::from(is_clause);
            }
            Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)) => {
                let after = self.live.clone();
                self.expr(&mut b.right, held);
                self.live.extend(after);
                self.expr(&mut b.left, held);
            }
            Expr::Binary(b) => self.operands([&mut *b.left, &mut *b.right], held),
            Expr::Assign(a) => self.assign(a, held),
            Expr::Unary(u) => self.expr(&mut u.expr, held),
            Expr::Reference(r) => self.expr(&mut r.expr, held),
            Expr::Paren(p) => self.expr(&mut p.expr, held),
            Expr::Field(f) => self.expr(&mut f.base, held),
            Expr::Cast(c) => self.expr(&mut c.expr, held),
            Expr::Index(i) => self.operands([&mut *i.expr, &mut *i.index], held),
            Expr::Struct(s) => self.operands(s.fields.iter_mut().map(|f| &mut f.expr), held),
            Expr::Tuple(t) => self.operands(t.elems.iter_mut(), held),
            Expr::Array(a) => self.operands(a.elems.iter_mut(), held),
            Expr::Range(r) => self.operands(r.start.iter_mut().chain(r.end.iter_mut()).map(|e| &mut **e), held),
            Expr::Block(b) => {
                let label = b.label.as_ref().map(|l| l.name.ident.to_string());
                let target = Target { label, is_loop: false, after: self.live.clone(), head: Names::new() };
                self.loops.push(target);
                self.block(&mut b.block, held);
                self.loops.pop();
            }
            Expr::If(i) => self.branch(i, held),
            Expr::Match(m) => self.matching(m, held),
            Expr::Loop(l) => self.looped(l.label.as_ref(), &Names::new(), &mut None, &mut l.body, held),
            Expr::While(w) => self.looped(w.label.as_ref(), &Names::new(), &mut Some(&mut w.cond), &mut w.body, held),
            Expr::ForLoop(f) => {
                let inside = with(held, mentions(&f.expr));
                self.looped(f.label.as_ref(), &bound(&f.pat), &mut None, &mut f.body, &inside);
                self.expr(&mut f.expr, held);
            }
            Expr::Closure(c) => self.closure(c),
            Expr::Return(r) => {
                self.live.clear();
                if let Some(e) = &mut r.expr {
                    self.expr(e, held);
                }
            }
            Expr::Break(b) => {
                self.live = self.target(b.label.as_ref()).map(|t| t.after.clone()).unwrap_or_default();
                if let Some(e) = &mut b.expr {
                    self.expr(e, held);
                }
            }
            Expr::Continue(c) => self.live = self.target(c.label.as_ref()).map(|t| t.head.clone()).unwrap_or_default(),
            Expr::Let(l) => {
                self.kill(&bound(&l.pat));
                self.expr(&mut l.expr, held);
            }
            Expr::Lit(_) => {}
            // Other expressions are not written by the translation but within macros.
            other => self.live.extend(mentions(other)),
        }
    }

    fn may_move(&self, name: &str, held: &Names) -> bool {
        let pointed_at = |names: &Names| names.iter().any(|n| self.survey.borrows.get(n).is_some_and(|b| b.contains(name)));
        self.clauses == 0
            && !self.live.contains(name)
            && !held.contains(name)
            && !pointed_at(&self.live)
            && !pointed_at(held)
            && self.closures.last().is_none_or(|bound| bound.contains(name))
    }

    fn assign(&mut self, a: &mut syn::ExprAssign, held: &Names) {
        match &mut *a.left {
            Expr::Path(p) => self.kill(&p.path.get_ident().map(ToString::to_string).into_iter().collect()),
            Expr::Tuple(t) if t.elems.iter().all(|e| matches!(e, Expr::Path(_) | Expr::Infer(_))) => {
                let names = t.elems.iter().flat_map(mentions).collect();
                self.kill(&names);
            }
            Expr::Infer(_) => {}
            left => self.expr(left, held),
        }
        self.expr(&mut a.right, held);
    }

    fn branch(&mut self, i: &mut syn::ExprIf, held: &Names) {
        let inside = match &*i.cond {
            Expr::Let(l) => with(held, mentions(&l.expr)),
            _ => held.clone(),
        };
        let after = self.live.clone();
        self.block(&mut i.then_branch, &inside);
        let then = std::mem::replace(&mut self.live, after);
        if let Some((_, e)) = &mut i.else_branch {
            self.expr(e, held);
        }
        self.live.extend(then);
        self.expr(&mut i.cond, held);
    }

    fn matching(&mut self, m: &mut syn::ExprMatch, held: &Names) {
        let after = self.live.clone();
        let mut all = Names::new();
        let scrutinee = mentions(&m.expr);
        for arm in &mut m.arms {
            self.live.clone_from(&after);
            let names = bound(&arm.pat);
            let inside = if names.is_empty() { held.clone() } else { with(held, scrutinee.iter().cloned()) };
            self.expr(&mut arm.body, &inside);
            if let Pat::Guard(syn::PatGuard { guard, .. }) = &mut arm.pat {
                self.live.extend(after.iter().cloned());
                self.clauses += 1;
                self.expr(guard, &inside);
                self.clauses -= 1;
            }
            self.kill(&names);
            all.extend(std::mem::take(&mut self.live));
        }
        self.live = all;
        self.expr(&mut m.expr, held);
    }

    /// A loop: what its start needs is found first, since its end goes there.
    fn looped(&mut self, label: Option<&syn::Label>, item: &Names, cond: &mut Option<&mut Box<Expr>>, body: &mut Block, held: &Names) {
        let inside = match cond {
            Some(c) => match &***c {
                Expr::Let(l) => with(held, mentions(&l.expr)),
                _ => held.clone(),
            },
            None => held.clone(),
        };
        let label = label.map(|l| l.name.ident.to_string());
        let mut target = Target { label, is_loop: true, after: self.live.clone(), head: Names::new() };
        let marking = std::mem::replace(&mut self.marking, false);
        loop {
            target = self.once(target, item, cond, body, (held, &inside));
            if self.live == target.head {
                break;
            }
            target.head.extend(self.live.iter().cloned());
        }
        self.marking = marking;
        self.once(target, item, cond, body, (held, &inside));
    }

    /// One walk over a loop, from its end to its start. Any loop may be left at its start: what is needed after a loop
    /// without a condition is needed there too, which is careful.
    fn once(
        &mut self,
        target: Target,
        item: &Names,
        cond: &mut Option<&mut Box<Expr>>,
        body: &mut Block,
        (held, inside): (&Names, &Names),
    ) -> Target {
        self.live.clone_from(&target.head);
        self.loops.push(target);
        self.block(body, inside);
        self.kill(item);
        let target = self.loops.pop().unwrap_or_default();
        self.live.extend(target.after.iter().cloned());
        if let Some(c) = cond {
            self.expr(c, held);
        }
        self.live.extend(target.head.iter().cloned());
        target
    }

    fn closure(&mut self, c: &mut syn::ExprClosure) {
        let mut inside = Survey::default();
        inside.visit_expr_closure_mut(c);
        let names: Names = inside.declared.into_keys().collect();
        let (after, loops) = (std::mem::take(&mut self.live), std::mem::take(&mut self.loops));
        self.closures.push(names);
        self.expr(&mut c.body, &Names::new());
        let names = self.closures.pop().unwrap_or_default();
        self.loops = loops;
        let used = std::mem::replace(&mut self.live, after);
        self.live.extend(used.into_iter().filter(|n| !names.contains(n)));
    }

    fn target(&self, label: Option<&syn::Lifetime>) -> Option<&Target> {
        match label {
            Some(l) => self.loops.iter().rev().find(|t| t.label.as_ref().is_some_and(|t| l.ident == *t)),
            None => self.loops.iter().rev().find(|t| t.is_loop),
        }
    }
}

/// The variable whose clone or move this is.
fn cloned_variable(e: &Expr) -> Option<String> {
    match e {
        Expr::MethodCall(c) if c.method == CLONE => match &*c.receiver {
            Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the name is that of a macro that shows what it evaluates.
fn is_clause(name: &syn::Ident) -> bool {
    super::print::is_macro(name, &["expect", "expect_eq", "require", "dafny_print"])
}

fn with(held: &Names, more: impl IntoIterator<Item = String>) -> Names {
    held.iter().cloned().chain(more).collect()
}

/// The single names that an expression mentions.
pub(super) fn mentions(e: &Expr) -> Names {
    struct Mentions(Names);
    impl<'e> syn::visit::Visit<'e> for Mentions {
        fn visit_expr_path(&mut self, p: &'e syn::ExprPath) {
            self.0.extend(p.path.get_ident().map(ToString::to_string));
        }

        fn visit_macro(&mut self, m: &'e syn::Macro) {
            self.0.extend(idents(m.tokens.clone()));
        }
    }
    let mut found = Mentions(Names::new());
    syn::visit::Visit::visit_expr(&mut found, e);
    found.0
}

/// The identifiers among tokens.
fn idents(tokens: proc_macro2::TokenStream) -> Names {
    let mut out = Names::new();
    for t in tokens {
        match t {
            proc_macro2::TokenTree::Ident(i) => out.extend([i.to_string()]),
            proc_macro2::TokenTree::Group(g) => out.extend(idents(g.stream())),
            proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => {}
        }
    }
    out
}

/// The names that a pattern binds.
pub(super) fn bound(p: &Pat) -> Names {
    struct Bound(Names);
    impl<'p> syn::visit::Visit<'p> for Bound {
        fn visit_pat_ident(&mut self, p: &'p syn::PatIdent) {
            self.0.insert(p.ident.to_string());
            syn::visit::visit_pat_ident(self, p);
        }
    }
    let mut found = Bound(Names::new());
    syn::visit::Visit::visit_pat(&mut found, p);
    found.0
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    /// The body with `x.!` for a clone that is to be settled.
    fn settled(text: &str) -> String {
        let text = text.replace(".!", &format!(".{CLONE}()"));
        let mut block: Block = syn::parse_str(&format!("{{ {text} }}")).unwrap();
        settle(None, &mut block);
        let shown = |b: &Block| quote!(#b).to_string().trim_start_matches("{ ").trim_end_matches(" }").replace(" . clone ()", ".clone()");
        shown(&block)
    }

    fn check(text: &str, expected: &str) {
        let expected: Block = syn::parse_str(&format!("{{ {expected} }}")).unwrap();
        let expected = quote!(#expected).to_string().trim_start_matches("{ ").trim_end_matches(" }").replace(" . clone ()", ".clone()");
        assert_eq!(settled(text), expected);
    }

    #[test]
    fn the_last_use_moves() {
        check("let a = f(); g(a.!); a.!", "let a = f(); g(a.clone()); a");
        check("if c { a.! } else { g(a.!, a.!) }", "if c { a } else { g(a.clone(), a.clone()) }");
    }

    #[test]
    fn a_copy_for_a_closure_leaves_the_parameter_of_its_name() {
        let mut f: syn::ItemFn =
            syn::parse_str(&format!("fn f(a: A) {{ let c = {{ let a = a.{CLONE}(); move || a.b }}; a.g(c) }}")).unwrap();
        settle(Some(&f.sig), &mut f.block);
        assert!(quote!(#f).to_string().contains("let a = a . clone ()"));
    }

    #[test]
    fn what_a_loop_needs_again_is_cloned() {
        check("while c { g(a.!); }", "while c { g(a.clone()); }");
        check("while c { a = g(a.!); } a.!", "while c { a = g(a); } a");
        check("for i in r { v.push(i.!); }", "for i in r { v.push(i); }");
        check("loop { if c { return a.!; } h(b.!); }", "loop { if c { return a; } h(b.clone()); }");
        check("while c { let x = f(); if d { g(x.!); break; } g(x.!); }", "while c { let x = f(); if d { g(x); break; } g(x); }");
    }

    #[test]
    fn what_is_borrowed_is_cloned() {
        check("g(&a, a.!)", "g(&a, a.clone())");
        check("match &a { Some(x) => h(a.!, x), _ => a.! }", "match &a { Some(x) => h(a.clone(), x), _ => a }");
        check("#[borrows] let r = &a[0]; let b = a.!; h(r)", "let r = &a[0]; let b = a.clone(); h(r)");
    }

    #[test]
    fn closures_keep_what_they_capture() {
        check("f(|x| a.!)", "f(|x| a.clone())");
        check("f(|x| { let b = g(x); b.! })", "f(|x| { let b = g(x); b })");
    }
}
