/** The command lines of the tool and of cargo. */

import type { Command } from "./process";
import type { Program } from "./program";

/** The settings of the user. */
export interface Settings {
  /** `dtest.path`; empty for `cargo dtest`. */
  readonly path: string;
  /** `dtest.cargo`. */
  readonly cargo: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly runner: Runner;
}

/** The test runner. */
export type Runner = "cargo" | "nextest";

/** Returns the command line of the tool. */
export function tool(settings: Settings, cwd: string, args: readonly string[]): Command {
  const { path, cargo, environment } = settings;
  // The arguments are the same whether cargo or the user starts `cargo-dtest`.
  const all = ["dtest", ...args];
  return { program: path === "" ? cargo : path, args: all, cwd, environment };
}

/** Returns the command line of the tool on a program, with JSON records as output. */
export function records(settings: Settings, program: Program, args: readonly string[]): Command {
  const [command, ...options] = args;
  return tool(settings, program.root, [...(command === undefined ? [] : [command]), ...program.files, "--message-format", "json", "--color", "never", ...options]);
}

/** Returns the command line of the language server. */
export function server(settings: Settings, cwd: string): Command {
  return tool(settings, cwd, ["lsp"]);
}
