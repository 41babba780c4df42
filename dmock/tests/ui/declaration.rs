use dmock::mock;
use dunit::prelude::*;

trait Tariff: Dynamic {
    fn base(&self) -> Int;
    fn price(&self, weight: &Int) -> Int;
}

mock! {
    struct Unknown;

    impl Tariff for Unknown {
        fn base(&self) -> Int;
        fn price(&self, weight: &Int) -> Int;
        fn prise(&self, weight: &Int) -> Int;
    }
}

mock! {
    struct Missing;

    impl Tariff for Missing {
        fn base(&self) -> Int;
    }
}

mock! {
    struct Wrong;

    impl Tariff for Wrong {
        fn base(&self) -> bool;
        fn price(&self, weight: &Int) -> Int;
    }
}

mock! {
    struct Alone;
}

mock! {
    struct Name;

    impl Tariff for Other {
        fn base(&self) -> Int;
        async fn price(&mut self, (a, b): &mut Int) -> &Int;
        fn generic<T>(&self) -> Int;
        fn base(&self) -> Int;
    }
}

fn main() {}
