import { chainDecision, type DecidedVote, type Decision, digestOf, digestVote } from "../../core/action/decision-chain.ts";
import { readFieldValues } from "../../core/action/field-values.ts";
import { readActionDetails } from "../../store/action/action-notes.ts";
import type { ActionRow, VoteRow } from "../../store/action/actions.ts";
import { addDecisions, lockChain, readDecisionInputs } from "../../store/action/decisions.ts";
import type { Transaction } from "../../store/database/database.ts";
import { findProposal } from "../../store/workflow/proposals.ts";
import { requiredApprovals, secretsOf } from "../workflow/publish/required-approvals.ts";
import type { Vote, Voter } from "./refuse-bad-votes.ts";

/** An action, and the vote that decides it. */
export interface DecidedAction {
  action: ActionRow;
  vote: Vote;
  decision: "approved" | "rejected" | undefined;
  voter: Voter;
  at: Date;
}

/**
 * Adds the decisions to the chain of the team, in the transaction that makes them. The end of the chain is locked last, until that
 * transaction ends, so from here on the decisions of a team are serialized.
 */
export async function recordDecisions(tx: Transaction, teamId: string, decided: readonly DecidedAction[]): Promise<void> {
  if (decided.length === 0) return;
  const inputs = await readDecisionInputs(
    tx,
    teamId,
    decided.flatMap(({ action }) => action.runId || []),
  );
  const decisions: Decision[] = [];
  for (const one of decided) {
    const of = inputs.get(one.action.runId);
    const { attachments } = (await readActionDetails(tx, teamId, one.action.id)) ?? { attachments: [] };
    const { title, instructions, form } = one.action;
    const proposed = of === undefined ? await describeProposal(tx, teamId, one.action) : undefined;
    const version = of?.workflowVersion ?? proposed?.version ?? 0;
    decisions.push({
      ...describe(one),
      workflow: { id: one.action.workflowId, name: one.action.workflowName, version },
      ...(proposed && proposed.secrets.length > 0 && { secrets: proposed.secrets }),
      inputs: digestOf({ params: of?.params ?? [], title, instructions, form, attachments }),
      images: of?.images ?? [],
    });
  }
  let last = await lockChain(tx, teamId);
  const chained = decisions.map((decision) => {
    const next = chainDecision(last, teamId, decision);
    last = next;
    return { ...next, action: decision.action, at: decision.at };
  });
  await addDecisions(tx, teamId, chained);
}

/** The version that would be published, and the protected secrets that its group has to approve. */
async function describeProposal(
  tx: Transaction,
  teamId: string,
  action: ActionRow,
): Promise<{ version: number; secrets: string[] } | undefined> {
  const proposal = await findProposal(tx, teamId, action.id);
  if (proposal === undefined) return undefined;
  const required = await requiredApprovals(tx, teamId, proposal.workflowId, proposal);
  const own = required.find(({ approverGroupId }) => approverGroupId === action.approverGroupId);
  return { version: proposal.baseVersion + 1, secrets: own ? secretsOf([own]) : [] };
}

function describe({ action, vote, decision, voter, at }: DecidedAction): Omit<Decision, "workflow" | "inputs" | "images"> {
  const values = action.form ? readFieldValues(action.form.fields, vote.values, vote.approved).values : null;
  const deciding = {
    principal: voter.id,
    name: voter.name,
    approved: vote.approved,
    comments: vote.comments,
    values,
    at: at.toISOString(),
  };
  return {
    action: action.id,
    type: action.type,
    decision: decision as "approved" | "rejected",
    at: deciding.at,
    run: action.runId || null,
    task: action.runId === "" ? null : action.taskName,
    approverGroup: action.approverGroupId === null ? null : { id: action.approverGroupId, name: action.approverGroupName },
    escalatedTo: escalatedTo(action),
    approvalsRequired: action.approversWanted,
    votes: [...action.votes, deciding].map(voteOf),
  };
}

function escalatedTo({ escalatedAt, escalationGroupId, escalationGroupName }: ActionRow): Decision["escalatedTo"] {
  return escalatedAt === null || escalationGroupId === null ? null : { id: escalationGroupId, name: escalationGroupName };
}

function voteOf({ principal, name, approved, at, comments, values }: Omit<VoteRow, "people" | "email">): DecidedVote {
  return { principal, name, approved, at, digest: digestVote({ comments, values }) };
}
