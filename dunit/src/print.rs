//! Dafny's own printed form of every value.
//!
//! A character prints as `'a'` and a sequence of them as `['a', 'b']`, except where the program's
//! *static* type says that it is a string: `print s` writes its text ([`Text`]) and a
//! datatype's field writes a literal ([`Quoted`]). With `--unicode-char:false` ([`Char16`])
//! characters and strings are bare text everywhere.
//!
//! Messages of failing tests use the alternate form, `{:#}`: the same, but every sequence of
//! characters is a literal such as `"ab"`, and functions show their table.

use std::cell::RefCell;
use std::fmt::{self, Display, Formatter, Write};

use crate::chars::{Char, Char16};
use crate::harness::{self, ClauseKind, Side};
use crate::rc::nested;
use crate::seq::Seq;

/// A value with a printed form.
pub trait DafnyPrint {
    /// Writes the form that Dafny's `print` shows.
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result;

    /// Writes a sequence of such values: `[1, 2]`. Characters differ.
    fn fmt_seq(elements: &mut dyn Iterator<Item = &Self>, f: &mut Formatter<'_>) -> fmt::Result
    where
        Self: Sized,
    {
        f.write_str("[")?;
        fmt_separated(elements, f)?;
        f.write_str("]")
    }
}

/// Displays a value in Dafny's printed form; `{:#}` for people.
pub struct Shown<'a, T: ?Sized>(pub &'a T);

impl<T: DafnyPrint + ?Sized> Display for Shown<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt_dafny(f)
    }
}

/// Returns a value in Dafny's printed form, as a `Display`.
pub fn shown<T: DafnyPrint + ?Sized>(value: &T) -> Shown<'_, T> {
    Shown(value)
}

/// Dafny's printed form as text.
pub fn to_dafny_string<T: DafnyPrint + ?Sized>(value: &T) -> String {
    Shown(value).to_string()
}

/// Dafny's `print` of a value. One whose static type is a string is a [`Text`].
pub fn print<T: DafnyPrint + ?Sized>(value: &T) {
    write(format_args!("{}", Shown(value)));
}

/// Maximum number of bytes of a test's output that are recorded.
const MAX_KEPT: usize = 64 * 1024;

thread_local! {
    /// The output of this thread, if it runs a test.
    static PRINTED: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn write(text: fmt::Arguments<'_>) {
    print!("{text}");
    PRINTED.with_borrow_mut(|kept| {
        if let Some(kept) = kept.as_mut().filter(|k| k.len() < MAX_KEPT) {
            // Writing to a string cannot fail.
            let _ = kept.write_fmt(text);
        }
    });
}

/// Records the output of this thread from now on, for [`expect_prints!`](crate::expect_prints).
pub(crate) fn keep_printed() {
    PRINTED.set(Some(String::new()));
}

/// Checks that the test has printed exactly this text so far. The expansion of
/// [`expect_prints!`](crate::expect_prints).
///
/// # Panics
/// The output differs, or nothing is recorded, outside of tests.
pub fn check_printed(want: &str, text: &str) {
    let clause = harness::enter(ClauseKind::Expect, text);
    let got = PRINTED.with_borrow(|kept| kept.clone().unwrap_or_default());
    if got != want {
        let side = |role, value: &str| Side {
            role,
            expression: "",
            value: Some(format!("{value:?}")),
        };
        clause.fail(None, vec![side("got", &got), side("want", want)]);
    }
}

/// `expect_prints!("12
/// ", "src/lib.dfy:9: what Main prints")`: the output of a `#[dunit]` test so far.
#[macro_export]
macro_rules! expect_prints {
    ($want:expr, $text:expr $(,)?) => {
        $crate::print::check_printed($want, $text)
    };
}

/// Writes a datatype value: `List.Cons(1, List.Nil)`. With it, an implementation is one line:
///
/// ```
/// # use dunit::prelude::*;
/// #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
/// enum Shape { Dot, Circle { name: Seq<Char>, radius: Int } }
///
/// impl DafnyPrint for Shape {
///     fn fmt_dafny(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
///         match self {
///             Shape::Dot => fmt_constructor(f, "Shape.Dot", &[]),
///             Shape::Circle { name, radius } => fmt_constructor(f, "Shape.Circle", &[&Quoted(name), radius]),
///         }
///     }
/// }
/// assert_eq!(to_dafny_string(&Shape::Circle { name: str("c"), radius: int(2) }), r#"Shape.Circle("c", 2)"#);
/// ```
pub fn fmt_constructor(
    f: &mut Formatter<'_>,
    name: &str,
    fields: &[&dyn DafnyPrint],
) -> fmt::Result {
    f.write_str(name)?;
    if fields.is_empty() {
        return Ok(());
    }
    f.write_str("(")?;
    fmt_separated(&mut fields.iter().copied(), f)?;
    f.write_str(")")
}

/// Writes values, separated by `, `.
pub(crate) fn fmt_separated<T: DafnyPrint + ?Sized>(
    elements: &mut dyn Iterator<Item = &T>,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let mut first = true;
    for element in elements {
        if !first {
            f.write_str(", ")?;
        }
        first = false;
        nested(|| element.fmt_dafny(f))?;
    }
    Ok(())
}

/// A datatype's field whose static type is a string: a literal, `"ab\n"`.
pub struct Quoted<'a, C>(pub &'a Seq<C>);

