//! Translates declarations and assignments.
//!
//! Two things make them readable: a variable is declared at its first assignment if possible
//! ([`Body::sinks`]), and parallel assignments become sequential ones if no value depends on an
//! earlier target.

use super::body::Body;
use super::code::{Code, Own};
use super::convention::{Scope, Translated};
use super::rep::Rep;
use super::walk::{assigned, each_stmt, mentioned};
use crate::rust::{self, Ident, Pat, Stmts, expr, ident, mentions, stmts};
use dafny_resolve::typed::{
    ArrayInit, AssignOrFail, BinaryOp, Block, Call, CallableKind, Expr, ExprKind, LocalId,
    OnFailure, Rhs, Stmt, StmtKind, Target, Type,
};

/// A value with the type that its declaration needs, if any.
type Annotated = (rust::Expr, Option<rust::Type>);

/// Whether values can be assigned one after the other to these names, which is the most readable
/// form: no value mentions a name that is assigned before it.
fn are_in_turn(values: &[Annotated], names: &[Option<Ident>]) -> bool {
    values.iter().enumerate().all(|(i, (v, _))| {
        let mentioned = mentions(v);
        let mut earlier = names.iter().take(i).flatten();
        earlier.all(|n| !mentioned.contains(n))
    })
}

/// Returns the variables among the targets.
fn locals_of(pairs: &[&(Target, Rhs)]) -> Vec<LocalId> {
    let local = |(t, _): &&(Target, Rhs)| {
        if let Target::Local(l) = t {
            Some(*l)
        } else {
            None
        }
    };
    pairs.iter().filter_map(local).collect()
}

