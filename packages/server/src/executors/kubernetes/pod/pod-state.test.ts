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
const names = { steps: ["build"], sidecars: ["db"] };

describe("a pod that can't succeed any more", () => {
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
    // Faults of the cluster or its nodes are not failures of the task.
    const status = { Evicted: "lost", NodeLost: "lost", DeadlineExceeded: "timedout" }[reason] ?? "failed";
    test(`${name}: ${reason}`, () => expect(podState(job, found, names).dead).toMatchObject({ status, reason }));
  }

  test.each([
    ["a folder", 'Usage of EmptyDir volume "task" exceeds the limit "1Gi".'],
    ["a container", 'Container step-1 exceeded its local ephemeral storage limit "1Gi". '],
    ["a pod", "Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. "],
  ])("%s with more on the disk than allowed is a full workspace, which is not tried again", (_, message) => {
    expect(podState(noJob, pod({ phase: "Failed", reason: "Evicted", message }), names).dead).toMatchObject({
      status: "failed",
      reason: "WorkspaceFull",
    });
  });
});

describe("a pod that is stuck", () => {
  const waiting = (reason: string, message = ""): V1Pod =>
    pod({ containerStatuses: [container("step-1", { waiting: { reason, message } })] });
  const ended = (exitCode: number, reason: string, message: string): V1Pod =>
    pod({ containerStatuses: [container("step-1", { terminated: { exitCode, reason, message } })] });
  const pullOf = `failed to pull and unpack image "docker.io/library/golang:1": `;
  const cases: [string, V1Pod, string, boolean][] = [
    [
      "a container that can't be started",
      ended(128, "StartError", "failed to create shim task: argument list too long"),
      "ExecutorError",
      true,
    ],
    ["an image that the wrapper refuses", ended(70, "Error", "refused: the image has a volume\n"), "ImagePullFailed", true],
    ["ErrImagePull", waiting("ErrImagePull", "dial tcp: i/o timeout"), "ImagePullFailed", false],
    ["ImagePullBackOff", waiting("ImagePullBackOff"), "ImagePullFailed", false],
    ["an image that its registry does not know", waiting("ErrImagePull", "manifest unknown: not found"), "ImagePullFailed", true],
    ["credentials that are missing", waiting("ErrImagePull", "insufficient_scope: authorization failed"), "ImagePullFailed", true],
    [
      "an image for another platform",
      waiting("ErrImagePull", `${pullOf}no match for platform in manifest: not found`),
      "ImagePullFailed",
      true,
    ],
    ["a registry that gave out enough", waiting("ErrImagePull", `${pullOf}429 Too Many Requests`), "ImagePullFailed", true],
    ["a node whose disk is full", waiting("ErrImagePull", `${pullOf}write /var/x: no space left on device`), "MachineFault", false],
    ["RegistryUnavailable", waiting("RegistryUnavailable"), "ImagePullFailed", false],
    ["InvalidImageName", waiting("InvalidImageName"), "ImagePullFailed", true],
    ["ErrImageNeverPull", waiting("ErrImageNeverPull"), "ImagePullFailed", true],
    ["RunContainerError", waiting("RunContainerError", "exec format error"), "ExecutorError", false],
    ["a file where a folder belongs", waiting("CreateContainerError", "mounting to /tmp: not a directory"), "ExecutorError", true],
    [
      "a node that is silent",
      pod({ conditions: [{ type: "Ready", status: "False" }], containerStatuses: [container("step-1", running, true)] }),
      "NodeLost",
      false,
    ],
  ];
  for (const [name, found, reason, isCertain] of cases) {
    test(`${name}: ${reason}${isCertain ? ", for certain" : ""}`, () => {
      const { stuck, dead } = podState(noJob, found, names);
      expect(dead).toBeUndefined();
      expect(stuck).toMatchObject({ isCertain, verdict: { reason } });
    });
  }

  test("a temporary problem is waited for briefly, and a silent node is recognised", () => {
    const stuck = (reason: string, message?: string) => podState(noJob, waiting(reason, message), names).stuck;
    expect(stuck("ErrImagePull", "dial tcp 1.2.3.4:443: i/o timeout")).toMatchObject({ isBrief: true });
    expect(stuck("ErrImagePull", "write /var/x: no space left on device")).toMatchObject({ isBrief: true });
    expect(stuck("ImagePullBackOff", 'Back-off pulling image "golang:1"')).toMatchObject({ isVague: true });
    const withReason = 'Back-off pulling image "golang:1": ErrImagePull: dial tcp: lookup docker.io: no such host';
    expect(stuck("ImagePullBackOff", withReason)).toMatchObject({ isBrief: true });
    expect(stuck("ImagePullBackOff", withReason)).not.toHaveProperty("isVague");
  });

  test("an image that can't be had is reported with its step, registry, node and remedy", () => {
    const message = (reason: string, words: string) => podState(noJob, waiting(reason, words), names).stuck?.verdict.message;
    expect(message("ErrImagePull", "dial tcp: lookup docker.io on 10.96.0.10:53: no such host")).toBe(
      `the image golang:1 of step "build" can't be pulled: the registry docker.io can't be reached: its name can't be resolved; check its address and the network of the node node-1 (dial tcp: lookup docker.io on 10.96.0.10:53: no such host)`,
    );
    expect(message("ErrImagePull", "insufficient_scope: authorization failed")).toContain(
      "or requires credentials; check the name, or add credentials in imagePullSecrets of the pod template",
    );
    expect(message("ErrImageNeverPull", "")).toBe(
      'the image golang:1 of step "build" is not on the node node-1, and its pull policy is Never',
    );
  });

  test("the message of the scheduler is reported", () => {
    const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes are available" }];
    expect(podState(noJob, pod({ conditions }), names).stuck?.verdict).toMatchObject({
      reason: "Unschedulable",
      message: "no node can run the pod: 0/3 nodes are available",
    });
  });

  test("one that is starting, or not ready for other reasons, is not reported", () => {
    for (const state of [running, { waiting: { reason: "ContainerCreating" } }, { waiting: { reason: "PodInitializing" } }]) {
      const conditions = [{ type: "Ready", status: "False", reason: "ContainersNotReady" }];
      expect(podState(noJob, pod({ conditions, containerStatuses: [container("step-1", state)] }), names)).toMatchObject({
        isPlaced: true,
      });
      expect(podState(noJob, pod({ conditions, containerStatuses: [container("step-1", state)] }), names).stuck).toBeUndefined();
    }
  });
});

