function Inverse(n: nat): map<int, int> {
  map i | 0 <= i < n :: -i := i
}
