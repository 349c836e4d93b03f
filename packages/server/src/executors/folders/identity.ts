import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "../../engine/executor.ts";
import { TeamUsers } from "./team-users.ts";

export interface Identity {
  uid: number;
  gid: number;
}

/** Ids that belong to no account, for the steps of a service that runs as root. */
export interface IdentityPool {
  /**
   * The user that runs this job. Jobs with workspaces share one user per team, so that each can change what the others left there; all
   * other jobs get a user of their own until `release`.
   */
  take(job: Pick<Job, "teamId" | "workspaces">): Identity;
  release(identity: Identity): void;
  isDisposable(identity: Identity): boolean;
}

interface Range {
  base: number;
  teams: number;
  disposable: number;
}

/** Far above the ids of people, services and containers; in a user namespace with 65,536 ids, the upper part of these. */
const wide: Range = { base: 1_500_000_000, teams: 268_435_456, disposable: 67_108_864 };
const narrow: Range = { base: 40_000, teams: 10_000, disposable: 10_000 };

/** Whether an id is one that only steps have. */
export function isUserOfSteps(uid: number): boolean {
  return rangeOf(uid) !== undefined;
}

/** Attempts take their users in order, so the ids of a block come into use one after the other, and once left it is not used again. */
const blockSize = 1_024;

export interface UserRange {
  first: number;
  last: number;
}

/** The users of attempts in the same block as this one; blocks don't overlap. The user of a team, or an id outside the ranges, is alone. */
export function blockOfUser(uid: number): UserRange {
  const range = rangeOf(uid);
  const start = range && range.base + range.teams;
  if (range === undefined || start === undefined || uid < start) return { first: uid, last: uid };
  const first = uid - ((uid - start) % blockSize);
  return { first, last: Math.min(first + blockSize, start + range.disposable) - 1 };
}

/** All users that steps can have on a machine where one of them is this one. */
export function usersBeside(uid: number): UserRange {
  const range = rangeOf(uid);
  return range === undefined ? { first: uid, last: uid } : { first: range.base, last: range.base + range.teams + range.disposable - 1 };
}

function rangeOf(uid: number): Range | undefined {
  return [wide, narrow].find(({ base, teams, disposable }) => uid >= base && uid < base + teams + disposable);
}

/**
 * @param workspacesDir the assignment of users to teams is stored beside the workspaces, since the files there belong to these users
 * @returns undefined if this process may not change its user, or has no ids to assign
 */
export async function openIdentityPool(workspacesDir: string | undefined): Promise<IdentityPool | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const range = await findRange();
  const teamUsersDir = workspacesDir === undefined ? undefined : join(workspacesDir, "team-users");
  return range && createIdentityPool(range, Math.floor(Math.random() * range.disposable), teamUsersDir);
}

export function createIdentityPool(range: Range, first: number, teamUsersDir?: string): IdentityPool {
  const teams = new TeamUsers(range.base, range.teams, teamUsersDir);
  const used = new Set<number>();
  let next = first;
  const takeDisposable = (): number => {
    for (let tries = 0; tries < range.disposable; tries++) {
      const uid = range.base + range.teams + (next++ % range.disposable);
      if (used.has(uid)) continue;
      used.add(uid);
      return uid;
    }
    throw new Error(`all ${range.disposable} user ids for steps are in use`);
  };
  return {
    take(job) {
      const uid = job.workspaces.length > 0 ? teams.uidOf(job.teamId) : takeDisposable();
      return { uid, gid: uid };
    },
    release: ({ uid }) => void used.delete(uid),
    isDisposable: ({ uid }) => uid >= range.base + range.teams,
  };
}

async function findRange(): Promise<Range | undefined> {
  const maps = await Promise.all(
    ["/proc/self/uid_map", "/proc/self/gid_map"].map((path) => readFile(path, "utf8").catch(() => "0 0 4294967295")),
  );
  return [wide, narrow].find((range) => maps.every((map) => covers(map, range.base, range.base + range.teams + range.disposable)));
}

/** @param map lines of `first-inside first-outside count` */
export function covers(map: string, first: number, end: number): boolean {
  return map
    .trim()
    .split("\n")
    .some((line) => {
      const [inside = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
      return inside <= first && end <= inside + count;
    });
}
