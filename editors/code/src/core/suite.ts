/** The tests of a generated suite, read from its files: those that `cargo test` runs. */

import { findPlace, type Place } from "./places";

/** A test. */
export interface SuiteTest {
  /** The name in `cargo test`: `checkout::process::when_not_paid`. */
  readonly id: string;
  /** The function's name. */
  readonly name: string;
  /** The Dafny path of the unit under test. */
  readonly unit: string;
  /** The test target: `dtest`, or `violations`. */
  readonly target: string;
  /** The 0-based line in the file. */
  readonly line: number;
  /** The documentation, which describes the goal. */
  readonly about: string;
  /** The Dafny code that the test reaches. */
  readonly reaches: Place | undefined;
}

/** The directories of a package with suites; each is a test target with its name. */
export const TARGETS: readonly string[] = ["dtest", "violations"];

/**
 * Returns the tests of a file; `path` is relative to `tests`, with slashes:
 * `dtest/checkout/process.rs`.
 */
export function testsOf(path: string, text: string): readonly SuiteTest[] {
  const [target, ...rest] = path.replace(/\.rs$/, "").split("/");
  if (target === undefined) return [];
  const modules = rest.filter((part, i) => !(i === rest.length - 1 && (part === "main" || part === "mod")));
  const tests: SuiteTest[] = [];
  let about: string[] = [];
  let unit: string | undefined;
  text.split("\n").forEach((line, number) => {
    const trimmed = line.trim();
    const doc = /^\/\/\/ ?(.*)$/.exec(trimmed)?.[1];
    const attribute = /^#\[dunit\b.*?(?:\bunit\s*=\s*"((?:[^"\\]|\\.)*)")?.*\]$/.exec(trimmed);
    const declared = /^(?:pub\s+)?fn\s+(?:r#)?(\w+)\s*\(/.exec(trimmed)?.[1];
    if (doc !== undefined) {
      about.push(doc);
    } else if (attribute !== null) {
      unit = /\bunit\s*=\s*"((?:[^"\\]|\\.)*)"/.exec(trimmed)?.[1] ?? "";
    } else if (declared !== undefined && unit !== undefined) {
      const id = [...modules, declared].join("::");
      const said = about.join("\n");
      tests.push({ id, name: declared, unit: unit === "" ? declared : unit, target, line: number, about: said, reaches: findPlace(said, "dfy") });
      [about, unit] = [[], undefined];
    } else if (!trimmed.startsWith("#[")) {
      [about, unit] = [[], undefined];
    }
  });
  return tests;
}

/** Formats the name of a test as words: `when_len_items_is_0` becomes `when len items is 0`. */
export function inWords(name: string): string {
  return name.replaceAll("_", " ");
}
