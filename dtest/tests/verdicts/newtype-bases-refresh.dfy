// refused: 4, 5, 6, 7, 8, 9, 12, 13, 14, 17, 20
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
datatype Color = Red | Blue
newtype Hue = c: Color | c.Red? witness Red
newtype Hu2 = Color
newtype Pair = p: (int, int) | true
newtype O = x: ORDINAL | true
newtype C = x: object | true witness *
newtype T = x: Tr | true witness *
trait Tr {}
codatatype Co = Co1
newtype Co2 = Co
newtype Fn = f: int -> int | true witness *
newtype Un = ()
type Abs
newtype Ab = Abs
newtype ST = x: Sub | true witness Red
type Sub = c: Color | true witness Red
newtype P<T> = T
newtype Arr = array<int>
