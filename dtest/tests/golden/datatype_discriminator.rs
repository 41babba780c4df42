use dunit::prelude::*;

/// From src/datatype_discriminator.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Circle { radius: Int },
    Square { side: Int },
}

impl Shape {
    /// Whether the value was created by `Circle`.
    pub fn is_circle(&self) -> bool {
        matches!(self, Shape::Circle { .. })
    }

    /// Whether the value was created by `Square`.
    pub fn is_square(&self) -> bool {
        matches!(self, Shape::Square { .. })
    }

    /// The field `radius`.
    pub fn radius(&self) -> &Int {
        match self {
            Shape::Circle { radius } => radius,
            _ => panic!("the value has no `radius`"),
        }
    }

    /// The field `side`.
    pub fn side(&self) -> &Int {
        match self {
            Shape::Square { side } => side,
            _ => panic!("the value has no `side`"),
        }
    }
}

impl DafnyPrint for Shape {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Shape::Circle { radius } => {
                fmt_constructor(formatter, "Shape.Circle", &[radius])
            }
            Shape::Square { side } => fmt_constructor(formatter, "Shape.Square", &[side]),
        }
    }
}

impl std::fmt::Debug for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Shape {
    fn dafny_default() -> Self {
        Shape::Circle {
            radius: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_discriminator.dfy:3.
pub fn round(s: &Shape) -> bool {
    s.is_circle()
}
