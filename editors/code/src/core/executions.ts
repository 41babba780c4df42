/** Queries of the tool for executions, and for the steps of one. */

import type { Command, Ended, Run, Stop } from "./process";
import type { Program } from "./program";
import { named, type Bounds, type Question, type Row, type Strategy } from "./questions";
import { parseRecord, type DiagnosticRecord, type ExecutionRecord, type ExplorationRecord, type Outcome, type ObligationRecord, type Trace } from "./records";
import { records, type Settings } from "./tool";

/** The result of a query. */
export interface Found {
  readonly rows: readonly Row[];
  /** The summary of all executions. */
  readonly summary: readonly string[];
  /** The reason why the tool could not run. */
  readonly trouble: string | undefined;
  /** The recorded executions for `run --replay`, by the number of the row. */
  readonly replays: ReadonlyMap<number, Replay>;
}

/** The steps of an execution. */
export type Replay = { readonly how: "known"; readonly trace: Trace } | { readonly how: "run"; readonly record: string };

/** Returns the command line of the tool. */
export function question(settings: Settings, program: Program, asked: Question): Command {
  return records(settings, program, asked.of === "line" ? ["check", "--at", asked.at] : ["check", "--executions", "--entry", asked.unit, ...order(asked.strategy), ...options(asked.bounds)]);
}

function order(strategy: Strategy): readonly string[] {
  return strategy === "generational" ? [] : ["--strategy", strategy];
}

function options(bounds: Bounds): readonly string[] {
  const option = (name: string, value: number | undefined): readonly string[] => (value === undefined ? [] : [name, String(value)]);
  return [
    ...option("--depth", bounds.depth),
    ...option("--unroll", bounds.unroll),
    ...option("--inline", bounds.inline),
    ...option("--max-size", bounds.maxSize),
    ...option("--unroll-choice", bounds.unrollChoice),
  ];
}

/** The exit codes of a successful `check`: no violation, undecided obligations, violations. */
const DONE: readonly number[] = [0, 5, 7];

/** Runs the tool and collects the executions. */
export async function ask(run: Run, command: Command, stop?: Stop): Promise<Found> {
  const executions: ExecutionRecord[] = [];
  const obligations: ObligationRecord[] = [];
  const explorations: ExplorationRecord[] = [];
  const diagnostics: DiagnosticRecord[] = [];
  const said: string[] = [];
  const out = (line: string): void => {
    const record = parseRecord(line);
    switch (record?.kind) {
      case "execution":
        executions.push(record);
        break;
      case "obligation":
        obligations.push(record);
        break;
      case "exploration":
        explorations.push(record);
        break;
      case "diagnostic":
        diagnostics.push(record);
        break;
      case "unit":
      case "replay":
      case "datatype-test":
      case undefined:
        break;
    }
  };
  const ended = await run(command, { out, err: (line) => said.push(line) }, stop);
  const known = executions.length > 0 ? executions.map(ofExecution) : obligations.filter((p) => p.execution !== undefined || p.trace !== undefined).map(ofObligation);
  const rows = known.map(([row], i) => ({ ...row, number: i + 1 }));
  const replays = new Map(known.flatMap(([, replay], i) => (replay === undefined ? [] : [[i + 1, replay] as const])));
  const summary = [...explorations.flatMap(inWords), ...obligations.filter((p) => p.execution === undefined && p.trace === undefined).map(standing)];
  return { rows, summary, trouble: trouble(ended, diagnostics, said), replays };
}

function ofExecution(record: ExecutionRecord): [Row, Replay | undefined] {
  const { number, unit, choices, outcome, message, place, printed, follows, execution } = record;
  const row = { number, unit, choices, outcome, message, place, printed, follows, inputs: record.inputs.map(named), results: record.results.map(named), given: [] };
  return [row, execution && { how: "run", record: JSON.stringify({ unit, execution }) }];
}

function ofObligation(record: ObligationRecord): [Row, Replay | undefined] {
  const { unit, place, message, given, trace, execution } = record;
  const outcome: Outcome = record.standing === "violated" ? "violated" : "violated-assuming";
  const row = { number: 0, unit, choices: [], outcome, message, place, printed: "", follows: undefined, inputs: record.inputs.map(named), results: [], given };
  if (trace !== undefined) return [row, { how: "known", trace }];
  return [row, execution && { how: "run", record: JSON.stringify({ unit, execution }) }];
}

function inWords(of: ExplorationRecord): readonly string[] {
  const broken = of.violated === 0 ? "none of them violates an obligation" : of.violated === 1 ? "one violates an obligation" : `${of.violated} violate an obligation`;
  const paths = of.whole ? "every path within the bounds" : "not every path within the bounds";
  const bounds = of.bounds === undefined ? "" : `; ${paths}: ${of.bounds}`;
  return [`${of.executed} execution${of.executed === 1 ? "" : "s"} of ${of.unit}, ${broken}${bounds}`, ...of.limits];
}

function standing(of: ObligationRecord): string {
  const why = [of.reason ?? "", ...of.given].filter((part) => part !== "").join("; ");
  return `${of.place}: ${of.message}${why === "" ? "" : ` (${why})`}`;
}

/** Returns the reason why there is nothing to show; `undefined` if the tool succeeded. */
export function trouble(ended: Ended, diagnostics: readonly DiagnosticRecord[], said: readonly string[]): string | undefined {
  switch (ended.how) {
    case "stopped":
      return "stopped";
    case "not-started":
      return `cargo dtest could not be started: ${ended.why}`;
    case "exited": {
      if (DONE.includes(ended.code)) return undefined;
      const errors = diagnostics.filter((d) => d.severity === "error").map((d) => (d.place ? `${d.place.path}:${d.place.line}:${d.place.column}: ${d.message}` : d.message));
      const all = errors.length > 0 ? errors : said.filter((line) => line.trim() !== "");
      return all.slice(0, 5).join("\n") || `cargo dtest ended with exit code ${ended.code}`;
    }
  }
}

/** Replays an execution and returns its steps. */
export async function replay(run: Run, settings: Settings, program: Program, file: string, stop?: Stop): Promise<Trace | string> {
  let trace: Trace | undefined;
  const [diagnostics, said]: [DiagnosticRecord[], string[]] = [[], []];
  const out = (line: string): void => {
    const record = parseRecord(line);
    if (record?.kind === "replay") trace ??= record.trace;
    if (record?.kind === "diagnostic") diagnostics.push(record);
  };
  const ended = await run(records(settings, program, ["run", "--replay", file, "--trace"]), { out, err: (line) => said.push(line) }, stop);
  return trace ?? trouble(ended, diagnostics, said) ?? "this version of cargo dtest shows no steps: update it";
}
