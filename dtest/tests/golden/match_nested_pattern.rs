use dunit::prelude::*;

/// From src/match_nested_pattern.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expr {
    Num { n: Int },
    Neg { e: Rc<Expr> },
}

impl Expr {
    /// Whether the value was created by `Num`.
    pub fn is_num(&self) -> bool {
        matches!(self, Expr::Num { .. })
    }

    /// Whether the value was created by `Neg`.
    pub fn is_neg(&self) -> bool {
        matches!(self, Expr::Neg { .. })
    }

    /// The field `n`.
    pub fn n(&self) -> &Int {
        match self {
            Expr::Num { n } => n,
            _ => panic!("the value has no `n`"),
        }
    }

    /// The field `e`.
    pub fn e(&self) -> &Expr {
        match self {
            Expr::Neg { e } => e,
            _ => panic!("the value has no `e`"),
        }
    }
}

impl DafnyPrint for Expr {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expr::Num { n } => fmt_constructor(formatter, "Expr.Num", &[n]),
            Expr::Neg { e } => fmt_constructor(formatter, "Expr.Neg", &[e]),
        }
    }
}

impl std::fmt::Debug for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Expr {
    fn dafny_default() -> Self {
        Expr::Num {
            n: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/match_nested_pattern.dfy:3.
pub fn simplified(e: &Expr) -> Expr {
    'matched: {
        if let Expr::Neg { e: e_2 } = e {
            if let Expr::Neg { e: e_3 } = &**e_2 {
                let inner = &**e_3;
                break 'matched inner.clone();
            }
        }
        if let Expr::Neg { e: e_2 } = e {
            if let Expr::Num { n } = &**e_2 {
                break 'matched Expr::Num { n: -n };
            }
        }
        if let Expr::Num { .. } = e {
            break 'matched e.clone();
        }
        unreachable!("no case of the match applies")
    }
}
