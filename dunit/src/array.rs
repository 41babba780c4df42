//! Dafny's arrays of one or more dimensions: objects with an identity, whose elements can be
//! assigned.

use std::cmp::Ordering;
use std::fmt;

use crate::heap::{Fields, Versioned, next_identity};
use crate::int::Int;
use crate::native::{ToIndex, position, slice_bounds};
use crate::print::DafnyPrint;
use crate::rc::Rc;
use crate::seq::Seq;
use crate::value::{DafnyDefault, Value};

/// An array of `D` dimensions, or null. Arrays are equal if they are the same array; they are
/// ordered by allocation, null first. The indices of [`get`](ArrayN::get) and [`set`](ArrayN::set)
/// are one index or a tuple of `D`.
pub struct ArrayN<T, const D: usize>(Option<Rc<Allocated<T, D>>>);

/// `array<T>`
pub type Array<T> = ArrayN<T, 1>;
/// `array2<T>`
pub type Array2<T> = ArrayN<T, 2>;
/// `array3<T>`
pub type Array3<T> = ArrayN<T, 3>;
/// `array4<T>`
pub type Array4<T> = ArrayN<T, 4>;
/// `array5<T>`
pub type Array5<T> = ArrayN<T, 5>;
/// `array6<T>`
pub type Array6<T> = ArrayN<T, 6>;
/// `array7<T>`
pub type Array7<T> = ArrayN<T, 7>;
/// `array8<T>`
pub type Array8<T> = ArrayN<T, 8>;

/// The elements are in row-major order.
struct Allocated<T, const D: usize> {
    identity: u64,
    lengths: [usize; D],
    elements: Versioned<Vec<T>>,
}

impl<T: 'static, const D: usize> ArrayN<T, D> {
    /// Dafny's `new T[n, m](f)`: calls `f` with the indices in row-major order.
    pub fn init_with(lengths: [Int; D], mut f: impl FnMut(&[Int; D]) -> T) -> Self {
        let sizes = sizes(&lengths);
        let mut elements = Vec::new();
        let mut indices = [0usize; D];
        // The number of elements is the product of the lengths, so an array with an empty dimension
        // has none.
        for _ in 0..sizes.iter().product() {
            elements.push(f(&indices.map(Int::from)));
            for (index, length) in indices.iter_mut().zip(&sizes).rev() {
                *index += 1;
                if *index < *length {
                    break;
                }
                *index = 0;
            }
        }
        Self::allocate(sizes, elements)
    }

    /// Dafny's `new T[n, m]` of a type without a default value; panics unless one of the lengths is
    /// 0, which the program has to prove (reference manual, section 12.6).
    pub fn without_elements(lengths: [Int; D]) -> Self {
        let sizes = sizes(&lengths);
        assert!(
            sizes.contains(&0),
            "an array whose elements have no initial values must be empty"
        );
        Self::allocate(sizes, Vec::new())
    }

    fn allocate(lengths: [usize; D], elements: Vec<T>) -> Self {
        ArrayN(Some(Rc::new(Allocated {
            identity: next_identity(),
            lengths,
            elements: Versioned::new(elements),
        })))
    }
}

impl<T, const D: usize> ArrayN<T, D> {
    /// `null`
    pub const fn null() -> Self {
        ArrayN(None)
    }

    /// Whether the reference is null.
    pub fn is_null(&self) -> bool {
        self.0.is_none()
    }

    /// The number of the array among objects, counted from 1 in order of allocation; 0 is null.
    pub fn identity(&self) -> u64 {
        self.0.as_ref().map_or(0, |shared| shared.identity)
    }

    /// Dafny's `a.Length0`, `a.Length1` …; panics if there is no such dimension.
    pub fn length(&self, dimension: usize) -> Int {
        match self.allocated().lengths.get(dimension) {
            Some(length) => Int::from(*length),
            None => panic!("an array of {D} dimensions has no dimension {dimension}"),
        }
    }

    fn allocated(&self) -> &Allocated<T, D> {
        match &self.0 {
            Some(shared) => shared,
            None => panic!("null dereference"),
        }
    }
}

