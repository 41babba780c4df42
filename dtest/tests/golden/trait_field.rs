use dunit::prelude::*;

/// From src/trait_field.dfy:1.
pub trait Named: Dynamic {
    fn name(&self) -> &Field<Seq<Char>>;
    fn rename(&self, a0: &Seq<Char>);
}

impl dyn Named {
    /// ```dafny
    /// ensures this.name == name
    /// ```
    ///
    /// From src/trait_field.dfy:4.
    pub fn default_rename(this: &Dyn<dyn Named>, name: &Seq<Char>) {
        this.name().set(name.clone());
    }
}

/// From src/trait_field.dfy:12.
pub struct Person {
    pub name: Field<Seq<Char>>,
}

impl Object for Person {
    fn class_name(&self) -> &'static str {
        "_module.Person"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("name", &self.name);
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        dunit::offer!(cast, this, dyn Named);
    }
}

impl Person {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let name: Seq<Char> = <Seq<Char> as DafnyDefault>::dafny_default();
        Ref::new(Person { name: Field::new(name) })
    }
}

impl Named for Ref<Person> {
    fn name(&self) -> &Field<Seq<Char>> {
        &self.name
    }
    fn rename(&self, a0: &Seq<Char>) {
        <dyn Named>::default_rename(&upcast::<dyn Named, _>(self), a0)
    }
}

impl Person {
    /// ```dafny
    /// ensures this.name == name
    /// ```
    ///
    /// From src/trait_field.dfy:13.
    pub fn new(name: &Seq<Char>) -> Ref<Self> {
        let name_2 = name.clone();
        Ref::new(Person { name: Field::new(name_2) })
    }
}
