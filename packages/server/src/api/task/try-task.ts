import { workflowRun } from "@millrace/contract/run.ts";
import { taskTryRequest } from "@millrace/contract/task-try.ts";
import { tryTask as run } from "../../domain/task/try-task.ts";
import { loadSaveContext } from "../../domain/workflow/save-context.ts";
import type { Transaction } from "../../store/database/database.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { presentTry } from "../present-body.ts";
import { publishSubmitted } from "../run/publish-changes.ts";
import { viewSubmitted } from "../run/run.view.ts";
import { warningHeader } from "./answer-task.ts";
import { readDraft } from "./read-draft.ts";
import { teamTaskPath } from "./task-path.ts";

export const tryTask = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/task/:name/try",
  summary: "Run a task by itself, to try it",
  description:
    "One of the team, or a global one. Submits a run of this one task, in a workflow that is made for it and is in no list; follow it by the run's id. " +
    "It counts against the quotas of runs, and is cleared away with its log an hour after its end. With `draft` or `draftDocument` that is run instead of " +
    "what is saved, by the rules of a save and without becoming a version, also of a task that there is not yet; this takes task/write as well. The header " +
    "`Warning` tells what looks like a mistake in it.",
  tag: "Team tasks",
  permission: "task/action",
  transaction: "write",
  idempotent: true,
  params: teamTaskPath,
  body: taskTryRequest,
  presentBody: presentTry,
  response: workflowRun,
  async handle({ db, team, params, body, headers, principal, keyring, services, auditRecord, afterCommit }) {
    const tx = db as Transaction;
    const draft = await readDraft(body, { db, team, headers, principal, keyring, services });
    const save = await loadSaveContext(tx, team.id, principal.name, keyring, services.runs);
    const audit = (id: string) => auditRecord({ kind: "workflowrun", id, name: params.name });
    const input = { task: params.name, request: body, draft, initiatedBy: principal.id, audit };
    const { run: tried, warnings } = await run(tx, save, services.runs, input);
    afterCommit(() => publishSubmitted(services, tried));
    return reply({ headers: warningHeader(warnings), body: viewSubmitted(tried.row, principal) });
  },
});
