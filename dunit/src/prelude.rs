//! The names that translated code and generated tests use: `use dunit::prelude::*;`.

pub use crate::rc::Rc;
pub use crate::stub::Anything;
pub use crate::{
    AnyObject, Array, Array2, Array3, Array4, Array5, Array6, Array7, Array8, ArrayN, Bv, Cast,
    Char, Char16, Coroutine, DafnyDefault, DafnyPrint, Dyn, Dynamic, Erased, Field, Fields, Fun0,
    Fun1, Fun2, Fun3, Fun4, Fun5, Fun6, Fun7, Fun8, Halt, IMap, ISet, Int, Lazy, Map, Multiset,
    Native, Object, Ordinal, PlainObject, Quoted, Real, Ref, Seq, Set, Snapshot, Text, ToIndex,
    Value, all_bools, all_chars, all_chars16, ch, ch16, constant_names, dafny_print, downcast,
    dunit, exists_in, expect, expect_calls, expect_distinct, expect_eq, expect_frame,
    expect_prints, field_names, fmt_constructor, forall_in, halt, halted, instance_of, int,
    is_same, map, multiset, offer, range, range_down, range_down_from, range_from, real, require,
    seq, set, shown, str, str16, stub, stub_once, such_that, suspend, to_dafny_string, upcast,
};