impl<C: 'static + Character> DafnyPrint for Quoted<'_, C> {
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
        C::fmt_quoted(&mut self.0.iter(), f)
    }
}

/// A printed value whose static type is a string: its text, without quotes.
pub struct Text<'a, C>(pub &'a Seq<C>);

impl<C: 'static + Character> DafnyPrint for Text<'_, C> {
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text())
    }
}

/// The characters of strings: [`Char`] or [`Char16`].
pub trait Character: DafnyPrint + Clone + Sized {
    /// The text of a string; code points that are not scalar values become U+FFFD.
    fn text(elements: &mut dyn Iterator<Item = &Self>) -> String;
    /// The string of a text.
    fn of_text(text: &str) -> Seq<Self>;

    /// Writes a datatype's field.
    fn fmt_quoted(elements: &mut dyn Iterator<Item = &Self>, f: &mut Formatter<'_>) -> fmt::Result;
}

impl Character for Char {
    fn of_text(text: &str) -> Seq<Char> {
        crate::str(text)
    }

    fn text(elements: &mut dyn Iterator<Item = &Char>) -> String {
        elements.map(|character| character.0).collect()
    }

    fn fmt_quoted(elements: &mut dyn Iterator<Item = &Char>, f: &mut Formatter<'_>) -> fmt::Result {
        fmt_literal(elements.map(|character| character.0), f)
    }
}

impl Character for Char16 {
    fn of_text(text: &str) -> Seq<Char16> {
        crate::str16(text)
    }

    fn text(elements: &mut dyn Iterator<Item = &Char16>) -> String {
        decode(elements).collect()
    }

    /// The text without quotes: Dafny shows quotes only with Unicode characters.
    fn fmt_quoted(
        elements: &mut dyn Iterator<Item = &Char16>,
        f: &mut Formatter<'_>,
    ) -> fmt::Result {
        Char16::fmt_seq(elements, f)
    }
}

impl DafnyPrint for Char {
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("'")?;
        fmt_escaped(self.0, f)?;
        f.write_str("'")
    }

    fn fmt_seq(elements: &mut dyn Iterator<Item = &Self>, f: &mut Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return Char::fmt_quoted(elements, f);
        }
        f.write_str("[")?;
        fmt_separated(elements, f)?;
        f.write_str("]")
    }
}

impl DafnyPrint for Char16 {
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            f.write_str("'")?;
            match char::from_u32(u32::from(self.0)) {
                Some(character) => fmt_escaped(character, f)?,
                None => write!(f, "\\u{:04X}", self.0)?,
            }
            return f.write_str("'");
        }
        f.write_char(char::from_u32(u32::from(self.0)).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn fmt_seq(elements: &mut dyn Iterator<Item = &Self>, f: &mut Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return decode(elements).try_for_each(|character| f.write_char(character));
        }
        f.write_str("\"")?;
        for decoded in char::decode_utf16(elements.map(|unit| unit.0)) {
            match decoded {
                Ok(character) => fmt_escaped(character, f)?,
                Err(unpaired) => write!(f, "\\u{:04X}", unpaired.unpaired_surrogate())?,
            }
        }
        f.write_str("\"")
    }
}

fn decode<'a>(elements: &'a mut dyn Iterator<Item = &Char16>) -> impl Iterator<Item = char> + 'a {
    char::decode_utf16(elements.map(|unit| unit.0))
        .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER))
}

fn fmt_literal(characters: impl Iterator<Item = char>, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for character in characters {
        fmt_escaped(character, f)?;
    }
    f.write_str("\"")
}

