/** The program of a file: the arguments of `cargo dtest`, and its working directory. */

import { dirname, isAbsolute, join, relative, sep } from "node:path";

/**
 * A program: the working directory of the tool, and the file arguments; none if it finds them
 * itself.
 */
export interface Program {
  readonly root: string;
  readonly files: readonly string[];
}

/** Access to the disk. */
export interface Disk {
  /** Returns the text of a file; `undefined` if it does not exist. */
  read(path: string): string | undefined;
}

/**
 * Returns the program of a Dafny file: that of its package, if `dtest.toml` names the file, or if it
 * is below `src` and `dtest.toml` names no files; otherwise the file alone, in the package or in its
 * directory.
 */
export function programOf(file: string, disk: Disk): Program {
  const root = packageOf(file, disk);
  if (root === undefined) return { root: dirname(file), files: [file] };
  const named = configured(disk.read(join(root, "dtest.toml")));
  return isOf(relative(root, file), named ?? ["src"]) ? { root, files: [] } : { root, files: [file] };
}

/** Returns the directory of the package that contains a file. */
export function packageOf(file: string, disk: Disk): string | undefined {
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    if (disk.read(join(directory, "Cargo.toml"))?.includes("[package]") === true) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

/** Returns the value of `files` in `dtest.toml`: strings, on one line or several. */
export function configured(toml: string | undefined): readonly string[] | undefined {
  const lines = toml?.split("\n").map((line) => line.replace(/^\s*#.*$/, "")) ?? [];
  // Keys after the first table header are not options of `gen`.
  const table = lines.findIndex((line) => /^\s*\[[\w."-]+\]\s*(?:#.*)?$/.test(line));
  const top = (table < 0 ? lines : lines.slice(0, table)).join("\n");
  const list = /^\s*files\s*=\s*\[([^\]]*)\]/m.exec(top)?.[1];
  return list === undefined ? undefined : Array.from(list.matchAll(/"([^"]*)"|'([^']*)'/g), (m) => m[1] ?? m[2] ?? "");
}

/**
 * Whether a path, relative to the package, is named by a file, a directory, a glob, or a project
 * file in its directory or a parent.
 */
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

/**
 * Converts a glob to a regular expression: `**` matches any directories, `*` and `?` match within a
 * name.
 */
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
