/** Running tests: command lines for `cargo test` and `cargo nextest`, and what these print. */

import { findPlace, type Place } from "./places";
import type { Command } from "./process";
import type { Runner, Settings } from "./tool";

/** How a test ended. */
export type TestOutcome =
  | { readonly outcome: "passed"; readonly seconds: number | undefined }
  | { readonly outcome: "skipped" }
  | { readonly outcome: "failed"; readonly seconds: number | undefined; readonly said: string };

/** Who is told of tests. */
export type OnTest = (id: string, outcome: TestOutcome) => void;

/** Characters of test names beyond which the whole target is run instead: systems limit the length of command lines. */
const LONGEST = 16_000;

/** Runs tests of a target of a package, all of it where `tests` is `undefined`. */
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

/** Builds the tests of a target and prints where they are. */
export function buildCommand(settings: Settings, root: string, target: string): Command {
  const { cargo: program, environment } = settings;
  return { program, args: ["test", "--no-run", "--test", target, "--message-format", "json-render-diagnostics"], cwd: root, environment };
}

/** The program of tests among what `cargo test --no-run --message-format json` prints. */
export function executableOf(line: string, target: string): string | undefined {
  try {
    const of = JSON.parse(line) as { reason?: unknown; executable?: unknown; target?: { name?: unknown; kind?: unknown } } | null;
    const isTest = of?.reason === "compiler-artifact" && of.target?.name === target && Array.isArray(of.target.kind) && of.target.kind.includes("test");
    return isTest && typeof of.executable === "string" ? of.executable : undefined;
  } catch {
    return undefined;
  }
}

/** Reads what a runner prints, line by line. */
export interface Reader {
  line(line: string): void;
  /** Says what was not said yet; whether the tests were run, as far as one can tell. */
  end(): { readonly ran: boolean };
}

/** A reader of what a runner prints. */
export function reader(runner: Runner, on: OnTest): Reader {
  return runner === "cargo" ? new Libtest(on) : new Nextest(on);
}

/** Rust's own harness. */
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

/** Nextest, with the options of {@link testCommand}. */
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

/** What a test said, without the frame that Rust's harness puts around it in nextest's output. */
function withoutHarness(lines: readonly string[]): string {
  const isFrame = /^(?:std(?:out|err) ───|running 1 test|test \S+ \.\.\. FAILED|failures:|test result: |---- \S+ std(?:out|err) ----)/;
  const said = lines.filter((line) => !isFrame.test(line.trim()));
  const indents = said.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const least = Math.min(...indents, Infinity);
  const text = said.map((line) => line.slice(Number.isFinite(least) ? least : 0)).join("\n");
  // What is left of the list of failures: the test's name alone.
  return text.replace(/^(?:\s*[\w:]+\s*\n)*(?=\S)/, (names) => (names.includes("::") ? "" : names)).trim();
}

/** What a failing test of `dunit` said. */
export interface Failure {
  readonly message: string;
  /** The clause that does not hold. */
  readonly clause: Place | undefined;
  readonly got: string | undefined;
  readonly want: string | undefined;
  /** The line of the test. */
  readonly test: Place | undefined;
}

/** Takes apart what a failing test said; a test that panicked has a message alone. */
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
