use dunit::prelude::*;

/// From src/class_two_traits.dfy:1.
pub trait Named: Dynamic {
    fn name(&self) -> Seq<Char>;
}

/// From src/class_two_traits.dfy:5.
pub trait Sized: Dynamic {
    fn size(&self) -> Int;
}

/// From src/class_two_traits.dfy:9.
pub struct File {}

impl Object for File {
    fn class_name(&self) -> &'static str {
        "_module.File"
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        dunit::offer!(cast, this, dyn Named, dyn Sized);
    }
}

impl File {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        Ref::new(File {})
    }
}

impl Named for Ref<File> {
    fn name(&self) -> Seq<Char> {
        File::name(self)
    }
}

impl Sized for Ref<File> {
    fn size(&self) -> Int {
        File::size(self)
    }
}

impl File {
    /// From src/class_two_traits.dfy:10.
    pub fn new() -> Ref<Self> {
        Ref::new(File {})
    }

    /// From src/class_two_traits.dfy:13.
    pub fn name(_this: &Ref<File>) -> Seq<Char> {
        str("file")
    }

    /// From src/class_two_traits.dfy:17.
    pub fn size(_this: &Ref<File>) -> Int {
        int(3)
    }
}
