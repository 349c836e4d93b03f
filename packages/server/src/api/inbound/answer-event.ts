import type { TriggeredRuns } from "@millrace/contract/inbound/event.ts";
import type { WorkflowRun } from "@millrace/contract/run/run.ts";
import { AppError } from "../../base/error/app-error.ts";
import { type ReadEvent, workflowOfSubject } from "../../core/inbound/cloud-event.ts";
import { inboundCloudEvent } from "../../core/inbound/inbound-events.ts";
import { joinLineages, lineageOf, lineageOfEvent } from "../../core/run/lineage.ts";
import { traceparentOfEvent } from "../../core/run/run-trace.ts";
import { answerOnce, type ClaimedDeliveries, claimDeliveries, type DeliveryKey } from "../../domain/inbound/answer-once.ts";
import { startTriggered, startWorkflow, type TriggerEvent } from "../../domain/inbound/start-triggered.ts";
import { publishSubmitted } from "../../domain/run/report-changes.ts";
import { teamsTriggeredBy } from "../../policy/teams.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import type { WorkflowReference } from "../../store/team/directory.ts";
import { listTriggeredWorkflows, type TriggeredWorkflow } from "../../store/workflow/triggered-workflows.ts";
import type { Context, Principal } from "../endpoint.ts";
import { viewSubmitted } from "../run/run.view.ts";
import { findTarget, startAlone } from "./find-target.ts";
import { mergeTriggered, viewTriggered } from "./triggered.view.ts";

type EventContext<Db extends Queryable = Transaction> = Context<unknown, { ref?: string }, unknown, Db>;

/** The targets of an event: the workflow that it names, or those that it matches, by team. */
type Target = { workflow: WorkflowReference } | { teams: Map<string, TriggeredWorkflow[]> };

/**
 * The responses to some events, in their order. First the targets of all of them are determined, then all of them are claimed, then they
 * start their runs. `blame` gets the event that an error is about.
 */
export async function answerEvents(
  context: EventContext,
  reads: readonly ReadEvent[],
  blame: (error: AppError, index: number) => AppError,
): Promise<(WorkflowRun | TriggeredRuns)[]> {
  const targets = await eachInTurn(reads, blame, targetFinder(context));
  const deliveries = reads.flatMap((read, index) => deliveriesOf(context, targets[index]!, read));
  const claimed = await claimDeliveries(context.db, deliveries);
  return eachInTurn(reads, blame, (read, index) => answerEvent(context, claimed, targets[index]!, read));
}

/** The response to an event that names its workflow, by the fast path; undefined if it names none or needs the slow path. */
export async function answerAlone(context: EventContext<Queryable>, read: ReadEvent): Promise<WorkflowRun | undefined> {
  const ref = refOf(context, read);
  if (ref === undefined) return undefined;
  const workflow = await findTarget(context, ref);
  return startAlone(context, workflow, triggerEventOf(context, read), delivery(workflow.teamId, workflow.id, read));
}

function refOf({ query }: EventContext<Queryable>, { event }: ReadEvent): string | undefined {
  return query.ref ?? workflowOfSubject(event.subject);
}

async function eachInTurn<Item, Result>(
  items: readonly Item[],
  blame: (error: AppError, index: number) => AppError,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    const failed = (error: unknown) => {
      throw error instanceof AppError ? blame(error, index) : error;
    };
    results.push(await work(item, index).catch(failed));
  }
  return results;
}

/** Queries the database once for each reference, however many events have it. */
function targetFinder(context: EventContext): (read: ReadEvent) => Promise<Target> {
  const { db, principal } = context;
  const found = new Map<string | undefined, Target>();
  return async (read) => {
    const ref = refOf(context, read);
    const target =
      found.get(ref) ?? (ref === undefined ? { teams: await triggeredTeams(db, principal) } : { workflow: await findTarget(context, ref) });
    found.set(ref, target);
    return target;
  };
}

async function triggeredTeams(db: Transaction, principal: Principal): Promise<Map<string, TriggeredWorkflow[]>> {
  const workflows = await listTriggeredWorkflows(db, "event", teamsTriggeredBy(principal));
  return byTeam(workflows.filter(({ id }) => principal.workflowId === undefined || id === principal.workflowId));
}

function deliveriesOf({ principal }: EventContext, target: Target, read: ReadEvent): DeliveryKey[] {
  if ("workflow" in target) return [delivery(target.workflow.teamId, target.workflow.id, read)];
  return [...target.teams.keys()].map((teamId) => delivery(teamId, principal.workflowId ?? "", read));
}

function answerEvent(
  context: EventContext,
  claimed: ClaimedDeliveries,
  target: Target,
  read: ReadEvent,
): Promise<WorkflowRun | TriggeredRuns> {
  return "workflow" in target ? answerOne(context, claimed, target.workflow, read) : answerAll(context, claimed, target.teams, read);
}

async function answerOne(
  context: EventContext,
  claimed: ClaimedDeliveries,
  workflow: WorkflowReference,
  read: ReadEvent,
): Promise<WorkflowRun> {
  const { db, principal, services, afterCommit } = context;
  return answerOnce(db, claimed, delivery(workflow.teamId, workflow.id, read), async () => {
    const run = await startWorkflow(db, services.runs, workflow, triggerEventOf(context, read));
    afterCommit(() => publishSubmitted(services, run));
    return viewSubmitted(run.row, principal);
  });
}

/** Each team stores the event separately, so a sender that delivers it again to more teams reaches those that did not get it yet. */
async function answerAll(
  context: EventContext,
  claimed: ClaimedDeliveries,
  teams: Map<string, TriggeredWorkflow[]>,
  read: ReadEvent,
): Promise<TriggeredRuns> {
  const { db, services, principal, afterCommit } = context;
  const parts: TriggeredRuns[] = [];
  for (const [teamId, workflows] of teams) {
    const part = await answerOnce(db, claimed, delivery(teamId, principal.workflowId ?? "", read), async () => {
      const started = await startTriggered(db, services.runs, workflows, triggerEventOf(context, read));
      afterCommit(() => {
        for (const run of started.runs) publishSubmitted(services, run);
      });
      return viewTriggered(started);
    });
    parts.push(part);
  }
  return mergeTriggered(parts);
}

function triggerEventOf({ principal, headers, traceparent, auditRecord }: EventContext<Queryable>, read: ReadEvent): TriggerEvent {
  const { id, source, type } = read.event;
  return {
    ...inboundCloudEvent(read),
    trigger: "event",
    initiatedBy: principal.id,
    traceparent: traceparentOfEvent(read.event) ?? traceparent,
    lineage: joinLineages(lineageOfEvent(read.event), lineageOf({ headers })),
    audit:
      ({ name, teamId }) =>
      (runId) =>
        auditRecord({ kind: "workflowrun", id: runId, name, teamId, after: { event: { id, source, type } } }),
  };
}

/** @param target id of the workflow; empty for all of the team */
function delivery(teamId: string, target: string, { event }: ReadEvent): DeliveryKey {
  return { scope: `${teamId}/${target}`, path: "/api/v2/event", identity: [event.source, event.id] };
}

function byTeam(workflows: readonly TriggeredWorkflow[]): Map<string, TriggeredWorkflow[]> {
  const teams = new Map<string, TriggeredWorkflow[]>();
  for (const workflow of workflows) teams.set(workflow.teamId, [...(teams.get(workflow.teamId) ?? []), workflow]);
  return teams;
}
