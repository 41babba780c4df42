use dunit::prelude::*;

/// From src/datatype_shared_field.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    Dot { x: Int },
    Bar { x: Int, length: Int },
}

impl Figure {
    /// Whether the value was created by `Dot`.
    pub fn is_dot(&self) -> bool {
        matches!(self, Figure::Dot { .. })
    }

    /// Whether the value was created by `Bar`.
    pub fn is_bar(&self) -> bool {
        matches!(self, Figure::Bar { .. })
    }

    /// The field `x`.
    pub fn x(&self) -> &Int {
        match self {
            Figure::Dot { x } => x,
            Figure::Bar { x, .. } => x,
        }
    }

    /// The field `length`.
    pub fn length(&self) -> &Int {
        match self {
            Figure::Bar { length, .. } => length,
            _ => panic!("the value has no `length`"),
        }
    }
}

impl DafnyPrint for Figure {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Figure::Dot { x } => fmt_constructor(formatter, "Figure.Dot", &[x]),
            Figure::Bar { x, length } => {
                fmt_constructor(formatter, "Figure.Bar", &[x, length])
            }
        }
    }
}

impl std::fmt::Debug for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Figure {
    fn dafny_default() -> Self {
        Figure::Dot {
            x: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_shared_field.dfy:3.
pub fn shifted(f: &Figure) -> Int {
    f.x() + 1
}
