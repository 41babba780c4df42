//! Tests of builders of classes, and of functions that single objects redefine.

use dmock::{Mock, mock, mockable};
use dunit::prelude::*;

trait Lock: Dynamic {
    fn opens(&self, code: &Int) -> bool;
    fn tries(&self) -> Int;
}

#[derive(Mock)]
struct Safe<T> {
    pub content: T,
    pub code: Int,
    #[mock(default = int(3))]
    pub left: Field<Int>,
    pub spare: Field<T>,
    pub phantom: std::marker::PhantomData<(T,)>,
}

impl<T: Value> Object for Safe<T> {
    fn class_name(&self) -> &'static str {
        "M.Safe"
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        offer!(cast, this, dyn Lock);
    }
}

#[mockable]
impl<T: Value> Safe<T> {
    fn opens(this: &Ref<Safe<T>>, code: &Int) -> bool {
        this.left.get() > 0 && *code == this.code
    }
    fn take(this: &Ref<Self>, code: &Int) -> T {
        if Safe::opens(this, code) {
            this.content.clone()
        } else {
            this.spare.get()
        }
    }
    fn pair<U: Value>(this: &Ref<Self>, other: U) -> (T, U) {
        (this.content.clone(), other)
    }
}

#[mockable(tries)]
impl<T: Value> Lock for Ref<Safe<T>> {
    fn opens(&self, code: &Int) -> bool {
        Safe::opens(self, code)
    }
    fn tries(&self) -> Int {
        self.left.get()
    }
}

#[test]
fn undefined_members_are_those_of_the_class() {
    let safe = mock::<Safe<bool>>().content(true).code(int(7)).create();
    assert!(Safe::take(&safe, &int(7)) && !Safe::opens(&safe, &int(8)));
    assert_eq!((safe.left.get(), Lock::tries(&safe)), (int(3), int(3)));
    assert_eq!(Safe::pair(&safe, int(1)), (true, int(1)));
}

#[test]
fn one_object_is_redefined_and_seen_so_everywhere() {
    let safe = mock::<Safe<bool>>()
        .content(true)
        .opens(|this, code| *code > this.code)
        .tries(|_| int(99))
        .create();
    let plain = mock::<Safe<bool>>().content(true).create();
    let seen = upcast::<dyn Lock, _>(&safe);
    assert!(Safe::take(&safe, &int(5)) && seen.opens(&int(5)) && !Safe::opens(&plain, &int(5)));
    assert_eq!((seen.tries(), Lock::tries(&plain)), (int(99), int(3)));
}

#[test]
fn a_function_is_redefined_for_some_arguments() {
    let safe = mock::<Safe<bool>>()
        .code(int(7))
        .content(true)
        .opens_if(|_, code| (*code == 5).then_some(true))
        .create();
    assert_eq!(
        [5, 6, 7].map(|code| Safe::opens(&safe, &int(code))),
        [true, false, true]
    );
}

#[test]
#[should_panic(
    expected = "the mock of `Safe` has no value for `content`, a constant whose type has no default value"
)]
fn a_constant_without_a_default_has_to_be_set() {
    fn make<T: Value>() -> Ref<Safe<T>> {
        mock::<Safe<T>>().create()
    }
    make::<bool>();
}
