/** Discovery of the workspace's packages with Dafny programs, their units and their tests. */

import { join, relative, sep } from "node:path";
import * as vscode from "vscode";

import { run } from "../core/process";
import { packageOf, programOf } from "../core/program";
import { parseRecord, type UnitRecord } from "../core/records";
import { TARGETS, testsOf } from "../core/suite";
import { records } from "../core/tool";
import type { FoundTest } from "../core/tree";
import { disk, settings } from "./workspace";

/** Maximum number of files that are searched for packages. */
const MOST_FILES = 5_000;
/** Directories without sources. */
const NOT_SOURCES = "**/{target,node_modules,.git}/**";

/** Returns the packages of the workspace that contain Dafny programs. */
export async function packages(): Promise<readonly string[]> {
  const files = await vscode.workspace.findFiles("**/{*.dfy,dtest.toml}", NOT_SOURCES, MOST_FILES);
  const roots = files.map((file) => packageOf(file.fsPath, disk)).filter((root) => root !== undefined);
  return Array.from(new Set(roots)).sort();
}

/** Returns the units of a package from `cargo dtest list`, or its messages if it fails. */
export async function units(root: string): Promise<{ readonly units: readonly UnitRecord[]; readonly trouble: string | undefined }> {
  return list(root, []);
}

/** Returns the units of the program that a file belongs to. */
export async function unitsOf(file: string): Promise<readonly UnitRecord[]> {
  const program = programOf(file, disk);
  return (await list(program.root, program.files)).units;
}

async function list(root: string, files: readonly string[]): Promise<{ readonly units: readonly UnitRecord[]; readonly trouble: string | undefined }> {
  const found: UnitRecord[] = [];
  const said: string[] = [];
  const out = (line: string): void => {
    const record = parseRecord(line);
    if (record?.kind === "unit") found.push(record);
    if (record?.kind === "diagnostic" && record.severity === "error") said.push(record.message);
  };
  const ended = await run(records(settings(vscode.Uri.file(root)), { root, files }, ["list"]), { out, err: (line) => said.push(line) });
  const isDone = ended.how === "exited" && (ended.code === 0 || found.length > 0);
  return { units: found, trouble: isDone ? undefined : ended.how === "not-started" ? ended.why : said.slice(0, 3).join("\n") };
}

/** Returns the tests of a package's suites on disk. */
export async function tests(root: string): Promise<readonly FoundTest[]> {
  const pattern = new vscode.RelativePattern(root, `tests/{${TARGETS.join(",")}}/**/*.rs`);
  const files = await vscode.workspace.findFiles(pattern, null, MOST_FILES);
  const below = join(root, "tests");
  return files.flatMap(({ fsPath }) => testsOf(relative(below, fsPath).split(sep).join("/"), disk.read(fsPath) ?? "").map((test) => ({ ...test, file: fsPath })));
}
