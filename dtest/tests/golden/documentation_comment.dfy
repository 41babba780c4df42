/** The price with tax, in cents. */
function Gross(net: nat): nat {
  net + net / 5
}
