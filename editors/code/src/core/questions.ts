/** What the view *Executions* asks, and the rows of its table. */

import type { Outcome } from "./records";

/** The order in which executions are tried. */
export type Strategy = "generational" | "depth" | "breadth";

/** How far executions are followed; what is not set is left to the tool. */
export interface Bounds {
  /** Branches that are negated. */
  readonly depth?: number | undefined;
  /** Iterations of a loop. */
  readonly unroll?: number | undefined;
  /** Nesting of calls. */
  readonly inline?: number | undefined;
  /** Elements of a collection. */
  readonly maxSize?: number | undefined;
  /** Rounds of loops that end by choice. */
  readonly unrollChoice?: number | undefined;
}

/** What is looked for. */
export type Question =
  | { readonly of: "unit"; readonly unit: string; readonly strategy: Strategy; readonly bounds: Bounds }
  /** Executions that violate an obligation on a line, which is `FILE:LINE`. */
  | { readonly of: "line"; readonly at: string };

/** An execution, as the table shows it. */
export interface Row {
  /** Its number in the table, from 1. */
  readonly number: number;
  readonly unit: string;
  readonly inputs: readonly { readonly name: string; readonly value: string }[];
  readonly choices: readonly string[];
  readonly outcome: Outcome;
  /** How it ended, in words. */
  readonly message: string;
  /** Where, unless it returned. */
  readonly place: string | undefined;
  readonly results: readonly { readonly name: string; readonly value: string }[];
  readonly printed: string;
  /** Which execution it follows from by turning round a branch. */
  readonly follows: { readonly from: number; readonly branch: number } | undefined;
  /** What it rests on. */
  readonly given: readonly string[];
}

/** `name = value` in its two parts. */
export function named(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf(" = ");
  return at < 0 ? { name: "", value: text } : { name: text.slice(0, at), value: text.slice(at + 3) };
}
