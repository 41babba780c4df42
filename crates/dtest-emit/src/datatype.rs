//! Datatypes → enums with discriminators, destructors, the printed form and a default value.

use proc_macro2::TokenStream;
use quote::quote;

use super::body::Body;
use super::code::ident;
use super::convention::{Scope, Translated};
use super::docs::docs;
use super::rep::{Ground, Holder, Rep};
use super::rust::expr;
use dafny_resolve::typed::{CtorId, FieldId, TypeId};

/// Whether the variant carries the marker of type parameters that no field mentions.
pub(super) fn has_phantom(ground: &Ground<'_>, decl: TypeId, ctor: CtorId) -> bool {
    ground.datatype_ctors(decl).first() == Some(&ctor) && !ground.phantoms(decl).is_empty()
}

/// The enum of a datatype with the implementations that every datatype has.
pub(super) fn datatype(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<TokenStream> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    let co = ground.program.is_codatatype(ty);
    let ctors = ground.datatype_ctors(ty);
    if ctors.is_empty() {
        return Err(scope.unsupported(decl.span, "a datatype without compiled constructors"));
    }
    let name = ident(ground.names.type_name(ty));
    let (params, generics) = (scope.params(&decl.type_params), scope.generics(&decl.type_params));
    let declared_params = scope.declared_params(&decl.type_params);
    let phantoms = ground.phantoms(ty);

    let mut variants = TokenStream::new();
    let mut shown = TokenStream::new();
    let mut testers = TokenStream::new();
    let path = dtest_engine::value::shown_name(ground.program, ty);
    for &c in &ctors {
        let ctor = &ground.program[c];
        let variant = ident(ground.names.ctor(c));
        let doc = docs(ctor.doc.as_deref());
        let fields = ground.ctor_fields(c);
        let mut declared = TokenStream::new();
        let mut names = Vec::new();
        for &f in &fields {
            let field = &ground.program[f];
            if ground.is_irregular(ty, &field.ty) {
                return Err(scope.unsupported(field.span, "a type that contains itself at other type arguments"));
            }
            let (n, t) = (ident(ground.names.field(f)), scope.rust_type(&field.ty)?);
            let (rc, lazy) = (scope.runtime("Rc"), scope.runtime("Lazy"));
            let t = match ground.holder(ty, &field.ty) {
                Holder::Plain => quote!(#t),
                Holder::Rc => quote!(#rc<#t>),
                Holder::Lazy => quote!(#lazy<#t>),
            };
            let doc = docs(field.doc.as_deref());
            declared = quote!(#declared #doc #n: #t,);
            names.push((n, matches!(ground.rep(&field.ty), Rep::Seq(e) if ground.rep(&e) == Rep::Char)));
        }
        if has_phantom(ground, ty, c) {
            let ps = phantoms.iter().map(|&p| ident(ground.names.type_param(p)));
            let doc = docs(Some("Type parameters that no field mentions."));
            declared = quote!(#declared #doc phantom: std::marker::PhantomData<(#(#ps,)*)>,);
        }
        variants = if declared.is_empty() { quote!(#variants #doc #variant,) } else { quote!(#variants #doc #variant { #declared },) };
        // Of ghost arguments the parentheses remain.
        let parentheses = if !co && fields.is_empty() && !ctor.fields.is_empty() { "()" } else { "" };
        let printed = format!("{path}.{}{parentheses}", ctor.name);
        let bound: Vec<_> = names.iter().map(|(n, _)| n).collect();
        let quoted = scope.runtime("Quoted");
        let args: Vec<_> = names.iter().map(|(n, is_string)| if *is_string { quote!(&#quoted(#n)) } else { quote!(#n) }).collect();
        let pattern = match (declared.is_empty(), has_phantom(ground, ty, c)) {
            (false, _) if co => quote!(#name::#variant { .. }),
            (true, _) => quote!(#name::#variant),
            (false, true) => quote!(#name::#variant { #(#bound,)* .. }),
            (false, false) => quote!(#name::#variant { #(#bound),* }),
        };
        let print = scope.runtime("fmt_constructor");
        shown = match (dtest_engine::value::shown_as(ground.program, ty, c), bound.as_slice()) {
            // A wrapper that Dafny leaves out: what it holds is no field of a constructor, so that a string has no quotes.
            (Some(_), [one]) => {
                let print = scope.runtime("DafnyPrint");
                quote!(#shown #pattern => #print::fmt_dafny(#one, formatter),)
            }
            // of a codatatype Dafny shows the constructor alone: the arguments may be infinite
            _ if co => quote!(#shown #pattern => #print(formatter, #printed, &[]),),
            _ => quote!(#shown #pattern => #print(formatter, #printed, &[#(#args),*]),),
        };
        let tester = ident(ground.names.tester(c));
        let any = if declared.is_empty() { quote!(#name::#variant) } else { quote!(#name::#variant { .. }) };
        let doc = docs(Some(&format!("Whether the value was created by `{}`.", ctor.name)));
        testers = quote!(#testers #doc pub fn #tester(&self) -> bool { matches!(self, #any) });
    }

    let destructors = destructors(scope, ty, &ctors)?;
    let doc = super::docs::item(scope, &[decl.doc.as_deref()], decl.span);
    let print = scope.runtime("DafnyPrint");
    let default = default_impl(scope, ty)?;
    Ok(quote! {
        #doc
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
        pub enum #name #declared_params { #variants }

        impl #generics #name #params {
            #testers
            #destructors
        }

        impl #generics #print for #name #params {
            fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self { #shown }
            }
        }

        impl #generics std::fmt::Debug for #name #params {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                #print::fmt_dafny(self, f)
            }
        }

        #default
    })
}

fn destructors(scope: &Scope<'_, '_>, ty: TypeId, ctors: &[CtorId]) -> Translated<TokenStream> {
    let ground = scope.ground;
    let name = ident(ground.names.type_name(ty));
    let mut seen: Vec<FieldId> = Vec::new();
    let mut out = TokenStream::new();
    for f in ctors.iter().flat_map(|&c| ground.ctor_fields(c)) {
        if seen.contains(&f) {
            continue;
        }
        seen.push(f);
        let field = &ground.program[f];
        let (n, t) = (ident(ground.names.field(f)), scope.rust_type(&field.ty)?);
        let copy = ground.is_copy(&field.ty);
        let mut arms = TokenStream::new();
        let having: Vec<CtorId> = ctors.iter().copied().filter(|&c| ground.program[c].fields.contains(&f)).collect();
        for &c in &having {
            let variant = ident(ground.names.ctor(c));
            let value = if copy { quote!(*#n) } else { quote!(#n) };
            let alone = ground.ctor_fields(c).len() == 1 && !has_phantom(ground, ty, c);
            arms =
                if alone { quote!(#arms #name::#variant { #n } => #value,) } else { quote!(#arms #name::#variant { #n, .. } => #value,) };
        }
        if having.len() < ctors.len() {
            let message = format!("the value has no `{}`", field.name);
            arms = quote!(#arms _ => panic!(#message),);
        }
        let doc = docs(Some(&format!("The field `{}`.", field.name)));
        let result = if copy { quote!(#t) } else { quote!(&#t) };
        out = quote!(#out #doc pub fn #n(&self) -> #result { match self { #arms } });
        if ground.is_lazy(f) {
            let doc = docs(Some(&format!("The field `{}`, which may not be computed yet.", field.name)));
            let (n, lazy) = (ident(ground.names.lazy(f)), scope.runtime("Lazy"));
            out = quote!(#out #doc pub fn #n(&self) -> &#lazy<#t> { match self { #arms } });
        }
    }
    Ok(out)
}

fn default_impl(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<TokenStream> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    let Some(ctor) = ground.grounding_ctor(ty) else { return Ok(TokenStream::new()) };
    let name = ident(ground.names.type_name(ty));
    let variant = ident(ground.names.ctor(ctor));
    let default = &scope.runtime("DafnyDefault");
    let mut fields = TokenStream::new();
    // Nothing passes the defaults of type parameters here, and where they matter this is not what is called.
    let wanted = scope.wanted.borrow().clone();
    for f in ground.ctor_fields(ctor) {
        let n = ident(ground.names.field(f));
        let own = &ground.program[f].ty;
        let value = if scope.is_plain(own) { None } else { scope.default_value(own)? };
        let value = value.map_or_else(|| expr!(#default::dafny_default()), |value| Body::new(scope).wrapped(ty, f, value));
        fields = quote!(#fields #n: #value,);
    }
    scope.wanted.replace(wanted);
    if has_phantom(ground, ty, ctor) {
        fields = quote!(#fields phantom: std::marker::PhantomData,);
    }
    let value = if fields.is_empty() { quote!(#name::#variant) } else { quote!(#name::#variant { #fields }) };
    let params = scope.params(&decl.type_params);
    let each = decl.type_params.iter().map(|&p| ident(ground.names.type_param(p)));
    let value_bound = scope.runtime("Value");
    let generics = if decl.type_params.is_empty() { TokenStream::new() } else { quote!(<#(#each: #value_bound + #default),*>) };
    Ok(quote! {
        impl #generics #default for #name #params {
            fn dafny_default() -> Self { #value }
        }
    })
}
