import { type TriggerTest, triggerTest, triggerTestRequest } from "@millrace/contract/inbound/trigger-test.ts";
import { ref } from "@millrace/contract/schema.ts";
import { AppError } from "../../base/error/app-error.ts";
import { testTrigger as test } from "../../domain/inbound/test-trigger.ts";
import { allows } from "../../policy/allows.ts";
import { defineEndpoint } from "../endpoint.ts";
import { getRunRow } from "../run/load-run.ts";
import { workflowPath } from "./workflow.view.ts";

export const testTrigger = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow/:workflow/trigger/test",
  summary: "Test a trigger without starting a run",
  description:
    "Checks each condition and filter of the trigger against the given event, payload or finished run, with the rules that start runs. Members in " +
    "`trigger` replace the saved ones. `submission` is what you can send to `submit` to start the same run. A test of the kind `workflow` needs workflowrun/read as well.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  isNoChange: true,
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
