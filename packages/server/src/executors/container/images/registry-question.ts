import type { Readable } from "node:stream";
import { linesOf } from "../engine/bounded-answers.ts";
import { EngineRefusal, toEngineError } from "../engine/engine-error.ts";

export interface RegistryAuth {
  username?: string;
  password?: string;
  identitytoken?: string;
  serveraddress: string;
}

/** A request to a registry, sent through the engine. */
export interface RegistryQuestion {
  /** Name of the image, with its registry. */
  name: string;
  /** A tag or a digest. */
  version: string;
  /** Undefined: anonymous. */
  auth: RegistryAuth | undefined;
  /** How long the registry may be silent, in ms. */
  patienceMs: number;
  signal: AbortSignal;
}

/**
 * Engines wait for a registry as long as it keeps the connection, or half a minute for each of their requests. Here, it has to respond in
 * time; what it sends after that may take any time.
 */
export async function untilFirstWord(
  { signal, patienceMs }: RegistryQuestion,
  act: (signal: AbortSignal, heard: () => void) => Promise<void>,
): Promise<void> {
  const silence = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new EngineRefusal(0, `the registry did not answer within ${patienceMs / 1000} s`));
      silence.abort();
    }, patienceMs);
  });
  try {
    await Promise.race([act(AbortSignal.any([signal, silence.signal]), () => clearTimeout(timer)), silent]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads the progress of a pull or an import to its end. A failure is one of its lines, since the response had already started.
 *
 * @param heard is called for each line of progress
 */
export async function readProgress(answer: Readable, heard?: () => void): Promise<void> {
  try {
    for await (const line of linesOf(answer)) {
      heard?.();
      if (!line.includes('"error"')) continue;
      const { error } = JSON.parse(line) as { error?: string };
      if (error) throw new EngineRefusal(0, error);
    }
  } catch (error) {
    throw toEngineError(error);
  } finally {
    answer.destroy();
  }
}
