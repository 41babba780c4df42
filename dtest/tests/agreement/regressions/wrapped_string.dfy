// A datatype that wraps nothing but a string is left out where it is shown.
datatype Wrapper<T> = Wrapper(text: string)
datatype Holder = Holder(wrapper: Wrapper<int>, text: string)

method Main()
{
  var w: Wrapper<int> := Wrapper("a\"b");
  print w, (w, [1]), {w}, Holder(w, "c"), "\n";
}
