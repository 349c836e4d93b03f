import type { Step, Volume } from "@millrace/contract/task/task.ts";
import { describe, expect, it } from "vitest";
import { createMasker } from "../../../../base/secret/mask.ts";
import { findTaskFaults } from "../check-task.ts";
import { type FindSource, MissingSource } from "../env-sources.ts";
import { resolveSteps } from "../job-steps.ts";
import { InvalidMount } from "./volume-mounts.ts";

const sources: Record<string, Record<string, unknown>> = {
  "secret registry": { user: "someone", password: "$(params.name)" },
  "config settings": { level: "debug", port: 8080 },
  "config odd": JSON.parse('{ "__proto__": "proto", "../x": "escape" }'),
  "config many": Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, "text"])),
  "config large": { text: "x".repeat(5_000_000) },
};
const find: FindSource = (kind, name) => (Object.hasOwn(sources, `${kind} ${name}`) ? sources[`${kind} ${name}`] : undefined);

const secret = `hunter22"${"z".repeat(100)}`;

const at = (mountPath: string, more: object = {}) => ({ name: "v", mountPath, ...more });
type Written = Omit<Volume, "name">;

function saved(volume: Written, mounts: Step["volumeMounts"] = [at("/v")], ...more: Step["volumeMounts"][]): string[] {
  const steps = [mounts, ...more].map((volumeMounts, index) => ({ name: `s${index}`, script: "true", volumeMounts }));
  const content = { name: "t", annotations: {}, spec: { params: [], results: [], steps, volumes: [{ name: "v", ...volume }] } };
  return findTaskFaults(content as never, "template").map(({ path, message }) => `${path} ${message}`);
}

function resolved(volume: Written, mounts: Step["volumeMounts"] = [at("/v")], params: object = { name: "registry" }) {
  const spec = { steps: [{ name: "s", script: "true", volumeMounts: mounts }], volumes: [{ name: "v", ...volume }] };
  const task = { name: "t", type: "template", spec, annotations: {} };
  const { steps, volumes } = resolveSteps(task as never, { task: params as Record<string, unknown> }, find);
  return { mounts: steps[0]?.mounts, volume: volumes[0] };
}

