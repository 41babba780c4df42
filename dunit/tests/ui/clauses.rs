use dunit::{expect, expect_eq, require};

fn main() {
    require!();
    expect!(true "no comma");
    expect_eq!(1);
    expect!(1, "not a condition");
}
