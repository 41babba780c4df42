// The resolver of a package manager: versions and the requirements on them, a search that goes back on conflicts, lock files, the
// order of installation, and the differences between two lock files.

datatype Option<T> = None | Some(value: T)

datatype Version = Version(major: nat, minor: nat, patch: nat)

datatype Requirement =
  | Any
  | Exactly(v: Version)
  | Compatible(v: Version)  // No older, and without a breaking change.
  | Between(low: Version, high: Version)  // `high` is excluded.
  | Both(a: Requirement, b: Requirement)

datatype Need = Need(name: string, requirement: Requirement)

datatype Release = Release(version: Version, needs: seq<Need>, withdrawn: bool)

type Catalog = map<string, seq<Release>>

type Lock = map<string, Version>

type Choice = map<string, Release>

datatype Conflict = Unknown(name: string) | NoRelease(need: Need) | Chosen(need: Need, version: Version) | TooDeep

datatype Result = Solved(choice: Choice) | Failed(conflict: Conflict)

predicate Older(a: Version, b: Version) {
  if a.major != b.major then a.major < b.major
  else if a.minor != b.minor then a.minor < b.minor
  else a.patch < b.patch
}

lemma OlderIsAnOrder(a: Version, b: Version, c: Version)
  ensures !Older(a, a) && (Older(a, b) ==> !Older(b, a))
  ensures Older(a, b) && Older(b, c) ==> Older(a, c)
{
}

// The first version that may break what works with this one.
function NextBreaking(v: Version): Version
  ensures Older(v, NextBreaking(v))
{
  if v.major > 0 then Version(v.major + 1, 0, 0)
  else if v.minor > 0 then Version(0, v.minor + 1, 0)
  else Version(0, 0, v.patch + 1)
}

predicate Satisfies(v: Version, r: Requirement) {
  match r
  case Any => true
  case Exactly(w) => v == w
  case Compatible(w) => !Older(v, w) && Older(v, NextBreaking(w))
  case Between(low, high) => !Older(v, low) && Older(v, high)
  case Both(a, b) => Satisfies(v, a) && Satisfies(v, b)
}

// Parses the digits in front: the number and how many there are.
function ParseNumber(text: string, value: nat, digits: nat): (nat, nat)
  ensures ParseNumber(text, value, digits).1 <= digits + |text|
{
  if text == "" || !('0' <= text[0] <= '9') then (value, digits)
  else ParseNumber(text[1..], 10 * value + (text[0] - '0') as nat, digits + 1)
}

// Parses one to three numbers with dots between them; those that are left out are 0.
function ParseVersion(text: string, numbers: seq<nat>): Option<Version>
  requires |numbers| < 3
  decreases 3 - |numbers|
{
  var (number, digits) := ParseNumber(text, 0, 0);
  var all := numbers + [number];
  if digits == 0 then None
  else if digits == |text| then
    Some(Version(all[0], if |all| > 1 then all[1] else 0, if |all| > 2 then all[2] else 0))
  else if digits > |text| || text[digits] != '.' || |all| == 3 then None
  else ParseVersion(text[digits + 1..], all)
}

function InsertNewest(r: Release, sorted: seq<Release>): seq<Release> {
  if sorted == [] || !Older(r.version, sorted[0].version) then [r] + sorted else [sorted[0]] + InsertNewest(r, sorted[1..])
}

// The releases that satisfy a need, the newest first. One that has been withdrawn is only used if it is locked.
function Candidates(releases: seq<Release>, need: Need, lock: Lock): seq<Release> {
  if releases == [] then []
  else
    var others := Candidates(releases[1..], need, lock);
    var r := releases[0];
    var locked := need.name in lock && lock[need.name] == r.version;
    if !Satisfies(r.version, need.requirement) || (r.withdrawn && !locked) then others
    else InsertNewest(r, others)
}

// The locked release goes before the others.
function LockedFirst(candidates: seq<Release>, name: string, lock: Lock): seq<Release> {
  if name !in lock then candidates
  else Having(candidates, lock[name], true) + Having(candidates, lock[name], false)
}

function Having(releases: seq<Release>, v: Version, same: bool): seq<Release> {
  if releases == [] then []
  else (if (releases[0].version == v) == same then [releases[0]] else []) + Having(releases[1..], v, same)
}

