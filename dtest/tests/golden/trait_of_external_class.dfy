// An external class implements a trait: what is behind the trait is a stub.

trait Meter {
  method Read() returns (celsius: int)
    ensures -90 <= celsius <= 60
}

class {:extern} Probe extends Meter {
  constructor {:extern} (pin: nat)

  method {:extern} Read() returns (celsius: int)
    ensures -90 <= celsius <= 60
}

method IsWarm(meter: Meter) returns (warm: bool) {
  var celsius := meter.Read();
  if celsius > 30 {
    return true;
  }
  return false;
}

method IsProbeWarm(pin: nat) returns (warm: bool) {
  var probe := new Probe(pin);
  warm := IsWarm(probe);
}
