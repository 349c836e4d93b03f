import { describe, expect, test } from "vitest";
import { parseMachineMemory } from "../../machine/machine-memory.ts";
import { AttemptMemory } from "./attempt-memory.ts";

const mebibyte = 1024 ** 2;

/** An attempt whose processes can't be read, on a machine with the given memory in files. */
function attempt() {
  const state = { resident: 10, segments: 0 as number | undefined, shared: 1_000, known: 0, asked: 0 };
  const memory = new AttemptMemory({
    limitBytes: 100 * mebibyte,
    findProcesses: async () => [],
    countResident: async () => state.resident * mebibyte,
    readSegments: async () => {
      state.asked++;
      return state.segments === undefined ? undefined : state.segments * mebibyte;
    },
    readMachine: async () => ({ totalBytes: 0, availableBytes: 0, sharedBytes: state.shared * mebibyte }),
    knownFileBytes: () => state.known * mebibyte + memory.use.fileBytes,
  });
  return { state, memory };
}

describe("memory of an attempt", () => {
  test("segments without an attached process are counted", async () => {
    const { state, memory } = attempt();
    await memory.begin();
    expect(await memory.look()).toBeUndefined();
    Object.assign(state, { segments: 120, shared: 1_120 });
    expect((await memory.look())?.message).toBe("it used 120 MiB of memory (120 MiB in files in memory), more than the 100 MiB allowed");
  });

  test("if segments can't be read, the growth of shared memory of the whole machine counts", async () => {
    const { state, memory } = attempt();
    await memory.begin();
    Object.assign(state, { segments: undefined, shared: 1_095 });
    expect(await memory.look()).toBeUndefined();
    state.shared = 1_150;
    expect((await memory.look())?.message).toContain("up to 150 MiB where it can't be read");
  });

  test("memory known to belong to other attempts is not counted", async () => {
    const { state, memory } = attempt();
    await memory.begin();
    Object.assign(state, { segments: undefined, shared: 1_500, known: 450 });
    expect(await memory.look()).toBeUndefined();
  });

  test("memory that belongs to no attempt is not counted, and is looked up only once", async () => {
    const { state, memory } = attempt();
    await memory.begin();
    state.shared = 3_000;
    for (let look = 0; look < 5; look++) expect(await memory.look()).toBeUndefined();
    expect(state.asked).toBe(1);
    Object.assign(state, { segments: 120, shared: 3_120 });
    expect(await memory.look()).toMatchObject({ reason: "OutOfMemory" });
  });
});

test("a result of an earlier check ends no attempt", async () => {
  const { state, memory } = attempt();
  await memory.begin();
  Object.assign(state, { segments: 90, shared: 1_190 });
  expect(await memory.look()).toBeUndefined();
  Object.assign(state, { segments: 0, shared: 1_000, resident: 95 });
  expect(await memory.look()).toBeUndefined();
});

test("the memory of a machine is read as its kernel writes it", () => {
  const lines = [
    "MemTotal:  24576000 kB",
    "MemFree:  1000 kB",
    "MemAvailable:  5000 kB",
    "Buffers:  10 kB",
    "Cached:  20 kB",
    "Shmem:  7 kB",
  ];
  const huge = ["HugePages_Total:  12", "HugePages_Free:  2", "Hugepagesize:  2048 kB"];
  const expected = { totalBytes: 24_576_000 * 1024, availableBytes: 5_000 * 1024, sharedBytes: 7 * 1024 + 10 * 2 * mebibyte };
  expect(parseMachineMemory([...lines, ...huge].join("\n"))).toEqual(expected);
  const old = lines.filter((line) => !line.startsWith("MemAvailable")).join("\n");
  expect(parseMachineMemory(old)).toMatchObject({ availableBytes: (1_000 + 10 + 20 - 7) * 1024, sharedBytes: 7 * 1024 });
});
