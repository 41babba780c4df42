//! Displays of collections: `seq![..]`, `set!{..}`, `multiset!{..}`, `map!{k => v}`, and printing.

/// `[a, b]`; `seq![value; n]` repeats.
#[macro_export]
macro_rules! seq {
    () => { $crate::Seq::new() };
    ($value:expr; $length:expr) => { $crate::Seq::from(::std::vec![$value; $length]) };
    ($($element:expr),+ $(,)?) => { $crate::Seq::from(::std::vec![$($element),+]) };
}

/// `{a, b}`
#[macro_export]
macro_rules! set {
    () => { $crate::Set::new() };
    ($($element:expr),+ $(,)?) => { <$crate::Set<_> as ::std::iter::FromIterator<_>>::from_iter([$($element),+]) };
}

/// `multiset{a, a, b}`
#[macro_export]
macro_rules! multiset {
    () => { $crate::Multiset::new() };
    ($($element:expr),+ $(,)?) => {
        <$crate::Multiset<_> as ::std::iter::FromIterator<_>>::from_iter([$($element),+])
    };
}

/// `map[k := v]`, written `map!{k => v}`.
#[macro_export]
macro_rules! map {
    () => { $crate::Map::new() };
    ($($key:expr => $value:expr),+ $(,)?) => {
        <$crate::Map<_, _> as ::std::iter::FromIterator<_>>::from_iter([$(($key, $value)),+])
    };
}

/// Dafny's `print a, b;` of references to values: `dafny_print!(&a, text s, &b)`, where `text`
/// precedes what is statically a string.
#[macro_export]
macro_rules! dafny_print {
    () => {};
    (text $string:expr $(, $($rest:tt)*)?) => {
        $crate::print_text(&$string);
        $($crate::dafny_print!($($rest)*);)?
    };
    ($value:expr $(, $($rest:tt)*)?) => {
        $crate::print(&$value);
        $($crate::dafny_print!($($rest)*);)?
    };
}
