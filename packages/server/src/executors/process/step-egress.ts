import { join } from "node:path";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, writeFixed } from "../folders/attempt-folder.ts";
import type { EgressProxy } from "../networks/egress-proxy.ts";
import { shellProgram } from "../programs/shell-program.ts";
import type { View } from "../steps/view.ts";
import type { Level } from "./isolation/level.ts";

/** The outbound access of one attempt with the network `outbound`. */
export interface StepEgress {
  /** Defaults for its steps, which may set their own. */
  variables: [name: string, value: string][];
  /** Whether a process of ours runs beside the step. */
  hasForwarder: boolean;
  /** The command of a step, preceded by what has to run before it. */
  wrap(argv: readonly string[]): string[];
  /** Where the kernel describes our ends of sockets that it has connected to. */
  descriptions(): string[];
  close(): Promise<void>;
}

interface EgressParts {
  proxy: EgressProxy;
  level: Pick<Level, "hasOwnNetwork" | "filter">;
  job: Pick<Job, "network" | "teamId">;
  attempt: Attempt;
  view: View;
  /** Receives a line for the log of the attempt. */
  say(line: string): void;
}

const socketName = "egress.sock";
const programName = "egress.mjs";
/** A port in the step's own network, where nothing else listens at the start. */
const innerPort = 47_128;

/** @returns undefined if its steps have no outbound access, or need no proxy; `needsEgress` (attempt-stage.ts) knows most of them before */
export async function openStepEgress(parts: EgressParts): Promise<StepEgress | undefined> {
  const { proxy, level, job, attempt, view, say } = parts;
  if (!level.hasOwnNetwork) return openShared(parts);
  if (job.network !== "outbound") return undefined;
  const listener = await proxy.listen({ path: join(attempt.fixed, "steps", socketName) }, job.teamId, say);
  await writeFixed(attempt, "steps", programName, forwarder).catch((error: unknown) => {
    listener.close();
    throw error;
  });
  const [socket, program] = [`${view.steps}/${socketName}`, `${view.steps}/${programName}`];
  const node = view.node ?? "node";
  return {
    hasForwarder: true,
    variables: [...proxyVariables(`http://127.0.0.1:${innerPort}`), [egressVariable, socket]],
    wrap: (argv) => ["/bin/sh", "-c", startScript, "egress", node, program, String(innerPort), socket, ...argv],
    descriptions: () => listener.descriptions(),
    close: async () => listener.close(),
  };
}

/** With the machine's network: a filter lets the user of the steps reach only the proxy, or everything. */
async function openShared({ proxy, level: { filter }, job, attempt: { identity }, say }: EgressParts): Promise<StepEgress | undefined> {
  const wrap = (argv: readonly string[]): string[] => [...argv];
  if (job.network !== "outbound") {
    if (filter === undefined || identity === undefined) return undefined;
    const state = job.network === "host" ? "open" : "closed";
    await (state === "open" ? filter.open(identity) : filter.close(identity));
    return { hasForwarder: false, variables: [], wrap, descriptions: none, close: () => filter.release(identity, state) };
  }
  const listener = await proxy.listen("loopback", job.teamId, say);
  const url = `http://127.0.0.1:${listener.port}`;
  const close = async (): Promise<void> => {
    listener.close();
    if (filter && identity) await filter.release(identity, "closed", listener.port);
  };
  try {
    if (filter && identity) await filter.close(identity, listener.port);
  } catch (error) {
    listener.close();
    throw error;
  }
  // Without a filter nothing blocks the machine's network for its steps; our own programs follow the rule all the same.
  return {
    hasForwarder: false,
    variables: [...(filter ? proxyVariables(url) : []), [egressVariable, url]],
    wrap,
    descriptions: none,
    close,
  };
}

/** TCP can't transfer descriptors. */
function none(): string[] {
  return [];
}

const startScript = shellProgram("start-egress");

/**
 * Only forwards bytes to the socket; the other end of the socket decides what may be reached. It survives a TERM, as the step may, and ends
 * with the process namespace.
 */
const forwarder = `import { closeSync, openSync } from "node:fs";
import { connect, createServer } from "node:net";
const [port, path] = process.argv.slice(2);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGPIPE"]) process.on(signal, () => {});
const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path, allowHalfOpen: true });
  for (const [one, other] of [[client, proxy], [proxy, client]]) {
    one.on("error", () => other.destroy());
    one.on("close", () => (one.readableEnded ? other.end(() => other.destroy()) : other.destroy()));
    one.pipe(other);
  }
});
server.on("error", (error) => {
  console.log(error.message);
  process.exit(1);
});
server.listen(Number(port), "127.0.0.1", () => {
  closeSync(1);
  closeSync(2);
  openSync("/dev/null", "w");
  openSync("/dev/null", "w");
});
`;

/**
 * The variables with which programs find the proxy: in both spellings, since half of the programs read only one. Servers of the step itself
 * are reached without the proxy.
 */
function proxyVariables(url: string): [name: string, value: string][] {
  const own = "localhost,127.0.0.1,::1";
  const pairs = Object.entries({ http_proxy: url, https_proxy: url, all_proxy: url, no_proxy: own });
  // Node reads them from version 24 on, if this is set.
  return [
    ...pairs.flatMap(([name, value]) => [name, name.toUpperCase()].map((each): [string, string] => [each, value])),
    ["NODE_USE_ENV_PROXY", "1"],
  ];
}

/** The address of the proxy for our own programs: a socket file, or `http://HOST:PORT`. */
const egressVariable = "MILLRACE_EGRESS";
