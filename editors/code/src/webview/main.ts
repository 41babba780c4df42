/** The panel *Executions*: a form, a table, one execution step by step. */

import type { Question, Row } from "../core/questions";
import type { FromPanel, ToPanel } from "../core/protocol";
import { detail } from "./detail";
import { h } from "./dom";
import { form } from "./form";
import { table } from "./table";

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void; getState(): unknown; setState(state: unknown): void };

const host = acquireVsCodeApi();
let rows: readonly Row[] = [];
let chosen: Row | undefined;

const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
const summary = h("div", { class: "summary" });
const parts = {
  form: form(
    (asked) => {
      host.postMessage({ type: "run", asked });
    },
    () => {
      host.postMessage({ type: "stop" });
    },
  ),
  table: table((row) => {
    chosen = row;
    parts.detail.waiting(row);
    host.postMessage({ type: "choose", number: row.number });
  }),
  detail: detail((state, focus) => {
    host.postMessage({ type: "show", place: state.place, label: state.label, focus });
  }),
};
const found = h("div", { class: "found" }, parts.table.element, parts.detail.element);
document.getElementById("executions")?.append(parts.form.element, status, summary, found);
parts.table.element.hidden = true;
status.textContent = "Choose a method, function or lemma: every execution within the bounds is shown, one for each path.";

window.addEventListener("message", (event: MessageEvent<ToPanel>) => {
  receive(event.data);
});
host.postMessage({ type: "ready" });

function receive(message: ToPanel): void {
  switch (message.type) {
    case "units":
      parts.form.units(message.units);
      break;
    case "running":
      parts.form.show(message.asked);
      parts.form.running(true);
      fill([], []);
      say(`Looking for executions ${inWords(message.asked)}…`, "busy");
      break;
    case "found": {
      const { asked, trouble } = message;
      parts.form.show(asked, message.rows[0]?.unit);
      parts.form.running(false);
      fill(message.rows, message.summary);
      const nothing = message.rows.length === 0 ? `No execution ${inWords(asked)}${message.summary.length === 0 ? "" : ":"}` : "";
      say(trouble ?? nothing, trouble === undefined ? "" : "trouble");
      const first = asked.of === "line" ? message.rows[0] : message.rows.find((r) => r.outcome === "violated");
      if (first !== undefined) parts.table.select(first.number);
      break;
    }
    case "trace":
      if (chosen?.number === message.number) parts.detail.show(chosen, message.trace);
      break;
    case "no-trace":
      if (chosen?.number === message.number) parts.detail.trouble(chosen, message.why);
      break;
  }
}

function fill(shown: readonly Row[], said: readonly string[]): void {
  [rows, chosen] = [shown, undefined];
  parts.detail.clear();
  parts.table.show(rows);
  summary.replaceChildren(...said.map((line) => h("p", {}, line)));
}

function say(text: string, kind: string): void {
  status.textContent = text;
  status.className = `status ${kind}`;
  status.hidden = text === "";
}

function inWords(asked: Question): string {
  return asked.of === "unit" ? `of ${asked.unit}` : `that violates ${asked.at}`;
}
