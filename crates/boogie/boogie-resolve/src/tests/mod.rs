//! Tests of the resolver: accepted programs, the message and line of each error, and the blocks of
//! bodies.

mod blocks;
mod declarations;
mod expressions;
mod statements;
mod whole;
