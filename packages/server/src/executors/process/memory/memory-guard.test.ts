import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { LimitBreach } from "../../folders/limit-watch.ts";
import { type MachineMemory, readMachineMemory } from "../../machine/machine-memory.ts";
import { MemoryGuard, mostLikely, reserveBytes } from "./memory-guard.ts";
import { MemoryWatch } from "./memory-watch.ts";

const mebibyte = 1024 ** 2;
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const isCounted = (await readMachineMemory()) !== undefined;

/** Fills buffers of the kernel, which don't show in any process, with up to 600 MiB. */
const fillSockets = `
import socket, time
kept = []
filled = 0
while filled < 600 << 20:
    pair = socket.socketpair()
    kept.append(pair)
    pair[0].setblocking(False)
    pair[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    try:
        while True: filled += pair[0].send(b"x" * 65536)
    except BlockingIOError: pass
    if len(kept) > 450: break
print("filled", flush=True)
time.sleep(60)
`;

function watch(guard: MemoryGuard, child: ChildProcess): MemoryWatch {
  return new MemoryWatch(guard, {
    limitBytes: 2_000 * mebibyte,
    findProcesses: async () => (child.pid === undefined ? [] : [child.pid]),
    countResident: async () => 0,
    readSegments: async () => 0,
    readMachine: readMachineMemory,
  });
}

test.skipIf(!hasPython || !isCounted)(
  "an attempt that fills kernel buffers is ended before the machine runs out of memory, and others are not",
  async () => {
    const before = (await readMachineMemory()) as MachineMemory;
    // As on a machine with 100 MiB above the reserve.
    const spare = before.availableBytes - reserveBytes(before) - 100 * mebibyte;
    const guard = new MemoryGuard(async () => {
      const now = (await readMachineMemory()) as MachineMemory;
      return { ...now, availableBytes: now.availableBytes - spare };
    });
    const start = (program: string) => {
      const child = spawn("python3", ["-c", program], { stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    const [quiet, greedy] = [start("import time; print('up', flush=True); time.sleep(60)"), start(fillSockets)];
    const ended: { who: string; breach: LimitBreach }[] = [];
    const watches = [quiet, greedy].map((child) => watch(guard, child));
    const gone = once(greedy, "exit");
    await Promise.all(
      watches.map((each, index) =>
        each.start((breach) => {
          ended.push({ who: index === 0 ? "quiet" : "greedy", breach });
          (index === 0 ? quiet : greedy).kill("SIGKILL");
        }),
      ),
    );
    await gone;
    expect(ended.map(({ who }) => who)).toEqual(["greedy"]);
    expect(ended[0]?.breach).toMatchObject({
      reason: "OutOfMemory",
      message: expect.stringMatching(/the machine had only .* of memory left/),
    });
    for (const each of watches) each.stop();
  },
);

test("an attempt that uses very little memory is not ended", async () => {
  const ended: string[] = [];
  let looks = 0;
  const low = { totalBytes: 1_000 * mebibyte, availableBytes: 0, sharedBytes: 0 };
  const enough = new Promise<void>((resolve) => {
    const guard = new MemoryGuard(async () => {
      if (++looks === 5) resolve();
      return low;
    });
    const attempt = {
      use: { residentBytes: 30 * mebibyte, fileBytes: 0, hiddenBytes: 0, handles: 20 },
      end: () => void ended.push("small"),
    };
    guard.add(attempt);
    onTestFinished(() => guard.remove(attempt));
  });
  await enough;
  expect(ended).toEqual([]);
});

test("the attempt with the most memory is ended first, and many open handles count as memory", () => {
  const use = (residentBytes: number, handles: number) => ({ use: { residentBytes, fileBytes: 0, hiddenBytes: 0, handles } });
  const [large, small, sockets] = [use(500 * mebibyte, 10), use(100 * mebibyte, 10), use(6 * mebibyte, 4_000)];
  expect(mostLikely([small, large, sockets, use(mebibyte, 3)])).toEqual([sockets, large, small]);
});

test.each([
  [1, 128],
  [8, 8 * 1024 * 0.05],
  [512, 1_024],
])("a machine of %d GiB keeps %d MiB", (total, reserve) => {
  expect(reserveBytes({ totalBytes: total * 1024 ** 3, availableBytes: 0, sharedBytes: 0 })).toBeCloseTo(reserve * mebibyte);
});
