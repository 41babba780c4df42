//! Translates datatypes to enums with discriminators, destructors, a printed form and a default
//! value.

use super::convention::{Scope, Translated};
use super::docs::docs;
use super::rep::{Ground, Holder, Rep};
use crate::rust::{
    Arm, Bound, Expr, Field, FieldPat, FieldValue, FnItem, GenericParam, Ident, Item, Pat, Variant,
    expr, function, ident, items, pat, ty,
};
use dafny_resolve::typed::{CtorId, FieldId, TypeId};

/// Whether the variant has a marker for type parameters that no field mentions.
pub(super) fn has_phantom(ground: &Ground<'_>, decl: TypeId, ctor: CtorId) -> bool {
    ground.datatype_ctors(decl).first() == Some(&ctor) && !ground.phantoms(decl).is_empty()
}

/// Names that the printing of a value uses beside the variables of its fields.
const PRINTING: [&str; 2] = ["formatter", "fmt_constructor"];

/// The variable of a field in the printing of a value: called as the field, if that hides nothing.
fn printed_variable(ground: &Ground<'_>, fields: &[FieldId], field: &Ident) -> Ident {
    let is_field = |name: &Ident| {
        fields
            .iter()
            .any(|&f| ident(ground.names.field(f)) == *name)
    };
    let mut name = field.clone();
    while PRINTING.iter().any(|taken| name == *taken) || name != *field && is_field(&name) {
        name = Ident::new(&format!("{name}_"));
    }
    name
}

/// Translates a datatype to an enum with the implementations that every datatype has.
pub(super) fn datatype(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<Vec<Item>> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    let ctors = ground.datatype_ctors(ty);
    if ctors.is_empty() {
        return Err(scope.unsupported(decl.span, "a datatype without compiled constructors"));
    }
    let name = &ident(ground.names.type_name(ty));
    let (params, generics) = (
        scope.params(&decl.type_params),
        scope.generics(&decl.type_params),
    );
    let declared_params = scope.declared_params(&decl.type_params);
    let (mut variants, mut shown, mut testers) = (Vec::new(), Vec::new(), Vec::new());
    for &c in &ctors {
        let ctor = constructor(scope, ty, c)?;
        variants.push(ctor.variant);
        shown.push(ctor.printed);
        testers.push(ctor.tester);
    }

    let destructors = destructors(scope, ty, &ctors)?;
    let doc = super::docs::item(scope, &[decl.doc.as_deref()], decl.span);
    let print = scope.runtime("DafnyPrint");
    let (default, shown) = (default_impl(scope, ty)?, Expr::matching(expr!(self), shown));
    Ok(items! {
        #[#..doc]
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
        pub enum #name<#..declared_params> {
            #..variants
        }

        impl<#..generics> #name<#..params> {
            #..testers
            #..destructors
        }

        impl<#..generics> #print for #name<#..params> {
            fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                #shown
            }
        }

        impl<#..generics> std::fmt::Debug for #name<#..params> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                #print::fmt_dafny(self, f)
            }
        }

        #..default
    })
}

/// The parts of a constructor's translation.
struct Constructor {
    variant: Variant,
    /// The arm of the printing `match`.
    printed: Arm,
    /// The discriminator.
    tester: FnItem,
}

