//! Dafny's `seq`: persistent sequences that grow in amortised constant time.

mod buffer;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;
use std::ops::Index;

use buffer::Buffer;

use crate::chars::{Char, Char16};
use crate::forward::forward_binary;
use crate::int::Int;
use crate::multiset::Multiset;
use crate::native::{ToIndex, position, slice_bounds};
use crate::print::{Character, DafnyPrint};
use crate::rc::{Rc, nested};
use crate::set::Set;
use crate::value::{DafnyDefault, Value};

/// A sequence. Copies and slices share the elements and take constant time; adding an element at
/// either end of the longest sequence that shares them takes amortized constant time. Rust's order
/// is lexicographic; Dafny's `<=` is [`is_prefix_of`](Seq::is_prefix_of).
pub struct Seq<T> {
    /// `None` in the empty sequence.
    buffer: Option<Rc<Buffer<T>>>,
    start: usize,
    end: usize,
}

/// The string of a literal.
pub fn str(text: &str) -> Seq<Char> {
    text.chars().map(Char).collect()
}

/// The string of a literal with `--unicode-char:false`: its UTF-16 code units.
pub fn str16(text: &str) -> Seq<Char16> {
    text.encode_utf16().map(Char16).collect()
}

impl<T: 'static> Seq<T> {
    /// Dafny's `seq(length, f)`; panics if the length is negative.
    pub fn init(length: impl ToIndex, mut f: impl FnMut(&Int) -> T) -> Seq<T> {
        let size = length
            .to_index()
            .unwrap_or_else(|| panic!("seq of length {}", length.index_as_int()));
        (0..size).map(|index| f(&Int::from(index))).collect()
    }

    /// Dafny's `s[4 : 2 : 3]`: consecutive slices of these lengths; panics if they are longer than
    /// the sequence.
    pub fn slices<I: ToIndex>(&self, lengths: impl IntoIterator<Item = I>) -> Seq<Seq<T>> {
        let mut rest = self.clone();
        let cut = |length: I| {
            let piece = rest.take(&length);
            rest = rest.skip(&length);
            piece
        };
        lengths.into_iter().map(cut).collect()
    }
}

impl<T> Seq<T> {
    /// `[]`
    pub const fn new() -> Seq<T> {
        Seq {
            buffer: None,
            start: 0,
            end: 0,
        }
    }

    /// Dafny's `|s|`.
    pub fn len(&self) -> Int {
        Int::from(self.size())
    }

    /// The number of elements as Rust counts them.
    pub fn size(&self) -> usize {
        self.end - self.start
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The elements in order.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self.cells().iter())
    }

    /// The element at a position, if there is one.
    pub fn find(&self, index: impl ToIndex) -> Option<&T> {
        self.cells().get(index.to_index()?)?.get()
    }

    /// The first element.
    pub fn first(&self) -> Option<&T> {
        self.iter().next()
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.iter().next_back()
    }

    /// Dafny's `s[lo .. hi]`; panics unless `0 <= lo <= hi <= |s|`.
    pub fn slice(&self, lo: impl ToIndex, hi: impl ToIndex) -> Seq<T> {
        let (lo, hi) = slice_bounds(&lo, &hi, self.size(), "a sequence");
        if lo == hi {
            return Seq::new();
        }
        Seq {
            buffer: self.buffer.clone(),
            start: self.start + lo,
            end: self.start + hi,
        }
    }

    /// Dafny's `s[.. hi]`.
    pub fn take(&self, hi: impl ToIndex) -> Seq<T> {
        self.slice(0, hi)
    }

    /// Dafny's `s[lo ..]`.
    pub fn skip(&self, lo: impl ToIndex) -> Seq<T> {
        self.slice(lo, self.size())
    }

    fn cells(&self) -> &[std::cell::OnceCell<T>] {
        match &self.buffer {
            Some(buffer) => buffer.cells(self.start, self.end),
            None => &[],
        }
    }
}

impl<T: 'static + Clone> Seq<T> {
    /// Dafny's `s[index]`; panics if the index is out of range. `&s[index]` gives the element in
    /// place.
    pub fn get(&self, index: impl ToIndex) -> T {
        self[index].clone()
    }

    /// Dafny's `s[index := value]`; panics if the index is out of range.
    pub fn update(&self, index: impl ToIndex, value: T) -> Seq<T> {
        let changed = position(&index, self.size(), "a sequence");
        let mut value = Some(value);
        self.iter()
            .enumerate()
            .map(|(at, old)| {
                if at == changed {
                    value.take().unwrap_or_else(|| old.clone())
                } else {
                    old.clone()
                }
            })
            .collect()
    }

    /// Dafny's `s + right`.
    pub fn concat(&self, right: &Seq<T>) -> Seq<T> {
        let (Some(head), Some(tail)) = (&self.buffer, &right.buffer) else {
            return if self.is_empty() {
                right.clone()
            } else {
                self.clone()
            };
        };
        if right.size() <= self.size() {
            if let Some(end) = head.append(self.end, right.iter()) {
                return Seq {
                    buffer: Some(Rc::clone(head)),
                    start: self.start,
                    end,
                };
            }
        } else if let Some(start) = tail.prepend(right.start, self.iter()) {
            return Seq {
                buffer: Some(Rc::clone(tail)),
                start,
                end: right.end,
            };
        }
        let (buffer, start) = Buffer::grown(self.iter(), right.iter());
        Seq {
            buffer: Some(Rc::new(buffer)),
            start,
            end: start + self.size() + right.size(),
        }
    }

    /// `s + [value]`
    pub fn with(&self, value: T) -> Seq<T> {
        self.concat(&Seq::from(vec![value]))
    }

    /// The elements in a vector.
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().cloned().collect()
    }
}

