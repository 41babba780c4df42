#![allow(warnings, unconditional_panic)]
#![allow(nonstandard_style)]
#![cfg_attr(any(), rustfmt::skip)]

pub mod _module {
    
}
/// Objects that a test converts to those of Dafny's Rust, and back.
/// objects.dfy(2,1)
pub mod Objects {
    pub use ::dafny_runtime::Object;
    pub use ::dafny_runtime::DafnyInt;
    pub use ::std::default::Default;
    pub use ::dafny_runtime::modify_field;
    pub use ::dafny_runtime::rd;
    pub use ::dafny_runtime::int;
    pub use ::dafny_runtime::_System::nat;
    pub use ::dafny_runtime::DafnyUsize;
    pub use ::dafny_runtime::Array2;
    pub use ::dafny_runtime::DafnyChar;
    pub use ::dafny_runtime::MaybePlacebo;
    pub use ::std::rc::Rc;
    pub use ::std::primitive::char;
    pub use ::std::mem::MaybeUninit;
    pub use ::dafny_runtime::integer_range;
    pub use ::dafny_runtime::Sequence;
    pub use ::dafny_runtime::Set;
    pub use ::dafny_runtime::set;
    pub use ::dafny_runtime::read_field;
    pub use ::dafny_runtime::DafnyType;
    pub use ::dafny_runtime::DafnyPrintWrapper;
    pub use ::dafny_runtime::string_of;
    pub use ::dafny_runtime::seq;
    pub use ::dafny_runtime::Any;
    pub use ::dafny_runtime::allocate_object;
    pub use ::dafny_runtime::update_field_mut_uninit_object;
    pub use ::dafny_runtime::update_field_uninit_object;
    pub use ::dafny_runtime::UpcastObject;
    pub use ::dafny_runtime::DynAny;
    pub use ::dafny_runtime::UpcastObjectFn;

    pub struct _default {}

