use dunit::prelude::*;

/// From src/mock_of_class_function.dfy:1.
pub struct Dice {}

impl Object for Dice {
    fn class_name(&self) -> &'static str {
        "_module.Dice"
    }
}

impl Dice {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        Ref::new(Dice {})
    }
}

impl Dice {
    /// From src/mock_of_class_function.dfy:2.
    pub fn roll(this: &Ref<Dice>, n: &Int) -> Int {
        dunit::stub::answer("Dice.Roll", &[this, n])
    }
}

/// From src/mock_of_class_function.dfy:6.
pub fn wins(d: &Ref<Dice>) -> bool {
    Dice::roll(d, &int(0)) > Dice::roll(d, &int(1))
}
