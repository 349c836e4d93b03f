import { join } from "node:path";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, writeFixed } from "../folders/attempt-folder.ts";
import type { EgressProxy } from "../networks/egress-proxy.ts";
import { shellProgram } from "../programs/shell-program.ts";
import type { View } from "../steps/view.ts";
import type { Level } from "./isolation/level.ts";

/** The way out of one attempt with the network `outbound`. */
export interface StepEgress {
  /** For its steps, which may set others. */
  variables: [name: string, value: string][];
  /** A process of ours is beside the step. */
  hasForwarder: boolean;
  /** The command of a step, with what has to be there before it begins. */
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
  /** Takes a line for the log of the attempt. */
  say(line: string): void;
}

const socketName = "egress.sock";
const programName = "egress.mjs";
/** Of the step's own network, where nothing else listens when it begins. */
const innerPort = 47_128;

/** Undefined: its steps have no way out, or need none. */
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

/** Where the network is the machine's: a filter lets the user of the steps to the proxy alone, or to everything. */
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
  // Without a filter nothing keeps its steps from the machine's network; programs of ours go by the rule all the same.
  return {
    hasForwarder: false,
    variables: [...(filter ? proxyVariables(url) : []), [egressVariable, url]],
    wrap,
    descriptions: none,
    close,
  };
}

/** TCP carries no descriptors. */
function none(): string[] {
  return [];
}

const startScript = shellProgram("start-egress");

/**
 * Only carries bytes to the socket; what may be reached is decided at the other end of that. It outlives a TERM, as the step may,
 * and ends with the process space.
 */
const forwarder = `import { closeSync, openSync } from "node:fs";
import { connect, createServer } from "node:net";
const [port, path] = process.argv.slice(2);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGPIPE"]) process.on(signal, () => {});
const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path, allowHalfOpen: true });
  for (const [one, other] of [[client, proxy], [proxy, client]]) {
    one.on("error", () => other.destroy()).on("close", () => other.destroy());
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
 * The variables by which programs find the proxy: in both spellings, since half of them read only one. Servers of the step itself
 * are reached without it.
 */
function proxyVariables(url: string): [name: string, value: string][] {
  const own = "localhost,127.0.0.1,::1";
  const pairs = Object.entries({ http_proxy: url, https_proxy: url, all_proxy: url, no_proxy: own });
  // Node reads them from version 24 on, when this is set.
  return [
    ...pairs.flatMap(([name, value]) => [name, name.toUpperCase()].map((each): [string, string] => [each, value])),
    ["NODE_USE_ENV_PROXY", "1"],
  ];
}

/** Where the programs of ours find the proxy: a socket file, or `http://HOST:PORT`. */
const egressVariable = "MILLRACE_EGRESS";
