/** The states of an execution: the known variables before each step. */

import { named } from "./questions";
import type { Trace } from "./records";

/** A variable in a state. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  /** Whether the previous step assigned this value. */
  readonly isNew: boolean;
}

/** An active call. */
export interface Frame {
  readonly unit: string;
  /** The location of the call. */
  readonly place: string;
  readonly variables: readonly Variable[];
}

/** A state: the active calls, the unit's first. */
export interface State {
  readonly place: string;
  /** The statement that is executed next. */
  readonly label: string;
  readonly depth: number;
  readonly chooses: boolean;
  readonly frames: readonly Frame[];
  /** The number of steps that are left out before this one. */
  readonly omitted: number;
}

/** Returns the states of a trace, one per step. */
export function states(trace: Trace): readonly State[] {
  const states: State[] = [];
  let frames: Frame[] = [];
  let hasReturned = false;
  trace.steps.forEach((step, i) => {
    const depth = Math.max(step.depth, 1);
    const known = hasReturned && frames.length === depth ? undefined : frames[depth - 1];
    const before = known?.unit === step.unit ? known.variables : [];
    const outer = frames.slice(0, depth - 1).map(withoutNews);
    const variables = changed(before, step.variables, step.iteration !== undefined, known?.unit === step.unit);
    frames = [...outer, { unit: step.unit, place: step.place, variables }];
    hasReturned = step.text === "return";
    const omitted = trace.omitted?.after === i ? trace.omitted.count : 0;
    states.push({ place: step.place, label: said(step.text, step.iteration), depth, chooses: step.chooses, frames, omitted });
  });
  return states;
}

function said(text: string, iteration: number | undefined): string {
  return iteration === undefined ? text : `the loop, after ${iteration} iteration${iteration === 1 ? "" : "s"}`;
}

function withoutNews(frame: Frame): Frame {
  return { ...frame, variables: frame.variables.map((v) => ({ ...v, isNew: false })) };
}

/**
 * Updates variables with new values; `isWhole` if all are listed again. At the start of a call, no
 * variable counts as new.
 */
function changed(before: readonly Variable[], told: readonly string[], isWhole: boolean, isUnderWay: boolean): readonly Variable[] {
  const values = new Map(told.map(named).map(({ name, value }) => [name, value]));
  const kept = before
    .filter((v) => !isWhole || values.has(v.name))
    .map((v) => {
      const value = values.get(v.name) ?? v.value;
      return { name: v.name, value, isNew: value !== v.value };
    });
  const names = new Set(before.map((v) => v.name));
  const added = Array.from(values, ([name, value]) => ({ name, value, isNew: isUnderWay })).filter((v) => !names.has(v.name));
  return [...kept, ...added];
}