test("the collector can be asked once it runs", () => {
  expect(podState(noJob, pod({ containerStatuses: [container("collector", running)] }), names).isReady).toBe(true);
  expect(podState(noJob, undefined, names)).toEqual({ isReady: false, isPlaced: false });
});

test("the record of where it ran has the node, the pod and the digest of each image", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const status = { ...container("step-1", running), imageID: `docker.io/library/golang@${digest}` };
  expect(jobPlace(pod({ containerStatuses: [status] }), names.steps)).toEqual({
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

test("a sidecar whose image can't be pulled is named, and a refusal in its status is recognised like that of a step", () => {
  const stuck = (state: object) => podState(noJob, pod({ containerStatuses: [container("sidecar-1", state)] }), names).stuck;
  const waiting = stuck({ waiting: { reason: "ErrImageNeverPull" } });
  expect(waiting).toMatchObject({ isSidecar: true, isCertain: true, phase: "image" });
  expect(waiting?.verdict.message).toContain('of sidecar "db" is not on the node node-1');
  const refused = stuck({ terminated: { exitCode: 70, message: "refused: the image has a volume" } });
  expect(refused).toMatchObject({
    isSidecar: true,
    verdict: { reason: "ImagePullFailed", message: expect.stringContaining('sidecar "db" can') },
  });
});
