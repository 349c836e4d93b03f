import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { descendants, haltProcess, parseStat, readProcessTable, readStartTicks, signalProcess } from "./process-table.ts";

describe("the table of processes", () => {
  it("is read whatever the name of a process holds", () => {
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

  it("gives all generations below a process", () => {
    const entry = (pid: number, parent: number, state = "S") => parseStat(pid, `${pid} (x) ${state} ${parent} 1 1 ${"0 ".repeat(20)}`);
    const table = [entry(1, 0), entry(10, 1), entry(11, 10), entry(12, 11), entry(13, 10, "Z"), entry(20, 1)];
    expect(descendants(table, 10).map(({ pid }) => pid)).toEqual([11, 12]);
    expect(descendants(table, 99)).toEqual([]);
  });

  it("knows this process, and none of a number that is not there", async () => {
    expect((await readProcessTable()).some(({ pid }) => pid === process.pid)).toBe(true);
    expect(await readStartTicks(process.pid)).toBeGreaterThan(0);
    expect(await readStartTicks(2 ** 30)).toBe(0);
  });

  it("halts a process and tells its children", async () => {
    const child = spawn("/bin/sh", ["-c", "sleep 1000 & echo; wait"], { stdio: ["ignore", "pipe", "ignore"], detached: true });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const pid = child.pid ?? 0;
    const children = await haltProcess(pid);
    expect(children).toHaveLength(1);
    for (const each of [...children, pid]) signalProcess(each, "SIGKILL");
    expect(await new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)))).toBe("SIGKILL");
  });
});
