import { join } from "node:path";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

/** A database as a release left it, with waiting work, and its expected outcome: see `processes/upgrade-dump-program.ts`. */
export interface UpgradeDump {
  version: string;
  schemaVersion: number;
  takenAt: string;
  encryptionKey: string;
  adminToken: string;
  /** The tokens of a member with the role editor, and of the team for programs. */
  memberToken: string;
  teamToken: string;
  team: string;
  members: string[];
  /** What the last script of each run prints: the SHA-256 of a secret of the team. */
  secretHash: string;
  finished: { run: string; lines: string[] };
  /** Runs that wait, by what they wait for. */
  waiting: Record<"sleep" | "approval" | "event" | "lock" | "lockHolder" | "script" | "queued", string>;
  schedule: string;
  subscription: string;
  delivery: string;
}

/** Dumps of all releases: VERSION.millrace, which `db backup` wrote, and VERSION.json. */
export const upgradeDumps = join(repositoryRoot, "packages/server/test/upgrade");
