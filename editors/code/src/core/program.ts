/** Which program a file belongs to: what `cargo dtest` is told, and where. */

import { dirname, isAbsolute, join, relative, sep } from "node:path";

/** A program: the directory in which the tool runs, and the files that it is told, none where it finds them by itself. */
export interface Program {
  readonly root: string;
  readonly files: readonly string[];
}

/** What is asked of the disk. */
export interface Disk {
  /** The text of a file; `undefined` where there is none. */
  read(path: string): string | undefined;
}

/**
 * The program of a Dafny file: its package's, where it lies in what `dtest.toml` names, or below `src` where that names nothing; else the
 * file alone, in the package or in its folder.
 */
export function programOf(file: string, disk: Disk): Program {
  const root = packageOf(file, disk);
  if (root === undefined) return { root: dirname(file), files: [file] };
  const named = configured(disk.read(join(root, "dtest.toml")));
  return isOf(relative(root, file), named ?? ["src"]) ? { root, files: [] } : { root, files: [file] };
}

/** The directory of the package that a file lies in. */
export function packageOf(file: string, disk: Disk): string | undefined {
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    if (disk.read(join(directory, "Cargo.toml"))?.includes("[package]") === true) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

/** The value of `files` in `dtest.toml`: strings, on one line or several. */
export function configured(toml: string | undefined): readonly string[] | undefined {
  const lines = toml?.split("\n").map((line) => line.replace(/^\s*#.*$/, "")) ?? [];
  // Keys behind the first table are not ours.
  const table = lines.findIndex((line) => /^\s*\[[\w."-]+\]\s*(?:#.*)?$/.test(line));
  const top = (table < 0 ? lines : lines.slice(0, table)).join("\n");
  const list = /^\s*files\s*=\s*\[([^\]]*)\]/m.exec(top)?.[1];
  return list === undefined ? undefined : Array.from(list.matchAll(/"([^"]*)"|'([^']*)'/g), (m) => m[1] ?? m[2] ?? "");
}

/** Whether a path, as seen from the package, is one that is named: a file, a directory, a glob, or a project file beside or above it. */
function isOf(path: string, named: readonly string[]): boolean {
  if (path.startsWith("..") || isAbsolute(path)) return false;
  const slashed = path.split(sep).join("/");
  return named.some((each) => {
    const name = each.replace(/^\.\//, "").replace(/\/$/, "");
    if (name.endsWith(".toml")) return slashed.startsWith(name.replace(/[^/]*$/, ""));
    if (/[*?[]/.test(name)) return glob(name).test(slashed);
    return name === "." || slashed === name || slashed.startsWith(`${name}/`);
  });
}

/** A glob as a regular expression: `**` any directories, `*` and `?` within a name. */
function glob(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\*\*|\*|\?)/).map((part) => {
    switch (part) {
      case "**/":
        return "(?:.*/)?";
      case "**":
        return ".*";
      case "*":
        return "[^/]*";
      case "?":
        return "[^/]";
      default:
        return part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    }
  });
  return new RegExp(`^${parts.join("")}$`);
}
