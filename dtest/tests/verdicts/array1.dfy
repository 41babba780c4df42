// refused: 2, 3
method M(a: array1<int>, b: array<int>, c: array2<int>) { }
method N(a: array0<int>, b: array?<int>, c: array12<int>) { }
