pub mod client {
    use dunit::prelude::*;
    use crate::module_import_opened::shapes::Shape;

    /// From src/module_import_opened.dfy:8.
    pub fn length(s: &Shape) -> Int {
        if s.is_line() { s.length().clone() } else { int(0) }
    }
}

pub mod shapes {
    use dunit::prelude::*;

    /// From src/module_import_opened.dfy:2.
    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Shape {
        Dot,
        Line { length: Int },
    }

    impl Shape {
        /// Whether the value was created by `Dot`.
        pub fn is_dot(&self) -> bool {
            matches!(self, Shape::Dot)
        }

        /// Whether the value was created by `Line`.
        pub fn is_line(&self) -> bool {
            matches!(self, Shape::Line { .. })
        }

        /// The field `length`.
        pub fn length(&self) -> &Int {
            match self {
                Shape::Line { length } => length,
                _ => panic!("the value has no `length`"),
            }
        }
    }

    impl DafnyPrint for Shape {
        fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            match self {
                Shape::Dot => fmt_constructor(formatter, "Shapes.Shape.Dot", &[]),
                Shape::Line { length } => {
                    fmt_constructor(formatter, "Shapes.Shape.Line", &[length])
                }
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
            Shape::Dot
        }
    }
}
