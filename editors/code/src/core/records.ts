/**
 * The JSON records that `cargo dtest … --message-format json` prints. A line of an unexpected form is
 * not a record, because a newer tool may print records that this extension does not know.
 */

import type { Region } from "./places";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Fields = Readonly<Record<string, Json>>;

/** A goal of `list` or `cover`. */
export interface Goal {
  readonly place: string;
  readonly goal: string;
  /** The callable that contains it, if that is not the unit. */
  readonly callable: string | undefined;
  readonly region: Region | undefined;
  /** For an outcome of a decision: the condition. */
  readonly decision: Region | undefined;
  /** The tests that are expected to reach it. */
  readonly tests: readonly string[];
  /** The tests that reached it, if this was measured. */
  readonly actual: readonly string[] | undefined;
  /** `covered`, or the reason why it is not. */
  readonly status: string | undefined;
}

/** A unit of `list`, `gen` or `cover`. */
export interface UnitRecord {
  readonly kind: "unit";
  readonly unit: string;
  readonly place: string;
  readonly goals: readonly Goal[];
  readonly stretches: readonly SourceRegion[];
}

/** Code that is executed together, with the tests that reach it. */
export interface SourceRegion {
  readonly region: Region;
  readonly tests: readonly string[];
  readonly actual: readonly string[] | undefined;
}

/** The ending of an execution. */
export type Outcome = "returned" | "violated" | "violated-assuming" | "halted" | "infeasible" | "not-decided";

/** A recorded execution, for `run --replay`. */
export interface Kept {
  readonly key: string;
  readonly data: string;
}

/** An execution of `check --executions`. */
export interface ExecutionRecord {
  readonly kind: "execution";
  readonly unit: string;
  readonly number: number;
  readonly inputs: readonly string[];
  readonly choices: readonly string[];
  readonly outcome: Outcome;
  readonly message: string;
  readonly place: string | undefined;
  readonly results: readonly string[];
  readonly printed: string;
  readonly execution: Kept | undefined;
  readonly follows: { readonly from: number; readonly branch: number } | undefined;
}

/** The summary of a unit's executions. */
export interface ExplorationRecord {
  readonly kind: "exploration";
  readonly unit: string;
  readonly place: string;
  readonly strategy: string;
  readonly executed: number;
  readonly violated: number;
  readonly whole: boolean;
  readonly bounds: string | undefined;
  readonly limits: readonly string[];
}

/** An obligation of `check`. */
export interface ObligationRecord {
  readonly kind: "obligation";
  readonly unit: string;
  readonly place: string;
  readonly text: string;
  readonly standing: string;
  readonly message: string;
  readonly inputs: readonly string[];
  /** The assumptions that a violation or a proof rests on. */
  readonly given: readonly string[];
  /** The reason why it is undecided. */
  readonly reason: string | undefined;
  readonly trace: Trace | undefined;
  readonly execution: Kept | undefined;
}

/** An execution that `run --replay` repeated. */
export interface ReplayRecord {
  readonly kind: "replay";
  readonly unit: string;
  readonly number: number;
  readonly inputs: readonly string[];
  readonly outcome: Outcome;
  readonly message: string;
  readonly place: string | undefined;
  readonly results: readonly string[];
  readonly trace: Trace | undefined;
}

/** The trace of an execution. */
export interface Trace {
  readonly steps: readonly Step[];
  readonly omitted: { readonly after: number; readonly count: number } | undefined;
  readonly stack: readonly { readonly unit: string; readonly place: string; readonly arguments: readonly string[] }[];
}

/** A statement that was executed, or a loop head that was reached. */
export interface Step {
  readonly unit: string;
  readonly depth: number;
  readonly place: string;
  readonly text: string;
  /** At the head of a loop: the number of completed iterations. */
  readonly iteration: number | undefined;
  /**
   * As `name = value`: all variables at the start of a call or an iteration, otherwise those that
   * the previous step changed.
   */
  readonly variables: readonly string[];
  readonly chooses: boolean;
}

/** A message of the tool. */
export interface DiagnosticRecord {
  readonly kind: "diagnostic";
  readonly id: string;
  readonly severity: string;
  readonly message: string;
  readonly place: { readonly path: string; readonly line: number; readonly column: number } | undefined;
  readonly notes: readonly string[];
}

/** A test of a datatype or class, or of the program itself. */
export interface OtherTestRecord {
  readonly kind: "datatype-test";
  readonly name: string;
  readonly place: string;
  readonly test: string;
}

/** A known record. */
export type ToolRecord =
  | UnitRecord
  | ExecutionRecord
  | ExplorationRecord
  | ObligationRecord
  | ReplayRecord
  | DiagnosticRecord
  | OtherTestRecord;

/** Parses the record of a line; `undefined` if it is not a record, or an unknown one. */
export function parseRecord(line: string): ToolRecord | undefined {
  if (!line.startsWith("{")) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isFields(json) ? record(json) : undefined;
}

