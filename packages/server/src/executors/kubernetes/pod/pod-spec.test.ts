import { expect, test } from "vitest";
import type { StepPrivileges } from "../../../core/task/tekton/step-privileges.ts";
import { makeJob } from "../../exercise/scenario.ts";
import { jobManifest, secretFiles } from "../job-manifest.ts";
import { type PodTemplate, readPodTemplate } from "./pod-template.ts";
import { attemptFiles } from "./step-files.ts";

const imageRules = { registries: ["docker.io", "registry.corp:5000"], localImages: ["localhost/*"] };

function manifest(job = makeJob("true"), template: PodTemplate = {}) {
  const { steps, sidecars, files } = attemptFiles(job, false);
  const { sources } = secretFiles(files, "name", {});
  const fixed = { instance: "i", owner: "o", pendingMs: 1_000, helperImage: "busybox", helperPullPolicy: "IfNotPresent" as const };
  const made = jobManifest({
    job,
    steps,
    sidecars,
    sources,
    template,
    imageRules,
    hasParams: false,
    scratchBytes: 1 << 20,
    nonce: "0123456789abcdef",
    graceMs: 300,
    claimOf: ({ name }) => name,
    ...fixed,
  });
  return { job: made, pod: made.spec!.template.spec! };
}

test("no container has rights, a writable root or a token of the cluster", () => {
  const { pod, job } = manifest();
  expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false, restartPolicy: "Never" });
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
  expect([pod.hostNetwork, pod.hostPID, pod.hostIPC]).toEqual([undefined, undefined, undefined]);
  for (const { securityContext } of pod.containers)
    expect(securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  expect(job.spec).toMatchObject({ backoffLimit: 0, ttlSecondsAfterFinished: 600 });
});

test("every folder that a step may write in has a limit of its own", () => {
  const { pod } = manifest();
  const folders = (pod.volumes ?? []).flatMap(({ name, emptyDir }) => (emptyDir ? [[name, Number(emptyDir.sizeLimit)]] : []));
  expect(folders).toEqual([
    ["control", 4_194_304 + 16_777_216],
    ["task", (1 << 20) * 1.25],
  ]);
});

test("the limit for what a step writes outside of its folders needs no reserved space on a node", () => {
  const { pod } = manifest(makeJob([{ script: "true" }, { script: "true" }]));
  const folders = 4_194_304 + (1 << 20) * 1.25 + 16_777_216;
  for (const { resources } of pod.containers.slice(1)) {
    expect(Number(resources?.limits?.["ephemeral-storage"])).toBe(folders);
    expect(resources?.requests?.["ephemeral-storage"]).toBe("0");
  }
});

test("a step sees the programs that report for it read-only, at a path that its image can't predict", () => {
  const { pod } = manifest(makeJob("true"));
  const [, step] = pod.containers;
  const mounts = new Map(step?.volumeMounts?.map((mount) => [mount.mountPath, mount.readOnly]));
  expect(["/run/millrace/shared", "/run/millrace/own", "/run/millrace/task"].map((path) => mounts.get(path))).toEqual([true, true, true]);
  const programs = (step?.command ?? []).filter((word) => word.startsWith("/"));
  expect(programs.length).toBeGreaterThan(2);
  for (const path of programs) expect(path).toContain("/0123456789abcdef");
  const paths = pod.volumes?.flatMap(({ projected }) => projected?.sources ?? []).flatMap(({ secret }) => secret?.items ?? []);
  expect(paths?.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["millrace/collect", "0123456789abcdef/step", "0123456789abcdef/watch", "0123456789abcdef/launch-1"]),
  );
});

test("the collector and the wrapper know how many bytes and files a pod may keep", () => {
  const { pod } = manifest(makeJob("true"));
  expect(pod.containers[0]?.command?.slice(-3)).toEqual(["1024", "10000", "0123456789abcdef"]);
  expect(pod.containers[1]?.command?.slice(-2)).toEqual(["1024", "10000"]);
});

test("a step may write in its image where it says so", () => {
  const { pod } = manifest(makeJob([{ script: "true", hasWritableRoot: true }, { script: "true" }]));
  expect(pod.containers.map(({ securityContext }) => securityContext?.readOnlyRootFilesystem)).toEqual([true, false, true]);
});

