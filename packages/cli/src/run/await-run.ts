import type { Schemas } from "@millrace/client/client.ts";
import { isFinal } from "@millrace/contract/status.ts";
import type { Connection } from "../connection/connect.ts";
import { formatDuration } from "../output/format-time.ts";
import { plainLine } from "../output/plain-text.ts";
import { type Format, printOne } from "../output/print.ts";
import { paintStatus, write } from "../output/terminal.ts";
import { LineWriter } from "./line-writer.ts";
import { exitCodeOfRun } from "./outcome.ts";
import { printedRuns } from "./run-columns.ts";
import { RunShower } from "./show-run.ts";
import { watchRun } from "./watch-run.ts";

type Run = Schemas["WorkflowRun"];

export interface AwaitOptions {
  output: Format;
  /** Prints a line for each change of a task, and the logs. Otherwise nothing is printed until the run has ended. */
  watch: boolean;
  /** Milliseconds; undefined: no limit. */
  timeoutMs?: number;
}

/** Waits for the end of a run, prints the result, and sets the exit code by its outcome. A signal ends the waiting, not the run. */
export async function awaitRun(connection: Connection, runId: string, { output, watch, timeoutMs }: AwaitOptions): Promise<void> {
  const { client } = connection;
  const team = await connection.team();
  const abort = new AbortController();
  const signals = endOnSignal(abort, runId);
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => abort.abort(), timeoutMs);
  // Progress lines are for people; where programs read the result, they go to standard error.
  const writer = await LineWriter.open(output === "table" ? process.stdout : process.stderr);
  const shower = new RunShower({ client, writer, hasStatuses: true, signal: abort.signal });
  try {
    const run = await watchRun({ client, team, runId, show: watch ? shower.show : () => {}, signal: abort.signal });
    await shower.finish();
    if (signals.received !== undefined) return;
    await printEnd(run, output);
    process.exitCode = exitCodeOfRun(run.status);
    if (!isFinal(run.status)) process.stderr.write(`millrace: Run ${runId} is still open. Go on with: millrace run watch ${runId}\n`);
  } finally {
    clearTimeout(timer);
    signals.forget();
  }
}

async function printEnd(run: Run, output: Format): Promise<void> {
  if (output !== "table") return printOne(output, run, printedRuns);
  const message = run.statusMessage ? `: ${plainLine(run.statusMessage)}` : "";
  const took = isFinal(run.status) ? ` after ${formatDuration(run.duration)}` : "";
  write(`Run ${plainLine(run.id)} ${paintStatus(run.status)}${took}${message}`);
}

interface Signals {
  received: NodeJS.Signals | undefined;
  forget(): void;
}

/** The exit code is then that of the signal, as in a shell. */
export function endOnSignal(abort: AbortController, runId: string): Signals {
  const numbers = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
  const names = Object.keys(numbers) as (keyof typeof numbers)[];
  const signals: Signals = { received: undefined, forget: () => names.forEach((name) => void process.off(name, end)) };
  const end = (name: keyof typeof numbers) => {
    // A second signal ends the process at once, whatever it is still waiting for.
    if (signals.received !== undefined) process.exit(128 + numbers[name]);
    signals.received = name;
    process.exitCode = 128 + numbers[name];
    const more = `Go on watching: millrace run watch ${runId}\nCancel it:      millrace run cancel ${runId}\n`;
    process.stderr.write(`\nmillrace: Run ${runId} continues.\n${more}`);
    abort.abort();
  };
  for (const name of names) process.on(name, end);
  return signals;
}
