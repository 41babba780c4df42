module Round {
  export A extends B
  export B extends A
}
