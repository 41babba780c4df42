import assert from "node:assert/strict";
import { test } from "node:test";

import { ofTest, parseLcov, testsIn } from "../src/core/coverage";
import { parseRecord, type UnitRecord } from "../src/core/records";

const LCOV = `TN:cargo_dtest
SF:src/lib.dfy
FN:1,M.F
FNDA:2,M.F
FNF:1
FNH:1
BRDA:2,0,0,1
BRDA:2,0,1,-
DA:2,2
DA:3,1
DA:5,0
LF:3
LH:2
end_of_record
`;

test("tracefiles say how many tests came to a line, an outcome, a unit", () => {
  const [file] = parseLcov(LCOV);
  assert.ok(file);
  assert.deepEqual(Array.from(file.lines), [[2, 2], [3, 1], [5, 0]]);
  assert.deepEqual(file.branches.get(2), [{ count: 1, label: "decision 1, outcome 1" }, { count: 0, label: "decision 1, outcome 2" }]);
  assert.deepEqual(file.units, [{ line: 1, name: "M.F", count: 2 }]);
  assert.deepEqual(parseLcov("SF:cut off\nDA:1,1\n"), []);
});

test("of one test, the innermost region in which a line begins decides", () => {
  const region = (from: readonly number[], to: readonly number[]): object => ({ path: "src/lib.dfy", start: { line: from[0], column: from[1] }, end: { line: to[0], column: to[1] } });
  const goal = (region: object, actual: readonly string[]): object => ({ place: "", goal: "", region, actual });
  const line = JSON.stringify({ kind: "unit", unit: "M.F", place: "", goals: [goal(region([1, 12], [6, 2]), ["one", "two"]), goal(region([2, 12], [4, 4]), ["one"])], stretches: [] });
  const unit = parseRecord(line) as UnitRecord;
  const text = ["method F() {", "  if x > 0 {", "    y := 1;", "  }", "  y := 2;", "}"];
  const [file] = parseLcov(LCOV);
  assert.ok(file);
  assert.deepEqual(Array.from(ofTest([unit], "one").lines(file, text)), [[2, true], [3, true], [5, true]]);
  assert.deepEqual(Array.from(ofTest([unit], "two").lines(file, text)), [[2, true], [3, false], [5, true]]);
  assert.deepEqual(Array.from(ofTest([unit], "three").lines(file, text)), [[2, false], [3, false], [5, false]]);
  assert.deepEqual(testsIn([unit], "src/lib.dfy"), new Set(["one", "two"]));
});
