use dunit::prelude::*;

/// From src/codatatype_lazy.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    Cons { head: Int, tail: Lazy<Stream> },
}

impl Stream {
    /// Whether the value was created by `Cons`.
    pub fn is_cons(&self) -> bool {
        matches!(self, Stream::Cons { .. })
    }

    /// The field `head`.
    pub fn head(&self) -> &Int {
        match self {
            Stream::Cons { head, .. } => head,
        }
    }

    /// The field `tail`.
    pub fn tail(&self) -> &Stream {
        match self {
            Stream::Cons { tail, .. } => tail,
        }
    }

    /// The field `tail`, which may not be computed yet.
    pub fn lazy_tail(&self) -> &Lazy<Stream> {
        match self {
            Stream::Cons { tail, .. } => tail,
        }
    }
}

impl DafnyPrint for Stream {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stream::Cons { .. } => fmt_constructor(formatter, "Stream.Cons", &[]),
        }
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Stream {
    fn dafny_default() -> Self {
        Stream::Cons {
            head: DafnyDefault::dafny_default(),
            tail: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/codatatype_lazy.dfy:3.
pub fn from(n: &Int) -> Stream {
    Stream::Cons {
        head: n.clone(),
        tail: {
            let n = n.clone();
            Lazy::new(move || from(&(&n + 1)))
        },
    }
}

/// From src/codatatype_lazy.dfy:7.
pub fn third(n: &Int) -> Int {
    from(n).tail().tail().head().clone()
}