impl<T: 'static + Clone, const D: usize> ArrayN<T, D> {
    /// An array whose elements are given later, by [`fill`](ArrayN::fill). Objects that lead back to
    /// the array can refer to it before.
    pub fn unfilled(lengths: [usize; D]) -> Self {
        Self::allocate(lengths, Vec::new())
    }

    /// Replaces all elements, in row-major order; panics if their number is another one.
    pub fn fill(&self, elements: Vec<T>) {
        let allocated = self.allocated();
        let count: usize = allocated.lengths.iter().product();
        assert!(elements.len() == count, "an array of {count} elements");
        // The old elements are dropped after the borrow ends, because their drop may access the array.
        let old = allocated
            .elements
            .write(|all| std::mem::replace(all, elements));
        drop(old);
    }

    /// Dafny's `new T[n, m]` of a type with a default value.
    pub fn of_default(lengths: [Int; D]) -> Self
    where
        T: DafnyDefault,
    {
        let sizes = sizes(&lengths);
        let count = sizes.iter().product();
        Self::allocate(
            sizes,
            std::iter::repeat_with(T::dafny_default)
                .take(count)
                .collect(),
        )
    }

    /// Dafny's `a[i, j]`; panics if an index is out of range.
    pub fn get(&self, indices: impl ArrayIndex<D>) -> T {
        let allocated = self.allocated();
        let at = indices.offset(&allocated.lengths);
        match allocated
            .elements
            .read(|elements| elements.get(at).cloned())
        {
            Some(element) => element,
            None => panic!("offset {at} is out of range of an array"),
        }
    }

    /// The elements, in row-major order; for one dimension it is Dafny's `a[..]`.
    pub fn to_seq(&self) -> Seq<T> {
        Seq::from(self.allocated().elements.read(Vec::clone))
    }

    /// Dafny's `a[i, j] := value`; panics if an index is out of range.
    pub fn set(&self, indices: impl ArrayIndex<D>, value: T) {
        let allocated = self.allocated();
        let at = indices.offset(&allocated.lengths);
        // The old value is dropped after the borrow ends, because its drop may access the array.
        let replace = |elements: &mut Vec<T>| {
            elements
                .get_mut(at)
                .map(|element| std::mem::replace(element, value))
        };
        drop(allocated.elements.write(replace));
    }
}

impl<T: Value, const D: usize> ArrayN<T, D> {
    /// Reports the elements that have changed.
    pub(crate) fn look_at_elements(&self, fields: &mut Fields<'_>) {
        let Some(allocated) = &self.0 else { return };
        let mut indices = [0usize; D];
        let places = std::iter::repeat_with(|| {
            let place = format!("{indices:?}");
            for (index, length) in indices.iter_mut().zip(&allocated.lengths).rev() {
                *index += 1;
                if *index < *length {
                    break;
                }
                *index = 0;
            }
            place
        });
        fields.elements(|| allocated.elements.read(Vec::clone), places);
    }
}

impl<T: 'static + Clone> Array<T> {
    /// An array of these elements.
    pub fn of(elements: impl IntoIterator<Item = T>) -> Array<T> {
        let elements: Vec<T> = elements.into_iter().collect();
        Self::allocate([elements.len()], elements)
    }

    /// Dafny's `new T[n](f)`; panics if the length is negative.
    pub fn init(length: impl ToIndex, mut f: impl FnMut(&Int) -> T) -> Array<T> {
        Self::init_with([length.index_as_int()], |[index]| f(index))
    }

    /// Dafny's `a.Length`.
    pub fn len(&self) -> Int {
        Int::from(self.size())
    }

    /// The number of elements as Rust counts them.
    pub fn size(&self) -> usize {
        let [length] = self.allocated().lengths;
        length
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.size() == 0
    }

    /// Dafny's `a[lo .. hi]`; panics unless `0 <= lo <= hi <= a.Length`.
    pub fn slice(&self, lo: impl ToIndex, hi: impl ToIndex) -> Seq<T> {
        let (lo, hi) = slice_bounds(&lo, &hi, self.size(), "an array");
        self.allocated()
            .elements
            .read(|elements| elements.iter().take(hi).skip(lo).cloned().collect())
    }

    /// Dafny's `a[.. hi]`.
    pub fn take(&self, hi: impl ToIndex) -> Seq<T> {
        self.slice(0, hi)
    }

    /// Dafny's `a[lo ..]`.
    pub fn skip(&self, lo: impl ToIndex) -> Seq<T> {
        self.slice(lo, self.size())
    }
}

fn sizes<const D: usize>(lengths: &[Int; D]) -> [usize; D] {
    lengths.clone().map(|length| {
        length
            .to_usize()
            .unwrap_or_else(|| panic!("array of length {length}"))
    })
}

/// The indices of an element of an array of `D` dimensions.
pub trait ArrayIndex<const D: usize> {
    /// The position in row-major order; panics if an index is out of range.
    fn offset(&self, lengths: &[usize; D]) -> usize;
}

impl<I: ToIndex> ArrayIndex<1> for I {
    fn offset(&self, [length]: &[usize; 1]) -> usize {
        position(self, *length, "an array")
    }
}

macro_rules! array_index {
    ($dimensions:literal: $($I:ident $at:tt),*) => {
        impl<$($I: ToIndex),*> ArrayIndex<$dimensions> for ($($I,)*) {
            fn offset(&self, lengths: &[usize; $dimensions]) -> usize {
                let mut offset = 0;
                $(offset = offset * lengths[$at] + position(&self.$at, lengths[$at], "an array's dimension");)*
                offset
            }
        }
    };
}

array_index!(2: I 0, J 1);
array_index!(3: I 0, J 1, K 2);
array_index!(4: I 0, J 1, K 2, L 3);
array_index!(5: I 0, J 1, K 2, L 3, M 4);
array_index!(6: I 0, J 1, K 2, L 3, M 4, N 5);
array_index!(7: I 0, J 1, K 2, L 3, M 4, N 5, O 6);
array_index!(8: I 0, J 1, K 2, L 3, M 4, N 5, O 6, P 7);

