class Switch {
  var on: bool
  var count: nat

  method Toggle()
    modifies this`on
    ensures on == !old(on)
  {
    on := !on;
  }
}
