/** The interface to the editor: settings, files, locations. */

import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";

import { utf16Index, type Place } from "../core/places";
import type { Command, Stop } from "../core/process";
import type { Disk } from "../core/program";
import type { Settings } from "../core/tool";

/** Returns the settings that apply to a file or folder. */
export function settings(scope?: vscode.Uri): Settings {
  const of = vscode.workspace.getConfiguration("dtest", scope);
  return {
    path: of.get("path", "").trim(),
    cargo: of.get("cargo", "cargo").trim() || "cargo",
    environment: of.get<Record<string, string>>("environment", {}),
    runner: of.get<string>("testRunner") === "nextest" ? "nextest" : "cargo",
  };
}

/** Access to files on disk. */
export const disk: Disk = {
  read(path) {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  },
};

/** Converts a cancellation token to a stop signal. */
export function stopOf(token: vscode.CancellationToken): Stop {
  const stop = new AbortController();
  if (token.isCancellationRequested) stop.abort();
  token.onCancellationRequested(() => {
    stop.abort();
  });
  return stop.signal;
}

/** Resolves a file that the tool names, relative to the directory in which it ran. */
export function fileOf(root: string, path: string): vscode.Uri {
  return vscode.Uri.file(isAbsolute(path) ? path : join(root, path));
}

/** A function that returns the lines of files; each file is read once. */
export type Lines = (uri: vscode.Uri) => readonly string[] | undefined;

/** Returns the lines of files from the editor if they are open, and otherwise from disk. */
export function linesOf(): Lines {
  const known = new Map<string, readonly string[] | undefined>();
  return (uri) => {
    if (!known.has(uri.fsPath)) {
      const open = vscode.workspace.textDocuments.find((document) => document.uri.fsPath === uri.fsPath);
      known.set(uri.fsPath, (open?.getText() ?? disk.read(uri.fsPath))?.split(/\r?\n/));
    }
    return known.get(uri.fsPath);
  };
}

/**
 * Converts a location to one of the editor. Without the file's text, columns are used unchanged.
 */
export function locationOf(root: string, place: Place, lines: Lines = linesOf()): vscode.Location {
  const uri = fileOf(root, place.path);
  const line = Math.max(place.line - 1, 0);
  const text = lines(uri)?.[line];
  return new vscode.Location(uri, new vscode.Position(line, text === undefined ? place.column - 1 : utf16Index(text, place.column)));
}

/** Formats a command as a user would type it, for the log. */
export function shown(command: Command): string {
  const word = (text: string): string => (/^[\w@%+=:,./\\-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return `${[command.program, ...command.args].map(word).join(" ")}    (in ${command.cwd})`;
}