    impl _default {
        /// objects.dfy(82,3)
        pub fn Same(a: &Object<Node<DafnyInt>>, b: &Object<Node<DafnyInt>>) -> bool {
            let mut same: bool = <bool as Default>::default();
            same = a.clone() == b.clone();
            if same {
                modify_field!(rd!(a).item, int!(1))
            } else {
                modify_field!(rd!(a).item, int!(2))
            };
            return same;
        }
        /// objects.dfy(90,3)
        pub fn Swap(a: &Object<[DafnyInt]>, i: &nat, j: &nat) -> () {
            let mut t: DafnyInt = rd!(a)[DafnyUsize::into_usize(i.clone())].clone();
            {
                let __idx0 = DafnyUsize::into_usize(i.clone());
                ::dafny_runtime::md!(a)[__idx0] = rd!(a)[DafnyUsize::into_usize(j.clone())].clone();
            };
            {
                let __idx0 = DafnyUsize::into_usize(j.clone());
                ::dafny_runtime::md!(a)[__idx0] = t.clone();
            };
            return ();
        }
        /// objects.dfy(100,3)
        pub fn Transpose(m: &Object<Array2<DafnyChar>>) -> Object<Array2<DafnyChar>> {
            let mut t = MaybePlacebo::<Object<Array2<DafnyChar>>>::new();
            let mut _init0: Rc<dyn ::std::ops::Fn(&DafnyInt, &DafnyInt) -> DafnyChar> = {
                    let m: Object<Array2<DafnyChar>> = m.clone();
                    {
                        let mut m = m.clone();
                        Rc::new(move |i: &DafnyInt,j: &DafnyInt| -> DafnyChar{
            if int!(0) <= j.clone() && j.clone() < int!(rd!(m.clone()).data.len()) && (int!(0) <= i.clone() && i.clone() < int!(rd!(m.clone()).length1_usize())) {
                rd!(m).data[DafnyUsize::into_usize(j.clone())][DafnyUsize::into_usize(i.clone())].clone()
            } else {
                DafnyChar(char::from_u32(32).unwrap())
            }
        }) as Rc<dyn ::std::ops::Fn(&_, &_) -> _>
                    }
                };
            let mut _nw0: Object<Array2<MaybeUninit<DafnyChar>>> = Array2::<DafnyChar>::placebos_usize_object(DafnyUsize::into_usize(int!(rd!(m.clone()).length1_usize())), DafnyUsize::into_usize(int!(rd!(m.clone()).data.len())));
            for __i0_0 in integer_range(0, rd!(_nw0.clone()).data.len()) {
                for __i1_0 in integer_range(0, rd!(_nw0.clone()).length1_usize()) {
                    {
                        let __idx0 = DafnyUsize::into_usize(__i0_0.clone());
                        let __idx1 = DafnyUsize::into_usize(__i1_0.clone());
                        ::dafny_runtime::md!(_nw0).data[__idx0][__idx1] = MaybeUninit::new((&_init0)(&int!(__i0_0.clone()), &int!(__i1_0.clone())));
                    }
                }
            }
            t = MaybePlacebo::from(Array2::construct_object(_nw0.clone()));
            return t.read();
        }
        /// objects.dfy(107,3)
        pub fn Reset(counters: &Object<[Object<Counter>]>) -> () {
            {
                let __idx0 = DafnyUsize::into_usize(int!(0));
                ::dafny_runtime::md!(counters)[__idx0] = rd!(counters)[DafnyUsize::into_usize(int!(rd!(counters.clone()).len()) - int!(1))].clone();
            };
            return ();
        }
        /// The counters that are full.
        /// objects.dfy(116,3)
        pub fn Full(counters: &Sequence<Object<Counter>>) -> Set<Object<Counter>> {
            let mut full: Set<Object<Counter>> = set!{};
            let mut i: DafnyInt = int!(0);
            while i.clone() < counters.cardinality() {
                if read_field!(rd!(counters.get(&i).clone()).value) >= rd!(counters.get(&i).clone()).limit().clone() {
                    full = full.merge(&set!{counters.get(&i)});
                };
                i = i.clone() + int!(1);
            };
            return full.clone();
        }
        /// The smaller of two numbers, by an order that a test gives.
        /// objects.dfy(133,3)
        pub fn Smaller(less: &Rc<dyn ::std::ops::Fn(&DafnyInt, &DafnyInt) -> bool>, a: &DafnyInt, b: &DafnyInt) -> DafnyInt {
            if less(a, b) {
                a.clone()
            } else {
                b.clone()
            }
        }
        /// objects.dfy(139,3)
        pub fn Composed<_A: DafnyType, _B: DafnyType, _C: DafnyType>(f: &Rc<dyn ::std::ops::Fn(&_A) -> _B>, g: &Rc<dyn ::std::ops::Fn(&_B) -> _C>) -> Rc<dyn ::std::ops::Fn(&_A) -> _C> {
            {
                let g: Rc<dyn ::std::ops::Fn(&_B) -> _C> = g.clone();
                let f: Rc<dyn ::std::ops::Fn(&_A) -> _B> = f.clone();
                {
                    let mut f = f.clone();
                    let mut g = g.clone();
                    Rc::new(move |a: &_A| -> _C{
            (&g)(&(&f)(a))
        }) as Rc<dyn ::std::ops::Fn(&_) -> _>
                }
            }
        }
        /// objects.dfy(143,3)
        pub fn Applied(f: &Rc<dyn ::std::ops::Fn(&DafnyInt) -> DafnyInt>, x: &DafnyInt) -> DafnyInt {
            let mut y: DafnyInt = f(x);
            return y.clone();
        }
        /// Prints a row of stars, for people.
        /// objects.dfy(151,3)
        pub fn Stars(n: &nat) -> () {
            let mut i: DafnyInt = int!(0);
            while i.clone() < n.clone() {
                print!("{}", DafnyPrintWrapper(&string_of("*")));
                i = i.clone() + int!(1);
            };
            print!("{}", DafnyPrintWrapper(&DafnyChar(char::from_u32(32).unwrap())));
            print!("{}", DafnyPrintWrapper(&seq![n.clone(), n.clone() + int!(1)]));
            print!("{}", DafnyPrintWrapper(&(int!(2) < n.clone())));
            print!("{}", DafnyPrintWrapper(&string_of("\n")));
            return ();
        }
        /// objects.dfy(197,3)
        pub fn Try(lock: &Object<dyn Lock>, code: &nat) -> (bool, nat) {
            let mut open: bool = <bool as Default>::default();
            let mut all: nat;
            open = false;
            all = int!(0);
            if Lock::Accepts(rd!(lock.clone()), code) {
                let mut _out0: bool;
                let mut _out1: nat;
                let _x = Lock::Turn(rd!(lock.clone()), code, true);
                _out0 = _x.0;
                _out1 = _x.1;
                open = _out0;
                all = _out1.clone();
            };
            return (
                    open,
                    all.clone()
                );
        }
        /// objects.dfy(207,3)
        pub fn Choose(a: &Object<dyn Lock>, b: &Object<dyn Lock>, first: bool) -> Object<dyn Lock> {
            let mut lock: Object<dyn Lock>;
            if first {
                lock = a.clone();
            } else {
                lock = b.clone();
            };
            return lock.clone();
        }
        /// objects.dfy(213,3)
        pub fn IsSafe(o: &Object<dyn Any>) -> bool {
            let mut safe: bool = <bool as Default>::default();
            safe = o.clone().is_instance_of::<Safe>();
            return safe;
        }
    }

