// options: --general-traits=datatype
trait Value { var x: int const c: int }
