//! Expressions and statements: types of expressions, ghostness, bounds of quantifiers.

use super::context::Context;

/// Resolves everything in [`Context::work`].
pub fn resolve_bodies(_context: &mut Context) {}
