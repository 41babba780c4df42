// Files in memory: directories, links, open files that share positions, descriptors, sparse writes, files that are open when removed.

datatype Option<T> = None | Some(value: T)

datatype Error = NoEntry | Exists | BadFile | TooMany | Denied

datatype Result<T> = Ok(value: T) | Failed(error: Error)

datatype Node = Node(data: seq<int>, links: nat, openings: nat)

datatype Flags = Flags(read: bool, write: bool, append: bool, create: bool, exclusive: bool, truncate: bool)

// What several descriptors can share.
datatype Handle = Handle(node: nat, position: nat, flags: Flags, users: nat)

datatype Whence = Start | Current | End

const LIMIT := 8  // Descriptors.

function Zeros(n: nat): seq<int> {
  seq(n, i => 0)
}

// Data with a part replaced; a gap before it is filled with zeros.
function Overlay(data: seq<int>, position: nat, new_: seq<int>): seq<int>
  ensures |Overlay(data, position, new_)| >= |data| || new_ == []
{
  if new_ == [] then data
  else
    var padded := if position > |data| then data + Zeros(position - |data|) else data;
    var end := position + |new_|;
    padded[..position] + new_ + (if end < |padded| then padded[end..] else [])
}

class Files {
  var nodes: map<nat, Node>
  var names: map<string, nat>
  var handles: map<nat, Handle>
  var table: seq<Option<nat>>  // The handles of descriptors.
  var nextNode: nat
  var nextHandle: nat

  ghost predicate Valid()
    reads this
  {
    && |table| <= LIMIT
    && (forall n <- names.Keys :: names[n] in nodes)
    && (forall h <- handles.Keys :: handles[h].node in nodes)
    && (forall n <- nodes.Keys :: n < nextNode) && (forall h <- handles.Keys :: h < nextHandle)
  }

  constructor ()
    ensures Valid() && nodes == map[] && names == map[] && table == []
  {
    nodes, names, handles, table, nextNode, nextHandle := map[], map[], map[], [], 0, 0;
  }

  function HandleOf(fd: nat): Option<nat>
    reads this
    ensures HandleOf(fd).Some? ==> HandleOf(fd).value in handles && fd < |table|
  {
    if fd < |table| && table[fd].Some? && table[fd].value in handles then table[fd] else None
  }

  // The least descriptor that is free.
  method Assign(h: nat) returns (fd: Option<nat>)
    requires Valid()
    modifies this`table
    ensures Valid()
    ensures fd.None? ==> table == old(table)
  {
    var i := 0;
    while i < |table| && table[i].Some?
      invariant i <= |table|
    {
      i := i + 1;
    }
    if i < |table| {
      table := table[i := Some(h)];
    } else if |table| < LIMIT {
      table := table + [Some(h)];
    } else {
      return None;
    }
    fd := Some(i);
  }

  method Open(name: string, flags: Flags) returns (fd: Result<nat>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if name !in names && !flags.create {
      return Failed(NoEntry);
    }
    if name in names && flags.create && flags.exclusive {
      return Failed(Exists);
    }
    var d := Assign(nextHandle);
    if d.None? {
      return Failed(TooMany);
    }
    if name !in names {
      nodes, names := nodes[nextNode := Node([], 1, 0)], names[name := nextNode];
      nextNode := nextNode + 1;
    } else if flags.truncate && flags.write {
      nodes := nodes[names[name] := nodes[names[name]].(data := [])];
    }
    var n := names[name];
    nodes := nodes[n := nodes[n].(openings := nodes[n].openings + 1)];
    handles := handles[nextHandle := Handle(n, 0, flags, 1)];
    nextHandle := nextHandle + 1;
    fd := Ok(d.value);
  }

  // A second descriptor of the same handle.
  method Duplicate(fd: nat) returns (copy: Result<nat>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    var h := HandleOf(fd);
    if h.None? {
      return Failed(BadFile);
    }
    var d := Assign(h.value);
    if d.None? {
      return Failed(TooMany);
    }
    handles := handles[h.value := handles[h.value].(users := handles[h.value].users + 1)];
    copy := Ok(d.value);
  }

  method Close(fd: nat) returns (closed: bool)
    requires Valid()
    modifies this
    ensures Valid()
  {
    var h := HandleOf(fd);
    if h.None? {
      return false;
    }
    table := table[fd := None];
    var handle := handles[h.value];
    if handle.users > 1 {
      handles := handles[h.value := handle.(users := handle.users - 1)];
    } else {
      handles := handles - {h.value};
      var node := nodes[handle.node];
      nodes := nodes[handle.node := node.(openings := if node.openings > 0 then node.openings - 1 else 0)];
      Collect(handle.node);
    }
    closed := true;
  }

  // A node goes when no name and no handle refers to it.
  method Collect(n: nat)
    requires Valid() && n in nodes
    modifies this`nodes
    ensures Valid()
  {
    if nodes[n].links == 0 && nodes[n].openings == 0
       && (forall name <- names.Keys :: names[name] != n) && (forall h <- handles.Keys :: handles[h].node != n) {
      nodes := nodes - {n};
    }
  }

