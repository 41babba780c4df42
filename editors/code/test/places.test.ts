import assert from "node:assert/strict";
import { test } from "node:test";

import { columnOf, findPlace, parsePlace, utf16Index } from "../src/core/places";

test("places are read from the right, so that paths may hold colons", () => {
  assert.deepEqual(parsePlace("src/lib.dfy:17:21"), { path: "src/lib.dfy", line: 17, column: 21 });
  assert.deepEqual(parsePlace("C:\\a b\\lib.dfy:3"), { path: "C:\\a b\\lib.dfy", line: 3, column: 1 });
  assert.equal(parsePlace("<built in>"), undefined);
});

test("the first place in a text is found", () => {
  assert.deepEqual(findPlace("Reaches src/lib.dfy:17:21: `x` holds", "dfy"), { path: "src/lib.dfy", line: 17, column: 21 });
  assert.deepEqual(findPlace("  test: tests/dtest/range/clamp.rs:32", "rs"), { path: "tests/dtest/range/clamp.rs", line: 32, column: 1 });
  assert.equal(findPlace("nowhere", "dfy"), undefined);
});

test("columns are characters, indices are UTF-16", () => {
  const line = "a😀b";
  assert.deepEqual([1, 2, 3, 4, 9].map((column) => utf16Index(line, column)), [0, 1, 3, 4, 4]);
  assert.deepEqual([0, 1, 3, 4].map((index) => columnOf(line, index)), [1, 2, 3, 4]);
});
