import { Writable } from "node:stream";
import type { Cluster } from "../cluster.ts";
import { collectorName } from "./container-parts.ts";
import { stopScript } from "./pod-scripts.ts";

/** A program that runs in the collector of a pod. */
export interface PodExec {
  /** Resolves when the connection has ended, for whatever reason; never rejects. The text: what the program wrote to standard error. */
  readonly ended: Promise<string>;
  close(): void;
}

interface Connection {
  onclose: unknown;
  onerror: unknown;
  close(): void;
  terminate?(): void;
  /** Available for connections made in Node; it makes the other side wait. */
  pause?(): void;
  resume?(): void;
}

const maxErrorText = 2_000;

/**
 * Runs a program and passes on its output, piece by piece. The next piece is read only after the promise that was returned for the last one
 * has resolved, so nothing is buffered here, and the other side waits.
 * @throws Error if there is no connection: no pod, no container, no right
 */
export async function execInCollector(
  { library, streaming, namespace }: Cluster,
  pod: string,
  command: string[],
  onOutput: (chunk: Buffer) => Promise<void> | undefined,
): Promise<PodExec> {
  let errors = "";
  let connection: Connection | undefined;
  const output = sink((chunk) => {
    const room = onOutput(chunk);
    if (room === undefined) return;
    connection?.pause?.();
    void room.then(() => connection?.resume?.());
  });
  const errorOutput = sink((chunk) => {
    errors = (errors + chunk.toString("utf8")).slice(-maxErrorText);
  });
  const exec = new library.Exec(streaming);
  connection = (await exec
    .exec(namespace, pod, collectorName, command, output, errorOutput, null, false)
    .catch((error: unknown) =>
      Promise.reject(new Error(String((error as { message?: unknown }).message ?? error))),
    )) as unknown as Connection;
  const open = connection;
  return { ended: connectionEnd(open, output, () => errors), close: () => close(open) };
}

function sink(onChunk: (chunk: Buffer) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        onChunk(chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

function connectionEnd(connection: Connection, output: Writable, errors: () => string): Promise<string> {
  return new Promise((resolve) => {
    connection.onclose = () => resolve(errors());
    connection.onerror = () => undefined;
    output.on("error", () => close(connection));
  });
}

function close(connection: Connection): void {
  if (connection.terminate) connection.terminate();
  else connection.close();
}

const pauseMs = 500;

/** Asks the collector of a pod to stop; again if the grace period is shortened, or if the request did not arrive. */
export class StopRequest {
  readonly #cluster: Cluster;
  readonly #onChange: () => void;
  #sentGraceMs = Number.POSITIVE_INFINITY;
  #isBusy = false;
  #nextTryAt = 0;

  constructor(cluster: Cluster, onChange: () => void) {
    this.#cluster = cluster;
    this.#onChange = onChange;
  }

  /** Not awaited. */
  send(pod: string, graceMs: number): void {
    if (this.#isBusy || graceMs >= this.#sentGraceMs || performance.now() < this.#nextTryAt) return;
    this.#isBusy = true;
    void this.#tell(pod, graceMs).finally(() => {
      this.#isBusy = false;
      this.#onChange();
    });
  }

  async #tell(pod: string, graceMs: number): Promise<void> {
    try {
      const exec = await execInCollector(this.#cluster, pod, ["sh", "-c", stopScript, "stop", String(graceMs / 1000)], () => undefined);
      await exec.ended;
      this.#sentGraceMs = graceMs;
    } catch {
      this.#nextTryAt = performance.now() + pauseMs;
    }
  }
}
