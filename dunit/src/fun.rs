//! Dafny's arrow types: functions as values.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use crate::heap::next_identity;
use crate::print::{DafnyPrint, Shown};
use crate::rc::Held;
use crate::value::{DafnyDefault, Value};

/// The label of an undefined function.
const UNDEFINED: &str = "null";

/// The identity of a function: functions with the same identity are equal.
#[derive(Clone)]
pub struct FunctionIdentity {
    number: u64,
    label: Option<Rc<str>>,
}

macro_rules! function {
    ($Name:ident, $count:literal, ($($A:ident $a:ident),*), $Arguments:ty) => {
        #[doc = concat!("A function of ", $count, " arguments. It is equal to its copies only, and functions are ordered by when ")]
        #[doc = "they were made, so that a type with functions in it is a value like any other."]
        pub struct $Name<$($A,)* R> {
            identity: u64,
            label: Option<Rc<str>>,
            #[allow(clippy::type_complexity)]
            body: Rc<dyn Fn($(&$A),*) -> R>,
        }

        impl<$($A: 'static,)* R: 'static> $Name<$($A,)* R> {
            /// Wraps a closure.
            pub fn new(body: impl Fn($(&$A),*) -> R + 'static) -> Self {
                let body = Held::new(body);
                $Name { identity: next_identity(), label: None, body: Rc::new(move |$($a: &$A),*| (*body)($($a),*)) }
            }

            /// Wraps a closure, with the text that messages show for it.
            pub fn named(label: &str, body: impl Fn($(&$A),*) -> R + 'static) -> Self {
                let body = Held::new(body);
                $Name { identity: next_identity(), label: Some(label.into()), body: Rc::new(move |$($a: &$A),*| (*body)($($a),*)) }
            }

            /// The undefined function, which is the default of a partial function: it prints as
            /// `null`, and calling it panics.
            pub fn undefined() -> Self {
                #[allow(unused_variables)]
                Self::named(UNDEFINED, |$($a: &$A),*| panic!("call of a function that is defined nowhere"))
            }

            /// The constant function with this result.
            pub fn constant(result: R) -> Self
            where
                R: Value,
            {
                let label = format!("_ => {:#}", Shown(&result));
                #[allow(unused_variables)]
                Self::named(&label, move |$($a: &$A),*| result.clone())
            }

            /// The function with these results for these arguments, and `otherwise` for all others.
            /// If two entries have the same arguments, the later one applies.
            pub fn table(entries: impl IntoIterator<Item = ($Arguments, R)>, otherwise: R) -> Self
            where
                $($A: Value,)*
                R: Value,
            {
                let table: BTreeMap<$Arguments, R> = entries.into_iter().collect();
                let mut label = String::from("{");
                for (arguments, result) in &table {
                    label.push_str(&format!("{:#} => {:#}, ", Shown(arguments), Shown(result)));
                }
                label.push_str(&format!("_ => {:#}}}", Shown(&otherwise)));
                Self::named(&label, move |$($a: &$A),*| {
                    table.get(&function!(@key $($a),*)).unwrap_or(&otherwise).clone()
                })
            }

            /// Restricts the function to arguments for which `may` holds: a call with others
            /// panics.
            pub fn only(self, may: impl Fn($(&$A),*) -> bool + 'static) -> Self {
                let label = self.label.clone();
                let body = move |$($a: &$A),*| {
                    assert!(may($($a),*), "call of a function with arguments that violate its precondition");
                    self.call($($a),*)
                };
                let body = Held::new(body);
                $Name { identity: next_identity(), label, body: Rc::new(move |$($a: &$A),*| (*body)($($a),*)) }
            }

            /// The identity, which makes the function equal to its copies.
            pub fn identity(&self) -> FunctionIdentity {
                FunctionIdentity { number: self.identity, label: self.label.clone() }
            }

            /// The function with the identity of another one: the same function, converted to
            /// another type.
            pub fn with_identity(self, of: FunctionIdentity) -> Self {
                $Name { identity: of.number, label: of.label, body: self.body }
            }

            /// The result for these arguments.
            #[allow(clippy::too_many_arguments)]
            pub fn call(&self, $($a: &$A),*) -> R {
                (self.body)($($a),*)
            }
        }

        impl<$($A,)* R> Clone for $Name<$($A,)* R> {
            fn clone(&self) -> Self {
                $Name { identity: self.identity, label: self.label.clone(), body: Rc::clone(&self.body) }
            }
        }

        impl<$($A,)* R> PartialEq for $Name<$($A,)* R> {
            fn eq(&self, other: &Self) -> bool {
                self.identity == other.identity
            }
        }

        impl<$($A,)* R> Eq for $Name<$($A,)* R> {}

        impl<$($A,)* R> PartialOrd for $Name<$($A,)* R> {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl<$($A,)* R> Ord for $Name<$($A,)* R> {
            fn cmp(&self, other: &Self) -> Ordering {
                self.identity.cmp(&other.identity)
            }
        }

        impl<$($A,)* R> DafnyPrint for $Name<$($A,)* R> {
            fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match &self.label {
                    Some(label) if f.alternate() => f.write_str(label),
                    Some(label) if &**label == UNDEFINED => f.write_str(UNDEFINED),
                    Some(_) | None => f.write_str("Function"),
                }
            }
        }

        impl<$($A,)* R> fmt::Debug for $Name<$($A,)* R> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.fmt_dafny(f)
            }
        }

        impl<$($A: 'static,)* R: DafnyDefault + 'static> DafnyDefault for $Name<$($A,)* R> {
            fn dafny_default() -> Self {
                #[allow(unused_variables)]
                Self::new(|$($a: &$A),*| R::dafny_default())
            }
        }
    };
    (@key) => { () };
    (@key $a:ident) => { *$a };
    (@key $($a:ident),*) => { ($($a.clone()),*) };
}

