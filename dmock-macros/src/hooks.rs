//! `#[mockable]`: makes functions of a class redefinable by its mocks.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{
    FnArg, GenericArgument, ImplItem, ItemImpl, Pat, PathArguments, ReceiverKind, ReturnType,
    Signature, Token, Type, parse_quote,
};

use crate::builder::{bounded, builder_of, setter};

/// Returns the block with redefinable functions, and the builder's methods for them; or the error.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match syn::parse2(arguments)
        .and_then(|asked: Asked| Hooked::of(&asked, syn::parse2(item.clone())?))
    {
        Ok(hooked) => hooked.expand(),
        Err(error) => {
            let error = error.to_compile_error();
            quote!(#error #item)
        }
    }
}

/// The arguments of the attribute.
struct Asked {
    /// The selected functions; all if empty.
    functions: Vec<Ident>,
    builder: Option<Ident>,
}

impl Parse for Asked {
    fn parse(input: ParseStream<'_>) -> syn::Result<Asked> {
        let mut asked = Asked {
            functions: Vec::new(),
            builder: None,
        };
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            if name == "builder" && input.peek(Token![=]) {
                input.parse::<Token![=]>()?;
                asked.builder = Some(input.parse()?);
            } else {
                asked.functions.push(name);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(asked)
    }
}

/// A function that can be redefined.
struct Function {
    name: Ident,
    /// Its parameters without the object, with their types.
    parameters: Vec<(Ident, Type)>,
    /// The type of its result.
    result: TokenStream,
}

struct Hooked {
    block: ItemImpl,
    /// The type of the object, `Ref<Key>`.
    object: Type,
    builder: Ident,
    /// The arguments of the class.
    arguments: PathArguments,
    functions: Vec<Function>,
}

impl Hooked {
    fn of(asked: &Asked, mut block: ItemImpl) -> syn::Result<Hooked> {
        // The class is the type of the block, or the referent of `Ref<Class>` in `impl Trait for
        // ..`.
        let in_trait = block.trait_.is_some();
        let class = if in_trait {
            referred(&block.self_ty)
        } else {
            Some((*block.self_ty).clone())
        };
        let unfit = || {
            syn::Error::new_spanned(
                &block.self_ty,
                "`#[mockable]` can be applied to `impl Class` and `impl Trait for Ref<Class>` only",
            )
        };
        let class = class.ok_or_else(unfit)?;
        let Type::Path(path) = &class else {
            return Err(unfit());
        };
        let last = path.path.segments.last().ok_or_else(unfit)?;
        let (builder, arguments) = (
            asked
                .builder
                .clone()
                .unwrap_or_else(|| builder_of(&last.ident)),
            last.arguments.clone(),
        );
        let object: Type = parse_quote!(::dmock::dunit::Ref<#class>);
        // Functions that cannot be redefined are skipped, unless the attribute names them.
        let mut functions = Vec::new();
        for item in &mut block.items {
            let ImplItem::Fn(function) = item else {
                continue;
            };
            let named = asked.functions.contains(&function.sig.ident);
            if !asked.functions.is_empty() && !named {
                continue;
            }
            match Function::of(
                &function.sig,
                if in_trait { &object } else { &class },
                in_trait,
            ) {
                Ok(found) => {
                    let hook = found.hook(&object, in_trait);
                    function.block.stmts.insert(0, hook);
                    functions.push(found);
                }
                Err(error) if named => return Err(error),
                Err(_) => {}
            }
        }
        // A misspelled name in the attribute is an error.
        if let Some(missing) = asked
            .functions
            .iter()
            .find(|f| !functions.iter().any(|g| g.name == **f))
        {
            return Err(syn::Error::new(
                missing.span(),
                format!("the block has no function `{missing}`"),
            ));
        }
        Ok(Hooked {
            block,
            object,
            builder,
            arguments,
            functions,
        })
    }

    fn expand(&self) -> TokenStream {
        let Hooked {
            block,
            object,
            builder,
            arguments,
            functions,
        } = self;
        let generics = bounded(&block.generics);
        let (params, _, bounds) = generics.split_for_impl();
        let methods = functions.iter().map(|f| {
            let (name, setter, types, result) = (f.name.to_string(), setter(&f.name), f.types(), &f.result);
            let partial = format_ident!("{}_if", name.trim_start_matches("r#"), span = f.name.span());
            let parameters: Vec<_> = f.parameters.iter().map(|(name, _)| name).collect();
            let docs = format!("Redefines `{}` for this object, by a closure with the parameters of the function.", f.name);
            let partial_docs = format!("Redefines `{}` where the closure returns `Some`; otherwise it behaves as in the class.", f.name);
            quote! {
                #[doc = #docs]
                pub fn #setter(self, __body: impl ::core::ops::Fn(&#object #(, #types)*) -> #result + 'static) -> Self {
                    self.#partial(move |this #(, #parameters)*| ::core::option::Option::Some(__body(this #(, #parameters)*)))
                }

                #[doc = #partial_docs]
                pub fn #partial(
                    mut self,
                    body: impl ::core::ops::Fn(&#object #(, #types)*) -> ::core::option::Option<#result> + 'static,
                ) -> Self {
                    self.__redefined_functions
                        .set::<::std::boxed::Box<dyn ::core::ops::Fn(&#object #(, #types)*) -> ::core::option::Option<#result>>>(
                            #name,
                            ::std::boxed::Box::new(body),
                        );
                    self
                }
            }
        });
        quote! {
            #block

            #[allow(dead_code, non_snake_case, clippy::type_complexity)]
            impl #params #builder #arguments #bounds {
                #(#methods)*
            }
        }
    }
}

