//! Classes → structs of fields behind `Ref`, with constructors.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::body::Body;
use super::code::{Code, ident};
use super::convention::{Scope, Translated, mentions};
use super::datatype::{docs, located};
use crate::typed::{Block, FieldId, FieldKind, TypeId, TypeParamId};

/// The fields of an object at run time.
pub(super) fn fields(scope: &Scope<'_, '_>, ty: TypeId) -> Vec<FieldId> {
    let program = scope.ground.program;
    program[ty].fields.iter().copied().filter(|&f| !program[f].ghost && !program[f].is_static).collect()
}

fn phantoms(scope: &Scope<'_, '_>, ty: TypeId) -> Vec<TypeParamId> {
    let program = scope.ground.program;
    let fields = fields(scope, ty);
    // What a class mentions only by way of references to itself does not count for Rust.
    let other = |f: FieldId| !matches!(program.strip_subset(&program[f].ty), crate::typed::Type::Named { decl, .. } if decl == ty);
    program[ty].type_params.iter().copied().filter(|&p| !fields.iter().any(|&f| other(f) && mentions(&program[f].ty, p))).collect()
}

/// Whether the struct carries the marker of type parameters that no field mentions.
pub(super) fn has_phantom(scope: &Scope<'_, '_>, ty: TypeId) -> bool {
    !phantoms(scope, ty).is_empty()
}

/// The struct of a class.
pub(super) fn class(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<TokenStream> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    let name = ident(ground.names.type_name(ty));
    let (params, generics) = (scope.params(&decl.type_params), scope.generics(&decl.type_params));
    let mut declared = TokenStream::new();
    for f in fields(scope, ty) {
        let field = &ground.program[f];
        if ground.is_irregular(ty, &field.ty) {
            return Err(scope.unsupported(field.span, "a type that holds itself at other type arguments"));
        }
        let (n, t) = (ident(ground.names.field(f)), scope.rust_type(&field.ty)?);
        let doc = docs(field.doc.as_deref());
        let cell = scope.runtime("Field");
        declared = match field.kind {
            FieldKind::Mutable => quote!(#declared #doc pub #n: #cell<#t>,),
            FieldKind::Const(_) | FieldKind::Destructor(_) => quote!(#declared #doc pub #n: #t,),
        };
    }
    let ps: Vec<_> = phantoms(scope, ty).into_iter().map(|p| ident(ground.names.type_param(p))).collect();
    if !ps.is_empty() {
        declared = quote!(#declared phantom: std::marker::PhantomData<(#(#ps,)*)>,);
    }
    let doc = docs(decl.doc.as_deref());
    let place = located(scope, decl.span);
    let object = scope.runtime("Object");
    let shown = crate::value::shown_name(ground.program, ty);
    let allocate = allocate(scope, ty)?;
    Ok(quote! {
        #doc
        #place
        pub struct #name #params { #declared }

        impl #generics #object for #name #params {
            fn class_name(&self) -> &'static str { #shown }
        }

        #allocate
    })
}

/// `new C` without a constructor, where every field has a default.
fn allocate(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<TokenStream> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    let given = |f: &FieldId| match &ground.program[*f].kind {
        FieldKind::Const(Some(_)) => true,
        FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => ground.has_default(&ground.program[*f].ty),
    };
    if !fields(scope, ty).iter().all(given) {
        return Ok(TokenStream::new());
    }
    let name = ident(ground.names.type_name(ty));
    let (params, generics) = (scope.params(&decl.type_params), scope.generics(&decl.type_params));
    let reference = scope.runtime("Ref");
    let mut body = Body::new(scope);
    let lets = declare_fields(&mut body, ty)?;
    let object = object(&body, ty);
    let doc = docs(Some("An object whose fields have their initial values."));
    Ok(quote! {
        impl #generics #name #params {
            #doc
            pub fn allocate() -> #reference<Self> { #lets #reference::new(#object) }
        }
    })
}

/// Brings the fields of an object that is being made into scope, as variables.
fn declare_fields(body: &mut Body<'_, '_, '_>, ty: TypeId) -> Translated<TokenStream> {
    let mut lets = TokenStream::new();
    let (scope, program) = (body.scope, body.scope.ground.program);
    for f in fields(scope, ty) {
        let field = &program[f];
        let t = scope.rust_type(&field.ty)?;
        let init = match &field.kind {
            FieldKind::Const(Some(e)) => Some(body.value(e)?),
            FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => scope.default_value(&field.ty)?,
        };
        let name = body.make_up(scope.ground.names.field(f));
        lets = match init {
            Some(value) => quote!(#lets let mut #name: #t = #value;),
            None => quote!(#lets let mut #name: #t;),
        };
        body.unborn.insert(f, Code::place(quote!(#name), body.copy(&field.ty)));
    }
    Ok(lets)
}

/// The struct made of those variables.
fn object(body: &Body<'_, '_, '_>, ty: TypeId) -> TokenStream {
    let scope = body.scope;
    let path = scope.type_path(ty);
    let cell = scope.runtime("Field");
    let inits = body.unborn.iter().map(|(&f, code)| {
        let (n, value) = (ident(scope.ground.names.field(f)), code.receiver());
        match scope.ground.program[f].kind {
            FieldKind::Mutable => quote!(#n: #cell::new(#value)),
            FieldKind::Const(_) | FieldKind::Destructor(_) => quote!(#n: #value),
        }
    });
    let phantom = (!phantoms(scope, ty).is_empty()).then(|| quote!(phantom: std::marker::PhantomData));
    let all = inits.chain(phantom);
    quote!(#path { #(#all),* })
}

/// The body of a constructor: fields as variables up to `new;`, then the object.
pub(super) fn constructor(body: &mut Body<'_, '_, '_>, ty: TypeId, block: &Block) -> Translated<TokenStream> {
    let lets = declare_fields(body, ty)?;
    let at = block.divided_at.unwrap_or(block.stmts.len()).min(block.stmts.len());
    let (before, after) = block.stmts.split_at(at);
    let part = |stmts: &[crate::typed::Stmt]| Block { stmts: stmts.to_vec(), divided_at: None, span: block.span };
    let first = body.block(&part(before), false)?;
    let object = object(body, ty);
    body.unborn = BTreeMap::new();
    let reference = body.scope.runtime("Ref");
    body.this = Some(Code::place(quote!(this), false));
    body.born = Some(quote!(this));
    let rest = body.block(&part(after), false)?;
    Ok(quote!(#lets #first let this = #reference::new(#object); #rest this))
}
