/** The form for a query: unit, order, bounds. */

import type { Bounds, Question, Strategy } from "../core/questions";
import { h, on } from "./dom";

/** The form. */
export interface Form {
  readonly element: HTMLElement;
  units(units: readonly string[]): void;
  show(asked: Question, unit?: string): void;
  running(is: boolean): void;
}

const ORDERS: readonly (readonly [Strategy, string, string])[] = [
  ["generational", "by generations", "All that follow from an execution before what follows from those"],
  ["depth", "depth first", "The last branch is negated first"],
  ["breadth", "breadth first", "The first branch is negated first"],
];

const BOUNDS: readonly (readonly [keyof Bounds, string, string])[] = [
  ["depth", "Branches", "How many of the first branches of an execution are negated (--depth)"],
  ["unroll", "Iterations", "Most iterations of a loop (--unroll)"],
  ["inline", "Calls", "Deepest recursion and nesting of calls (--inline)"],
  ["maxSize", "Sizes", "Most elements of a collection (--max-size)"],
  ["unrollChoice", "Rounds of *", "Most rounds of a loop that may end by choice, while * (--unroll-choice)"],
];

/** Creates the form. */
export function form(run: (asked: Question) => void, stop: () => void): Form {
  const choices = h("datalist", { id: "units" });
  const unit = h("input", { id: "unit", list: "units", required: true, spellcheck: "false", autocomplete: "off", placeholder: "Module.Method" });
  const order = h("select", { id: "order" }, ...ORDERS.map(([value, text, about]) => h("option", { value, title: about }, text)));
  const numbers = BOUNDS.map(([key, text, about]) => {
    const input = h("input", { id: key, type: "number", min: 0, max: 1_000_000, step: 1, placeholder: "auto", title: about });
    return [key, input, h("label", { for: key, title: about }, text)] as const;
  });
  const start = h("button", { type: "submit", class: "primary" }, "Run");
  const end = on(h("button", { type: "button", hidden: true }, "Stop"), "click", stop);
  const element = h(
    "form",
    { "aria-label": "What to execute", autocomplete: "off" },
    field(h("label", { for: "unit" }, "Method, function or lemma"), unit, "wide"),
    choices,
    field(h("label", { for: "order" }, "Order"), order),
    h("fieldset", {}, h("legend", {}, "Bounds"), ...numbers.map(([, input, label]) => field(label, input, "number"))),
    h("div", { class: "buttons" }, start, end),
  );
  on(element, "submit", (event) => {
    event.preventDefault();
    const bounds = Object.fromEntries(numbers.flatMap(([key, input]) => (input.value === "" ? [] : [[key, input.valueAsNumber]]))) as Bounds;
    run({ of: "unit", unit: unit.value.trim(), strategy: ORDERS[order.selectedIndex]?.[0] ?? "generational", bounds });
  });
  return {
    element,
    units(units) {
      choices.replaceChildren(...units.map((value) => h("option", { value })));
      if (unit.value === "") unit.value = units[0] ?? "";
    },
    show(asked, found) {
      if (asked.of !== "unit") {
        unit.value = found ?? unit.value;
        return;
      }
      unit.value = asked.unit;
      order.value = asked.strategy;
      for (const [key, input] of numbers) input.value = String(asked.bounds[key] ?? "");
    },
    running(is) {
      start.disabled = is;
      end.hidden = !is;
    },
  };
}

function field(label: HTMLElement, input: HTMLElement, kind = ""): HTMLElement {
  return h("div", { class: `field ${kind}` }, label, input);
}
