//! Whether a number is a value of another numeric type → Rust.

use proc_macro2::TokenStream;
use quote::quote;

use super::body::Body;
use super::code::{Code, ident, number};
use super::convention::Translated;
use super::rep::Rep;
use crate::typed::{Span, Type};

impl Body<'_, '_, '_> {
    /// The conditions under which `value`, a stable place of type `from`, is a value of `to`; none: always.
    pub(super) fn type_test(&mut self, value: &Code, from: &Type, to: &Type, span: Span) -> Translated<Vec<TokenStream>> {
        if from == to {
            return Ok(Vec::new());
        }
        let (held, wanted) = (self.rep(from), self.rep(to));
        if held != wanted {
            return Ok(vec![self.number_test(value, &held, to, &wanted, span)?]);
        }
        let mut tests = Vec::new();
        if matches!(held, Rep::Class(..) | Rep::Array(..)) && self.is_nullable(from) && !self.is_nullable(to) {
            let o = value.receiver();
            tests.push(quote!(!#o.is_null()));
        }
        tests.extend(self.constraints(to, value, span)?);
        Ok(tests)
    }

    fn is_nullable(&self, ty: &Type) -> bool {
        match self.scope.ground.program.strip_subset(&ty.subst(&self.scope.substitution)) {
            Type::Named { nullable, .. } | Type::Array { nullable, .. } | Type::Object { nullable } => nullable,
            _ => false,
        }
    }

    /// `value is to` where both are numbers, held in different ways: by way of the integer or real that it stands for.
    fn number_test(&mut self, value: &Code, held: &Rep, to: &Type, wanted: &Rep, span: Span) -> Translated<TokenStream> {
        let none = || self.scope.unsupported(span, "a type test between different representations");
        let o = value.receiver();
        // Reals without a fraction alone are integers.
        let (guard, integer) = match held {
            Rep::Int => (None, quote!(#o.clone())),
            Rep::Native(_) | Rep::Bv(_) | Rep::Char => (None, quote!(#o.to_int())),
            Rep::Real => (Some(quote!(#o.is_integer())), quote!(#o.floor())),
            Rep::Ordinal => (None, quote!(#o.offset())),
            Rep::Bool
            | Rep::Seq(_)
            | Rep::Set(_)
            | Rep::Multiset(_)
            | Rep::Map(..)
            | Rep::Tuple(_)
            | Rep::Arrow(..)
            | Rep::Array(..)
            | Rep::Datatype(..)
            | Rep::Class(..)
            | Rep::Trait(..)
            | Rep::Object
            | Rep::Opaque
            | Rep::Param(_)
            | Rep::Error => return Err(none()),
        };
        let n = self.make_up("n");
        let int = self.scope.runtime("int");
        // In range, and what holds the number then.
        let (fits, converted) = match wanted {
            Rep::Int => (None, quote!(#n)),
            Rep::Real => {
                let real = self.scope.runtime("real");
                (None, quote!(#real(#n)))
            }
            Rep::Native(native) => {
                let native = ident(native.rust_name());
                (Some(quote!(#n.try_to::<#native>().is_some())), quote!(#n.to_native::<#native>()))
            }
            Rep::Bv(width) => {
                let (bv, width) = (self.scope.runtime("Bv"), number(&width.to_string()));
                (Some(quote!(#bv::<#width>::holds(&#n))), quote!(#bv::<#width>::of_int(&#n)))
            }
            Rep::Char => {
                let char = self.scope.runtime(self.scope.ground.char_type());
                (Some(quote!(#char::holds(&#n))), quote!(#char::of_int(&#n)))
            }
            Rep::Ordinal => {
                let ordinal = self.scope.runtime("Ordinal");
                (Some(quote!(#int(0) <= #n)), quote!(#ordinal::of_int(&#n)))
            }
            Rep::Bool
            | Rep::Seq(_)
            | Rep::Set(_)
            | Rep::Multiset(_)
            | Rep::Map(..)
            | Rep::Tuple(_)
            | Rep::Arrow(..)
            | Rep::Array(..)
            | Rep::Datatype(..)
            | Rep::Class(..)
            | Rep::Trait(..)
            | Rep::Object
            | Rep::Opaque
            | Rep::Param(_)
            | Rep::Error => return Err(none()),
        };
        let number = self.make_up("number");
        let constraints = self.constraints(to, &Code::place(quote!(#number), self.copy(to)), span)?;
        let constrained = (!constraints.is_empty()).then(|| quote!({ let #number = #converted; #(#constraints)&&* }));
        let inner: Vec<TokenStream> = fits.into_iter().chain(constrained).collect();
        Ok(match (guard, inner.as_slice()) {
            (None, []) => quote!(true),
            (Some(guard), []) => guard,
            (None, all) => quote!({ let #n = #integer; #(#all)&&* }),
            (Some(guard), all) => quote!(#guard && { let #n = #integer; #(#all)&&* }),
        })
    }
}
