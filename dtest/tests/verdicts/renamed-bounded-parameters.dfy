// refused: 10, 12
trait Shape { }
trait Family {
  method M<A extends Shape>(a: A)
  method N<A>(a: A)
  method O<A extends Shape>(a: A)
}
class Member extends Family {
  constructor () { }
  method M<B extends Shape>(a: B) { }
  method N<B>(a: B) { }
  method O<A>(a: A) { }
}
