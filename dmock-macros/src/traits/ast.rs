//! The parsed input of `mock!`.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Block, FnArg, GenericArgument, Generics, LitStr, Pat, Path, PathArguments,
    ReceiverKind, ReturnType, Signature, Token, TraitItemFn, Type, Visibility,
};

/// A mock: its struct and the traits that it implements.
pub(super) struct Declaration {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) name: Ident,
    /// The printed form.
    pub(super) class: String,
    pub(super) generics: Generics,
    pub(super) implementations: Vec<Implementation>,
}

/// `impl Tariff for MockTariff { .. }`.
pub(super) struct Implementation {
    pub(super) path: Path,
    pub(super) target: Ident,
    pub(super) members: Vec<Member>,
}

/// A function of a trait.
pub(super) struct Member {
    pub(super) attributes: Vec<Attribute>,
    pub(super) signature: Signature,
    pub(super) kind: Kind,
}

/// The source of a function's behaviour.
pub(super) enum Kind {
    /// The function returns a field of this type.
    Field(Box<Type>),
    /// The builder sets it.
    Told,
    /// The declaration has the body.
    Written(Block),
}

impl Parse for Declaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Declaration> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![struct]>()?;
        let name: Ident = input.parse()?;
        let generics = input.parse()?;
        input.parse::<Token![;]>()?;
        let mut class = name.to_string();
        for attribute in attributes.iter().filter(|a| a.path().is_ident("class")) {
            class = attribute.parse_args::<LitStr>()?.value();
        }
        attributes.retain(|a| !a.path().is_ident("class"));
        let mut implementations = Vec::new();
        while !input.is_empty() {
            implementations.push(input.parse()?);
        }
        Ok(Declaration {
            attributes,
            visibility,
            name,
            class,
            generics,
            implementations,
        })
    }
}

impl Parse for Implementation {
    fn parse(input: ParseStream<'_>) -> syn::Result<Implementation> {
        input.parse::<Token![impl]>()?;
        let path = input.parse()?;
        input.parse::<Token![for]>()?;
        let target = input.parse()?;
        // The generics of the struct apply, and are not repeated.
        let body;
        syn::braced!(body in input);
        let mut members = Vec::new();
        while !body.is_empty() {
            members.push(Member::of(body.parse()?));
        }
        Ok(Implementation {
            path,
            target,
            members,
        })
    }
}

impl Member {
    fn of(function: TraitItemFn) -> Member {
        let kind = match (function.default, field_type(&function.sig.output)) {
            (Some(body), _) => Kind::Written(body),
            (None, Some(ty)) => Kind::Field(Box::new(ty)),
            (None, None) => Kind::Told,
        };
        Member {
            attributes: function.attrs,
            signature: function.sig,
            kind,
        }
    }

    /// Returns the parameters after `&self`.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (&Ident, &Type)> {
        self.signature
            .inputs
            .iter()
            .filter_map(|input| match input {
                FnArg::Typed(input) => match &*input.pat {
                    Pat::Ident(pattern) => Some((&pattern.ident, &*input.ty)),
                    _ => None,
                },
                FnArg::Receiver(_) => None,
            })
    }

    /// Returns the types of the parameters.
    pub(super) fn types(&self) -> Vec<&Type> {
        self.parameters().map(|(_, ty)| ty).collect()
    }

    /// Returns the types of the parameters without references.
    pub(super) fn owned(&self) -> Vec<&Type> {
        self.parameters()
            .map(|(_, ty)| {
                if let Type::Reference(reference) = ty {
                    &*reference.elem
                } else {
                    ty
                }
            })
            .collect()
    }

    /// Returns the type of the result.
    pub(super) fn result(&self) -> TokenStream {
        match &self.signature.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) => quote!(#ty),
        }
    }
}

impl Declaration {
    /// Returns all functions.
    pub(super) fn members(&self) -> impl Iterator<Item = &Member> {
        self.implementations.iter().flat_map(|i| &i.members)
    }

    /// Checks that the declaration can be expanded; every error is reported at its own tokens.
    pub(super) fn check(&self) -> syn::Result<()> {
        // All errors are reported at once.
        let mut errors: Option<syn::Error> = None;
        let mut say = |tokens: &dyn quote::ToTokens, text: String| {
            let error = syn::Error::new_spanned(tokens, text);
            match &mut errors {
                Some(all) => all.combine(error),
                None => errors = Some(error),
            }
        };
        if self.implementations.is_empty() {
            say(
                &self.name,
                format!(
                    "expected `impl Trait for {} {{ .. }}` after the struct",
                    self.name
                ),
            );
        }
        for implementation in self
            .implementations
            .iter()
            .filter(|i| i.target != self.name)
        {
            say(
                &implementation.target,
                format!("expected `{}`, the name of the mock", self.name),
            );
        }
        // A function without a body is generated, so its signature must be one that a closure can
        // have.
        let mut seen = BTreeSet::new();
        for member in self.members() {
            let signature = &member.signature;
            if !seen.insert(&signature.ident) && !matches!(member.kind, Kind::Written(_)) {
                say(
                    &signature.ident,
                    format!("`{}` is already defined", signature.ident),
                );
            }
            if matches!(member.kind, Kind::Written(_)) {
                continue;
            }
            if let Some(keyword) = &signature.asyncness {
                say(keyword, "a function of a mock cannot be `async`".to_owned());
            }
            if let Some(parameter) = signature.generics.params.first() {
                say(parameter, "a generic function must have a body".to_owned());
            }
            match signature.inputs.first() {
                Some(FnArg::Receiver(receiver)) if matches!(receiver.kind, ReceiverKind::Reference(_, _, None)) => {}
                Some(other) => say(other, "the first parameter of a mock's function must be `&self`, unless it has a body".to_owned()),
                None => say(&signature.ident, "the first parameter of a mock's function must be `&self`, unless it has a body".to_owned()),
            }
            for input in signature.inputs.iter().skip(1) {
                let FnArg::Typed(input) = input else { continue };
                if !matches!(&*input.pat, Pat::Ident(_)) {
                    say(
                        &input.pat,
                        "the parameters of a mock's function must be plain names".to_owned(),
                    );
                }
                if matches!(&*input.ty, Type::Reference(reference) if reference.mutability.is_some())
                {
                    say(
                        &input.ty,
                        "a function with a `&mut` parameter must have a body".to_owned(),
                    );
                }
            }
            if let (Kind::Told, ReturnType::Type(_, ty)) = (&member.kind, &signature.output) {
                if matches!(**ty, Type::Reference(_)) {
                    say(
                        ty,
                        "a mock's function returns a value, or a reference to a field (`&Field<T>`): give other functions a body"
                            .to_owned(),
                    );
                }
            }
        }
        errors.map_or(Ok(()), Err)
    }
}

/// Returns `T` for `-> &Field<T>`.
fn field_type(output: &ReturnType) -> Option<Type> {
    let ReturnType::Type(_, ty) = output else {
        return None;
    };
    let Type::Reference(reference) = &**ty else {
        return None;
    };
    let Type::Path(path) = &*reference.elem else {
        return None;
    };
    let last = path.path.segments.last().filter(|s| s.ident == "Field")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|a| match a {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })
}
