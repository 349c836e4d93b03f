import { execFile } from "node:child_process";
import { lookup } from "node:dns/promises";
import { systemPath } from "../process/system-path.ts";

/** Resolves a name like the system does, until the signal aborts it. Fails with a code such as ENOTFOUND. */
export type AskSystem = (name: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Uses a program of the system (`getent`), which can be killed. A look-up inside this process can't be cancelled: it occupies one of the
 * few threads that all names of the service need, for as long as name servers don't respond.
 */
export const askSystem: AskSystem = async (name, signal) => {
  // No name begins with it, and it would be taken as an option.
  if (name.startsWith("-")) throw failure("ENOTFOUND", name);
  const { code, stdout } = await runGetent(name, signal);
  if (code === "ENOENT") return oneAtATime(() => (signal.aborted ? Promise.reject(failure("ETIMEOUT", name)) : lookupAll(name)));
  // Exit code 2 means that the key was not found.
  if (code === 2) throw failure("ENOTFOUND", name);
  if (code !== 0) throw failure(typeof code === "string" ? code : "EAI_AGAIN", name);
  return [...new Set(stdout.split("\n").flatMap((line) => /^[0-9a-fA-F.:]+(?=\s)/.exec(line)?.[0] ?? []))];
};

/** Every address of a name, from inside this process. For names in settings of the service, not for those that strangers choose. */
export async function lookupAll(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

function runGetent(name: string, signal: AbortSignal): Promise<{ code: number | string; stdout: string }> {
  return new Promise((resolve) => {
    const options = { signal, killSignal: "SIGKILL" as const, env: { PATH: systemPath, LC_ALL: "C" }, cwd: "/" };
    execFile("getent", ["ahosts", name], options, (error, stdout) => resolve({ code: error?.code ?? (error ? "ETIMEOUT" : 0), stdout }));
  });
}

let last: Promise<unknown> = Promise.resolve();

/** Without that program, one look-up is in progress at a time, so that most threads stay free. */
function oneAtATime<T>(act: () => Promise<T>): Promise<T> {
  const mine = last.then(act);
  last = mine.catch(() => undefined);
  return mine;
}

function failure(code: string, name: string): Error {
  return Object.assign(new Error(`the system does not resolve the name ${name} (${code})`), { code });
}