    /// A counter with a constant.
    /// objects.dfy(4,3)
    pub struct Counter {
        pub value: ::dafny_runtime::Field<DafnyInt>,
        pub __i_step_k: nat
    }

    impl Counter {
        /// Allocates an UNINITIALIZED instance. Only the Dafny compiler should use that.
        pub fn _allocate_object() -> Object<Self> {
            allocate_object::<Self>()
        }
        /// objects.dfy(9,5)
        pub fn _ctor(this: &Object<Counter>, step: &nat) -> () {
            let mut _set_value: bool = false;
            let mut _set___i_step_k: bool = false;
            update_field_mut_uninit_object!(this.clone(), value, _set_value, int!(0));
            update_field_uninit_object!(this.clone(), __i_step_k, _set___i_step_k, step.clone());
            return ();
        }
        /// objects.dfy(16,5)
        pub fn Starting_At(this: &Object<Counter>, start: &DafnyInt) -> () {
            let mut _set_value: bool = false;
            let mut _set___i_step_k: bool = false;
            update_field_mut_uninit_object!(this.clone(), value, _set_value, start.clone());
            update_field_uninit_object!(this.clone(), __i_step_k, _set___i_step_k, int!(1));
            return ();
        }
        /// objects.dfy(23,5)
        pub fn Left(&self) -> DafnyInt {
            self.limit().clone() - read_field!(self.value)
        }
        /// objects.dfy(29,5)
        pub fn Up(&self, times: &nat) -> bool {
            let mut full: bool = <bool as Default>::default();
            modify_field!(self.value, read_field!(self.value) + times.clone() * self._step_k().clone());
            full = read_field!(self.value) >= self.limit().clone();
            return full;
        }
        /// objects.dfy(38,5)
        pub fn Two(first: &nat) -> (Object<Counter>, Object<Counter>) {
            let mut a: Object<Counter>;
            let mut b: Object<Counter>;
            let mut _nw0: Object<Counter> = Counter::_allocate_object();
            Counter::_ctor(&_nw0, first);
            a = _nw0.clone();
            let mut _nw1: Object<Counter> = Counter::_allocate_object();
            Counter::_ctor(&_nw1, &(first.clone() + int!(1)));
            b = _nw1.clone();
            return (
                    a.clone(),
                    b.clone()
                );
        }
        /// objects.dfy(7,5)
        pub fn limit(&self) -> DafnyInt {
            int!(100)
        }
        /// objects.dfy(6,5)
        pub fn _step_k(&self) -> nat {
            self.__i_step_k.clone()
        }
    }

