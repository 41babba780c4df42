use dunit::prelude::*;

/// From src/class_constructor_second_phase.dfy:1.
pub struct Log {
    pub lines: Field<Seq<Seq<Char>>>,
}

impl Object for Log {
    fn class_name(&self) -> &'static str {
        "_module.Log"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("lines", &self.lines);
    }
}

impl Log {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let lines: Seq<Seq<Char>> = <Seq<Seq<Char>> as DafnyDefault>::dafny_default();
        Ref::new(Log { lines: Field::new(lines) })
    }
}

impl Log {
    /// ```dafny
    /// ensures lines == ["open"]
    /// ```
    ///
    /// From src/class_constructor_second_phase.dfy:4.
    pub fn new() -> Ref<Self> {
        let lines = Seq::<Seq<Char>>::new();
        let this = Ref::new(Log { lines: Field::new(lines) });
        Log::append(&this, &str("open"));
        this
    }

    /// ```dafny
    /// ensures lines == old(lines) + [line]
    /// ```
    ///
    /// From src/class_constructor_second_phase.dfy:12.
    pub fn append(this: &Ref<Log>, line: &Seq<Char>) {
        this.lines.set(this.lines.get() + seq![line.clone()]);
    }
}
