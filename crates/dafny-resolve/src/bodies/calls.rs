//! Calls and constructions: matches arguments with parameters, fills in default values, and infers
//! type arguments.

use rustc_hash::FxHashSet;

use crate::typed::{
    Call, CallableId, CallableKind, CtorId, Expr, ExprKind, LocalId, Substitution, Type,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast;

use super::super::context::NameUse;
use super::super::index::Definition;
use super::infer::VarKind;
use super::names::{Callee, Head};
use super::walk::Instantiate;
use super::{Late, Resolver, Round};

/// The noun for a kind of callable, for messages.
pub(super) fn kind_word(kind: CallableKind) -> &'static str {
    match kind {
        CallableKind::Function | CallableKind::TwostateFunction => "function",
        CallableKind::LeastPredicate | CallableKind::GreatestPredicate => "predicate",
        CallableKind::Method => "method",
        CallableKind::Constructor => "constructor",
        CallableKind::Lemma => "lemma",
    }
}

/// A parameter of the callee, instantiated for one call.
struct Parameter {
    name: Name,
    ty: Type,
    local: LocalId,
    nameonly: bool,
    default: Option<Expr>,
}

/// The result of resolving a call.
pub(super) enum Called {
    /// An expression: a function call, a construction, or the application of a function value.
    Value(Expr),
    /// A call of a method or lemma, with the types of its out-parameters.
    Method(Call, Vec<Type>),
}

