import type { TaskInput } from "@millrace/contract/task/task.ts";
import { expect, test } from "vitest";
import { findTaskFaults } from "../check-task.ts";
import { contextNotes } from "../context-warnings.ts";
import { resolveSteps } from "../job-steps.ts";
import { findRunDemands } from "../runnable.ts";
import { contentOfTask } from "../task-content.ts";
import { findTaskWarnings } from "../task-warnings.ts";
import { jobSidecars } from "./job-sidecars.ts";

const db = { name: "db", image: "postgres" };
const steps = [{ name: "test", image: "alpine", script: "true" }];
const contentOf = (sidecars: unknown, more: object = {}, annotations = {}) =>
  contentOfTask({ name: "t", spec: { steps, sidecars, ...more } as TaskInput["spec"], annotations });
const faults = (...parts: Parameters<typeof contentOf>): string[] =>
  findTaskFaults(contentOf(...parts), "template").map(({ path, message }) => `${path} ${message}`);
const mounts = [{ name: "v", mountPath: "/v" }];
const volumes = [{ name: "v", emptyDir: {} }];

test("what Tekton takes is taken", () => {
  const sidecar = {
    ...db,
    command: ["postgres"],
    env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
    envFrom: [{ secretRef: { name: "s" } }],
    workingDir: "/data",
    volumeMounts: mounts,
    workspaces: [{ name: "w" }],
    readinessProbe: { httpGet: { port: "http", path: "/" } },
    computeResources: { limits: { memory: "64Mi" } },
    securityContext: { runAsUser: 5 },
    ports: [{ name: "http", containerPort: 80 }],
    imagePullPolicy: "Always",
  };
  expect(faults([sidecar, { image: "b" }], { volumes, workspaces: [{ name: "w" }] })).toEqual([]);
});

test.each<[string, unknown[], object, string]>([
  ["two of one name", [db, db], {}, "/spec/sidecars/1/name is db, but another of the sidecars has that name"],
  [
    "the log of a step",
    [{ ...db, name: "x" }],
    { steps: [{ name: "sidecar-x", script: "true" }] },
    "/spec/sidecars/0/name is x, but a step is called sidecar-x, as its log would be",
  ],
  ["no image", [{ name: "db", image: " " }], {}, "/spec/sidecars/0/image is missing; a sidecar runs in an image of its own"],
  [
    "too many",
    Array.from({ length: 1000 }, (_, index) => ({ ...db, name: `s${index}` })),
    {},
    "/spec/sidecars has 1000 sidecars; a task can have 10",
  ],
  ["a bad probe", [{ ...db, readinessProbe: { tcpSocket: { port: 0 } } }], {}, "/spec/sidecars/0/readinessProbe/tcpSocket/port is 0"],
  ["an unknown volume", [{ ...db, volumeMounts: mounts }], {}, "/spec/sidecars/0/volumeMounts/0/name is v, but the task has no volume"],
  [
    "a volume in the home",
    [{ ...db, volumeMounts: [{ name: "v", mountPath: "/tekton/home/.x" }] }],
    { volumes },
    '/spec/sidecars/0/volumeMounts/0/mountPath is "/tekton/home/.x"; it must not be in the home, which a sidecar has for itself alone',
  ],
  [
    "a part of what a step has as a whole",
    [{ ...db, volumeMounts: [{ ...mounts[0], subPath: "a" }] }],
    { volumes, steps: [{ ...steps[0], volumeMounts: mounts }] },
    "/spec/sidecars/0/volumeMounts/0/subPath is a part of what another mount of v has as a whole",
  ],
  ["an unknown workspace", [{ ...db, workspaces: [{ name: "w" }] }], {}, '/spec/sidecars/0/workspaces/0/name is "w", but the task has no'],
  ["workspaces that are none", [{ ...db, workspaces: [null] }], {}, "/spec/sidecars/0/workspaces must be a list of names"],
  [
    "another place of a workspace",
    [{ ...db, workspaces: [{ name: "w", mountPath: "/x" }] }],
    { workspaces: [{ name: "w" }] },
    '/spec/sidecars/0/workspaces/0/mountPath is "/x"; a sidecar has a workspace where the steps have it',
  ],
  [
    "the result of a step",
    [{ ...db, env: [{ name: "A", value: "$(steps.test.results.r)" }] }],
    {},
    "/spec/sidecars/0/env refers to $(steps.test.results.r), but a sidecar has no results",
  ],
  ["a result of the task", [{ ...db, script: "x > $(results.r.path)" }], {}, "/spec/sidecars/0/script refers to $(results.r.path), but"],
  [
    "a field of a pod",
    [{ ...db, env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "x" } } }] }],
    {},
    "/spec/sidecars/0/env/0/valueFrom cannot be run by any executor: the task takes A from a field that only pods have (fieldRef)",
  ],
  [
    "no quantity",
    [{ ...db, computeResources: { limits: { memory: "lots" } } }],
    {},
    '/spec/sidecars/0/computeResources/limits/memory is "lots"; it must be a quantity',
  ],
  [
    "a volume of a machine",
    [{ ...db, volumeMounts: mounts }],
    { volumes: [{ name: "v", hostPath: { path: "/" } }] },
    "/spec/volumes/0 cannot be run by any executor: the task mounts the volume v (hostPath)",
  ],
])("%s is refused when it is saved", (_what, sidecars, more, expected) => {
  expect(faults(sidecars, more).join("\n")).toContain(expected);
});

