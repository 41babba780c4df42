//! Translates classes to structs of fields behind `Ref`, with constructors.
//!
//! The hard part is constructors ([`constructor`]): before `new;` the fields are variables, because
//! Rust has no uninitialized objects.

use super::body::Body;
use super::code::Code;
use super::convention::{Scope, Translated, mentions};
use super::docs::docs;
use super::rep::Ground;
use crate::rust::{
    self, Attribute, AttributeArgument, Field, FnItem, Item, Pat, Stmts, expr, function, ident,
    items, path, stmts, ty,
};
use dafny_resolve::typed::{
    Block, ExprKind, FieldId, FieldKind, Program, Rhs, Stmt, StmtKind, Target, Type, TypeId,
    TypeParamId,
};
use dtest_desugar::ExternalCode as _;
use dtest_sorted::SortedMap;

/// Returns the run-time fields of an object; those of the traits of its class come last. Constants
/// that are computed from the object are not among them.
pub(crate) fn fields(scope: &Scope<'_, '_>, ty: TypeId) -> Vec<FieldId> {
    let program = scope.ground.program;
    let owners = std::iter::once(ty).chain(program.ancestors(ty).into_iter().map(|(t, _)| t));
    let all = owners.flat_map(|t| program[t].fields.iter().copied());
    all.filter(|&f| !program[f].ghost && !program[f].is_static && is_stored(program, f))
        .collect()
}

/// Returns the type of a field of an object, over the type parameters of its class.
pub(crate) fn field_type(ground: &Ground<'_>, ty: TypeId, field: FieldId) -> Type {
    let program = ground.program;
    let found = program
        .ancestors(ty)
        .into_iter()
        .find(|(t, _)| program[field].owner == Some(*t));
    found.map_or_else(
        || program[field].ty.clone(),
        |(t, args)| program[field].ty.subst(&program.substitution(t, &args)),
    )
}

/// Whether objects store the field: it is not a constant whose value a trait gives or that is
/// computed from the object. A constant that calls code without a body is computed when it is read,
/// so that objects can be created without a stub (Dafny computes it at creation).
pub(super) fn is_stored(program: &Program, field: FieldId) -> bool {
    let decl = &program[field];
    let FieldKind::Const(Some(value)) = &decl.kind else {
        return true;
    };
    if decl.owner.is_some_and(|t| program.is_trait(t)) || program.may_call_stubs(value) {
        return false;
    }
    // A value may depend on constants of the object that are stored before it, and on nothing else
    // of the object: each mention of `this` must be one of these.
    let (mut this, mut known) = (0, 0);
    super::walk::each_expr(value, &mut |e| {
        if matches!(&e.kind, ExprKind::This) {
            this += 1;
        } else if let ExprKind::Field {
            object: Some(object),
            field: other,
            ..
        } = &e.kind
            && matches!(object.kind, ExprKind::This)
        {
            let before =
                *other < field && matches!(program[*other].kind, FieldKind::Const(Some(_)));
            known += u32::from(
                before && program[*other].owner == decl.owner && is_stored(program, *other),
            );
        }
    });
    this == known
}

fn phantoms(scope: &Scope<'_, '_>, ty: TypeId) -> Vec<TypeParamId> {
    let program = scope.ground.program;
    let fields: Vec<Type> = fields(scope, ty)
        .into_iter()
        .map(|f| field_type(scope.ground, ty, f))
        .collect();
    // Type parameters that occur only in references to the class itself count as unused in Rust.
    let other =
        |t: &&Type| !matches!(program.strip_subset(t), Type::Named { decl, .. } if decl == ty);
    program[ty]
        .type_params
        .iter()
        .copied()
        .filter(|&p| !fields.iter().filter(other).any(|t| mentions(t, p)))
        .collect()
}

/// Whether the struct has a marker for type parameters that no field mentions.
pub(crate) fn has_phantom(scope: &Scope<'_, '_>, ty: TypeId) -> bool {
    !phantoms(scope, ty).is_empty()
}

