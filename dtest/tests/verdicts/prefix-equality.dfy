// refused: 4, 5, 6
datatype List = Nil | Cons(tail: List)
codatatype Stream = More(tail: Stream)
lemma Inductive(a: List, b: List) ensures a ==#[2] b { }
lemma Limit(a: Stream, b: Stream) ensures a ==#[true] b { }
lemma Numbers(a: int) ensures a !=#[2] a { }
lemma Fine(a: Stream, b: Stream, k: nat, o: ORDINAL) ensures a ==#[k] b && a ==#[o] b && a !=#[3] b { }
lemma Chain(a: Stream, b: Stream, c: Stream, k: nat) ensures (a ==#[k] b == c !=#[3] a) || a !=#[k] b ==#[2] c { }
