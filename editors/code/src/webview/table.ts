/** The table of executions: inputs and endings. */

import type { Row } from "../core/questions";
import type { Outcome } from "../core/records";
import { h, on } from "./dom";

/** The table. */
export interface Table {
  readonly element: HTMLElement;
  show(rows: readonly Row[]): void;
  select(number: number): void;
}

/** The marks and words of outcomes, and whether they are failures. */
const OUTCOMES: Readonly<Record<Outcome, readonly [string, string, string]>> = {
  returned: ["✓", "returns", "good"],
  violated: ["✗", "violates an obligation", "bad"],
  "violated-assuming": ["✗", "violates an obligation, assuming something", "doubtful"],
  halted: ["■", "halts at an expect", "doubtful"],
  infeasible: ["∅", "does not exist: an assumption is false", "open"],
  "not-decided": ["?", "not followed to its end", "open"],
};

/** Creates the table. `choose` is called when a row is selected. */
export function table(choose: (row: Row) => void): Table {
  const head = h("thead");
  const body = h("tbody");
  const only = h("input", { type: "checkbox", id: "only" });
  const filter = h("div", { class: "filter", hidden: true }, only, h("label", { for: "only" }, "Only those that violate an obligation"));
  const grid = h("table", { role: "grid", "aria-label": "Executions", "aria-readonly": "true" }, head, body);
  const element = h("section", { class: "executions", "aria-label": "Executions" }, filter, h("div", { class: "scroll" }, grid));
  let all: readonly Row[] = [];
  let selected: number | undefined;

  const lines = (): HTMLTableRowElement[] => Array.from(body.rows);
  const mark = (): void => {
    const shown = lines();
    const current = shown.find((line) => Number(line.dataset["number"]) === selected) ?? shown[0];
    for (const line of shown) {
      line.setAttribute("aria-selected", String(Number(line.dataset["number"]) === selected));
      line.tabIndex = line === current ? 0 : -1;
    }
  };
  const pick = (line: HTMLTableRowElement | undefined): void => {
    const row = all.find((r) => r.number === Number(line?.dataset["number"]));
    if (line === undefined || row === undefined) return;
    selected = row.number;
    mark();
    line.focus();
    line.scrollIntoView({ block: "nearest" });
    choose(row);
  };
  const fill = (): void => {
    const rows = all.filter((row) => !only.checked || row.outcome === "violated" || row.outcome === "violated-assuming");
    const names = columns(all);
    head.replaceChildren(h("tr", {}, cell("th", "#"), ...names.map((name) => cell("th", name)), cell("th", "Result"), cell("th", "From")));
    body.replaceChildren(...rows.map((row) => line(row, names)));
    mark();
  };
  on(only, "change", fill);
  on(body, "click", (event) => {
    pick((event.target as Element).closest("tr") ?? undefined);
  });
  on(body, "keydown", (event) => {
    const key = (event as KeyboardEvent).key;
    const shown = lines();
    const at = shown.findIndex((line) => line === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1, PageDown: at + 10, PageUp: at - 10, Enter: at, " ": at }[key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    pick(shown[Math.min(Math.max(to, 0), shown.length - 1)]);
  });
  return {
    element,
    show(rows) {
      [all, selected] = [rows, undefined];
      const broken = rows.some((row) => row.outcome === "violated" || row.outcome === "violated-assuming");
      filter.hidden = !broken || rows.length < 2;
      if (filter.hidden) only.checked = false;
      element.hidden = rows.length === 0;
      fill();
    },
    select(number) {
      pick(lines().find((line) => Number(line.dataset["number"]) === number));
    },
  };
}

/** Returns the names of all inputs, in order of first occurrence. */
function columns(rows: readonly Row[]): readonly string[] {
  return Array.from(new Set(rows.flatMap((row) => row.inputs.map((input) => input.name))));
}

function cell(name: "th" | "td", text: string, kind?: string): HTMLTableCellElement {
  return h(name, { class: kind, title: text.length > 40 ? text : undefined, scope: name === "th" ? "col" : undefined, role: name === "th" ? "columnheader" : "gridcell" }, text);
}

function line(row: Row, names: readonly string[]): HTMLTableRowElement {
  const [mark, said, kind] = OUTCOMES[row.outcome];
  const given = row.given.length === 0 ? "" : `; assuming ${row.given.join(", ")}`;
  const printed = row.printed === "" ? "" : `; prints ${JSON.stringify(row.printed)}`;
  const chosen = row.choices.length === 0 ? "" : `; chosen: ${row.choices.join("; ")}`;
  const message = `${row.message}${row.place === undefined ? "" : ` (${row.place})`}${printed}${chosen}${given}`;
  const value = (name: string): string => row.inputs.find((input) => input.name === name)?.value ?? "";
  const follows = row.follows === undefined ? "" : `${row.follows.from}, branch ${row.follows.branch}`;
  const symbol = h("span", { class: `mark ${kind}`, role: "img", "aria-label": said, title: said }, mark);
  return h(
    "tr",
    { "data-number": row.number, "aria-selected": "false", tabindex: -1 },
    h("td", { class: "number", role: "gridcell" }, symbol, ` ${row.number}`),
    ...names.map((name) => cell("td", value(name), "value")),
    h("td", { class: "result", title: message, role: "gridcell" }, message),
    cell("td", follows, "from"),
  );
}
