method Negative(n: int) { var a := new int[n]; } // !
method Display() { var a := new int[3] [1]; } // !
method Empty() { var a := new int[1] []; } // !
method NoInitialValue<T>() { var a := new T[1]; } // !
class C { constructor () { } }
method Objects(n: nat, m: nat) { var a := new C[n, m]; } // !
method Sequence(n: int) { var s := seq(n, i => i); } // !
method None<T>() { var a := new T[0]; }
