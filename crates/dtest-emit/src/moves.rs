//! Clones of a variable that is not used any more become moves; what a variable is given and never read is found.
//!
//! A translated expression that needs a variable's value writes [`CLONE`] where it cannot know what comes after. This
//! pass walks a whole function against the direction of execution with the set of variables that are still needed
//! (liveness analysis), and turns those calls into moves or clones. It is careful rather than sharp: a variable that a
//! reference may point to, or that stands beside its last use in the same expression, is cloned.
//!
//! The same walk is used to find values that are never read ([`DEAD`]) and variables that are given a second value. For
//! that, the set also holds `=x` where `x` is assigned later. Names are unique in the function (see [`super::unique`]).

use std::collections::{BTreeMap, BTreeSet};

use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Local, Pat, Stmt};

/// The method that stands for a clone or a move.
pub(super) const CLONE: &str = "cloneǃ";

/// The attribute of a `let` whose variable is a reference into what its value mentions.
pub(super) const BORROWS: &str = "borrows";

/// The attribute of a `let` or an assignment whose value is never read.
pub(super) const DEAD: &str = "dead";

/// Methods that change what they are called on.
const CHANGING: &[&str] = &["push", "next", "extend", "insert", "pop", "take"];

pub(super) type Names = BTreeSet<String>;

/// Settles the clones in the body of a function.
pub(super) fn settle(body: &mut Block) {
    let found = Survey::of(body);
    if found.has_clones {
        Pass::new(&found, Purpose::Settle).block(body, &Names::new());
    }
    Finish.visit_block_mut(body);
}

/// Marks values that are never read with [`DEAD`], and takes such places out of the tuples that are assigned to.
pub(super) fn mark_dead(body: &mut Block) {
    Pass::new(&Survey::of(body), Purpose::Mark).block(body, &Names::new());
}

/// The variables that are changed after they got their first value.
pub(super) fn changed(body: &mut Block) -> Names {
    let found = Survey::of(body);
    let mut pass = Pass::new(&found, Purpose::Changes);
    pass.block(body, &Names::new());
    pass.changed
}

/// What a walk is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To turn clones into moves.
    Settle,
    /// To mark values that are never read.
    Mark,
    /// To find variables that change.
    Changes,
}

/// What is known of a function before the walk.
#[derive(Default)]
struct Survey {
    has_clones: bool,
    /// The names that are declared.
    declared: Names,
    /// For a variable that is a reference: what it may point into.
    borrows: BTreeMap<String, Names>,
}

impl Survey {
    fn of(body: &mut Block) -> Self {
        let mut found = Self::default();
        found.visit_block_mut(body);
        found
    }
}

impl VisitMut for Survey {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        self.declared.insert(p.ident.to_string());
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
    /// Whether something is done about what is found; else the walk only finds out what a loop needs.
    marking: bool,
    purpose: Purpose,
    /// The variables that are changed after they got their first value.
    changed: Names,
}

/// That a variable is assigned later, as a member of the set of what is needed.
fn written(name: &str) -> String {
    format!("={name}")
}

