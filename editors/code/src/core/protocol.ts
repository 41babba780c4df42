/** The messages between the panel and the extension. */

import type { Question, Row } from "./questions";
import type { Trace } from "./records";

/** A message to the panel. */
export type ToPanel =
  /** The available queries, and the initial one. */
  | { readonly type: "units"; readonly units: readonly string[]; readonly file: string | undefined }
  | { readonly type: "running"; readonly asked: Question }
  | { readonly type: "found"; readonly asked: Question; readonly rows: readonly Row[]; readonly summary: readonly string[]; readonly trouble: string | undefined }
  | { readonly type: "trace"; readonly number: number; readonly trace: Trace }
  | { readonly type: "no-trace"; readonly number: number; readonly why: string };

/** A message from the panel. */
export type FromPanel =
  | { readonly type: "ready" }
  | { readonly type: "run"; readonly asked: Question }
  | { readonly type: "stop" }
  | { readonly type: "choose"; readonly number: number }
  /** A step or the end of an execution is selected; the editor shows its location. */
  | { readonly type: "show"; readonly place: string; readonly label: string; readonly focus: boolean };

/** Whether a value from the page is one of the messages. */
export function isFromPanel(message: unknown): message is FromPanel {
  if (typeof message !== "object" || message === null) return false;
  const of = message as Record<string, unknown>;
  switch (of["type"]) {
    case "ready":
    case "stop":
      return true;
    case "run":
      return isQuestion(of["asked"]);
    case "choose":
      return typeof of["number"] === "number";
    case "show":
      return typeof of["place"] === "string" && typeof of["label"] === "string" && typeof of["focus"] === "boolean";
    default:
      return false;
  }
}

function isQuestion(asked: unknown): asked is Question {
  if (typeof asked !== "object" || asked === null) return false;
  const of = asked as Record<string, unknown>;
  if (of["of"] === "line") return typeof of["at"] === "string" && !of["at"].startsWith("-");
  if (of["of"] !== "unit" || typeof of["unit"] !== "string" || of["unit"].startsWith("-")) return false;
  const isOrder = ["generational", "depth", "breadth"].includes(String(of["strategy"]));
  const bounds = of["bounds"];
  return isOrder && typeof bounds === "object" && bounds !== null && Object.values(bounds).every((b) => b === undefined || (Number.isInteger(b) && (b as number) >= 0));
}
