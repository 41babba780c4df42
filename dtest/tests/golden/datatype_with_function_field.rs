use dunit::prelude::*;

/// From src/datatype_with_function_field.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    Rule { apply: Fun1<Int, Int> },
}

impl Rule {
    /// Whether the value was created by `Rule`.
    pub fn is_rule(&self) -> bool {
        matches!(self, Rule::Rule { .. })
    }

    /// The field `apply`.
    pub fn apply(&self) -> &Fun1<Int, Int> {
        match self {
            Rule::Rule { apply } => apply,
        }
    }
}

impl DafnyPrint for Rule {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rule::Rule { apply } => DafnyPrint::fmt_dafny(apply, formatter),
        }
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Rule {
    fn dafny_default() -> Self {
        Rule::Rule {
            apply: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_with_function_field.dfy:3.
pub fn r#use(r: &Rule, n: &Int) -> Int {
    r.apply().call(n)
}