fn constructor(scope: &Scope<'_, '_>, ty: TypeId, c: CtorId) -> Translated<Constructor> {
    let ground = scope.ground;
    let name = &ident(ground.names.type_name(ty));
    let ctor = &ground.program[c];
    let variant = &ident(ground.names.ctor(c));
    let fields = ground.ctor_fields(c);
    let (mut declared, mut bound, mut args) = (Vec::new(), Vec::new(), Vec::new());
    for &f in &fields {
        let field = declared_field(scope, ty, f)?;
        let variable = printed_variable(ground, &fields, &field.name);
        let field_type = &ground.program[f].ty;
        let is_string =
            matches!(ground.rep(field_type), Rep::Seq(e) if ground.rep(&e) == Rep::Char);
        let quoted = scope.runtime("Quoted");
        let shown = Expr::from(&variable);
        args.push(if is_string {
            expr!(&#quoted(#shown))
        } else {
            shown
        });
        bound.push((field.name.clone(), variable));
        declared.push(field);
    }
    let has_phantom = has_phantom(ground, ty, c);
    if has_phantom {
        let ps = scope.params(&ground.phantoms(ty));
        declared.push(Field {
            attrs: docs(Some("Type parameters that no field mentions.")),
            is_public: false,
            name: ident(ground.names.phantom(ty)),
            ty: ty!(std::marker::PhantomData<(#..ps,)>),
        });
    }
    let has_fields = !declared.is_empty();
    let any = if has_fields {
        pat!(#name::#variant { .. })
    } else {
        pat!(#name::#variant)
    };
    let of_fields = bound
        .iter()
        .map(|(n, variable)| FieldPat::new(n, variable.into()));
    // Dafny does not print the arguments of a codatatype, so they are not bound.
    let co = ground.program.is_codatatype(ty);
    let pattern = match (has_fields, has_phantom) {
        (false, _) => any.clone(),
        (true, _) if co => any.clone(),
        (true, true) => pat!(#name::#variant { #..of_fields, .. }),
        (true, false) => pat!(#name::#variant { #..of_fields }),
    };
    let printed = printed_form(scope, (ty, c), &bound, args);
    let doc = docs(Some(&format!(
        "Whether the value was created by `{}`.",
        ctor.name
    )));
    let tester = ident(ground.names.tester(c));
    Ok(Constructor {
        variant: Variant {
            attrs: docs(ctor.doc.as_deref()),
            name: variant.clone(),
            fields: declared,
        },
        printed: Arm::new(pattern, printed),
        tester: function! {
            #[#..doc]
            pub fn #tester(&self) -> bool {
                matches!(self, #any)
            }
        },
    })
}

/// Returns the field of a variant, with its holder.
fn declared_field(scope: &Scope<'_, '_>, ty: TypeId, f: FieldId) -> Translated<Field> {
    let ground = scope.ground;
    let field = &ground.program[f];
    if ground.is_irregular(ty, &field.ty) {
        return Err(scope.unsupported(
            field.span,
            "a type that contains itself at other type arguments",
        ));
    }
    let t = scope.rust_type(&field.ty)?;
    let (rc, lazy) = (scope.runtime("Rc"), scope.runtime("Lazy"));
    let held = match ground.holder(ty, &field.ty) {
        Holder::Plain => t,
        Holder::Rc => ty!(#rc<#t>),
        Holder::Lazy => ty!(#lazy<#t>),
    };
    Ok(Field {
        attrs: docs(field.doc.as_deref()),
        is_public: false,
        name: ident(ground.names.field(f)),
        ty: held,
    })
}

/// Writes the expression that prints a value of a constructor; `args` prints its fields.
fn printed_form(
    scope: &Scope<'_, '_>,
    (ty, c): (TypeId, CtorId),
    bound: &[(Ident, Ident)],
    args: Vec<Expr>,
) -> Expr {
    let program = scope.ground.program;
    let ctor = &program[c];
    let co = program.is_codatatype(ty);
    // The parentheses remain even if all arguments are ghost.
    let parentheses = if !co && bound.is_empty() && !ctor.fields.is_empty() {
        "()"
    } else {
        ""
    };
    let path = dtest_value::shown_name(program, ty);
    let printed = format!("{path}.{}{parentheses}", ctor.name);
    let print = scope.runtime("fmt_constructor");
    match (dtest_value::shown_as(program, ty, c), bound) {
        // Dafny erases this wrapper, so its content is printed like a field-less value: a string has
        // no quotes.
        (Some(_), [(_, one)]) => {
            let print = scope.runtime("DafnyPrint");
            expr!(#print::fmt_dafny(#one, formatter))
        }
        // For a codatatype, Dafny prints the constructor alone, because the arguments may be
        // infinite.
        _ if co => expr!(#print(formatter, #printed, &[])),
        _ => expr!(#print(formatter, #printed, &[#..args])),
    }
}

fn destructors(scope: &Scope<'_, '_>, ty: TypeId, ctors: &[CtorId]) -> Translated<Vec<FnItem>> {
    let ground = scope.ground;
    let name = &ident(ground.names.type_name(ty));
    let mut seen: Vec<FieldId> = Vec::new();
    let mut out = Vec::new();
    // A destructor may be shared by several constructors; it gets one method.
    for f in ctors.iter().flat_map(|&c| ground.ctor_fields(c)) {
        if seen.contains(&f) {
            continue;
        }
        seen.push(f);
        let field = &ground.program[f];
        let (n, t) = (&ident(ground.names.field(f)), &scope.rust_type(&field.ty)?);
        let copy = ground.is_copy(&field.ty);
        let mut arms = Vec::new();
        let having: Vec<CtorId> = ctors
            .iter()
            .copied()
            .filter(|&c| ground.program[c].fields.contains(&f))
            .collect();
        for &c in &having {
            let variant = ident(ground.names.ctor(c));
            let value = if copy { expr!(*#n) } else { Expr::from(n) };
            let (alone, field) = (
                ground.ctor_fields(c).len() == 1 && !has_phantom(ground, ty, c),
                [FieldPat::from(n)],
            );
            let pattern = if alone {
                pat!(#name::#variant { #..field })
            } else {
                pat!(#name::#variant { #..field, .. })
            };
            arms.push(Arm::new(pattern, value));
        }
        // Dafny proves that the value has the field, so the panic is unreachable in verified
        // programs.
        if having.len() < ctors.len() {
            let message = format!("the value has no `{}`", field.name);
            arms.push(Arm::new(Pat::Wild, expr!(panic!(#message))));
        }
        let doc = docs(Some(&format!("The field `{}`.", field.name)));
        let (result, chosen) = (
            if copy { t.clone() } else { ty!(&#t) },
            &Expr::matching(expr!(self), arms),
        );
        out.push(function! {
            #[#..doc]
            pub fn #n(&self) -> #result {
                #chosen
            }
        });
        if ground.is_lazy(f) {
            let doc = docs(Some(&format!(
                "The field `{}`, which may not be computed yet.",
                field.name
            )));
            let (n, lazy) = (ident(ground.names.lazy(f)), scope.runtime("Lazy"));
            out.push(function! {
                #[#..doc]
                pub fn #n(&self) -> &#lazy<#t> {
                    #chosen
                }
            });
        }
    }
    Ok(out)
}

fn default_impl(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<Vec<Item>> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    let Some(ctor) = ground.grounding_ctor(ty) else {
        return Ok(Vec::new());
    };
    let name = &ident(ground.names.type_name(ty));
    let variant = &ident(ground.names.ctor(ctor));
    let default = &scope.runtime("DafnyDefault");
    let mut fields: Vec<FieldValue> = Vec::new();
    // The trait has no parameter for the defaults of type parameters. If they matter, another
    // function is called.
    let wanted = scope.wanted.borrow().clone();
    for f in ground.ctor_fields(ctor) {
        let n = ident(ground.names.field(f));
        let own = &ground.program[f].ty;
        let value = if scope.is_plain(own) {
            None
        } else {
            scope.default_value(own)?
        };
        let value = value.map_or_else(
            || expr!(#default::dafny_default()),
            |value| scope.wrapped(ty, f, value),
        );
        fields.push((n.to_string(), value));
    }
    scope.wanted.replace(wanted);
    if has_phantom(ground, ty, ctor) {
        let name = ident(ground.names.phantom(ty)).to_string();
        fields.push((name, expr!(std::marker::PhantomData)));
    }
    let value = if fields.is_empty() {
        expr!(#name::#variant)
    } else {
        expr!(#name::#variant { #..fields })
    };
    let params = scope.params(&decl.type_params);
    let bounds = [scope.runtime("Value"), default.clone()].map(Bound::Trait);
    let generics = params.iter().map(|p| GenericParam {
        name: p.to_string(),
        bounds: bounds.to_vec(),
    });
    Ok(items! {
        impl<#..generics> #default for #name<#..params> {
            fn dafny_default() -> Self {
                #value
            }
        }
    })
}
