import type { V1Job, V1Pod } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { containerEnd, jobPlace, podState } from "./pod-state.ts";

function pod(status: V1Pod["status"], metadata: V1Pod["metadata"] = {}): V1Pod {
  return {
    metadata: { name: "pod-1", ...metadata },
    spec: { nodeName: "node-1", containers: [{ name: "step-1", image: "golang:1" }] },
    status: status ?? {},
  };
}

function container(name: string, state: object, ready = false): NonNullable<NonNullable<V1Pod["status"]>["containerStatuses"]>[0] {
  return { name, state, ready, image: "golang:1", imageID: "", restartCount: 0 };
}

const running = { running: { startedAt: new Date() } };
const noJob: V1Job = {};

describe("a pod that nothing can come of any more", () => {
  const cases: [string, V1Pod | undefined, V1Job, string][] = [
    ["eviction", pod({ phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." }), noJob, "Evicted"],
    ["removal", pod({}, { deletionTimestamp: new Date() }), noJob, "Evicted"],
    ["pre-emption", pod({ conditions: [{ type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" }] }), noJob, "Evicted"],
    ["a lost node", pod({ reason: "NodeLost" }, { deletionTimestamp: new Date() }), noJob, "NodeLost"],
    ["a node that refuses it", pod({ phase: "Failed", reason: "OutOfcpu" }), noJob, "Evicted"],
    [
      "the deadline of the Job",
      undefined,
      { status: { conditions: [{ type: "Failed", status: "True", reason: "DeadlineExceeded" }] } },
      "DeadlineExceeded",
    ],
    [
      "a collector that ended",
      pod({ containerStatuses: [container("collector", { terminated: { exitCode: 127 } })] }),
      noJob,
      "ExecutorError",
    ],
  ];
  for (const [name, found, job, reason] of cases) {
    test(`${name}: ${reason}`, () => expect(podState(job, found, ["build"]).dead?.reason).toBe(reason));
  }

  test("an emptyDir over its size is a full workspace", () => {
    const message = 'Usage of EmptyDir volume "task" exceeds the limit "1Gi".';
    expect(podState(noJob, pod({ phase: "Failed", reason: "Evicted", message }), ["build"]).dead).toMatchObject({
      reason: "WorkspaceFull",
    });
  });
});

describe("a pod that does not go on", () => {
  const waiting = (reason: string, message = ""): V1Pod =>
    pod({ containerStatuses: [container("step-1", { waiting: { reason, message } })] });
  const cases: [string, V1Pod, string, boolean][] = [
    ["ErrImagePull", waiting("ErrImagePull", "dial tcp: i/o timeout"), "ImagePullFailed", false],
    ["ImagePullBackOff", waiting("ImagePullBackOff"), "ImagePullFailed", false],
    ["an image that its registry does not know", waiting("ErrImagePull", "manifest unknown: not found"), "ImagePullFailed", true],
    ["InvalidImageName", waiting("InvalidImageName"), "ImagePullFailed", true],
    ["ErrImageNeverPull", waiting("ErrImageNeverPull"), "ImagePullFailed", true],
    ["RunContainerError", waiting("RunContainerError", "exec format error"), "ExecutorError", false],
    [
      "a node that is silent",
      pod({ conditions: [{ type: "Ready", status: "False" }], containerStatuses: [container("step-1", running, true)] }),
      "NodeLost",
      false,
    ],
  ];
  for (const [name, found, reason, isCertain] of cases) {
    test(`${name}: ${reason}${isCertain ? ", for certain" : ""}`, () => {
      const { stuck, dead } = podState(noJob, found, ["build"]);
      expect(dead).toBeUndefined();
      expect(stuck).toMatchObject({ isCertain, verdict: { reason } });
    });
  }

  test("the words of the scheduler are told", () => {
    const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes are available" }];
    expect(podState(noJob, pod({ conditions }), ["build"]).stuck?.verdict).toMatchObject({
      reason: "Unschedulable",
      message: "no node takes the pod: 0/3 nodes are available",
    });
  });

  test("one that starts, or whose container is not ready for other reasons, is left alone", () => {
    for (const state of [running, { waiting: { reason: "ContainerCreating" } }, { waiting: { reason: "PodInitializing" } }]) {
      const conditions = [{ type: "Ready", status: "False", reason: "ContainersNotReady" }];
      expect(podState(noJob, pod({ conditions, containerStatuses: [container("step-1", state)] }), ["build"])).toMatchObject({
        isPlaced: true,
      });
      expect(podState(noJob, pod({ conditions, containerStatuses: [container("step-1", state)] }), ["build"]).stuck).toBeUndefined();
    }
  });
});

test("the collector can be asked once it runs", () => {
  expect(podState(noJob, pod({ containerStatuses: [container("collector", running)] }), ["build"]).isReady).toBe(true);
  expect(podState(noJob, undefined, ["build"])).toEqual({ isReady: false, isPlaced: false });
});

test("where it ran says node, pod and the digest of each image", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const status = { ...container("step-1", running), imageID: `docker.io/library/golang@${digest}` };
  expect(jobPlace(pod({ containerStatuses: [status] }), ["build"])).toEqual({
    node: "node-1",
    unit: "pod-1",
    images: [{ step: "build", image: "golang:1", digest }],
  });
});

test("a container that the kernel ended says so", () => {
  const found = pod({ containerStatuses: [container("step-1", { terminated: { exitCode: 137, reason: "OOMKilled" } })] });
  expect(containerEnd(found, 0)).toMatchObject({ exitCode: 137, isOutOfMemory: true });
  expect(containerEnd(found, 1)).toBeUndefined();
});
