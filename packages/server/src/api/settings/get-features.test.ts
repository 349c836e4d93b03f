import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp({ isActivated: false });

test("GET features needs no credential and no activation, and may be kept for five minutes", async () => {
  const { status, headers, body } = await app.as(null).get("/api/v2/features");
  expect([status, headers["cache-control"]]).toEqual([200, "max-age=300"]);
  const on = Object.fromEntries(
    [
      "team.quotas",
      "workflow.quotas",
      "workflow.triggers",
      "workflow.tokens",
      "team.parameters",
      "global.parameters",
      "team.management",
      "user.management",
      "activity",
      "insights",
      "team.tasks",
    ].map((name) => [name, true]),
  );
  expect(body).toEqual({
    features: { ...on, "enable.verified.tasks.edit": false },
    quotas: { maxActivityStorageSize: "2Gi", maxWorkflowStorageSize: "2Gi" },
  });
});

test.each([
  ["task", "edit.verified", "true", "enable.verified.tasks.edit"],
  ["features", "teamQuotas", "false", "team.quotas"],
  ["features", "workflowTriggers", "false", "workflow.triggers"],
  ["features", "workflowTokens", "false", "workflow.tokens"],
  ["features", "teamParameters", "false", "team.parameters"],
  ["features", "globalParameters", "false", "global.parameters"],
  ["features", "teamManagement", "false", "team.management"],
  ["features", "userManagement", "false", "user.management"],
  ["features", "activity", "false", "activity"],
  ["features", "insights", "false", "insights"],
  ["features", "teamTasks", "false", "team.tasks"],
])("the setting %s/%s %s is the feature %s, at once", async (id, key, value, feature) => {
  await app.as().put("/api/v2/settings", [{ id, config: [{ key, value }] }]);
  expect((await app.as(null).get("/api/v2/features")).body.features[feature]).toBe(value === "true");
});

test("a bad credential does not prevent reading them, and they are read-only", async () => {
  expect((await app.as("mrg_unknown").get("/api/v2/features")).status).toBe(200);
  expect((await app.as().put("/api/v2/features", {})).status).toBe(405);
});
