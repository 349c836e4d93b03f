import type { ActionType } from "@millrace/contract/action/action.ts";
import { textHash } from "../../base/text/short-hash.ts";
import { isSameJson, sortedJson } from "../document/same-json.ts";

/**
 * The record of a decision, and the chain of the records of a team. The hash of a record covers its text and the previous hash, so that
 * changing, adding or removing a record requires changing all that follow. Pure. docs/decisions.md says how to verify it with other tools.
 */

export interface DecidedVote {
  principal: string;
  name: string | null;
  approved: boolean;
  /** ISO 8601 */
  at: string;
  /** Digest of its comment and field values, which are not in the record themselves. */
  digest: string;
}

export interface Decision {
  action: string;
  type: ActionType;
  decision: "approved" | "rejected";
  /** Time of the deciding vote, ISO 8601. */
  at: string;
  workflow: { id: string; name: string; version: number };
  /** Null: the decision was not about a run. */
  run: string | null;
  task: string | null;
  approverGroup: { id: string; name: string | null } | null;
  /** The group whose members could also decide, because the original group had not decided in time. */
  escalatedTo: { id: string; name: string | null } | null;
  approvalsRequired: number;
  /** Protected secrets that a version uses, and that the group decided about. Absent: none. */
  secrets?: string[];
  votes: DecidedVote[];
  /** Digest of what was decided on; it covers no secret. */
  inputs: string;
  /** Images that the tasks name by their digest. */
  images: string[];
}

/** Where a chain begins, or continues after what was removed. */
export interface ChainPlace {
  number: number;
  hash: string;
}

export const chainStart: ChainPlace = { number: 0, hash: "0".repeat(64) };

export interface ChainedDecision extends ChainPlace {
  /** JSON; the hash covers its exact text. */
  record: string;
}

/** The next record of the chain of a team. */
export function chainDecision(before: ChainPlace, team: string, decision: Decision): ChainedDecision {
  const number = before.number + 1;
  const record = sortedJson({ team, number, previous: before.hash, ...decision });
  return { number, record, hash: textHash(record) };
}

export function digestOf(value: unknown): string {
  return `sha256:${textHash(sortedJson(value))}`;
}

export function digestVote({ comments, values }: { comments: string | null; values: unknown }): string {
  return digestOf({ comments: comments ?? null, values: values ?? null });
}

/** Digest of a vote from the database, where it may contain anything. */
export function digestStoredVote(vote: { comments: string | null; values: unknown }): string {
  try {
    return digestVote(vote);
  } catch {
    return "unreadable";
  }
}

/** A record from the database, with related data from there. */
export interface StoredDecision extends ChainedDecision {
  at: Date;
  actionId: string;
  /** The current data of the action; null once the action was removed. */
  action: { status: string; votes: DecidedVote[] } | null;
}

export interface DecisionProblem {
  number: number;
  /** Null: there is no such record. */
  actionId: string | null;
  message: string;
}

/**
 * Checks records that follow `before`, in order.
 * @returns the problems of each, and the place of the last one
 */
export function checkDecisions(
  before: ChainPlace,
  team: string,
  rows: readonly StoredDecision[],
): { problems: DecisionProblem[]; last: ChainPlace } {
  let last = before;
  const problems = rows.flatMap((row): DecisionProblem[] => {
    const gap = row.number === last.number + 1 ? [] : [missing(last.number + 1, row.number - 1)];
    const found = problemsOf(row, team, gap.length > 0 ? undefined : last.hash);
    last = { number: row.number, hash: row.hash };
    return [...gap, ...found.map((message) => ({ number: row.number, actionId: row.actionId, message }))];
  });
  return { problems, last };
}

/** After all records were checked: whether the chain ends where its stored head says. */
export function checkEnd(last: ChainPlace, head: ChainPlace): DecisionProblem[] {
  if (last.number < head.number) return [missing(last.number + 1, head.number)];
  if (last.number > head.number) return [{ number: last.number, actionId: null, message: `The chain ends at ${head.number}` }];
  return last.hash === head.hash ? [] : [{ number: last.number, actionId: null, message: "The end of the chain has another hash" }];
}

function missing(from: number, to: number): DecisionProblem {
  return { number: from, actionId: null, message: from === to ? `Record ${from} is missing` : `Records ${from} to ${to} are missing` };
}

function problemsOf(row: StoredDecision, team: string, previous: string | undefined): string[] {
  if (textHash(row.record) !== row.hash) return ["The record was changed: its hash is another one"];
  const record = readRecord(row.record);
  // Anyone who can write to the database can store any text with a matching hash.
  if (record === undefined) return ["The record is not one of a decision"];
  const problems: string[] = [];
  if (record.number !== row.number || record.team !== team) problems.push("The record belongs to another place in the chain");
  if (previous !== undefined && record.previous !== previous) problems.push("The record does not follow the one before");
  if (record.action !== row.actionId || record.at !== textOfTime(row.at))
    problems.push("The action or time in its row differs from the record");
  return [...problems, ...differencesFrom(record, row.action)];
}

/** Differences from the current data of the action, if it still exists. */
function differencesFrom(record: Decision, action: StoredDecision["action"]): string[] {
  if (action === null) return [];
  const status = action.status === record.decision ? [] : [`The action is ${action.status}, but the record says ${record.decision}`];
  const votes = isSameJson(byPrincipal(action.votes), byPrincipal(record.votes)) ? [] : ["The votes of the action were changed"];
  return [...status, ...votes];
}

/** `timestamptz` has values that a Date can't represent. */
export function textOfTime(at: Date): string | null {
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

function readRecord(text: string): (Decision & { team: string; number: number; previous: string }) | undefined {
  try {
    const record = JSON.parse(text);
    return Array.isArray(record?.votes) && record.votes.every(isVote) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Without any additional members, since a text in the database may be nested very deeply. */
function isVote(value: unknown): value is DecidedVote {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 5) return false;
  const { principal, name, approved, at, digest } = value as Record<string, unknown>;
  const isNamed = name === null || typeof name === "string";
  return isNamed && typeof approved === "boolean" && [principal, at, digest].every((one) => typeof one === "string");
}

function byPrincipal(votes: readonly DecidedVote[]): DecidedVote[] {
  return [...votes].sort((one, other) => (one.principal < other.principal ? -1 : 1));
}
