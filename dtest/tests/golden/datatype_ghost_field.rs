use dunit::prelude::*;

/// From src/datatype_ghost_field.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Box {
    Box { value: Int },
}

impl Box {
    /// Whether the value was created by `Box`.
    pub fn is_box(&self) -> bool {
        matches!(self, Box::Box { .. })
    }

    /// The field `value`.
    pub fn value(&self) -> &Int {
        match self {
            Box::Box { value } => value,
        }
    }
}

impl DafnyPrint for Box {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Box::Box { value } => DafnyPrint::fmt_dafny(value, formatter),
        }
    }
}

impl std::fmt::Debug for Box {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Box {
    fn dafny_default() -> Self {
        Box::Box {
            value: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_ghost_field.dfy:3.
pub fn opened(b: &Box) -> Int {
    b.value().clone()
}