test("a task that says that it runs as a process can't have any", () => {
  expect(faults([db], {}, { "millrace.dev/executor": "process" })).toEqual([
    expect.stringContaining("/spec/sidecars can't run beside a process of the machine"),
  ]);
});

test("members that nothing honours are kept, and named when it is to be run", () => {
  const odd = { ...db, command: ["x"], livenessProbe: {}, startupProbe: {}, lifecycle: {}, volumeDevices: [{}], restartPolicy: "Always" };
  expect(faults([odd])).toEqual([]);
  const demands = findRunDemands(contentOf([odd])).map(({ what, executors }) => `${what} [${executors}]`);
  expect(demands.slice(1)).toEqual([
    "has sidecars (db) [container,kubernetes]",
    ...["livenessProbe", "startupProbe", "lifecycle", "volumeDevices", "restartPolicy"].map(
      (member) => `uses ${member} in the sidecar db []`,
    ),
  ]);
});

test("parameters, secrets and mounts are put in as in steps, and nothing of the step template", () => {
  const sidecar = {
    ...db,
    image: "$(params.image)",
    args: ["$(params.list[*])", "$(steps.a.results.b)"],
    env: [
      { name: "A", value: "$(params.image)" },
      { name: "B", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
    ],
    volumeMounts: [{ name: "v", mountPath: "$(params.path)", readOnly: true }],
    workspaces: [{ name: "w" }],
    readinessProbe: { exec: { command: ["$(params.image)"] } },
    onError: "continue",
    timeout: "1s",
  };
  const { name, spec, annotations } = contentOf([sidecar], {
    volumes,
    stepTemplate: { env: [{ name: "T", value: "t" }], workingDir: "/t" },
  });
  const task = { name, type: "template", spec, annotations };
  const params = { image: "pg:16", list: ["x", "y"], path: "/v/" };
  const resolved = resolveSteps(task, { task: params }, () => ({ k: "$(params.image)" }));
  expect(resolved.volumes).toEqual([{ name: "v", scratch: { inMemory: false } }]);
  expect(jobSidecars({ spec }, resolved.sidecars)).toEqual([
    {
      name: "db",
      image: "pg:16",
      args: ["x", "y", ""],
      env: [
        { name: "A", value: "pg:16" },
        { name: "B", value: "$(params.image)" },
      ],
      mounts: [{ volume: "v", path: "/v", readOnly: true }],
      workspaces: ["w"],
      probe: expect.objectContaining({ action: { kind: "exec", command: ["$(params.image)"] } }),
    },
  ]);
});

test("a mount in the home that comes from a parameter is refused before the run", () => {
  const { name, spec, annotations } = contentOf([{ ...db, volumeMounts: [{ name: "v", mountPath: "$(params.path)" }] }], { volumes });
  const act = () => resolveSteps({ name, type: "template", spec, annotations }, { task: { path: "/task/home/x" } }, () => undefined);
  expect(act).toThrow('sidecar "db" can\'t mount the volume v at "/task/home/x": it must not be in the home');
});

test("parameters that the task does not declare are warned about, and users without effect are named in the log", () => {
  const { spec, ...content } = contentOf([{ ...db, script: "$(params.other)", securityContext: { runAsUser: 70 } }]);
  expect(findTaskWarnings(spec, "t")).toEqual([
    { path: "/spec/sidecars/0", subject: "sidecar db", message: "refers to the parameter other, which the task does not declare" },
    expect.objectContaining({ path: "/spec/sidecars/0/securityContext/runAsUser" }),
  ]);
  expect(contextNotes({ ...content, type: "template", spec })).toEqual([
    "sidecar db asks for runAsUser 70, which has no effect: without privileges steps run as a user of their own",
  ]);
});
