function Put(m: map<int, bool>, k: int): map<int, bool> {
  m[k := true]
}