// Meets the needs one after the other; `depth` limits the number of needs on the way to a solution.
function Solve(catalog: Catalog, lock: Lock, needs: seq<Need>, choice: Choice, depth: nat): Result
  decreases depth, 1, 0
{
  if needs == [] then Solved(choice)
  else if depth == 0 then Failed(TooDeep)
  else
    var need := needs[0];
    if need.name in choice then
      if Satisfies(choice[need.name].version, need.requirement) then Solve(catalog, lock, needs[1..], choice, depth - 1)
      else Failed(Chosen(need, choice[need.name].version))
    else if need.name !in catalog then Failed(Unknown(need.name))
    else
      var candidates := LockedFirst(Candidates(catalog[need.name], need, lock), need.name, lock);
      Try(catalog, lock, candidates, needs, choice, depth, NoRelease(need))
}

// Takes the first candidate that leads to a solution. The first conflict is the one that is reported.
function Try(catalog: Catalog, lock: Lock, candidates: seq<Release>, needs: seq<Need>, choice: Choice, depth: nat,
             conflict: Conflict): Result
  requires needs != [] && depth > 0
  decreases depth, 0, |candidates|
{
  if candidates == [] then Failed(conflict)
  else
    var r := candidates[0];
    match Solve(catalog, lock, needs[1..] + r.needs, choice[needs[0].name := r], depth - 1)
    case Solved(c) => Solved(c)
    case Failed(other) =>
      Try(catalog, lock, candidates[1..], needs, choice, depth, if conflict.NoRelease? then other else conflict)
}

// Whether all needs of the chosen releases are met.
ghost predicate Consistent(choice: Choice) {
  forall name <- choice :: forall n <- choice[name].needs ::
    n.name in choice && Satisfies(choice[n.name].version, n.requirement)
}

// Appends a package behind those that it needs. A package on the way to itself is not entered again: a cycle.
function Visit(choice: Choice, name: string, way: set<string>, order: seq<string>): seq<string>
  decreases choice.Keys - way, 1, 0
{
  if name !in choice || name in order || name in way then order
  else VisitAll(choice, choice[name].needs, way + {name}, order) + [name]
}

function VisitAll(choice: Choice, needs: seq<Need>, way: set<string>, order: seq<string>): seq<string>
  decreases choice.Keys - way, 2, |needs|
{
  if needs == [] then order
  else VisitAll(choice, needs[1..], way, Visit(choice, needs[0].name, way, order))
}

// The packages in the order in which they can be installed.
function InstallOrder(choice: Choice, roots: seq<Need>): seq<string> {
  VisitAll(choice, roots, {}, [])
}

datatype Change = Added(name: string) | Removed(name: string) | Upgraded(name: string) | Downgraded(name: string)

// The changes of the packages with these names.
function Changes(names: seq<string>, before: Lock, after: Lock): seq<Change> {
  if names == [] then []
  else
    var name, others := names[0], Changes(names[1..], before, after);
    if name in before && name in after then
      if Older(before[name], after[name]) then [Upgraded(name)] + others
      else if before[name] != after[name] then [Downgraded(name)] + others
      else others
    else if name in after then [Added(name)] + others
    else if name in before then [Removed(name)] + others
    else others
}

function Missing(names: seq<string>, from: seq<string>): seq<string> {
  if names == [] then [] else (if names[0] in from then [] else [names[0]]) + Missing(names[1..], from)
}

// Resolves the needs of a program and says in which order to install the packages and what changes. The packages to update are free
// to leave their locked versions.
method Install(catalog: Catalog, lock: Lock, installed: seq<string>, needs: seq<Need>, update: set<string>)
  returns (result: Result, order: seq<string>, changes: seq<Change>)
  ensures result.Failed? ==> order == [] && changes == []
{
  var kept: Lock := map name <- lock | name !in update :: lock[name];
  result, order, changes := Solve(catalog, kept, needs, map[], 50), [], [];
  if result.Solved? {
    var after := map name <- result.choice :: result.choice[name].version;
    order := InstallOrder(result.choice, needs);
    changes := Changes(order + Missing(installed, order), lock, after);
  }
}