const none = { isPrivileged: false, capabilities: [], dropped: [], mayEscalate: false };
const held = { allowPrivilegeEscalation: false, privileged: false, readOnlyRootFilesystem: true };
const root = { runAsUser: 0, runAsGroup: 0, runAsNonRoot: false };

test.each<[StepPrivileges | undefined, object]>([
  [undefined, { ...held, capabilities: { drop: ["ALL"] } }],
  [
    { ...none, isPrivileged: true, mayEscalate: true, user: 0 },
    { ...held, ...root, allowPrivilegeEscalation: true, privileged: true },
  ],
  [
    { ...none, capabilities: ["CHOWN"], user: 0 },
    { ...held, ...root, capabilities: { add: ["CHOWN"], drop: ["ALL"] } },
  ],
  [
    { ...none, capabilities: ["CHOWN"], user: 7, group: 8 },
    { ...held, runAsUser: 7, runAsGroup: 8, runAsNonRoot: true, capabilities: { add: ["CHOWN"], drop: ["ALL"] } },
  ],
  [
    { ...none, capabilities: ["ALL"], dropped: ["NET_ADMIN"], mayEscalate: true, user: 0 },
    { ...held, ...root, allowPrivilegeEscalation: true, capabilities: { add: ["ALL"], drop: ["NET_ADMIN"] } },
  ],
  [
    { ...none, mayEscalate: true },
    { ...held, allowPrivilegeEscalation: true, capabilities: { drop: ["ALL"] } },
  ],
])("a step with the privileges %j has the security context %j, and the others have none", (privileges, context) => {
  const { pod } = manifest(makeJob([{ script: "true", ...(privileges && { privileges }) }, { script: "true" }]));
  const [collector, step, other] = pod.containers.map(({ securityContext }) => securityContext);
  expect(step).toEqual(context);
  for (const plain of [collector, other]) expect(plain).toEqual({ ...held, capabilities: { drop: ["ALL"] } });
  expect([pod.hostNetwork, pod.hostPID, pod.securityContext?.runAsNonRoot]).toEqual([undefined, undefined, true]);
});

test("every pod pulls its image from the registry, whatever the step says, except local ones", () => {
  const { pod } = manifest(
    makeJob([
      { image: "busybox:1", script: "true" },
      { image: `registry.corp:5000/tool@sha256:${"a".repeat(64)}`, pullPolicy: "IfNotPresent", script: "true" },
      { image: "localhost/tool:1", pullPolicy: "Never", script: "true" },
      { image: "localhost/tool:1", script: "true" },
    ]),
  );
  expect(pod.containers.slice(1).map(({ image, imagePullPolicy }) => [image, imagePullPolicy])).toEqual([
    ["docker.io/library/busybox:1", "Always"],
    [`registry.corp:5000/tool@sha256:${"a".repeat(64)}`, "Always"],
    ["localhost/tool:1", "Never"],
    ["localhost/tool:1", undefined],
  ]);
});

test.each([
  [{ image: "busybox:1", pullPolicy: "Never" as const }, "MILLRACE_LOCAL_IMAGES"],
  [{ image: "quay.io/a/b" }, "MILLRACE_IMAGE_REGISTRIES does not list it"],
  [{ image: "169.254.169.254/a" }, "link-local or metadata address"],
  [{ image: "sha256:12ab" }, "is the id of an image"],
])("the image of %j is refused, with the reason", (step, reason) => {
  expect(() => manifest(makeJob([{ ...step, script: "true" }]))).toThrow(reason);
});

test("steps run one after the other, so what they request is not added up, and none may have more than the service allows", () => {
  const steps = [
    { script: "true", resources: { requests: { memoryBytes: 1000, cpuMillis: 500 } } },
    { script: "true", resources: { requests: { memoryBytes: 5000 }, limits: { memoryBytes: 2 ** 50 } } },
  ];
  const { pod } = manifest(makeJob(steps));
  expect(pod.containers.slice(1).map(({ resources }) => resources)).toMatchObject([
    { requests: { memory: "0", cpu: "500m" }, limits: { memory: "1073741824" } },
    { requests: { memory: "5000", cpu: "0m" }, limits: { memory: "1073741824" } },
  ]);
});

