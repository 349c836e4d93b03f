import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ContainerBench,
  openContainerBench,
  openRootlessBench,
  openSocketUserBench,
} from "../../../test/kit/container/container-bench.ts";
import { openContainerTier } from "../../../test/kit/container/container-tier.ts";
import type { StepPrivileges } from "../../core/task/tekton/step-privileges.ts";
import { makeJob, run } from "../exercise/scenario.ts";
import { stepRights } from "./step-rights.ts";

const none = { isPrivileged: false, capabilities: [], dropped: [], mayEscalate: false };
const privileged = { ...none, isPrivileged: true, mayEscalate: true, user: 0 };
const identity = { uid: 70, gid: 71 };

test.each<[string, StepPrivileges | undefined, object]>([
  ["docker", undefined, { User: "70:71", HostConfig: { CapDrop: ["ALL"], SecurityOpt: ["no-new-privileges"] } }],
  ["docker", privileged, { User: "0:0", HostConfig: { GroupAdd: ["71"], Privileged: true, SecurityOpt: [] } }],
  ["podman", privileged, { User: "0:0", HostConfig: { GroupAdd: ["71"], Privileged: true, SecurityOpt: ["seccomp=unconfined"] } }],
  [
    "docker",
    { ...none, capabilities: ["CHOWN"], user: 5, group: 6 },
    { User: "5:6", HostConfig: { GroupAdd: ["71"], CapAdd: ["CHOWN"], CapDrop: ["ALL"], SecurityOpt: ["no-new-privileges"] } },
  ],
  [
    "docker",
    { ...none, capabilities: ["ALL"], dropped: ["KILL"], mayEscalate: true, user: 0 },
    { User: "0:0", HostConfig: { GroupAdd: ["71"], CapAdd: ["ALL"], CapDrop: ["KILL"], SecurityOpt: [] } },
  ],
  ["docker", { ...none, mayEscalate: true }, { User: "70:71", HostConfig: { CapAdd: [], CapDrop: ["ALL"], SecurityOpt: [] } }],
])("what %s is asked to give a step with the privileges %j", (kind, privileges, expected) => {
  const facts = { kind: kind as "docker", isRootless: false };
  expect(stepRights({ step: { name: "s", ...(privileges && { privileges }) }, identity, facts, folder: "/f" })).toEqual(expected);
});

/** Tries everything that takes a capability. The bits of CAP_CHOWN and CAP_SYS_ADMIN are 0 and 21. */
const script = `#!/usr/bin/env python3
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, result): print(name, "worked" if result >= 0 else errno.errorcode[ctypes.get_errno()])
call("mount", libc.mount(b"none", b"/tmp", b"tmpfs", 0, None))
open("/task/work/own-%s" % os.getuid(), "w").close()
call("chown", libc.chown(b"/task/work/own-%d" % os.getuid(), 12, 12))
call("sethostname", libc.sethostname(b"a", 1))
status = dict(line.rstrip().split(":\\t", 1) for line in open("/proc/self/status") if ":\\t" in line)
print("capabilities", status["CapEff"].lstrip("0") or "0")
print("can gain others", status["NoNewPrivs"] == "0")
print("sees devices", os.path.exists("/dev/kmsg"))
open("/tekton/termination", "a").close()
open("/task/results/from-%s" % ("root" if os.getuid() == 0 else "other"), "w").write("a result")
`;

