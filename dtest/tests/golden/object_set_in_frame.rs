use dunit::prelude::*;

/// From src/object_set_in_frame.dfy:1.
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
/// ensures forall c | c in cells :: c.value == 0
/// ```
///
/// From src/object_set_in_frame.dfy:5.
pub fn clear(cells: &Set<Ref<Cell>>) {
    let mut updates = std::vec::Vec::new();
    for c in cells.iter() {
        updates.push((c.clone(), int(0)));
    }
    for (object, value) in updates {
        object.value.set(value);
    }
}
