use dunit::prelude::*;

/// From src/datatype_holds_object.dfy:1.
pub struct Cell {
    pub value: Field<Int>,
}

impl Object for Cell {
    fn class_name(&self) -> &'static str {
        "_module.Cell"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("value", &self.value);
    }
}

impl Cell {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let value: Int = int(0);
        Ref::new(Cell { value: Field::new(value) })
    }
}

/// From src/datatype_holds_object.dfy:5.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holder {
    Holder { cell: Ref<Cell> },
}

impl Holder {
    /// Whether the value was created by `Holder`.
    pub fn is_holder(&self) -> bool {
        matches!(self, Holder::Holder { .. })
    }

    /// The field `cell`.
    pub fn cell(&self) -> &Ref<Cell> {
        match self {
            Holder::Holder { cell } => cell,
        }
    }
}

impl DafnyPrint for Holder {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Holder::Holder { cell } => DafnyPrint::fmt_dafny(cell, formatter),
        }
    }
}

impl std::fmt::Debug for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Holder {
    fn dafny_default() -> Self {
        Holder::Holder {
            cell: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_holds_object.dfy:7.
pub fn read(h: &Holder) -> Int {
    h.cell().value.get()
}
