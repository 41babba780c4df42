//! `#[derive(Mock)]`: the builder of a class.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{
    Data, DeriveInput, Expr, Fields, GenericArgument, Generics, LitStr, PathArguments, Type,
    parse_quote,
};

/// The name of the method that sets a field or redefines a function. It gives way to the builder's own methods, `create`
/// and `F_if` for each function `F`: the underscore keeps the names of setters distinct from these and from each other.
pub(crate) fn setter(name: &Ident) -> Ident {
    let text = name.to_string();
    let stem = text.trim_end_matches('_');
    if stem == "create" || stem.ends_with("_if") {
        format_ident!("{text}_", span = name.span())
    } else {
        name.clone()
    }
}

/// Returns the default name of a class's builder.
pub(crate) fn builder_of(class: &Ident) -> Ident {
    format_ident!("Mock{class}", span = class.span())
}

/// Adds the bound that every type parameter has.
pub(crate) fn bounded(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::dmock::dunit::Value));
    }
    generics
}

/// Returns the struct's builder, or the error.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    syn::parse2(item)
        .and_then(|input| Class::of(&input))
        .map_or_else(|e| e.to_compile_error(), |class| class.builder())
}

/// A field of the class.
struct Member {
    name: Ident,
    /// The type of its value.
    ty: Type,
    /// Whether it is mutable: a `Field<T>`.
    is_mutable: bool,
    default: Option<Expr>,
}

/// A struct that represents a class of the translation.
struct Class {
    visibility: syn::Visibility,
    name: Ident,
    builder: Ident,
    generics: Generics,
    members: Vec<Member>,
    /// The marker of type parameters that no field mentions.
    phantom: Option<Ident>,
}

impl Class {
    fn of(input: &DeriveInput) -> syn::Result<Class> {
        let Data::Struct(data) = &input.data else {
            return Err(syn::Error::new(
                input.ident.span(),
                "`#[derive(Mock)]` can be applied to structs only",
            ));
        };
        // `#[mock(name = ..)]` overrides the name of the builder.
        let mut builder = builder_of(&input.ident);
        for attribute in input.attrs.iter().filter(|a| a.path().is_ident("mock")) {
            attribute.parse_nested_meta(|meta| {
                if !meta.path.is_ident("name") {
                    return Err(meta.error("expected `name = \"..\"`"));
                }
                builder = meta.value()?.parse::<LitStr>()?.parse()?;
                Ok(())
            })?;
        }
        let (mut members, mut phantom) = (Vec::new(), None);
        let fields = match &data.fields {
            Fields::Named(fields) => fields.named.iter().collect(),
            Fields::Unit => Vec::new(),
            Fields::Unnamed(fields) => {
                return Err(syn::Error::new_spanned(
                    fields,
                    "`#[derive(Mock)]` requires named fields",
                ));
            }
        };
        // Mutable fields are cells: the builder takes the value inside.
        for field in fields {
            let Some(name) = field.ident.clone() else {
                continue;
            };
            if last_segment(&field.ty).is_some_and(|s| s.ident == "PhantomData") {
                phantom = Some(name);
                continue;
            }
            let cell = last_segment(&field.ty)
                .filter(|s| s.ident == "Field")
                .and_then(|s| match &s.arguments {
                    PathArguments::AngleBracketed(args) => args.args.iter().find_map(|a| match a {
                        GenericArgument::Type(ty) => Some(ty.clone()),
                        _ => None,
                    }),
                    _ => None,
                });
            let is_mutable = cell.is_some();
            members.push(Member {
                name,
                ty: cell.unwrap_or_else(|| field.ty.clone()),
                is_mutable,
                default: default_of(field)?,
            });
        }
        let (visibility, generics) = (input.vis.clone(), bounded(&input.generics));
        Ok(Class {
            visibility,
            name: input.ident.clone(),
            builder,
            generics,
            members,
            phantom,
        })
    }

    fn builder(&self) -> TokenStream {
        let Class {
            visibility,
            name,
            builder,
            generics,
            members,
            phantom,
        } = self;
        let (params, args, bounds) = generics.split_for_impl();
        let (names, types): (Vec<_>, Vec<_>) = members.iter().map(|m| (&m.name, &m.ty)).unzip();
        let setters = names.iter().map(|n| setter(n));
        let texts = names.iter().map(|n| format!("Sets the value of `{n}`."));
        let values = members.iter().map(|m| self.value(m));
        let phantom = phantom.iter();
        let doc =
            format!("Builds a [`{name}`]. Whatever is not set or redefined is as in the class.");
        let parameters = generics.type_params().map(|p| &p.ident);
        quote! {
            #[doc = #doc]
            #[must_use = "`create` allocates the object"]
            #visibility struct #builder #params #bounds {
                #(#names: ::core::option::Option<#types>,)*
                __redefined_functions: ::dmock::dunit::heap::Redefined,
                __type_parameters: ::core::marker::PhantomData<(#(#parameters,)*)>,
            }

            #[allow(dead_code, non_snake_case)]
            impl #params #builder #args #bounds {
                #(
                    #[doc = #texts]
                    #visibility fn #setters(mut self, value: #types) -> Self {
                        self.#names = ::core::option::Option::Some(value);
                        self
                    }
                )*

                /// Allocates the object.
                ///
                /// # Panics
                /// A constant whose type has no default value was not set.
                #[track_caller]
                #visibility fn create(self) -> ::dmock::dunit::Ref<#name #args> {
                    let object = #name { #(#names: #values,)* #(#phantom: ::core::marker::PhantomData,)* };
                    ::dmock::dunit::Ref::redefining(object, self.__redefined_functions)
                }
            }

            impl #params ::dmock::Mock for #name #args #bounds {
                type Builder = #builder #args;
                fn builder() -> Self::Builder {
                    #builder {
                        #(#names: ::core::option::Option::None,)*
                        __redefined_functions: ::core::default::Default::default(),
                        __type_parameters: ::core::marker::PhantomData,
                    }
                }
            }
        }
    }

    /// Returns the value of a field of the object.
    fn value(&self, member: &Member) -> TokenStream {
        let Member {
            name,
            ty,
            is_mutable,
            default,
        } = member;
        let otherwise = match default {
            Some(default) => quote!(::core::option::Option::Some(#default)),
            None => quote!({
                #[allow(unused_imports)]
                use ::dmock::support::{WithDefault as _, WithoutDefault as _};
                (&::dmock::support::Probe::<#ty>::new()).default_value()
            }),
        };
        let told = quote!(self.#name.or_else(|| #otherwise));
        if *is_mutable {
            return quote!(#told.map_or_else(::dmock::dunit::Field::unassigned, ::dmock::dunit::Field::new));
        }
        let (class, field) = (self.name.to_string(), name.to_string());
        quote!(match #told {
            ::core::option::Option::Some(value) => value,
            ::core::option::Option::None => ::dmock::support::untold_constant(#class, #field),
        })
    }
}

fn default_of(field: &syn::Field) -> syn::Result<Option<Expr>> {
    let mut default = None;
    for attribute in field.attrs.iter().filter(|a| a.path().is_ident("mock")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("default") {
                return Err(meta.error("expected `default = ..`"));
            }
            default = Some(meta.value()?.parse()?);
            Ok(())
        })?;
    }
    Ok(default)
}

fn last_segment(ty: &Type) -> Option<&syn::PathSegment> {
    match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}
