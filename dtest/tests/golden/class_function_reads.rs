use dunit::prelude::*;

/// From src/class_function_reads.dfy:1.
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

impl Cell {
    /// From src/class_function_reads.dfy:4.
    pub fn next(this: &Ref<Cell>) -> Int {
        this.value.get() + 1
    }
}
