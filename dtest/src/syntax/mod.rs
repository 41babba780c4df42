//! Text → tokens → parsed tree, and back.

pub mod ast;
