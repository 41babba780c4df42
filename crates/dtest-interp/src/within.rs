//! Membership of inputs in the scope of a claim within bounds.

use crate::Inputs;
use dafny_resolve::typed::Type;
use dtest_ir::bounds::Scope;
use dtest_value::{Contents, Value};

impl Inputs {
    /// Whether the inputs are certain to be within a scope.
    pub fn are_within(&self, scope: &Scope) -> bool {
        // An unlimited kind admits everything.
        let is_at_most = |n: usize, most: Option<u32>| most.is_none_or(|most| n <= most as usize);
        let heap = &self.heap.objects;
        let arrays = heap.iter().filter_map(|o| match &o.contents {
            Contents::Elements(elements) => Some(elements.dims()),
            Contents::Fields(_) => None,
        });
        let of_class = |ty: &Type| heap.iter().filter(|o| o.ty == *ty).count();
        let mut all = self.args.iter().chain(self.heap.contents());
        // Arrays are collections as well.
        arrays.flatten().all(|n| is_at_most(*n, scope.collection))
            && heap
                .iter()
                .all(|o| is_at_most(of_class(&o.ty), scope.objects))
            && all.all(|value| {
                is_at_most(nesting(value), scope.depth)
                    && value.within().all(|part| admits_part(scope, part))
            })
    }
}

/// Whether a part of a value, without its own parts, is within a scope.
fn admits_part(scope: &Scope, part: &Value) -> bool {
    let size = if let Value::Multiset(counts) = part {
        counts.len()
    } else if matches!(part, Value::Seq(_) | Value::Set(_) | Value::Map(_)) {
        part.parts().len()
    } else {
        0
    };
    let is_small = match (part, scope.numbers) {
        (Value::Int(n), Some(most)) => n.magnitude() <= &most.into(),
        _other => true,
    };
    is_small && scope.collection.is_none_or(|most| size <= most as usize)
}

/// The nesting depth of constructors with arguments.
fn nesting(value: &Value) -> usize {
    let inner = || value.parts().into_iter().map(nesting).max().unwrap_or(0);
    if let Value::Datatype(d) = value {
        match d.args.is_empty() {
            true => 0,
            // Deep values would overflow the stack.
            false => stacker::maybe_grow(64 * 1024, 1024 * 1024, || inner() + 1),
        }
    } else {
        inner()
    }
}
