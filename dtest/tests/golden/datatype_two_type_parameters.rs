use dunit::prelude::*;

/// From src/datatype_two_type_parameters.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Either<A, B> {
    Left { a: A },
    Right { b: B },
}

impl<A: Value, B: Value> Either<A, B> {
    /// Whether the value was created by `Left`.
    pub fn is_left(&self) -> bool {
        matches!(self, Either::Left { .. })
    }

    /// Whether the value was created by `Right`.
    pub fn is_right(&self) -> bool {
        matches!(self, Either::Right { .. })
    }

    /// The field `a`.
    pub fn a(&self) -> &A {
        match self {
            Either::Left { a } => a,
            _ => panic!("the value has no `a`"),
        }
    }

    /// The field `b`.
    pub fn b(&self) -> &B {
        match self {
            Either::Right { b } => b,
            _ => panic!("the value has no `b`"),
        }
    }
}

impl<A: Value, B: Value> DafnyPrint for Either<A, B> {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Either::Left { a } => fmt_constructor(formatter, "Either.Left", &[a]),
            Either::Right { b } => fmt_constructor(formatter, "Either.Right", &[b]),
        }
    }
}

impl<A: Value, B: Value> std::fmt::Debug for Either<A, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl<A: Value + DafnyDefault, B: Value + DafnyDefault> DafnyDefault for Either<A, B> {
    fn dafny_default() -> Self {
        Either::Left {
            a: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_two_type_parameters.dfy:3.
pub fn flip<A: Value, B: Value>(e: &Either<A, B>) -> Either<B, A> {
    match e {
        Either::Left { a } => Either::Right { b: a.clone() },
        Either::Right { b } => Either::Left { a: b.clone() },
    }
}
