/** Debugging of tests with the installed debugger for Rust. */

import * as vscode from "vscode";

/** The program to debug. */
export interface Debuggee {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Debuggers for Rust: the extension that provides each, and its configuration. */
const DEBUGGERS: readonly { readonly extension: string; readonly configuration: (of: Debuggee) => vscode.DebugConfiguration }[] = [
  {
    extension: "vadimcn.vscode-lldb",
    configuration: (of) => ({ ...common(of), type: "lldb", env: of.environment, sourceLanguages: ["rust"], terminal: "console" }),
  },
  {
    extension: "llvm-vs-code-extensions.lldb-dap",
    configuration: (of) => ({ ...common(of), type: "lldb-dap", env: of.environment }),
  },
  {
    extension: "ms-vscode.cpptools",
    configuration: (of) => ({
      ...common(of),
      type: process.platform === "win32" ? "cppvsdbg" : "cppdbg",
      ...(process.platform === "win32" ? {} : { MIMode: process.platform === "darwin" ? "lldb" : "gdb" }),
      environment: Object.entries(of.environment).map(([name, value]) => ({ name, value })),
    }),
  },
];

function common(of: Debuggee): vscode.DebugConfiguration {
  return { name: "cargo dtest", type: "", request: "launch", program: of.program, args: [...of.args], cwd: of.cwd };
}

/**
 * Debugs a program and waits for its end; `print` receives its output. Returns the reason if it
 * cannot.
 */
export async function debug(of: Debuggee, folder: vscode.WorkspaceFolder | undefined, print: (text: string) => void, token: vscode.CancellationToken): Promise<string | undefined> {
  const known = DEBUGGERS.find(({ extension }) => vscode.extensions.getExtension(extension) !== undefined);
  if (known === undefined) return "No debugger for Rust is installed: install the extension CodeLLDB (vadimcn.vscode-lldb).";
  const configuration = known.configuration(of);
  const mark = `${Date.now()}-${Math.random()}`;
  const tracker = vscode.debug.registerDebugAdapterTrackerFactory(configuration.type, {
    createDebugAdapterTracker: (session) => (session.configuration["dtest"] === mark ? { onDidSendMessage: (message: unknown) => { print(outputOf(message)); } } : undefined),
  });
  const subscriptions: vscode.Disposable[] = [tracker];
  try {
    const ended = new Promise<void>((resolve) => {
      subscriptions.push(
        vscode.debug.onDidStartDebugSession((session) => {
          if (session.configuration["dtest"] === mark) subscriptions.push(token.onCancellationRequested(() => void vscode.debug.stopDebugging(session)));
        }),
        vscode.debug.onDidTerminateDebugSession((session) => {
          if (session.configuration["dtest"] === mark) resolve();
        }),
      );
    });
    if (!(await vscode.debug.startDebugging(folder, { ...configuration, dtest: mark }))) return "The debugger did not start.";
    await ended;
    return undefined;
  } finally {
    for (const subscription of subscriptions) subscription.dispose();
  }
}

/** Returns the output of the program in a message of the debug adapter protocol. */
function outputOf(message: unknown): string {
  const of = message as { type?: unknown; event?: unknown; body?: { category?: unknown; output?: unknown } };
  const isOutput = of.type === "event" && of.event === "output" && of.body?.category !== "telemetry";
  return isOutput && typeof of.body?.output === "string" ? of.body.output : "";
}
