//! The elements of an array with the lengths of its dimensions.

use std::ops::{Deref, DerefMut};

/// The elements of an array, in row-major order.
///
/// Invariant: there are as many elements as the product of the dimensions' lengths. The fields are private and elements are
/// only reachable as a slice, so that neither can change without the other.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Unchecked<T>")]
pub struct Elements<T> {
    dims: Vec<usize>,
    elements: Vec<T>,
}

/// Elements as they are stored in results of earlier runs, which may be damaged.
#[derive(serde::Deserialize)]
struct Unchecked<T> {
    dims: Vec<usize>,
    elements: Vec<T>,
}

impl<T> Elements<T> {
    /// An array of the given lengths; `None` if they ask for another number of elements.
    pub fn new(dims: Vec<usize>, elements: Vec<T>) -> Option<Self> {
        (product(&dims) == Some(elements.len())).then_some(Self { dims, elements })
    }

    /// An array of one dimension.
    pub fn row(elements: Vec<T>) -> Self {
        Self {
            dims: vec![elements.len()],
            elements,
        }
    }

    /// An array all of whose elements are the given one; `None` if there are more than `most`.
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

    /// The length of each dimension.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// An array of the same lengths, of what `change` makes of each element; `None` if it makes nothing of one.
    pub fn try_map<U>(&self, change: impl FnMut(&T) -> Option<U>) -> Option<Elements<U>> {
        Some(Elements {
            dims: self.dims.clone(),
            elements: self.elements.iter().map(change).collect::<Option<_>>()?,
        })
    }

    /// An array of the same lengths, of what `change` makes of each element.
    pub fn map<U>(&self, change: impl FnMut(&T) -> U) -> Elements<U> {
        Elements {
            dims: self.dims.clone(),
            elements: self.elements.iter().map(change).collect(),
        }
    }
}

/// The number of elements of an array; `None` if it does not fit.
fn product(dims: &[usize]) -> Option<usize> {
    // A length of zero makes the array empty, however large the others are.
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