function record(of: Fields): ToolRecord | undefined {
  const [kind, unit, place, message] = [text(of, "kind"), text(of, "unit"), text(of, "place"), text(of, "message")];
  switch (kind) {
    case "unit":
      if (unit === undefined || place === undefined) return undefined;
      return { kind, unit, place, goals: each(of, "goals", goal), stretches: each(of, "stretches", sourceRegion) };
    case "execution":
    case "replay": {
      const [number, outcome] = [count(of, "number"), outcomeOf(of)];
      if (unit === undefined || number === undefined || outcome === undefined || message === undefined) return undefined;
      const common = { unit, number, outcome, message, place, inputs: texts(of, "inputs"), results: texts(of, "results") };
      if (kind === "replay") return { kind, ...common, trace: within(of, "trace", trace) };
      const choices = texts(of, "choices");
      return { kind, ...common, choices, printed: text(of, "printed") ?? "", execution: within(of, "execution", kept), follows: within(of, "follows", follows) };
    }
    case "exploration":
      if (unit === undefined || place === undefined) return undefined;
      return {
        kind,
        unit,
        place,
        strategy: text(of, "strategy") ?? "",
        executed: count(of, "executed") ?? 0,
        violated: count(of, "violated") ?? 0,
        whole: of["whole"] === true,
        bounds: text(of, "bounds"),
        limits: texts(of, "limits"),
      };
    case "obligation": {
      const standing = text(of, "standing");
      if (unit === undefined || place === undefined || standing === undefined || message === undefined) return undefined;
      const said = { text: text(of, "text") ?? "", inputs: texts(of, "inputs"), given: texts(of, "given"), reason: text(of, "reason") };
      return { kind, unit, place, standing, message, ...said, trace: within(of, "trace", trace), execution: within(of, "execution", kept) };
    }
    case "diagnostic": {
      const [id, severity] = [text(of, "id"), text(of, "severity")];
      if (id === undefined || severity === undefined || message === undefined) return undefined;
      return { kind, id, severity, message, place: within(of, "primary", primary), notes: texts(of, "notes") };
    }
    case "datatype-test": {
      const [name, test] = [text(of, "name"), text(of, "test")];
      return name === undefined || place === undefined || test === undefined ? undefined : { kind, name, place, test };
    }
    case undefined:
    default:
      return undefined;
  }
}

function goal(of: Fields): Goal | undefined {
  const [place, said] = [text(of, "place"), text(of, "goal")];
  if (place === undefined || said === undefined) return undefined;
  return {
    place,
    goal: said,
    callable: text(of, "in"),
    region: within(of, "region", region),
    decision: within(of, "decision", region),
    tests: texts(of, "tests"),
    actual: of["actual"] === undefined || of["actual"] === null ? undefined : texts(of, "actual"),
    status: text(of, "status"),
  };
}

function sourceRegion(of: Fields): SourceRegion | undefined {
  const where = within(of, "region", region);
  const actual = of["actual"] === undefined || of["actual"] === null ? undefined : texts(of, "actual");
  return where && { region: where, tests: texts(of, "tests"), actual };
}

function region(of: Fields): Region | undefined {
  const [path, start, end] = [text(of, "path"), within(of, "start", position), within(of, "end", position)];
  return path === undefined || start === undefined || end === undefined ? undefined : { path, start, end };
}

function position(of: Fields): { line: number; column: number } | undefined {
  const [line, column] = [count(of, "line"), count(of, "column")];
  return line === undefined || column === undefined ? undefined : { line, column };
}

function primary(of: Fields): DiagnosticRecord["place"] {
  const [path, at] = [text(of, "path"), position(of)];
  return path === undefined || at === undefined ? undefined : { path, ...at };
}

function kept(of: Fields): Kept | undefined {
  const [key, data] = [text(of, "key"), text(of, "data")];
  return key === undefined || data === undefined ? undefined : { key, data };
}

function follows(of: Fields): ExecutionRecord["follows"] {
  const [from, branch] = [count(of, "from"), count(of, "branch")];
  return from === undefined || branch === undefined ? undefined : { from, branch };
}

function trace(of: Fields): Trace {
  return { steps: each(of, "steps", step), omitted: within(of, "omitted", omitted), stack: each(of, "stack", activation) };
}

function step(of: Fields): Step | undefined {
  const [unit, place, said, depth] = [text(of, "unit"), text(of, "place"), text(of, "text"), count(of, "depth")];
  if (unit === undefined || place === undefined || said === undefined || depth === undefined) return undefined;
  const iteration = count(of, "iteration");
  return { unit, depth, place, text: said, iteration, variables: texts(of, "variables"), chooses: of["chooses"] === true };
}

function omitted(of: Fields): Trace["omitted"] {
  const [after, left] = [count(of, "after"), count(of, "count")];
  return after === undefined || left === undefined ? undefined : { after, count: left };
}

function activation(of: Fields): Trace["stack"][number] | undefined {
  const [unit, place] = [text(of, "unit"), text(of, "place")];
  return unit === undefined || place === undefined ? undefined : { unit, place, arguments: texts(of, "arguments") };
}

const OUTCOMES: readonly string[] = ["returned", "violated", "violated-assuming", "halted", "infeasible", "not-decided"] satisfies Outcome[];

function outcomeOf(of: Fields): Outcome | undefined {
  const said = text(of, "outcome");
  return said !== undefined && OUTCOMES.includes(said) ? (said as Outcome) : undefined;
}

function isFields(json: unknown): json is Fields {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function text(of: Fields, key: string): string | undefined {
  const value = of[key];
  return typeof value === "string" ? value : undefined;
}

function count(of: Fields, key: string): number | undefined {
  const value = of[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function texts(of: Fields, key: string): readonly string[] {
  const value = of[key];
  return Array.isArray(value) ? value.filter((v) => typeof v === "string") : [];
}

function within<T>(of: Fields, key: string, read: (of: Fields) => T | undefined): T | undefined {
  const value = of[key];
  return isFields(value) ? read(value) : undefined;
}

function each<T>(of: Fields, key: string, read: (of: Fields) => T | undefined): readonly T[] {
  const value = of[key];
  if (!Array.isArray(value)) return [];
  return value.flatMap((v) => (isFields(v) ? (read(v) ?? []) : []));
}
