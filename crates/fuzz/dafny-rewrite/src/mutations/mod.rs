//! The mutations, one per module: the places to which it applies, and the change.

pub(crate) mod conjunctions;
pub(crate) mod dead_code;
pub(crate) mod expr_to_func;
pub(crate) mod extract_method;
mod find;
pub(crate) mod for_to_while;
pub(crate) mod identity;
pub(crate) mod if_to_match;
pub(crate) mod inline_function;
pub(crate) mod live_code;
pub(crate) mod loop_peel;
pub(crate) mod opaque_guard;
pub(crate) mod parameters;
pub(crate) mod rename;
pub(crate) mod reorder;
mod variables;
pub(crate) mod vars_to_class;
pub(crate) mod vars_to_datatype;
pub(crate) mod vars_to_map;
pub(crate) mod while_to_recursion;
pub(crate) mod wrap_in_module;
