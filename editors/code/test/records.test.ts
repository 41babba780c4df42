import assert from "node:assert/strict";
import { test } from "node:test";

import { parseRecord } from "../src/core/records";

test("units of list have goals", () => {
  const record = parseRecord('{"kind":"unit","unit":"M.F","place":"src/lib.dfy:14:10","goals":[{"place":"src/lib.dfy:16:3","goal":"the body is entered"},{"place":1}],"unsupported":[]}');
  assert.equal(record?.kind, "unit");
  assert.ok(record.goals.length === 1 && record.goals[0]?.goal === "the body is entered" && record.goals[0].actual === undefined);
});

test("executions have inputs, an outcome and how they are repeated", () => {
  const record = parseRecord(
    '{"kind":"execution","unit":"Half","number":2,"inputs":["n = 2"],"outcome":"returned","message":"returns with h = 1","results":["h = 1"],"execution":{"key":"99","data":"c1"},"branches":6,"follows":{"from":1,"branch":1}}',
  );
  assert.ok(record?.kind === "execution");
  assert.deepEqual([record.inputs, record.results, record.execution, record.follows, record.choices], [["n = 2"], ["h = 1"], { key: "99", data: "c1" }, { from: 1, branch: 1 }, []]);
});

test("replays have their steps", () => {
  const record = parseRecord(
    '{"kind":"replay","unit":"F","number":1,"inputs":[],"outcome":"violated","message":"violates an obligation","branches":0,"trace":{"stack":[],"steps":[{"unit":"F","depth":1,"place":"f.dfy:1:2","text":"x","iteration":0,"variables":["x = 1"],"chooses":true}],"omitted":{"after":1,"count":7},"end":[]}}',
  );
  assert.ok(record?.kind === "replay");
  assert.deepEqual(record.trace?.steps, [{ unit: "F", depth: 1, place: "f.dfy:1:2", text: "x", iteration: 0, variables: ["x = 1"], chooses: true }]);
  assert.deepEqual(record.trace.omitted, { after: 1, count: 7 });
});

test("what is not understood is no record", () => {
  for (const line of ["", "running 1 test", "{", "[]", "null", '{"kind":"new-in-2030"}', '{"kind":"execution","unit":"F"}', '{"kind":"execution","unit":"F","number":1,"outcome":"exploded","message":""}']) {
    assert.equal(parseRecord(line), undefined, line);
  }
});
