use dunit::prelude::*;

/// From src/object_in_map.dfy:1.
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
/// requires 1 in m
/// ```
///
/// From src/object_in_map.dfy:5.
pub fn lookup(m: &Map<Int, Ref<Cell>>) -> Int {
    m[&int(1)].value.get()
}
