/** The entry points of the extension: creates all parts and connects them. */

import { relative } from "node:path";
import * as vscode from "vscode";

import { callableAt } from "./core/declarations";
import { packageOf, programOf } from "./core/program";
import { Client } from "./vscode/client";
import * as discovery from "./vscode/discovery";
import { Executions, VIEW } from "./vscode/executions";
import { nameOf, Tests } from "./vscode/tests";
import { disk } from "./vscode/workspace";

/** Dafny's own extension. */
const DAFNY = "dafny-lang.ide-vscode";

/** Resources that must be released before the editor ends. */
let ending: (() => Promise<void>) | undefined;

/** Activates the extension. Slow work continues in the background. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("cargo dtest", { log: true });
  const tests = new Tests(log);
  const executions = new Executions(context.extensionUri, log);
  const executionAt = async (file: vscode.Uri, lines: readonly number[]): Promise<void> => {
    const { root } = programOf(file.fsPath, disk);
    for (const line of lines) {
      if (await executions.open(file, { of: "line", at: `${relative(root, file.fsPath)}:${line + 1}` })) break;
    }
  };
  const client = new Client(log, { run: (file, unit) => tests.runUnit(file, unit), executionAt });
  const command = (name: string, act: () => unknown): vscode.Disposable => vscode.commands.registerCommand(name, act);
  context.subscriptions.push(
    log,
    tests,
    executions,
    client,
    vscode.window.registerWebviewViewProvider(VIEW, executions, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor?.document.languageId === "dafny") void executions.follow(editor.document.uri);
    }),
    command("dtest.openExecutions", () => openHere(executions)),
    command("dtest.executionsHere", async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor !== undefined) await executionAt(editor.document.uri, [editor.selection.active.line]);
    }),
    command("dtest.generate", () => generate(tests)),
    command("dtest.refreshTests", () => tests.refresh()),
    command("dtest.restartServer", () => client.restart()),
    command("dtest.showLog", () => {
      log.show();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (["dtest.path", "dtest.cargo", "dtest.environment"].some((name) => change.affectsConfiguration(name))) {
        await client.restart();
        await tests.refresh();
      }
    }),
  );
  ending = () => client.stop();
  Promise.all([client.start(), tests.refresh(), besideDafny(context)]).catch((e: unknown) => {
    log.error(String(e));
  });
}

/** Stops the language server. */
export async function deactivate(): Promise<void> {
  await ending?.();
}

/** Opens the view for the callable at the cursor. */
async function openHere(executions: Executions): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "dafny") {
    void vscode.window.showInformationMessage("Open a Dafny file first.");
    return;
  }
  const unit = callableAt(editor.document.getText(), editor.document.offsetAt(editor.selection.active));
  await executions.open(editor.document.uri, unit === undefined ? undefined : { of: "unit", unit, strategy: "generational", bounds: {} });
}

/** Writes the suite of the current package, or of one that the user chooses. */
async function generate(tests: Tests): Promise<void> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const here = active?.scheme === "file" ? packageOf(active.fsPath, disk) : undefined;
  const root = here ?? (await choosePackage());
  if (root === undefined) return;
  await vscode.workspace.saveAll(false);
  const title = `cargo dtest gen: ${nameOf(root)}`;
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_, token) => tests.generate(root, token));
}

async function choosePackage(): Promise<string | undefined> {
  const roots = await discovery.packages();
  if (roots.length === 0) {
    void vscode.window.showInformationMessage("There is no package with Dafny files here: `cargo init` makes one.");
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(roots.map((root) => ({ label: nameOf(root), root })), { placeHolder: "The package whose tests are written" });
  return chosen?.root;
}

/**
 * Asks once what to do if Dafny's own extension is installed, because errors would be shown twice.
 */
async function besideDafny(context: vscode.ExtensionContext): Promise<void> {
  const asked = "dtest.besideDafny";
  if (vscode.extensions.getExtension(DAFNY) === undefined || context.globalState.get(asked) === true) return;
  const of = vscode.workspace.getConfiguration("dtest").inspect("diagnostics");
  if ((of?.globalValue ?? of?.workspaceValue ?? of?.workspaceFolderValue) !== undefined) return;
  await context.globalState.update(asked, true);
  const only = "Leave Them to It";
  void vscode.window.showInformationMessage("Dafny's own extension reports errors of the program too.", only, "Show Both").then(async (chosen) => {
    if (chosen === only) await vscode.workspace.getConfiguration("dtest").update("diagnostics", "tests-only", vscode.ConfigurationTarget.Global);
  });
}
