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
  summary: "Try a task on its own",
  description:
    "A task of the team, or a global one. Submits a run of only this task, in a temporary workflow that is not listed; follow it by the ID of the run. " +
    "It counts against the quotas of runs, and is deleted with its log an hour after it ends. With `draft` or `draftDocument`, the draft runs instead of " +
    "the saved task. It is checked like a save but creates no version, and the task doesn't need to exist; this needs task/write as well. The header " +
    "`Warning` names likely mistakes in it.",
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
