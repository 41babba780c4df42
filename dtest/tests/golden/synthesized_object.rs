use dunit::prelude::*;

/// From src/synthesized_object.dfy:1.
#[derive(dmock::Mock)]
pub struct Sensor {
    pub id: Int,
}

impl Object for Sensor {
    fn class_name(&self) -> &'static str {
        "_module.Sensor"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.constant("id", &self.id);
    }
}

impl Sensor {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let id: Int = int(0);
        Ref::new(Sensor { id })
    }
}

#[dmock::mockable(read)]
impl Sensor {
    /// From src/synthesized_object.dfy:4.
    pub fn read(this: &Ref<Sensor>, channel: &Int) -> Int {
        dunit::stub::answer("Sensor.Read", &[this, channel])
    }
}

/// ```dafny
/// ensures fresh(s)
/// ensures s.id == 1
/// ensures forall c :: s.Read(c) == n
/// ```
///
/// From src/synthesized_object.dfy:7.
pub fn fixed(n: &Int) -> Ref<Sensor> {
    dmock::mock::<Sensor>()
        .id(int(1))
        .read({
            let n = n.clone();
            move |_s, _channel| n.clone()
        })
        .create()
}

/// From src/synthesized_object.dfy:12.
pub fn r#use(n: &Int) -> Int {
    let s = fixed(n);
    Sensor::read(&s, &s.id)
}
