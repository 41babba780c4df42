/** Parsed values in the tool's notation: objects and their references. */

/** A value. */
export type Value =
  /** A number, a string, a character, `null`, a function, or an unknown form. */
  | { readonly kind: "leaf"; readonly text: string }
  /** `[1, 2]`, `{1, 2}`, `multiset{1}`, `(1, 2)`. */
  | { readonly kind: "list"; readonly open: string; readonly items: readonly Value[]; readonly close: string }
  /** `map[1 := 2]`, or the answers of a function: `{1 => 2, _ => 0}`. */
  | { readonly kind: "pairs"; readonly open: string; readonly arrow: string; readonly items: readonly (readonly [Value, Value])[]; readonly close: string }
  /** `List.Cons(1, List.Nil)`. */
  | { readonly kind: "data"; readonly name: string; readonly items: readonly Value[] }
  /** `Node#1 { value: 0, next: null }`, `array<int> [1, 2]`. */
  | { readonly kind: "object"; readonly type: string; readonly number: number | undefined; readonly fields: readonly (readonly [string, Value])[]; readonly elements: readonly Value[] | undefined }
  /** `Node#1`, an object that is described elsewhere. */
  | { readonly kind: "reference"; readonly type: string; readonly number: number };

/** Maximum nesting depth that is parsed. */
const DEEPEST = 200;

/** Parses a value. Text of an unknown form stays text. */
export function parseValue(text: string): Value {
  const parser = new Parser(text);
  const value = parser.value(0);
  return value !== undefined && parser.isAtEnd() ? value : { kind: "leaf", text };
}

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    this.spaces();
    return this.at === this.text.length;
  }

  value(depth: number): Value | undefined {
    if (depth > DEEPEST) return undefined;
    this.spaces();
    const literal = this.match(/(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|-?\d+(?:\.\d+)?(?:\s*\/\s*\d+(?:\.\d+)?)?|\(-?[\d.]+ \/ -?[\d.]+\)|\.\.\.)/y);
    if (literal !== undefined) return { kind: "leaf", text: literal };
    const list = this.match(/multiset\{|\[|\(/y);
    if (list !== undefined) return this.list(list, list === "(" ? ")" : list === "[" ? "]" : "}", depth);
    if (this.match(/map\[|imap\[/y) !== undefined) return this.pairs("map[", ":=", "]", depth);
    if (this.match(/\{/y) !== undefined) return this.braces(depth);
    return this.named(depth);
  }

  /** Parses a set, or the answers of a function. */
  private braces(depth: number): Value | undefined {
    const start = this.at;
    const answers = this.pairs("{", "=>", "}", depth);
    if (answers !== undefined && answers.items.length > 0) return answers;
    this.at = start;
    return this.list("{", "}", depth);
  }

  private list(open: string, close: string, depth: number): Value | undefined {
    const items: Value[] = [];
    if (this.takes(close)) return { kind: "list", open, items, close };
    do {
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.takes(","));
    return this.takes(close) ? { kind: "list", open, items, close } : undefined;
  }

  private pairs(open: string, arrow: string, close: string, depth: number): (Value & { kind: "pairs" }) | undefined {
    const items: [Value, Value][] = [];
    if (this.takes(close)) return { kind: "pairs", open, arrow, items, close };
    do {
      const key = this.value(depth + 1);
      if (key === undefined || !this.takes(arrow)) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      items.push([key, value]);
    } while (this.takes(","));
    return this.takes(close) ? { kind: "pairs", open, arrow, items, close } : undefined;
  }

  /** Parses a constructor, an object, a reference, or a word such as `true`. */
  private named(depth: number): Value | undefined {
    const name = this.match(/[A-Za-z_'?@][\w'?.@-]*/y);
    if (name === undefined) return undefined;
    const types = this.peek("<") ? (this.types() ?? "") : "";
    const nullable = this.match(/\?/y) ?? "";
    const type = name + types + nullable;
    const number = this.match(/#\d+/y)?.slice(1);
    if (this.peek("(") && number === undefined) {
      this.takes("(");
      const list = this.list("(", ")", depth);
      return list?.kind === "list" ? { kind: "data", name: type, items: list.items } : undefined;
    }
    const common = { kind: "object", type, number: number === undefined ? undefined : Number(number) } as const;
    if (this.match(/ \{/y) !== undefined) {
      const fields = this.fields(depth);
      return fields && { ...common, fields, elements: undefined };
    }
    if (/^array\d*\??$/.test(name) && this.match(/ \[/y) !== undefined) {
      const list = this.list("[", "]", depth);
      return list?.kind === "list" ? { ...common, fields: [], elements: list.items } : undefined;
    }
    return number === undefined ? { kind: "leaf", text: type } : { kind: "reference", type, number: Number(number) };
  }

  private fields(depth: number): readonly (readonly [string, Value])[] | undefined {
    const fields: [string, Value][] = [];
    if (this.takes("}")) return fields;
    do {
      this.spaces();
      const name = this.match(/[\w'?.]+/y);
      if (name === undefined || !this.takes(":")) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      fields.push([name, value]);
    } while (this.takes(","));
    return this.takes("}") ? fields : undefined;
  }

  /** Parses type arguments: `<int, seq<bool>>`. */
  private types(): string | undefined {
    const start = this.at;
    for (let open = 0; this.at < this.text.length; this.at++) {
      const c = this.text[this.at];
      if (c === "<") open++;
      if (c === ">" && this.text[this.at - 1] !== "-" && this.text[this.at - 1] !== "~") open--;
      if (open === 0) {
        this.at++;
        return this.text.slice(start, this.at);
      }
    }
    this.at = start;
    return undefined;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private peek(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  private takes(text: string): boolean {
    this.spaces();
    if (!this.peek(text)) return false;
    this.at += text.length;
    return true;
  }

  private spaces(): void {
    this.match(/\s*/y);
  }
}

/** Formats a value; objects in it are shown by their names alone. */
export function shortText(value: Value): string {
  const all = (values: readonly Value[]): string => values.map(shortText).join(", ");
  switch (value.kind) {
    case "leaf":
      return value.text;
    case "list":
      return `${value.open}${all(value.items)}${value.close}`;
    case "pairs":
      return `${value.open}${value.items.map(([k, v]) => `${shortText(k)} ${value.arrow} ${shortText(v)}`).join(", ")}${value.close}`;
    case "data":
      return `${value.name}(${all(value.items)})`;
    case "object":
      return value.number === undefined ? value.type : `${value.type}#${value.number}`;
    case "reference":
      return `${value.type}#${value.number}`;
  }
}

/** Returns the objects and references in a value in order, without those inside objects. */
export function objectsIn(value: Value): readonly (Value & { kind: "object" | "reference" })[] {
  switch (value.kind) {
    case "leaf":
      return [];
    case "list":
    case "data":
      return value.items.flatMap(objectsIn);
    case "pairs":
      return value.items.flatMap(([k, v]) => [...objectsIn(k), ...objectsIn(v)]);
    case "object":
    case "reference":
      return [value];
  }
}
