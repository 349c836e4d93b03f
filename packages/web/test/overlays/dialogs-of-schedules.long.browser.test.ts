import { describeInBrowser } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";
import { lookAtEach, shop } from "./look-at-each.ts";
import { overSchedulesAndTasks } from "./schedules-and-tasks.ts";

describeInBrowser("dialogs and menus of schedules, tasks and templates", async () => {
  const site = await openSite();
  const team = await shop(site);
  const params = [{ name: "day", type: "text", label: "Day" }];
  await team.call("PUT", "/workflow", {
    name: "report",
    displayName: "Report",
    params,
    triggers: { schedule: { enabled: true } },
    tasks: [],
  });
  const night = { name: "Every night", workflowRef: "report", timezone: "Europe/London", cronSchedule: "30 2 * * *" };
  const { id } = await team.call("POST", "/schedule", night);
  const task = { displayName: "Greet", category: "Talk", type: "script", spec: { script: "#!/bin/sh\necho hello\n", params } };
  for (const displayName of ["Greeting", "Greet"]) await team.call("PUT", "/task/greet", { ...task, displayName });
  await team.call("PUT", "/task/rested", { ...task, displayName: "Rested", status: "inactive" });
  const template = { name: "wait", tasks: [] };
  await site.call(site.adminToken, "POST", "/api/v2/workflowtemplate", template);
  await site.call(site.adminToken, "PUT", "/api/v2/workflowtemplate", { ...template, description: "Waiting for nothing" });
  lookAtEach(site, overSchedulesAndTasks, team.tokens, { schedule: id });
});
