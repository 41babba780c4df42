use dunit::prelude::*;

/// From src/general_traits.dfy:2.
pub trait Shape: Dynamic {
    fn area(&self) -> Int;
}

/// From src/general_traits.dfy:6.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Square {
    Square { side: Int },
}

impl Square {
    /// Whether the value was created by `Square`.
    pub fn is_square(&self) -> bool {
        matches!(self, Square::Square { .. })
    }

    /// The field `side`.
    pub fn side(&self) -> &Int {
        match self {
            Square::Square { side } => side,
        }
    }
}

impl DafnyPrint for Square {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Square::Square { side } => {
                fmt_constructor(formatter, "Square.Square", &[side])
            }
        }
    }
}

impl std::fmt::Debug for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Square {
    fn dafny_default() -> Self {
        Square::Square {
            side: DafnyDefault::dafny_default(),
        }
    }
}

impl Dynamic for Square {
    fn offer(&self, cast: &mut Cast<'_>) {
        cast.offer_own(self);
        dunit::offer!(cast, self, dyn Shape);
    }
    fn compare(&self, other: &AnyObject) -> std::cmp::Ordering {
        dunit::dynamic::compare(self, other)
    }
}

impl Shape for Square {
    fn area(&self) -> Int {
        Square::area(self)
    }
}

impl Square {
    /// From src/general_traits.dfy:7.
    pub fn area(&self) -> Int {
        self.side() * self.side()
    }
}
