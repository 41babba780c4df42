use dunit::prelude::*;

/// From src/datatype_generic.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Option<T> {
    None,
    Some { value: T },
}

impl<T: Value> Option<T> {
    /// Whether the value was created by `None`.
    pub fn is_none(&self) -> bool {
        matches!(self, Option::None)
    }

    /// Whether the value was created by `Some`.
    pub fn is_some(&self) -> bool {
        matches!(self, Option::Some { .. })
    }

    /// The field `value`.
    pub fn value(&self) -> &T {
        match self {
            Option::Some { value } => value,
            _ => panic!("the value has no `value`"),
        }
    }
}

impl<T: Value> DafnyPrint for Option<T> {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Option::None => fmt_constructor(formatter, "Option.None", &[]),
            Option::Some { value } => fmt_constructor(formatter, "Option.Some", &[value]),
        }
    }
}

impl<T: Value> std::fmt::Debug for Option<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl<T: Value + DafnyDefault> DafnyDefault for Option<T> {
    fn dafny_default() -> Self {
        Option::None
    }
}

/// From src/datatype_generic.dfy:3.
pub fn or_else<T: Value>(o: &Option<T>, default: &T) -> T {
    if o.is_some() { o.value().clone() } else { default.clone() }
}
