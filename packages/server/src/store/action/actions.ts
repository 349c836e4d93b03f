import type { ActionStatus, ActionType } from "@millrace/contract/action/action.ts";
import { isId } from "../../base/text/uuid.ts";
import type { ActionForm } from "../../core/task/task-type.ts";
import type { Queryable } from "../database/database.ts";
import { countGrowing, type Span } from "../database/growing-totals.ts";
import { type HiddenWorkflows, listHiddenWorkflows, workflowIds } from "../workflow/hidden-workflows.ts";
import { type Ballot, isVotable, requesterPeopleOf, requestersOf } from "./ballot.ts";

/** Actions (approvals and manual tasks that wait for people) and the votes on them. They are opened by apply_run_changes. */

export interface VoteRow {
  /** Of the voter: `user:<id>` or `token:<id>`. */
  principal: string;
  /** Ids of the people behind it. */
  people: string[];
  name: string | null;
  email: string | null;
  approved: boolean;
  comments: string | null;
  /** Values of the fields by name; null without fields. */
  values: Record<string, unknown> | null;
  /** ISO 8601, from the database's own JSON. */
  at: string;
}

export interface ActionRow {
  id: string;
  workflowId: string;
  workflowName: string;
  workflowDisplayName: string;
  /** Empty, like the id of the task run, if it isn't about a run; its proposal then says which version it is about. */
  runId: string;
  taskRunId: string;
  /** `publish` if it isn't about a run. */
  taskName: string;
  type: ActionType;
  status: ActionStatus;
  title: string | null;
  instructions: string | null;
  /** Null: it has neither fields nor links. */
  form: Pick<ActionForm, "fields" | "links"> | null;
  approverGroupId: string | null;
  /** Null also if the group was deleted. */
  approverGroupName: string | null;
  approversWanted: number;
  createdAt: Date;
  /** When the wait ends by itself, including by the run's own deadline. */
  deadlineAt: Date | null;
  reminderMinutes: number | null;
  /** How many reminders were due until now, or until the action was closed. */
  remindersDue: number;
  escalateMinutes: number | null;
  escalationGroupId: string | null;
  /** Null also if the group was deleted. */
  escalationGroupName: string | null;
  /** When it is due; null after it happened, and if it never will. */
  escalateAt: Date | null;
  escalatedAt: Date | null;
  barsRequester: boolean;
  /** Members of the approver group when the action was opened; null without a group. */
  voterIds: string[] | null;
  /** People who delegated their vote, and people who hold a delegated one; nobody is in both lists. */
  delegatorIds: string[];
  delegateIds: string[];
  /** The principals who started the run, and the people behind them; only for an open action. */
  requesters: string[];
  requesterPeople: string[];
  /** Who proposed the version; null if it is about a run. */
  proposer: string | null;
  /** In the order in which they were cast. */
  votes: VoteRow[];
}

/** Of `actionSource`. */
const actionColumns = (db: Queryable) => db`
  a.id, a.workflow_id as "workflowId", w.name as "workflowName", w.display_name as "workflowDisplayName", coalesce(a.run_id::text, '') as "runId",
  coalesce(a.task_run_id::text, '') as "taskRunId", coalesce(t.name, 'publish') as "taskName",
  a.type, a.status, a.title, a.instructions, a.form, a.delegator_ids as "delegatorIds", a.delegate_ids as "delegateIds", a.approver_group_id as "approverGroupId", g.name as "approverGroupName",
  a.approvers_wanted as "approversWanted", a.created_at as "createdAt", a.deadline_at as "deadlineAt",
  a.reminder_minutes as "reminderMinutes", a.escalate_minutes as "escalateMinutes", a.escalation_group_id as "escalationGroupId",
  e.name as "escalationGroupName", a.escalate_at as "escalateAt", a.escalated_at as "escalatedAt", a.bars_requester as "barsRequester",
  case when a.approver_group_id is not null then coalesce(a.voter_ids, '{}') end as "voterIds", q.requesters, a.proposer,
  q.people as "requesterPeople",
  coalesce(floor(extract(epoch from coalesce(a.decided_at, (select db_now())) - a.created_at) / (60 * a.reminder_minutes)), 0)::int as "remindersDue",
  coalesce((select json_agg(json_build_object('principal', v.principal, 'people', people_of(v.principal), 'name', v.name, 'email', v.email, 'approved', v.approved,
              'comments', v.comments, 'values', v.field_values, 'at', to_char(v.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by v.at, v.principal)
            from action_vote v where v.team_id = a.team_id and v.action_id = a.id), '[]'::json) as votes`;