impl Resolver<'_> {
    /// Resolves `callee(args)` for every kind of callee.
    pub(super) fn call(&mut self, e: &ast::Expr, hint: Option<&Type>) -> Called {
        let ast::ExprKind::Call {
            callee,
            at_label,
            args,
        } = &e.kind
        else {
            return Called::Value(self.expr(e, hint));
        };
        let span = e.span;
        // `P#[k](args)` calls the prefix predicate of `P`; the limit is its first argument.
        let in_scope = self.earlier(at_label.as_ref());
        let (head, limit) = if let ast::ExprKind::Prefix { object, limit } = &callee.kind {
            (self.head(object, NameUse::Expression, None), Some(&**limit))
        } else {
            (self.head(callee, NameUse::Expression, None), None)
        };
        if let Some(label) = at_label.as_ref().filter(|_| in_scope) {
            self.label_of_call(label, &head);
        }
        match head {
            Head::Callable(mut callee) => {
                if let Some(limit) = limit {
                    return self.prefix_call(callee, limit, args, hint, span);
                }
                let map = self.instantiation(callee.id, &callee.type_args);
                let parameters = self.parameters(callee.id, &map);
                let outs = self.out_types(callee.id, &map);
                let what = self.cx.program[callee.id].name.clone();
                let receiver = callee.receiver.take();
                let args = self.arguments(
                    &what,
                    &parameters,
                    args,
                    &map,
                    receiver.as_ref(),
                    outs.first().zip(hint),
                    span,
                );
                // Only now are type arguments known that the arguments determine.
                self.respect_bounds(callee.id, &callee.type_args, &map);
                let call = Call {
                    callee: callee.id,
                    receiver: receiver.map(Box::new),
                    discarded: callee.discarded.map(Box::new),
                    type_args: callee.type_args,
                    args,
                    at_label: at_label.as_ref().map(|l| l.name.clone()),
                    is_static_dispatch: callee.is_static_dispatch,
                    is_corecursive: false,
                };
                self.called(call, outs, span)
            }
            Head::Ctor(ctor, type_args, at) => {
                Called::Value(self.construct(ctor, type_args, args, hint, span, at))
            }
            Head::Value(f) => Called::Value(self.apply(f, args, span)),
            Head::Error => {
                for a in args {
                    self.expr(&a.value, None);
                }
                Called::Value(self.broken(span))
            }
            Head::Type(ty) => {
                let d = Diagnostic::error(
                    "resolve/not-a-function",
                    callee.span,
                    format!("`{}` is a type, not a function", self.show(&ty)),
                );
                self.report(d.with_help("write `e as T` to convert, `new T(…)` to allocate"));
                Called::Value(self.broken(span))
            }
            Head::Module(_) => {
                self.error(
                    "resolve/not-a-function",
                    callee.span,
                    "a module is not a function",
                );
                Called::Value(self.broken(span))
            }
        }
    }

    /// Reports a label on a call of anything but a two-state function or lemma. The label selects
    /// the earlier one of the two states.
    fn label_of_call(&mut self, label: &ast::Ident, head: &Head) {
        let fits = match head {
            Head::Callable(c) => {
                self.cx.program[c.id].kind == CallableKind::TwostateFunction
                    || self.cx.callables.two_state_lemmas.contains(&c.id)
            }
            Head::Value(_) => false,
            // Other errors of these heads are reported elsewhere.
            Head::Ctor(..) | Head::Type(_) | Head::Module(_) | Head::Error => true,
        };
        if !fits {
            self.error(
                "resolve/label-of-call",
                label.span,
                "only calls of two-state functions and lemmas can have a label after `@`",
            );
        }
    }

    /// Requires that each type argument is a subtype of its parameter's `extends` bounds. This may
    /// bind variables in it.
    fn respect_bounds(&mut self, id: CallableId, type_args: &[Type], map: &Substitution) {
        for (p, arg) in self
            .cx
            .program
            .all_type_params(id)
            .into_iter()
            .zip(type_args)
        {
            for bound in self.cx.program[p].bounds.clone() {
                if !self.st.inf.is_unbound(arg) {
                    self.flow(arg, &bound.subst(map));
                }
            }
        }
    }

    fn called(&mut self, call: Call, mut outs: Vec<Type>, span: Span) -> Called {
        if self.cx.program[call.callee].kind.is_function() {
            let ty = if outs.is_empty() {
                Type::Error
            } else {
                outs.swap_remove(0)
            };
            Called::Value(Expr {
                kind: ExprKind::Call(call),
                ty,
                span,
            })
        } else {
            self.call_ends(call.callee, span);
            Called::Method(call, outs)
        }
    }

    fn prefix_call(
        &mut self,
        mut callee: Callee,
        limit: &ast::Expr,
        args: &[ast::Argument],
        hint: Option<&Type>,
        span: Span,
    ) -> Called {
        let Some(&prefix) = self.cx.callables.prefixes.get(&callee.id) else {
            let name = self.cx.program[callee.id].name.clone();
            self.error(
                "resolve/not-extreme",
                callee.span,
                format!("`{name}` is not a least or greatest predicate or lemma, so it has no prefix form (`#`)"),
            );
            return Called::Value(self.broken(span));
        };
        // The arguments are matched with the parameters of the extreme callable. The prefix
        // callable has the limit as an additional first parameter.
        let map = self.instantiation(callee.id, &callee.type_args);
        let map2 = self.instantiation(prefix, &callee.type_args);
        let parameters = self.parameters(callee.id, &map);
        let k = self.cx.program[prefix]
            .ins
            .first()
            .map_or(Type::Int, |f| self.cx.program[f.local].ty.subst(&map2));
        let limit = self.check(limit, &k);
        let outs = self.out_types(prefix, &map2);
        let what = self.cx.program[callee.id].name.clone();
        let receiver = callee.receiver.take();
        let mut all = vec![limit];
        all.extend(self.arguments(
            &what,
            &parameters,
            args,
            &map,
            receiver.as_ref(),
            outs.first().zip(hint),
            span,
        ));
        let call = Call {
            callee: prefix,
            receiver: receiver.map(Box::new),
            discarded: callee.discarded.map(Box::new),
            type_args: callee.type_args,
            args: all,
            at_label: None,
            is_static_dispatch: false,
            is_corecursive: false,
        };
        self.called(call, outs, span)
    }

    /// The substitution that maps the type parameters of owner and callee to the type arguments.
    pub(super) fn instantiation(&self, id: CallableId, type_args: &[Type]) -> Substitution {
        self.cx
            .program
            .all_type_params(id)
            .into_iter()
            .zip(type_args.iter().cloned())
            .collect()
    }

    pub(super) fn out_types(&self, id: CallableId, map: &Substitution) -> Vec<Type> {
        self.cx.program[id]
            .outs
            .iter()
            .map(|f| self.cx.program[f.local].ty.subst(map))
            .collect()
    }

    fn parameters(&mut self, id: CallableId, map: &Substitution) -> Vec<Parameter> {
        self.ensure_defaults(id);
        let parameter = |f: &crate::typed::Formal| {
            let local = &self.cx.program[f.local];
            let (name, ty) = (local.name.clone(), local.ty.subst(map));
            Parameter {
                name,
                ty,
                local: f.local,
                nameonly: f.nameonly,
                default: f.default.clone(),
            }
        };
        self.cx.program[id].ins.iter().map(parameter).collect()
    }

    /// Builds a call of a member by name on an already typed receiver. Returns `None` if the type
    /// has no such member.
    pub(super) fn member_call(&mut self, receiver: &Expr, name: &str, span: Span) -> Option<Expr> {
        let ident = ast::Ident {
            name: name.into(),
            span,
        };
        match self.member(receiver.clone(), &ident, None, span) {
            Head::Callable(callee) if self.cx.program[callee.id].kind.is_function() => {
                let map = self.instantiation(callee.id, &callee.type_args);
                let ty = self.out_types(callee.id, &map).into_iter().next()?;
                let parameters = self.parameters(callee.id, &map);
                let what = self.cx.program[callee.id].name.clone();
                let args = self.arguments(
                    &what,
                    &parameters,
                    &[],
                    &map,
                    callee.receiver.as_ref(),
                    None,
                    span,
                );
                let call = Call {
                    callee: callee.id,
                    receiver: callee.receiver.map(Box::new),
                    discarded: callee.discarded.map(Box::new),
                    type_args: callee.type_args,
                    args,
                    at_label: None,
                    is_static_dispatch: false,
                    is_corecursive: false,
                };
                Some(Expr {
                    kind: ExprKind::Call(call),
                    ty,
                    span,
                })
            }
            Head::Value(e) => Some(e),
            Head::Callable(_) | Head::Module(_) | Head::Type(_) | Head::Ctor(..) | Head::Error => {
                None
            }
        }
    }

    /// Resolves the construction `C(args)`. `at` is the span of the constructor's name.
    pub(super) fn construct(
        &mut self,
        ctor: CtorId,
        type_args: Vec<Type>,
        args: &[ast::Argument],
        hint: Option<&Type>,
        span: Span,
        at: Span,
    ) -> Expr {
        self.ensure_ctor_defaults(ctor);
        let c = &self.cx.program[ctor];
        let (datatype, what) = (c.datatype, c.name.clone());
        let map = self.cx.program.substitution(datatype, &type_args);
        let c = &self.cx.program[ctor];
        let parameters: Vec<Parameter> = c
            .fields
            .iter()
            .enumerate()
            .map(|(i, f)| {
                let field = &self.cx.program[*f];
                // A destructor shared by constructors has the parameter name that this constructor
                // declares.
                let local = c.params.get(i).copied();
                let name =
                    local.map_or_else(|| field.name.clone(), |l| self.cx.program[l].name.clone());
                let default = c.defaults.get(i).cloned().flatten();
                Parameter {
                    name,
                    ty: field.ty.subst(&map),
                    local: local.unwrap_or(LocalId(u32::MAX)),
                    nameonly: local.is_some_and(|l| self.cx.variables.nameonly_params.contains(&l)),
                    default,
                }
            })
            .collect();
        let ty = Type::named(datatype, type_args);
        let before = self.st.late.len();
        let args = self.arguments(
            &what,
            &parameters,
            args,
            &map,
            None,
            Some(&ty).zip(hint),
            at,
        );
        // In the new type system, only literals yield to the expected type of the whole value.
        let clash = hint
            .filter(|_| !self.cx.program.options.type_system_refresh)
            .and_then(|h| self.clash(ctor, &args, h));
        let ty = match (clash, hint) {
            (Some((place, message)), Some(hint)) => {
                // The same contradiction may have been found between two arguments.
                let spans: FxHashSet<Span> = args.iter().map(|a| a.span).collect();
                let of_argument = |l: &Late| l.diagnostic.span.is_some_and(|s| spans.contains(&s));
                let mut index = 0;
                self.st.late.retain(|l| {
                    index += 1;
                    index <= before || !of_argument(l)
                });
                self.mismatch_in(Round::Others, place, message);
                hint.clone()
            }
            _ => ty,
        };
        Expr {
            kind: ExprKind::Construct { ctor, args },
            ty,
            span,
        }
    }

    /// Finds an argument whose type contradicts the type expected of the whole value. The error is
    /// then reported at the argument and not where the value is used.
    fn clash(&self, ctor: CtorId, args: &[Expr], hint: &Type) -> Option<(Span, String)> {
        let c = &self.cx.program[ctor];
        let Type::Named {
            decl, args: given, ..
        } = self.base(hint)
        else {
            return None;
        };
        if decl != c.datatype {
            return None;
        }
        let map = self.cx.program.substitution(decl, &given);
        c.fields.iter().zip(args).find_map(|(f, arg)| {
            let expected = self.cx.program[*f].ty.subst(&map);
            self.differ(&arg.ty, &expected).then(|| {
                let (expected, found) = (self.show(&expected), self.show(&arg.ty));
                (arg.span, format!("expected {expected}, found {found}"))
            })
        })
    }

    /// Whether two known types have different heads, so that no value has both.
    fn differ(&self, found: &Type, expected: &Type) -> bool {
        let known = |ty: &Type| match self.st.inf.kind(ty) {
            Some(VarKind::IntLike) => Some(Type::Int),
            Some(VarKind::RealLike) => Some(Type::Real),
            Some(VarKind::Any | VarKind::Null) => None,
            None => Some(self.representation(ty)),
        };
        let (Some(a), Some(b)) = (known(found), known(expected)) else {
            return false;
        };
        let is_open = |t: &Type| {
            *t == Type::Error
                || self.is_reference(t)
                || matches!(t, Type::Named { .. } | Type::Object { .. })
                || self.st.inf.is_unbound(t)
        };
        let literal = self.st.inf.kind(found) == Some(VarKind::IntLike);
        if is_open(&a) || is_open(&b) || literal && matches!(b, Type::Bv(_) | Type::Ordinal) {
            return false;
        }
        if let (Type::Param(p), Type::Param(q)) = (&a, &b) {
            return p != q;
        }
        std::mem::discriminant(&a) != std::mem::discriminant(&b)
    }

    /// Resolves the application `f(args)` of a function value.
    pub(super) fn apply(&mut self, f: Expr, args: &[ast::Argument], span: Span) -> Expr {
        // The type of a function value has to be known before the arguments are resolved.
        let mut ty = self.representation(&f.ty);
        if self.st.inf.is_unbound(&ty) {
            self.settle();
            ty = self.representation(&f.ty);
        }
        if self.st.inf.kind(&ty) == Some(VarKind::Any) {
            let d = Diagnostic::error(
                "resolve/not-a-function",
                span,
                "the type of the called expression is not known here",
            );
            let d = d.with_help("add a type annotation to the declaration of the variable");
            if self.cx.program.options.type_system_refresh {
                self.late_error(Round::Deferred, d);
            } else {
                self.report(d);
            }
            args.iter().for_each(|a| drop(self.expr(&a.value, None)));
            return self.broken(span);
        }
        if let Type::Arrow { params, result, .. } = ty {
            // The parameters of a function value have no names.
            let named: Vec<&ast::Ident> = args.iter().filter_map(|a| a.name.as_ref()).collect();
            if !named.is_empty() {
                for n in named {
                    let message = format!(
                        "a function value has no parameter named `{}`: pass its arguments by position",
                        n.name
                    );
                    self.error("resolve/unknown-parameter", n.span, message);
                }
                args.iter().for_each(|a| drop(self.expr(&a.value, None)));
                return self.broken(span);
            }
            if params.len() != args.len() {
                self.error(
                    "resolve/argument-count",
                    span,
                    format!(
                        "wrong number of arguments: the function takes {}, found {}",
                        params.len(),
                        args.len()
                    ),
                );
                return self.broken(span);
            }
            let args = args
                .iter()
                .zip(&params)
                .map(|(a, t)| self.check(&a.value, t))
                .collect();
            Expr {
                kind: ExprKind::Apply {
                    function: Box::new(f),
                    args,
                },
                ty: *result,
                span,
            }
        } else {
            for a in args {
                self.expr(&a.value, None);
            }
            if ty != Type::Error {
                self.error(
                    "resolve/not-a-function",
                    span,
                    format!("a value of type `{}` is not a function", self.show(&f.ty)),
                );
            }
            self.broken(span)
        }
    }

    /// Resolves the arguments and returns them in the order of the parameters, with default values
    /// filled in.
    ///
    /// `wanted` pairs the result type with the type expected of the call. It is used if the
    /// arguments do not determine the type arguments.
    #[allow(clippy::too_many_arguments)] // a call has as many parts
    fn arguments(
        &mut self,
        what: &str,
        parameters: &[Parameter],
        args: &[ast::Argument],
        map: &Substitution,
        receiver: Option<&Expr>,
        wanted: Option<(&Type, &Type)>,
        span: Span,
    ) -> Vec<Expr> {
        // Step 1: assign each argument to a parameter, by position or by name.
        let (slots, failed) = self.slots(what, parameters, args, span);
        // Step 2: resolve the arguments. Lambdas without parameter types wait for a second round:
        // the other arguments, and then the expected result type, may determine these types.
        let mut values: Vec<Option<Expr>> = parameters.iter().map(|_| None).collect();
        for late in [false, true] {
            if late
                && values
                    .iter()
                    .zip(&slots)
                    .any(|(v, s)| v.is_none() && s.is_some())
                && let Some((result, hint)) = wanted
            {
                self.flow(result, hint);
            }
            for ((p, slot), value) in parameters.iter().zip(&slots).zip(&mut values) {
                let Some(e) = slot else { continue };
                if value.is_none() && (late || !self.waits(e, &p.ty)) {
                    *value = Some(self.check(e, &p.ty));
                }
            }
        }
        // Step 3: default values, or an error for each parameter without argument and default.
        let mut missing = Vec::new();
        for (p, (value, slot)) in parameters.iter().zip(values.iter_mut().zip(&slots)) {
            if value.is_none() && slot.is_none() && p.default.is_none() {
                missing.push(p.name.to_string());
                *value = Some(self.broken(span));
            }
        }
        self.fill_defaults(parameters, &mut values, map, receiver);
        if !missing.is_empty() && !failed {
            let given = args.len();
            let d = Diagnostic::error(
                "resolve/argument-count",
                span,
                format!(
                    "wrong number of arguments: `{what}` takes {}, found {given}",
                    parameters.len()
                ),
            );
            self.report(d.with_help(format!("missing: {}", missing.join(", "))));
        }
        values.into_iter().flatten().collect()
    }

    /// Assigns each argument to a parameter, by position or by name. Also returns whether an error
    /// was reported.
    fn slots<'a>(
        &mut self,
        what: &str,
        parameters: &[Parameter],
        args: &'a [ast::Argument],
        span: Span,
    ) -> (Vec<Option<&'a ast::Expr>>, bool) {
        let mut slots: Vec<Option<&'a ast::Expr>> = vec![None; parameters.len()];
        let mut failed = false;
        let mut by_name = false;
        for (i, arg) in args.iter().enumerate() {
            by_name |= arg.name.is_some();
            if by_name && arg.name.is_none() {
                self.error(
                    "resolve/argument-order",
                    arg.value.span,
                    "a positional argument cannot follow a named argument",
                );
                self.expr(&arg.value, None);
                failed = true;
                continue;
            }
            let at = match &arg.name {
                Some(n) => {
                    let at = parameters.iter().position(|p| p.name == n.name);
                    if let Some(p) = at.and_then(|at| parameters.get(at)) {
                        self.cx.notes.note(n.span, Definition::Local(p.local));
                    }
                    at
                }
                None => Some(i).filter(|i| *i < parameters.len()),
            };
            if arg.name.is_none()
                && at
                    .and_then(|at| parameters.get(at))
                    .is_some_and(|p| p.nameonly)
            {
                self.error(
                    "resolve/nameonly",
                    arg.value.span,
                    format!("this parameter of `{what}` is `nameonly`: its argument must be named"),
                );
            }
            match (at.and_then(|at| slots.get_mut(at)), &arg.name) {
                (Some(slot @ None), _) => *slot = Some(&arg.value),
                (Some(Some(_)), name) => {
                    let place = name.as_ref().map_or(arg.value.span, |n| n.span);
                    let name = name
                        .as_ref()
                        .map_or_else(|| i.to_string(), |n| n.name.to_string());
                    self.error(
                        "resolve/argument-twice",
                        place,
                        format!("the parameter `{name}` of `{what}` is given twice"),
                    );
                    failed = true;
                }
                (None, Some(n)) => {
                    self.error(
                        "resolve/unknown-parameter",
                        n.span,
                        format!("`{what}` has no parameter named `{}`", n.name),
                    );
                    failed = true;
                }
                (None, None) => {
                    if !failed {
                        self.error(
                            "resolve/argument-count",
                            span,
                            format!(
                                "wrong number of arguments: `{what}` takes {}, found {}",
                                parameters.len(),
                                args.len()
                            ),
                        );
                    }
                    failed = true;
                }
            }
        }
        (slots, failed)
    }

    /// Fills in default values. A default may mention any other parameter, so it is instantiated
    /// once the values of these are known.
    fn fill_defaults(
        &mut self,
        parameters: &[Parameter],
        values: &mut [Option<Expr>],
        map: &Substitution,
        receiver: Option<&Expr>,
    ) {
        let mut forced = false;
        while values.iter().any(Option::is_none) {
            let open: Vec<LocalId> = parameters
                .iter()
                .zip(&*values)
                .filter(|(_, v)| v.is_none())
                .map(|(p, _)| p.local)
                .collect();
            let ready = |p: &Parameter| {
                p.default
                    .as_ref()
                    .is_some_and(|d| forced || !super::bounds::mentions(d, &open))
            };
            let Some(at) = parameters
                .iter()
                .zip(&*values)
                .position(|(p, v)| v.is_none() && ready(p))
            else {
                if forced {
                    return;
                }
                // The remaining defaults depend on each other, which is reported at the
                // declaration. Fill them in regardless.
                forced = true;
                continue;
            };
            let locals = parameters
                .iter()
                .zip(&*values)
                .filter_map(|(p, v)| Some((p.local, v.clone()?)))
                .collect();
            if let (Some(slot), Some(mut d)) = (
                values.get_mut(at),
                parameters.get(at).and_then(|p| p.default.clone()),
            ) {
                Instantiate {
                    types: map,
                    locals: &locals,
                    this: receiver,
                }
                .apply(&mut d);
                *slot = Some(d);
            }
        }
    }

    /// Whether the argument is resolved after the others: a lambda with a parameter whose type is
    /// not known yet.
    fn waits(&self, e: &ast::Expr, ty: &Type) -> bool {
        if let ast::ExprKind::Paren(e) = &e.kind {
            self.waits(e, ty)
        } else if let ast::ExprKind::Lambda { params, .. } = &e.kind
            && params.iter().any(|p| p.ty.is_none())
        {
            let ty = self.representation(ty);
            if let Type::Arrow { params, .. } = &ty {
                params
                    .iter()
                    .any(|t| self.st.inf.kind(t) == Some(VarKind::Any))
            } else {
                self.st.inf.is_unbound(&ty)
            }
        } else {
            false
        }
    }
}

impl Resolver<'_> {
    /// Resolves the call of a class constructor after `new`.
    pub(super) fn constructor_call(
        &mut self,
        id: CallableId,
        type_args: Vec<Type>,
        args: &[ast::Argument],
        span: Span,
    ) -> Call {
        let map = self.instantiation(id, &type_args);
        let parameters = self.parameters(id, &map);
        let c = &self.cx.program[id];
        let what = match c.owner {
            Some(owner) if &*c.name == "_ctor" => self.cx.program[owner].name.clone(),
            _ => c.name.clone(),
        };
        let args = self.arguments(&what, &parameters, args, &map, None, None, span);
        self.respect_bounds(id, &type_args, &map);
        self.call_ends(id, span);
        Call {
            callee: id,
            receiver: None,
            discarded: None,
            type_args,
            args,
            at_label: None,
            is_static_dispatch: false,
            is_corecursive: false,
        }
    }
}
