import { expect } from "vitest";
import { makeJob, run, type Scenario } from "./scenario.ts";

const exhaustMemory = "exec \"$NODE\" -e 'const kept = []; for (;;) kept.push(Buffer.alloc(16 << 20, 1));'";

/** Writes files that are in memory and have no name, forever. */
const memoryFiles = `#!/usr/bin/env python3
import os, time
while True:
    file = os.memfd_create("kept")
    os.write(file, b"x" * (4 << 20))
    time.sleep(0.02)
`;

const python = (body: string): string => `#!/usr/bin/env python3
import array, ctypes, os, socket, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = libc.shmat.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
piece = b"x" * (8 << 20)
def check(code):
    if code < 0: raise OSError(ctypes.get_errno(), "refused")
    return code
def made():
    file = os.memfd_create("kept")
    os.write(file, piece)
    return file
${body}
print("kept", flush=True)
time.sleep(20)
`;

/**
 * Takes 1 GiB of memory that no process has mapped, or as much as it gets within 20 s. It is that much because some of it only shows as
 * growth of the machine's used memory, and other tests may release some at the same time.
 */
const hiddenMemory: Record<string, string> = {
  "one mapped page of a file that is closed": `
for _ in range(128):
    file = made()
    libc.mmap(None, 4096, 1, 1, file, 0)
    os.close(file)`,
  "a shared mapping that was unmapped but for one page": `
for _ in range(128):
    at = libc.mmap(None, len(piece), 3, 0x21, -1, 0)
    ctypes.memset(at, 1, len(piece))
    libc.munmap(ctypes.c_void_p(at + 4096), ctypes.c_size_t(len(piece) - 4096))`,
  "System V segments that nobody is attached to": `
for _ in range(128):
    segment = check(libc.shmget(0, ctypes.c_size_t(len(piece)), 0o1600))
    at = libc.shmat(segment, None, 0)
    ctypes.memset(ctypes.c_void_p(at), 1, len(piece))
    check(libc.shmdt(ctypes.c_void_p(at)))`,
  "descriptors under way in a socket": `
one, other = socket.socketpair()
for _ in range(128):
    file = made()
    one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))])
    os.close(file)`,
  "the table of open files of one thread": `
def keep():
    if libc.unshare(0x400) != 0: os._exit(127)
    files = [made() for _ in range(128)]
    time.sleep(20)
threading.Thread(target=keep).start()
time.sleep(1)`,
};

