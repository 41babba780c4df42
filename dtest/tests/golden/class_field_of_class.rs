use dunit::prelude::*;

/// From src/class_field_of_class.dfy:1.
pub struct Engine {
    pub power: Field<Int>,
}

impl Object for Engine {
    fn class_name(&self) -> &'static str {
        "_module.Engine"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("power", &self.power);
    }
}

impl Engine {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let power: Int = int(0);
        Ref::new(Engine { power: Field::new(power) })
    }
}

impl Engine {
    /// ```dafny
    /// ensures this.power == power
    /// ```
    ///
    /// From src/class_field_of_class.dfy:4.
    pub fn new(power: &Int) -> Ref<Self> {
        let power_2 = power.clone();
        Ref::new(Engine {
            power: Field::new(power_2),
        })
    }
}

/// From src/class_field_of_class.dfy:11.
pub struct Car {
    pub engine: Ref<Engine>,
}

impl Object for Car {
    fn class_name(&self) -> &'static str {
        "_module.Car"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.constant("engine", &self.engine);
    }
}

impl Car {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let engine: Ref<Engine> = <Ref<Engine> as DafnyDefault>::dafny_default();
        Ref::new(Car { engine })
    }
}

impl Car {
    /// ```dafny
    /// ensures this.engine == engine
    /// ```
    ///
    /// From src/class_field_of_class.dfy:14.
    pub fn new(engine: &Ref<Engine>) -> Ref<Self> {
        let engine_2 = engine.clone();
        Ref::new(Car { engine: engine_2 })
    }

    /// ```dafny
    /// ensures engine.power == old(engine.power) + 1
    /// ```
    ///
    /// From src/class_field_of_class.dfy:20.
    pub fn tune(this: &Ref<Car>) {
        this.engine.power.set(this.engine.power.get() + 1);
    }
}