impl Body<'_, '_, '_> {
    pub(super) fn name_of(&self, local: LocalId) -> Option<Ident> {
        self.vars.get(local)?.name().cloned()
    }

    /// Declares a variable without a value: with its default, or to be assigned before it is read.
    pub(super) fn uninitialised(&mut self, local: LocalId) -> Translated<rust::Stmt> {
        let ty = self.scope.ground.program[local].ty.clone();
        let t = self.scope.rust_type(&ty)?;
        let value = self.scope.default_value(&ty)?;
        let name = self.declare(local, Own::Place);
        let pat = Pat::variable(&name, value.is_none() || self.vars.is_changed(local));
        let declared = rust::Let {
            pat,
            ty: Some(t),
            value,
            or_else: None,
            borrows: false,
            unassigned: true,
            is_dead: false,
        };
        Ok(rust::Stmt::Let(Box::new(declared)))
    }

    /// Brings a variable into scope. Returns the pattern that declares it.
    pub(super) fn declared(&mut self, local: LocalId) -> Pat {
        let is_changed = self.vars.is_changed(local);
        Pat::variable(&self.declare(local, Own::Place), is_changed)
    }

    /// Whether the first statement that mentions a variable is an assignment that can declare it. A
    /// `return` mentions all out-parameters.
    pub(super) fn sinks(&self, local: LocalId, stmts: &[&Stmt], is_out: bool) -> bool {
        // The first statement that mentions the variable decides.
        let speaks = |s: &Stmt| {
            let mut found = false;
            super::walk::each_expr_of_stmt(s, &mut |e| {
                found |= matches!(&e.kind, ExprKind::Local(l) if *l == local)
            });
            each_stmt(s, &mut |s| {
                found |= is_out && matches!(s.kind, StmtKind::Return | StmtKind::AssignOrFail(_))
            });
            found
                || assigned(&Block {
                    stmts: vec![s.clone()],
                    divided_at: None,
                    division: None,
                    span: s.span,
                })
                .contains(&local)
        };
        let Some(first) = stmts.iter().find(|s| !self.scope.is_erased(s) && speaks(s)) else {
            return false;
        };
        // It must assign the variable as a whole, without reading it.
        let StmtKind::Assign { declares, pairs } = &first.kind else {
            return false;
        };
        // A value that mentions the variable reads it before it is declared.
        let mut read = false;
        super::walk::each_expr_of_stmt(first, &mut |e| {
            read |= matches!(&e.kind, ExprKind::Local(l) if *l == local)
        });
        let all_locals = pairs.iter().all(|(t, _)| matches!(t, Target::Local(_)));
        declares.is_empty()
            && !read
            && all_locals
            && first.labels.is_empty()
            // Several variables at once are declared together only if all of them are.
            && (pairs.len() == 1 || is_out && pairs.len() == self.results_of(pairs))
    }

    /// Returns the number of targets that are not yet declared variables.
    pub(super) fn results_of(&self, pairs: &[(Target, Rhs)]) -> usize {
        pairs
            .iter()
            .filter(|(t, _)| matches!(t, Target::Local(l) if !self.vars.contains(*l)))
            .count()
    }

    /// Whether an expression has the same value after any assignment.
    pub(super) fn is_fixed(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::This | ExprKind::Literal(_))
            || matches!(&e.kind, ExprKind::Local(l) if !self.vars.is_assigned(*l))
    }

    /// Evaluates the subexpressions of a target, so that the store itself evaluates nothing.
    pub(super) fn store(
        &mut self,
        target: &Target,
        value: rust::Expr,
        prelude: Option<&mut Stmts>,
    ) -> Translated<Stmts> {
        // With a prelude, operands that a later evaluation could change are saved in variables
        // first.
        let mut saved = Stmts::new();
        let out = match target {
            Target::Local(l) => match self.name_of(*l) {
                Some(name) => stmts!(#name = #value;),
                None => {
                    return Err(self.scope.unsupported(
                        dafny_resolve::typed::Span::default(),
                        "an assignment of this variable",
                    ));
                }
            },
            Target::Discard(_) => stmts!(let _ = #value;),
            Target::Field { object, field } => {
                if let (ExprKind::This, Some(code)) = (&object.kind, self.before_new.get(field)) {
                    let place = code.receiver();
                    return Ok(stmts!(#place = #value;));
                }
                // Dafny evaluates the target before the assignments of the same statement.
                let code = self.expr(object)?;
                let mut held = code;
                if prelude.is_some() && !self.is_fixed(object) {
                    let (name, value) = (&self.make_up("object"), held.owned_value());
                    saved = stmts!(let #name = #value;);
                    held = Code::variable(name, false);
                }
                if matches!(self.rep(&object.ty), Rep::Class(..)) {
                    let name = ident(self.scope.ground.names.field(*field));
                    let o = held.receiver();
                    stmts!(#o.#name.set(#value);)
                } else {
                    let place = self.trait_place(&held, &object.ty, *field)?;
                    stmts!(#place.set(#value);)
                }
            }
            Target::Element { array, indices } => {
                let mut o = self.expr(array)?.receiver();
                let mut at = Vec::new();
                for index in indices {
                    let i = self.expr(index)?;
                    if prelude.is_some() && !self.is_fixed(index) {
                        let (name, value) = (&self.make_up("index"), i.owned_value());
                        saved.extend(stmts!(let #name = #value;));
                        at.push(name.into());
                    } else {
                        at.push(self.index(index)?);
                    }
                }
                if prelude.is_some() && !self.is_fixed(array) {
                    let name = &self.make_up("array");
                    saved.extend(stmts!(let #name = #o.clone();));
                    o = name.into();
                }
                let at = rust::Expr::one_or_tuple(at);
                stmts!(#o.set(#at, #value);)
            }
        };
        if let Some(prelude) = prelude {
            prelude.extend(saved);
        }
        Ok(out)
    }

    /// Translates `x := x + e;` to `x += e;`, if `e` does not mention `x`.
    pub(super) fn compound(
        &mut self,
        target: &Target,
        rhs: &Rhs,
    ) -> Translated<Option<rust::Stmt>> {
        let (
            Target::Local(l),
            Rhs::Expr(Expr {
                kind: ExprKind::Binary(op, left, right),
                ..
            }),
        ) = (target, rhs)
        else {
            return Ok(None);
        };
        // `x = x + e`, where `e` does not mention `x`.
        let is_target =
            matches!(&left.kind, ExprKind::Local(v) if v == l) && !mentioned(right).0.contains(l);
        let Some(name) = self.name_of(*l).filter(|_| is_target) else {
            return Ok(None);
        };
        let Some(operator) = compound_operator(*op, &self.rep(&left.ty)) else {
            return Ok(None);
        };
        let value = match self.scope.small(right) {
            Some(literal) => literal,
            None => self.expr(right)?.operand(),
        };
        Ok(Some(rust::Stmt::Run(rust::Expr::Update(
            operator,
            Box::new(name.into()),
            Box::new(value),
        ))))
    }

    pub(super) fn assign(
        &mut self,
        declares: &[LocalId],
        pairs: &[(Target, Rhs)],
    ) -> Translated<Stmts> {
        let pairs: Vec<&(Target, Rhs)> = pairs
            .iter()
            .filter(|(t, _)| self.scope.compiled_target(t))
            .collect();
        if let ([(target, rhs)], []) = (pairs.as_slice(), declares)
            && let Some(compound) = self.compound(target, rhs)?
        {
            return Ok(vec![compound]);
        }
        // All values are translated before the targets are declared: they see the variables of the
        // outer scope.
        let mut values = Vec::new();
        for (target, rhs) in &pairs {
            values.push((self.rhs(rhs, target)?, self.annotation(rhs, target)?));
        }
        let sunk: Vec<LocalId> = pairs
            .iter()
            .filter_map(|(t, _)| match t {
                Target::Local(l) if self.vars.is_sunk(*l) && !self.vars.contains(*l) => Some(*l),
                Target::Local(_)
                | Target::Field { .. }
                | Target::Element { .. }
                | Target::Discard(_) => None,
            })
            .collect();
        let declares: Vec<LocalId> = declares.iter().copied().chain(sunk).collect();
        let declared = |t: &Target| matches!(t, Target::Local(l) if declares.contains(l));
        if let ([(target, _)], [_]) = (pairs.as_slice(), values.as_slice())
            && let Some((value, annotation)) = values.pop()
        {
            return match target {
                Target::Local(l) if declares.contains(l) => {
                    let pattern = self.declared(*l);
                    Ok(stmts!(let #pattern: #annotation = #value;))
                }
                Target::Local(_)
                | Target::Field { .. }
                | Target::Element { .. }
                | Target::Discard(_) => self.store(target, value, None),
            };
        }
        if pairs.iter().all(|(t, _)| declared(t)) {
            return Ok(self.declared_together(&locals_of(&pairs), values));
        }
        if pairs
            .iter()
            .all(|(t, _)| matches!(t, Target::Local(_)) && !declared(t))
        {
            let names = locals_of(&pairs)
                .into_iter()
                .filter_map(|l| self.name_of(l));
            let values = values.into_iter().map(|(v, _)| v);
            return Ok(stmts!((#..names) = (#..values);));
        }
        // In a constructor before `new;`, fields are variables, so they can be assigned in
        // sequence.
        let places: Option<Vec<rust::Expr>> = pairs
            .iter()
            .map(|(t, _)| self.place_before_new(t))
            .collect();
        if let Some(places) = places {
            let names: Vec<Option<Ident>> =
                places.iter().map(|p| mentions(p).pop_first()).collect();
            if are_in_turn(&values, &names) {
                return Ok(places
                    .into_iter()
                    .zip(values)
                    .flat_map(|(place, (value, _))| stmts!(#place = #value;))
                    .collect());
            }
        }
        self.through_variables(&declares, &pairs, values)
    }

    /// Declares several variables with their values.
    fn declared_together(&mut self, locals: &[LocalId], values: Vec<Annotated>) -> Stmts {
        let patterns: Vec<Pat> = locals.iter().map(|l| self.declared(*l)).collect();
        let names: Vec<Option<Ident>> = patterns
            .iter()
            .map(|p| rust::bound(p).pop_first())
            .collect();
        if !are_in_turn(&values, &names) {
            let values = values.into_iter().map(|(v, _)| v);
            return stmts!(let (#..patterns) = (#..values););
        }
        let lets = patterns.into_iter().zip(values);
        lets.flat_map(|(pattern, (value, annotation))| stmts!(let #pattern: #annotation = #value;))
            .collect()
    }

    /// Stores all values in variables before the first assignment.
    fn through_variables(
        &mut self,
        declares: &[LocalId],
        pairs: &[&(Target, Rhs)],
        values: Vec<Annotated>,
    ) -> Translated<Stmts> {
        let (mut prelude, mut stores) = (Stmts::new(), Stmts::new());
        for ((target, _), (value, annotation)) in pairs.iter().zip(values) {
            let temp = &self.make_up("value");
            prelude.extend(stmts!(let #temp: #annotation = #value;));
            stores.extend(match target {
                Target::Local(l) if declares.contains(l) => {
                    let pattern = self.declared(*l);
                    stmts!(let #pattern = #temp;)
                }
                Target::Local(_)
                | Target::Field { .. }
                | Target::Element { .. }
                | Target::Discard(_) => self.store(target, temp.into(), Some(&mut prelude))?,
            });
        }
        prelude.extend(stores);
        Ok(prelude)
    }

    /// Returns the variable that represents a field of `this` while the object does not exist yet.
    fn place_before_new(&self, target: &Target) -> Option<rust::Expr> {
        match target {
            Target::Field { object, field } if matches!(object.kind, ExprKind::This) => {
                self.before_new.get(field).map(Code::receiver)
            }
            Target::Local(_)
            | Target::Field { .. }
            | Target::Element { .. }
            | Target::Discard(_) => None,
        }
    }

    /// Returns the type annotation if the value alone does not determine its type.
    pub(super) fn annotation(&self, rhs: &Rhs, target: &Target) -> Translated<Option<rust::Type>> {
        let unclear = match rhs {
            Rhs::Expr(e) => !self.shows_its_type(e),
            Rhs::Havoc(_) | Rhs::New { .. } => false,
            Rhs::NewArray { .. } => true,
        };
        match target {
            Target::Local(l) if unclear => self
                .scope
                .rust_type(&self.scope.ground.program[*l].ty)
                .map(Some),
            Target::Local(_)
            | Target::Field { .. }
            | Target::Element { .. }
            | Target::Discard(_) => Ok(None),
        }
    }

    pub(super) fn rhs(&mut self, rhs: &Rhs, target: &Target) -> Translated<rust::Expr> {
        match rhs {
            Rhs::Expr(e) => self.value(e),
            Rhs::Havoc(ty) => match self.scope.default_value(ty)? {
                Some(value) => Ok(value),
                None => Err(self.scope.unsupported(
                    dafny_resolve::typed::Span::default(),
                    "an arbitrary value of a type without a default",
                )),
            },
            Rhs::New { ty, ctor } => {
                let tokens = self.allocation(ty, ctor.as_ref())?;
                let to = dtest_desugar::casts::target_type(self.scope.ground.program, target);
                let new = Code::owned(tokens, false);
                let cast =
                    self.object_cast(&new, ty, &to, dafny_resolve::typed::Span::default())?;
                Ok(cast.unwrap_or(new).owned_value())
            }
            Rhs::NewArray { elem, dims, init } => {
                let array = self.scope.array_type(dims.len() as u32)?;
                let e = self.scope.rust_type(elem)?;
                let mut lengths = Vec::new();
                for d in dims {
                    lengths.push(self.expr(&self.scope.as_int(d))?);
                }
                match init {
                    ArrayInit::Default => {
                        let lengths = lengths.iter().map(Code::owned_value);
                        let program = self.scope.ground.program;
                        let none = || {
                            let reason = format!(
                                "an array of `{}` without initial values",
                                program.show_type(elem)
                            );
                            self.scope
                                .unsupported(dafny_resolve::typed::Span::default(), reason)
                        };
                        if !self.scope.ground.has_default(elem) {
                            if program.characteristics_of(elem).nonempty {
                                return Err(none());
                            }
                            // The element type may be empty; the program has then proved that no
                            // element is needed (reference manual, section 12.6).
                            return Ok(expr!(#array::<#e>::without_elements([#..lengths])));
                        }
                        if self.scope.is_plain(&elem.subst(&self.scope.substitution)) {
                            return Ok(expr!(#array::<#e>::of_default([#..lengths])));
                        }
                        let value = self.scope.default_value(elem)?.ok_or_else(none)?;
                        Ok(expr!(#array::<#e>::init_with([#..lengths], |_| #value)))
                    }
                    ArrayInit::Function(f) => {
                        let f = self.expr(f)?.owned_value();
                        let function = self.make_up("init");
                        if let [length] = lengths.as_slice() {
                            let length = length.operand();
                            return Ok(
                                expr!({ let #function = #f; #array::init(#length, |i| #function.call(i)) }),
                            );
                        }
                        let names: Vec<Ident> = (0..lengths.len())
                            .map(|i| ident(&format!("i{i}")))
                            .collect();
                        let lengths = lengths.iter().map(Code::owned_value);
                        Ok(
                            expr!({ let #function = #f; #array::init_with([#..lengths], |[#..names]| #function.call(#..names)) }),
                        )
                    }
                    ArrayInit::Elements(es) => {
                        let mut values = Vec::new();
                        for e in es {
                            values.push(self.value(e)?);
                        }
                        Ok(expr!(#array::<#e>::of([#..values])))
                    }
                }
            }
        }
    }

    /// Translates `new C`, `new C(…)` and `new object`.
    fn allocation(&mut self, ty: &Type, ctor: Option<&Call>) -> Translated<rust::Expr> {
        match (self.rep(ty), ctor) {
            (Rep::Class(..), Some(call))
                if self.scope.ground.program[call.callee].kind == CallableKind::Method =>
            {
                // `new C.Init()` on a class without constructors calls the method on the allocated
                // object.
                let (allocated, name) = (self.allocation(ty, None)?, self.make_up("made"));
                let init = self.call_on(call, Some((Code::variable(&name, false), ty)))?;
                Ok(expr!({ let #name = #allocated; #init; #..name }))
            }
            (Rep::Class(..), Some(call)) => self.call_of(call),
            (Rep::Class(decl, args), None) => {
                self.scope.check_fixed(Some(decl), None, &args)?;
                let (path, args) = (self.scope.type_path(decl), self.scope.turbofish(&args)?);
                let allocate = ident(self.scope.ground.names.allocate(decl));
                Ok(expr!(#path::<#..args>::#allocate()))
            }
            (Rep::Object, None) => {
                let (upcast, dynamic) =
                    (self.scope.runtime("upcast"), self.scope.runtime("Dynamic"));
                let (reference, plain) =
                    (self.scope.runtime("Ref"), self.scope.runtime("PlainObject"));
                Ok(expr!(#upcast::<dyn #dynamic, _>(&#reference::new(#plain))))
            }
            (_, _) => Err(self
                .scope
                .unsupported(dafny_resolve::typed::Span::default(), "`new` of this type")),
        }
    }

    pub(super) fn call_stmt(
        &mut self,
        declares: &[LocalId],
        targets: &[Target],
        call: &Call,
    ) -> Translated<Stmts> {
        let callee = &self.scope.ground.program[call.callee];
        let value = self.call_of(call)?;
        if targets.is_empty() {
            return Ok(stmts!(#value;));
        }
        let unnamed = |t: &Target| matches!(t, Target::Local(l) if declares.contains(l) && &*self.scope.ground.program[*l].name == "_");
        if targets
            .iter()
            .all(|t| unnamed(t) || !self.scope.compiled_target(t))
        {
            return Ok(stmts!(#value;));
        }
        let compiled: Vec<&Target> = callee
            .outs
            .iter()
            .zip(targets)
            .filter(|(o, _)| callee.ghost || !self.scope.ground.program[o.local].ghost)
            .map(|(_, t)| t)
            .collect();
        self.assign_results(declares, &compiled, value, false)
    }

    /// Whether a target is an existing variable, or ignored.
    fn is_assignable(&self, target: &Target, declares: &[LocalId]) -> bool {
        match target {
            t if !self.scope.compiled_target(t) => true,
            Target::Discard(_) => true,
            Target::Local(l) => {
                !declares.contains(l) && !self.vars.is_sunk(*l) && self.name_of(*l).is_some()
            }
            Target::Field { .. } | Target::Element { .. } => false,
        }
    }

    /// Assigns the results of one expression, a tuple if there are several, to targets.
    pub(super) fn assign_results(
        &mut self,
        declares: &[LocalId],
        targets: &[&Target],
        value: rust::Expr,
        _fresh: bool,
    ) -> Translated<Stmts> {
        match targets {
            [] => Ok(stmts!(#value;)),
            [target] => match target {
                t if !self.scope.compiled_target(t) => Ok(stmts!(let _ = #value;)),
                Target::Local(l) if declares.contains(l) => {
                    let pattern = self.declared(*l);
                    Ok(stmts!(let #pattern = #value;))
                }
                Target::Local(_)
                | Target::Field { .. }
                | Target::Element { .. }
                | Target::Discard(_) => self.store(target, value, None),
            },
            // All targets are existing variables, so no temporaries are needed.
            many if many.iter().all(|t| self.is_assignable(t, declares)) => {
                let names = many.iter().map(|t| match t {
                    Target::Local(l) if self.scope.compiled_target(t) => {
                        self.name_of(*l).map_or(rust::Expr::Ignored, Into::into)
                    }
                    Target::Local(_)
                    | Target::Field { .. }
                    | Target::Element { .. }
                    | Target::Discard(_) => rust::Expr::Ignored,
                });
                Ok(stmts!((#..names) = #value;))
            }
            many => {
                let (mut patterns, mut stores) = (Vec::new(), Stmts::new());
                for target in many {
                    patterns.push(match target {
                        t if !self.scope.compiled_target(t) => Pat::Wild,
                        Target::Discard(_) => Pat::Wild,
                        Target::Local(l) if declares.contains(l) => self.declared(*l),
                        Target::Local(_) | Target::Field { .. } | Target::Element { .. } => {
                            let temp = &self.make_up("value");
                            stores.extend(self.store(target, temp.into(), None)?);
                            temp.into()
                        }
                    });
                }
                Ok(stmts!(let (#..patterns) = #value; #..stores))
            }
        }
    }

    pub(super) fn assign_or_fail(&mut self, a: &AssignOrFail, s: &Stmt) -> Translated<Stmts> {
        let mut compute = a.compute.clone();
        if let StmtKind::Assign { declares, .. }
        | StmtKind::Call { declares, .. }
        | StmtKind::SuchThat { declares, .. } = &mut compute.kind
        {
            if !self.vars.contains(a.temp) && !declares.contains(&a.temp) {
                declares.push(a.temp);
            }
            declares.extend(
                a.declares
                    .iter()
                    .filter(|l| !matches!(&a.extract, Some((Target::Local(t), _)) if t == *l)),
            );
        }
        // The location of the first target is evaluated before any value.
        let (mut prelude, mut ready) = (Stmts::new(), None);
        if let Some((target @ (Target::Field { .. } | Target::Element { .. }), _)) = &a.extract {
            let temp = self.make_up("extracted");
            let store = self.store(target, (&temp).into(), Some(&mut prelude))?;
            ready = Some((temp, store));
        }
        let compute = self.stmt(&compute)?;
        let failed = self.value(&a.is_failure)?;
        let on_failure = match &a.on_failure {
            OnFailure::Propagate { out, value } => {
                let value = self.value(value)?;
                let alone = self.end.outs.as_slice() == [*out];
                if alone {
                    stmts!(if #failed { return #value; })
                } else {
                    let (store, result) = (
                        self.store(&Target::Local(*out), value, None)?,
                        self.return_result(),
                    );
                    stmts!(if #failed { #..store #..result })
                }
            }
            OnFailure::Expect => {
                let (halt, location) = (
                    self.scope.runtime("halt"),
                    self.scope.ground.sources.locate_as_dafny(s.span),
                );
                let (shown, temp) = (
                    self.scope.runtime("to_dafny_string"),
                    self.vars.get(a.temp).map(Code::borrowed),
                );
                let temp = temp.ok_or_else(|| {
                    self.scope
                        .unsupported(s.span, "the status that `:-` checks")
                })?;
                stmts!(if #failed { #halt(#shown(#temp), #location); })
            }
            OnFailure::Assert | OnFailure::Assume => Vec::new(),
        };
        let extract = match &a.extract {
            Some((target, e)) => {
                let value = self.value(e)?;
                match ready {
                    Some((temp, store)) => stmts!(let #temp = #value; #..store),
                    None => self.assign_results(&a.declares, &[target], value, false)?,
                }
            }
            None => Vec::new(),
        };
        Ok(stmts!(#..prelude #..compute #..on_failure #..extract))
    }
}

impl Scope<'_, '_> {
    pub(super) fn compiled_target(&self, t: &Target) -> bool {
        match t {
            Target::Local(l) => self.spec || !self.ground.program[*l].ghost,
            Target::Field { field, .. } => !self.ground.program[*field].ghost,
            Target::Element { .. } | Target::Discard(_) => true,
        }
    }

    /// Converts an expression to `int`.
    pub(super) fn as_int(&self, e: &Expr) -> Expr {
        if self.rep(&e.ty) == Rep::Int {
            return e.clone();
        }
        Expr {
            kind: ExprKind::Convert(Box::new(e.clone())),
            ty: Type::Int,
            span: e.span,
        }
    }
}

/// Returns the assigning form of an operator on values of that kind, if the run-time library has
/// one.
fn compound_operator(op: BinaryOp, rep: &Rep) -> Option<rust::BinaryOp> {
    use rust::BinaryOp as Rust;
    let number = matches!(rep, Rep::Int | Rep::Bv(_));
    let real = *rep == Rep::Real;
    let collection = matches!(rep, Rep::Set(_) | Rep::Multiset(_));
    match op {
        BinaryOp::Add => {
            (number || real || collection || matches!(rep, Rep::Seq(_) | Rep::Map(..)))
                .then_some(Rust::Add)
        }
        BinaryOp::Sub => (number || real || collection).then_some(Rust::Sub),
        BinaryOp::Mul => (number || real || collection).then_some(Rust::Mul),
        BinaryOp::Div => (number || real).then_some(Rust::Div),
        BinaryOp::Mod => number.then_some(Rust::Rem),
        BinaryOp::Iff
        | BinaryOp::Implies
        | BinaryOp::Explies
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::Above
        | BinaryOp::Disjoint
        | BinaryOp::In
        | BinaryOp::NotIn
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => None,
    }
}
