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
    pub use ::dafny_runtime::allocate_object;
    pub use ::dafny_runtime::update_field_mut_uninit_object;
    pub use ::dafny_runtime::update_field_uninit_object;
    pub use ::dafny_runtime::UpcastObject;
    pub use ::dafny_runtime::DynAny;
    pub use ::dafny_runtime::UpcastObjectFn;
    pub use ::dafny_runtime::DafnyType;

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
        /// Which counters are full.
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
}