// refused: 2, 3, 4, 7, 12
method {:rlimit 1} {:resource_limit 100} M() { }
lemma {:resource_limit 100} {:rlimit 1}  L() { }
function {:rlimit 1} {:resource_limit 100} F(): int { 3 }
method N() { assert {:rlimit 1} {:resource_limit 100} true; while true  { } }
datatype {:rlimit 1} {:resource_limit 100} D = D1
const {:rlimit 1} {:resource_limit 100} c := 3
type {:rlimit 1} {:resource_limit 100} T = x: int | true
class {:rlimit 1} {:resource_limit 100} C { var {:rlimit 1} {:resource_limit 100} f: int constructor {:rlimit 1} {:resource_limit 100} () {} }
iterator {:rlimit 1} {:resource_limit 100} It()
module {:rlimit 1} {:resource_limit 100} Mod {}
@ResourceLimit("3") method {:rlimit 2} K() {}
