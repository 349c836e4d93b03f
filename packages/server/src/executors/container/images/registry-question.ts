import type { Readable } from "node:stream";
import { linesOf } from "../engine/bounded-answers.ts";
import { EngineRefusal, toEngineError } from "../engine/engine-error.ts";

export interface RegistryAuth {
  username?: string;
  password?: string;
  identitytoken?: string;
  serveraddress: string;
}

/** What a registry is asked through the engine. */
export interface RegistryQuestion {
  /** Of the image, with its registry. */
  name: string;
  /** A tag or a digest. */
  version: string;
  /** Undefined: as nobody in particular. */
  auth: RegistryAuth | undefined;
  /** How long the registry may be silent, in ms. */
  patienceMs: number;
  signal: AbortSignal;
}

/**
 * Engines ask a registry for as long as it keeps the connection, or give it half a minute for each of their questions. Here it has to say
 * something in time; what it gives out after that may take as long as it takes.
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
 * Reads the report of a pull or an import to its end; what went wrong is one of its lines, since the answer had begun by then.
 *
 * @param heard is called for each line that is a report
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
