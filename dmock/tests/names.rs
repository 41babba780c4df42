//! Members whose names the macros use for methods, fields and variables of their own.

use dmock::{Anything, Mock, mock, mockable};
use dunit::prelude::*;

#[derive(Mock)]
struct Desk {
    pub create: Int,
    pub create_: Int,
    pub tax_if: Int,
    pub redefined_functions: Int,
    pub type_parameters: Field<Int>,
    pub builder: Int,
}

impl Object for Desk {
    fn class_name(&self) -> &'static str {
        "Desk"
    }
}

#[mockable]
impl Desk {
    fn tax(this: &Ref<Self>, this_one: &Int, body: &Int, redefined: &Int, answer: &Int) -> Int {
        this_one + body + redefined + answer + this.create.clone()
    }
    fn create_if(this: &Ref<Self>, name: &Int) -> Int {
        name + this.create_.clone()
    }
}

#[test]
fn the_builder_of_a_class_has_a_setter_for_every_member() {
    let desk = mock::<Desk>()
        .create_(int(1))
        .create__(int(2))
        .tax_if_(int(3))
        .redefined_functions(int(4))
        .type_parameters(int(5))
        .builder(int(6))
        .tax_if(|_, _, _, _, answer| (*answer == 0).then(|| int(7)))
        .create_if_(|_, name| name + int(8))
        .create();
    assert_eq!(
        (desk.create.clone(), desk.create_.clone()),
        (int(1), int(2))
    );
    assert_eq!(desk.tax_if, int(3));
    assert_eq!(desk.redefined_functions, int(4));
    assert_eq!(desk.type_parameters.get(), int(5));
    assert_eq!(desk.builder, int(6));
    assert_eq!(Desk::tax(&desk, &int(1), &int(1), &int(1), &int(0)), int(7));
    assert_eq!(Desk::tax(&desk, &int(1), &int(1), &int(1), &int(1)), int(5));
    assert_eq!(Desk::create_if(&desk, &int(1)), int(9));
}

trait Shop<Seen: Value>: Dynamic {
    fn get(&self, body: Int, answer: Int) -> Seen;
    fn on_get(&self) -> &Field<Int>;
    fn set_on_get(&self, body: Int) -> Int;
    fn create(&self) -> Int;
    fn create_as(&self) -> Int;
    fn create_as_(&self) -> Int;
    fn type_parameters(&self) -> &Field<Int>;
    fn build(&self) -> Int;
}

mock! {
    /// Of a trait whose members are named as those of builders.
    #[class("Shop")]
    /// A mock with names that the builder uses itself.
    pub struct MockShop<Seen>;

    impl Shop<Seen> for MockShop {
        fn get(&self, body: Int, answer: Int) -> Seen;
        fn on_get(&self) -> &Field<Int>;
        fn set_on_get(&self, body: Int) -> Int;
        fn create(&self) -> Int;
        fn create_as(&self) -> Int;
        fn create_as_(&self) -> Int;
        fn type_parameters(&self) -> &Field<Int>;
        fn build(&self) -> Int;
    }
}

#[test]
fn the_builder_of_a_mock_has_a_setter_for_every_member() {
    let shop = MockShop::<bool>::build()
        .on_get(int(1), Anything)
        .answers(true)
        .get(|_, answer| answer > int(0))
        .set_on_get(int(2))
        .set_set_on_get(|body| body + int(3))
        .on_set_on_get(int(0))
        .answers(int(4))
        .create_(|| int(5))
        .create_as_(|| int(6))
        .create_as__(|| int(7))
        .type_parameters(int(8))
        .build(|| int(9))
        .create_as::<dyn Shop<bool>>();
    assert!(shop.get(int(1), int(0)) && shop.get(int(2), int(1)) && !shop.get(int(2), int(0)));
    assert_eq!(shop.on_get().get(), int(2));
    assert_eq!([0, 1].map(|n| shop.set_on_get(int(n))), [4, 4].map(int));
    assert_eq!(
        [
            shop.create(),
            shop.create_as(),
            shop.create_as_(),
            shop.build()
        ],
        [5, 6, 7, 9].map(int)
    );
    assert_eq!(shop.type_parameters().get(), int(8));
}
