//! `mock!`: declares an object for traits that belongs to no class of the program.

mod ast;

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use crate::builder::bounded;
use ast::{Declaration, Kind, Member};

/// Returns the items of the declaration; or the error with the bare struct, so that its name stays
/// known.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    match syn::parse2::<Declaration>(input).and_then(|d| d.check().map(|()| d)) {
        Ok(declaration) => items(&declaration),
        Err(error) => error.to_compile_error(),
    }
}

fn items(d: &Declaration) -> TokenStream {
    let Declaration {
        attributes,
        visibility,
        name,
        class,
        ..
    } = d;
    let builder = format_ident!("{name}Builder", span = name.span());
    let generics = bounded(&d.generics);
    let (params, args, bounds) = generics.split_for_impl();
    let parameters = generics.type_params().map(|p| &p.ident);
    let (members, begins): (Vec<_>, Vec<_>) = d.members().filter_map(|m| state(m, class)).unzip();
    let setters = d.members().map(|m| tell(m, visibility));
    let implementations = d.implementations.iter().map(|i| {
        let (path, functions) = (&i.path, i.members.iter().map(answer));
        quote_spanned!(path.span()=> impl #params #path for #name #args #bounds { #(#functions)* })
    });
    let paths = d.implementations.iter().map(|i| &i.path);
    quote! {
        #(#attributes)*
        #visibility struct #name #params (::dmock::dunit::Ref<#builder #args>) #bounds;

        /// Tells a mock what it is to be, and holds what it was told.
        #visibility struct #builder #params #bounds {
            #(#members,)*
            __type_parameters: ::core::marker::PhantomData<(#(#parameters,)*)>,
        }

        #[allow(dead_code, non_snake_case)]
        impl #params #name #args #bounds {
            /// Begins an object that was told nothing.
            #[must_use]
            #visibility fn build() -> #builder #args {
                #builder { #(#begins,)* __type_parameters: ::core::marker::PhantomData }
            }
        }

        #[allow(dead_code, non_snake_case)]
        impl #params #builder #args #bounds {
            #(#setters)*

            /// Allocates the object.
            #visibility fn create(self) -> #name #args {
                #name(::dmock::dunit::Ref::new(self))
            }

            /// Allocates the object, seen as one of its traits: `create_as::<dyn Tariff>()`.
            #visibility fn create_as<__Seen: ::dmock::dunit::Dynamic + ?::core::marker::Sized>(self) -> ::dmock::dunit::Dyn<__Seen> {
                ::dmock::dunit::upcast::<__Seen, _>(&self.create())
            }
        }

        impl #params ::dmock::dunit::Object for #builder #args #bounds {
            fn class_name(&self) -> &'static str {
                #class
            }
        }

        impl #params ::core::clone::Clone for #name #args #bounds {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl #params ::core::cmp::PartialEq for #name #args #bounds {
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }

        impl #params ::core::cmp::Eq for #name #args #bounds {}

        impl #params ::core::cmp::PartialOrd for #name #args #bounds {
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl #params ::core::cmp::Ord for #name #args #bounds {
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                ::core::cmp::Ord::cmp(&self.0, &other.0)
            }
        }

        impl #params ::core::fmt::Debug for #name #args #bounds {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.0, f)
            }
        }

        impl #params ::dmock::dunit::DafnyPrint for #name #args #bounds {
            fn fmt_dafny(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::dmock::dunit::DafnyPrint::fmt_dafny(&self.0, f)
            }
        }

        impl #params ::dmock::dunit::Dynamic for #name #args #bounds {
            fn offer(&self, cast: &mut ::dmock::dunit::Cast<'_>) {
                cast.offer_own(self);
                ::dmock::dunit::offer!(cast, self, #(dyn #paths),*);
            }
            fn object_identity(&self) -> u64 {
                self.0.identity()
            }
            fn compare(&self, other: &::dmock::dunit::AnyObject) -> ::core::cmp::Ordering {
                ::core::cmp::Ord::cmp(&self.0.identity(), &other.identity())
            }
        }

        #(#implementations)*
    }
}

