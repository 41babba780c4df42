import assert from "node:assert/strict";
import { test } from "node:test";

import { draw, graph } from "../src/core/graph";
import type { Step, Trace } from "../src/core/records";
import { states } from "../src/core/steps";

const step = (depth: number, unit: string, text: string, variables: readonly string[], iteration?: number): Step => ({ unit, depth, place: "f.dfy:1:1", text, iteration, variables, chooses: false });
const trace = (steps: readonly Step[]): Trace => ({ steps, omitted: undefined, stack: [] });
const shown = (state: ReturnType<typeof states>[number] | undefined): readonly string[] | undefined => state?.frames.map((f) => `${f.unit}: ${f.variables.map((v) => `${v.name}=${v.value}${v.isNew ? "*" : ""}`).join(" ")}`);

test("a state is what was told up to it; what changed is marked", () => {
  const [first, second, third] = states(trace([step(1, "F", "x := 1;", ["n = 3"]), step(1, "F", "y := 2;", ["x = 1"]), step(1, "F", "return", ["n = 4"])]));
  assert.deepEqual(shown(first), ["F: n=3"]);
  assert.deepEqual(shown(second), ["F: n=3 x=1*"]);
  assert.deepEqual(shown(third), ["F: n=4* x=1"]);
});

test("calls have frames of their own, which go when they return", () => {
  const all = states(trace([step(1, "F", "G();", ["n = 3"]), step(2, "G", "return", ["m = 1"]), step(2, "G", "return", ["k = 2"]), step(1, "F", "return", [])]));
  assert.deepEqual(all.map(shown), [["F: n=3"], ["F: n=3", "G: m=1"], ["F: n=3", "G: k=2"], ["F: n=3"]]);
});

test("at the head of a loop variables of the body are gone", () => {
  const all = states(trace([step(1, "F", "while", ["i = 0"], 0), step(1, "F", "i := i + 1;", ["t = 1"]), step(1, "F", "while", ["i = 1"], 1)]));
  assert.deepEqual(shown(all[2]), ["F: i=1*"]);
  assert.equal(all[2]?.label, "the loop, after 1 iteration");
});

const variable = (name: string, value: string): { name: string; value: string; isNew: boolean } => ({ name, value, isNew: false });

test("shared objects are one box, cycles end", () => {
  const found = graph([variable("n", "3"), variable("a", "Node#1 { value: 0, next: Node#2 { value: 1, next: Node#1 } }"), variable("b", "Node#2"), variable("c", "Node { value: 7, next: null }")]);
  assert.deepEqual(found.nodes.map((n) => [n.title, ...n.rows]), [["a"], ["Node#1", "value: 0"], ["Node#2", "value: 1"], ["b"], ["c"], ["Node", "value: 7", "next: null"]]);
  assert.deepEqual(found.edges.map((e) => `${e.from} -${e.label}-> ${e.to}`).sort(), [
    "object 1 -next-> object 2",
    "object 2 -next-> object 1",
    "variable a --> object 1",
    "variable b --> object 2",
    "variable c --> one 1",
  ]);
});

test("boxes do not overlap, arrows are drawn", () => {
  const drawing = draw(graph([variable("a", "Node#1 { value: 0, next: Node#2 { value: 1, next: Node#1 } }"), variable("b", "array<Node> [Node#2, Node { value: 3, next: null }]")]));
  for (const [i, a] of drawing.boxes.entries()) {
    for (const b of drawing.boxes.slice(i + 1)) {
      assert.ok(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y, `${a.title} and ${b.title}`);
    }
  }
  assert.equal(drawing.arrows.length, 6);
  assert.ok(drawing.arrows.every((a) => /^M -?\d+ -?\d+ C /.test(a.path)));
});

test("of many objects some are drawn, the rest is counted", () => {
  const list = Array.from({ length: 100 }, (_, i) => `Node { value: ${i} }`).join(", ");
  const found = graph([variable("s", `[${list}]`)]);
  assert.deepEqual([found.nodes.length, found.omitted], [61, 40]);
});
