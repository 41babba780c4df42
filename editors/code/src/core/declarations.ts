/**
 * Finds the declaration at a location of a Dafny file without a resolver, because the file may have
 * errors during editing.
 */

const CONTAINERS: readonly string[] = ["module", "class", "trait", "datatype", "codatatype", "newtype", "type"];
const CALLABLES: readonly string[] = ["method", "function", "predicate", "lemma", "constructor", "iterator"];

/** Tokens: skipped text, words, braces. */
const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|@?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'|\{:|[{}]|[A-Za-z_][\w'?]*(?:\.[A-Za-z_][\w'?]*)*/g;

/**
 * Returns the Dafny path of the callable around an offset, as in `cargo dtest` (`M.C.F`);
 * `undefined` outside of callables.
 */
export function callableAt(text: string, offset: number): string | undefined {
  const scopes: { readonly name: string; readonly depth: number }[] = [];
  let [depth, attributes] = [0, 0];
  let pending: { readonly kind: string; name: string | undefined } | undefined;
  let callable: { readonly path: string; readonly depth: number } | undefined;
  const path = (name: string): string => [...scopes.map((s) => s.name), name].join(".");
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    // A declaration may contain the offset if it begins on its line or before.
    if (index > offset && (token === "{" || (token === "}" && attributes === 0))) break;
    if (index > endOfLine(text, offset)) break;
    if (token === "{:") {
      attributes++;
    } else if (token === "}" && attributes > 0) {
      attributes--;
    } else if (attributes > 0 || token.startsWith("/") || token.startsWith('"') || token.startsWith("@") || token.startsWith("'")) {
      continue;
    } else if (token === "{") {
      if (pending?.name !== undefined && CONTAINERS.includes(pending.kind)) {
        scopes.push({ name: pending.name, depth });
        [pending, callable] = [undefined, undefined];
      }
      depth++;
    } else if (token === "}") {
      depth--;
      if (scopes.at(-1)?.depth === depth) {
        scopes.pop();
        callable = undefined;
      }
      // After the body of a callable, the callable ends.
      if (callable?.depth === depth && index < startOfLine(text, offset) && closesBody(text, index)) callable = undefined;
    } else if (CONTAINERS.includes(token) || CALLABLES.includes(token)) {
      if (depth > (scopes.at(-1)?.depth ?? -1) + 1) continue;
      const isUnnamed = token === "constructor" && isWithoutName(text.slice(index + token.length));
      pending = isUnnamed ? undefined : { kind: token, name: undefined };
      callable = isUnnamed ? { path: path("_ctor"), depth } : undefined;
    } else if (pending !== undefined && pending.name === undefined && !["method", "function"].includes(token)) {
      pending.name = token;
      if (CALLABLES.includes(pending.kind)) {
        callable = { path: path(token), depth };
        pending = undefined;
      }
    }
  }
  return callable?.path;
}

/** Whether a constructor has no name: its parameters follow its attributes. */
function isWithoutName(rest: string): boolean {
  return !/^\s*(?:\{:[^}]*\}\s*)*[A-Za-z_]/.test(rest);
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end;
}

/**
 * Whether a closing brace ends a body rather than a set in a contract: the rest of the line is
 * empty.
 */
function closesBody(text: string, index: number): boolean {
  return /^\}\s*(?:\/\/.*)?$/.test(text.slice(index, endOfLine(text, index))) && /^\s*$/.test(text.slice(startOfLine(text, index), index));
}
