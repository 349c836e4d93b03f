import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  descendants,
  haltProcess,
  parseStat,
  processesOfFolder,
  readProcessTable,
  readStartTicks,
  signalProcess,
} from "./process-table.ts";

describe("the table of processes", () => {
  it("is read correctly whatever characters the name of a process has", () => {
    const line = "42 (a) b (S 7 (x) R 1 42 40 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 1 0 987654 1000 25 18446744073709551615";
    expect(parseStat(42, line)).toEqual({
      pid: 42,
      parent: 1,
      group: 42,
      session: 40,
      startTicks: 987_654,
      residentBytes: 25 * 4096,
      isZombie: false,
      isHalted: false,
    });
  });

  it("lists all descendants of a process", () => {
    const entry = (pid: number, parent: number, state = "S") => parseStat(pid, `${pid} (x) ${state} ${parent} 1 1 ${"0 ".repeat(20)}`);
    const table = [entry(1, 0), entry(10, 1), entry(11, 10), entry(12, 11), entry(13, 10, "Z"), entry(20, 1)];
    expect(descendants(table, 10).map(({ pid }) => pid)).toEqual([11, 12]);
    expect(descendants(table, 99)).toEqual([]);
  });

  it("finds this process, and none for a number that is not in use", async () => {
    expect((await readProcessTable()).some(({ pid }) => pid === process.pid)).toBe(true);
    expect(await readStartTicks(process.pid)).toBeGreaterThan(0);
    expect(await readStartTicks(2 ** 30)).toBe(0);
  });

  it("finds the processes of a folder by their variables, and the program of a sandbox by its arguments", async () => {
    const folder = `/nowhere/attempt-${process.pid}`;
    const options = { stdio: "ignore", env: { PATH: process.env["PATH"] ?? "" } } as const;
    const wait = (argv0: string) => spawn("/bin/sh", ["-c", "read line < /dev/zero", `${folder}/writable`], { ...options, argv0 });
    const others = [wait("/usr/bin/sh")];
    const mine = [
      spawn("/bin/sh", ["-c", "read line < /dev/zero"], { ...options, env: { HOME: `${folder}/home` } }),
      wait("bwrap"),
      wait("/usr/bin/bwrap"),
    ];
    try {
      await expect.poll(async () => (await processesOfFolder(folder)).sort()).toEqual(mine.map(({ pid }) => pid).sort());
    } finally {
      for (const child of [...mine, ...others]) child.kill("SIGKILL");
    }
  });

  it("reads no more of the arguments of a process than a program can be started with", async ({ skip }) => {
    // PR_SET_MM_MAP, which needs no rights: the arguments are now 64 GiB of empty memory.
    const script = `import ctypes, mmap, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
large = libc.mmap(None, 1 << 36, 1, 0x4022, -1, 0)
fields = open("/proc/self/stat").read().rsplit(") ", 1)[1].split()
code, end_code, stack = int(fields[23]), int(fields[24]), int(fields[25])
data, end_data, brk, env = int(fields[42]), int(fields[43]), int(fields[44]), int(fields[47])
numbers = struct.pack("12QII", code, end_code, data, end_data, brk, brk, stack, large, large + (1 << 36), env, env, 0, 0, 0xffffffff)
print("set" if libc.prctl(35, 14, numbers, len(numbers), 0) == 0 else "refused", flush=True)
time.sleep(1000)`;
    const python = spawn("python3", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const said = await new Promise((resolve) =>
        python.on("error", () => resolve("")).stdout.once("data", (text) => resolve(`${text}`.trim())),
      );
      if (said !== "set") return skip("this machine has no python3, or its kernel does not let a process say where its arguments are");
      expect(await processesOfFolder("/nowhere/at-all")).toEqual([]);
    } finally {
      python.kill("SIGKILL");
    }
  });

  it("halts a process and returns its children", async () => {
    const child = spawn("/bin/sh", ["-c", "sleep 1000 & echo; wait"], { stdio: ["ignore", "pipe", "ignore"], detached: true });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const pid = child.pid ?? 0;
    const children = await haltProcess(pid);
    expect(children).toHaveLength(1);
    for (const each of [...children, pid]) signalProcess(each, "SIGKILL");
    expect(await new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)))).toBe("SIGKILL");
  });
});
