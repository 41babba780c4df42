//! A deterministic pseudo-random number generator: the same seed gives the same results on every
//! machine.

/// A xorshift generator with 64 bits of state (Marsaglia, *Xorshift RNGs*, 2003).
#[derive(Clone, Debug)]
pub struct Xorshift(u64);

impl Xorshift {
    /// The usual initial state: the bits of the golden ratio.
    pub const START: u64 = 0x9E37_79B9_7F4A_7C15;

    /// A generator with an initial state. Zero is replaced, because the sequence would stay zero.
    pub fn new(state: u64) -> Self {
        Self(if state == 0 { Self::START } else { state })
    }

    /// The next number.
    #[allow(
        clippy::should_implement_trait,
        reason = "the sequence has no end, so that it is no iterator"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16)
            .checked_rem(n as u64)
            .map_or(0, |r| r as usize)
    }

    /// A random truth value.
    pub fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    /// A random element, or `None` if there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// A random element of the first list, if it has any, or of the second, with equal probability
    /// for the lists.
    pub fn pick_near<'a, T>(&mut self, [near, far]: &'a [Vec<T>; 2]) -> Option<&'a T> {
        let from = if self.flip() && !near.is_empty() {
            near
        } else {
            far
        };
        self.pick(from)
    }
}
