import { join } from "node:path";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, writeFixed } from "../folders/attempt-folder.ts";
import type { EgressProxy } from "../networks/egress-proxy.ts";
import { egressVariable, proxyVariables } from "../networks/proxy-environment.ts";
import type { View } from "../steps/view.ts";
import type { Level } from "./level.ts";

/** The way out of one attempt with the network `outbound`. */
export interface StepEgress {
  /** For its steps, which may set others. */
  variables: [name: string, value: string][];
  /** The command of a step, with what has to be there before it begins. */
  wrap(argv: readonly string[]): string[];
  close(): void;
}

export interface EgressParts {
  proxy: EgressProxy;
  level: Pick<Level, "hasOwnNetwork">;
  job: Pick<Job, "network">;
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
export async function openStepEgress({ proxy, level, job, attempt, view, say }: EgressParts): Promise<StepEgress | undefined> {
  if (job.network !== "outbound") return undefined;
  if (!level.hasOwnNetwork) {
    // Nothing keeps its steps from the machine's network; our own programs go by the rule all the same.
    const listener = await proxy.listen("loopback", say);
    const variables: StepEgress["variables"] = [[egressVariable, `http://127.0.0.1:${listener.port}`]];
    return { variables, wrap: (argv) => [...argv], close: () => listener.close() };
  }
  const listener = await proxy.listen({ path: join(attempt.fixed, "steps", socketName) }, say);
  await writeFixed(attempt, "steps", programName, forwarder);
  const [socket, program] = [`${view.steps}/${socketName}`, `${view.steps}/${programName}`];
  const node = view.node ?? "node";
  return {
    variables: [...proxyVariables(`http://127.0.0.1:${innerPort}`), [egressVariable, socket]],
    wrap: (argv) => ["/bin/sh", "-c", startScript, "egress", node, program, String(innerPort), socket, ...argv],
    close: () => listener.close(),
  };
}

/**
 * Starts the forwarder beside the step, with its rights and in its network, and goes on as the step when it listens: then its standard output
 * is closed. It only carries bytes to the socket; what may be reached is decided at the other end of that.
 */
const startScript = `
ready=$(UV_THREADPOOL_SIZE=1 "$1" --max-old-space-size=64 --v8-pool-size=0 "$2" "$3" "$4" </dev/null 2>&1 &)
[ -z "$ready" ] || echo "there is no HTTP_PROXY for this step: $ready" >&2
shift 4
exec "$@"
`;

/** It outlives a TERM, as the step may, and ends with the process space. */
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
