/** The contents of the Test Explorer for a package: units, and the tests of each. */

import { parsePlace, type Place } from "./places";
import type { UnitRecord } from "./records";
import type { SuiteTest } from "./suite";

/** A test with its file. */
export interface FoundTest extends SuiteTest {
  readonly file: string;
}

/** A unit or another subject with tests: a datatype, or a test of the program itself. */
export interface UnitNode {
  /** The Dafny path. */
  readonly unit: string;
  /** The location of the declaration. */
  readonly place: Place | undefined;
  readonly goals: number;
  readonly tests: readonly FoundTest[];
}

/**
 * Returns the units sorted by location, those without location last. Units without tests are
 * included, because tests can be generated for them.
 */
export function tree(units: readonly UnitRecord[], tests: readonly FoundTest[]): readonly UnitNode[] {
  const nodes = new Map<string, { place: Place | undefined; goals: number; tests: FoundTest[] }>();
  for (const unit of units) nodes.set(unit.unit, { place: parsePlace(unit.place), goals: unit.goals.length, tests: [] });
  for (const test of tests) {
    const known = nodes.get(test.unit);
    if (known === undefined) nodes.set(test.unit, { place: test.reaches, goals: 0, tests: [test] });
    else known.tests.push(test);
  }
  return Array.from(nodes, ([unit, of]) => ({ unit, ...of })).sort(byPlace);
}

function byPlace(a: UnitNode, b: UnitNode): number {
  const [p, q] = [a.place, b.place];
  if (p === undefined || q === undefined) return Number(p === undefined) - Number(q === undefined) || a.unit.localeCompare(b.unit);
  return p.path.localeCompare(q.path) || p.line - q.line || p.column - q.column || a.unit.localeCompare(b.unit);
}
