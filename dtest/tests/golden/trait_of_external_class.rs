use dunit::prelude::*;

/// From src/trait_of_external_class.dfy:3.
pub trait Meter: Dynamic {
    fn read(&self) -> Int;
}

/// From src/trait_of_external_class.dfy:8.
pub struct Probe {}

impl Object for Probe {
    fn class_name(&self) -> &'static str {
        "_module.Probe"
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        dunit::offer!(cast, this, dyn Meter);
    }
}

impl Probe {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        Ref::new(Probe {})
    }
}

impl Meter for Ref<Probe> {
    fn read(&self) -> Int {
        Probe::read(self)
    }
}

impl Probe {
    /// From src/trait_of_external_class.dfy:9.
    pub fn new(pin: &Int) -> Ref<Self> {
        let () = dunit::stub::answer("Probe._ctor", &[pin]);
        Ref::new(Probe {})
    }

    /// ```dafny
    /// ensures -90 <= celsius <= 60
    /// ```
    ///
    /// From src/trait_of_external_class.dfy:11.
    pub fn read(this: &Ref<Probe>) -> Int {
        dunit::stub::answer("Probe.Read", &[this])
    }
}

/// From src/trait_of_external_class.dfy:15.
pub fn is_warm(meter: &Dyn<dyn Meter>) -> bool {
    let celsius = meter.read();
    if celsius > 30 {
        return true;
    }
    false
}

/// From src/trait_of_external_class.dfy:23.
pub fn is_probe_warm(pin: &Int) -> bool {
    let probe = Probe::new(pin);
    is_warm(&upcast::<dyn Meter, _>(&probe))
}
