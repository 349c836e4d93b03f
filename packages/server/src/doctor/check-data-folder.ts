import { accessSync, constants, existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { faultOf } from "../base/error/start-error.ts";
import type { Check } from "./check.ts";

/** A new database takes 60 MB, and PostgreSQL stops when it can't write: before that, history has to be removed. */
const leastBytes = 200e6;
const comfortableBytes = 2e9;

/** Whether the data folder can be used or made, and how much its disk has left. Nothing is written. */
export async function checkDataFolder(dataDir: string): Promise<Check[]> {
  const folder = nearestExisting(dataDir);
  return [checkAccess(dataDir, folder), await checkSpace(folder)];
}

function checkAccess(dataDir: string, folder: string): Check {
  const name = "data folder";
  if (!statSync(folder).isDirectory())
    return {
      name,
      status: "problem",
      message: `${folder} is not a folder`,
      remedy: "Set MILLRACE_DATA_DIR to a folder that can be written",
    };
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    return { name, status: "problem", message: faultOf(error, `Cannot use the data folder ${dataDir}`).message };
  }
  return { name, status: "ok", message: folder === dataDir ? dataDir : `${dataDir} (will be created)` };
}

async function checkSpace(folder: string): Promise<Check> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const message = `${(free / 1e9).toFixed(1)} GB free for the data folder`;
  const remedy = "Free some space there, or set MILLRACE_DATA_DIR to a folder on another disk";
  const status = free < leastBytes ? "problem" : free < comfortableBytes ? "warning" : "ok";
  return { name: "disk space", status, message, ...(status !== "ok" && { remedy }) };
}

function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}
