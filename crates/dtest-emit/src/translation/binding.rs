//! Translates lambdas, `let` and its patterns.

use super::body::Body;
use super::code::{self, Code, Own};
use super::convention::{Scope, Translated};
use super::rep::Rep;
use super::walk::mentioned;
use crate::rust::{self, expr, pat, stmts, ty};
use dafny_resolve::typed::{
    Expr, ExprKind, Lambda, LetOrFail, LocalId, Pattern, PatternKind, Type,
};

impl Body<'_, '_, '_> {
    /// Declares a lambda's parameters. Returns the parameter list.
    pub(super) fn lambda_params(&mut self, l: &Lambda) -> Translated<Vec<rust::Param>> {
        let mut params = Vec::new();
        for &p in &l.params {
            let ty = self.scope.ground.program[p].ty.clone();
            let t = self.scope.rust_type(&ty)?;
            // Function values pass references; a `Copy` parameter is taken out of its reference.
            let pattern = if self.copy(&ty) {
                let name = self.declare(p, Own::Place);
                pat!(&#name)
            } else {
                self.declare(p, Own::Ref).into()
            };
            params.push((pattern, Some(ty!(&#t))));
        }
        Ok(params)
    }

    /// Writes a closure that is called immediately and borrows its environment.
    pub(super) fn closure(&mut self, l: &Lambda) -> Translated<rust::Expr> {
        let params = self.lambda_params(l)?;
        let body = self.block_value(&l.body)?;
        Ok(expr!(|#..params| #body))
    }

    /// Writes an expression as the body of a closure or an arm, in braces if it has statements.
    pub(super) fn block_value(&mut self, e: &Expr) -> Translated<rust::Expr> {
        let inner = self.tail(e)?;
        // Only such expressions are written as statements before a value.
        let statements = matches!(
            e.kind,
            ExprKind::Let { .. }
                | ExprKind::StmtExpr { .. }
                | ExprKind::LetSuchThat { .. }
                | ExprKind::LetOrFail(_)
        );
        Ok(if statements {
            rust::Expr::block(inner)
        } else {
            rust::Expr::of_stmts(inner)
        })
    }

    pub(super) fn lambda(&mut self, l: &Lambda, ty: &Type) -> Translated<Code> {
        let arity = if let Rep::Arrow(params, _) = self.rep(ty) {
            params.len()
        } else {
            l.params.len()
        };
        let fun = self.scope.function_type(arity)?;
        let (lets, params, body) = self.scoped(|inner| {
            let lets = inner.captures(&l.body);
            let params = inner.lambda_params(l)?;
            Ok((lets, params, inner.block_value(&l.body)?))
        })?;
        Ok(Code::owned(
            if lets.is_empty() {
                expr!(#fun::new(|#..params| #body))
            } else {
                expr!({ #..lets #fun::new(move |#..params| #body) })
            },
            false,
        ))
    }

    /// Writes copies of the variables that an expression mentions, for a closure that moves them.
    /// From here on the variables refer to the copies.
    fn captures(&mut self, e: &Expr) -> rust::Stmts {
        let (locals, this) = mentioned(e);
        let mut lets = Vec::new();
        for local in locals {
            let Some(code) = self.vars.get(local).cloned() else {
                continue;
            };
            // A lazy value is captured without evaluating it.
            let value = code
                .lazy()
                .map_or_else(|| code.owned_value(), |lazy| expr!(#lazy.clone()));
            let name = self.declare(local, Own::Place);
            if code.lazy().is_some() {
                self.vars.insert(local, Code::lazy_variable(&name, false));
            }
            lets.extend(stmts!(let #name = #value;));
        }
        if let Some(code) = self.this.clone().filter(|_| this) {
            let value = code.owned_value();
            lets.extend(stmts!(let this = #value;));
            self.this = Some(Code::named("this", false));
        }
        lets
    }

    /// Writes a lazy argument of a codatatype's constructor.
    pub(super) fn delayed(&mut self, e: &Expr) -> Translated<rust::Expr> {
        let lazy = self.scope.runtime("Lazy");
        let (lets, body) = self.scoped(|inner| {
            let lets = inner.captures(e);
            Ok((lets, inner.block_value(e)?))
        })?;
        Ok(match (lets.is_empty(), &e.kind) {
            // A function without arguments is its own closure.
            (true, ExprKind::Call(c)) if c.receiver.is_none() && c.args.is_empty() => {
                let callee = self.callee(c.callee, &c.type_args, true)?;
                expr!(#lazy::new(#callee))
            }
            (true, _) => expr!(#lazy::new(|| #body)),
            (false, _) => expr!({ #..lets #lazy::new(move || #body) }),
        })
    }

    /// Translates the bindings of a `let`.
    pub(super) fn bindings(
        &mut self,
        bindings: &[(Pattern, Expr)],
        body: &Expr,
    ) -> Translated<rust::Stmts> {
        let used = mentioned(body).0;
        let mut codes = Vec::new();
        for (_, e) in bindings {
            codes.push(self.expr(e)?);
        }
        // The bindings are parallel, so the values are evaluated first if one mentions a name that
        // another binding declares.
        let mut out = Vec::new();
        if bindings.len() > 1 {
            let mut temps = Vec::new();
            for ((_, e), code) in bindings.iter().zip(&codes) {
                let name = self.make_up("value");
                let (value, annotation, temp) = match code.lazy() {
                    Some(lazy) => (
                        expr!(#lazy.clone()),
                        None,
                        Code::lazy_variable(&name, false),
                    ),
                    None => (
                        code.owned_value(),
                        self.annotation_of(e)?,
                        Code::variable(&name, false),
                    ),
                };
                out.extend(stmts!(let #name: #annotation = #value;));
                temps.push(temp);
            }
            codes = temps;
        }
        for ((pattern, e), code) in bindings.iter().zip(codes) {
            let one = match &pattern.kind {
                // An expression that does not determine its type is not a place, so it cannot be
                // borrowed.
                PatternKind::Var(v)
                    if used.contains(v)
                        && self.is_there(*v)
                        && bindings.len() == 1
                        && !self.shows_its_type(e)
                        && code.lazy().is_none() =>
                {
                    let (annotation, value) = (self.annotation_of(e)?, code.owned_value());
                    let name = self.declare(*v, Own::Place);
                    stmts!(let #name: #annotation = #value;)
                }
                PatternKind::Wildcard
                | PatternKind::Var(_)
                | PatternKind::Ctor { .. }
                | PatternKind::Tuple(_)
                | PatternKind::Value(_)
                | PatternKind::Or(_) => {
                    self.let_pattern(pattern, &code, &used, self.copy(&e.ty), true)?
                }
            };
            out.extend(one);
        }
        Ok(out)
    }

    /// Whether a pattern binds a variable that exists in the generated code.
    pub(super) fn binds(&self, p: &Pattern) -> bool {
        super::pattern::bound(p).iter().any(|v| self.is_there(*v))
    }

    /// Whether a variable exists in the generated code.
    pub(super) fn is_there(&self, local: LocalId) -> bool {
        self.scope.spec || !self.scope.ground.program[local].ghost
    }

    /// `: T` where the value alone does not show its type.
    fn annotation_of(&self, e: &Expr) -> Translated<Option<rust::Type>> {
        if self.shows_its_type(e) {
            return Ok(None);
        }
        self.scope.rust_type(&e.ty).map(Some)
    }

    /// Writes `let pattern = value;`. With `borrow`, places that live long enough are bound by
    /// reference.
    pub(super) fn let_pattern(
        &mut self,
        pattern: &Pattern,
        code: &Code,
        used: &[LocalId],
        copy: bool,
        borrow: bool,
    ) -> Translated<rust::Stmts> {
        match &pattern.kind {
            PatternKind::Wildcard => Ok(Vec::new()),
            PatternKind::Var(v) if !used.contains(v) || !self.is_there(*v) => Ok(Vec::new()),
            PatternKind::Var(v) if borrow && code.lazy().is_some() => {
                // The variable is bound to the lazy field, so that it is not evaluated here.
                let name = &self.declare(*v, Own::Ref);
                self.vars.insert(*v, Code::lazy_variable(name, false));
                Ok(code
                    .lazy()
                    .map_or_else(Vec::new, |lazy| stmts!(let #name = #lazy.clone();)))
            }
            PatternKind::Var(v) => {
                if borrow && !copy && code.is_stable() && code.own() != Own::Owned {
                    let value = code.borrowed();
                    let name = self.declare(*v, Own::Ref);
                    Ok(stmts!(#[borrows] let #name = #value;))
                } else {
                    let value = code.owned_value();
                    let name = self.declare(*v, Own::Place);
                    Ok(stmts!(let #name = #value;))
                }
            }
            PatternKind::Tuple(parts)
                if code.own() == Own::Owned && self.are_plain(&pattern.ty, parts) =>
            {
                let value = code.owned_value();
                let names = self
                    .scope
                    .compiled_parts(&pattern.ty, parts)
                    .into_iter()
                    .map(|p| self.plain(p, used))
                    .collect();
                let names = code::tuple_pattern(names);
                Ok(stmts!(let #names = #value;))
            }
            PatternKind::Tuple(_)
            | PatternKind::Ctor { .. }
            | PatternKind::Value(_)
            | PatternKind::Or(_) => {
                let mut out = Vec::new();
                let subject = if code.is_stable() && borrow {
                    code.clone()
                } else {
                    let (name, value) = (&self.make_up("value"), code.owned_value());
                    out = stmts!(let #name = #value;);
                    Code::variable(name, false)
                };
                let lets = self.irrefutable(pattern, &subject, used, !borrow)?;
                out.extend(lets);
                Ok(out)
            }
        }
    }

    pub(super) fn are_plain(&self, ty: &Type, parts: &[Pattern]) -> bool {
        self.scope
            .compiled_parts(ty, parts)
            .iter()
            .all(|p| matches!(p.kind, PatternKind::Var(_) | PatternKind::Wildcard))
    }

    pub(super) fn plain(&mut self, p: &Pattern, used: &[LocalId]) -> rust::Pat {
        match &p.kind {
            PatternKind::Var(v) if used.contains(v) => self.declare(*v, Own::Place).into(),
            PatternKind::Var(_)
            | PatternKind::Wildcard
            | PatternKind::Ctor { .. }
            | PatternKind::Tuple(_)
            | PatternKind::Value(_)
            | PatternKind::Or(_) => rust::Pat::Wild,
        }
    }

    pub(super) fn let_or_fail(
        &mut self,
        l: &LetOrFail,
        of_function: bool,
    ) -> Translated<rust::Stmts> {
        let value = self.value(&l.value)?;
        let temp = self.declare(l.temp, Own::Place);
        let failed = self.value(&l.is_failure)?;
        let propagated = self.value(&l.propagate)?;
        let mut binding = Vec::new();
        if let (Some(pattern), Some(extract)) = (&l.pattern, &l.extract) {
            let used = mentioned(&l.body).0;
            let code = self.expr(extract)?;
            binding = self.let_pattern(pattern, &code, &used, self.copy(&extract.ty), true)?;
        }
        let body = self.end(&l.body, of_function)?;
        let propagated = if of_function {
            stmts!(return #propagated;)
        } else {
            stmts!(#propagated)
        };
        Ok(stmts!(let #temp = #value; if #failed { #..propagated } else { #..binding #..body }))
    }
}

impl Scope<'_, '_> {
    /// Returns the components of a tuple pattern that are not ghost.
    pub(super) fn compiled_parts<'a>(&self, ty: &Type, parts: &'a [Pattern]) -> Vec<&'a Pattern> {
        if let Type::Tuple(cs) = self.ground.program.representation(ty) {
            parts
                .iter()
                .zip(cs)
                .filter(|(_, (ghost, _))| !ghost)
                .map(|(p, _)| p)
                .collect()
        } else {
            parts.iter().collect()
        }
    }
}
