/** Objects as a graph: the references of variables and objects, and its layout. */

import type { Variable } from "./steps";
import { objectsIn, parseValue, shortText, type Value } from "./values";

/** A box: a variable, or an object with its fields. */
export interface Node {
  readonly id: string;
  readonly kind: "variable" | "object";
  /** The name of a variable, or the type of an object. */
  readonly title: string;
  /** The fields that are not references, as `name: value`. */
  readonly rows: readonly string[];
  readonly isNew: boolean;
}

/** An arrow. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** The name of the field; empty for a variable. */
  readonly label: string;
}

/** Boxes and arrows. */
export interface Graph {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** The number of objects that are left out. */
  readonly omitted: number;
}

/** Maximum number of objects that are drawn. */
const MOST = 60;

/** Maximum number of array elements that a box shows. */
const ELEMENTS = 24;

/** Returns the graph of the references of variables; variables without references are left out. */
export function graph(variables: readonly Variable[]): Graph {
  const nodes: Node[] = [];
  const edges: Edge[] = [];
  let [anonymous, omitted] = [0, 0];
  const drawn = new Set<string>();
  const object = (value: Value & { kind: "object" | "reference" }, isNew: boolean): string | undefined => {
    if (value.kind === "reference") return `object ${value.number}`;
    const id = value.number === undefined ? `one ${++anonymous}` : `object ${value.number}`;
    if (drawn.size >= MOST) {
      omitted++;
      return undefined;
    }
    drawn.add(id);
    const { rows, refers } = contents(value);
    const title = value.number === undefined ? value.type : `${value.type}#${value.number}`;
    nodes.push({ id, kind: "object", title, rows, isNew });
    link(id, refers, isNew);
    return id;
  };
  const link = (from: string, refers: readonly (readonly [string, Value])[], isNew: boolean): void => {
    for (const [label, value] of refers) {
      for (const each of objectsIn(value)) {
        const to = object(each, isNew);
        if (to !== undefined) edges.push({ from, to, label });
      }
    }
  };
  for (const { name, value, isNew } of variables) {
    const parsed = parseValue(value);
    if (objectsIn(parsed).length === 0) continue;
    const id = `variable ${name}`;
    const isDirect = parsed.kind === "object" || parsed.kind === "reference";
    nodes.push({ id, kind: "variable", title: name, rows: isDirect ? [] : [shortText(parsed)], isNew });
    link(id, [["", parsed]], isNew);
  }
  const known = new Set(nodes.map((n) => n.id));
  return { nodes, edges: edges.filter((e) => known.has(e.from) && known.has(e.to)), omitted };
}

/** Returns the fields that a box shows, and its references. */
function contents(value: Value & { kind: "object" }): { rows: readonly string[]; refers: readonly (readonly [string, Value])[] } {
  if (value.elements === undefined) {
    const refers = value.fields.filter(([, v]) => objectsIn(v).length > 0);
    const isSaid = (v: Value): boolean => v.kind !== "object" && v.kind !== "reference";
    return { rows: value.fields.filter(([, v]) => isSaid(v)).map(([name, v]) => `${name}: ${shortText(v)}`), refers };
  }
  const refers = value.elements.flatMap((v, i): [string, Value][] => (objectsIn(v).length > 0 ? [[`[${i}]`, v]] : []));
  const shown = value.elements.slice(0, ELEMENTS).map(shortText).join(", ");
  const rest = value.elements.length > ELEMENTS ? `, … ${value.elements.length - ELEMENTS} more` : "";
  return { rows: [`[${shown}${rest}]`], refers };
}

