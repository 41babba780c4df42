/**
 * Locations in the tool's notation: lines and columns are 1-based, columns count Unicode
 * characters.
 */

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

/** Parses `path:line:column`; the path may contain colons (`C:\a.dfy:1:2`). */
export function parsePlace(text: string): Place | undefined {
  const match = /^(.+?):(\d+)(?::(\d+))?$/.exec(text);
  const [, path, line, column] = match ?? [];
  if (path === undefined || line === undefined) return undefined;
  return { path, line: Number(line), column: Number(column ?? 1) };
}

/** Finds the first `path:line:column` or `path:line` in a text whose file has this extension. */
export function findPlace(text: string, extension: string): Place | undefined {
  const match = new RegExp(`[^\\s:"'()]+\\.${extension}:\\d+(?::\\d+)?`).exec(text);
  return match === null ? undefined : parsePlace(match[0]);
}

/**
 * Converts a column to the index in a line's text that editors use: 0-based UTF-16 code units,
 * limited to the end of the line.
 */
export function utf16Index(line: string, column: number): number {
  let index = 0;
  for (let left = column - 1; left > 0 && index < line.length; left--) {
    index += (line.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

/** Converts an index to a column. */
export function columnOf(line: string, index: number): number {
  return Array.from(line.slice(0, index)).length + 1;
}