/// Translates a class to a struct.
pub(super) fn class(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<Vec<Item>> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    let name = ident(ground.names.type_name(ty));
    let (params, generics) = (
        scope.params(&decl.type_params),
        scope.generics(&decl.type_params),
    );
    let declared_params = scope.declared_params(&decl.type_params);
    // Tests compare and build objects by their fields, which are therefore public.
    let declared = declared_fields(scope, ty)?;
    let doc = super::docs::item(scope, &[decl.doc.as_deref()], decl.span);
    let object = scope.runtime("Object");
    let shown = dtest_value::shown_name(ground.program, ty);
    let allocate = allocate(scope, ty)?;
    let held = fields(scope, ty);
    // `Object::fields` lists the fields with their names.
    let shown_fields = (!held.is_empty()).then(|| {
        let looks: Stmts = held
            .iter()
            .map(|f| {
                let (name, n) = (
                    ground.program[*f].name.to_string(),
                    ident(ground.names.field(*f)),
                );
                rust::Stmt::Run(match ground.program[*f].kind {
                    FieldKind::Mutable => expr!(fields.field(#name, &self.#n)),
                    FieldKind::Const(_) | FieldKind::Destructor(_) => {
                        expr!(fields.constant(#name, &self.#n))
                    }
                })
            })
            .collect();
        let fields = scope.runtime("Fields");
        function! {
            fn fields(&self, fields: &mut #fields<'_>) {
                #..looks
            }
        }
    });
    let builder = ground.builder_attributes(ty);
    // `Object::offer` casts to the traits of the class.
    let seen = super::traits::seen_as(scope, ty)?;
    let offer = (!seen.is_empty()).then(|| -> FnItem {
        let (reference, cast) = (scope.runtime("Ref"), scope.runtime("Cast"));
        function! {
            fn offer(this: &#reference<Self>, cast: &mut #cast<'_>) {
                dunit::offer!(cast, this, #..seen);
            }
        }
    });
    Ok(items! {
        #[#..doc]
        #[#..builder]
        pub struct #name<#..declared_params> {
            #..declared
        }

        impl<#..generics> #object for #name<#..params> {
            fn class_name(&self) -> &'static str {
                #shown
            }
            #..shown_fields
            #..offer
        }

        #..allocate
    })
}

/// Returns the field declarations of the struct of a class.
pub(super) fn declared_fields(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<Vec<Field>> {
    let ground = scope.ground;
    let mut declared = Vec::new();
    for f in fields(scope, ty) {
        let (field, own) = (&ground.program[f], field_type(ground, ty, f));
        if ground.is_irregular(ty, &own) {
            return Err(scope.unsupported(
                field.span,
                "a type that contains itself at other type arguments",
            ));
        }
        let (n, t) = (ident(ground.names.field(f)), scope.rust_type(&own)?);
        let cell = scope.runtime("Field");
        let attrs = docs(field.doc.as_deref())
            .into_iter()
            .chain(initially(scope, ty, f)?)
            .collect();
        let held = match field.kind {
            FieldKind::Mutable => ty!(#cell<#t>),
            FieldKind::Const(_) | FieldKind::Destructor(_) => t,
        };
        declared.push(Field {
            attrs,
            is_public: true,
            name: n,
            ty: held,
        });
    }
    let ps = scope.params(&phantoms(scope, ty));
    if !ps.is_empty() {
        let attrs = vec![Attribute::Of(
            path!(doc),
            vec![AttributeArgument::name("hidden")],
        )];
        declared.push(Field {
            attrs,
            is_public: true,
            name: ident(ground.names.phantom(ty)),
            ty: ty!(std::marker::PhantomData<(#..ps,)>),
        });
    }
    Ok(declared)
}

/// Returns the attribute with the initial value of a field in a builder, if it differs from the
/// default of the field's Rust type.
fn initially(scope: &Scope<'_, '_>, ty: TypeId, field: FieldId) -> Translated<Option<Attribute>> {
    let ground = scope.ground;
    if !ground.has_builder(ty) {
        return Ok(None);
    }
    let own = field_type(ground, ty, field);
    let value = match &ground.program[field].kind {
        // A builder starts with the values of the program, not with those of the Rust types.
        FieldKind::Const(Some(e)) => Some(Body::new(scope).value(e)?),
        FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => {
            let plain = scope.default_value(&ground.program.representation(&own))?;
            scope
                .default_value(&own)?
                .filter(|v| plain.is_none_or(|p| p != *v))
        }
    };
    Ok(value.map(|v| Attribute::Of(path!(mock), vec![AttributeArgument::named("default", v)])))
}

/// Whether every field of a class has a default, so that `new C` needs no constructor.
pub(super) fn has_allocate(scope: &Scope<'_, '_>, ty: TypeId) -> bool {
    let ground = scope.ground;
    fields(scope, ty)
        .iter()
        .all(|f| match &ground.program[*f].kind {
            FieldKind::Const(Some(_)) => true,
            FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => {
                ground.has_default(&field_type(ground, ty, *f))
            }
        })
}

/// Writes the function for `new C` without a constructor, if every field has a default.
fn allocate(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<Vec<Item>> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    if !has_allocate(scope, ty) {
        return Ok(Vec::new());
    }
    let (name, allocate) = (
        ident(ground.names.type_name(ty)),
        ident(ground.names.allocate(ty)),
    );
    let (params, generics) = (
        scope.params(&decl.type_params),
        scope.generics(&decl.type_params),
    );
    let reference = &scope.runtime("Ref");
    let mut body = Body::new(scope);
    let lets = declare_fields(&mut body, ty)?;
    let object = object(&body, ty);
    let doc = docs(Some("An object whose fields have their initial values."));
    Ok(items! {
        impl<#..generics> #name<#..params> {
            #[#..doc]
            pub fn #allocate() -> #reference<Self> {
                #..lets
                #reference::new(#object)
            }
        }
    })
}

/// Brings the fields of an object under construction into scope, as variables.
fn declare_fields(body: &mut Body<'_, '_, '_>, ty: TypeId) -> Translated<Stmts> {
    let mut lets = Stmts::new();
    let (scope, program) = (body.scope, body.scope.ground.program);
    for f in fields(scope, ty) {
        let (field, own) = (&program[f], field_type(scope.ground, ty, f));
        let t = scope.rust_type(&own)?;
        let init = match &field.kind {
            FieldKind::Const(Some(e)) => Some(body.value(e)?),
            FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => {
                scope.default_value(&own)?
            }
        };
        // A default is not a value of the program: if the constructor assigns the field first, it
        // is dropped.
        let given = matches!(field.kind, FieldKind::Const(Some(_)));
        let name = body.make_up(scope.ground.names.field(f));
        let (pat, unassigned) = (Pat::variable(&name, true), init.is_none() || !given);
        let declared = rust::Let {
            pat,
            ty: Some(t),
            value: init,
            or_else: None,
            borrows: false,
            unassigned,
            is_dead: false,
        };
        lets.push(rust::Stmt::Let(Box::new(declared)));
        body.before_new
            .insert(f, Code::variable(&name, body.copy(&own)));
    }
    Ok(lets)
}

/// Writes an object whose fields come from the answer of external code.
pub(super) fn given(
    body: &mut Body<'_, '_, '_>,
    ty: TypeId,
    call: rust::Expr,
) -> Translated<Stmts> {
    let scope = body.scope;
    let program = scope.ground.program;
    let asked = program.fields_given(ty);
    let (mut names, mut types, mut lets) = (Vec::new(), Vec::new(), Stmts::new());
    // Fields without an initial value are results of the external constructor.
    for f in &asked {
        let own = field_type(scope.ground, ty, *f);
        let name = body.make_up(scope.ground.names.field(*f));
        types.push(scope.rust_type(&own)?);
        body.before_new
            .insert(*f, Code::variable(&name, body.copy(&own)));
        names.push(name);
    }
    // All others are initialized as in a constructor of the program.
    for f in fields(scope, ty).into_iter().filter(|f| !asked.contains(f)) {
        let own = field_type(scope.ground, ty, f);
        let value = match &program[f].kind {
            FieldKind::Const(Some(e)) => body.value(e)?,
            FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => {
                scope.default_value(&own)?.ok_or_else(|| {
                    scope.unsupported(
                        program[ty].span,
                        "an external constructor of a class that inherits fields without a default",
                    )
                })?
            }
        };
        let (name, t) = (
            &body.make_up(scope.ground.names.field(f)),
            scope.rust_type(&own)?,
        );
        lets.extend(stmts!(let #name: #t = #value;));
        body.before_new
            .insert(f, Code::variable(name, body.copy(&own)));
    }
    let (reference, object) = (scope.runtime("Ref"), object(body, ty));
    let (pattern, answer) = (Pat::one_or_tuple(names), rust::Type::one_or_tuple(types));
    // The external code is asked first: other fields may have initial values that depend on its
    // answers.
    let mut asks = if asked.is_empty() {
        stmts!(let () = #call;)
    } else {
        stmts!(let #pattern: #answer = #call;)
    };
    asks.extend(lets);
    asks.extend(stmts!(#reference::new(#object)));
    Ok(asks)
}

/// Writes the struct expression from these variables.
fn object(body: &Body<'_, '_, '_>, ty: TypeId) -> rust::Expr {
    let scope = body.scope;
    let path = scope.type_path(ty);
    let cell = &scope.runtime("Field");
    let inits = body.before_new.iter().map(|(&f, code)| {
        let (n, value) = (
            ident(scope.ground.names.field(f)).to_string(),
            code.receiver(),
        );
        let held = match scope.ground.program[f].kind {
            FieldKind::Mutable => expr!(#cell::new(#value)),
            FieldKind::Const(_) | FieldKind::Destructor(_) => value,
        };
        (n, held)
    });
    let phantom = (!phantoms(scope, ty).is_empty()).then(|| {
        let name = ident(scope.ground.names.phantom(ty)).to_string();
        (name, expr!(std::marker::PhantomData))
    });
    let all = inits.chain(phantom);
    expr!(#path { #..all })
}

/// Translates the body of a constructor: fields as variables up to `new;`, then the object. If a
/// statement before `new;` stores the object itself, the object exists from that statement on.
/// Statements that only store the object in its own fields (`Repr := {this;}`) are delayed while no
/// other statement reads them.
pub(super) fn constructor(
    body: &mut Body<'_, '_, '_>,
    ty: TypeId,
    block: &Block,
) -> Translated<Stmts> {
    // Fields are variables until the object exists: Rust has no uninitialized fields. The first
    // phase of the constructor is split at the first statement that needs the object: `before` runs
    // without it, `between` after its allocation. `waiting` stores the object in its own fields,
    // which have a default until then.
    let lets = declare_fields(body, ty)?;
    let (ground, program) = (body.scope.ground, body.scope.ground.program);
    let at = block
        .divided_at
        .unwrap_or(block.stmts.len())
        .min(block.stmts.len());
    let (phase, rest) = block.stmts.split_at(at);
    let has_default = |f: &FieldId| ground.has_default(&field_type(ground, ty, *f));
    let (mut before, mut waiting, mut between) = (Vec::new(), Vec::new(), Vec::new());
    for (i, s) in phase.iter().enumerate() {
        let later = phase.get(i + 1..).unwrap_or_default();
        let part = if between.is_empty() && !names_object(s) {
            &mut before
        } else if between.is_empty()
            && given_object(s, later).is_some_and(|fields| fields.iter().all(has_default))
        {
            &mut waiting
        } else {
            &mut between
        };
        part.push(s.clone());
    }
    // A constant cannot be assigned once the object is allocated.
    if let Some(late) = between
        .iter()
        .flat_map(assigned_fields)
        .find(|f| !matches!(program[*f].kind, FieldKind::Mutable))
    {
        let reason = format!(
            "the constant `{}` is assigned after the object is stored",
            program[late].name
        );
        return Err(body.scope.unsupported(block.span, reason));
    }
    // At the allocation, each field has an assigned value, an initializer or a default.
    let assigned: Vec<FieldId> = before.iter().flat_map(assigned_fields).collect();
    let is_there = |f: &FieldId| {
        has_default(f)
            || matches!(program[*f].kind, FieldKind::Const(Some(_)))
            || assigned.contains(f)
    };
    if let Some(missing) = body.before_new.keys().find(|f| !is_there(f)) {
        let reason = format!(
            "the field `{}` is not initialized yet where the object is stored",
            program[*missing].name
        );
        return Err(body.scope.unsupported(block.span, reason));
    }
    // Emit: variables of the fields, first part, allocation, rest.
    let part = |stmts: &[Stmt]| Block {
        stmts: stmts.to_vec(),
        divided_at: None,
        division: None,
        span: block.span,
    };
    let after = [waiting, between, rest.to_vec()].concat();
    let first = body.block(&part(&before), false)?;
    // From here on, fields are read from the object.
    let object = object(body, ty);
    body.before_new = SortedMap::new();
    let reference = body.scope.runtime("Ref");
    body.this = Some(Code::named("this", false));
    body.end.constructed = Some(rust::Expr::name("this"));
    let rest = body.block(&part(&after), false)?;
    Ok(stmts!(#..lets #..first let this = #reference::new(#object); #..rest this))
}

/// Whether the statement mentions the object itself, not only its fields.
fn names_object(s: &Stmt) -> bool {
    // Every `this` that is not the object of a field access is the object itself.
    let (mut this, mut fields) = (0, 0);
    super::walk::each_expr_of_stmt(s, &mut |e| {
        if matches!(&e.kind, ExprKind::This) {
            this += 1;
        } else if let ExprKind::Field {
            object: Some(object),
            ..
        } = &e.kind
        {
            fields += u32::from(matches!(object.kind, ExprKind::This));
        }
    });
    // The targets of assignments are visited as expressions too.
    let targets = assigned_fields(s).len() as u32;
    this > fields + targets
}

/// Returns the fields in which the statement stores the object, or displays of it, if that is its
/// only effect and the later statements do not mention them.
fn given_object(s: &Stmt, later: &[Stmt]) -> Option<Vec<FieldId>> {
    let StmtKind::Assign { pairs, .. } = &s.kind else {
        return None;
    };
    let mut fields = Vec::new();
    let mut is_display = true;
    for (target, rhs) in pairs {
        let (Some(field), Rhs::Expr(value)) = (own_field(target), rhs) else {
            return None;
        };
        fields.push(field);
        super::walk::each_expr(value, &mut |e| {
            is_display &= matches!(
                &e.kind,
                ExprKind::This
                    | ExprKind::SetDisplay(_)
                    | ExprKind::SeqDisplay(_)
                    | ExprKind::Literal(_)
            ) || matches!(&e.kind, ExprKind::Convert(object) if matches!(object.kind, ExprKind::This));
        });
    }
    // A later statement that reads or assigns the field would see the default.
    let mut is_spoken_of = later
        .iter()
        .flat_map(assigned_fields)
        .any(|f| fields.contains(&f));
    for s in later {
        super::walk::each_expr_of_stmt(s, &mut |e| {
            is_spoken_of |=
                matches!(&e.kind, ExprKind::Field { field, .. } if fields.contains(field));
        });
    }
    (is_display && !is_spoken_of).then_some(fields)
}

/// Returns the field, if the target is a field of `this`.
fn own_field(target: &Target) -> Option<FieldId> {
    match target {
        Target::Field { object, field } if matches!(object.kind, ExprKind::This) => Some(*field),
        Target::Field { .. } | Target::Local(_) | Target::Element { .. } | Target::Discard(_) => {
            None
        }
    }
}

/// Returns the fields of `this` that the statement assigns.
fn assigned_fields(s: &Stmt) -> Vec<FieldId> {
    let mut found = Vec::new();
    super::walk::each_stmt(s, &mut |s| {
        found.extend(s.kind.targets().into_iter().filter_map(own_field));
    });
    found
}
