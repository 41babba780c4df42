import assert from "node:assert/strict";
import { test } from "node:test";

import { buildCommand, executableOf, failure, reader, testCommand, type TestOutcome } from "../src/core/testing";
import type { Runner, Settings } from "../src/core/tool";

const settings = (runner: Runner): Settings => ({ path: "", cargo: "cargo", environment: {}, runner });

function read(runner: Runner, text: string): { readonly outcomes: Map<string, TestOutcome>; readonly ran: boolean } {
  const outcomes = new Map<string, TestOutcome>();
  const of = reader(runner, (id, outcome) => outcomes.set(id, outcome));
  for (const line of text.split("\n")) of.line(line);
  return { outcomes, ...of.end() };
}

const SAID = `Range.Clamp: expectation failed
  clause: src/lib.dfy:9:12: Clamp by Dafny's semantics
  got: 0    from y
  want: -1    from int(-1)
  inputs:
    x = 3
  test: tests/dtest/range/clamp.rs:32`;

const LIBTEST = `running 3 tests
test range::clamp::in_range ... ok
test range::clamp::later ... ignored
test range::clamp::above ... FAILED

failures:

---- range::clamp::above stdout ----
${SAID}


failures:
    range::clamp::above

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass \`--test dtest\`
`;

test("what Rust's harness prints is read, with what failing tests said", () => {
  const { outcomes, ran } = read("cargo", LIBTEST);
  assert.deepEqual(outcomes.get("range::clamp::in_range"), { outcome: "passed", seconds: undefined });
  assert.deepEqual(outcomes.get("range::clamp::later"), { outcome: "skipped" });
  assert.deepEqual(outcomes.get("range::clamp::above"), { outcome: "failed", seconds: undefined, said: SAID });
  assert.ok(ran && outcomes.size === 3);
});

test("quiet runs name the failing tests alone", () => {
  const quiet = LIBTEST.replace(/^test range.*\n/gm, "").replace("running 3 tests", "running 3 tests\n.iF");
  assert.deepEqual(Array.from(read("cargo", quiet).outcomes.keys()), ["range::clamp::above"]);
});

test("where nothing is built, no test ran", () => {
  assert.deepEqual(read("cargo", "error[E0425]: cannot find value `x`\nerror: could not compile").ran, false);
  assert.deepEqual(read("nextest", "error: could not compile").ran, false);
});

const NEXTEST = `────────────
 Nextest run ID 1 with nextest profile: default
    Starting 3 tests across 1 binary
        PASS [   0.016s] (1/3) shop::dtest range::clamp::in_range
        SLOW [> 60.000s] (───) shop::dtest range::clamp::above
        FAIL [   1.250s] (2/3) shop::dtest range::clamp::above
  stdout ───

    running 1 test
    test range::clamp::above ... FAILED

    failures:

    failures:
        range::clamp::above

    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 11 filtered out; finished in 0.00s

  stderr ───
${SAID.replace(/^/gm, "    ")}

     SIGABRT [   0.016s] (3/3) shop::dtest range::clamp::overflows
────────────
     Summary [   0.059s] 3 tests run: 1 passed, 2 failed, 0 skipped
`;

test("what nextest prints is read", () => {
  const { outcomes, ran } = read("nextest", NEXTEST);
  assert.deepEqual(outcomes.get("range::clamp::in_range"), { outcome: "passed", seconds: 0.016 });
  assert.deepEqual(outcomes.get("range::clamp::above"), { outcome: "failed", seconds: 1.25, said: SAID });
  assert.equal(outcomes.get("range::clamp::overflows")?.outcome, "failed");
  assert.ok(ran && outcomes.size === 3);
});

test("a failure is at its clause, with both values", () => {
  assert.deepEqual(failure(SAID), {
    message: SAID,
    clause: { path: "src/lib.dfy", line: 9, column: 12 },
    got: "0",
    want: "-1",
    test: { path: "tests/dtest/range/clamp.rs", line: 32, column: 1 },
  });
  const panic = failure("thread 'a' panicked at tests/dtest/a.rs:7:5:\nindex out of bounds");
  assert.deepEqual([panic.clause, panic.got, panic.test], [undefined, undefined, { path: "tests/dtest/a.rs", line: 7, column: 5 }]);
});

test("tests are named exactly, unless the line would be too long", () => {
  const command = testCommand(settings("cargo"), "/w", "dtest", ["a::b"]);
  assert.deepEqual([command.program, command.args.slice(0, 3), command.args.slice(-2)], ["cargo", ["test", "--test", "dtest"], ["--exact", "a::b"]]);
  const many = Array.from({ length: 3_000 }, (_, i) => `module::test_${i}`);
  assert.ok(!testCommand(settings("nextest"), "/w", "dtest", many).args.includes("--exact"));
});

test("the program to debug is the test target's", () => {
  const artifact = { reason: "compiler-artifact", target: { name: "dtest", kind: ["test"] }, executable: "/w/target/debug/deps/dtest-1" };
  assert.equal(executableOf(JSON.stringify(artifact), "dtest"), "/w/target/debug/deps/dtest-1");
  assert.equal(executableOf(JSON.stringify({ ...artifact, target: { name: "dtest", kind: ["bin"] } }), "dtest"), undefined);
  assert.equal(executableOf("null", "dtest"), undefined);
  assert.ok(buildCommand(settings("cargo"), "/w", "dtest").args.includes("--no-run"));
});
