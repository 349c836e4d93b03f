import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { exitCodes, Failure } from "../failure.ts";

/**
 * What `millrace login` saves: services by name, each with its token. Only the owner can read the file. It is always replaced as a whole,
 * so that a reader sees either the old or the new one. If two logins run at once, the later one wins.
 */
export interface Config {
  current?: string;
  contexts: Record<string, SavedContext>;
}

export interface SavedContext {
  url: string;
  /** Sent only to `url`. Absent after `millrace logout`. */
  token?: string;
  team?: string;
}

export function configFile(environment: NodeJS.ProcessEnv): string {
  const base = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), ".config");
  return join(base, "millrace", "config.json");
}

/** @throws {Failure} when it can't be read, or wasn't written by this program */
export function readConfig(file: string): Config {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { contexts: {} };
    throw new Failure(exitCodes.failed, `${file} can't be read (${(error as NodeJS.ErrnoException).code})`, "Check its permissions");
  }
  const config = parse(text);
  if (config === undefined) throw new Failure(exitCodes.failed, `${file} is damaged`, "Delete it, and sign in again: millrace login");
  return config;
}

function parse(text: string): Config | undefined {
  try {
    const config = JSON.parse(text) as Config;
    const isWhole = Object.values(config.contexts).every(({ url }) => typeof url === "string");
    return isWhole ? config : undefined;
  } catch {
    return undefined;
  }
}

/** Whether other users of the machine can read the tokens in it. */
export function isOpenToOthers(file: string): boolean {
  if (process.platform === "win32") return false;
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

export function writeConfig(file: string, config: Config): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    chmodSync(dirname(file), 0o700);
    replace(targetOf(file), `${JSON.stringify(config, null, 2)}\n`);
  } catch (error) {
    throw new Failure(
      exitCodes.failed,
      `${file} can't be written (${(error as NodeJS.ErrnoException).code})`,
      "Check the permissions of its folder",
    );
  }
}

/** If the file is a link, e.g. to settings kept elsewhere, the link's target is replaced. */
function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function replace(file: string, text: string): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    // Created with owner-only permissions, so that it is never readable by others. An existing file is never written to.
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
