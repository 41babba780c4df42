//! Translates `{:synthesize}` methods to builders of `dmock`, and determines the classes with
//! builders.

use super::body::Body;
use super::code::{Code, Own};
use super::convention::{Scope, Translated};
use super::rep::Ground;
use super::walk::mentioned;
use crate::rust::{
    self, Attribute, AttributeArgument, Ident, Stmts, expr, ident, path, stmts, without_raw,
};
use dafny_resolve::typed::{
    CallableId, CallableKind, FieldKind, LocalId, Type, TypeDeclKind, TypeId,
};
use dtest_desugar::{Argument, Rule, Synthesis, Synthesized, TestOptions as _};

impl Ground<'_> {
    /// Whether the class has a builder: a `{:synthesize}` method creates its objects, or the user
    /// configured it.
    pub(super) fn has_builder(&self, ty: TypeId) -> bool {
        let program = self.program;
        let is_asked = || program.options.is_mocked(&program.type_path(ty));
        matches!(program[ty].kind, TypeDeclKind::Class)
            && (is_asked() || self.synthesized_classes.contains(&ty))
    }

    /// Returns the name of a class's builder.
    pub(super) fn builder(&self, ty: TypeId) -> Ident {
        let mut name = format!("Mock{}", without_raw(self.names.type_name(ty)));
        while self.names.declares(self.program[ty].module, &name) {
            name.push('_');
        }
        ident(&name)
    }

    /// Returns the attributes of the struct of a class with a builder.
    pub(super) fn builder_attributes(&self, ty: TypeId) -> Vec<Attribute> {
        if !self.has_builder(ty) {
            return Vec::new();
        }
        let (own, plain) = (
            self.builder(ty).to_string(),
            format!("Mock{}", self.names.type_name(ty)),
        );
        let derived = Attribute::Of(
            path!(derive),
            vec![AttributeArgument {
                name: None,
                value: expr!(dmock::Mock),
            }],
        );
        let named = (own != plain)
            .then(|| Attribute::Of(path!(mock), vec![AttributeArgument::named("name", own)]));
        [derived].into_iter().chain(named).collect()
    }

    /// Returns the attribute of the `impl` of a class with a builder: the functions that can be
    /// redefined.
    pub(super) fn hooks(&self, ty: TypeId, present: &[CallableId]) -> Option<Attribute> {
        let program = self.program;
        // Instance functions and methods without type parameters can be redefined.
        // A generic function would need one closure for all types.
        let is_function = |c: &&CallableId| {
            let c = &program[**c];
            !c.is_static
                && !c.ghost
                && matches!(c.kind, CallableKind::Function | CallableKind::Method)
                && c.type_params.is_empty()
        };
        let names: Vec<Ident> = present
            .iter()
            .filter(is_function)
            .map(|c| ident(self.names.callable(*c)))
            .collect();
        if !self.has_builder(ty) || names.is_empty() {
            return None;
        }
        let (own, plain) = (
            self.builder(ty),
            format!("Mock{}", self.names.type_name(ty)),
        );
        // The name of the builder is an argument only if it differs from the default.
        let named = (own != *plain).then(|| AttributeArgument::named("builder", own));
        let names = names.iter().map(|n| AttributeArgument::name(n.as_str()));
        Some(Attribute::Of(
            path!(dmock::mockable),
            names.chain(named).collect(),
        ))
    }
}

