//! The elements of an array, with the lengths of its dimensions.

use std::ops::{Deref, DerefMut};

/// The elements of an array, in row-major order.
///
/// Invariant: the number of elements is the product of the lengths. The fields are private and
/// elements are only accessible as a slice, so that neither can change alone.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Unchecked<T>")]
pub struct Elements<T> {
    dims: Vec<usize>,
    elements: Vec<T>,
}

/// Elements as stored in cached results, which may be damaged.
#[derive(serde::Deserialize)]
struct Unchecked<T> {
    dims: Vec<usize>,
    elements: Vec<T>,
}

impl<T> Elements<T> {
    /// Creates an array with these lengths; `None` if the number of elements does not match.
    pub fn new(dims: Vec<usize>, elements: Vec<T>) -> Option<Self> {
        (product(&dims) == Some(elements.len())).then_some(Self { dims, elements })
    }

    /// Creates an array of one dimension.
    pub fn row(elements: Vec<T>) -> Self {
        Self {
            dims: vec![elements.len()],
            elements,
        }
    }

    /// Creates an array of equal elements; `None` if there are more than `most`.
    pub fn filled(dims: Vec<usize>, element: T, most: usize) -> Option<Self>
    where
        T: Clone,
    {
        let size = product(&dims).filter(|n| *n <= most)?;
        Some(Self {
            elements: vec![element; size],
            dims,
        })
    }

    /// Returns the length of each dimension.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Applies `change` to all elements; `None` if it returns `None` for one.
    pub fn try_map<U>(&self, change: impl FnMut(&T) -> Option<U>) -> Option<Elements<U>> {
        Some(Elements {
            dims: self.dims.clone(),
            elements: self.elements.iter().map(change).collect::<Option<_>>()?,
        })
    }

    /// Applies `change` to all elements.
    pub fn map<U>(&self, change: impl FnMut(&T) -> U) -> Elements<U> {
        Elements {
            dims: self.dims.clone(),
            elements: self.elements.iter().map(change).collect(),
        }
    }
}

/// Returns the number of elements; `None` if it does not fit in a `usize`.
fn product(dims: &[usize]) -> Option<usize> {
    // A length of zero makes the array empty, whatever the other lengths are.
    if dims.contains(&0) {
        return Some(0);
    }
    dims.iter().try_fold(1usize, |n, d| n.checked_mul(*d))
}

impl<T> TryFrom<Unchecked<T>> for Elements<T> {
    type Error = &'static str;

    fn try_from(stored: Unchecked<T>) -> Result<Self, Self::Error> {
        Self::new(stored.dims, stored.elements)
            .ok_or("an array whose lengths and elements disagree")
    }
}

impl<T> Deref for Elements<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.elements
    }
}

impl<T> DerefMut for Elements<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.elements
    }
}

#[cfg(test)]
mod tests {
    use super::{Elements, Unchecked};

    #[test]
    fn an_array_has_as_many_elements_as_its_lengths_say() {
        assert!(Elements::new(vec![2, 3], vec![0; 6]).is_some());
        assert!(Elements::new(vec![2, 3], vec![0; 5]).is_none());
        assert!(Elements::new(vec![10], vec![0; 9]).is_none());
        assert!(Elements::<u8>::new(vec![usize::MAX, 3], Vec::new()).is_none());
        assert!(Elements::<u8>::new(vec![usize::MAX, 3, 0], Vec::new()).is_some());
        assert_eq!(Elements::row(vec![1, 2]).dims(), [2]);
        assert!(Elements::filled(vec![1 << 40, 1 << 40], 0u8, 1000).is_none());
    }

    #[test]
    fn a_stored_array_that_disagrees_is_not_read() {
        let stored = Unchecked {
            dims: vec![3],
            elements: vec![1, 2],
        };
        assert!(Elements::try_from(stored).is_err());
    }
}
