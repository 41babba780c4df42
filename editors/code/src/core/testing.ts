/**
 * Running of tests: command lines for `cargo test` and `cargo nextest`, and parsers of their
 * output.
 */

import { findPlace, type Place } from "./places";
import type { Command } from "./process";
import type { Runner, Settings } from "./tool";

/** The end of a test. */
export type TestOutcome =
  | { readonly outcome: "passed"; readonly seconds: number | undefined }
  | { readonly outcome: "skipped" }
  | { readonly outcome: "failed"; readonly seconds: number | undefined; readonly said: string };

/** A receiver of test results. */
export type OnTest = (id: string, outcome: TestOutcome) => void;

/**
 * Maximum length of all test names on a command line; beyond it the whole target is run, because
 * systems limit the length.
 */
const LONGEST = 16_000;

/**
 * Returns the command that runs tests of a target of a package; all of them if `tests` is
 * `undefined`.
 */
export function testCommand(settings: Settings, root: string, target: string, tests: readonly string[] | undefined): Command {
  const isWhole = tests === undefined || tests.reduce((sum, id) => sum + id.length + 1, 0) > LONGEST;
  const filters = isWhole ? [] : ["--exact", ...tests];
  const { cargo: program, environment, runner } = settings;
  const args = {
    cargo: ["test", "--test", target, "--no-fail-fast", "--color", "never", "--", "--color", "never", ...filters],
    nextest: [
      ...["nextest", "run", "--test", target, "--no-fail-fast", "--color", "never", "--no-tests", "pass"],
      ...["--status-level", "all", "--final-status-level", "none", "--failure-output", "immediate", "--success-output", "never"],
      ...(isWhole ? [] : ["--", ...filters]),
    ],
  }[runner];
  return { program, args, cwd: root, environment };
}

/** Returns the command that builds the tests of a target and prints their executable. */
export function buildCommand(settings: Settings, root: string, target: string): Command {
  const { cargo: program, environment } = settings;
  return { program, args: ["test", "--no-run", "--test", target, "--message-format", "json-render-diagnostics"], cwd: root, environment };
}

/** Finds the test executable in the output of `cargo test --no-run --message-format json`. */
export function executableOf(line: string, target: string): string | undefined {
  try {
    const of = JSON.parse(line) as { reason?: unknown; executable?: unknown; target?: { name?: unknown; kind?: unknown } } | null;
    const isTest = of?.reason === "compiler-artifact" && of.target?.name === target && Array.isArray(of.target.kind) && of.target.kind.includes("test");
    return isTest && typeof of.executable === "string" ? of.executable : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the output of a runner, line by line. */
export interface Reader {
  line(line: string): void;
  /** Reports pending results. Returns whether the output shows that the tests were run. */
  end(): { readonly ran: boolean };
}

/** A parser of a runner's output. */
export function reader(runner: Runner, on: OnTest): Reader {
  return runner === "cargo" ? new Libtest(on) : new Nextest(on);
}

/** The parser for Rust's own harness. */
class Libtest implements Reader {
  private readonly failed = new Map<string, string[]>();
  private section: string[] | undefined;
  private ran = false;

  constructor(private readonly on: OnTest) {}

  line(line: string): void {
    const [, id, outcome] = /^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/.exec(line) ?? [];
    const begun = /^---- (\S+) std(?:out|err) ----$/.exec(line)?.[1];
    if (id !== undefined) {
      this.section = undefined;
      if (outcome === "ok") this.on(id, { outcome: "passed", seconds: undefined });
      else if (outcome === "ignored") this.on(id, { outcome: "skipped" });
      else this.failed.set(id, []);
    } else if (begun !== undefined) {
      const known = this.failed.get(begun) ?? [];
      this.failed.set(begun, known);
      this.section = known;
    } else if (line === "failures:") {
      this.section = undefined;
    } else if (line.startsWith("test result: ")) {
      this.ran = true;
      this.flush();
    } else {
      this.section?.push(line);
    }
  }

  end(): { readonly ran: boolean } {
    this.flush();
    return { ran: this.ran };
  }

  private flush(): void {
    for (const [id, said] of this.failed) this.on(id, { outcome: "failed", seconds: undefined, said: said.join("\n").trim() });
    this.failed.clear();
    this.section = undefined;
  }
}

/** The parser for nextest, with the options of {@link testCommand}. */
class Nextest implements Reader {
  private failed: { id: string; seconds: number; said: string[] } | undefined;
  private ran = false;

  constructor(private readonly on: OnTest) {}

  line(line: string): void {
    const [, status, time, id] = /^\s*(?:TRY \d+ )?([A-Z][A-Z+-]*)\s+\[[\s>]*([\d.]+)s\]\s+(?:\(\s*\d+\/\d+\)\s+)?\S+ (\S+)$/.exec(line) ?? [];
    if (status !== undefined && time !== undefined && id !== undefined) {
      this.flush();
      this.ran = true;
      const seconds = Number(time);
      if (status === "PASS" || status === "LEAK" || status === "FLAKY") this.on(id, { outcome: "passed", seconds });
      else if (status === "SKIP") this.on(id, { outcome: "skipped" });
      else if (status !== "SLOW") this.failed = { id, seconds, said: [] };
    } else if (/^\s*(?:─{4,}|Summary \[|Cancelling|Canceling)/.test(line)) {
      this.flush();
      this.ran = true;
    } else {
      this.failed?.said.push(line);
    }
  }

  end(): { readonly ran: boolean } {
    this.flush();
    return { ran: this.ran };
  }

  private flush(): void {
    if (this.failed === undefined) return;
    const { id, seconds, said } = this.failed;
    this.on(id, { outcome: "failed", seconds, said: withoutHarness(said) });
    this.failed = undefined;
  }
}

/** Returns the output of a test without the frame of Rust's harness in nextest's output. */
function withoutHarness(lines: readonly string[]): string {
  const isFrame = /^(?:std(?:out|err) ───|running 1 test|test \S+ \.\.\. FAILED|failures:|test result: |---- \S+ std(?:out|err) ----)/;
  const said = lines.filter((line) => !isFrame.test(line.trim()));
  const indents = said.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const least = Math.min(...indents, Infinity);
  const text = said.map((line) => line.slice(Number.isFinite(least) ? least : 0)).join("\n");
  // The rest of the list of failures is the name of the test alone.
  return text.replace(/^(?:\s*[\w:]+\s*\n)*(?=\S)/, (names) => (names.includes("::") ? "" : names)).trim();
}

/** The parsed report of a failing `dunit` test. */
export interface Failure {
  readonly message: string;
  /** The violated clause. */
  readonly clause: Place | undefined;
  readonly got: string | undefined;
  readonly want: string | undefined;
  /** The line of the test. */
  readonly test: Place | undefined;
}

/** Parses the report of a failing test; a test that panicked only has a message. */
export function failure(said: string): Failure {
  const value = (key: string): string | undefined => new RegExp(`^\\s*${key}: (.*)$`, "m").exec(said)?.[1];
  const [clause, test] = [value("clause"), value("test")];
  const apart = (text: string | undefined): string | undefined => text?.replace(/ {4}from .*$/, "");
  return {
    message: said,
    clause: clause === undefined ? undefined : findPlace(clause, "dfy"),
    got: apart(value("got")),
    want: apart(value("want")),
    test: test === undefined ? findPlace(said, "rs") : findPlace(test, "rs"),
  };
}