/// Writes the body of a `{:synthesize}` method, whose parameters are declared in `body`.
pub(super) fn method(body: &mut Body<'_, '_, '_>, synthesis: &Synthesis<'_>) -> Translated<Stmts> {
    let scope = body.scope;
    let program = scope.ground.program;
    let (mut lines, mut late, mut outs) = (Stmts::new(), Vec::new(), Vec::new());
    // Objects are created in order. A field with an object that is created later is set at the end.
    let mut unmade: Vec<LocalId> = synthesis.objects.iter().map(|o| o.out).collect();
    for object in &synthesis.objects {
        let ty = scope.applied_class(object.class, &object.args)?;
        let mut chain = expr!(dmock::mock::<#ty>());
        for &(field, value) in &object.fields {
            let decl = &program[field];
            let is_late = matches!(decl.kind, FieldKind::Mutable)
                && mentioned(value).0.iter().any(|l| unmade.contains(l));
            if decl.ghost {
                continue;
            }
            if is_late {
                late.push((object.out, field, value));
                continue;
            }
            let (method, value) = (setter(scope.ground.names.field(field)), body.value(value)?);
            chain = expr!(#chain.#method(#value));
        }
        // Functions after fields: a rule may mention the fields of objects that exist.
        for (function, rules) in &object.functions {
            let (method, answer) = redefinition(body, object, *function, rules)?;
            chain = expr!(#chain.#method(#answer));
        }
        let name = body.declare(object.out, Own::Place);
        lines.extend(stmts!(let #name = #chain.create();));
        unmade.retain(|l| *l != object.out);
        outs.push(body.vars.get(object.out).map(Code::receiver));
    }
    for (object, field, value) in late {
        let Some(object) = body.vars.get(object).map(Code::receiver) else {
            continue;
        };
        let (name, value) = (ident(scope.ground.names.field(field)), body.value(value)?);
        lines.extend(stmts!(#object.#name.set(#value);));
    }
    lines.push(rust::Stmt::Value(rust::Expr::one_or_tuple(
        outs.into_iter().flatten().collect(),
    )));
    Ok(lines)
}

/// Writes the name and the closure of a redefinition: `strength` and `|this, factor| ..`, or
/// `strength_if` for a function that is not defined for all arguments.
fn redefinition(
    body: &mut Body<'_, '_, '_>,
    object: &Synthesized<'_>,
    function: CallableId,
    rules: &[Rule<'_>],
) -> Translated<(Ident, rust::Expr)> {
    let scope = body.scope;
    let ground = scope.ground;
    let formals = ground.formals(function);
    let is_total = rules.iter().any(Rule::is_total);
    let (lets, params, answer) =
        body.scoped(|inner| redefined(inner, object, (function, &formals), rules))?;
    let name = ground.names.callable(function);
    let method = if is_total {
        setter(name)
    } else {
        ident(&format!("{}_if", without_raw(name)))
    };
    let answer = answer.ok_or_else(|| {
        scope.unsupported(
            ground.program[function].span,
            "a function that the postconditions do not describe",
        )
    })?;
    let closure = expr!(move |#..params| #answer);
    Ok((
        method,
        if lets.is_empty() {
            closure
        } else {
            expr!({ #..lets #closure })
        },
    ))
}

/// The parts of a redefinition's closure: the statements before it that copy what it captures, its
/// parameters, and its value.
type Closure = (Stmts, Vec<Ident>, Option<rust::Expr>);

/// Writes the parts of the closure that redefines a function with these formals.
fn redefined(
    body: &mut Body<'_, '_, '_>,
    object: &Synthesized<'_>,
    (function, formals): (CallableId, &[LocalId]),
    rules: &[Rule<'_>],
) -> Translated<Closure> {
    let ground = body.scope.ground;
    // The variables that the closure captures.
    let bound: Vec<LocalId> = rules
        .iter()
        .flat_map(|r| r.vars.iter().copied())
        .chain([object.out])
        .collect();
    let parts = rules.iter().flat_map(|r| {
        let values = r.args.iter().filter_map(|a| {
            if let Argument::Value(e) = a {
                Some(*e)
            } else {
                None
            }
        });
        values.chain(r.guards.iter().copied()).chain([r.value])
    });
    let mut kept: Vec<LocalId> = Vec::new();
    for local in parts.flat_map(|e| mentioned(e).0) {
        if !bound.contains(&local) && !kept.contains(&local) && body.vars.contains(local) {
            kept.push(local);
        }
    }
    let mut lets = Stmts::new();
    for local in kept {
        if let Some(value) = body.vars.get(local).map(Code::owned_value) {
            let name = body.declare(local, Own::Place);
            lets.extend(stmts!(let #name = #value;));
        }
    }
    let this = body.declare(object.out, Own::Ref);
    let mut params = vec![this];
    let mut codes = Vec::new();
    for &formal in formals {
        let copy = body.copy(&ground.program[formal].ty);
        let name = body.declare(formal, if copy { Own::Place } else { Own::Ref });
        codes.push(body.vars.get(formal).cloned());
        params.push(name);
    }
    let compiled = |rule: &Rule<'_>| -> Vec<usize> {
        let ghost = |i: usize| {
            ground.program[function]
                .ins
                .get(i)
                .is_none_or(|f| ground.program[f.local].ghost)
        };
        (0..rule.args.len()).filter(|&i| !ghost(i)).collect()
    };
    let is_total = rules.iter().any(Rule::is_total);
    let mut answer: Option<rust::Expr> = (!is_total).then(|| expr!(None));
    for rule in rules.iter().rev() {
        let mut conditions = Vec::new();
        // An argument may be compared with a variable of another argument.
        let places: Vec<(usize, &Option<Code>)> = compiled(rule).into_iter().zip(&codes).collect();
        for (at, code) in &places {
            if let (Some(Argument::Any(local)), Some(code)) = (rule.args.get(*at), code) {
                body.vars.insert(*local, code.clone());
            }
        }
        for (at, code) in places {
            if let (Some(Argument::Value(e)), Some(code)) = (rule.args.get(at), code) {
                let (left, right) = (code.looked_at(), body.expr(e)?.looked_at());
                conditions.push(expr!(#left == #right));
            }
        }
        for guard in &rule.guards {
            conditions.push(body.value(guard)?);
        }
        let value = body.value(rule.value)?;
        let value = if is_total { value } else { expr!(Some(#value)) };
        answer = Some(match (answer, conditions.is_empty()) {
            (Some(others), false) => expr!(if #&&conditions { #value } else { #others }),
            (_, _) => value,
        });
    }
    Ok((lets, params, answer))
}

impl Scope<'_, '_> {
    /// Returns a class with its arguments, without `Ref`.
    fn applied_class(&self, class: TypeId, args: &[Type]) -> Translated<rust::Type> {
        let args = args
            .iter()
            .map(|t| self.rust_type(t))
            .collect::<Translated<Vec<_>>>()?;
        Ok(self.applied(class, args))
    }
}

/// The method of the builder of a class that sets a field or redefines a function. As in `dmock_macros`, it gives way to the
/// builder's own methods: `create`, and `F_if` for each function `F`.
fn setter(name: &str) -> Ident {
    let stem = name.trim_end_matches('_');
    if stem == "create" || stem.ends_with("_if") {
        ident(&format!("{name}_"))
    } else {
        ident(name)
    }
}
