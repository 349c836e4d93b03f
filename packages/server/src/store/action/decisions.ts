import { type ChainedDecision, type ChainPlace, chainStart, type Decision, digestStoredVote } from "../../core/action/decision-chain.ts";
import type { Queryable } from "../database/database.ts";
import type { VoteRow } from "./actions.ts";

/** The chain of the decisions of a team, which stays when actions and runs are removed with their history. */

/** The last record, locked until the transaction ends: the next one of the team follows it. */
export async function lockChain(db: Queryable, teamId: string): Promise<ChainPlace> {
  await db`
    insert into decision_chain (team_id, hash, anchor_hash) values (${teamId}, ${chainStart.hash}, ${chainStart.hash})
    on conflict (team_id) do nothing`;
  const [row] = await db<ChainPlace[]>`
    select number::float8 as number, hash from decision_chain where team_id = ${teamId} for no key update`;
  return row!;
}

/** Under the lock of the chain. */
export async function addDecisions(
  db: Queryable,
  teamId: string,
  decisions: readonly (ChainedDecision & Pick<Decision, "action" | "at">)[],
): Promise<void> {
  const last = decisions.at(-1);
  if (last === undefined) return;
  const rows = decisions.map(({ number, record, hash, action, at }) => ({ number, record, hash, action, at }));
  await db`
    insert into decision (team_id, number, at, action_id, record, hash)
    select ${teamId}, d.number, d.at, d.action, d.record::json, d.hash
    from json_to_recordset(${JSON.stringify(rows)}::json) as d(number bigint, at timestamptz, action uuid, record text, hash text)`;
  await db`update decision_chain set number = ${last.number}, hash = ${last.hash} where team_id = ${teamId}`;
}

/** The subject of a decision in a run; contains no secrets. */
export interface DecisionInputs {
  runId: string;
  workflowVersion: number;
  params: unknown;
  /** Names of images with their digests, in the definitions of its tasks. */
  images: string[];
}

const maxImages = 100;

export async function readDecisionInputs(db: Queryable, teamId: string, runIds: readonly string[]): Promise<Map<string, DecisionInputs>> {
  if (runIds.length === 0) return new Map();
  const rows = await db<DecisionInputs[]>`
    select r.id as "runId", r.workflow_version as "workflowVersion", r.params, array(
      select distinct part from task_version v cross join regexp_split_to_table(v.spec::text, '"') as part
      where v.id = any(r.task_version_ids) and part like '%@sha256:%' and part ~ '@sha256:[0-9a-f]{64}$' and length(part) <= 500
      order by part limit ${maxImages}) as images
    from run r where r.id = any(${[...runIds]}::uuid[]) and (r.team_id = ${teamId}) is true`;
  return new Map(rows.map((row) => [row.runId, row]));
}

export interface DecisionRow extends ChainedDecision {
  at: Date;
  actionId: string;
}

const decisionColumns = (db: Queryable) => db`
  d.number::float8 as number, d.at, d.action_id as "actionId", d.record::text as record, d.hash`;

export interface DecisionFilter {
  actionId?: string | undefined;
  from?: Date;
  to?: Date;
}

const where = (db: Queryable, teamId: string, { actionId, from, to }: DecisionFilter) => db`
  d.team_id = ${teamId}
  ${actionId === undefined ? db`` : db`and d.action_id = ${actionId}`}
  ${from ? db`and d.at >= ${from}` : db``} ${to ? db`and d.at <= ${to}` : db``}`;

/** The newest first. */
export async function queryDecisions(
  db: Queryable,
  teamId: string,
  filter: DecisionFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: DecisionRow[]; total: number }> {
  const rows = await db<DecisionRow[]>`
    select ${decisionColumns(db)} from decision d where ${where(db, teamId, filter)}
    order by d.number desc limit ${limit} offset ${offset}`;
  const [count] = await db<{ total: number }[]>`select count(*)::int as total from decision d where ${where(db, teamId, filter)}`;
  return { rows, total: count!.total };
}

export interface Chain {
  head: ChainPlace;
  anchor: ChainPlace & { at: Date | null };
}

export async function readChain(db: Queryable, teamId: string): Promise<Chain | undefined> {
  const [row] = await db<{ number: number; hash: string; anchorNumber: number; anchorHash: string; anchoredAt: Date | null }[]>`
    select number::float8 as number, hash, anchor_number::float8 as "anchorNumber", anchor_hash as "anchorHash", anchored_at as "anchoredAt"
    from decision_chain where team_id = ${teamId}`;
  if (row === undefined) return undefined;
  const { number, hash, anchorNumber, anchorHash, anchoredAt } = row;
  return { head: { number, hash }, anchor: { number: anchorNumber, hash: anchorHash, at: anchoredAt } };
}

/** The next ones of the chain, with the actions that still exist. */
export async function listDecisionsAfter(db: Queryable, teamId: string, number: number, limit: number) {
  const rows = await db<(DecisionRow & { action: { status: string; votes: VoteRow[] } | null })[]>`
    select ${decisionColumns(db)}, case when a.id is not null then json_build_object('status', a.status, 'votes', coalesce((
      select json_agg(json_build_object('principal', v.principal, 'name', v.name, 'approved', v.approved, 'comments', v.comments,
        'values', v.field_values, 'at', to_char(v.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from action_vote v where v.team_id = a.team_id and v.action_id = a.id), '[]'::json)) end as action
    from decision d left join action a on a.team_id = d.team_id and a.id = d.action_id
    where d.team_id = ${teamId} and d.number > ${number} order by d.number limit ${limit}`;
  return rows.map(({ action, ...row }) => ({
    ...row,
    action: action && {
      status: action.status,
      votes: action.votes.map(({ principal, name, approved, at, ...vote }) => ({
        principal,
        name,
        approved,
        at,
        digest: digestStoredVote(vote),
      })),
    },
  }));
}

/** Teams whose chain has records older than so many days (index decision_at). */
export async function listTeamsWithOldDecisions(db: Queryable, days: number): Promise<string[]> {
  const rows = await db<{ teamId: string }[]>`
    select distinct team_id as "teamId" from decision where at < (select db_now()) - make_interval(days => ${days}) order by team_id`;
  return rows.map(({ teamId }) => teamId);
}

/**
 * Removes the oldest records of a team that are older than so many days; the anchor moves to the last of them in the same statement.
 * Removes only from the front of the chain, so that the rest still follows the anchor.
 *
 * @returns how many
 */
export async function removeOldDecisions(db: Queryable, teamId: string, days: number, limit: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    with kept as (
      select coalesce(min(number), 9223372036854775807) as number from decision
      where team_id = ${teamId} and at >= (select db_now()) - make_interval(days => ${days})
    ), old as (
      select number from decision where team_id = ${teamId} and number < (select number from kept) order by number limit ${limit} for update
    ), gone as (
      delete from decision d using old where d.team_id = ${teamId} and d.number = old.number returning d.number, d.hash
    ), anchored as (
      update decision_chain c set anchor_number = g.number, anchor_hash = g.hash, anchored_at = (select db_now())
      from gone g where c.team_id = ${teamId} and g.number = (select max(number) from gone) and g.number > c.anchor_number
    )
    select count(*)::int as count from gone`;
  return row!.count;
}
