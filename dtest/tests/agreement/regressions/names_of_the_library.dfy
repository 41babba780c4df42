// Types of another module that have the names of what the translation uses.
module M
{
  datatype Rc<T> = Shared(value: T) | Broken
  datatype Seq = Seq(length: int)
}
import opened M

datatype Rest<T> = End | More(rest: Rest<T>, item: T)

method Main()
{
  var r: Rest<Rc<int>> := More(More(End, Broken), Shared(3));
  print r, Seq(1), [Shared(Seq(2))], "\n";
}
