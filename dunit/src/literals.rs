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

/// Dafny's `print a, s, b;`: `dafny_print!(a, Text(&s), b)`, with [`Text`](crate::Text) around each
/// value whose static type is a string.
#[macro_export]
macro_rules! dafny_print {
    ($($value:expr),* $(,)?) => {
        $($crate::print(&$value);)*
    };
}
