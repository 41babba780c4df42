method Run(x: nat)
  decreases *
  decreases x
{}