    impl UpcastObject<DynAny>
        for Counter {
        UpcastObjectFn!(DynAny);
    }

    /// A list whose nodes may form a circle.
    /// objects.dfy(48,3)
    pub struct Node<T: DafnyType> {
        pub item: ::dafny_runtime::Field<T>,
        pub next: ::dafny_runtime::Field<Object<Node<T>>>
    }

    impl<T: DafnyType> Node<T> {
        /// Allocates an UNINITIALIZED instance. Only the Dafny compiler should use that.
        pub fn _allocate_object() -> Object<Self> {
            allocate_object::<Self>()
        }
        /// objects.dfy(52,5)
        pub fn _ctor(this: &Object<Node<T>>, item: &T) -> () {
            let mut _set_item: bool = false;
            let mut _set_next: bool = false;
            update_field_mut_uninit_object!(this.clone(), item, _set_item, item.clone());
            update_field_mut_uninit_object!(this.clone(), next, _set_next, Object(None) as Object<Node<T>>);
            return ();
        }
        /// objects.dfy(59,5)
        pub fn Append(&self, item: &T) -> Object<Node<T>> {
            let mut node: Object<Node<T>>;
            let mut _nw0: Object<Node<T>> = Node::<T>::_allocate_object();
            Node::<T>::_ctor(&_nw0, item);
            node = _nw0.clone();
            modify_field!(rd!(node).next, read_field!(self.next));
            modify_field!(self.next, node.clone());
            return node.clone();
        }
        /// objects.dfy(68,5)
        pub fn Close(&self) -> () {
            modify_field!(self.next, Object::<_>::from_ref(self));
            return ();
        }
        /// objects.dfy(75,5)
        pub fn IsLast(node: &Object<Node<T>>) -> bool {
            read_field!(rd!(node.clone()).next) == Object(None) as Object<Node<T>>
        }
    }

    impl<T: DafnyType> UpcastObject<DynAny>
        for Node<T> {
        UpcastObjectFn!(DynAny);
    }

    /// A door with a lock.
    /// objects.dfy(161,3)
    pub trait Lock: Any + UpcastObject<dyn Any> {
        /// objects.dfy(162,5)
        fn Accepts(&self, code: &nat) -> bool;
        /// objects.dfy(164,5)
        fn Turn(&self, code: &nat, twice: bool) -> (bool, nat);
        /// objects.dfy(167,5)
        fn Refuses(&self, code: &nat) -> bool {
            !self.Accepts(code)
        }
    }

    /// objects.dfy(172,3)
    pub struct Safe {
        pub tried: ::dafny_runtime::Field<nat>,
        pub __i_secret: nat
    }

    impl Safe {
        /// Allocates an UNINITIALIZED instance. Only the Dafny compiler should use that.
        pub fn _allocate_object() -> Object<Self> {
            allocate_object::<Self>()
        }
        /// objects.dfy(176,5)
        pub fn _ctor(this: &Object<Safe>, secret: &nat) -> () {
            let mut _set_tried: bool = false;
            let mut _set___i_secret: bool = false;
            update_field_uninit_object!(this.clone(), __i_secret, _set___i_secret, secret.clone());
            update_field_mut_uninit_object!(this.clone(), tried, _set_tried, int!(0));
            return ();
        }
        /// objects.dfy(173,5)
        pub fn secret(&self) -> nat {
            self.__i_secret.clone()
        }
    }

    impl UpcastObject<DynAny>
        for Safe {
        UpcastObjectFn!(DynAny);
    }

    impl Lock
        for Safe {
        /// objects.dfy(183,5)
        fn Accepts(&self, code: &nat) -> bool {
            code.clone() == self.secret().clone()
        }
        /// objects.dfy(187,5)
        fn Turn(&self, code: &nat, twice: bool) -> (bool, nat) {
            let mut open: bool = <bool as Default>::default();
            let mut turns = MaybePlacebo::<nat>::new();
            modify_field!(self.tried, read_field!(self.tried) + int!(1));
            open = code.clone() == self.secret().clone();
            if twice {
                turns = MaybePlacebo::from(int!(2));
            } else {
                turns = MaybePlacebo::from(int!(1));
            };
            return (
                    open,
                    turns.read()
                );
        }
    }

