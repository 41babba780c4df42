//! How far the encoding goes before it crosses a bound.

use super::BoundKind;

/// How far values and executions may go in the encoding.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Bounds {
    /// Elements of a collection.
    pub collection: u32,
    /// Nesting of constructors of recursive datatypes.
    pub depth: u32,
    /// Iterations of a loop.
    pub unroll: u32,
    /// Nesting of calls of recursive functions and methods.
    pub inline: u32,
    /// Objects of a class.
    pub objects: u32,
    /// Copies of one callee, where the tree of calls is too large to follow all of them; else [`Self::ALL_CALLS`].
    pub calls: u32,
}

impl Bounds {
    /// Where every unit starts.
    pub const START: Self = Self {
        collection: 2,
        depth: 2,
        unroll: 2,
        inline: 2,
        objects: 2,
        calls: Self::ALL_CALLS,
    };
    /// Where a goal is given up.
    pub const CAPS: Self = Self {
        collection: 32,
        depth: 8,
        unroll: 16,
        inline: 8,
        objects: 8,
        calls: 6,
    };
    /// Every call is followed.
    pub const ALL_CALLS: u32 = u32::MAX;

    /// The same where not every call can be followed; a loop still finds a copy for each of its turns.
    #[must_use]
    pub fn rationed(self) -> Self {
        Self {
            calls: self.calls.min(self.unroll + 1),
            ..self
        }
    }

    /// The bound of a kind.
    pub fn of(&self, kind: BoundKind) -> u32 {
        match kind {
            BoundKind::Collection => self.collection,
            BoundKind::Depth => self.depth,
            BoundKind::Unroll => self.unroll,
            BoundKind::Inline => self.inline,
            BoundKind::Objects => self.objects,
            BoundKind::Calls => self.calls,
        }
    }

    /// Whether calls are left out where the tree of calls is large.
    pub fn is_rationed(&self) -> bool {
        self.calls != Self::ALL_CALLS
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            collection,
            depth,
            unroll,
            inline,
            objects,
            calls,
        } = self;
        write!(
            f,
            "collections {collection}, depth {depth}, loops {unroll}, recursion {inline}, objects {objects}"
        )?;
        if *calls == Self::ALL_CALLS {
            Ok(())
        } else {
            write!(f, ", copies of a callee {calls}")
        }
    }
}
