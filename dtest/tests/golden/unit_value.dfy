function Nothing(u: ()): () {
  u
}
