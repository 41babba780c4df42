//! A port of functions that return their argument, for tests of the runner: `cargo run --example echo VECTORS`.

fn main() {
    let passed = vectors::run(std::env::args().skip(1), &[("*", |args, _| args.to_vec())]);
    std::process::exit(i32::from(!passed));
}