/** Actions of deleted workflows are hidden from everyone. */
const actionSource = (db: Queryable) => db`
  action a
  join workflow w on w.team_id = a.team_id and w.id = a.workflow_id and w.deleted_at is null
  left join task_run t on t.team_id = a.team_id and t.id = a.task_run_id
  left join approver_group g on g.team_id = a.team_id and g.id = a.approver_group_id
  left join approver_group e on e.team_id = a.team_id and e.id = a.escalation_group_id
  cross join lateral (
    select case when a.status = 'submitted' then ${requestersOf(db)} else '{}' end as requesters,
      case when a.status = 'submitted' then ${requesterPeopleOf(db)} else '{}' end as people) as q`;

/** In no particular order; unknown ids are left out. */
export async function listActionsById(db: Queryable, teamId: string, ids: readonly string[]): Promise<ActionRow[]> {
  return db<ActionRow[]>`
    select ${actionColumns(db)} from ${actionSource(db)} where a.team_id = ${teamId} and a.id = any(${ids.filter(isId)}::uuid[])`;
}

interface ActionFilter {
  types?: readonly string[];
  statuses?: readonly string[];
  /** Names or ids. */
  workflows?: readonly string[];
  /** Open with an overdue reminder, or all others. */
  isOverdue?: boolean;
  /** Open, and waiting for the caller. */
  votableBy?: Ballot | undefined;
  from?: Date;
  /** Inclusive. */
  to?: Date;
}

function where(db: Queryable, teamId: string, filter: ActionFilter, hidden: HiddenWorkflows) {
  const { workflows = [] } = filter;
  return db`
    a.team_id = ${teamId}
    ${hidden.ids.length > 0 ? db`and a.workflow_id <> all(${hidden.ids}::uuid[])` : db``}
    ${filter.types?.length ? db`and a.type = any(${[...filter.types]})` : db``}
    ${filter.statuses?.length ? db`and a.status = any(${[...filter.statuses]})` : db``}
    ${workflows.length > 0 ? db`and a.workflow_id = any(${workflowIds(db, teamId, workflows, workflows.filter(isId))})` : db``}
    ${filter.isOverdue === undefined ? db`` : db`and ${isOverdue(db)} = ${filter.isOverdue}`}
    ${filter.votableBy ? db`and ${isVotable(db, filter.votableBy)}` : db``}
    ${filter.from ? db`and a.created_at >= ${filter.from}` : db``}
    ${filter.to ? db`and a.created_at <= ${filter.to}` : db``}`;
}

const isOverdue = (db: Queryable) => db`
  (a.status = 'submitted' and a.reminder_minutes is not null
   and a.created_at + make_interval(mins => a.reminder_minutes) <= (select db_now()))`;

interface ActionOrder {
  limit: number;
  offset: number;
  isDescending: boolean;
  /** A member name of the API; an unknown one counts as creationDate. */
  sort: string;
}

/** One page (index action_created if sorted by date) and the total over all pages; ties are ordered by id. */
export async function queryActions(
  db: Queryable,
  teamId: string,
  filter: ActionFilter,
  order: ActionOrder,
): Promise<{ rows: ActionRow[]; total: number }> {
  const hidden = await listHiddenWorkflows(db, teamId);
  const direction = order.isDescending ? db`desc` : db`asc`;
  const sorted = db`order by ${sortColumn(db, order.sort)} ${direction}, a.id ${direction}`;
  const rows = await db<ActionRow[]>`
    select ${actionColumns(db)} from ${actionSource(db)}
    where a.team_id = ${teamId} and a.id = any(array(
      select a.id from ${sortSource(db, order.sort)} where ${where(db, teamId, filter, hidden)}
      ${sorted} limit ${order.limit} offset ${order.offset}))
    ${sorted}`;
  return { rows, total: await countAll(db, teamId, filter, hidden) };
}

/** Their status and whether they are overdue can change, so results of these filters are counted each time (index action_status). */
async function countAll(db: Queryable, teamId: string, filter: ActionFilter, hidden: HiddenWorkflows): Promise<number> {
  const count = async ({ from, to }: Span) => {
    const [row] = await db<{ total: number }[]>`
      select count(*)::int as total from action a where ${where(db, teamId, filter, hidden)}
        ${from ? db`and a.created_at >= ${from}` : db``} ${to ? db`and a.created_at < ${to}` : db``}`;
    return row!.total;
  };
  if (filter.statuses?.length || filter.isOverdue !== undefined || filter.votableBy) return count({});
  return countGrowing(db, JSON.stringify(["action", teamId, filter, hidden.state]), count);
}

/** What the sort order needs, and nothing else. */
function sortSource(db: Queryable, sort: string) {
  if (sort === "workflowName") return db`action a join workflow w on w.team_id = a.team_id and w.id = a.workflow_id`;
  return sort === "taskName" ? db`action a left join task_run t on t.team_id = a.team_id and t.id = a.task_run_id` : db`action a`;
}

