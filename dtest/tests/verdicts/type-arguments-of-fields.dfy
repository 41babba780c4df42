// refused: 5, 6, 9, 11, 19, 22
// first: 19
class C<T> { constructor () {} }

class EE<T> { const f: C
  static const g: C?
  constructor () {} 
  }
datatype D<T> = D(c: C, d: D) { const x: C? := null }
iterator It<T>(c: C) yields (d: C?)
trait Tr<T> { const x: C? }
newtype N = int 
type Sy<T> = C
type Sub<T> = x: C | true witness *
method M<T>(c: C) 
method M2<T>() { var c: C?; }
function F<T>(c: C): C

class EE<T> { var f: C
  const g: C<int>
  constructor () {} }
class E3<T> { var f: seq<C> constructor() {} }
