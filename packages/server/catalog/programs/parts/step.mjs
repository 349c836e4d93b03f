import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What every bundled program shares: parameters come as one file each in `$PARAMS_PATH`, results go as one file each to
 * `$RESULTS_PATH`. The files, not the environment, because an environment variable ends at 128 KiB and holds no NUL.
 */

/** The largest text a result may hold, in bytes; the engine refuses more. */
export const resultLimitBytes = 1024 * 1024;

/** A failure that the person who wrote the workflow can fix: printed as it is, without a stack. */
export class StepError extends Error {}

/** @param {string} name @returns {string} where the file of a parameter lies, whether it is there or not */
export function paramPath(name) {
  return join(process.env.PARAMS_PATH ?? ".", name);
}

/** @param {string} name @returns {Buffer} the bytes of a parameter as they were given; empty when it was not given */
export function paramBytes(name) {
  const path = paramPath(name);
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

/** @param {string} name @returns {string} the text of a parameter; empty when it was not given */
export function paramText(name) {
  return paramBytes(name).toString("utf8");
}

/** @param {string} name @returns {boolean} */
export function paramFlag(name) {
  const text = paramText(name).trim().toLowerCase();
  if (text === "" || text === "false") return false;
  if (text === "true") return true;
  throw new StepError(`parameter ${name} is ${quote(text)}; it must be true or false`);
}

/**
 * @param {string} name
 * @param {{ fallback: number, min: number, max: number }} rule
 * @returns {number} the number of a parameter, or the fallback when it is empty
 */
export function paramNumber(name, { fallback, min, max }) {
  const text = paramText(name).trim();
  if (text === "") return fallback;
  const value = Number(text);
  if (Number.isFinite(value) && value >= min && value <= max) return value;
  throw new StepError(`parameter ${name} is ${quote(text)}; it must be a number from ${min} to ${max}`);
}

/** @param {string} name @param {string | Buffer} value */
export function writeResult(name, value) {
  const folder = process.env.RESULTS_PATH ?? ".";
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), value);
}

/** @param {string} text @returns {string} the text in quotes, cut when long: for messages */
export function quote(text) {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/**
 * Runs a program to its exit code: what `main` returns, 1 after a StepError, whose message is the last line of output.
 * @param {() => Promise<number> | number} main
 */
export async function runStep(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
