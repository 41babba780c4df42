//! The state of objects in reports: `Counter#1 { limit: 9, next: Counter#2 { limit: 9, next:
//! Counter#1 } }`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

/// Maximum number of objects whose fields are shown in one value; others are shown by their
/// identity.
const MAX_SHOWN: usize = 32;

thread_local! {
    /// The objects whose fields were shown, if fields are to be shown.
    static SHOWN: RefCell<Option<BTreeSet<u64>>> = const { RefCell::new(None) };
}

/// Runs `write` in a mode in which the alternate form of a value shows every object with its
/// fields, once, at its first occurrence.
pub(crate) fn with_state<R>(write: impl FnOnce() -> R) -> R {
    struct Restore(Option<BTreeSet<u64>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            SHOWN.set(self.0.take());
        }
    }
    let _restore = Restore(SHOWN.replace(Some(BTreeSet::new())));
    write()
}

/// Writes the fields of an object, ` { name: value }`, if they are to be shown and were not shown
/// yet.
pub(super) fn fmt_fields(
    identity: u64,
    fields: impl FnOnce() -> Vec<String>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let is_first = SHOWN.with_borrow_mut(|shown| {
        shown
            .as_mut()
            .is_some_and(|s| s.len() < MAX_SHOWN && s.insert(identity))
    });
    match if is_first { fields() } else { Vec::new() }.as_slice() {
        [] => Ok(()),
        fields => write!(f, " {{ {} }}", fields.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::with_state;
    use crate::prelude::*;

    struct Node {
        limit: Int,
        next: Field<Ref<Node>>,
    }

    impl Object for Node {
        fn class_name(&self) -> &'static str {
            "_module.Node"
        }
        fn fields(&self, fields: &mut Fields<'_>) {
            fields.constant("limit", &self.limit);
            fields.field("next", &self.next);
        }
    }

    fn node(limit: i32, next: Ref<Node>) -> Ref<Node> {
        Ref::new(Node {
            limit: int(limit),
            next: Field::new(next),
        })
    }

    /// Formats the state, with objects numbered relative to the first one.
    fn state(value: &impl DafnyPrint, first: &Ref<Node>) -> String {
        let shown = with_state(|| format!("{:#}", shown(value)));
        (0..40).rev().fold(shown, |text, i| {
            text.replace(
                &format!("#{}", first.identity() + i),
                &format!("#{}", i + 1),
            )
        })
    }

    #[test]
    fn each_object_is_shown_once_with_its_fields() {
        let a = node(9, Ref::null());
        let b = node(7, a.clone());
        a.next.set(b.clone());
        assert_eq!(
            state(&a, &a),
            "Node#1 { limit: 9, next: Node#2 { limit: 7, next: Node#1 } }"
        );
        assert_eq!(
            state(&seq![b, a.clone()], &a),
            "[Node#2 { limit: 7, next: Node#1 { limit: 9, next: Node#2 } }, Node#1]"
        );
        let unassigned = Ref::new(Node {
            limit: int(0),
            next: Field::unassigned(),
        });
        assert_eq!(
            state(&unassigned, &unassigned),
            "Node#1 { limit: 0, next: unassigned }"
        );
    }

    #[test]
    fn elsewhere_the_object_is_identified() {
        let a = node(9, Ref::null());
        assert_eq!(format!("{:#}", shown(&a)), format!("Node#{}", a.identity()));
        assert_eq!(to_dafny_string(&a), "_module.Node");
    }

    #[test]
    fn of_many_objects_some_are_shown() {
        let nodes: Vec<_> = (0..40).map(|i| node(i, Ref::null())).collect();
        let all: Seq<Ref<Node>> = nodes.into_iter().collect();
        let text = with_state(|| format!("{:#}", shown(&all)));
        assert_eq!(
            (text.matches("limit").count(), text.matches("Node#").count()),
            (32, 40)
        );
    }
}
