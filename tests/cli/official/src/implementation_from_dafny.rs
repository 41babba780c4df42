#![allow(warnings, unconditional_panic)]
#![allow(nonstandard_style)]
#![cfg_attr(any(), rustfmt::skip)]

pub mod _module {
    
}
/// Every kind of value that `--convention dafny` converts, and names that Rust escapes.
/// kinds.dfy(2,1)
pub mod Kinds {
    pub use ::std::rc::Rc;
    pub use ::dafny_runtime::_System::nat;
    pub use crate::implementation_from_dafny::Kinds::Color::Red;
    pub use ::dafny_runtime::int;
    pub use crate::implementation_from_dafny::Kinds::Color::Green;
    pub use ::dafny_runtime::euclidian_division;
    pub use ::dafny_runtime::DafnyInt;
    pub use ::dafny_runtime::DafnyChar;
    pub use ::std::primitive::char;
    pub use ::dafny_runtime::NumCast;
    pub use ::dafny_runtime::Sequence;
    pub use ::dafny_runtime::Map;
    pub use ::dafny_runtime::MaybePlacebo;
    pub use ::dafny_runtime::seq;
    pub use ::dafny_runtime::map;
    pub use ::dafny_runtime::Set;
    pub use ::dafny_runtime::Multiset;
    pub use ::dafny_runtime::set;
    pub use ::dafny_runtime::SetBuilder;
    pub use ::dafny_runtime::euclidian_modulo;
    pub use ::dafny_runtime::DafnyType;
    pub use ::std::cmp::PartialEq;
    pub use ::std::cmp::Eq;
    pub use ::std::hash::Hash;
    pub use ::std::hash::Hasher;
    pub use ::std::default::Default;
    pub use ::dafny_runtime::DafnyPrint;
    pub use ::std::fmt::Formatter;
    pub use ::std::ops::Deref;
    pub use ::std::mem::transmute;
    pub use ::std::ops::Add;
    pub use ::std::ops::Sub;
    pub use ::std::ops::Mul;
    pub use ::std::ops::Div;
    pub use ::std::cmp::PartialOrd;
    pub use ::std::option::Option;
    pub use ::std::cmp::Ordering;
    pub use ::std::fmt::Debug;
    pub use ::std::convert::AsRef;
    pub use crate::implementation_from_dafny::Kinds::Result::Good;
    pub use ::dafny_runtime::string_of;

    pub struct _default {}

