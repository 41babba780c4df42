import assert from "node:assert/strict";
import { test } from "node:test";

import { callableAt } from "../src/core/declarations";

const SOURCE = `module A.B {
  /* method NotHere() { */
  class {:extern "x"} C<T> extends D {
    var f: int // method Nor() here {
    constructor (x: int)
      requires x in {1, 2}
    { f := x; }
    constructor Init() {}
    ghost predicate Valid()
      reads this
    { f > 0 && exists y :: y in {1, 2} }

    static method {:test} Run<U>(s: string := "}{")
      ensures f in {1, 2}
    {
      var lemma' := 1;
      if s == "method" {
        f := 2;
      }
    }
  }
  datatype E = One(v: int) | Two {
    function Get(): int { 1 }
  }
  least lemma L[nat](k: nat) { }
  const c := 1
}

twostate lemma Top() { assert true; }
`;

function at(needle: string, from = 0): string | undefined {
  const offset = SOURCE.indexOf(needle, from);
  assert.ok(offset >= 0, needle);
  return callableAt(SOURCE, offset);
}

test("the callable around a place is found by its path", () => {
  assert.equal(at("f := x;"), "A.B.C._ctor");
  assert.equal(at("requires x"), "A.B.C._ctor");
  assert.equal(at("Init()"), "A.B.C.Init");
  assert.equal(at("f > 0"), "A.B.C.Valid");
  assert.equal(at("static method"), "A.B.C.Run");
  assert.equal(at("f := 2;"), "A.B.C.Run");
  assert.equal(at("lemma' :="), "A.B.C.Run");
  assert.equal(at("Get()"), "A.B.E.Get");
  assert.equal(at("least lemma"), "A.B.L");
  assert.equal(at("assert true"), "Top");
});

test("outside of all callables there is none", () => {
  assert.equal(at("module A"), undefined);
  assert.equal(at("var f"), undefined);
  assert.equal(callableAt("", 0), undefined);
});

test("a file that is being typed is no trouble", () => {
  assert.equal(callableAt("module M { method F() { var x := ", 30), "M.F");
  assert.equal(callableAt("}}}} method G(", 12), "G");
});
