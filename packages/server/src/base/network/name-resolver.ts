import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { type AskSystem, askSystem } from "./system-names.ts";

/** Every address of a name. Fails as the system does, with a code such as ENOTFOUND. @param signal nobody waits for them any more */
export type ResolveName = (name: string, signal?: AbortSignal) => Promise<string[]>;

/**
 * Names that strangers choose: those of one attempt's steps, or the one in a webhook's address. A hostile author asks for many, of a
 * zone whose server never answers, or answers only at first. So names of the DNS are asked for over sockets, and the system only for
 * what it alone knows: names of this machine's files, names without a dot, odd spellings of addresses, and what the DNS does not have.
 * Of these one is under way at a time for each resolver, and no resolver waits for another.
 */
export interface NameResolver {
  /** @throws with a code of the system: ENOTFOUND, ETIMEOUT … */
  resolve: ResolveName;
  /** Ends what is under way. */
  end(): void;
}

export interface NameResolverSettings {
  system?: AskSystem;
  /** Name servers (`127.0.0.1:5353`) in place of the system's. */
  servers?: readonly string[] | undefined;
}

const atOnce = 8;
const deadlineMs = 10_000;

/** Asks one after the other, in the order in which they come. */
class Line {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(act);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

export function createNameResolver({ system = askSystem, servers }: NameResolverSettings): NameResolver {
  const ending = new AbortController();
  const own = new Line();
  const waiting = new Set<() => void>();
  let free = atOnce;

  const take = async (name: string, signal: AbortSignal): Promise<void> => {
    if (free > 0) return void free--;
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(turn);
        reject(late(name));
      };
      const turn = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      waiting.add(turn);
      signal.addEventListener("abort", leave, { once: true });
    });
  };
  const give = (): void => {
    const [next] = waiting;
    if (next === undefined) return void free++;
    waiting.delete(next);
    next();
  };
  const inTurn = (name: string, signal: AbortSignal): Promise<string[]> =>
    own.run(async () => {
      signal.throwIfAborted();
      return system(name, signal);
    });
  const ask = async (name: string, signal: AbortSignal): Promise<string[]> => {
    if (isForSystem(name) || (await isInHosts(name))) return inTurn(name, signal);
    try {
      return await askServers(name, servers, signal);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (signal.aborted || code === "ETIMEOUT" || code === "ECANCELLED") throw error;
      return inTurn(name, signal);
    }
  };
  return {
    async resolve(name, leaving) {
      const isOver = leaving === undefined ? ending.signal : AbortSignal.any([ending.signal, leaving]);
      if (isOver.aborted) throw late(name);
      await take(name, isOver);
      const signal = AbortSignal.any([isOver, AbortSignal.timeout(deadlineMs)]);
      const givenUp = new Promise<never>((_, reject) => {
        const giveUp = (): void => reject(late(name));
        if (signal.aborted) giveUp();
        else signal.addEventListener("abort", giveUp, { once: true });
      });
      try {
        return await Promise.race([ask(name, signal), givenUp]);
      } finally {
        give();
      }
    },
    end: () => ending.abort(),
  };
}

/** One name by a resolver of its own: a name that nobody answers for holds up no other, and occupies no thread of this process. */
export async function resolveAlone(name: string, signal?: AbortSignal, servers?: readonly string[]): Promise<string[]> {
  const names = createNameResolver({ servers });
  try {
    return await names.resolve(name, signal);
  } finally {
    names.end();
  }
}

function late(name: string): Error {
  return Object.assign(new Error(`no answer for the name ${name} in time`), { code: "ETIMEOUT" });
}

/** Without a dot, or with a number at its end, which is a spelling of an address. */
function isForSystem(name: string): boolean {
  const labels = name.replace(/\.$/, "").split(".");
  return labels.length < 2 || /^(?:\d+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? "");
}

async function isInHosts(name: string): Promise<boolean> {
  const text = await readFile("/etc/hosts", "utf8").catch(() => "");
  const wanted = name.toLowerCase().replace(/\.$/, "");
  return text.split("\n").some((line) => line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/).slice(1).includes(wanted));
}

/** A resolver of its own for each name: it is cancelled with all that it has asked. */
async function askServers(name: string, servers: readonly string[] | undefined, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_500, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length === 0) throw v4.status === "rejected" ? v4.reason : Object.assign(new Error(), { code: "ENOTFOUND" });
    return found;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
