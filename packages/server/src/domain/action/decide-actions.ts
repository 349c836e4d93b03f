import { AppError } from "../../base/error/app-error.ts";
import { decideAction, openVoters } from "../../core/action/decide-action.ts";
import { decisionEvent } from "../../core/action/decision-event.ts";
import { readFieldValues } from "../../core/action/field-values.ts";
import type { RunEvent } from "../../core/run/advance.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import { type ActionRow, closeActions, insertVotes, listActionsById } from "../../store/action/actions.ts";
import type { Transaction } from "../../store/database/database.ts";
import { listTokenMakers } from "../../store/identity/tokens.ts";
import { lockRunRows } from "../../store/run/run-states.ts";
import { listApproverGroups } from "../../store/team/members.ts";
import { lockWorkflow } from "../../store/workflow/workflows.ts";
import { advanceRuns } from "../run/advance-runs.ts";
import type { RunContext } from "../run/run-context.ts";
import { type Published, publishProposal } from "../workflow/publish/publish-proposal.ts";
import { type DecidedAction, recordDecisions } from "./record-decisions.ts";
import { refuseBadVotes, type Vote, type Voter } from "./refuse-bad-votes.ts";

/**
 * Casts the votes of one voter, all of them or none. The runs of the actions are locked first, in the same order everywhere, and only then
 * votes are read and counted: of two concurrent votes, the second one sees the first, and a vote can't race with the cancellation of its
 * run. An action that becomes decided ends its task in the same transaction, and leaves a record (record-decisions.ts).
 */

export interface CastVote {
  action: ActionRow;
  vote: Vote;
  decision: "approved" | "rejected" | undefined;
}

/** @throws AppError of the first vote that can't be cast, with an entry in `details` for each such vote (path: its index) */
export async function decideActions(
  tx: Transaction,
  context: RunContext,
  teamId: string,
  voter: Voter,
  votes: readonly Vote[],
): Promise<{ cast: CastVote[]; changes: RunChange[]; published: Published[] }> {
  const ids = votes.map((vote) => vote.actionId.toLowerCase());
  const actions = await lockActions(tx, teamId, ids);
  const groups = await groupMembers(tx, teamId, [...actions.values()]);
  const people = await peopleBehind(tx, voter);
  refuseBadVotes(votes, actions, groups, { ...voter, people, isByToken: voter.tokenId !== undefined });
  const cast = votes.map((vote) => {
    const action = actions.get(vote.actionId.toLowerCase())!;
    return { action, vote, decision: tally(action, vote, { principal: voter.id, people }, groups.get(action.approverGroupId ?? "")) };
  });
  const { changes, decided } = await write(tx, context, teamId, voter, cast);
  const published = await publish(tx, context, teamId, cast);
  // Done last: from here on the other decisions of the team wait, and publishing a version takes locks and runs its tests.
  await recordDecisions(tx, teamId, decided);
  return { cast, changes, published };
}

/** The actions, by id, after locking their runs, or the workflows whose versions they publish. Unknown ones are missing. */
export async function lockActions(tx: Transaction, teamId: string, ids: readonly string[]): Promise<Map<string, ActionRow>> {
  const seen = await listActionsById(tx, teamId, ids);
  const ofRuns = seen.filter(({ runId }) => runId !== "");
  await lockRunRows(
    tx,
    ofRuns.map(({ runId }) => ({ teamId, id: runId })),
  );
  const workflows = new Set(seen.filter(({ runId }) => runId === "").map(({ workflowId }) => workflowId));
  for (const id of [...workflows].sort()) await lockWorkflow(tx, teamId, id);
  return new Map((await listActionsById(tx, teamId, ids)).map((action) => [action.id, action]));
}

/** Ids of the people behind a voter. */
export async function peopleBehind(tx: Transaction, { userId, tokenId }: Pick<Voter, "userId" | "tokenId">): Promise<string[]> {
  const makers = tokenId === undefined ? [] : await listTokenMakers(tx, tokenId);
  return userId === undefined ? makers : [...new Set([userId, ...makers])];
}