    impl UpcastObject<dyn Lock>
        for Safe {
        UpcastObjectFn!(dyn Lock);
    }
}
pub mod by {
    pub mod another {
        /// objects.dfy(241,1)
        pub mod name {
            pub use ::dafny_runtime::DafnyType;
            pub use ::std::rc::Rc;
            pub use crate::implementation_from_dafny::Outer::Inner::Option;

            pub struct _default {}

            impl _default {
                /// objects.dfy(244,3)
                pub fn Nothing<_T: DafnyType>() -> Rc<Option<_T>> {
                    Rc::new(Option::None::<_T> {})
                }
            }
        }
    }
}
/// objects.dfy(220,1)
pub mod Outer {
    /// objects.dfy(221,3)
    pub mod Inner {
        pub use ::dafny_runtime::DafnyInt;
        pub use ::dafny_runtime::int;
        pub use ::dafny_runtime::DafnyType;
        pub use ::std::rc::Rc;
        pub use crate::implementation_from_dafny::Outer::Inner::Option::Some;
        pub use ::dafny_runtime::Sequence;
        pub use ::dafny_runtime::_System::nat;
        pub use ::std::cmp::PartialEq;
        pub use ::std::cmp::Eq;
        pub use ::std::hash::Hash;
        pub use ::std::hash::Hasher;
        pub use ::std::default::Default;
        pub use ::dafny_runtime::DafnyPrint;
        pub use ::std::fmt::Formatter;
        pub use ::std::fmt::Result;
        pub use ::std::ops::Deref;
        pub use ::std::mem::transmute;
        pub use ::std::ops::Add;
        pub use ::std::ops::Sub;
        pub use ::std::ops::Mul;
        pub use ::std::ops::Div;
        pub use ::std::cmp::PartialOrd;
        pub use ::std::cmp::Ordering;
        pub use ::std::fmt::Debug;
        pub use ::std::convert::AsRef;

        pub struct _default {}

        impl _default {
            /// objects.dfy(225,5)
            pub fn renamed(x: u8) -> DafnyInt {
                let mut y: DafnyInt;
                y = int!(2) * int!(x);
                return y.clone();
            }
            /// objects.dfy(231,5)
            pub fn Get<_T: DafnyType>(o: &Rc<crate::implementation_from_dafny::Outer::Inner::Option<_T>>, default: &_T) -> _T {
                if matches!(o.as_ref(), Some{ .. }) {
                    o.value().clone()
                } else {
                    default.clone()
                }
            }
            /// objects.dfy(235,5)
            pub fn Sum(xs: &Sequence<u8>, f: &Rc<dyn ::std::ops::Fn(&u8) -> nat>) -> nat {
                let mut _accumulator: nat = int!(0);
                let mut _r0 = xs.clone();
                let mut _r1 = f.clone();
                'TAIL_CALL_START: loop {
                    let xs = _r0;
                    let f = _r1;
                    if xs.clone().to_array().len() == 0 {
                        return int!(0) + _accumulator.clone();
                    } else {
                        _accumulator = _accumulator.clone() + (&f)(&xs.get(&int!(0)));
                        let mut _in0: Sequence<u8> = xs.drop(&int!(1));
                        let mut _in1: Rc<dyn ::std::ops::Fn(&u8) -> nat> = f.clone();
                        _r0 = _in0.clone();
                        _r1 = _in1.clone();
                        continue 'TAIL_CALL_START;
                    }
                }
            }
        }

        /// objects.dfy(222,5)
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct small(pub u8);

        impl PartialEq
            for small {
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }

        impl Eq
            for small {}

