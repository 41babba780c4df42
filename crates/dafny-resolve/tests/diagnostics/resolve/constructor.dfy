trait Shape {
  constructor () {}
}
