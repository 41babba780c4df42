//! All values of a finite type, in ascending order → Rust iterators.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::body::Body;
use super::code::{self, Code, Own, group, ident, number};
use super::convention::Translated;
use super::rep::Rep;
use super::rep::primitive;
use dafny_resolve::typed::{FieldId, Span, Type, TypeDeclKind};

impl Body<'_, '_, '_> {
    /// An iterator over the values of a type; what only its constraint excludes is among them.
    pub(super) fn all_values(&mut self, ty: &Type, span: Span) -> Translated<TokenStream> {
        match self.rep(ty) {
            Rep::Bool => {
                let f = self.scope.runtime("all_bools");
                Ok(quote!(#f()))
            }
            Rep::Char => {
                let f = self.scope.runtime(if self.scope.ground.program.options.unicode_char { "all_chars" } else { "all_chars16" });
                Ok(quote!(#f()))
            }
            Rep::Native(n) => {
                let range = match ty {
                    Type::Named { decl, .. } => match &self.scope.ground.program[*decl].kind {
                        TypeDeclKind::Newtype(c) => c.range.clone(),
                        TypeDeclKind::Datatype { .. }
                        | TypeDeclKind::Subset(_)
                        | TypeDeclKind::Abstract
                        | TypeDeclKind::Class
                        | TypeDeclKind::Trait { .. }
                        | TypeDeclKind::Iterator(_) => None,
                    },
                    _ => None,
                };
                let n = ident(primitive(n));
                Ok(match range {
                    Some((low, high)) => {
                        let (low, high) = (group(number(&low.to_string())), group(number(&(high - 1u32).to_string())));
                        quote!((#low..=#high as #n))
                    }
                    None => quote!((#n::MIN..=#n::MAX)),
                })
            }
            Rep::Bv(width) if width <= 16 => {
                let (range, bv) = (self.scope.runtime("range"), self.scope.runtime("Bv"));
                let (end, width) = (number(&(1u32 << width).to_string()), number(&width.to_string()));
                Ok(quote!(#range(0, #end).map(|n| #bv::<#width>::of_int(&n))))
            }
            Rep::Tuple(components) => self.all_of(&components, span, &|parts| code::tuple(parts)),
            Rep::Datatype(decl, args) => {
                let (path, fish) = (self.scope.type_path(decl), self.turbofish(&args)?);
                let map = self.scope.ground.program.substitution(decl, &args);
                let ctors = self.scope.ground.datatype_ctors(decl);
                let is_plain = ctors.iter().all(|&c| self.scope.ground.ctor_fields(c).is_empty());
                let mut each = Vec::new();
                for ctor in ctors {
                    let variant = ident(self.scope.ground.names.ctor(ctor));
                    let fields: Vec<FieldId> = self.scope.ground.ctor_fields(ctor);
                    let types: Vec<Type> = fields.iter().map(|f| self.scope.ground.program[*f].ty.subst(&map)).collect();
                    let made = |body: &Self, parts: &[TokenStream]| {
                        let inits = fields.iter().copied().zip(parts.iter().cloned()).collect();
                        body.construct(ctor, decl, quote!(#path #fish::#variant), inits)
                    };
                    if is_plain {
                        each.push(made(self, &[]));
                        continue;
                    }
                    let shared = Body::new(self.scope);
                    each.push(self.all_of(&types, span, &|parts| made(&shared, parts))?);
                }
                Ok(match each.split_first() {
                    Some(_) if is_plain => quote!([#(#each),*].into_iter()),
                    Some((first, others)) => quote!(#first #(.chain(#others))*),
                    None => return Err(self.no_values(ty, span)),
                })
            }
            Rep::Int
            | Rep::Real
            | Rep::Bv(_)
            | Rep::Ordinal
            | Rep::Seq(_)
            | Rep::Set(_)
            | Rep::Multiset(_)
            | Rep::Map(..)
            | Rep::Arrow(..)
            | Rep::Array(..)
            | Rep::Class(..)
            | Rep::Trait(..)
            | Rep::Object
            | Rep::Opaque
            | Rep::Param(_)
            | Rep::Error => Err(self.no_values(ty, span)),
        }
    }

    fn no_values(&self, ty: &Type, span: Span) -> super::Unsupported {
        self.scope.unsupported(span, format!("all values of `{}`", self.scope.ground.program.show_type(ty)))
    }

    /// An iterator over what `make` makes of all combinations of values of the types, the first varying slowest.
    fn all_of(&mut self, types: &[Type], span: Span, make: &dyn Fn(&[TokenStream]) -> TokenStream) -> Translated<TokenStream> {
        let Some((last, before)) = types.split_last() else {
            let made = make(&[]);
            return Ok(quote!(std::iter::once(#made)));
        };
        let names: Vec<Ident> = types.iter().map(|_| self.make_up("part")).collect();
        let copies: Vec<bool> = types.iter().map(|t| self.copy(t)).collect();
        let mut parts: Vec<TokenStream> =
            names.iter().zip(&copies).map(|(n, copy)| if *copy { quote!(#n) } else { quote!(#n.clone()) }).collect();
        let Some(name) = names.last() else { return Err(self.no_values(last, span)) };
        if let Some(part) = parts.last_mut() {
            *part = quote!(#name);
        }
        let (made, values) = (make(&parts), self.admitted(last, span)?);
        let mut all = quote!(#values.map(move |#name| #made));
        for (i, ty) in before.iter().enumerate().rev() {
            let Some(name) = names.get(i) else { continue };
            // Each closure within takes copies of its own.
            let kept = names.iter().zip(&copies).take(i + 1).filter(|(_, copy)| !**copy).map(|(n, _)| quote!(let #n = #n.clone();));
            let values = self.admitted(ty, span)?;
            all = quote!(#values.flat_map(move |#name| { #(#kept)* #all }));
        }
        Ok(all)
    }

    /// The values of a type that its constraint admits.
    fn admitted(&mut self, ty: &Type, span: Span) -> Translated<TokenStream> {
        let values = self.all_values(ty, span)?;
        let name = self.make_up("value");
        let code = Code::reference(quote!(#name), self.copy(ty));
        let conditions = self.constraints(ty, &code, span)?;
        debug_assert!(code.own() == Own::Ref);
        Ok(if conditions.is_empty() { values } else { quote!(#values.filter(|#name| #(#conditions)&&*)) })
    }
}