test("the template of the operator is used, and what the workflow of the task sets is added to it", () => {
  const template = readPodTemplate(
    "spec:\n  nodeSelector: {pool: build}\n  serviceAccountName: builder\n  securityContext: {runAsUser: 1234}\n",
  );
  const { pod } = manifest(makeJob("true", { scheduling: { nodeSelector: { disk: "ssd" } } }), template);
  expect(pod).toMatchObject({
    nodeSelector: { pool: "build", disk: "ssd" },
    serviceAccountName: "builder",
    automountServiceAccountToken: true,
  });
  expect(pod.securityContext).toMatchObject({ runAsUser: 1234, runAsGroup: 1234, fsGroup: 1234, runAsNonRoot: true });
});

test("a template that would break the isolation of pods is refused, and the message names the member", () => {
  for (const [text, member] of [
    ["hostNetwork: true", "hostNetwork"],
    ["hostPID: true", "hostPID"],
    ["volumes: [{name: a, hostPath: {path: /}}]", "volumes"],
    ["containers: []", "containers"],
    ["securityContext: {sysctls: []}", "securityContext.sysctls"],
    ["securityContext: {seccompProfile: {type: Unconfined}}", "securityContext.seccompProfile"],
  ] as const)
    expect(() => readPodTemplate(text)).toThrow(`the pod template can't have ${member}`);
  expect(() => readPodTemplate("- a")).toThrow("not an object");
  expect(() => readPodTemplate("a: [")).toThrow("neither YAML nor JSON");
  expect(readPodTemplate(undefined)).toEqual({});
});

test("large values are spread over Secrets that a cluster takes, and one that fits into none is refused", () => {
  const files = new Map(Array.from({ length: 5 }, (_, index) => [`params/p${index}`, "x".repeat(400_000)]));
  const { secrets, sources } = secretFiles(files, "name", { a: "b" });
  expect(secrets.map(({ metadata }) => metadata?.name)).toEqual(["name", "name-1", "name-2"]);
  expect(sources.flatMap(({ secret }) => secret?.items?.map(({ path }) => path))).toEqual([...files.keys()]);
  expect(secrets.every(({ immutable }) => immutable)).toBe(true);
  expect(() => secretFiles(new Map([["params/big", "x".repeat(1_000_000)]]), "name", {})).toThrow('"params/big" has 1000000 bytes');
});

test("a step that relies on the command of its image is refused with a remedy", () => {
  expect(() => attemptFiles(makeJob([{ name: "lazy", image: "x" }]), false)).toThrow(
    /step "lazy" has neither a script nor a command.*write the command/,
  );
});

test("a volume of a task is an emptyDir with a limit, or the files of the attempt's own Secrets, for the steps that mount it alone", () => {
  const mount = (volume: string, path: string, more = {}) => ({ volume, path, readOnly: false, ...more });
  const job = makeJob([{ script: "true", mounts: [mount("cache", "/cache"), mount("keys", "/task/home/.keys")] }, { script: "true" }], {
    volumes: [
      { name: "cache", scratch: { inMemory: true, sizeLimitBytes: 1000 } },
      { name: "keys", files: [{ path: "a/b", text: "hunter22", mode: 0o400 }] },
      { name: "none", files: [] },
    ],
  });
  const { pod } = manifest(job);
  const [, , fixed, cache, keys, none] = pod.volumes ?? [];
  expect(cache).toEqual({ name: "volume-0", emptyDir: { medium: "Memory", sizeLimit: "1250" } });
  const item = { key: expect.any(String), path: "a/b", mode: 0o400 };
  expect(keys).toEqual({ name: "volume-1", projected: { sources: [{ secret: { name: "name", items: [item] } }] } });
  expect(none).toEqual({ name: "volume-2", emptyDir: { sizeLimit: "4096" } });
  expect(fixed?.projected?.sources?.flatMap(({ secret }) => secret?.items ?? []).map(({ path }) => path)).not.toContainEqual(
    expect.stringMatching(/^volumes/),
  );
  const [collector, first, second] = pod.containers;
  const ofVolumes = (container = first) => container?.volumeMounts?.filter(({ name }) => name.startsWith("volume-"));
  expect(ofVolumes(collector)).toEqual([{ name: "volume-0", mountPath: "/run/millrace/volumes/0", readOnly: true }]);
  expect(collector?.command?.at(-1)).toBe("0:5");
  expect(ofVolumes(first)).toEqual([
    { name: "volume-0", mountPath: "/cache" },
    { name: "volume-1", mountPath: "/task/home/.keys", readOnly: true },
    { name: "volume-1", mountPath: "/tekton/home/.keys", readOnly: true },
  ]);
  expect(ofVolumes(second)).toEqual([]);
});
