// The static type decides what prints as a string: not what a type parameter stands for.
datatype Box<T> = Box(value: T, count: int)
datatype Named = Named(name: string, count: int)

method Show<T>(x: T)
{
  print x, "\n";
}

method Main()
{
  print "text", ["in a sequence", ""], ("in a tuple", 1), map["key" := "value"], multiset{"a"}, "\n";
  print Box("a parameter", 1), Named("a \"field\"\n", 2), "\n";
  Show("of a type parameter");
  Show(Named("x", 1));
}