/** A box with its position. */
export interface Placed extends Node {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A drawing: boxes, arrows as paths of SVG, and the size of all. */
export interface Drawing {
  readonly boxes: readonly Placed[];
  readonly arrows: readonly { readonly path: string; readonly label: string; readonly x: number; readonly y: number; readonly from: string; readonly to: string }[];
  readonly width: number;
  readonly height: number;
}

/** Sizes, in pixels. */
const CHARACTER = 7.3;
const LINE = 17;
const GAP = { across: 74, down: 18 };
const MARGIN = 10;
/** Maximum length of a row in a box, in characters. */
export const WIDEST = 34;

/** Lays out the graph from left to right: variables, the objects that they refer to, and so on. */
export function draw(graph: Graph): Drawing {
  const columns = layers(graph);
  const boxes = new Map<string, Placed>();
  let [x, height] = [MARGIN, 0];
  for (const column of columns) {
    let y = MARGIN;
    let widest = 0;
    for (const node of column) {
      const longest = Math.max(node.title.length, ...node.rows.map((row) => row.length), 3);
      const width = Math.ceil(Math.min(longest, WIDEST) * CHARACTER) + 18;
      const size = { width, height: (1 + node.rows.length) * LINE + 9 };
      boxes.set(node.id, { ...node, x, y, ...size });
      y += size.height + GAP.down;
      widest = Math.max(widest, width);
    }
    height = Math.max(height, y);
    x += widest + GAP.across;
  }
  const sides = new Map<string, number>();
  const arrows = graph.edges.flatMap((edge) => {
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    const nth = sides.get(edge.from) ?? 0;
    sides.set(edge.from, nth + 1);
    const count = graph.edges.filter((e) => e.from === edge.from).length;
    return [{ ...arrow(from, to, (nth + 1) / (count + 1)), label: edge.label, from: edge.from, to: edge.to }];
  });
  const below = arrows.reduce((most, a) => Math.max(most, a.y + LINE), height);
  return { boxes: Array.from(boxes.values()), arrows, width: Math.max(x - GAP.across + MARGIN + 30, 2 * MARGIN), height: below };
}

/**
 * Returns the columns: the distance from a variable determines the column, and boxes are next to
 * their referrers.
 */
function layers(graph: Graph): readonly (readonly Node[])[] {
  const layer = new Map<string, number>(graph.nodes.filter((n) => n.kind === "variable").map((n) => [n.id, 0]));
  const work = Array.from(layer.keys());
  for (let id = work.shift(); id !== undefined; id = work.shift()) {
    for (const edge of graph.edges.filter((e) => e.from === id && !layer.has(e.to))) {
      layer.set(edge.to, (layer.get(id) ?? 0) + 1);
      work.push(edge.to);
    }
  }
  const columns: Node[][] = [];
  for (const node of graph.nodes) (columns[layer.get(node.id) ?? 0] ??= []).push(node);
  const row = new Map<string, number>();
  return Array.from(columns, (column: Node[] | undefined) => {
    const above = (node: Node): number => {
      const rows = graph.edges.flatMap((e) => (e.to === node.id ? (row.get(e.from) ?? []) : []));
      return rows.length === 0 ? Infinity : rows.reduce((a, b) => a + b, 0) / rows.length;
    };
    const order = (column ?? []).map((node, i) => ({ node, i, at: above(node) })).sort((a, b) => (a.at === b.at ? a.i - b.i : a.at - b.at));
    order.forEach(({ node }, i) => row.set(node.id, i));
    return order.map(({ node }) => node);
  });
}

/**
 * Returns an arrow from the right side of a box, at a fraction of its height, to the left side of
 * another: backwards around below, within a column at the right.
 */
function arrow(from: Placed, to: Placed, share: number): { path: string; x: number; y: number } {
  const start = { x: from.x + from.width, y: from.y + from.height * share };
  const point = (x: number, y: number): string => `${Math.round(x)} ${Math.round(y)}`;
  if (to.x > from.x) {
    const end = { x: to.x - 2, y: to.y + Math.min(LINE, to.height / 2) };
    const middle = (start.x + end.x) / 2;
    const path = `M ${point(start.x, start.y)} C ${point(middle, start.y)} ${point(middle, end.y)} ${point(end.x, end.y)}`;
    return { path, x: middle, y: (start.y + end.y) / 2 - 4 };
  }
  if (to.x + to.width < from.x) {
    const [a, b] = [{ x: from.x + from.width * 0.4, y: from.y + from.height }, { x: to.x + to.width * 0.6, y: to.y + to.height + 2 }];
    const low = Math.max(a.y, b.y) + 26;
    return { path: `M ${point(a.x, a.y)} C ${point(a.x, low)} ${point(b.x, low)} ${point(b.x, b.y)}`, x: (a.x + b.x) / 2, y: low - 2 };
  }
  const isSame = from.x === to.x && from.y === to.y;
  const bend = start.x + 34;
  const end = isSame ? { x: to.x + to.width + 2, y: to.y + 8 } : { x: to.x + to.width + 2, y: to.y + to.height / 2 };
  const path = `M ${point(start.x, start.y)} C ${point(bend, start.y)} ${point(Math.max(bend, end.x + 34), end.y)} ${point(end.x, end.y)}`;
  return { path, x: Math.max(bend, end.x + 34) - 6, y: (start.y + end.y) / 2 + 3 };
}
