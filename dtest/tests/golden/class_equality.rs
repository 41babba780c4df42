use dunit::prelude::*;

/// From src/class_equality.dfy:1.
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

/// From src/class_equality.dfy:5.
pub fn same(a: &Ref<Cell>, b: &Ref<Cell>) -> bool {
    a == b
}
