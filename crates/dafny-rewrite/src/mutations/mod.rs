//! One module a mutation: where it applies, and what it does there.

pub(crate) mod expr_to_func;
pub(crate) mod for_to_while;
pub(crate) mod loop_peel;
mod variables;
pub(crate) mod vars_to_class;
pub(crate) mod vars_to_map;
