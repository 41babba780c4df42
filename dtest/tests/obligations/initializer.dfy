method Indices(f: nat --> int) { var a := new int[3](f); } // !
method Few() { var a := new int[3](i requires i < 2 => i); } // !
method Sequence() { var s := seq(3, i requires i < 2 => i); } // !
