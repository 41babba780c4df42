import assert from "node:assert/strict";
import { test } from "node:test";

import { objectsIn, parseValue, shortText } from "../src/core/values";

const WHOLE = ["0", "-3", "1.5", "true", "null", '"a\\"b]"', "'x'", "...", "_", "[1, 2]", "[]", "{1, 2}", "multiset{1, 1}", "(1, 2)", "map[1 := [2], 3 := []]", "{1 => 2, _ => 0}", "M.List.Cons(1, M.List.Nil)", "M.List.Nil", "x => x + 1"];

test("values are taken apart and put together again", () => {
  for (const text of WHOLE) assert.equal(shortText(parseValue(text)), text);
});

test("functions as tables are told from sets", () => {
  assert.equal(parseValue("{1 => 2, _ => 0}").kind, "pairs");
  assert.equal(parseValue("{M.A, M.B}").kind, "list");
  assert.equal(parseValue("{}").kind, "list" satisfies string);
});

test("objects have fields, numbers where they are shared, and refer to others", () => {
  const value = parseValue("Node#1 { value: -2, next: Node#1, tags: [Tag { name: \"a\" }] }");
  assert.ok(value.kind === "object" && value.number === 1 && value.type === "Node");
  assert.deepEqual(value.fields.map(([name, v]) => [name, v.kind, objectsIn(v).length]), [["value", "leaf", 0], ["next", "reference", 1], ["tags", "list", 1]]);
});

test("arrays are objects with elements, whatever their type", () => {
  for (const text of ["array<int> [1, 2]", "array<seq<int>>#3 [[1], []]", "array<int -> bool> [_]", "array2<int> [[1, 2], [3, 4]]"]) {
    const value = parseValue(text);
    assert.ok(value.kind === "object" && value.elements !== undefined, text);
  }
});

test("an object within a datatype is found", () => {
  assert.deepEqual(objectsIn(parseValue("Some((1, Node#2))")).map(shortText), ["Node#2"]);
});

test("what is cut off or strange stays text, however deep it nests", () => {
  for (const text of ["Node { value: [1, 2...", "a + b", "[1, 2", "map[1 = 2]", "(".repeat(100_000)]) assert.deepEqual(parseValue(text), { kind: "leaf", text });
});
