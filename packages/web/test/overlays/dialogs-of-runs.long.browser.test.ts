import { expect } from "vitest";
import { describeInBrowser } from "../kit/browser.ts";
import { approval, runSite, shell } from "../kit/run-site.ts";
import { openSite } from "../kit/site.ts";
import { lookAtEach, shop } from "./look-at-each.ts";
import { overRunsAndWorkflows } from "./runs-and-workflows.ts";

describeInBrowser("dialogs and menus of runs and workflows", async () => {
  const site = await openSite();
  const team = await shop(site);
  const runs = runSite(site);
  const { owner } = team.tokens;
  const params = [{ name: "city", type: "text", label: "City", default: "Lyon" }];
  const waiting = await runs.start(owner, team, [approval("vote")], { name: "report", displayName: "Report", params });
  await team.call("PUT", "/workflow", {
    name: "report",
    displayName: "Report",
    params,
    triggers: { webhook: { enabled: true } },
    tasks: [approval("vote"), shell("say", "true")],
  });
  await team.call("PUT", "/workflow/report/webhook-secret");
  const count = { name: "count", taskRef: "set-result-parameter", params: [{ name: "output", value: "count" }] };
  await team.call("PUT", "/workflow", {
    name: "batches",
    tasks: [{ name: "each", taskRef: "run-workflow", workflow: { tasks: [count] } }],
  });
  const { id } = await team.call("GET", "/workflow/report");
  await site.call(owner, "POST", "/api/v2/token", { type: "workflow", name: "caller", principal: id, permissions: ["webhook/action"] });
  await team.call("POST", "/workflow", { name: "guarded", tasks: [shell("say", "true")] });
  await team.call("PATCH", "", { approverGroups: [{ name: "releasers", approvers: [team.reader.id] }] });
  await team.call("PUT", "/workflow/guarded/protection", { approverGroup: "releasers" });
  await expect(team.call("PUT", "/workflow", { name: "guarded", tasks: [shell("say", "false")] })).rejects.toThrow("WORKFLOW_PROTECTED");
  const over = await runs.start(owner, team, [shell("fail", "echo gone; exit 1")], { name: "failing", params });
  await runs.over(owner, team, over.id);
  await team.call("PUT", "/workflow", { name: "failing", params, tasks: [shell("fail", "true")] });
  lookAtEach(site, overRunsAndWorkflows, team.tokens, { waiting: waiting.id, over: over.id, token: owner });
});
