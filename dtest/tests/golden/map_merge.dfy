function Merged(m: map<int, int>, n: map<int, int>): map<int, int> {
  m + n
}
