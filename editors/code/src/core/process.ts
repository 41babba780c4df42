/**
 * Running of programs: streams their lines, waits for their end, and leaves no child behind after a
 * stop.
 */

import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

/** The program to run. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables added to the environment of the editor. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A signal that requests a stop. */
export interface Stop {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The end of a program. */
export type Ended = { readonly how: "exited"; readonly code: number } | { readonly how: "stopped" } | { readonly how: "not-started"; readonly why: string };

/** Runs a command to its end. Lines are passed without their line breaks. */
export type Run = (command: Command, on: Listeners, stop?: Stop) => Promise<Ended>;

/** A receiver of a program's output. */
export interface Listeners {
  readonly out?: (line: string) => void;
  readonly err?: (line: string) => void;
}

/** Time in milliseconds between asking a program to end and killing it. */
const PATIENCE = 3_000;

/** Runs a program in its own process group, so that a stop reaches its children. */
export const run: Run = (command, on, stop) =>
  new Promise((resolve) => {
    if (stop?.aborted === true) {
      resolve({ how: "stopped" });
      return;
    }
    const isWindows = process.platform === "win32";
    const child = spawn(command.program, command.args, {
      cwd: command.cwd,
      env: { ...process.env, ...command.environment },
      stdio: ["ignore", "pipe", "pipe"],
      detached: !isWindows,
      windowsHide: true,
    });
    let isStopped = false;
    let killer: NodeJS.Timeout | undefined;
    const end = (): void => {
      isStopped = true;
      signal(child.pid, "SIGTERM");
      killer = setTimeout(() => {
        signal(child.pid, "SIGKILL");
      }, PATIENCE);
    };
    const finish = (ended: Ended): void => {
      clearTimeout(killer);
      stop?.removeEventListener("abort", end);
      out.end();
      err.end();
      resolve(isStopped ? { how: "stopped" } : ended);
    };
    const [out, err] = [lines(on.out), lines(on.err)];
    child.stdout.on("data", out.write);
    child.stderr.on("data", err.write);
    stop?.addEventListener("abort", end);
    child.on("error", (e) => {
      finish({ how: "not-started", why: e.message });
    });
    child.on("close", (code, by) => {
      finish({ how: "exited", code: code ?? (by === null ? 0 : 128) });
    });
  });

/** Sends a signal to a process and its children. */
function signal(pid: number | undefined, name: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") {
      spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
    } else {
      process.kill(-pid, name);
    }
  } catch {
    // The process has ended already.
  }
}

/**
 * Splits a stream into lines with any line breaks; multi-byte characters may be divided between
 * chunks.
 */
export function lines(each: ((line: string) => void) | undefined): { readonly write: (chunk: Buffer) => void; readonly end: () => void } {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return {
    write(chunk) {
      if (each === undefined) return;
      const parts = (rest + decoder.write(chunk)).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) each(part.endsWith("\r") ? part.slice(0, -1) : part);
    },
    end() {
      rest += decoder.end();
      if (rest !== "") each?.(rest);
      rest = "";
    },
  };
}
