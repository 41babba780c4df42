use dmock::mock;
use dunit::prelude::*;

trait Tariff: Dynamic {
    fn base(&self) -> Int;
    fn price(&self, weight: &Int, express: bool) -> Int;
}

mock! {
    struct MockTariff;

    impl Tariff for MockTariff {
        fn base(&self) -> Int;
        fn price(&self, weight: &Int, express: bool) -> Int;
    }
}

fn main() {
    let _ = MockTariff::build().prise(|_, _| int(1));
    let _ = MockTariff::build().price(|weight: &Int| weight.clone());
    let _ = MockTariff::build().base(|| true);
    let _ = MockTariff::build().on_price(int(1), int(2)).answers(int(3));
    let _ = MockTariff::build().on_price(int(1), true).answers(false);
    let _ = MockTariff::build().on_weight(int(1));
}
