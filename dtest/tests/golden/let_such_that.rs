use dunit::prelude::*;

/// ```dafny
/// requires s != {}
/// requires exists m :: m in s && forall x | x in s :: m <= x
/// ```
///
/// From src/let_such_that.dfy:1.
pub fn smallest(s: &Set<Int>) -> Int {
    such_that(s.iter().cloned(), |m| s.iter().all(|x| m <= x))
}