fn fmt_escaped(character: char, f: &mut Formatter<'_>) -> fmt::Result {
    match character {
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        '\0' => f.write_str("\\0"),
        '\'' => f.write_str("\\'"),
        '"' => f.write_str("\\\""),
        '\\' => f.write_str("\\\\"),
        other => f.write_char(other),
    }
}

macro_rules! by_display {
    ($($Type:ty)*) => {$(
        impl DafnyPrint for $Type {
            fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(self, f)
            }
        }
    )*};
}

by_display!(
    bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
    crate::Int crate::Real crate::Ordinal
);

impl<const N: usize> DafnyPrint for crate::Bv<N> {
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// Rust text is printed unchanged.
impl DafnyPrint for str {
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl DafnyPrint for String {
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl<T: DafnyPrint + ?Sized> DafnyPrint for &T {
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (**self).fmt_dafny(f)
    }
}

impl<T: DafnyPrint + ?Sized> DafnyPrint for std::rc::Rc<T> {
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (**self).fmt_dafny(f)
    }
}

impl<T: DafnyPrint + ?Sized> DafnyPrint for Box<T> {
    fn fmt_dafny(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (**self).fmt_dafny(f)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::{DafnyPrint, Quoted, fmt_constructor, shown, to_dafny_string};
    use crate::{
        Bv, Char, Char16, Int, Seq, ch, ch16, int, map, multiset, real, seq, set, str, str16,
    };

    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
    enum Option<T> {
        None,
        Some { value: T },
    }

    impl<T: DafnyPrint> DafnyPrint for Option<T> {
        fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Option::None => fmt_constructor(f, "Option.None", &[]),
                Option::Some { value } => fmt_constructor(f, "Option.Some", &[value]),
            }
        }
    }

    struct Named<C>(Seq<C>);

    impl<C: 'static + super::Character> DafnyPrint for Named<C> {
        fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            fmt_constructor(f, "Named", &[&Quoted(&self.0)])
        }
    }

    #[track_caller]
    fn check(value: &dyn DafnyPrint, printed: &str, for_people: &str) {
        assert_eq!(to_dafny_string(value), printed);
        assert_eq!(format!("{:#}", shown(value)), for_people);
    }

    fn same(value: &dyn DafnyPrint, printed: &str) {
        check(value, printed, printed);
    }

    #[test]
    fn values_print_as_dafny_prints_them() {
        same(&true, "true");
        same(&int(-3), "-3");
        same(&7u8, "7");
        same(&real("1.5"), "1.5");
        same(&Bv::<8>::from(200), "200");
        same(&seq![int(1), int(2)], "[1, 2]");
        same(&Seq::<Int>::new(), "[]");
        same(&set! {int(2), int(1)}, "{1, 2}");
        same(&multiset! {1u8, 1}, "multiset{1, 1}");
        same(&map! {1u8 => set!{2u8}}, "map[1 := {2}]");
        same(&(int(1), false), "(1, false)");
        same(&(), "()");
        same(
            &Option::Some {
                value: Option::<Int>::None,
            },
            "Option.Some(Option.None)",
        );
    }

    #[test]
    fn strings_print_as_lists_of_characters_where_their_static_type_is_not_known() {
        same(&ch('a'), "'a'");
        same(&ch('\n'), "'\\n'");
        same(&ch('\''), "'\\''");
        check(&str("ab"), "['a', 'b']", "\"ab\"");
        check(
            &seq![str("ab"), str("")],
            "[['a', 'b'], []]",
            "[\"ab\", \"\"]",
        );
        check(
            &Option::Some {
                value: str("D\0\r\n\\\"'"),
            },
            "Option.Some(['D', '\\0', '\\r', '\\n', '\\\\', '\\\"', '\\''])",
            "Option.Some(\"D\\0\\r\\n\\\\\\\"\\'\")",
        );
        same(&Named(str("a\"b😎")), "Named(\"a\\\"b😎\")");
        assert_eq!(str("a\nb").text(), "a\nb");
    }

    #[test]
    fn without_unicode_char_strings_are_bare_text() {
        check(&ch16('a'), "a", "'a'");
        check(
            &seq![str16("abc"), str16("d😎")],
            "[abc, d😎]",
            "[\"abc\", \"d😎\"]",
        );
        check(&Named(str16("ab")), "Named(ab)", "Named(\"ab\")");
        check(&seq![Char16(0xD800)], "\u{FFFD}", "\"\\uD800\"");
        check(&Seq::<Char16>::new(), "", "\"\"");
        check(&Seq::<Char>::new(), "[]", "\"\"");
    }
}