impl<T, const D: usize> Clone for ArrayN<T, D> {
    fn clone(&self) -> Self {
        ArrayN(self.0.clone())
    }
}

/// The initial value of `array<T>`, which is not null; that of `array?<T>` is [`ArrayN::null`].
impl<T: 'static, const D: usize> DafnyDefault for ArrayN<T, D> {
    fn dafny_default() -> Self {
        Self::allocate([0; D], Vec::new())
    }
}

impl<T, const D: usize> PartialEq for ArrayN<T, D> {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl<T, const D: usize> Eq for ArrayN<T, D> {}

impl<T, const D: usize> PartialOrd for ArrayN<T, D> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T, const D: usize> Ord for ArrayN<T, D> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

/// Dafny's printed form of arrays depends on the target language; here it is `array` or `array2`,
/// and in messages the elements too.
impl<T: DafnyPrint, const D: usize> DafnyPrint for ArrayN<T, D> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(allocated) = &self.0 else {
            return f.write_str("null");
        };
        f.write_str("array")?;
        if D != 1 {
            write!(f, "{D}")?;
        }
        if f.alternate() {
            if D != 1 {
                f.write_str("(")?;
                crate::print::fmt_separated(&mut allocated.lengths.iter(), f)?;
                f.write_str(")")?;
            }
            allocated
                .elements
                .read(|elements| T::fmt_seq(&mut elements.iter(), f))?;
        }
        Ok(())
    }
}

impl<T: DafnyPrint, const D: usize> fmt::Debug for ArrayN<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", crate::print::Shown(self))
    }
}

#[cfg(test)]
mod tests {
    use crate::heap::Snapshot;
    use crate::{Array, Array2, DafnyDefault, Int, int, seq, shown, to_dafny_string};

    #[test]
    fn elements_can_be_assigned_and_are_shared() {
        let a = Array::init(3, |i| i * int(10));
        let b = a.clone();
        b.set(int(1), int(7));
        assert_eq!(a, b);
        assert_eq!(a.to_seq(), seq![int(0), int(7), int(20)]);
        assert_eq!(a.slice(1, 3), seq![int(7), int(20)]);
        assert_ne!(a, Array::of(a.to_seq()));
    }

    #[test]
    fn the_last_index_runs_fastest() {
        let a = Array2::init_with([int(2), int(3)], |[i, j]| i * int(10) + j);
        assert_eq!((a.length(0), a.length(1)), (int(2), int(3)));
        assert_eq!(a.get((1, int(2))), int(12));
        a.set((0u8, &int(1)), int(99));
        assert_eq!(
            format!("{:#}", shown(&a)),
            "array2(2, 3)[0, 99, 2, 10, 11, 12]"
        );
        assert!(
            Array2::<Int>::of_default([int(0), int(3)])
                .length(0)
                .is_zero()
        );
    }

    #[test]
    fn an_empty_array_needs_no_initial_values() {
        struct Never;
        let a = Array2::<Never>::without_elements([int(4), int(0)]);
        assert_eq!((a.length(0), a.length(1)), (int(4), int(0)));
        let filled =
            std::panic::catch_unwind(|| Array::<Never>::without_elements([int(1)]).is_null());
        assert!(filled.is_err());
    }

    #[test]
    fn an_array_may_be_filled_later() {
        let a = Array2::unfilled([2, 1]);
        assert_eq!(a.length(0), int(2));
        a.fill(vec![1u8, 2]);
        let before = Snapshot::take();
        a.fill(vec![3, 2]);
        assert_eq!(a.to_seq(), seq![3, 2]);
        assert_eq!(before.old(|| a.to_seq()), seq![1, 2]);
    }

    #[test]
    #[should_panic(expected = "an array of 2 elements")]
    fn an_array_is_filled_as_a_whole() {
        Array::unfilled([2]).fill(vec![1u8]);
    }

    #[test]
    fn a_snapshot_keeps_the_elements() {
        let a = Array::of([1u8, 2]);
        let before = Snapshot::take();
        a.set(0, 9);
        assert_eq!(before.old(|| a.to_seq()), seq![1, 2]);
        assert_eq!(a.to_seq(), seq![9, 2]);
    }

    #[test]
    fn an_array_is_without_elements_at_first() {
        assert!(
            Array2::<Int>::dafny_default().length(1).is_zero()
                && !Array::<Int>::dafny_default().is_null()
        );
    }

    #[test]
    fn null_prints_as_null() {
        assert_eq!(to_dafny_string(&Array::<Int>::null()), "null");
    }

    #[test]
    #[should_panic(expected = "index 2 is out of range of an array of length 2")]
    fn an_index_is_below_the_length() {
        Array::of([1u8, 2]).get(2);
    }

    #[test]
    #[should_panic(expected = "slice 2 .. 1 is out of range of an array of length 3")]
    fn a_slice_ascends() {
        let _ = Array::of([1u8, 2, 3]).slice(2, 1);
    }
}
