use dunit::prelude::*;

/// From src/datatype_record.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Point {
    Point { x: Int, y: Int },
}

impl Point {
    /// Whether the value was created by `Point`.
    pub fn is_point(&self) -> bool {
        matches!(self, Point::Point { .. })
    }

    /// The field `x`.
    pub fn x(&self) -> &Int {
        match self {
            Point::Point { x, .. } => x,
        }
    }

    /// The field `y`.
    pub fn y(&self) -> &Int {
        match self {
            Point::Point { y, .. } => y,
        }
    }
}

impl DafnyPrint for Point {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Point::Point { x, y } => fmt_constructor(formatter, "Point.Point", &[x, y]),
        }
    }
}

impl std::fmt::Debug for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Point {
    fn dafny_default() -> Self {
        Point::Point {
            x: DafnyDefault::dafny_default(),
            y: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_record.dfy:3.
pub fn mirrored(p: &Point) -> Point {
    Point::Point {
        x: p.y().clone(),
        y: p.x().clone(),
    }
}
