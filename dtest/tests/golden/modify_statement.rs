use dunit::prelude::*;

/// From src/modify_statement.dfy:1.
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
    /// ```dafny
    /// ensures value == 3
    /// ```
    ///
    /// From src/modify_statement.dfy:4.
    pub fn scramble(this: &Ref<Cell>) {
        this.value.set(int(3));
    }
}
