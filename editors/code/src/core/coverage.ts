/** Measured coverage: the tracefile of `cargo dtest cover`, and the coverage of each test. */

import type { Region } from "./places";
import type { UnitRecord } from "./records";

/** The coverage of a file; lines are 1-based. */
export interface FileCoverage {
  readonly path: string;
  /** The number of tests that reach each line; lines that are not compiled have none. */
  readonly lines: ReadonlyMap<number, number>;
  /** The outcomes of decisions, by the line of the decision. */
  readonly branches: ReadonlyMap<number, readonly { readonly count: number; readonly label: string }[]>;
  /** The units, by the line of their names. */
  readonly units: readonly { readonly line: number; readonly name: string; readonly count: number }[];
}

/** Parses a tracefile (LCOV). Unknown lines are ignored. */
export function parseLcov(text: string): readonly FileCoverage[] {
  const files: FileCoverage[] = [];
  let path: string | undefined;
  let file = open();
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const [key, value] = colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1)];
    const fields = value.split(",");
    const [first, second] = [Number(fields[0]), fields[1] ?? ""];
    if (key === "SF") {
      path = value;
      file = open();
    } else if (key === "DA" && first > 0) {
      file.lines.set(first, Number(second));
    } else if (key === "BRDA" && first > 0) {
      const known = file.branches.get(first) ?? [];
      file.branches.set(first, [...known, { count: Number(fields[3]) || 0, label: branchLabel(second, fields[2] ?? "") }]);
    } else if (key === "FN" && first > 0) {
      file.units.push({ line: first, name: fields.slice(1).join(","), count: 0 });
    } else if (key === "FNDA") {
      const name = fields.slice(1).join(",");
      for (const unit of file.units.filter((u) => u.name === name)) unit.count = first;
    } else if (key === "end_of_record" && path !== undefined) {
      files.push({ path, ...file });
      path = undefined;
    }
  }
  return files;
}

/** The parsed data of a file while its lines are read. */
interface Open {
  readonly lines: Map<number, number>;
  readonly branches: Map<number, readonly { readonly count: number; readonly label: string }[]>;
  readonly units: { readonly line: number; readonly name: string; count: number }[];
}

function open(): Open {
  return { lines: new Map(), branches: new Map(), units: [] };
}

function branchLabel(block: string, branch: string): string {
  return `decision ${Number(block) + 1}, outcome ${Number(branch) + 1}`;
}

/** The coverage of one test. */
export interface OfTest {
  /**
   * Returns the lines of a file, each with whether the test reached it. `text` is the text of the
   * file.
   */
  lines(file: FileCoverage, text: readonly string[]): ReadonlyMap<number, boolean>;
}

/**
 * Returns the coverage of a test from the measured regions; a line belongs to the innermost region
 * in which it begins.
 */
export function ofTest(units: readonly UnitRecord[], test: string): OfTest {
  const measured = units.flatMap((unit) => [...unit.goals, ...unit.stretches]);
  const regions = measured.flatMap(({ region, actual }) => (region === undefined || actual === undefined ? [] : [{ region, isReached: actual.includes(test) }]));
  return {
    lines(file, text) {
      const here = regions.filter(({ region }) => region.path === file.path);
      return new Map(
        Array.from(file.lines.keys(), (line) => {
          const column = Array.from(/^\s*/.exec(text[line - 1] ?? "")?.[0] ?? "").length + 1;
          const around = here.filter(({ region }) => contains(region, line, column));
          const least = around.reduce<(typeof around)[number] | undefined>((a, b) => (a === undefined || isWithin(b.region, a.region) ? b : a), undefined);
          return [line, least?.isReached ?? false];
        }),
      );
    },
  };
}

/** Returns the tests that reached any region of a file. */
export function testsIn(units: readonly UnitRecord[], path: string): ReadonlySet<string> {
  const measured = units.flatMap((unit) => [...unit.goals, ...unit.stretches]);
  return new Set(measured.flatMap(({ region, actual }) => (region?.path === path ? (actual ?? []) : [])));
}

function contains({ start, end }: Region, line: number, column: number): boolean {
  const isBehindStart = line > start.line || (line === start.line && column >= start.column);
  const isBeforeEnd = line < end.line || (line === end.line && column < end.column);
  return isBehindStart && isBeforeEnd;
}

/** Whether one region contains another, or is the same. */
function isWithin(inner: Region, outer: Region): boolean {
  const startsIn = inner.start.line > outer.start.line || (inner.start.line === outer.start.line && inner.start.column >= outer.start.column);
  const endsIn = inner.end.line < outer.end.line || (inner.end.line === outer.end.line && inner.end.column <= outer.end.column);
  return startsIn && endsIn;
}