    impl _default {
        /// kinds.dfy(23,3)
        pub fn Depth(c: &Rc<Color>) -> nat {
            let mut _source0: Rc<Color> = c.clone();
            if matches!((&_source0).as_ref(), Red{ .. }) {
                int!(0)
            } else {
                if matches!((&_source0).as_ref(), Green{ .. }) {
                    int!(0)
                } else {
                    let mut ___mcc_h0: Rc<Color> = _source0.first().clone();
                    let mut ___mcc_h1: Rc<Color> = _source0.second().clone();
                    let mut ___mcc_h2: nat = _source0.share().clone();
                    let mut b: Rc<Color> = ___mcc_h1.clone();
                    let mut a: Rc<Color> = ___mcc_h0.clone();
                    let mut __let_tmp_rhs0: (nat, nat) = (
                            _default::Depth(&a),
                            _default::Depth(&b)
                        );
                    let mut x: nat = __let_tmp_rhs0.0.clone();
                    let mut y: nat = __let_tmp_rhs0.1.clone();
                    if x.clone() < y.clone() {
                        y.clone() + int!(1)
                    } else {
                        x.clone() + int!(1)
                    }
                }
            }
        }
        /// kinds.dfy(31,3)
        pub fn Mix(a: &Rc<Color>, b: &Rc<Color>, share: &nat) -> Rc<Color> {
            if share.clone() == int!(5) {
                Rc::new(Color::Mixed {
                        first: b.clone(),
                        second: a.clone(),
                        share: euclidian_division(share.clone(), int!(2))
                    })
            } else {
                Rc::new(Color::Mixed {
                        first: a.clone(),
                        second: b.clone(),
                        share: share.clone()
                    })
            }
        }
        /// kinds.dfy(35,3)
        pub fn Next(b: u8) -> u8 {
            if b == 255 {
                0
            } else {
                b + 1
            }
        }
        /// kinds.dfy(39,3)
        pub fn Back(o: i8) -> i8 {
            if o < 0 {
                o - 10
            } else {
                o - 1
            }
        }
        /// kinds.dfy(45,3)
        pub fn Low(w: u16) -> u8 {
            if w & 65280 as u16 == 0 as u16 {
                (w & 255 as u16) as u8
            } else {
                255 as u8
            }
        }
        /// kinds.dfy(49,3)
        pub fn Twice(d: &digit) -> DafnyInt {
            if int!(5) < d.clone() {
                int!(2) * d.clone() + int!(b"100000000000000000000")
            } else {
                int!(2) * d.clone()
            }
        }
        /// kinds.dfy(55,3)
        pub fn Upper(c: &DafnyChar) -> DafnyChar {
            if DafnyChar(char::from_u32(97).unwrap()) <= c.clone() && c.clone() <= DafnyChar(char::from_u32(122).unwrap()) {
                DafnyChar(char::from_u32(<u32 as NumCast>::from(int!(c.clone().0) - int!(32)).unwrap()).unwrap())
            } else {
                c.clone()
            }
        }
        /// kinds.dfy(59,3)
        pub fn Words(s: &Sequence<DafnyChar>) -> (Sequence<Sequence<DafnyChar>>, Map<Sequence<DafnyChar>, nat>) {
            let mut words = MaybePlacebo::<Sequence<Sequence<DafnyChar>>>::new();
            let mut count = MaybePlacebo::<Map<Sequence<DafnyChar>, nat>>::new();
            if int!(1) < s.cardinality() && s.get(&int!(0)) == s.get(&int!(1)) {
                let mut _rhs0: Sequence<Sequence<DafnyChar>> = seq![s.take(&int!(1))];
                let mut _rhs1: Map<Sequence<DafnyChar>, nat> = map![s.take(&int!(1)) => int!(2)];
                words = MaybePlacebo::from(_rhs0.clone());
                count = MaybePlacebo::from(_rhs1.clone());
                return (
                        words.read(),
                        count.read()
                    );
            };
            let mut _rhs2: Sequence<Sequence<DafnyChar>> = seq![s.clone()];
            let mut _rhs3: Map<Sequence<DafnyChar>, nat> = map![s.clone() => int!(1)];
            words = MaybePlacebo::from(_rhs2.clone());
            count = MaybePlacebo::from(_rhs3.clone());
            return (
                    words.read(),
                    count.read()
                );
        }
        /// kinds.dfy(68,3)
        pub fn Odd(s: &Set<DafnyInt>, m: &Multiset<DafnyChar>) -> Set<DafnyInt> {
            if int!(1) < m.get(&DafnyChar(char::from_u32(120).unwrap())) {
                set!{}
            } else {
                (&({
                    let mut s = s.clone();
                    Rc::new(move || -> Set<DafnyInt>{
            let mut _coll0: SetBuilder<DafnyInt> = SetBuilder::<DafnyInt>::new();
            for __compr_0 in (&s).iter().cloned() {
                let mut x: DafnyInt = __compr_0.clone();
                if s.contains(&x) && euclidian_modulo(x.clone(), int!(2)) == int!(1) {
                    _coll0.add(&x)
                }
            }
            _coll0.build()
        }) as Rc<dyn ::std::ops::Fn() -> _>
                }))()
            }
        }
        /// kinds.dfy(74,3)
        pub fn Swap<_T: DafnyType, _U: DafnyType>(p: &Rc<_Pair__of_k<_T, _U>>) -> Rc<_Pair__of_k<DafnyInt, _T>> {
            Rc::new(_Pair__of_k::Pair::<DafnyInt, _T> {
                    fst: int!(1),
                    _h0: p.fst().clone()
                })
        }
        /// kinds.dfy(78,3)
        pub fn r#fn(type_: bool, x: &(DafnyInt, bool)) -> (bool, DafnyInt) {
            if type_ {
                (
                    x.1.clone(),
                    x.0.clone()
                )
            } else {
                (
                    false,
                    int!(0)
                )
            }
        }
        /// kinds.dfy(82,3)
        pub fn r#loop(x: &DafnyInt) -> DafnyInt {
            let mut y = MaybePlacebo::<DafnyInt>::new();
            if int!(7) < x.clone() {
                if !(x.clone() < int!(7)) {
                    panic!("Halt")
                }
            };
            y = MaybePlacebo::from(x.clone() + int!(1));
            return y.read();
        }
    }

    /// kinds.dfy(3,3)
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub struct byte(pub u8);

    impl PartialEq
        for byte {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }

    impl Eq
        for byte {}

    impl Hash
        for byte {
        fn hash<_H: Hasher>(&self, _state: &mut _H) {
            Hash::hash(&self.0, _state)
        }
    }

    impl byte {
        /// Constraint check
        pub fn is(_source: u8) -> bool {
            return true;
        }
    }

    impl Default
        for byte {
        /// An element of byte
        fn default() -> Self {
            byte(Default::default())
        }
    }

    impl DafnyPrint
        for byte {
        /// For Dafny print statements
        fn fmt_print(&self, _formatter: &mut Formatter, in_seq: bool) -> ::std::fmt::Result {
            DafnyPrint::fmt_print(&self.0, _formatter, in_seq)
        }
    }

    impl Deref
        for byte {
        type Target = u8;
        fn deref(&self) -> &Self::Target {
            &self.0
        }
    }

    impl byte {
        /// SAFETY: The newtype is marked as transparent
        pub fn _from_ref(o: &u8) -> &Self {
            unsafe {
                transmute(o)
            }
        }
    }

    impl Add
        for byte {
        type Output = byte;
        fn add(self, other: Self) -> Self {
            byte(self.0 + other.0)
        }
    }

    impl Sub
        for byte {
        type Output = byte;
        fn sub(self, other: Self) -> Self {
            byte(self.0 - other.0)
        }
    }

    impl Mul
        for byte {
        type Output = byte;
        fn mul(self, other: Self) -> Self {
            byte(self.0 * other.0)
        }
    }

    impl Div
        for byte {
        type Output = byte;
        fn div(self, other: Self) -> Self {
            byte(self.0 / other.0)
        }
    }

    impl PartialOrd
        for byte {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            PartialOrd::partial_cmp(&self.0, &other.0)
        }
    }

    /// kinds.dfy(4,3)
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub struct offset(pub i8);

    impl PartialEq
        for offset {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }

    impl Eq
        for offset {}

    impl Hash
        for offset {
        fn hash<_H: Hasher>(&self, _state: &mut _H) {
            Hash::hash(&self.0, _state)
        }
    }

    impl offset {
        /// Constraint check
        pub fn is(_source: i8) -> bool {
            let mut x: DafnyInt = int!(_source.clone());
            return int!(-100) <= x.clone() && x.clone() <= int!(100);
        }
    }

    impl Default
        for offset {
        /// An element of offset
        fn default() -> Self {
            offset(Default::default())
        }
    }

    impl DafnyPrint
        for offset {
        /// For Dafny print statements
        fn fmt_print(&self, _formatter: &mut Formatter, in_seq: bool) -> ::std::fmt::Result {
            DafnyPrint::fmt_print(&self.0, _formatter, in_seq)
        }
    }

    impl Deref
        for offset {
        type Target = i8;
        fn deref(&self) -> &Self::Target {
            &self.0
        }
    }

    impl offset {
        /// SAFETY: The newtype is marked as transparent
        pub fn _from_ref(o: &i8) -> &Self {
            unsafe {
                transmute(o)
            }
        }
    }

    impl Add
        for offset {
        type Output = offset;
        fn add(self, other: Self) -> Self {
            offset(self.0 + other.0)
        }
    }

    impl Sub
        for offset {
        type Output = offset;
        fn sub(self, other: Self) -> Self {
            offset(self.0 - other.0)
        }
    }

    impl Mul
        for offset {
        type Output = offset;
        fn mul(self, other: Self) -> Self {
            offset(self.0 * other.0)
        }
    }

    impl Div
        for offset {
        type Output = offset;
        fn div(self, other: Self) -> Self {
            offset(self.0 / other.0)
        }
    }

    impl PartialOrd
        for offset {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            PartialOrd::partial_cmp(&self.0, &other.0)
        }
    }

    /// kinds.dfy(5,3)
    pub type digit = DafnyInt;

    /// kinds.dfy(7,3)
    #[derive(Clone)]
    pub enum Color {
        Red {},
        Green {},
        Mixed {
            first: Rc<Color>,
            second: Rc<Color>,
            share: nat
        }
    }

    impl Color {
        /// Gets the field first for all enum members which have it
        pub fn first(&self) -> &Rc<Color> {
            match self {
                Color::Red{} => panic!("field does not exist on this variant"),
                Color::Green{} => panic!("field does not exist on this variant"),
                Color::Mixed{first, second, share, } => first,
            }
        }
        /// Gets the field second for all enum members which have it
        pub fn second(&self) -> &Rc<Color> {
            match self {
                Color::Red{} => panic!("field does not exist on this variant"),
                Color::Green{} => panic!("field does not exist on this variant"),
                Color::Mixed{first, second, share, } => second,
            }
        }
        /// Gets the field share for all enum members which have it
        pub fn share(&self) -> &nat {
            match self {
                Color::Red{} => panic!("field does not exist on this variant"),
                Color::Green{} => panic!("field does not exist on this variant"),
                Color::Mixed{first, second, share, } => share,
            }
        }
    }

    impl Debug
        for Color {
        fn fmt(&self, f: &mut Formatter) -> ::std::fmt::Result {
            DafnyPrint::fmt_print(self, f, true)
        }
    }

    impl DafnyPrint
        for Color {
        fn fmt_print(&self, _formatter: &mut Formatter, _in_seq: bool) -> std::fmt::Result {
            match self {
                Color::Red{} => {
                    write!(_formatter, "Kinds.Color.Red")?;
                    Ok(())
                },
                Color::Green{} => {
                    write!(_formatter, "Kinds.Color.Green")?;
                    Ok(())
                },
                Color::Mixed{first, second, share, } => {
                    write!(_formatter, "Kinds.Color.Mixed(")?;
                    DafnyPrint::fmt_print(first, _formatter, false)?;
                    write!(_formatter, ", ")?;
                    DafnyPrint::fmt_print(second, _formatter, false)?;
                    write!(_formatter, ", ")?;
                    DafnyPrint::fmt_print(share, _formatter, false)?;
                    write!(_formatter, ")")?;
                    Ok(())
                },
            }
        }
    }

    impl PartialEq
        for Color {
        fn eq(&self, other: &Self) -> bool {
            match (
                    self,
                    other
                ) {
                (Color::Red{}, Color::Red{}) => {
                    true
                },
                (Color::Green{}, Color::Green{}) => {
                    true
                },
                (Color::Mixed{first, second, share, }, Color::Mixed{first: _2_first, second: _2_second, share: _2_share, }) => {
                    first == _2_first && second == _2_second && share == _2_share
                },
                _ => {
                    false
                },
            }
        }
    }

    impl Eq
        for Color {}

    impl Hash
        for Color {
        fn hash<_H: Hasher>(&self, _state: &mut _H) {
            match self {
                Color::Red{} => {
                    
                },
                Color::Green{} => {
                    
                },
                Color::Mixed{first, second, share, } => {
                    Hash::hash(first, _state);
                    Hash::hash(second, _state);
                    Hash::hash(share, _state)
                },
            }
        }
    }

    impl AsRef<Color>
        for Color {
        fn as_ref(&self) -> &Self {
            self
        }
    }

    /// kinds.dfy(8,3)
    #[derive(Clone)]
    pub enum _Pair__of_k<T: DafnyType, U: DafnyType> {
        Pair {
            fst: T,
            _h0: U
        }
    }

    impl<T: DafnyType, U: DafnyType> _Pair__of_k<T, U> {
        /// Returns a borrow of the field fst
        pub fn fst(&self) -> &T {
            match self {
                _Pair__of_k::Pair{fst, _h0, } => fst,
            }
        }
        /// Returns a borrow of the field _h0
        pub fn _h0(&self) -> &U {
            match self {
                _Pair__of_k::Pair{fst, _h0, } => _h0,
            }
        }
    }

    impl<T: DafnyType, U: DafnyType> Debug
        for _Pair__of_k<T, U> {
        fn fmt(&self, f: &mut Formatter) -> ::std::fmt::Result {
            DafnyPrint::fmt_print(self, f, true)
        }
    }

    impl<T: DafnyType, U: DafnyType> DafnyPrint
        for _Pair__of_k<T, U> {
        fn fmt_print(&self, _formatter: &mut Formatter, _in_seq: bool) -> std::fmt::Result {
            match self {
                _Pair__of_k::Pair{fst, _h0, } => {
                    write!(_formatter, "Kinds.Pair__of_k.Pair(")?;
                    DafnyPrint::fmt_print(fst, _formatter, false)?;
                    write!(_formatter, ", ")?;
                    DafnyPrint::fmt_print(_h0, _formatter, false)?;
                    write!(_formatter, ")")?;
                    Ok(())
                },
            }
        }
    }

    impl<T: DafnyType + Eq + Hash, U: DafnyType + Eq + Hash> PartialEq
        for _Pair__of_k<T, U> {
        fn eq(&self, other: &Self) -> bool {
            match (
                    self,
                    other
                ) {
                (_Pair__of_k::Pair{fst, _h0, }, _Pair__of_k::Pair{fst: _2_fst, _h0: _2__h0, }) => {
                    fst == _2_fst && _h0 == _2__h0
                },
                _ => {
                    false
                },
            }
        }
    }

    impl<T: DafnyType + Eq + Hash, U: DafnyType + Eq + Hash> Eq
        for _Pair__of_k<T, U> {}

    impl<T: DafnyType + Hash, U: DafnyType + Hash> Hash
        for _Pair__of_k<T, U> {
        fn hash<_H: Hasher>(&self, _state: &mut _H) {
            match self {
                _Pair__of_k::Pair{fst, _h0, } => {
                    Hash::hash(fst, _state);
                    Hash::hash(_h0, _state)
                },
            }
        }
    }

    impl<T: DafnyType, U: DafnyType> AsRef<_Pair__of_k<T, U>>
        for _Pair__of_k<T, U> {
        fn as_ref(&self) -> &Self {
            self
        }
    }

    /// kinds.dfy(9,3)
    #[derive(Clone)]
    pub enum Result {
        Good {
            value: DafnyInt
        },
        Bad {
            error: Sequence<DafnyChar>
        }
    }

    impl Result {
        /// kinds.dfy(10,5)
        pub fn _Is__good_q(&self) -> bool {
            matches!((&Rc::new(self.clone())).as_ref(), Good{ .. })
        }
        /// kinds.dfy(14,5)
        pub fn Or(&self, other: &DafnyInt) -> DafnyInt {
            if matches!((&Rc::new(self.clone())).as_ref(), Good{ .. }) {
                self.value().clone()
            } else {
                other.clone()
            }
        }
        /// kinds.dfy(18,5)
        pub fn Of(x: &DafnyInt) -> Rc<Result> {
            if x.clone() < int!(0) {
                Rc::new(Result::Bad {
                        error: string_of("negative")
                    })
            } else {
                Rc::new(Result::Good {
                        value: x.clone()
                    })
            }
        }
        /// Gets the field value for all enum members which have it
        pub fn value(&self) -> &DafnyInt {
            match self {
                Result::Good{value, } => value,
                Result::Bad{error, } => panic!("field does not exist on this variant"),
            }
        }
        /// Gets the field error for all enum members which have it
        pub fn error(&self) -> &Sequence<DafnyChar> {
            match self {
                Result::Good{value, } => panic!("field does not exist on this variant"),
                Result::Bad{error, } => error,
            }
        }
    }

    impl Debug
        for Result {
        fn fmt(&self, f: &mut Formatter) -> ::std::fmt::Result {
            DafnyPrint::fmt_print(self, f, true)
        }
    }

    impl DafnyPrint
        for Result {
        fn fmt_print(&self, _formatter: &mut Formatter, _in_seq: bool) -> std::fmt::Result {
            match self {
                Result::Good{value, } => {
                    write!(_formatter, "Kinds.Result.Good(")?;
                    DafnyPrint::fmt_print(value, _formatter, false)?;
                    write!(_formatter, ")")?;
                    Ok(())
                },
                Result::Bad{error, } => {
                    write!(_formatter, "Kinds.Result.Bad(")?;
                    DafnyPrint::fmt_print(error, _formatter, false)?;
                    write!(_formatter, ")")?;
                    Ok(())
                },
            }
        }
    }

    impl PartialEq
        for Result {
        fn eq(&self, other: &Self) -> bool {
            match (
                    self,
                    other
                ) {
                (Result::Good{value, }, Result::Good{value: _2_value, }) => {
                    value == _2_value
                },
                (Result::Bad{error, }, Result::Bad{error: _2_error, }) => {
                    error == _2_error
                },
                _ => {
                    false
                },
            }
        }
    }

    impl Eq
        for Result {}

    impl Hash
        for Result {
        fn hash<_H: Hasher>(&self, _state: &mut _H) {
            match self {
                Result::Good{value, } => {
                    Hash::hash(value, _state)
                },
                Result::Bad{error, } => {
                    Hash::hash(error, _state)
                },
            }
        }
    }

    impl AsRef<Result>
        for Result {
        fn as_ref(&self) -> &Self {
            self
        }
    }
}