//! How far the encoding goes before it crosses a bound.

use super::BoundKind;
use dtest_sorted::SortedSet;

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
    /// Work of one encoding, in thousands of terms: beyond, it is given up.
    pub terms: u32,
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
        terms: Self::TERMS,
    };
    /// Where a goal is given up.
    pub const CAPS: Self = Self {
        collection: 32,
        depth: 8,
        unroll: 16,
        inline: 8,
        objects: 8,
        calls: 6,
        terms: Self::TERMS,
    };
    /// On real programs no query was answered in time over an encoding that cost a third of it.
    const TERMS: u32 = 700;
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
            terms: _,
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

/// The inputs that a claim *within bounds* is about: all that are within each of these sizes, and all others where a size is `None`.
///
/// Such a claim is an enumeration that was completed: every execution from these inputs was followed to its end, whatever it chooses.
/// Bounds of executions ([`Bounds::unroll`], [`Bounds::inline`], [`Bounds::calls`]) are no part of it: an execution that is cut at one of
/// them is not known, and neither is what rests on it.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
)]
pub struct Scope {
    /// Elements of a collection.
    pub collection: Option<u32>,
    /// Nesting of constructors of recursive datatypes.
    pub depth: Option<u32>,
    /// Objects of a class.
    pub objects: Option<u32>,
    /// Magnitude of an integer.
    pub numbers: Option<u32>,
}

impl Scope {
    /// The inputs within bounds of the given kinds, with integers of that magnitude.
    pub fn of(bounds: &Bounds, kinds: &SortedSet<BoundKind>, numbers: Option<u32>) -> Self {
        let size = |kind: BoundKind| kinds.contains(&kind).then(|| bounds.of(kind));
        Self {
            collection: size(BoundKind::Collection),
            depth: size(BoundKind::Depth),
            objects: size(BoundKind::Objects),
            numbers,
        }
    }

    /// The kinds of bounds that limit the inputs.
    pub fn kinds(&self) -> SortedSet<BoundKind> {
        let sizes = [
            (BoundKind::Collection, self.collection),
            (BoundKind::Depth, self.depth),
            (BoundKind::Objects, self.objects),
        ];
        let limiting = sizes.into_iter().filter(|(_, size)| size.is_some());
        limiting.map(|(kind, _)| kind).collect()
    }
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = [
            ("collections", self.collection),
            ("depth", self.depth),
            ("objects", self.objects),
        ];
        let sizes = named
            .into_iter()
            .filter_map(|(name, size)| Some(format!("{name} {}", size?)));
        let numbers = self.numbers.map(|n| format!("integers -{n} to {n}"));
        let all: Vec<String> = sizes.chain(numbers).collect();
        match all.is_empty() {
            true => f.write_str("all inputs"),
            false => f.write_str(&all.join(", ")),
        }
    }
}
