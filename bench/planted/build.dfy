// A build system: targets with inputs and recipes, orders in which all inputs come first, what has to be made again, results that are
// remembered by the texts they were made from, and the length of a parallel build.

datatype Option<T> = None | Some(value: T)

// A recipe makes the text of a target from the texts of its inputs; `cost` is the time that it takes.
datatype Rule = Rule(inputs: seq<string>, recipe: seq<string> -> string, cost: nat)

datatype Plan = Order(targets: seq<string>) | Cycle(path: seq<string>)

// What a target was made from, and what came out.
datatype Trace = Trace(inputs: seq<string>, result: string)

datatype Outcome = Made | Same | Restored | Skipped

datatype Report = Report(outcomes: seq<(string, Outcome)>, failed: seq<string>)

predicate Member(x: string, xs: seq<string>) { exists i | 0 <= i < |xs| :: xs[i] == x }

// Adds the targets that `name` needs to those in `done`, inputs first. Files without a rule are sources, and are not in the order.
function Visit(rules: map<string, Rule>, name: string, path: seq<string>, done: seq<string>, fuel: nat): Plan
  decreases fuel, 0, 0
{
  if name !in rules || Member(name, done) then Order(done)
  else if Member(name, path) then Cycle(From(path, name) + [name])
  else if fuel == 0 then Cycle(path)
  else match VisitAll(rules, rules[name].inputs, path + [name], done, fuel - 1)
    case Cycle(p) => Cycle(p)
    case Order(ts) => Order(ts + [name])
}

function VisitAll(rules: map<string, Rule>, names: seq<string>, path: seq<string>, done: seq<string>, fuel: nat): Plan
  decreases fuel, 1, |names|
{
  if names == [] then Order(done)
  else match Visit(rules, names[0], path, done, fuel)
    case Cycle(p) => Cycle(p)
    case Order(ts) => VisitAll(rules, names[1..], path, ts, fuel)
}

// The part of a path that begins with `name`.
function From(path: seq<string>, name: string): seq<string>
  ensures |From(path, name)| <= |path|
{
  if path == [] || path[0] == name then path else From(path[1..], name)
}

function Max(a: nat, b: nat): nat { if a > b then a else b }

// The time at which the inputs are there, if sources are there from the beginning.
function Ready(ends: map<string, nat>, inputs: seq<string>): nat {
  if inputs == [] then 0
  else Max(if inputs[0] in ends then ends[inputs[0]] else 0, Ready(ends, inputs[1..]))
}

// The index of the worker that is free first, the first one of several.
function FirstFree(free: seq<nat>): nat
  requires free != []
  ensures FirstFree(free) < |free|
{
  if |free| == 1 then 0
  else
    var k := FirstFree(free[..|free| - 1]);
    if free[|free| - 1] < free[k] then |free| - 1 else k
}

class Builder {
  var rules: map<string, Rule>
  var files: map<string, string>
  var traces: map<string, seq<Trace>>
  const kept: nat
  var runs: nat

  ghost predicate Valid()
    reads this
  {
    kept > 0 && forall t <- traces :: |traces[t]| <= kept
  }

  constructor (kept: nat)
    requires kept > 0
    ensures Valid() && rules == map[] && files == map[] && runs == 0 && this.kept == kept
  {
    this.kept := kept;
    rules, files, traces, runs := map[], map[], map[], 0;
  }

  // A new rule; what was remembered for another rule of the target is forgotten.
  method Define(target: string, inputs: seq<string>, recipe: seq<string> -> string, cost: nat)
    requires Valid()
    modifies this
    ensures Valid() && target in rules && files == old(files) && runs == old(runs)
  {
    rules := rules[target := Rule(inputs, recipe, cost)];
    traces := traces - {target};
  }

  method Write(name: string, text: string)
    requires Valid()
    modifies this
    ensures Valid() && name in files && files[name] == text && rules == old(rules)
  {
    files := files[name := text];
  }

  method Delete(name: string)
    requires Valid()
    modifies this
    ensures Valid() && name !in files && rules == old(rules)
  {
    files := files - {name};
  }

  function Contents(names: seq<string>): Option<seq<string>>
    reads this
    ensures Contents(names).Some? ==> |Contents(names).value| == |names|
  {
    if names == [] then Some([])
    else if names[0] !in files then None
    else match Contents(names[1..])
      case None => None
      case Some(rest) => Some([files[names[0]]] + rest)
  }

