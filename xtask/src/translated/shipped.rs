//! `cargo xtask shipped`