        impl Hash
            for small {
            fn hash<_H: Hasher>(&self, _state: &mut _H) {
                Hash::hash(&self.0, _state)
            }
        }

        impl small {
            /// Constraint check
            pub fn is(_source: u8) -> bool {
                let mut x: DafnyInt = int!(_source.clone());
                return !(x.clone() < int!(0)) && x.clone() < int!(100);
            }
        }

        impl Default
            for small {
            /// An element of small
            fn default() -> Self {
                small(Default::default())
            }
        }

        impl DafnyPrint
            for small {
            /// For Dafny print statements
            fn fmt_print(&self, _formatter: &mut Formatter, in_seq: bool) -> Result {
                DafnyPrint::fmt_print(&self.0, _formatter, in_seq)
            }
        }

        impl Deref
            for small {
            type Target = u8;
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl small {
            /// SAFETY: The newtype is marked as transparent
            pub fn _from_ref(o: &u8) -> &Self {
                unsafe {
                    transmute(o)
                }
            }
        }

        impl Add
            for small {
            type Output = small;
            fn add(self, other: Self) -> Self {
                small(self.0 + other.0)
            }
        }

        impl Sub
            for small {
            type Output = small;
            fn sub(self, other: Self) -> Self {
                small(self.0 - other.0)
            }
        }

        impl Mul
            for small {
            type Output = small;
            fn mul(self, other: Self) -> Self {
                small(self.0 * other.0)
            }
        }

        impl Div
            for small {
            type Output = small;
            fn div(self, other: Self) -> Self {
                small(self.0 / other.0)
            }
        }

        impl PartialOrd
            for small {
            fn partial_cmp(&self, other: &Self) -> ::std::option::Option<Ordering> {
                PartialOrd::partial_cmp(&self.0, &other.0)
            }
        }

        /// objects.dfy(223,5)
        #[derive(Clone)]
        pub enum Option<T: DafnyType> {
            None {},
            Some {
                value: T
            }
        }

        impl<T: DafnyType> Option<T> {
            /// Gets the field value for all enum members which have it
            pub fn value(&self) -> &T {
                match self {
                    Option::None{} => panic!("field does not exist on this variant"),
                    Option::Some{value, } => value,
                }
            }
        }

        impl<T: DafnyType> Debug
            for Option<T> {
            fn fmt(&self, f: &mut Formatter) -> Result {
                DafnyPrint::fmt_print(self, f, true)
            }
        }

        impl<T: DafnyType> DafnyPrint
            for Option<T> {
            fn fmt_print(&self, _formatter: &mut Formatter, _in_seq: bool) -> std::fmt::Result {
                match self {
                    Option::None{} => {
                        write!(_formatter, "Outer.Inner.Option.None")?;
                        Ok(())
                    },
                    Option::Some{value, } => {
                        write!(_formatter, "Outer.Inner.Option.Some(")?;
                        DafnyPrint::fmt_print(value, _formatter, false)?;
                        write!(_formatter, ")")?;
                        Ok(())
                    },
                }
            }
        }

        impl<T: DafnyType + Eq + Hash> PartialEq
            for Option<T> {
            fn eq(&self, other: &Self) -> bool {
                match (
                        self,
                        other
                    ) {
                    (Option::None{}, Option::None{}) => {
                        true
                    },
                    (Option::Some{value, }, Option::Some{value: _2_value, }) => {
                        value == _2_value
                    },
                    _ => {
                        false
                    },
                }
            }
        }

        impl<T: DafnyType + Eq + Hash> Eq
            for Option<T> {}

        impl<T: DafnyType + Hash> Hash
            for Option<T> {
            fn hash<_H: Hasher>(&self, _state: &mut _H) {
                match self {
                    Option::None{} => {
                        
                    },
                    Option::Some{value, } => {
                        Hash::hash(value, _state)
                    },
                }
            }
        }

        impl<T: DafnyType> AsRef<Option<T>>
            for Option<T> {
            fn as_ref(&self) -> &Self {
                self
            }
        }
    }
}