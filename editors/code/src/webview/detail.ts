/** The view of one execution: its steps, the state before each, and the objects of that state. */

import type { Row } from "../core/questions";
import { draw, graph, WIDEST } from "../core/graph";
import { states, type Frame, type State } from "../core/steps";
import type { Trace } from "../core/records";
import { h, on, s } from "./dom";

/** The part of the page. */
export interface Detail {
  readonly element: HTMLElement;
  waiting(row: Row): void;
  show(row: Row, trace: Trace): void;
  trouble(row: Row, why: string): void;
  clear(): void;
}

/** The icons of the buttons, as SVG paths in a square of size 16. */
const ICONS = { first: "M4 3h1.5v10H4zM13 3v10L6 8z", back: "M11 3v10L4 8z", forward: "M5 3v10l7-5z", last: "M3 3v10l7-5zM10.5 3H12v10h-1.5z" };

/**
 * Creates the view. `look` is called with the location of the selected step, and whether the editor
 * should get the focus.
 */
export function detail(look: (state: State, focus: boolean) => void): Detail {
  const title = h("h2", { id: "execution" });
  const note = h("p", { class: "note", role: "status" });
  const position = h("input", { type: "range", min: 1, value: 1, "aria-label": "Step" });
  const counter = h("output", { class: "counter" });
  const list = h("ol", { role: "listbox", "aria-label": "Steps", tabindex: 0, class: "steps scroll" });
  const frames = h("div", { class: "frames" });
  const picture = h("div", { class: "picture scroll" });
  const objects = h("section", { "aria-label": "Objects" }, h("h3", {}, "Objects"), picture);
  const button = (icon: string, label: string, to: () => number): HTMLElement => {
    const element = h("button", { type: "button", "aria-label": label, title: label }, s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, s("path", { d: icon })));
    return on(element, "click", () => {
      go(to());
    });
  };
  let [all, at]: [readonly State[], number] = [[], 0];
  let outcome: Row | undefined;
  const bar = h(
    "div",
    { class: "bar", role: "toolbar", "aria-label": "Steps" },
    button(ICONS.first, "First step", () => 0),
    button(ICONS.back, "Step back", () => at - 1),
    position,
    button(ICONS.forward, "Step", () => at + 1),
    button(ICONS.last, "Last step", () => all.length - 1),
    counter,
  );
  const content = h(
    "div",
    { class: "content" },
    bar,
    list,
    h("section", { "aria-label": "State", "aria-live": "polite", class: "state scroll" }, h("h3", {}, "State before the step"), frames),
    objects,
  );
  const element = h("section", { class: "detail", "aria-labelledby": "execution", hidden: true }, title, note, content);

  const go = (to: number, focus = false): void => {
    at = Math.min(Math.max(to, 0), all.length - 1);
    const state = all[at];
    if (state === undefined) return;
    position.value = String(at + 1);
    counter.textContent = `${at + 1} of ${all.length}`;
    const options = Array.from(list.children);
    options.forEach((option, i) => {
      option.setAttribute("aria-selected", String(i === at));
    });
    const current = options[at];
    list.setAttribute("aria-activedescendant", current?.id ?? "");
    current?.scrollIntoView({ block: "nearest" });
    frames.replaceChildren(...state.frames.map((frame, i) => frameOf(frame, i === state.frames.length - 1)).reverse(), ...end(state));
    const drawing = drawingOf(state.frames.at(-1));
    objects.hidden = drawing === undefined;
    picture.replaceChildren(...(drawing === undefined ? [] : [drawing]));
    look(state, focus);
  };
  /** Returns the ending of the execution, at its last step. */
  const end = (state: State): readonly HTMLElement[] => {
    if (state !== all.at(-1) || outcome === undefined) return [];
    const isGood = outcome.outcome === "returned";
    return [h("p", { class: `end ${isGood ? "good" : "bad"}` }, outcome.message)];
  };
  on(position, "input", () => {
    go(position.valueAsNumber - 1);
  });
  on(list, "keydown", (event) => {
    const key = (event as KeyboardEvent).key;
    const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1, PageDown: at + 10, PageUp: at - 10, Enter: at }[key];
    if (to === undefined) return;
    event.preventDefault();
    go(to, key === "Enter");
  });
  on(list, "click", (event) => {
    const option = (event.target as Element).closest("li");
    if (option !== null) go(Array.from(list.children).indexOf(option));
  });
  on(list, "dblclick", () => {
    go(at, true);
  });
  const head = (row: Row, said: string): void => {
    const inputs = row.inputs.map((i) => `${i.name} = ${i.value}`).join(", ");
    outcome = row;
    element.hidden = false;
    title.textContent = `${row.unit} with ${inputs === "" ? "no inputs" : inputs}`;
    note.textContent = said;
    note.hidden = said === "";
  };
  return {
    element,
    waiting(row) {
      head(row, "Executing it again, step by step…");
      content.hidden = true;
    },
    trouble(row, why) {
      head(row, why);
      content.hidden = true;
    },
    show(row, trace) {
      head(row, "");
      all = states(trace);
      position.max = String(all.length);
      list.replaceChildren(...all.map(option));
      content.hidden = all.length === 0;
      if (all.length === 0) note.textContent = "It has no steps.";
      note.hidden = all.length > 0;
      go(0);
    },
    clear() {
      [all, at, outcome] = [[], 0, undefined];
      element.hidden = true;
    },
  };
}