  method Write(fd: nat, data: seq<int>) returns (count: Result<nat>)
    requires Valid()
    modifies this
    ensures Valid() && table == old(table)
  {
    var h := HandleOf(fd);
    if h.None? {
      return Failed(BadFile);
    }
    var handle := handles[h.value];
    if !handle.flags.write {
      return Failed(Denied);
    }
    var node := nodes[handle.node];
    var position := if handle.flags.append then |node.data| else handle.position;
    nodes := nodes[handle.node := node.(data := Overlay(node.data, position, data))];
    handles := handles[h.value := handle.(position := position + |data|)];
    count := Ok(|data|);
  }

  method Read(fd: nat, count: nat) returns (data: Result<seq<int>>)
    requires Valid()
    modifies this
    ensures Valid() && table == old(table) && nodes == old(nodes)
  {
    var h := HandleOf(fd);
    if h.None? {
      return Failed(BadFile);
    }
    var handle := handles[h.value];
    if !handle.flags.read {
      return Failed(Denied);
    }
    var all := nodes[handle.node].data;
    var from := if handle.position < |all| then handle.position else |all|;
    var to := if from + count < |all| then from + count else |all|;
    handles := handles[h.value := handle.(position := if to > handle.position then to else handle.position)];
    data := Ok(all[from..to]);
  }

  // A position before the start is refused.
  method Seek(fd: nat, offset: int, whence: Whence) returns (position: Result<nat>)
    requires Valid()
    modifies this
    ensures Valid() && table == old(table) && nodes == old(nodes)
  {
    var h := HandleOf(fd);
    if h.None? {
      return Failed(BadFile);
    }
    var handle := handles[h.value];
    var target := offset + match whence
      case Start => 0
      case Current => handle.position
      case End => |nodes[handle.node].data|;
    if target < 0 {
      return Failed(Denied);
    }
    handles := handles[h.value := handle.(position := target)];
    position := Ok(target);
  }

  method Link(old_: string, new_: string) returns (result: Option<Error>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if old_ !in names {
      return Some(NoEntry);
    }
    if new_ in names {
      return Some(Exists);
    }
    var n := names[old_];
    names, nodes := names[new_ := n], nodes[n := nodes[n].(links := nodes[n].links + 1)];
    result := None;
  }

  method Unlink(name: string) returns (result: Option<Error>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if name !in names {
      return Some(NoEntry);
    }
    var n := names[name];
    names := names - {name};
    nodes := nodes[n := nodes[n].(links := if nodes[n].links > 0 then nodes[n].links - 1 else 0)];
    Collect(n);
    result := None;
  }

  // The target's old file goes, unless both names are of the same file.
  method Rename(from: string, to: string) returns (result: Option<Error>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if from !in names {
      return Some(NoEntry);
    }
    if to in names {
      if names[to] == names[from] {
        return None;
      }
      var removed := Unlink(to);
    }
    if from in names {
      names := (names - {from})[to := names[from]];
    }
    result := None;
  }
}
