import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { access, chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it, onTestFinished, test } from "vitest";
import { linesOfBlock } from "../../../core/log/log-lines.ts";
import type { Job } from "../../../engine/executor.ts";
import { makeJob } from "../../exercise/scenario.ts";
import type { Identity } from "../../folders/identity.ts";
import { openUidFilter } from "../../networks/uid-filter.ts";
import { createProcessExecutor, type ProcessExecutor } from "../process-executor.ts";
import { readStartTicks } from "../process-table.ts";
import { createOwnUid } from "./own-uid.ts";
import { canHideProcesses } from "./seclusion.ts";
import { findTools } from "./tools.ts";

/** The level without its own file system, with the scratch folder below the folder for temporary files and elsewhere. */
const silent = { info: () => undefined, warn: () => undefined };
const isRoot = process.getuid?.() === 0;
const opened: { executor: ProcessExecutor; folder: string }[] = [];

async function open(parent: string): Promise<ProcessExecutor> {
  const folder = await mkdtemp(join(parent, "millrace-own-uid-"));
  await chmod(folder, 0o711);
  const executor = await createProcessExecutor({
    scratchDir: join(folder, "scratch"),
    allowUnsandboxed: false,
    allowSharedNetwork: true,
    graceMs: 300,
    log: silent,
    levels: ["own-uid"],
  });
  opened.push({ executor, folder });
  return executor;
}

async function printed(executor: ProcessExecutor, steps: Parameters<typeof makeJob>[0], more: Partial<Job> = {}): Promise<string[]> {
  const lines: string[] = [];
  const { done } = executor.start(makeJob(steps, more), (block) => void lines.push(...linesOfBlock(block).map(({ text }) => text)));
  await done;
  return lines;
}

const away = isRoot ? await open("/var/cache") : undefined;
const near = isRoot ? await open(tmpdir()) : undefined;
afterAll(async () => {
  for (const { executor, folder } of opened) {
    await executor.close();
    await rm(folder, { recursive: true });
  }
});

const detail = away?.describe().detail ?? "";
const canMount = detail.includes("/tmp, /var/tmp, /dev/shm are the attempt's own");

