use dunit::prelude::*;

/// From src/main_of_class.dfy:1.
pub struct Program {}

impl Object for Program {
    fn class_name(&self) -> &'static str {
        "_module.Program"
    }
}

impl Program {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        Ref::new(Program {})
    }
}

impl Program {
    /// From src/main_of_class.dfy:2.
    pub fn main() {
        dafny_print!(Text(&str("in a class\n")));
    }
}