const allOfThem = expect.stringMatching(/^capabilities [1-9a-f][0-9a-f]{5,}$/);
const ofThisProcess = /CapBnd:\s*(\w+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
const last = Number(readFileSync("/proc/sys/kernel/cap_last_cap", "utf8"));
const hasAllCapabilities = BigInt(`0x${ofThisProcess}`) === 2n ** BigInt(last + 1) - 1n;

for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  tier.describe(`privileges of steps with ${kind}`, () => {
    let bench: ContainerBench;
    beforeAll(async () => {
      bench = await openContainerBench(tier.engine);
    }, 60_000);
    afterAll(() => bench?.close());

    // Docker gives such a step all capabilities that the kernel knows, so Docker itself needs to have them.
    const isPossible = kind === "podman" || hasAllCapabilities;
    test.skipIf(!isPossible)("a privileged step can do what no other step of its task can", async () => {
      const { outcome, texts } = await run(bench, makeJob([{ script, privileges: privileged }, { script }]));
      expect([outcome.message, texts()]).toEqual([
        "",
        [
          ...["mount worked", "chown worked", "sethostname worked", allOfThem, "can gain others True", "sees devices True"],
          ...["mount EPERM", "chown EPERM", "sethostname EPERM", "capabilities 0", "can gain others False", "sees devices False"],
        ],
      ]);
      expect(outcome.results).toEqual(
        expect.arrayContaining([
          { name: "from-root", value: "a result" },
          { name: "from-other", value: "a result" },
        ]),
      );
    });

    test("a step that is root leaves files and results for steps that are not, and the other way round", async () => {
      const source = join(bench.workspacesDir, "w");
      const workspace = { name: "w", scope: "workflowrun", ownerId: "run-1", source, mountPath: "/workspace/w" } as const;
      const write = "#!/bin/sh\necho root > /workspace/w/root && echo root > /task/work/root && cat /task/work/plain && id -u";
      const job = makeJob(
        [
          { script: "#!/bin/sh\necho plain > /task/work/plain" },
          { script: `${write} && echo -n root > /task/results/by`, privileges: { ...none, capabilities: ["CHOWN"], user: 0 } },
          { script: "#!/bin/sh\ncat /workspace/w/root /task/work/root /task/results/by" },
        ],
        { workspaces: [{ ...workspace, readOnly: false, sizeLimitBytes: 1_000_000 }] },
      );
      const { outcome, texts } = await run(bench, job);
      expect([outcome.message, texts(), outcome.results]).toEqual([
        "",
        ["plain", "0", "root", "root", "root"],
        [{ name: "by", value: "root" }],
      ]);
    });

    test("a step with one capability has that one and nothing else", async () => {
      const { texts } = await run(bench, makeJob([{ script, privileges: { ...none, capabilities: ["CHOWN"], user: 0 } }]));
      expect(texts()).toEqual([
        ...["mount EPERM", "chown worked", "sethostname EPERM", "capabilities 1", "can gain others False", "sees devices False"],
      ]);
    });

    test("system calls that the filter refuses are allowed with their capability", async () => {
      const { texts } = await run(
        bench,
        makeJob([{ script, privileges: { ...none, capabilities: ["SYS_ADMIN"], mayEscalate: true, user: 0 } }]),
      );
      expect(texts()).toEqual([
        ...["mount worked", "chown EPERM", "sethostname worked", "capabilities 200000", "can gain others True", "sees devices False"],
      ]);
    });

    test("such steps leave nothing behind", async () => {
      expect(await bench.leftovers()).toEqual([]);
    });
  });
}

const socket = await openContainerTier("docker");
socket.describe("a service that is not root, with an engine that is", () => {
  test("gives no step privileges, since it could not remove what the step leaves, and says so", async () => {
    const bench = await openSocketUserBench(socket.engine);
    const { outcome } = await run(bench, makeJob([{ script: "true", privileges: privileged }])).finally(() => bench.close());
    expect(outcome).toMatchObject({ status: "invalid", message: expect.stringContaining("this service is not root") });
  });
});

const rootless = await openContainerTier("podman", { isRootless: true });
rootless.describe("podman without root", () => {
  test("gives privileges over what belongs to its user", async () => {
    const bench = await openRootlessBench(rootless.engine);
    const job = makeJob([{ script, privileges: privileged }, { script: "#!/bin/sh\ncat /task/results/from-root" }]);
    const { outcome, texts } = await run(bench, job);
    const left = await bench.leftovers();
    await bench.close();
    expect([outcome.status, texts(), left]).toEqual([
      "succeeded",
      [
        ...["mount worked", "chown worked", "sethostname worked", allOfThem, "can gain others True", expect.stringContaining("devices")],
        "a result",
      ],
      [],
    ]);
  });
});