  // The trace with these inputs, the newest one first.
  function Recall(ts: seq<Trace>, inputs: seq<string>): Option<string> {
    if ts == [] then None
    else if ts[0].inputs == inputs then Some(ts[0].result)
    else Recall(ts[1..], inputs)
  }

  method Remember(target: string, t: Trace)
    requires Valid()
    modifies this
    ensures Valid() && target in traces && rules == old(rules) && files == old(files) && runs == old(runs)
  {
    var ts := if target in traces then traces[target] else [];
    ts := [t] + ts;
    traces := traces[target := if |ts| > kept then ts[..kept] else ts];
  }

  // Makes one target whose inputs are up to date.
  method Make(target: string) returns (o: Outcome)
    requires Valid() && target in rules
    modifies this
    ensures Valid() && rules == old(rules)
    ensures o != Skipped ==> target in files
  {
    var r := rules[target];
    var inputs := Contents(r.inputs);
    if inputs.None? {
      return Skipped;
    }
    var known := if target in traces then Recall(traces[target], inputs.value) else None;
    if known.Some? {
      if target in files && files[target] == known.value {
        return Same;
      }
      files := files[target := known.value];
      return Restored;
    }
    var text := r.recipe(inputs.value);
    runs := runs + 1;
    Remember(target, Trace(inputs.value, text));
    if target in files && files[target] == text {
      return Same;
    }
    files := files[target := text];
    o := Made;
  }

  // Makes everything that `goal` needs. A target that lacks an input is reported, and so are those that need it; what it was before is
  // deleted.
  method Build(goal: string) returns (r: Report, plan: Plan)
    requires Valid()
    modifies this
    ensures Valid() && rules == old(rules)
    ensures plan.Cycle? ==> r.outcomes == []
  {
    plan := Visit(rules, goal, [], [], |rules|);
    r := Report([], []);
    if plan.Cycle? {
      return;
    }
    for i := 0 to |plan.targets|
      invariant Valid() && rules == old(rules)
    {
      var t := plan.targets[i];
      if t in rules {
        var o := Make(t);
        r := r.(outcomes := r.outcomes + [(t, o)]);
        if o == Skipped {
          r := r.(failed := r.failed + [t]);
          Delete(t);
        }
      }
    }
  }

  // The targets that depend on `name` directly or through others, among those of an order.
  method Affected(name: string, order: seq<string>) returns (ts: seq<string>)
    ensures |ts| <= |order|
  {
    ts := [];
    var dirty := {name};
    for i := 0 to |order|
      invariant |ts| <= i
    {
      var t := order[i];
      if t in rules && exists k | 0 <= k < |rules[t].inputs| :: rules[t].inputs[k] in dirty {
        dirty := dirty + {t};
        ts := ts + [t];
      }
    }
  }

  // Deletes the files of targets that the goals do not need, and forgets their traces.
  method Clean(goals: seq<string>) returns (gone: set<string>)
    requires Valid()
    modifies this
    ensures Valid() && rules == old(rules) && gone !! files.Keys
  {
    var needed := {};
    for i := 0 to |goals|
      invariant Valid() && rules == old(rules)
    {
      var p := Visit(rules, goals[i], [], [], |rules|);
      if p.Order? {
        needed := needed + set t <- p.targets;
      }
    }
    gone := set t <- rules.Keys | t !in needed && t in files;
    files := files - gone;
    traces := traces - gone;
  }

  // When each target of an order ends, if several workers take one after the other, each as soon as a worker is free and its inputs
  // are there.
  method Schedule(order: seq<string>, workers: nat) returns (ends: map<string, nat>, length: nat)
    requires workers > 0
    ensures forall t <- ends :: ends[t] <= length
  {
    ends, length := map[], 0;
    var free: seq<nat> := seq(workers, _ => 0);
    for i := 0 to |order|
      invariant |free| == workers && forall t <- ends :: ends[t] <= length
    {
      var t := order[i];
      if t in rules {
        var w := FirstFree(free);
        var start := Max(free[w], Ready(ends, rules[t].inputs));
        var end := start + rules[t].cost;
        ends := ends[t := end];
        free := free[w := end];
        length := Max(length, end);
      }
    }
  }
}
