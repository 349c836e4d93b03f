import { expect, test } from "vitest";
import type { Worker } from "../../../api/queries/settings.ts";
import { executorLines, slotsText } from "./worker-words.ts";

const worker = (fields: Partial<Worker>): Worker => ({
  ...{ id: "1", host: "mill-1", pid: 1, roles: [], executors: [], labels: [], slots: 8, busySlots: 3 },
  ...{ startDate: "", leaseUntilDate: "", alive: true, answering: false },
  ...fields,
});

test.each([
  [[], "No worker is running"],
  [[worker({ alive: false })], "No worker is running"],
  [[worker({})], "3 of 8 slots in use on 1 worker"],
  [[worker({}), worker({ slots: 1, busySlots: 1 }), worker({ alive: false })], "4 of 9 slots in use on 2 workers"],
])("slots of the live workers are added up (%#)", (workers, text) => expect(slotsText(workers)).toBe(text));

test("an executor that is unavailable says why, what helps, and that it starts by itself", () => {
  const [line] = executorLines([
    worker({ executors: [{ kind: "container", available: false, isolation: "none", detail: "no container engine can be used" }] }),
    worker({ host: "mill-2", executors: [{ kind: "container", available: true }] }),
  ]);
  expect(line).toMatchObject({ kind: "container", on: ["mill-2"], off: ["mill-1"] });
  expect(line?.says).toBe(
    "No container engine can be used. Start Docker or Podman on that machine and give Millrace access to its socket, or set MILLRACE_CONTAINER_HOST. It turns on automatically.",
  );
});

test("for a process that gives no reason, the line says where to look", () => {
  const [line] = executorLines([worker({ executors: [{ kind: "kubernetes", available: false }] })]);
  expect(line?.says).toContain("See GET /health of that process");
});

test("executors of lost workers are not listed", () => {
  expect(executorLines([worker({ alive: false, executors: [{ kind: "process", available: false }] })])).toEqual([]);
});
