import { Writable } from "node:stream";
import type { Cluster } from "./cluster.ts";
import { collectorName } from "./pod-spec.ts";

/** A program that runs in the collector of a pod. */
export interface PodExec {
  /** Resolves when the connection is over, whatever ended it; never rejects. The text: what the program wrote to standard error. */
  readonly ended: Promise<string>;
  close(): void;
}

interface Connection {
  onclose: unknown;
  onerror: unknown;
  close(): void;
  terminate?(): void;
}

const maxErrorText = 2_000;

/**
 * Runs a program and hands over what it writes, piece by piece: while one is looked at no other is read, so nothing piles up here, and the
 * other side waits.
 * @throws Error when there is no connection: no pod, no container, no right
 */
export async function execInCollector(
  { library, streaming, namespace }: Cluster,
  pod: string,
  command: string[],
  onOutput: (chunk: Buffer) => void,
): Promise<PodExec> {
  let errors = "";
  const output = sink(onOutput);
  const errorOutput = sink((chunk) => {
    errors = (errors + chunk.toString("utf8")).slice(-maxErrorText);
  });
  const exec = new library.Exec(streaming);
  const connection = await exec
    .exec(namespace, pod, collectorName, command, output, errorOutput, null, false)
    .catch((error: unknown) => Promise.reject(new Error(String((error as { message?: unknown }).message ?? error))));
  return {
    ended: connectionEnd(connection as unknown as Connection, output, () => errors),
    close: () => close(connection as unknown as Connection),
  };
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
