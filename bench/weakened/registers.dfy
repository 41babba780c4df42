// Registers of a device: bit fields in words, and a counter with a saturation flag.

function Bit(w: bv8, i: nat): bool
  requires i < 8
{
  (w >> i) & 1 == 1
}

method Pack(high: bv4, low: bv4) returns (w: bv8)
  ensures w >> 4 == high as bv8
  ensures w & 15 == low as bv8
{
  w := (high as bv8 << 4) | low as bv8;
}

method Mask(w: bv8, keep: bv8) returns (r: bv8)
  ensures r & keep == w & keep
  ensures r & !keep == 0
{
  r := w & keep;
}

method Toggle(w: bv8, low: bool, high: bool) returns (r: bv8)
  ensures r & 1 == if low then !w & 1 else w & 1
  ensures r & 128 == if high then !w & 128 else w & 128
  ensures r & 126 == w & 126
{
  r := w;
  if low { r := r ^ 1; }
  if high { r := r ^ 128; }
}

class Counter {
  var value: bv8
  var saturated: bool

  method Add(n: bv8)
    modifies this
    ensures saturated <==> old(saturated) || old(value) as int + n as int > 255
    ensures old(value) as int + n as int <= 255 ==> value == old(value) + n
    ensures old(value) as int + n as int > 255 ==> value == 255
  {
    if value as int + n as int > 255 {
      saturated := true;
      value := 255;
    } else {
      value := value + n;
    }
  }

  method Reset() returns (last: bv8)
    modifies this
    ensures last == old(value)
    ensures value == 0 && !saturated
  {
    last, value, saturated := value, 0, false;
  }
}
