/** What the Test Explorer shows of a package: units, and the tests of each. */

import { parsePlace, type Place } from "./places";
import type { UnitRecord } from "./records";
import type { SuiteTest } from "./suite";

/** A test, and the file that it is in. */
export interface FoundTest extends SuiteTest {
  readonly file: string;
}

/** A unit, or what else has tests: a datatype, a test of the program's own. */
export interface UnitNode {
  /** Its Dafny path. */
  readonly unit: string;
  /** Where it is declared. */
  readonly place: Place | undefined;
  readonly goals: number;
  readonly tests: readonly FoundTest[];
}

/** Units in the order of their places, what has no place last; units without tests too: they can be given some. */
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
