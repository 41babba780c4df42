/** The queries of the view *Executions*, and the rows of its table. */

import type { Outcome } from "./records";

/** The order of the exploration. */
export type Strategy = "generational" | "depth" | "breadth";

/** The bounds of the exploration; unset ones are chosen by the tool. */
export interface Bounds {
  /** Maximum number of negated branches. */
  readonly depth?: number | undefined;
  /** Maximum loop iterations. */
  readonly unroll?: number | undefined;
  /** Maximum call depth. */
  readonly inline?: number | undefined;
  /** Maximum number of elements of a collection. */
  readonly maxSize?: number | undefined;
  /** Maximum iterations of nondeterministic loops. */
  readonly unrollChoice?: number | undefined;
}

/** The executions to search for. */
export type Question =
  | { readonly of: "unit"; readonly unit: string; readonly strategy: Strategy; readonly bounds: Bounds }
  /** Executions that violate an obligation on a line, given as `FILE:LINE`. */
  | { readonly of: "line"; readonly at: string };

/** An execution, as a row of the table. */
export interface Row {
  /** The number in the table, from 1. */
  readonly number: number;
  readonly unit: string;
  readonly inputs: readonly { readonly name: string; readonly value: string }[];
  readonly choices: readonly string[];
  readonly outcome: Outcome;
  /** A description of the ending. */
  readonly message: string;
  /** The location of the ending, unless it returned. */
  readonly place: string | undefined;
  readonly results: readonly { readonly name: string; readonly value: string }[];
  readonly printed: string;
  /** The execution that it was derived from by negating a branch. */
  readonly follows: { readonly from: number; readonly branch: number } | undefined;
  /** The assumptions that it rests on. */
  readonly given: readonly string[];
}

/** Splits `name = value`. */
export function named(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf(" = ");
  return at < 0 ? { name: "", value: text } : { name: text.slice(0, at), value: text.slice(at + 3) };
}