impl Function {
    /// Returns the function, if it is a redefinable instance function; `own` is the meaning of
    /// `Self`.
    fn of(signature: &Signature, own: &Type, in_trait: bool) -> syn::Result<Function> {
        let refuse =
            |tokens: &dyn quote::ToTokens, text: &str| Err(syn::Error::new_spanned(tokens, text));
        let name = signature.ident.clone();
        // A redefinition is a closure: it can be neither generic nor `async`.
        if signature.asyncness.is_some() || signature.constness.is_some() {
            return refuse(
                &name,
                "a function that is `async` or `const` cannot be redefined",
            );
        }
        if let Some(parameter) = signature.generics.type_params().next() {
            return refuse(&parameter.ident, "a generic function cannot be redefined");
        }
        // The object is the key of the redefinition, so that the function must have it.
        let mut inputs = signature.inputs.iter();
        let takes_object = match inputs.next() {
            Some(FnArg::Receiver(receiver)) => {
                in_trait && matches!(receiver.kind, ReceiverKind::Reference(_, _, None))
            }
            Some(FnArg::Typed(first)) => {
                !in_trait
                    && matches!(&*first.pat, Pat::Ident(p) if p.ident == "this")
                    && matches!(&*first.ty, Type::Reference(_))
            }
            None => false,
        };
        if !takes_object {
            return refuse(
                &name,
                "the first parameter of an instance function must be `this: &Ref<Class>`, or `&self` in a trait",
            );
        }
        // `Self` has another meaning in the closure, so it is replaced by the type.
        let mut parameters = Vec::new();
        for (i, input) in inputs.enumerate() {
            let FnArg::Typed(input) = input else { continue };
            let ty = with_own_type(&input.ty, own)?;
            let name = match &*input.pat {
                Pat::Ident(pattern) => pattern.ident.clone(),
                _ => format_ident!("a{i}"),
            };
            parameters.push((name, ty));
        }
        let result = match &signature.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) => with_own_type(ty, own)?.into_token_stream(),
        };
        Ok(Function {
            name,
            parameters,
            result,
        })
    }

    fn types(&self) -> Vec<&Type> {
        self.parameters.iter().map(|(_, ty)| ty).collect()
    }

    /// Returns the first statement of the function: a redefinition of the object takes over.
    fn hook(&self, object: &Type, in_trait: bool) -> syn::Stmt {
        let (name, types, result) = (self.name.to_string(), self.types(), &self.result);
        let names = self.parameters.iter().map(|(name, _)| name);
        let this = if in_trait { quote!(self) } else { quote!(this) };
        parse_quote! {
            if let ::core::option::Option::Some(__redefined) =
                #this.redefined::<::std::boxed::Box<dyn ::core::ops::Fn(&#object #(, #types)*) -> ::core::option::Option<#result>>>(#name)
            {
                if let ::core::option::Option::Some(__answer) = __redefined(#this #(, #names)*) {
                    return __answer;
                }
            }
        }
    }
}

/// Returns `Key` for `Ref<Key>`.
fn referred(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|s| s.ident == "Ref")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|a| match a {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })
}

/// Replaces `Self` in a type by `own`.
fn with_own_type(ty: &Type, own: &Type) -> syn::Result<Type> {
    fn replaced(tokens: TokenStream, own: &Type) -> TokenStream {
        let one = |token| match token {
            TokenTree::Ident(ident) if ident == "Self" => own.to_token_stream(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replaced(group.stream(), own));
                inner.set_span(group.span());
                TokenTree::Group(inner).into()
            }
            token => token.into(),
        };
        tokens.into_iter().flat_map(one).collect()
    }
    syn::parse2(replaced(ty.to_token_stream(), own))
}
