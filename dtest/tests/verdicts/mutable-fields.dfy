// refused: 3, 5, 9
// options: --general-traits=datatype
trait Value { var x: int const c: int }
trait Reference extends object { var x: int }
datatype D = D { var x: int const y: int }
class C extends Reference { var y: int }
class E extends Value { var y: int }
iterator I() { }
type T { const ok: int var bad: int }
