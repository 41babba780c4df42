/** Places as the tool writes them: lines and columns from 1, columns in Unicode characters. */

/** A position in a file. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A range of a file; its end is exclusive. */
export interface Region {
  readonly path: string;
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

/** Reads `path:line:column`; the path may hold colons (`C:\a.dfy:1:2`). */
export function parsePlace(text: string): Place | undefined {
  const match = /^(.+?):(\d+)(?::(\d+))?$/.exec(text);
  const [, path, line, column] = match ?? [];
  if (path === undefined || line === undefined) return undefined;
  return { path, line: Number(line), column: Number(column ?? 1) };
}

/** The first `path:line:column` or `path:line` in a text whose file has this extension. */
export function findPlace(text: string, extension: string): Place | undefined {
  const match = new RegExp(`[^\\s:"'()]+\\.${extension}:\\d+(?::\\d+)?`).exec(text);
  return match === null ? undefined : parsePlace(match[0]);
}

/** The index of a column in a line's text, as editors count: in UTF-16 code units, from 0. Beyond the line's end it is the end. */
export function utf16Index(line: string, column: number): number {
  let index = 0;
  for (let left = column - 1; left > 0 && index < line.length; left--) {
    index += (line.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

/** The other way round: the column of an index. */
export function columnOf(line: string, index: number): number {
  return Array.from(line.slice(0, index)).length + 1;
}