/// The name of the method that sets a field or the results of a function. It gives way to the builder's own methods,
/// `create`, `create_as` and `on_F` for each function `F`: what it adds keeps the names of setters distinct from these and
/// from each other.
fn setter(name: &proc_macro2::Ident) -> proc_macro2::Ident {
    let text = name.to_string();
    let stem = text.trim_end_matches('_');
    if stem == "create" || stem == "create_as" {
        format_ident!("{text}_", span = name.span())
    } else if text.trim_start_matches("set_").starts_with("on_") {
        format_ident!("set_{text}", span = name.span())
    } else {
        name.clone()
    }
}

/// Returns the field of the object for a member, and its initial value.
fn state(member: &Member, class: &str) -> Option<(TokenStream, TokenStream)> {
    let name = &member.signature.ident;
    match &member.kind {
        Kind::Field(ty) => Some((
            quote!(#name: ::dmock::dunit::Field<#ty>),
            quote!(#name: ::dmock::dunit::Field::unassigned()),
        )),
        Kind::Told => {
            let (types, result, function) = (member.types(), member.result(), name.to_string());
            Some((
                quote!(#name: ::dmock::Function<dyn ::core::ops::Fn(#(#types),*) -> #result, #result>),
                quote!(#name: ::dmock::Function::untold(#class, #function)),
            ))
        }
        Kind::Written(_) => None,
    }
}

/// Returns the builder's methods for a member.
fn tell(member: &Member, visibility: &syn::Visibility) -> TokenStream {
    let (name, method) = (&member.signature.ident, setter(&member.signature.ident));
    match &member.kind {
        Kind::Field(ty) => {
            let doc = format!("Sets the value of `{name}`.");
            quote! {
                #[doc = #doc]
                #[must_use]
                #visibility fn #method(self, value: #ty) -> Self {
                    self.#name.set(value);
                    self
                }
            }
        }
        Kind::Told => {
            let (types, result) = (member.types(), member.result());
            let (described, on) = (
                member.owned(),
                format_ident!("on_{}", plain(name), span = name.span()),
            );
            let patterns: Vec<_> = (0..described.len())
                .map(|i| format_ident!("a{i}"))
                .collect();
            let all =
                format!("Sets what `{name}` returns for calls that are not described otherwise.");
            let one = format!(
                "Stubs a call of `{name}`: takes its arguments, each a value or `Anything`; `answers` sets the result."
            );
            quote! {
                #[doc = #all]
                #[must_use]
                #visibility fn #method(mut self, body: impl ::core::ops::Fn(#(#types),*) -> #result + 'static) -> Self {
                    self.#name.tell(::std::boxed::Box::new(body));
                    self
                }

                #[doc = #one]
                #visibility fn #on(self #(, #patterns: impl ::dmock::dunit::stub::Pattern<#described>)*) -> ::dmock::On<Self, #result> {
                    ::dmock::On::new(self, ::std::vec![#(::std::boxed::Box::new(#patterns)),*], |mock| mock.#name.described())
                }
            }
        }
        Kind::Written(_) => TokenStream::new(),
    }
}

/// Returns the mock's implementation of a member.
fn answer(member: &Member) -> TokenStream {
    let (attributes, signature) = (&member.attributes, &member.signature);
    let name = &signature.ident;
    match &member.kind {
        Kind::Field(_) => {
            quote_spanned!(name.span()=> #(#attributes)* #signature { &self.0.#name })
        }
        Kind::Told => {
            let names: Vec<_> = member.parameters().map(|(name, _)| name).collect();
            let arguments = member.parameters().map(|(name, ty)| match ty {
                Type::Reference(_) => quote!(#name),
                _ => quote!(&#name),
            });
            quote_spanned! {name.span()=>
                #(#attributes)*
                #[track_caller]
                #signature {
                    match self.0.#name.answer(&*self.0, &[#(#arguments),*]) {
                        ::dmock::Answer::Described(answer) => answer,
                        ::dmock::Answer::Told(__body) => __body(#(#names),*),
                    }
                }
            }
        }
        Kind::Written(body) => quote!(#(#attributes)* #signature #body),
    }
}

fn plain(name: &proc_macro2::Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}
