//! Bounds of the encoding, and the input scope of claims within bounds.
//!
//! Key types: [`Bounds`], [`Scope`].

use dtest_sorted::SortedSet;

/// The kinds of bounds.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum BoundKind {
    /// The size of collections, [`Bounds::collection`].
    Collection,
    /// The depth of datatype values, [`Bounds::depth`].
    Depth,
    /// The number of iterations of a loop, [`Bounds::unroll`].
    Unroll,
    /// The depth of inlined calls, [`Bounds::inline`].
    Inline,
    /// The number of objects, [`Bounds::objects`].
    Objects,
    /// The number of calls, [`Bounds::calls`].
    Calls,
}

impl BoundKind {
    /// All kinds of bounds.
    pub const ALL: [Self; 6] = [
        Self::Collection,
        Self::Depth,
        Self::Unroll,
        Self::Inline,
        Self::Objects,
        Self::Calls,
    ];
}

/// The limits of values and executions in the encoding.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Bounds {
    /// The limit of elements of a collection.
    pub collection: u32,
    /// The limit of nested constructors of recursive datatypes.
    pub depth: u32,
    /// The limit of iterations of a loop.
    pub unroll: u32,
    /// The limit of nested calls of recursive functions and methods.
    pub inline: u32,
    /// The limit of objects of a class.
    pub objects: u32,
    /// The limit of copies of one callee, if the call tree is too large to inline all calls;
    /// otherwise [`Self::ALL_CALLS`].
    pub calls: u32,
    /// The limit of work of one encoding, in thousands of terms. Larger encodings are abandoned.
    pub terms: u32,
}

impl Bounds {
    /// The initial bounds of every unit.
    pub const START: Self = Self {
        collection: 2,
        depth: 2,
        unroll: 2,
        inline: 2,
        objects: 2,
        calls: Self::ALL_CALLS,
        terms: Self::TERMS,
    };
    /// The maximal bounds, at which the search for a goal gives up.
    pub const CAPS: Self = Self {
        collection: 32,
        depth: 8,
        unroll: 16,
        inline: 8,
        objects: 8,
        calls: 6,
        terms: Self::TERMS,
    };
    /// The default of `terms`. On real programs no query over an encoding of a third of this size
    /// was answered in time.
    const TERMS: u32 = 700;
    /// No limit of copies: every call is inlined.
    pub const ALL_CALLS: u32 = u32::MAX;

    /// Returns the least bounds of use, for units that are too large at others.
    #[must_use]
    pub fn least(self) -> Self {
        let least = Self {
            collection: self.collection.min(1),
            depth: self.depth.min(1),
            unroll: self.unroll.min(1),
            inline: self.inline.min(1),
            objects: self.objects.min(1),
            ..self
        };
        least.rationed()
    }

    /// Whether [`Self::least`] gives smaller bounds.
    pub fn is_above_least(&self) -> bool {
        *self != self.least()
    }

    /// Returns the bounds for a program whose calls cannot all be inlined. A loop still gets a copy
    /// for each of its iterations.
    #[must_use]
    pub fn rationed(self) -> Self {
        Self {
            calls: self.calls.min(self.unroll + 1),
            ..self
        }
    }

    /// Returns the bound of this kind.
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

    /// Whether the number of copies of a callee is limited.
    pub fn is_rationed(&self) -> bool {
        self.calls != Self::ALL_CALLS
    }

    /// Returns the bounds with some kinds raised, at most to `caps`. Cheap kinds are doubled; kinds with
    /// exponential cost grow by 2.
    pub fn raised(mut self, kinds: &SortedSet<BoundKind>, caps: &Bounds) -> Self {
        let turns = self.unroll + 1;
        for kind in kinds {
            let (value, cap) = match kind {
                BoundKind::Collection => (&mut self.collection, caps.collection),
                BoundKind::Depth => (&mut self.depth, caps.depth),
                BoundKind::Unroll => (&mut self.unroll, caps.unroll),
                BoundKind::Inline => (&mut self.inline, caps.inline),
                BoundKind::Objects => (&mut self.objects, caps.objects),
                // Every iteration of a loop may need a copy of a callee.
                BoundKind::Calls => (&mut self.calls, caps.calls.max(turns)),
            };
            *value = match kind {
                BoundKind::Collection | BoundKind::Unroll | BoundKind::Calls => {
                    value.saturating_mul(2).min(cap)
                }
                BoundKind::Depth | BoundKind::Inline | BoundKind::Objects => (*value + 2).min(cap),
            }
            .max(*value);
        }
        self
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

/// The inputs that a claim *within bounds* covers: all inputs within each of these sizes; `None` is
/// unlimited.
///
/// Such a claim is a completed enumeration: every execution from these inputs was followed to its
/// end, for all of its choices. Bounds of executions ([`Bounds::unroll`], [`Bounds::inline`],
/// [`Bounds::calls`]) are not part of it: nothing is claimed of an execution that is cut at one of
/// them.
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
    /// The limit of elements of a collection.
    pub collection: Option<u32>,
    /// The limit of nested constructors of recursive datatypes.
    pub depth: Option<u32>,
    /// The limit of objects of a class.
    pub objects: Option<u32>,
    /// The limit of the magnitude of an integer.
    pub numbers: Option<u32>,
}

impl Scope {
    /// Returns the scope of the inputs within the bounds of the given kinds, with integers up to
    /// the given magnitude.
    pub fn of(bounds: &Bounds, kinds: &SortedSet<BoundKind>, numbers: Option<u32>) -> Self {
        let size = |kind: BoundKind| kinds.contains(&kind).then(|| bounds.of(kind));
        Self {
            collection: size(BoundKind::Collection),
            depth: size(BoundKind::Depth),
            objects: size(BoundKind::Objects),
            numbers,
        }
    }

    /// Returns the kinds of bounds that limit the inputs.
    pub fn kinds(&self) -> SortedSet<BoundKind> {
        let sizes = [
            (BoundKind::Collection, self.collection),
            (BoundKind::Depth, self.depth),
            (BoundKind::Objects, self.objects),
        ];
        let limiting = sizes.into_iter().filter(|(_, size)| size.is_some());
        limiting.map(|(kind, _)| kind).collect()
    }

    /// Returns the least `--max-size` that raises one of the sizes. `None` if no size limits the
    /// inputs.
    ///
    /// The option also raises the depth of datatypes and the number of objects, by a quarter of the
    /// size.
    pub fn least_larger_size(&self) -> Option<u32> {
        let of_quarter = |n: u32| n.saturating_add(1).saturating_mul(4);
        let raised = [
            self.collection.map(|n| n.saturating_add(1)),
            self.depth.map(of_quarter),
            self.objects.map(of_quarter),
        ];
        raised.into_iter().flatten().min()
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
