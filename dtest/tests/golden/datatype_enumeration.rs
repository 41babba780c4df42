use dunit::prelude::*;

/// From src/datatype_enumeration.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Color {
    Red,
    Green,
    Blue,
}

impl Color {
    /// Whether the value was created by `Red`.
    pub fn is_red(&self) -> bool {
        matches!(self, Color::Red)
    }

    /// Whether the value was created by `Green`.
    pub fn is_green(&self) -> bool {
        matches!(self, Color::Green)
    }

    /// Whether the value was created by `Blue`.
    pub fn is_blue(&self) -> bool {
        matches!(self, Color::Blue)
    }
}

impl DafnyPrint for Color {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Color::Red => fmt_constructor(formatter, "Color.Red", &[]),
            Color::Green => fmt_constructor(formatter, "Color.Green", &[]),
            Color::Blue => fmt_constructor(formatter, "Color.Blue", &[]),
        }
    }
}

impl std::fmt::Debug for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Color {
    fn dafny_default() -> Self {
        Color::Red
    }
}

/// From src/datatype_enumeration.dfy:3.
pub fn next(c: &Color) -> Color {
    match c {
        Color::Red => Color::Green,
        Color::Green => Color::Blue,
        Color::Blue => Color::Red,
    }
}