it.each<[string, Written, object]>([
  ["a path", { emptyDir: {} }, at("$(params.secret)")],
  ["a path of the sandbox", { emptyDir: {} }, at("/proc/$(params.secret)")],
  ["a part", { emptyDir: {} }, at("/v", { subPath: "../$(params.secret)" })],
  ["a volume", { emptyDir: {} }, { ...at("/v"), name: "$(params.secret)" }],
  ["a file", { configMap: { name: "settings", items: [{ key: "level", path: "../$(params.secret)" }] } }, at("/v")],
  [
    "a file and a folder",
    {
      configMap: {
        name: "settings",
        items: [
          { key: "level", path: "$(params.secret)" },
          { key: "level", path: "$(params.secret)/x" },
        ],
      },
    },
    at("/v"),
  ],
])("a secret in the name of %s is masked before a message quotes or cuts it", (_what, volume, mount) => {
  const spec = { steps: [{ name: "s", script: "true", volumeMounts: [mount] }], volumes: [{ name: "v", ...volume }] };
  const task = { name: "t", type: "template", spec, annotations: {} };
  const { maskText } = createMasker([secret]);
  const messageOf = (mask?: (text: string) => string) => {
    try {
      resolveSteps(task as never, { task: { secret } }, find, mask);
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  expect(messageOf()).toContain("hunter22");
  expect(messageOf(maskText)).toContain("***");
  expect(messageOf(maskText)).not.toContain("hunter22");
});

it.each([
  ["two slashes", "hunter//22", "/v/$(params.secret)"],
  ["a slash at its end", "/hunter/22/", "$(params.secret)"],
  ["the other name of the home", "/tekton/home/hunter/22", "$(params.secret)"],
])("a secret with %s in a path stands in no message in another spelling", (_what, value, path) => {
  // Both mounts have the same path; every message shows it in its canonical spelling.
  const volumeMounts = [at(path), at(path)];
  const spec = { steps: [{ name: "s", script: "true", volumeMounts }], volumes: [{ name: "v", emptyDir: {} }] };
  const task = { name: "t", type: "template", spec, annotations: {} };
  const { maskText } = createMasker([value]);
  const resolve = () => resolveSteps(task as never, { task: { secret: value } }, find, maskText);
  expect(resolve).toThrow("a secret");
  expect(resolve).not.toThrow("hunter/22");
  // Others may be written in any spelling.
  const params = { secret: "/plain//place/" };
  expect(resolved({ emptyDir: {} }, [at("$(params.secret)")], params).mounts).toEqual([
    { volume: "v", path: "/plain/place", readOnly: false },
  ]);
});

describe("a task with volumes, when it is saved", () => {
  it.each<[Written]>([
    [{ emptyDir: {} }],
    [{}],
    [{ emptyDir: { medium: "Memory", sizeLimit: "64Mi" } }],
    [{ emptyDir: { sizeLimit: 0 } }],
    [{ emptyDir: { sizeLimit: "0Mi" } }],
    [{ secret: { secretName: "$(params.name)", defaultMode: 0o400, optional: true } }],
    [{ configMap: { name: "c", items: [{ key: "../x", path: "a/b", mode: 0o777 }] } }],
    [{ projected: { sources: [{ secret: { name: "s" } }, { configMap: { name: "c" } }] } }],
  ])("may mount %j", (volume) => expect(saved(volume)).toEqual([]));

  it.each<[Written, string]>([
    [
      { hostPath: { path: "/" } },
      "/spec/volumes/0 cannot be run by any executor: the task mounts the volume v (hostPath); use a workspace",
    ],
    [{ persistentVolumeClaim: { claimName: "c" } }, "(persistentVolumeClaim); use a workspace"],
    [{ csi: {}, emptyDir: {} }, "(csi); use a workspace"],
    [{ projected: { sources: [{ serviceAccountToken: {} }] } }, "(projected.serviceAccountToken); use a workspace"],
    [{ emptyDir: {}, secret: { secretName: "s" } }, "/spec/volumes/0 has both emptyDir and secret"],
    [{ emptyDir: { sizeLimit: "many" } }, '/spec/volumes/0/emptyDir/sizeLimit is "many"; it must be a quantity'],
    [{ emptyDir: { medium: "HugePages" } }, '/emptyDir/medium is "HugePages"; it must be Memory'],
    [{ emptyDir: { size: "1Gi" } }, "/emptyDir/size is not known here; it can be medium, sizeLimit"],
    [{ emptyDir: [] }, "/emptyDir must be an object"],
    [{ secret: { name: "s" } }, "/secret/name is not known here; it can be secretName"],
    [{ secret: {} }, "/secret/secretName must be the name of a parameter"],
    [{ secret: { secretName: "s", defaultMode: 0o1777 } }, "/secret/defaultMode is 1023; it must be a mode from 0 to 0777"],
    [{ secret: { secretName: "s", optional: "yes" } }, "/secret/optional must be true or false"],
    [{ configMap: { name: "c", items: [{ key: "k", path: "../x" }] } }, '/configMap/items/0/path is "../x"; it must be a relative path'],
    [{ configMap: { name: "c", items: [{ key: "k", path: "/x" }] } }, '/path is "/x"; it must be a relative path'],
    [{ configMap: { name: "c", items: Array(10_000).fill({ key: "k", path: "p" }) } }, "at most 1000 entries"],
    [{ projected: { sources: [{}] } }, "/projected/sources/0 must have one of secret and configMap"],
  ])("may not mount %j", (volume, message) => expect(saved(volume).join()).toContain(message));

  it("may have any volume that no step mounts", () => expect(saved({ hostPath: { path: "/" } }, [])).toEqual([]));

  it.each([
    ["/", "must not be at /"],
    ["relative", "must be an absolute path"],
    ["/a/../etc", "must be an absolute path without . and .."],
    ["/proc/x", "must not be at /proc/x, where the task has /proc"],
    ["/run", "where the task has /run/millrace"],
    ["/run/millrace/volumes/0", "where the task has /run/millrace"],
    ["/task/work", "where the task has /task"],
    ["//tmp/", "where the task has /tmp"],
    ["/etc", "where the task has /etc"],
    ["/etc/passwd", "where the task has /etc/passwd"],
  ])("may not have a mount at %s", (path, message) => {
    expect(saved({}, [at(path)]).join()).toContain(message);
    expect(() => resolved({}, [at("$(params.path)")], { path })).toThrow(InvalidMount);
  });

  it("has no two mounts of a step at one path or in each other, and no odd members", () => {
    expect(saved({}, [at("/a/"), at("//a")])).toEqual([
      "/spec/steps/0/volumeMounts/1/mountPath has two mounts at /a; mount them at different paths",
    ]);
    expect(saved({}, [at("/a"), at("/a/b")]).join()).toContain("has a mount at /a/b, inside of the one at /a");
    expect(saved({}, [at("/tekton/home/x"), at("/task/home/x")]).join()).toContain("has two mounts at /task/home/x");
    expect(saved({}, [at("/tekton/home/.x")], [at("/tekton/home/.x/y")]).join()).toContain(
      "inside of what another step mounts in the home",
    );
    expect(saved({}, [at("/a", { subPathExpr: "$(X)" })]).join()).toContain("/subPathExpr is not supported");
    expect(saved({}, [at("/a", { mountPropagation: "Bidirectional" })]).join()).toContain("must be None");
    expect(
      saved(
        {},
        Array.from({ length: 33 }, (_, index) => at(`/v${index}`)),
      ).join(),
    ).toContain("has 33 mounts; a step can have at most 32");
    const many = Array.from({ length: 26 }, (_, index) => at(`/v${index}`));
    expect(saved({}, ...Array(20).fill(many))).toEqual(["/spec/steps have 520 mounts together; the steps of a task can have 500"]);
    expect(() =>
      resolved(
        {},
        Array.from({ length: 501 }, (_, index) => at(`/v${index}`)),
      ),
    ).toThrow("have 501 mounts together");
    expect(saved({}, [at("/a", { subPath: `${"x/".repeat(20)}x` })]).join()).toContain("20 parts");
  });

  it("mounts parts of an emptyDir only where no other mount has them in it, since a step could put a link there", () => {
    expect(saved({}, [at("/a", { subPath: "x" }), at("/b", { subPath: "y/z" })], [at("/c", { subPath: "x" })])).toEqual([]);
    expect(saved({}, [at("/a", { subPath: "x" })], [at("/b")]).join()).toContain("/spec/steps/0/volumeMounts/0/subPath is a part of what");
    expect(saved({}, [at("/a", { subPath: "../x" })]).join()).toContain('/subPath is "../x"; it must be a relative path');
    expect(() => resolved({}, [at("/a"), at("/b", { subPath: "$(params.name)" })])).toThrow("a step could put a link in its place");
    expect(saved({ configMap: { name: "c" } }, [at("/a", { subPath: "x" }), at("/b")])).toEqual([]);
  });
});

describe("the volumes of a run", () => {
  it("have the content of Secrets and ConfigMaps, in which references are not resolved", () => {
    expect(resolved({ secret: { secretName: "$(params.name)", defaultMode: 0o400 } }).volume).toEqual({
      name: "v",
      files: [
        { path: "user", text: "someone", mode: 0o400 },
        { path: "password", text: "$(params.name)", mode: 0o400 },
      ],
    });
    const items = [{ key: "port", path: "etc/$(params.name)", mode: 0o600 }];
    expect(resolved({ configMap: { name: "settings", items } }).volume?.files).toEqual([
      { path: "etc/registry", text: "8080", mode: 0o600 },
    ]);
  });

  it("join several sources, of which the later one wins, and pass over optional ones", () => {
    const all = [
      { secret: { name: "registry" } },
      { configMap: { name: "settings", items: [{ key: "level", path: "user" }] } },
      { secret: { name: "nowhere", optional: true } },
      { configMap: { name: "settings", optional: true, items: [{ key: "none", path: "none" }] } },
    ];
    const { volume } = resolved({ projected: { sources: all, defaultMode: 0o440 } });
    expect(volume?.files).toEqual([
      { path: "user", text: "debug", mode: 0o440 },
      { path: "password", text: "$(params.name)", mode: 0o440 },
    ]);
    expect(resolved({ secret: { secretName: "nowhere", optional: true } }).volume).toEqual({ name: "v", files: [] });
  });

  it.each<[Written, string]>([
    [{ secret: { secretName: "nowhere" } }, "there is no secret nowhere; add a parameter nowhere of type secret to the team"],
    [{ configMap: { name: "registry" } }, "there is no ConfigMap registry"],
    [{ configMap: { name: "__proto__" } }, "there is no ConfigMap __proto__"],
    [{ secret: { secretName: "registry", items: [{ key: "none", path: "x" }] } }, "the secret registry has no key none"],
    [{ secret: { secretName: "registry", items: [{ key: "constructor", path: "x" }] } }, "has no key constructor"],
    [{ configMap: { name: "odd" } }, 'can\'t have the key "../x" of odd as a file'],
    [{ configMap: { name: "many" } }, "more than 2000 or larger than 4 MiB together; name the keys with items"],
    [{ configMap: { name: "large" } }, "larger than 4 MiB together"],
    [{ configMap: { name: "settings", items: [{ key: "port", path: "$(params.path)" }] } }, 'can\'t have the file "../x"'],
    [
      { configMap: { name: "settings", items: ["a", "a/b"].map((path) => ({ key: "port", path })) } },
      'has "a" as a file and as a folder of "a/b"',
    ],
  ])("are refused where they can't be made: %j", (volume, message) => {
    expect(() => resolved(volume, [at("/v")], { path: "../x" })).toThrow(new RegExp(message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
    expect(() => resolved(volume, [at("/v")], { path: "../x" })).toThrow(MissingSource);
  });

  it("take keys with odd names where items say their paths", () => {
    const items = ["__proto__", "../x"].map((key, index) => ({ key, path: `file-${index}` }));
    expect(resolved({ configMap: { name: "odd", items } }).volume?.files?.map(({ text }) => text)).toEqual(["proto", "escape"]);
  });

  it("have their sizes, and their places with references replaced", () => {
    const { volume, mounts } = resolved({ emptyDir: { medium: "Memory", sizeLimit: "1Mi" } }, [
      at("/tekton/home//$(params.name)/", { readOnly: true, subPath: "$(params.name)" }),
    ]);
    expect(volume).toEqual({ name: "v", scratch: { inMemory: true, sizeLimitBytes: 1_048_576 } });
    // As in Kubernetes, 0 is no limit.
    expect(resolved({ emptyDir: { sizeLimit: "0" } }).volume).toEqual({ name: "v", scratch: { inMemory: false } });
    expect(mounts).toEqual([{ volume: "v", path: "/task/home/registry", subPath: "registry", readOnly: true }]);
    expect(() => resolved({ hostPath: { path: "/" } })).toThrow("is hostPath, which no executor has");
  });
});
