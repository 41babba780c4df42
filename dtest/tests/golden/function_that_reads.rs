use dunit::prelude::*;

/// From src/function_that_reads.dfy:1.
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

/// ```dafny
/// ensures r == c.value
/// ```
///
/// From src/function_that_reads.dfy:5.
pub fn reader(c: &Ref<Cell>) -> Int {
    let f: Fun0<Int> = {
        let c = c.clone();
        Fun0::new(move || c.value.get())
    };
    f.call()
}
