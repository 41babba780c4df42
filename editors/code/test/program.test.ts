import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { configured, programOf, type Disk } from "../src/core/program";

const root = join("/", "w", "shop");
const disk = (files: Readonly<Record<string, string>>): Disk => ({ read: (path) => Object.entries(files).find(([name]) => join("/", "w", name) === path)?.[1] });
const manifest = { "shop/Cargo.toml": '[package]\nname = "shop"\n' };

test("a file below src is of its package's program", () => {
  assert.deepEqual(programOf(join(root, "src", "a", "lib.dfy"), disk(manifest)), { root, files: [] });
});

test("a file elsewhere in the package is a program of its own", () => {
  const file = join(root, "notes", "try.dfy");
  assert.deepEqual(programOf(file, disk(manifest)), { root, files: [file] });
});

test("dtest.toml says what the program is: files, directories, globs", () => {
  const of = (named: string, path: string): boolean => programOf(join(root, ...path.split("/")), disk({ ...manifest, "shop/dtest.toml": `files = [${named}]\n` })).files.length === 0;
  assert.ok(of('"dafny/lib.dfy"', "dafny/lib.dfy"));
  assert.ok(of('"dafny"', "dafny/deep/lib.dfy"));
  assert.ok(of('"dafny/**/*.dfy"', "dafny/lib.dfy") && of('"dafny/**/*.dfy"', "dafny/a/b/lib.dfy"));
  assert.ok(of('"dafny/dfyconfig.toml"', "dafny/lib.dfy"));
  assert.ok(!of('"dafny"', "src/lib.dfy") && !of('"dafny/*.dfy"', "dafny/a/lib.dfy"));
});

test("without a package the file stands alone", () => {
  const file = join("/", "w", "lone.dfy");
  assert.deepEqual(programOf(file, disk({ "Cargo.toml": "[workspace]\n" })), { root: join("/", "w"), files: [file] });
});

test("files is a key of dtest.toml's top", () => {
  assert.deepEqual(configured('# files = ["no"]\nfiles = [\n  "a.dfy", # one\n  \'b\',\n]\n[extern]\n'), ["a.dfy", "b"]);
  assert.equal(configured('[extern]\nfiles = ["a"]\n'), undefined);
  assert.equal(configured(undefined), undefined);
});
