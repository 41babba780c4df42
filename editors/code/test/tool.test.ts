/** The extension with the real tool, whose output it must parse. Skipped with a message if the tool is missing. */

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { ask, question, replay } from "../src/core/executions";
import { run } from "../src/core/process";
import { parseRecord } from "../src/core/records";
import { states } from "../src/core/steps";
import { records, type Settings } from "../src/core/tool";

const built = join(process.cwd(), "..", "..", "target", "debug", process.platform === "win32" ? "cargo-dtest.exe" : "cargo-dtest");
const path = process.env["DTEST_TOOL"] ?? built;
const skip = existsSync(path) ? false : `there is no ${path}`;
const settings: Settings = { path, cargo: "cargo", environment: {}, runner: "cargo" };
const root = mkdtempSync(join(tmpdir(), "dtest-extension-"));
const program = { root, files: ["list.dfy"] };

after(() => {
  rmSync(root, { recursive: true, force: true });
});

writeFileSync(
  join(root, "list.dfy"),
  `class Node { var value: int var next: Node? constructor () { value := 0; next := null; } }
method Link(a: Node, b: Node)
  modifies a
  ensures a.value < 1
{
  a.next := b;
  a.value := a.value + 1;
}
function Twice(n: nat): nat { 2 * n }
`,
);

test("units are listed", { skip }, async () => {
  const units: string[] = [];
  await run(records(settings, program, ["list"]), { out: (line) => { const record = parseRecord(line); if (record?.kind === "unit") units.push(record.unit); } });
  assert.deepEqual(units, ["Node._ctor", "Link", "Twice"]);
});

test("executions are found, and repeated step by step", { skip }, async () => {
  const found = await ask(run, question(settings, program, { of: "unit", unit: "Link", strategy: "depth", bounds: { depth: 8 } }));
  assert.equal(found.trouble, undefined);
  assert.deepEqual(new Set(found.rows.map((r) => r.outcome)), new Set(["returned", "violated"]));
  const kept = found.replays.get(1);
  assert.ok(kept?.how === "run");
  writeFileSync(join(root, "kept.json"), `${kept.record}\n`);
  const trace = await replay(run, settings, program, "kept.json");
  assert.ok(typeof trace !== "string", "it has no steps");
  const [first] = states(trace);
  assert.deepEqual(first?.frames.map((f) => [f.unit, f.variables.map((v) => v.name)]), [["Link", ["a", "b"]]]);
});

test("violations of a line are found", { skip }, async () => {
  const found = await ask(run, question(settings, program, { of: "line", at: "list.dfy:4" }));
  assert.deepEqual([found.rows.length, found.rows[0]?.outcome, found.replays.get(1)?.how], [1, "violated", "known"]);
});

test("what is wrong with the program is said", { skip }, async () => {
  const found = await ask(run, question(settings, program, { of: "unit", unit: "Nothing", strategy: "depth", bounds: {} }));
  assert.match(found.trouble ?? "", /`--entry Nothing`: the program has no method/);
});
