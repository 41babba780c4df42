// A queue of jobs over a leftist heap: the job of the smallest priority number runs first, and jobs of the same priority run
// in the order in which they were submitted.

datatype Option<T> = None | Some(value: T)

datatype Job = Job(priority: int, ticket: nat, name: string)

datatype Heap = Empty | Node(rank: nat, top: Job, left: Heap, right: Heap)

predicate Before(a: Job, b: Job) {
  a.priority < b.priority || (a.priority == b.priority && a.ticket <= b.ticket)
}

function Rank(h: Heap): nat {
  if h.Empty? then 0 else h.rank
}

function Size(h: Heap): nat {
  if h.Empty? then 0 else 1 + Size(h.left) + Size(h.right)
}

ghost function Jobs(h: Heap): multiset<Job> {
  if h.Empty? then multiset{} else multiset{h.top} + Jobs(h.left) + Jobs(h.right)
}

ghost predicate IsLeftist(h: Heap) {
  h.Node? ==> h.rank == Rank(h.right) + 1 && Rank(h.right) <= Rank(h.left) && IsLeftist(h.left) && IsLeftist(h.right)
}

ghost predicate AllAfter(j: Job, h: Heap) {
  h.Node? ==> Before(j, h.top)
}

ghost predicate IsHeap(h: Heap) {
  h.Node? ==> AllAfter(h.top, h.left) && AllAfter(h.top, h.right) && IsHeap(h.left) && IsHeap(h.right)
}

function Make(j: Job, a: Heap, b: Heap): Heap
  ensures Size(Make(j, a, b)) == 1 + Size(a) + Size(b)
{
  if Rank(a) >= Rank(b) then Node(Rank(b) + 1, j, a, b) else Node(Rank(a) + 1, j, b, a)
}

function Merge(a: Heap, b: Heap): Heap
  ensures Size(Merge(a, b)) == Size(a) + Size(b)
  decreases Size(a) + Size(b)
{
  match (a, b)
  case (Empty, _) => b
  case (_, Empty) => a
  case (Node(_, x, al, ar), Node(_, y, bl, br)) =>
    if Before(x, y) then Make(x, al, Merge(ar, b)) else Make(y, bl, Merge(a, br))
}

function Insert(j: Job, h: Heap): Heap
  ensures Size(Insert(j, h)) == Size(h) + 1
{
  var single := Node(1, j, Empty, Empty);
  assert Size(single) == 1;
  Merge(single, h)
}

function Find(h: Heap, ticket: nat): Option<Job> {
  match h
  case Empty => None
  case Node(_, j, l, r) =>
    if j.ticket == ticket then Some(j)
    else
      var inLeft := Find(l, ticket);
      if inLeft.Some? then inLeft else Find(r, ticket)
}

// Without the job of that ticket; the heap itself if there is none.
function Remove(h: Heap, ticket: nat): Heap
  ensures Size(Remove(h, ticket)) <= Size(h)
{
  match h
  case Empty => Empty
  case Node(_, j, l, r) =>
    if j.ticket == ticket then Merge(l, r)
    else if Find(l, ticket).Some? then Make(j, Remove(l, ticket), r)
    else Make(j, l, Remove(r, ticket))
}

// The number of jobs whose priority is at most `limit`: a subtree below a later job is not entered.
function CountUrgent(h: Heap, limit: int): nat
  ensures CountUrgent(h, limit) <= Size(h)
{
  if h.Empty? || h.top.priority > limit then 0
  else 1 + CountUrgent(h.left, limit) + CountUrgent(h.right, limit)
}

function Drain(h: Heap): seq<Job>
  ensures |Drain(h)| == Size(h)
  decreases Size(h)
{
  if h.Empty? then [] else [h.top] + Drain(Merge(h.left, h.right))
}

// One round of pairwise merging.
function MergePairs(hs: seq<Heap>): seq<Heap>
  ensures |MergePairs(hs)| == (|hs| + 1) / 2
{
  if |hs| < 2 then hs else [Merge(hs[0], hs[1])] + MergePairs(hs[2..])
}

function MergeAll(hs: seq<Heap>): Heap
  decreases |hs|
{
  if |hs| == 0 then Empty else if |hs| == 1 then hs[0] else MergeAll(MergePairs(hs))
}

function FromSeq(jobs: seq<Job>): Heap {
  MergeAll(seq(|jobs|, i requires 0 <= i < |jobs| => Node(1, jobs[i], Empty, Empty)))
}

class JobQueue {
  var heap: Heap
  var nextTicket: nat
  var running: map<nat, Job>
  var finished: seq<string>
  const workers: nat

  ghost predicate Valid()
    reads this
  {
    && |running| <= workers
    && (forall t <- running :: t < nextTicket && running[t].ticket == t)
  }

  constructor (workers: nat)
    ensures Valid() && heap == Empty && running == map[] && finished == [] && this.workers == workers && nextTicket == 0
  {
    this.workers := workers;
    heap, nextTicket, running, finished := Empty, 0, map[], [];
  }

  method Submit(name: string, priority: int) returns (ticket: nat)
    requires Valid()
    modifies this
    ensures Valid()
    ensures Size(heap) == old(Size(heap)) + 1
    ensures ticket == old(nextTicket) && running == old(running)
  {
    ticket := nextTicket;
    heap := Insert(Job(priority, ticket, name), heap);
    nextTicket := nextTicket + 1;
  }

  // Starts jobs while there are free workers, and returns their names.
  method Dispatch() returns (started: seq<string>)
    requires Valid()
    modifies this
    ensures Valid()
    ensures heap.Empty? || |running| == workers
    ensures finished == old(finished) && nextTicket == old(nextTicket)
  {
    started := [];
    while heap.Node? && |running| < workers
      invariant Valid()
      invariant finished == old(finished) && nextTicket == old(nextTicket)
      decreases Size(heap)
    {
      var j := heap.top;
      heap := Merge(heap.left, heap.right);
      if j.ticket < nextTicket && j.ticket !in running {
        running := running[j.ticket := j];
        started := started + [j.name];
      }
    }
  }

  method Finish(ticket: nat) returns (known: bool)
    requires Valid()
    modifies this
    ensures Valid()
    ensures known <==> ticket in old(running)
    ensures !known ==> finished == old(finished)
  {
    known := ticket in running;
    if known {
      finished := finished + [running[ticket].name];
      running := running - {ticket};
    }
  }

  // A running job that failed goes back to the queue with its ticket, later by `delay`.
  method Requeue(ticket: nat, delay: nat)
    requires Valid() && ticket in running
    modifies this
    ensures Valid()
    ensures Size(heap) == old(Size(heap)) + 1 && |running| < workers
  {
    var j := running[ticket];
    running := running - {ticket};
    heap := Insert(j.(priority := j.priority + delay), heap);
  }

  method Reprioritise(ticket: nat, priority: int) returns (changed: bool)
    requires Valid()
    modifies this
    ensures Valid()
    ensures !changed ==> heap == old(heap)
    ensures running == old(running)
  {
    var found := Find(heap, ticket);
    match found
    case None => changed := false;
    case Some(j) =>
      heap := Insert(j.(priority := priority), Remove(heap, ticket));
      changed := true;
  }

  method Cancel(ticket: nat) returns (cancelled: bool)
    requires Valid()
    modifies this
    ensures Valid()
    ensures running == old(running) && finished == old(finished)
  {
    cancelled := Find(heap, ticket).Some?;
    heap := Remove(heap, ticket);
  }
}
