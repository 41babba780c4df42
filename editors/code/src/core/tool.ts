/** How the tool and cargo are called. */

import type { Command } from "./process";
import type { Program } from "./program";

/** What the settings say. */
export interface Settings {
  /** `dtest.path`; empty: `cargo dtest`. */
  readonly path: string;
  /** `dtest.cargo`. */
  readonly cargo: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly runner: Runner;
}

/** What runs tests. */
export type Runner = "cargo" | "nextest";

/** A call of the tool. */
export function tool(settings: Settings, cwd: string, args: readonly string[]): Command {
  const { path, cargo, environment } = settings;
  // The same whether a program `cargo-dtest` is started by cargo or by itself.
  const all = ["dtest", ...args];
  return { program: path === "" ? cargo : path, args: all, cwd, environment };
}

/** A call of the tool on a program that prints records. */
export function records(settings: Settings, program: Program, args: readonly string[]): Command {
  const [command, ...options] = args;
  return tool(settings, program.root, [...(command === undefined ? [] : [command]), ...program.files, "--message-format", "json", "--color", "never", ...options]);
}

/** How the language server is started. */
export function server(settings: Settings, cwd: string): Command {
  return tool(settings, cwd, ["lsp"]);
}
