module Inner {
  ghost function F<T>(m: map<T, int>): bool { forall k: T :: k in m }
}