impl<T: PartialEq> Seq<T> {
    /// Dafny's `value in s`.
    pub fn contains(&self, value: &T) -> bool {
        self.iter().any(|element| element == value)
    }

    /// Dafny's `s <= other`.
    pub fn is_prefix_of(&self, other: &Seq<T>) -> bool {
        self.size() <= other.size() && self.iter().eq(other.iter().take(self.size()))
    }

    /// Dafny's `s < other`.
    pub fn is_proper_prefix_of(&self, other: &Seq<T>) -> bool {
        self.size() < other.size() && self.is_prefix_of(other)
    }
}

impl<T: Value> Seq<T> {
    /// Dafny's `multiset(s)`.
    pub fn to_multiset(&self) -> Multiset<T> {
        self.iter().cloned().collect()
    }

    /// `set x | x in s`
    pub fn to_set(&self) -> Set<T> {
        self.iter().cloned().collect()
    }
}

impl<C: Character> Seq<C> {
    /// The text of a string.
    pub fn text(&self) -> String {
        C::text(&mut self.iter())
    }
}

forward_binary!([T: Clone + 'static] Seq<T>: Add add, AddAssign add_assign = Seq::concat);

impl<T, I: ToIndex> Index<I> for Seq<T> {
    type Output = T;
    fn index(&self, index: I) -> &T {
        let at = position(&index, self.size(), "a sequence");
        match self.find(at) {
            Some(element) => element,
            None => unreachable!("every cell between the ends of a sequence is filled"),
        }
    }
}

impl<T> Clone for Seq<T> {
    fn clone(&self) -> Seq<T> {
        Seq {
            buffer: self.buffer.clone(),
            start: self.start,
            end: self.end,
        }
    }
}

impl<T> Default for Seq<T> {
    fn default() -> Seq<T> {
        Seq::new()
    }
}

impl<T> DafnyDefault for Seq<T> {
    fn dafny_default() -> Seq<T> {
        Seq::new()
    }
}

impl<T: 'static> From<Vec<T>> for Seq<T> {
    fn from(elements: Vec<T>) -> Seq<T> {
        if elements.is_empty() {
            return Seq::new();
        }
        let end = elements.len();
        Seq {
            buffer: Some(Rc::new(Buffer::full(elements))),
            start: 0,
            end,
        }
    }
}

impl<T: 'static> FromIterator<T> for Seq<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Seq<T> {
        Seq::from(Vec::from_iter(elements))
    }
}

impl<T: PartialEq> PartialEq for Seq<T> {
    fn eq(&self, other: &Seq<T>) -> bool {
        self.size() == other.size() && nested(|| self.iter().eq(other.iter()))
    }
}

impl<T: Eq> Eq for Seq<T> {}

impl<T: PartialOrd> PartialOrd for Seq<T> {
    fn partial_cmp(&self, other: &Seq<T>) -> Option<Ordering> {
        nested(|| self.iter().partial_cmp(other.iter()))
    }
}

impl<T: Ord> Ord for Seq<T> {
    fn cmp(&self, other: &Seq<T>) -> Ordering {
        nested(|| self.iter().cmp(other.iter()))
    }
}

impl<T: DafnyPrint> DafnyPrint for Seq<T> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        nested(|| T::fmt_seq(&mut self.iter(), f))
    }
}

impl<T: DafnyPrint> fmt::Debug for Seq<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_dafny(f)
    }
}

/// The elements of a sequence in order.
pub struct Iter<'a, T>(std::slice::Iter<'a, std::cell::OnceCell<T>>);

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        self.0.next()?.get()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()?.get()
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

impl<'a, T> IntoIterator for &'a Seq<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

/// The elements of a sequence in order, copied.
pub struct IntoIter<T>(Seq<T>);

impl<T: Clone> Iterator for IntoIter<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        let first = self.0.first()?.clone();
        self.0.start += 1;
        Some(first)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.size(), Some(self.0.size()))
    }
}

impl<T: Clone> ExactSizeIterator for IntoIter<T> {}

impl<T: Clone> IntoIterator for Seq<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self)
    }
}
