import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { type AskSystem, askSystem } from "./system-names.ts";

/** Every address of a name. Fails like the system does, with a code such as ENOTFOUND. @param signal aborts the query */
export type ResolveName = (name: string, signal?: AbortSignal) => Promise<string[]>;

/**
 * Resolves names that strangers choose: those of one attempt's steps, or the one in a webhook's address. A hostile author requests many, in
 * a zone whose server never responds, or responds only at first. So DNS names are queried over sockets, and the system is used only for
 * what it alone knows: names in this machine's files, names without a dot, odd spellings of addresses, and names that the DNS does not
 * have. Of these only one is in progress at a time for each resolver, and resolvers don't wait for each other.
 */
export interface NameResolver {
  /** @throws with a code of the system: ENOTFOUND, ETIMEOUT … */
  resolve: ResolveName;
  /** Aborts queries in progress. */
  end(): void;
}

export interface NameResolverSettings {
  system?: AskSystem;
  /** Name servers (`127.0.0.1:5353`) that replace the system's. */
  servers?: readonly string[] | undefined;
}

const atOnce = 8;
const deadlineMs = 10_000;

/** Runs one query after the other, in order. */
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

/** Each name has a resolver of its own: a name without a response delays no other one, and occupies no thread of this process. */
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

/** A resolver of its own for each name, so that cancelling it cancels only its own queries. */
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
