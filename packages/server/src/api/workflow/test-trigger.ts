import { ref } from "@millrace/contract/schema.ts";
import { type TriggerTest, triggerTest, triggerTestRequest } from "@millrace/contract/trigger-test.ts";
import { AppError } from "../../base/error/app-error.ts";
import { testTrigger as test } from "../../domain/inbound/test-trigger.ts";
import { allows } from "../../policy/allows.ts";
import { defineEndpoint } from "../endpoint.ts";
import { getRunRow } from "../run/load-run.ts";
import { workflowPath } from "./workflow.view.ts";

export const testTrigger = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow/:workflow/trigger/test",
  summary: "Test whether something fits a trigger, without starting anything",
  description:
    "Says for each condition and filter of the trigger whether it holds for the given event, payload or run that has ended, by the rules by which it starts runs. Members in " +
    "`trigger` stand in place of those that are saved. `submission` is what to send to `submit` for a run as if it had come. A run of the kind `workflow` needs workflowrun/read, too.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  body: ref(triggerTestRequest),
  response: ref(triggerTest),
  async handle({ db, team, params, body, principal, services }): Promise<TriggerTest> {
    if (body.kind === "workflow" && body.workflowRunRef) {
      if (!allows(principal, "workflowrun/read", team.id))
        throw new AppError("PERMISSION_DENIED", ["this needs the permission workflowrun/read"]);
      await getRunRow(db, team.id, body.workflowRunRef, principal);
    }
    return test(db, services.runs, team, params.workflow, body);
  },
});