/** Members of the approver groups of these actions, by the group's id. A deleted group is missing. */
export async function groupMembers(tx: Transaction, teamId: string, actions: readonly ActionRow[]): Promise<Map<string, Set<string>>> {
  if (actions.every(({ approverGroupId }) => approverGroupId === null)) return new Map();
  const groups = await listApproverGroups(tx, [teamId]);
  return new Map(groups.map(({ id, approvers }) => [id, new Set(approvers.map((approver) => approver.id))]));
}

/** The state of the action after this vote. */
function tally(
  action: ActionRow,
  { approved }: Vote,
  voter: { principal: string; people: readonly string[] },
  group: ReadonlySet<string> | undefined,
): CastVote["decision"] {
  const approvals = action.votes.filter((vote) => vote.approved).length + (approved ? 1 : 0);
  return decideAction({
    wanted: action.approversWanted,
    approvals,
    rejections: action.votes.length + 1 - approvals,
    openVoters: group ? openVoters({ ...action, votes: [...action.votes, voter] }, group).length : null,
  });
}

/** @returns what changed, and the decisions to record */
async function write(
  tx: Transaction,
  context: RunContext,
  teamId: string,
  voter: Voter,
  cast: readonly CastVote[],
): Promise<{ changes: RunChange[]; decided: DecidedAction[] }> {
  if (cast.length === 0) return { changes: [], decided: [] };
  const votes = cast.map(({ action, vote }) => ({ ...vote, actionId: action.id, values: action.form ? valuesOf(action, vote) : null }));
  const times = await insertVotes(tx, teamId, { principal: voter.id, name: voter.name, email: voter.email, votes });
  const decided = cast.filter(({ decision }) => decision !== undefined);
  for (const status of ["approved", "rejected"] as const) {
    const ids = decided.filter(({ decision }) => decision === status).map(({ action }) => action.id);
    await closeActions(tx, teamId, ids, status);
  }
  const ofRuns = decided.filter(({ action }) => action.type !== "publish");
  const events = new Map<string, RunEvent[]>();
  for (const one of ofRuns) {
    const { runId, id } = one.action;
    events.set(runId, [...(events.get(runId) ?? []), decidedEvent(one, voter, times.get(id)!)]);
  }
  const changes = await advanceRuns(
    tx,
    context,
    [...events].map(([id, of]) => ({ teamId, id, events: of })),
  );
  checkEffect(ofRuns, changes);
  return { changes, decided: decided.map((one) => ({ ...one, voter, at: times.get(one.action.id)! })) };
}

/** The versions whose actions were approved. */
async function publish(tx: Transaction, context: RunContext, teamId: string, cast: readonly CastVote[]): Promise<Published[]> {
  const published: Published[] = [];
  for (const { action, decision } of cast) {
    if (action.type !== "publish" || decision !== "approved") continue;
    const version = await publishProposal(tx, context, teamId, action.id);
    if (version) published.push(version);
  }
  return published;
}

function decidedEvent({ action, vote, decision }: CastVote, voter: Voter, at: Date): RunEvent {
  const fields = action.form?.fields ?? [];
  const type = action.type === "manual" ? "manual" : "approval";
  return decisionEvent(
    { ...action, type, fields },
    { ...vote, approved: decision === "approved" },
    { ...voter, email: voter.email ?? "" },
    at,
  );
}

function valuesOf(action: ActionRow, { values, approved }: Vote): Record<string, unknown> {
  return readFieldValues(action.form?.fields ?? [], values, approved).values;
}

/** If the task no longer waits although its action is open, the decision would be lost silently, so it is an error. */
function checkEffect(decided: readonly CastVote[], changes: readonly RunChange[]): void {
  const moved = new Set(changes.flatMap(({ updated }) => updated.map(({ after }) => after.id)));
  const lost = decided.find(({ action }) => !moved.has(action.taskRunId));
  if (lost) throw new AppError("ACTION_UNABLE_TO_ACTION", [lost.action.id, "its task no longer waits for it"]);
}