function option(state: State, i: number): HTMLElement {
  const left = state.omitted === 0 ? [] : [h("div", { class: "omitted" }, `… ${state.omitted} steps are left out …`)];
  const choice = state.chooses ? [h("span", { class: "choice", title: "Something is chosen here" }, "choice")] : [];
  const indent = `depth depth-${Math.min(state.depth, 8)}`;
  const code = h("span", { class: `code ${indent}` }, state.label);
  return h("li", { role: "option", id: `step-${i}`, "aria-selected": "false", title: `${state.place}: ${state.label}` }, ...left, h("span", { class: "place" }, short(state.place)), ...choice, code);
}

/** Returns a location without its directories and column. */
function short(place: string): string {
  return place.replace(/^.*[\\/]/, "").replace(/:\d+$/, "");
}

function frameOf(frame: Frame, isCurrent: boolean): HTMLElement {
  const rows = frame.variables.map(({ name, value, isNew }) =>
    h("tr", { class: isNew ? "new" : undefined }, h("th", { scope: "row" }, name), h("td", { title: value }, value, isNew ? h("span", { class: "hidden" }, " (new)") : undefined)),
  );
  const empty = h("p", { class: "note" }, "no variables");
  const content = rows.length === 0 ? empty : h("table", {}, h("tbody", {}, ...rows));
  const summary = h("summary", {}, frame.unit, h("span", { class: "place" }, ` ${short(frame.place)}`));
  return h("details", { open: isCurrent }, summary, content);
}

/**
 * Returns a drawing of the objects that a frame's variables refer to; `undefined` if there are
 * none.
 */
function drawingOf(frame: Frame | undefined): SVGSVGElement | undefined {
  const found = graph(frame?.variables ?? []);
  if (found.nodes.length === 0) return undefined;
  const { boxes, arrows, width, height } = draw(found);
  const title = new Map(found.nodes.map((n) => [n.id, n.title]));
  const said = found.nodes.map((n) => {
    const refers = found.edges.filter((e) => e.from === n.id).map((e) => `${e.label === "" ? "is" : `${e.label} is`} ${title.get(e.to) ?? ""}`);
    return [n.title, ...n.rows, ...refers].join(", ");
  });
  const clipped = (text: string): string => (text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text);
  const head = s("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, s("path", { d: "M 0 0 L 8 4 L 0 8 z" }));
  const label = `${said.join(". ")}${found.omitted === 0 ? "" : `. ${found.omitted} more are left out`}`;
  return s(
    "svg",
    { role: "img", "aria-label": label, width, height, viewBox: `0 0 ${width} ${height}` },
    s("defs", {}, head),
    ...arrows.map((a) => s("path", { class: "arrow", d: a.path, "marker-end": "url(#head)" })),
    ...boxes.map((box) =>
      s(
        "g",
        { class: `${box.kind}${box.isNew ? " new" : ""}` },
        s("title", {}, [box.title, ...box.rows].join("\n")),
        s("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: box.kind === "variable" ? 9 : 3 }),
        s("text", { class: "head", x: box.x + 9, y: box.y + 17 }, clipped(box.title)),
        ...box.rows.map((row, i) => s("text", { x: box.x + 9, y: box.y + 17 * (i + 2) }, clipped(row))),
      ),
    ),
    ...arrows.filter((a) => a.label !== "").map((a) => s("text", { class: "label", x: a.x, y: a.y, "text-anchor": "middle" }, clipped(a.label))),
  );
}
