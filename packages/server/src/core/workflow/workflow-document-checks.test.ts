import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { describe, expect, test } from "vitest";
import { toInstanceSettings } from "../settings/instance-settings.ts";
import { effectiveQuotas, unlimitedQuotas } from "../team/quota.ts";
import { documentOf } from "./workflow-document.ts";
import { documentFaults, findOversizedWorkspace, sizedWorkspaces } from "./workflow-document-checks.ts";

const faults = (rest: Partial<WorkflowInput>) =>
  documentFaults(documentOf({ name: "w", ...rest })).map(({ path, message }) => `${path} ${message}`);
const taskFault = (task: object) => faults({ tasks: [{ name: "a", ...task }] });

test("a plain document has no faults", () => {
  const tasks = [{ name: "a", forEach: { items: "$(params.list)" }, workspaces: [{ name: "workflow", mountPath: "/w" }] }];
  expect(
    faults({ params: [{ name: "p" }], workspaces: [{ name: "workflow", spec: { size: 2 } }, { name: "workflowrun" }], tasks }),
  ).toEqual([]);
});

describe("refused is", () => {
  test.each([
    [
      "a parameter that is there twice",
      faults({ params: [{ name: "p" }, { name: "p" }] }),
      "/params/1/name another parameter has the name p",
    ],
    [
      "two workspaces of one type",
      faults({
        workspaces: [
          { name: "a", type: "workflow" },
          { name: "b", type: "workflow" },
        ],
      }),
      "/workspaces/1/name another workspace",
    ],
    ["a size that is none", faults({ workspaces: [{ name: "a", spec: { size: "much" } }] }), "/workspaces/0/spec/size is much"],
    ["a relative mount path", faults({ workspaces: [{ name: "a", spec: { mountPath: "w" } }] }), "/workspaces/0/spec/mountPath must be"],
    [
      "a mount path that climbs",
      faults({ workspaces: [{ name: "a", spec: { mountPath: "/w/../etc" } }] }),
      "/workspaces/0/spec/mountPath must be",
    ],
    ["the same at a task", taskFault({ workspaces: [{ name: "a", mountPath: "w" }] }), "/tasks/0/workspaces/0/mountPath must be"],
    [
      "a workspace below another one",
      faults({
        workspaces: [
          { name: "workflow", spec: { mountPath: "/w/" } },
          { name: "workflowrun", spec: { mountPath: "/w//link" } },
        ],
      }),
      '/workspaces/1/spec/mountPath workspaces "workflow" and "workflowrun" can\'t be mounted at /w and below it at /w/link',
    ],
    [
      "a workspace below the usual place of another one",
      faults({ workspaces: [{ name: "workflow" }, { name: "workflowrun", spec: { mountPath: "/workspace/workflow" } }] }),
      "both at /workspace/workflow",
    ],
    [
      "bindings of a task one below the other",
      taskFault({
        workspaces: [
          { name: "a", type: "workflow", mountPath: "/w/link" },
          { name: "b", type: "workflow", mountPath: "/w" },
        ],
      }),
      "/tasks/0/workspaces/0/mountPath workspaces",
    ],
    ["two values for one parameter", taskFault({ params: [{ name: "p" }, { name: "p" }] }), "/tasks/0/params/1/name another value"],
    ["two results of one name", taskFault({ results: [{ name: "r" }, { name: "r" }] }), "/tasks/0/results/1/name another result"],
    [
      "a node that says how its script is read",
      taskFault({ annotations: { "millrace.dev/language": "python" } }),
      "/tasks/0/annotations/millrace.dev~1language belongs to the task",
    ],
    [
      "a node that allows what its task does not",
      taskFault({ annotations: { "millrace.dev/keep-alive": "with-secrets" } }),
      '/tasks/0/annotations/millrace.dev~1keep-alive is "with-secrets"; a node can only say false',
    ],
    [
      "a task that runs on what there is not",
      taskFault({ annotations: { "millrace.dev/executor": "vm" } }),
      '/tasks/0/annotations/millrace.dev~1executor is "vm"; it must be one of',
    ],
    ["a canvas", faults({ nodes: [] }), "/nodes belongs to the canvas"],
  ])("%s", (_, found, expected) => {
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });
});

describe("a workspace and its quota", () => {
  const quotas = effectiveQuotas({ maxWorkflowStorage: 2, maxWorkflowRunStorage: 4 });
  test.each([
    ["as large as the quota is fine", "workflow", "2Gi", undefined],
    ["without a size is fine", "workflow", undefined, undefined],
    ["larger than it is found", "workflow", "2049Mi", { quota: "maxWorkflowStorage", asked: "2049Mi", maxGi: 2 }],
    ["of a run has a quota of its own", "workflowrun", 5, { quota: "maxWorkflowRunStorage", asked: "5", maxGi: 4 }],
  ])("%s", (_, type, size, expected) => {
    expect(findOversizedWorkspace([{ name: type, type, spec: { size } }], quotas)).toEqual(expected);
  });
});

test("a workspace without a size gets the default of the instance, within the quota and the largest size there is", () => {
  const { storage } = toInstanceSettings(new Map([["workflowrun/storage.size", "3Gi"]]), 0);
  const workspace = { name: "workflowrun" };
  const quotas = (gi: number) => effectiveQuotas({ maxWorkflowRunStorage: gi });
  const given = { name: "workflow", spec: { size: 1, mountPath: "/x" } };
  expect(sizedWorkspaces([workspace, given, { name: "other" }], quotas(7), storage)).toEqual([
    { name: "workflowrun", spec: { size: "3Gi" } },
    given,
    { name: "other" },
  ]);
  const sizeWith = (limits: Parameters<typeof sizedWorkspaces>[1], size?: string) =>
    sizedWorkspaces([{ ...workspace, ...(size && { spec: { size } }) }], limits, storage)[0]?.spec?.size;
  expect([sizeWith(quotas(2)), sizeWith(unlimitedQuotas), sizeWith(unlimitedQuotas, "100Gi")]).toEqual(["2Gi", "3Gi", "5Gi"]);
  expect(findOversizedWorkspace([workspace], quotas(0))).toEqual({ quota: "maxWorkflowRunStorage", asked: "some", maxGi: 0 });
});