impl<'s> Pass<'s> {
    fn new(survey: &'s Survey, purpose: Purpose) -> Self {
        Self {
            survey,
            live: Names::new(),
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
    /// Whether a value that the variable gets here is never read.
    fn is_dead(&self, name: &str) -> bool {
        self.marking
            && self.purpose == Purpose::Mark
            && !self.live.contains(name)
            && self.survey.declared.contains(name)
            && self.closures.last().is_none_or(|bound| bound.contains(name))
    }

    /// A variable is declared.
    fn declare(&mut self, l: &mut Local) {
        let names = bound(&l.pat);
        if l.init.is_some() {
            self.changed.extend(names.iter().filter(|n| self.live.contains(&written(n))).cloned());
        }
        let alone = matches!(&l.pat, Pat::Ident(_) | Pat::Type(_)) && names.len() == 1 && l.init.is_some();
        if alone && names.iter().all(|n| self.is_dead(n)) {
            l.attrs.push(dead());
        }
        self.kill(&names);
        names.iter().for_each(|n| {
            self.live.remove(&written(n));
        });
    }

    /// A variable is given a value.
    fn store(&mut self, name: &str) {
        if !self.live.insert(written(name)) {
            self.changed.insert(name.to_owned());
        }
        self.live.remove(name);
    }

    /// A place is changed where it is.
    fn change(&mut self, place: &Expr) {
        match place {
            Expr::Path(p) => self.changed.extend(p.path.get_ident().map(ToString::to_string)),
            Expr::Field(f) => self.change(&f.base),
            Expr::Index(i) => self.change(&i.expr),
            Expr::Paren(p) => self.change(&p.expr),
            _ => {}
        }
    }

    fn block(&mut self, b: &mut Block, held: &Names) {
        for s in b.stmts.iter_mut().rev() {
            match s {
                Stmt::Local(l) => {
                    self.declare(l);
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
            self.live.remove(n);
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
                && self.purpose == Purpose::Settle
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
            Expr::MethodCall(c) => {
                if CHANGING.iter().any(|m| c.method == m) {
                    self.change(&c.receiver);
                }
                self.operands(std::iter::once(&mut *c.receiver).chain(c.args.iter_mut()), held);
            }
            Expr::Call(c) => {
                if diverges(c) {
                    self.live.clear();
                }
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
            Expr::Binary(b) => {
                if is_assigning(&b.op) {
                    self.change(&b.left);
                }
                self.operands([&mut *b.left, &mut *b.right], held);
            }
            Expr::Assign(a) => self.assign(a, held),
            Expr::Unary(u) => self.expr(&mut u.expr, held),
            Expr::Reference(r) => {
                if r.mutability.is_some() {
                    self.change(&r.expr);
                }
                self.expr(&mut r.expr, held);
            }
            Expr::Paren(p) => self.expr(&mut p.expr, held),
            Expr::Field(f) => self.expr(&mut f.base, held),
            Expr::Cast(c) => self.expr(&mut c.expr, held),
            Expr::Index(i) => self.operands([&mut *i.expr, &mut *i.index], held),
            Expr::Struct(s) => self.operands(s.fields.iter_mut().map(|f| &mut f.expr).chain(s.rest.as_deref_mut()), held),
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
            Expr::Loop(l) => self.looped(l.label.as_ref(), None, &mut None, &mut l.body, held),
            Expr::While(w) => self.looped(w.label.as_ref(), None, &mut Some(&mut w.cond), &mut w.body, held),
            Expr::ForLoop(f) => {
                let inside = with(held, mentions(&f.expr));
                self.looped(f.label.as_ref(), Some(&bound(&f.pat)), &mut None, &mut f.body, &inside);
                self.expr(&mut f.expr, held);
            }
            Expr::Closure(c) => {
                let mut inside = Survey::default();
                inside.visit_expr_closure_mut(c);
                self.apart(inside.declared, |pass| pass.expr(&mut c.body, &Names::new()));
            }
            Expr::Async(a) => {
                let inside = Survey::of(&mut a.block).declared;
                self.apart(inside, |pass| pass.block(&mut a.block, &Names::new()));
            }
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
            Expr::Path(p) => {
                if let Some(name) = p.path.get_ident().map(ToString::to_string) {
                    if self.is_dead(&name) {
                        a.attrs.push(dead());
                    }
                    self.store(&name);
                }
            }
            Expr::Tuple(t) if t.elems.iter().all(|e| matches!(e, Expr::Path(_) | Expr::Infer(_))) => {
                for place in &mut t.elems {
                    for name in mentions(place) {
                        if self.is_dead(&name) {
                            *place = syn::parse_quote!(_);
                        }
                        self.store(&name);
                    }
                }
            }
            Expr::Infer(_) => {}
            left => {
                self.change(left);
                self.expr(left, held);
            }
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
    fn looped(
        &mut self,
        label: Option<&syn::Label>,
        item: Option<&Names>,
        cond: &mut Option<&mut Box<Expr>>,
        body: &mut Block,
        held: &Names,
    ) {
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

    /// One walk over a loop, from its end to its start, where it may be left unless it has neither condition nor item.
    fn once(
        &mut self,
        target: Target,
        item: Option<&Names>,
        cond: &mut Option<&mut Box<Expr>>,
        body: &mut Block,
        (held, inside): (&Names, &Names),
    ) -> Target {
        self.live.clone_from(&target.head);
        self.loops.push(target);
        self.block(body, inside);
        self.kill(item.unwrap_or(&Names::new()));
        let target = self.loops.pop().unwrap_or_default();
        if item.is_some() || cond.is_some() {
            self.live.extend(target.after.iter().cloned());
        }
        if let Some(c) = cond {
            self.expr(c, held);
        }
        self.live.extend(target.head.iter().cloned());
        target
    }

    /// What runs later, or more than once: the body of a closure, in which these names are declared.
    fn apart(&mut self, names: Names, walk: impl FnOnce(&mut Self)) {
        let (after, loops) = (std::mem::take(&mut self.live), std::mem::take(&mut self.loops));
        self.closures.push(names);
        walk(self);
        let names = self.closures.pop().unwrap_or_default();
        self.loops = loops;
        let used = std::mem::replace(&mut self.live, after);
        for name in used {
            match name.strip_prefix('=') {
                Some(assigned) if !names.contains(assigned) => {
                    self.changed.insert(assigned.to_owned());
                    self.live.insert(assigned.to_owned());
                }
                Some(_) => {}
                None if !names.contains(&name) => {
                    self.live.insert(name);
                }
                None => {}
            }
        }
    }

    fn target(&self, label: Option<&syn::Lifetime>) -> Option<&Target> {
        match label {
            Some(l) => self.loops.iter().rev().find(|t| t.label.as_ref().is_some_and(|t| l.ident == *t)),
            None => self.loops.iter().rev().find(|t| t.is_loop),
        }
    }
}

fn dead() -> syn::Attribute {
    let name = syn::Ident::new(DEAD, proc_macro2::Span::call_site());
    syn::parse_quote!(#[#name])
}

/// Whether nothing comes after a call.
pub(super) fn diverges(c: &syn::ExprCall) -> bool {
    let Expr::Path(p) = &*c.func else { return false };
    let is_halt = p.path.segments.last().is_some_and(|s| s.ident == "halt");
    is_halt || p.path.get_ident().is_some_and(|i| super::print::is_macro(i, &["panic", "unreachable"]))
}

fn is_assigning(op: &syn::BinOp) -> bool {
    use syn::BinOp;
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
    )
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
pub(super) fn idents(tokens: proc_macro2::TokenStream) -> Names {
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
        settle(&mut block);
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