function!(Fun0, "no", (), ());
function!(Fun1, "1", (A a), A);
function!(Fun2, "2", (A a, B b), (A, B));
function!(Fun3, "3", (A a, B b, C c), (A, B, C));
function!(Fun4, "4", (A a, B b, C c, D d), (A, B, C, D));
function!(Fun5, "5", (A a, B b, C c, D d, E e), (A, B, C, D, E));
function!(Fun6, "6", (A a, B b, C c, D d, E e, F f), (A, B, C, D, E, F));
function!(Fun7, "7", (A a, B b, C c, D d, E e, F f, G g), (A, B, C, D, E, F, G));
function!(Fun8, "8", (A a, B b, C c, D d, E e, F f, G g, H h), (A, B, C, D, E, F, G, H));

#[cfg(test)]
mod tests {
    use crate::{DafnyDefault, Fun0, Fun1, Fun2, Int, int, shown, to_dafny_string};

    #[test]
    fn a_function_equals_its_copies_only() {
        let (f, g) = (
            Fun1::new(|x: &Int| x + int(1)),
            Fun1::new(|x: &Int| x + int(1)),
        );
        assert_eq!(f.call(&int(1)), g.call(&int(1)));
        assert_eq!(f, f.clone());
        assert!(f != g && f < g);
    }

    #[test]
    fn a_table_finds_a_function_that_was_seen_at_another_type() {
        let key = Fun1::<Int, bool>::constant(false);
        let seen = Fun1::new(|_: &u8| false).with_identity(key.identity());
        let back = Fun1::new(|_: &Int| false).with_identity(seen.identity());
        let table = Fun1::table([(key.clone(), 1)], 2);
        assert_eq!((table.call(&key), table.call(&back)), (1, 1));
        assert_eq!(table.call(&Fun1::constant(false)), 2);
    }

    #[test]
    fn a_table_answers_otherwise_for_all_others_and_shows_itself_to_people() {
        let f = Fun2::table([((1u8, false), int(5))], int(0));
        assert_eq!((f.call(&1, &false), f.call(&1, &true)), (int(5), int(0)));
        assert_eq!(to_dafny_string(&f), "Function");
        assert_eq!(format!("{:#}", shown(&f)), "{(1, false) => 5, _ => 0}");
        assert_eq!(
            format!("{:#}", shown(&Fun1::<u8, u8>::table([(1, 2)], 3))),
            "{1 => 2, _ => 3}"
        );
        assert_eq!(Fun0::table([((), 4)], 5).call(), 4);
        assert!(!Fun1::<Int, bool>::dafny_default().call(&int(1)));
        assert_eq!(to_dafny_string(&Fun1::<Int, bool>::undefined()), "null");
    }
}