describe.skipIf(!isRoot)("own-uid", () => {
  it("says which folders are the attempt's own", () => {
    expect(detail).toMatch(/are the attempt's own|are shared, and emptied after each attempt/);
    expect(detail).toContain("system calls are not filtered");
    expect(near?.describe().detail).toMatch(/\/tmp(, \/var\/tmp, \/dev\/shm)? (is|are) shared, and emptied after each attempt/);
  });

  it("makes files for its own user alone", async () => {
    for (const executor of [away, near]) {
      if (executor)
        expect(await printed(executor, 'umask; touch file; mkdir folder; stat -c "%a" file folder "$0"')).toEqual([
          "0077",
          "600",
          "700",
          "644",
        ]);
    }
  });

  test.skipIf(!canMount)(
    `gives each attempt its own folder for temporary files, the same for all its steps (here: ${detail})`,
    async () => {
      if (!away) return;
      const steps = [
        { script: "echo kept > /tmp/between; echo > /dev/shm/gone" },
        { script: 'cat /tmp/between "$TMPDIR/between" /var/tmp/between; ls /dev/shm' },
      ];
      expect(await printed(away, steps)).toEqual(["kept", "kept", "kept"]);
      await expect(access("/tmp/between")).rejects.toThrow();
    },
  );

  test.skipIf(!detail.includes("other users' processes are hidden"))(`hides the processes of other users (here: ${detail})`, async () => {
    if (!away) return;
    const [, other] = await Promise.all([
      printed(away, [{ command: ["sleep", "1.23456"] }]),
      printed(
        away,
        `n=0; while [ $n -lt 10 ]; do cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '; sleep 0.05; n=$((n+1)); done; echo; ls -d /proc/${process.pid} 2>&1`,
        { teamId: "team-2" },
      ),
    ]);
    expect(other.join("\n")).not.toContain("1.23456");
    expect(other.at(-1)).toContain("No such file");
  });

  it("empties shared folders after an attempt, with no more rights than the step had", async () => {
    if (!near) return;
    const name = `millrace-emptied-${process.pid}`;
    const script = `set +e; cd /tmp; mkdir -p ${name}/deep/er; touch ${name}/deep/er/file; ln -s /etc/passwd ${name}/link; ln -s /etc ${name}-link; chmod 0 ${name}/deep/er ${name}; ls -d ${name}*`;
    expect(await printed(near, script)).toEqual([name, `${name}-link`]);
    await near.settle();
    await expect(access(join("/tmp", name))).rejects.toThrow();
    await expect(access(join("/tmp", `${name}-link`))).rejects.toThrow();
    expect(await readFile("/etc/passwd", "utf8")).toContain("root");
  });

  it("leaves no shared memory of System V behind", async () => {
    const sizeBytes = 12_345;
    for (const executor of [away, near]) {
      if (executor) expect(await printed(executor, `ipcmk -M ${sizeBytes}`)).toEqual([expect.stringContaining("Shared memory id")]);
    }
    await Promise.all([away?.settle(), near?.settle()]);
    expect((await readFile("/proc/sysvipc/shm", "utf8")).split(/\s+/)).not.toContain(String(sizeBytes));
  });
});

describe.skipIf(!isRoot)("a process that a step has hidden from its attempt", () => {
  const identity = { uid: 1_499_999_011, gid: 1_499_999_011 };
  const args = [`--reuid=${identity.uid}`, `--regid=${identity.gid}`, "--clear-groups", "env", "-i", "setsid"];
  // A process without core dumps belongs to root in /proc (PR_SET_DUMPABLE is 4).
  const programs = [
    ["sleep", "1000"],
    ["perl", "-e", "syscall(157, 4, 0); print qq(ready\\n); sleep 1000"],
  ];

  async function start(program: readonly string[]) {
    const child = spawn("setpriv", [...args, ...program], { stdio: ["ignore", "pipe", "ignore"] });
    const ended = new Promise<string>((resolve) => child.on("exit", (code, signal) => resolve(signal ?? String(code))));
    onTestFinished(() => void child.kill("SIGKILL"));
    await expect.poll(() => readFile(`/proc/${child.pid}/status`, "utf8")).toContain(`Uid:\t${identity.uid}`);
    return { child, ended };
  }

  async function cleanUp(isBusy: () => boolean): Promise<void> {
    const tools = findTools();
    const folder = await mkdtemp(join(tmpdir(), "millrace-hidden-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const seclusion = { hasOwnFolders: false, hidesProcesses: false };
    const parts = { filter: undefined, seclusion, scratchFolder: folder, lock: undefined };
    const level = createOwnUid({ bin: folder, programsDir: undefined, tools }, parts);
    const attempt = { name: "a", folder, writable: folder, fixed: folder, fixedFiles: [], identity };
    await level.cleanUp?.(attempt, { isBusy, alone: (work) => (isBusy() ? undefined : work()) });
  }

  it.each(programs)("ends with the last attempt of its user: %s", async (...program) => {
    if (program[0] === "perl" && process.arch !== "x64") return;
    const { ended } = await start(program);
    await cleanUp(() => false);
    expect(await ended).toBe("SIGKILL");
  });

  it("ends even if it keeps starting a successor and exits faster than it can be observed", async () => {
    const chain = "$end = time + 30; while (time < $end) { my $next = fork; exit if $next; select undef, undef, undef, 0.002 }";
    const { child } = await start(["perl", "-e", `sleep 1000 if fork; ${chain}`]);
    // All of these processes hold it open.
    const allGone = once(child.stdout, "close");
    child.stdout.resume();
    await cleanUp(() => false);
    await allGone;
  });

  it("is not stopped while another attempt of its user runs, since it could belong to that one", async () => {
    const { child } = await start(["sleep", "1000"]);
    await cleanUp(() => true);
    expect(child.exitCode ?? child.signalCode).toBe(null);
  });
});

const probed = [21, 22, 23].map((number) => ({ uid: 1_499_999_000 + number, gid: 1_499_999_000 + number }));
const owner = `${process.pid}-${await readStartTicks(process.pid)}-${randomBytes(4).toString("hex")}`;
const filter = isRoot ? await openUidFilter(owner, probed[0]!, process.execPath) : { problem: "the suite is not root" };

/** Creates a socket as one user, continues as another one, waits for a line, and prints whether the socket connects. */
const holding = `my ($port, $giver, $holder) = @ARGV; $| = 1;
$> = $giver; socket(my $socket, PF_INET, SOCK_STREAM, 0) or die; $> = 0; $< = $> = $holder;
print "ready\\n"; <STDIN>; print connect($socket, sockaddr_in($port, INADDR_LOOPBACK)) ? "reached\\n" : "refused\\n";`;

describe.skipIf("problem" in filter)("a socket that a step has handed to another one", () => {
  it("has no network once its user has no more processes", async () => {
    if ("problem" in filter) return;
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    onTestFinished(() => filter.end());
    await new Promise((done) => server.once("listening", done));
    const folder = await mkdtemp(join(tmpdir(), "millrace-handed-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const seclusion = { hasOwnFolders: true, hidesProcesses: false };
    const level = createOwnUid(
      { bin: folder, programsDir: undefined, tools: findTools() },
      { filter, seclusion, scratchFolder: folder, lock: undefined },
    );
    const [, giver, holder] = probed as [Identity, Identity, Identity];
    const end = async (identity: Identity): Promise<void> => {
      await level.filter?.release(identity, "closed");
      await level.cleanUp?.(
        { name: "a", folder, writable: folder, fixed: folder, fixedFiles: [], identity },
        { isBusy: () => false, alone: (work) => work() },
      );
    };
    const start = async (from: Identity): Promise<() => Promise<string>> => {
      const numbers = [(server.address() as AddressInfo).port, from.uid, holder.uid].map(String);
      const perl = spawn("perl", ["-MSocket", "-e", holding, ...numbers], { stdio: ["pipe", "pipe", "inherit"] });
      const lines = createInterface(perl.stdout)[Symbol.asyncIterator]();
      expect((await lines.next()).value).toBe("ready");
      return async () => {
        perl.stdin.end("\n");
        return (await lines.next()).value as string;
      };
    };
    for (const identity of [giver, holder]) await level.filter?.close(identity);
    const connect = await start(giver);
    await end(giver);
    expect(await connect()).toBe("refused");
    await end(holder);
    // Now no process can have one.
    expect(await (await start(giver))()).toBe("reached");
  });
});

describe("hiding processes", () => {
  it.each([
    ["4.18.0-553.el8", false],
    ["5.4.0", false],
    ["5.8.0", true],
    ["6.1.0-18-amd64", true],
  ])("is not tried on a kernel where it would hide them from the whole machine: %s", (kernel, isPossible) => {
    expect(canHideProcesses(kernel)).toBe(isPossible);
  });
});