/** What a step may consume. */
export const limitScenarios: Scenario[] = [
  {
    name: "a step that needs too much memory ends, and the machine does not",
    async check(bench) {
      const job = makeJob(exhaustMemory);
      job.limits = { ...job.limits, memoryBytes: 268_435_456 };
      const { outcome } = await run(bench, job);
      expect(outcome.status).toBe("failed");
      expect(["OutOfMemory", "ExitCode", "Signal"]).toContain(outcome.reason);
    },
  },
  {
    name: "running out of memory has its own reason",
    needs: "memory",
    async check(bench) {
      const job = makeJob([{ name: "hungry", script: exhaustMemory }]);
      job.limits = { ...job.limits, memoryBytes: 134_217_728 };
      const { outcome } = await run(bench, job);
      expect(outcome).toMatchObject({ status: "failed", reason: "OutOfMemory", exitCode: 137 });
      expect(outcome.message).toContain("it needed more than the 128 MiB of memory allowed");
      expect((await run(bench, makeJob("exit 137"))).outcome.reason).toBe("Signal");
    },
  },
  {
    name: "memory that no process has mapped counts",
    needs: "openFiles",
    async check(bench, skip) {
      const job = makeJob(memoryFiles, { timeoutMs: 30_000 });
      job.limits = { ...job.limits, memoryBytes: 134_217_728 };
      const { outcome } = await run(bench, job);
      if (outcome.exitCode === 127) return skip("this machine has no python3");
      expect(outcome).toMatchObject({ status: "failed", reason: "OutOfMemory" });
    },
  },
  ...Object.entries(hiddenMemory).map(
    ([what, body]): Scenario => ({
      name: `memory that is kept by ${what} counts`,
      needs: "openFiles",
      async check(bench, skip) {
        const job = makeJob(python(body), { timeoutMs: 30_000 });
        job.limits = { ...job.limits, memoryBytes: 134_217_728 };
        const { outcome, texts } = await run(bench, job);
        if (outcome.exitCode === 127) return skip("there is no python3, or no such table");
        expect(outcome.status, texts().join(" ")).toBe("failed");
        // Files that are hidden in memory may be assumed to be hidden on the disk, too. A kernel that limits memory may refuse it, or end
        // the step without giving a reason.
        const reasons = ["OutOfMemory", "WorkspaceFull", ...(bench.promises.memory ? ["ExitCode", "Signal"] : [])];
        expect(reasons, outcome.message).toContain(outcome.reason);
      },
    }),
  ),
  {
    name: "the kernel ends a step before anything of the service when the machine runs out of memory",
    needs: "endsFirst",
    async check(bench) {
      const { outcome, texts } = await run(bench, makeJob("cat /proc/self/oom_score_adj"));
      expect(outcome.status).toBe("succeeded");
      expect(texts()).toEqual(["1000"]);
    },
  },
  {
    name: "a step that starts too many processes fails, and others do not notice",
    needs: "processCount",
    async check(bench) {
      const bomb = makeJob("i=0; while [ $i -lt 100 ]; do sleep 1000 & i=$((i+1)); done; echo done");
      bomb.limits = { ...bomb.limits, processes: 20 };
      // Continues when a process is refused, but not forever: if the limit fails, this must not bring down the machine.
      const orphans = "set +e; i=0; while [ $i -lt 300 ]; do (setsid sleep 1000 &); i=$((i+1)); done 2>/dev/null; sleep 1000";
      const fork = makeJob(orphans, { timeoutMs: 1_000 });
      const [first, second, third] = await Promise.all([
        run(bench, bomb),
        run(bench, fork),
        run(bench, makeJob("ls / > /dev/null | cat; echo fine")),
      ]);
      expect(first.outcome.status).toBe("failed");
      expect(first.texts()).not.toContain("done");
      expect(["timedout", "failed"]).toContain(second.outcome.status);
      expect(third.texts()).toEqual(["fine"]);
      expect(await bench.leftovers()).toEqual([]);
    },
  },
  {
    name: "a step that fills its scratch folder is stopped",
    async check(bench) {
      const { outcome } = await run(
        bench,
        makeJob("while :; do head -c 4000000 /dev/zero >> big; sleep 0.02; done", { timeoutMs: 20_000 }),
      );
      expect(outcome).toMatchObject({ status: "failed", reason: "WorkspaceFull" });
      expect(outcome.message).toContain("its scratch folder contains");
    },
  },
  {
    name: "folders that are deep, closed or full of links are removed all the same",
    async check(bench) {
      const script = `mkdir closed; touch closed/x; chmod 000 closed; ln -s / link; ln -s /etc/passwd link2
        "$NODE" -e 'const fs = require("fs"); for (let i = 0; i < 40; i++) { const name = "d".repeat(200); fs.mkdirSync(name); process.chdir(name); }'`;
      expect((await run(bench, makeJob(script))).outcome.message).toBe("");
      expect(await bench.leftovers()).toEqual([]);
    },
  },
  {
    name: "a step that needs an image is refused with a way out",
    async check(bench) {
      if (bench.executor.kind !== "process") return;
      const { outcome } = await run(bench, makeJob([{ name: "build", image: "golang:1.22", script: "go build" }]));
      expect(outcome).toMatchObject({ status: "invalid", reason: "ImageRequired" });
      expect(outcome.message).toMatch(/step "build" needs the image golang:1.22.*millrace.dev\/executor: process/);
    },
  },
];
