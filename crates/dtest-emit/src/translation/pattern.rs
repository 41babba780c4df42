//! Translates `match`.
//!
//! If every pattern has a Rust equivalent, the `match` stays a `match`. Recursive fields are behind
//! an `Rc`, which Rust's patterns cannot look through; the cases then become a sequence of tests in
//! a labelled block ([`Body::steps`]).

use super::body::Body;
use super::code::{self, Code, Own};
use super::convention::{Scope, Translated};
use super::jumps::Jump;
use super::rep::{Holder, Rep};
use super::walk::mentioned;
use crate::rust::{self, Arm, FieldPat, Pat, Stmts, expr, ident, pat, path, stmts, without_raw};
use dafny_resolve::typed::{
    CtorId, Expr, ExprCase, ExprKind, Literal, LocalId, Pattern, PatternKind,
};

/// A step in the test of a case.
enum Step {
    /// `if let pattern = value`.
    IfLet(Pat, rust::Expr),
    /// `if condition`.
    If(rust::Expr),
    /// `let name = value;`.
    Let(Stmts),
}

impl Body<'_, '_, '_> {
    /// Translates a match expression.
    pub(super) fn match_expr(
        &mut self,
        scrutinee: &Expr,
        cases: &[ExprCase],
        of_function: bool,
    ) -> Translated<rust::Expr> {
        let patterns: Vec<&Pattern> = cases.iter().map(|c| &c.pattern).collect();
        let used: Vec<Vec<LocalId>> = cases.iter().map(|c| mentioned(&c.body).0).collect();
        let scrutinee = self.parts_or_whole(scrutinee, &patterns, false)?;
        self.matching(
            scrutinee,
            &patterns,
            &used,
            !of_function,
            &mut |body, i| match cases.get(i) {
                Some(c) => body.end(&c.body, of_function),
                None => Ok(Vec::new()),
            },
        )
    }

    /// Translates the scrutinee. A tuple display becomes references to the components, if Rust's
    /// patterns suffice.
    pub(super) fn parts_or_whole(
        &mut self,
        e: &Expr,
        patterns: &[&Pattern],
        copied: bool,
    ) -> Translated<rust::Expr> {
        // A tuple is matched part by part, without building it, if no pattern needs it as a whole.
        let direct = patterns.iter().all(|p| {
            self.is_direct(p)
                && !matches!(
                    p.kind,
                    PatternKind::Var(_) | PatternKind::Or(_) | PatternKind::Value(_)
                )
        });
        let plain = matches!(self.rep(&e.ty), Rep::Tuple(ts) if ts.len() > 1);
        if let ExprKind::Tuple(parts) = &e.kind
            && direct
            && plain
            && !copied
        {
            let ghosts: Vec<bool> = if let dafny_resolve::typed::Type::Tuple(cs) =
                self.scope.ground.program.representation(&e.ty)
            {
                cs.iter().map(|(ghost, _)| *ghost).collect()
            } else {
                Vec::new()
            };
            let mut borrowed = Vec::new();
            for (part, _) in parts.iter().zip(ghosts).filter(|(_, ghost)| !ghost) {
                borrowed.push(self.expr(part)?.borrowed());
            }
            Ok(code::tuple(borrowed))
        } else {
            self.scrutinee(e, copied)
        }
    }

    /// Translates the scrutinee to a reference.
    pub(super) fn scrutinee(&mut self, e: &Expr, copied: bool) -> Translated<rust::Expr> {
        let code = self.expr(e)?;
        if copied && !self.copy(&e.ty) {
            let value = code.owned_value();
            return Ok(expr!(&#value));
        }
        Ok(code.borrowed())
    }

    /// Translates cases; `body` writes the contents of a case's block, with its variables in scope.
    pub(super) fn matching(
        &mut self,
        scrutinee: rust::Expr,
        patterns: &[&Pattern],
        used: &[Vec<LocalId>],
        is_value: bool,
        body: &mut dyn FnMut(&mut Self, usize) -> Translated<Stmts>,
    ) -> Translated<rust::Expr> {
        let none = Vec::new();
        // Rust's own `match` is the most readable, if all patterns have an equivalent.
        if patterns.iter().all(|p| self.is_direct(p)) {
            let mut arms = Vec::new();
            let mut sure = Vec::new();
            for (i, p) in patterns.iter().enumerate() {
                let used = used.get(i).unwrap_or(&none);
                let (mut lets, mut guards) = (Stmts::new(), Vec::new());
                let pat = self.direct(p, used, &mut lets, &mut guards)?;
                lets.extend(body(self, i)?);
                // A case with a guard may not apply, so it covers nothing for certain.
                if guards.is_empty() {
                    sure.push(*p);
                }
                let guard = (!guards.is_empty()).then(|| rust::Expr::all(guards));
                arms.push(Arm {
                    pat,
                    guard,
                    body: rust::Expr::block(lets),
                });
            }
            // Dafny's verifier has proved that some case applies, which Rust does not know.
            if !self.covers_all(&sure) {
                arms.push(Arm {
                    pat: Pat::Wild,
                    guard: None,
                    body: expr!(unreachable!("no case of the match applies")),
                });
            }
            return Ok(rust::Expr::Match(Box::new(scrutinee), arms));
        }
        // Otherwise the cases are tests in sequence, each of which leaves the block if it applies.
        let subject = &self.make_up("matched");
        let label = &without_raw(subject.as_str()).to_owned();
        // A variable needs no temporary.
        let is_variable = matches!(scrutinee, rust::Expr::Name(_));
        let on = if is_variable {
            Code::reference(&scrutinee, false)
        } else {
            Code::reference(subject, false)
        };
        let mut out = if is_variable {
            Stmts::new()
        } else {
            stmts!(#[borrows] let #subject = #scrutinee;)
        };
        let (mut open, mut leaves) = (true, false);
        self.jumps.enter(Jump::Block);
        for (i, p) in patterns.iter().enumerate() {
            let mut steps = Vec::new();
            // Each case has its own scope.
            let inner = self.with_own_names(|b| {
                b.steps(p, &on, used.get(i).unwrap_or(&none), &mut steps)?;
                body(b, i)
            })?;
            // After a case that always applies, further cases are unreachable.
            let irrefutable = steps.iter().all(|s| matches!(s, Step::Let(_)));
            let leave = if irrefutable {
                open = false;
                inner
            } else if is_value {
                stmts!(break #'label { #..inner };)
            } else {
                stmts!(#..inner break #'label;)
            };
            let nested = steps
                .into_iter()
                .rev()
                .fold(leave, |inner, step| match step {
                    Step::IfLet(pattern, value) => stmts!(if let #pattern = #value { #..inner }),
                    Step::If(condition) => stmts!(if #condition { #..inner }),
                    Step::Let(lets) => stmts!(#..lets #..inner),
                });
            out.extend(nested);
            leaves |= open;
            if !open {
                break;
            }
        }
        self.jumps.leave();
        if open {
            out.extend(stmts!(unreachable!("no case of the match applies")));
        }
        Ok(if leaves {
            expr!(#'label: { #..out })
        } else {
            expr!({ #..out })
        })
    }

    /// Whether the pattern has a Rust equivalent, possibly with a guard.
    fn is_direct(&self, p: &Pattern) -> bool {
        match &p.kind {
            PatternKind::Wildcard | PatternKind::Var(_) | PatternKind::Value(_) => true,
            PatternKind::Tuple(ps) => self
                .scope
                .compiled_parts(&p.ty, ps)
                .into_iter()
                .all(|p| self.is_direct(p)),
            PatternKind::Ctor { ctor, args } => {
                let c = &self.scope.ground.program[*ctor];
                c.fields.iter().zip(args).all(|(&f, a)| {
                    let field = &self.scope.ground.program[f];
                    // Rust's patterns do not look through `Rc` and `Lazy`, so only a variable may
                    // be there.
                    let boxed = self.scope.ground.holder(c.datatype, &field.ty) != Holder::Plain;
                    field.ghost
                        || (if boxed {
                            matches!(a.kind, PatternKind::Var(_) | PatternKind::Wildcard)
                        } else {
                            self.is_direct(a)
                        })
                })
            }
            // One guard would belong to all alternatives.
            PatternKind::Or(ps) => ps.iter().all(|p| self.is_pure(p)),
        }
    }

    /// Whether the pattern has a Rust equivalent without a guard.
    fn is_pure(&self, p: &Pattern) -> bool {
        match &p.kind {
            PatternKind::Value(e) => self.scope.literal_pattern(e).is_some(),
            PatternKind::Tuple(ps) | PatternKind::Or(ps) => ps.iter().all(|p| self.is_pure(p)),
            PatternKind::Ctor { args, .. } => {
                self.is_direct(p) && args.iter().all(|p| self.is_pure(p))
            }
            PatternKind::Wildcard | PatternKind::Var(_) => true,
        }
    }

    /// Translates a pattern that matches a reference; its variables become references.
    fn direct(
        &mut self,
        p: &Pattern,
        used: &[LocalId],
        lets: &mut Stmts,
        guards: &mut Vec<rust::Expr>,
    ) -> Translated<Pat> {
        Ok(match &p.kind {
            PatternKind::Wildcard => Pat::Wild,
            PatternKind::Var(v) if !used.contains(v) => Pat::Wild,
            PatternKind::Var(v) => self.declare(*v, Own::Ref).into(),
            // A constant that Rust cannot match becomes a binding and a guard.
            PatternKind::Value(e) => match self.scope.literal_pattern(e) {
                Some(literal) => literal,
                None => {
                    let (name, value) = (&self.make_up("value"), self.expr(e)?.looked_at());
                    guards.push(expr!(*#name == #value));
                    name.into()
                }
            },
            PatternKind::Tuple(ps) => {
                let mut parts = Vec::new();
                for part in self.scope.compiled_parts(&p.ty, ps) {
                    parts.push(self.direct(part, used, lets, guards)?);
                }
                code::tuple_pattern(parts)
            }
            PatternKind::Ctor { ctor, args } => {
                let c = self.scope.ground.program[*ctor].clone();
                let mut fields = Vec::new();
                // Wildcards are omitted; `..` stands for them.
                let mut all = true;
                for (&f, arg) in c.fields.iter().zip(args) {
                    let field = &self.scope.ground.program[f];
                    if field.ghost {
                        continue;
                    }
                    let inner = self.direct(arg, used, lets, guards)?;
                    if inner == Pat::Wild {
                        all = false;
                        continue;
                    }
                    let name = ident(self.scope.ground.names.field(f));
                    // Rust binds a reference to the holder of the field, not to its value.
                    let holder = self.scope.ground.holder(c.datatype, &field.ty);
                    if let (PatternKind::Var(v), Pat::Bind(bound)) = (&arg.kind, &inner) {
                        let variable = &bound.name;
                        match holder {
                            Holder::Lazy => {
                                self.vars.insert(*v, Code::lazy_variable(variable, true));
                            }
                            Holder::Rc => lets.extend(stmts!(let #variable = &**#variable;)),
                            Holder::Plain => {}
                        }
                    }
                    fields.push(FieldPat::new(&name, inner));
                }
                self.scope.ctor_pattern(*ctor, fields, all)
            }
            PatternKind::Or(ps) => {
                let mut alternatives = Vec::new();
                for p in ps {
                    alternatives.push(self.direct(p, used, lets, guards)?);
                }
                Pat::Or(alternatives)
            }
        })
    }

    /// Writes the tests and bindings of a pattern against the referent of `on`.
    fn steps(
        &mut self,
        p: &Pattern,
        on: &Code,
        used: &[LocalId],
        out: &mut Vec<Step>,
    ) -> Translated<()> {
        match &p.kind {
            PatternKind::Wildcard => {}
            PatternKind::Var(v) if !used.contains(v) => {}
            PatternKind::Var(v) => match on.lazy() {
                Some(lazy) => {
                    let name = &self.declare(*v, Own::Ref);
                    self.vars.insert(*v, Code::lazy_variable(name, false));
                    out.push(Step::Let(stmts!(let #name = #lazy.clone();)));
                }
                None => {
                    let (value, name) = (on.borrowed(), &self.declare(*v, Own::Ref));
                    if value != name.into() {
                        out.push(Step::Let(stmts!(#[borrows] let #name = #value;)));
                    }
                }
            },
            PatternKind::Value(e) => {
                let (a, b) = (on.looked_at(), self.expr(e)?.looked_at());
                out.push(Step::If(expr!(#a == #b)));
            }
            PatternKind::Tuple(ps) => {
                let parts = self.scope.compiled_parts(&p.ty, ps);
                let alone = parts.len() == 1;
                for (i, part) in parts.into_iter().enumerate() {
                    let o = on.receiver();
                    let copy = self.copy(&part.ty);
                    let on = if alone {
                        on.clone()
                    } else {
                        Code::within(expr!(#o.#i), Own::Place, copy, on)
                    };
                    self.steps(part, &on, used, out)?;
                }
            }
            PatternKind::Ctor { ctor, args } => self.ctor_steps((*ctor, args), on, used, out)?,
            PatternKind::Or(ps) => out.push(Step::If(self.any_of(ps, on)?)),
        }
        Ok(())
    }

    /// Writes the test of a constructor, and the steps of its arguments.
    fn ctor_steps(
        &mut self,
        (ctor, args): (CtorId, &[Pattern]),
        on: &Code,
        used: &[LocalId],
        out: &mut Vec<Step>,
    ) -> Translated<()> {
        let c = self.scope.ground.program[ctor].clone();
        let (mut fields, mut later, mut all) = (Vec::new(), Vec::new(), true);
        for (&f, arg) in c.fields.iter().zip(args) {
            let field = &self.scope.ground.program[f];
            let skip = match &arg.kind {
                PatternKind::Wildcard => true,
                PatternKind::Var(v) => !used.contains(v),
                PatternKind::Ctor { .. }
                | PatternKind::Tuple(_)
                | PatternKind::Value(_)
                | PatternKind::Or(_) => false,
            };
            if field.ghost || skip {
                all &= field.ghost;
                continue;
            }
            let name = ident(self.scope.ground.names.field(f));
            let holder = self.scope.ground.holder(c.datatype, &field.ty);
            // Unnamed fields in Dafny are numbered.
            let temp = match (&arg.kind, name.to_string().strip_prefix('_')) {
                (PatternKind::Var(v), _) if holder == Holder::Plain => self.declare(*v, Own::Ref),
                (_, Some(number)) => {
                    self.make_up(&format!("part_{}", number.trim_end_matches('_')))
                }
                (_, None) => self.make_up(&name.to_string()),
            };
            fields.push(FieldPat::new(&name, (&temp).into()));
            let on = match holder {
                Holder::Plain if matches!(arg.kind, PatternKind::Var(_)) => continue,
                Holder::Plain => Code::reference(&temp, self.copy(&arg.ty)),
                Holder::Rc => Code::reference(expr!(&**#temp), self.copy(&arg.ty)),
                Holder::Lazy => Code::lazy_variable(&temp, true),
            };
            later.push((arg, on));
        }
        let (value, pattern) = (on.borrowed(), self.scope.ctor_pattern(ctor, fields, all));
        let is_only = self.scope.ground.datatype_ctors(c.datatype).len() == 1;
        out.push(if is_only {
            Step::Let(stmts!(#[borrows] let #pattern = #value;))
        } else {
            Step::IfLet(pattern, value)
        });
        for (arg, on) in later {
            self.steps(arg, &on, used, out)?;
        }
        Ok(())
    }

    /// Returns the condition that one of the alternatives, which bind nothing, matches.
    fn any_of(&mut self, ps: &[Pattern], on: &Code) -> Translated<rust::Expr> {
        let mut tests = Vec::new();
        for p in ps {
            let mut steps = Vec::new();
            self.steps(p, on, &[], &mut steps)?;
            let test = steps
                .into_iter()
                .rev()
                .fold(expr!(true), |inner, step| match step {
                    Step::IfLet(pattern, value) => {
                        expr!(if let #pattern = #value { #..inner } else { false })
                    }
                    Step::If(condition) => expr!(#condition && #inner),
                    Step::Let(_) if inner == true.into() => inner,
                    Step::Let(lets) => expr!({ #..lets #..inner }),
                });
            tests.push(expr!((#test)));
        }
        Ok(expr!(#||tests))
    }

    /// Writes the bindings of an irrefutable pattern. With `own`, variables own their values.
    pub(super) fn irrefutable(
        &mut self,
        p: &Pattern,
        on: &Code,
        used: &[LocalId],
        own: bool,
    ) -> Translated<Stmts> {
        let mut steps = Vec::new();
        self.steps(p, on, used, &mut steps)?;
        let mut out = Stmts::new();
        // Irrefutable: conditions always hold, so `if let` becomes `let .. else`.
        for step in steps {
            match step {
                Step::Let(lets) => out.extend(lets),
                Step::IfLet(pattern, value) => {
                    out.extend(stmts!(#[borrows] let #pattern = #value else { unreachable!("the pattern matches") };));
                }
                Step::If(_) => {}
            }
        }
        // Bound names own their values if the code after the pattern needs that.
        if own {
            for v in bound(p) {
                if !used.contains(&v) {
                    continue;
                }
                if let Some(code) = self.vars.get(v).cloned() {
                    let value = code.owned_value();
                    let name = self.declare(v, Own::Place);
                    out.extend(stmts!(let #name = #value;));
                }
            }
        }
        Ok(out)
    }
}

impl Scope<'_, '_> {
    /// Translates a literal that is a pattern in Rust.
    fn literal_pattern(&self, e: &Expr) -> Option<Pat> {
        let ExprKind::Literal(literal) = &e.kind else {
            return None;
        };
        match literal {
            Literal::Bool(b) => Some(Pat::Literal(rust::Literal::Bool(*b))),
            Literal::Int(n) => matches!(self.rep(&e.ty), Rep::Native(_))
                .then(|| Pat::Literal(rust::Literal::Number(n.to_string()))),
            Literal::Char(c) => {
                let ty = self.runtime(self.ground.char_type());
                let written = match char::from_u32(*c) {
                    Some(c) if self.ground.program.options.unicode_char => rust::Literal::Char(c),
                    Some(_) | None => rust::Literal::Number(c.to_string()),
                };
                let written = Pat::Literal(written);
                Some(pat!(#ty(#written)))
            }
            Literal::Real(_) | Literal::String(_) | Literal::Null => None,
        }
    }

    pub(super) fn ctor_pattern(
        &self,
        ctor: dafny_resolve::typed::CtorId,
        fields: Vec<FieldPat>,
        all: bool,
    ) -> Pat {
        let ground = self.ground;
        let decl = ground.program[ctor].datatype;
        let (path, variant) = (self.type_path(decl), ident(ground.names.ctor(ctor)));
        let phantom = super::datatype::has_phantom(ground, decl, ctor);
        let path = path!(#path::#variant);
        if ground.ctor_fields(ctor).is_empty() && !phantom {
            return Pat::Path(path);
        }
        Pat::Struct {
            path,
            fields,
            has_rest: !all || phantom,
        }
    }
}

/// Returns the variables of a pattern.
pub(super) fn bound(p: &Pattern) -> Vec<LocalId> {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Value(_) => Vec::new(),
        PatternKind::Var(v) => vec![*v],
        PatternKind::Ctor { args, .. } => args.iter().flat_map(bound).collect(),
        PatternKind::Tuple(ps) | PatternKind::Or(ps) => ps.iter().flat_map(bound).collect(),
    }
}
