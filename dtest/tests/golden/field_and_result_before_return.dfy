class Book {
  var ids: seq<int>

  constructor ()
  {
    ids := [];
  }

  method Cancel(n: nat) returns (found: bool)
    modifies this
    ensures found ==> |ids| == n
  {
    found := false;
    if n < |ids| {
      ids, found := ids[..n], true;
      return;
    }
  }
}