function sortColumn(db: Queryable, sort: string) {
  switch (sort) {
    case "status":
      return db`a.status`;
    case "type":
      return db`a.type`;
    case "workflowName":
      return db`w.name`;
    case "taskName":
      return db`t.name`;
    case "numberOfApprovers":
      return db`a.approvers_wanted`;
    case "deadline":
      return db`a.deadline_at`;
    default:
      return db`a.created_at`;
  }
}

interface ActionCounts {
  openManual: number;
  /** Including those about publishing a version. */
  openApprovals: number;
  /** Approved or rejected, of both types. */
  decided: number;
}

export async function countActions(db: Queryable, teamId: string, filter: ActionFilter): Promise<ActionCounts> {
  const hidden = await listHiddenWorkflows(db, teamId);
  const [row] = await db<ActionCounts[]>`
    select count(*) filter (where a.status = 'submitted' and a.type = 'manual')::int as "openManual",
           count(*) filter (where a.status = 'submitted' and a.type <> 'manual')::int as "openApprovals",
           count(*) filter (where a.status in ('approved', 'rejected'))::int as decided
    from action a where ${where(db, teamId, filter, hidden)}`;
  return row!;
}

/** How many open actions each of these approver groups can decide now, or after an escalation; groups without any are left out. */
export async function countOpenOfGroups(db: Queryable, teamId: string, groupIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db<{ groupId: string; count: number }[]>`
    select g.id as "groupId", count(*)::int as count
    from action a join unnest(${[...groupIds]}::uuid[]) as g(id) on g.id in (a.approver_group_id, a.escalation_group_id)
    where a.team_id = ${teamId} and a.status = 'submitted'
    group by g.id`;
  return new Map(rows.map(({ groupId, count }) => [groupId, count]));
}

interface NewVotes {
  principal: string;
  name: string;
  email: string | null;
  /** At most one for each action. */
  votes: readonly { actionId: string; approved: boolean; comments: string | null; values: Record<string, unknown> | null }[];
}

/**
 * Votes of one voter, under the locks of the actions' runs, which prevent two votes from being counted without seeing each other.
 *
 * @returns when each was cast, by the action's id
 */
export async function insertVotes(db: Queryable, teamId: string, { principal, name, email, votes }: NewVotes): Promise<Map<string, Date>> {
  const rows = await db<{ actionId: string; at: Date }[]>`
    insert into action_vote (team_id, action_id, principal, name, email, approved, comments, field_values)
    select ${teamId}, v."actionId", ${principal}, ${name}, ${email}, v.approved, v.comments, v.values
    from json_to_recordset(${JSON.stringify(votes)}::json) as v("actionId" uuid, approved boolean, comments text, values json)
    returning action_id as "actionId", at`;
  return new Map(rows.map((row) => [row.actionId, row.at]));
}

/** Call it under the locks of the actions' runs. Closed actions don't change. */
export async function closeActions(db: Queryable, teamId: string, ids: readonly string[], status: "approved" | "rejected"): Promise<void> {
  if (ids.length === 0) return;
  await db`
    update action set status = ${status}, decided_at = (select db_now())
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) and status = 'submitted'`;
}

/** The oldest first, of several teams at once (index action_status). */
export async function listVotableActions(
  db: Queryable,
  teamIds: readonly string[],
  ballot: Ballot,
  limit: number,
): Promise<(ActionRow & { teamId: string })[]> {
  return db<(ActionRow & { teamId: string })[]>`
    select a.team_id as "teamId", ${actionColumns(db)} from ${actionSource(db)}
    where (a.team_id, a.id) in (
      select a.team_id, a.id from action a join workflow w on w.team_id = a.team_id and w.id = a.workflow_id and w.deleted_at is null
      where a.team_id = any(${[...teamIds]}::uuid[]) and ${isVotable(db, ballot)}
      order by a.created_at, a.id limit ${limit})
    order by a.created_at, a.id`;
}

/** The oldest open ones of a workflow (index action_status, which has the workflow of each). */
export async function listOpenActions(db: Queryable, teamId: string, workflowId: string, limit: number): Promise<ActionRow[]> {
  return db<ActionRow[]>`
    select ${actionColumns(db)} from ${actionSource(db)}
    where a.team_id = ${teamId} and a.id = any(array(
      select o.id from action o where o.team_id = ${teamId} and o.status = 'submitted' and o.workflow_id = ${workflowId}
      order by o.created_at, o.id limit ${limit}))
    order by a.created_at, a.id`;
}

/** Open ones of a team, up to a number (index action_status). */
export async function countOpenActions(db: Queryable, teamId: string, most: number): Promise<number> {
  const hidden = await listHiddenWorkflows(db, teamId);
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select from action a where ${where(db, teamId, { statuses: ["submitted"] }, hidden)} limit ${most}) a`;
  return row!.count;
}
