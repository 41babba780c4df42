import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, question, replay, trouble } from "../src/core/executions";
import type { Command, Ended, Run } from "../src/core/process";
import { isFromPanel } from "../src/core/protocol";
import { named } from "../src/core/questions";
import type { Settings } from "../src/core/tool";

const SETTINGS: Settings = { path: "", cargo: "cargo", environment: {}, runner: "cargo" };
const PROGRAM = { root: "/w", files: ["half.dfy"] };

/** A tool that prints lines and ends. */
const prints =
  (lines: readonly string[], ended: Ended = { how: "exited", code: 0 }): Run =>
  (_, on) => {
    for (const line of lines) on.out?.(line);
    return Promise.resolve(ended);
  };

const asked = (of: Parameters<typeof question>[2]): Command => question(SETTINGS, PROGRAM, of);

test("what is not set is left to the tool", () => {
  const command = asked({ of: "unit", unit: "Half", strategy: "generational", bounds: {} });
  assert.deepEqual(command.args, ["dtest", "check", "half.dfy", "--message-format", "json", "--color", "never", "--executions", "--entry", "Half"]);
  const bounded = asked({ of: "unit", unit: "Half", strategy: "depth", bounds: { depth: 3, unrollChoice: 0, maxSize: 2 } });
  assert.deepEqual(bounded.args.slice(-8), ["--strategy", "depth", "--depth", "3", "--max-size", "2", "--unroll-choice", "0"]);
  assert.deepEqual(asked({ of: "line", at: "half.dfy:3" }).args.slice(-2), ["--at", "half.dfy:3"]);
});

test("executions are rows, and can be repeated", async () => {
  const lines = [
    '{"kind":"execution","unit":"Half","number":1,"inputs":["n = 0"],"outcome":"returned","message":"returns with h = 0","results":["h = 0"],"execution":{"key":"9","data":"1"},"branches":2}',
    '{"kind":"exploration","unit":"Half","place":"half.dfy:1:7","strategy":"by generations","executed":1,"violated":0,"whole":true,"bounds":"loops 4","limits":["larger bounds have more"]}',
  ];
  const found = await ask(prints(lines), asked({ of: "line", at: "x" }));
  assert.deepEqual(found.rows.map((r) => [r.number, r.inputs, r.outcome]), [[1, [{ name: "n", value: "0" }], "returned"]]);
  assert.deepEqual(found.summary, ["1 execution of Half, none of them violates an obligation; every path within the bounds: loops 4", "larger bounds have more"]);
  assert.deepEqual(found.replays.get(1), { how: "run", record: '{"unit":"Half","execution":{"key":"9","data":"1"}}' });
});

test("violations of a line are rows with their steps, what holds is said", async () => {
  const lines = [
    '{"kind":"obligation","unit":"F","place":"f.dfy:5:11","obligation":"postcondition","text":"x","standing":"violated","message":"this postcondition does not hold","inputs":["a = 1"],"trace":{"stack":[],"steps":[],"end":[]},"execution":{"key":"1","data":"2"}}',
    '{"kind":"obligation","unit":"F","place":"f.dfy:5:20","obligation":"index","text":"y","standing":"not-decided","message":"not decided: index","reason":"out of budget"}',
  ];
  const found = await ask(prints(lines, { how: "exited", code: 7 }), asked({ of: "line", at: "f.dfy:5" }));
  assert.deepEqual(found.rows.map((r) => [r.number, r.outcome, r.place]), [[1, "violated", "f.dfy:5:11"]]);
  assert.equal(found.replays.get(1)?.how, "known");
  assert.deepEqual([found.summary, found.trouble], [["f.dfy:5:20: not decided: index (out of budget)"], undefined]);
});

test("what keeps the tool from looking is said", async () => {
  const wrong = '{"kind":"diagnostic","id":"resolve/type","severity":"error","message":"wrong type","primary":{"path":"f.dfy","line":1,"column":2,"end_line":1,"end_column":3},"secondary":[],"notes":[]}';
  assert.equal((await ask(prints([wrong], { how: "exited", code: 2 }), asked({ of: "line", at: "x" }))).trouble, "f.dfy:1:2: wrong type");
  assert.equal(trouble({ how: "exited", code: 6 }, [], ["error: Z3 is missing"]), "error: Z3 is missing");
  assert.equal(trouble({ how: "exited", code: 70 }, [], []), "cargo dtest ended with exit code 70");
  assert.match(trouble({ how: "not-started", why: "ENOENT" }, [], []) ?? "", /could not be started: ENOENT/);
});

test("an execution is repeated by its record", async () => {
  const line = '{"kind":"replay","unit":"F","number":1,"inputs":[],"outcome":"returned","message":"","trace":{"stack":[],"steps":[],"end":[]}}';
  assert.deepEqual(await replay(prints([line]), SETTINGS, PROGRAM, "kept.json"), { steps: [], omitted: undefined, stack: [] });
  const nothing = await replay(prints([]), SETTINGS, PROGRAM, "kept.json");
  assert.ok(typeof nothing === "string" && nothing.includes("update it"));
});

test("inputs are names and values", () => {
  assert.deepEqual(named("m = map[1 = 2]"), { name: "m", value: "map[1 = 2]" });
  assert.deepEqual(named("odd"), { name: "", value: "odd" });
});

test("the panel can ask for what the form has, and for nothing else", () => {
  const unit = { of: "unit", unit: "F", strategy: "depth", bounds: { depth: 1 } };
  assert.ok(isFromPanel({ type: "run", asked: unit }) && isFromPanel({ type: "choose", number: 1 }));
  for (const asked of [{ ...unit, unit: "--write" }, { ...unit, bounds: { depth: "1 --write" } }, { ...unit, strategy: "x" }, { of: "line", at: "--write" }, null]) {
    assert.ok(!isFromPanel({ type: "run", asked }), JSON.stringify(asked));
  }
  assert.ok(!isFromPanel("ready") && !isFromPanel({ type: "eval" }));
});
