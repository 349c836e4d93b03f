import { type ApplyKind, applyKinds } from "@millrace/contract/apply.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { documentKey, type OrderedDocument, orderDocuments } from "./apply-order.ts";

const document = (kind: ApplyKind, name: string, ...needs: string[]): OrderedDocument => ({ kind, key: documentKey(kind, name), needs });
const names = (documents: readonly OrderedDocument[]) => documents.map(({ key }) => key);

test("kinds come in the order in which they can refer to each other", () => {
  const set = [...applyKinds].reverse().map((kind) => document(kind, kind === "Task" ? "b" : "a"));
  expect(orderDocuments(set).map(({ kind }) => kind)[0]).toBe("Team");
  expect(
    names(orderDocuments([document("Schedule", "s"), document("Pipeline", "a"), document("Task", "t"), document("StepAction", "z")])),
  ).toEqual(["Task z", "Task t", "Workflow a", "Schedule s"]);
});

test("workflows and pipelines are one kind, ordered by what they refer to", () => {
  const set = [document("Workflow", "a", "Workflow c"), document("Pipeline", "b"), document("Workflow", "c", "Workflow b")];
  expect(names(orderDocuments(set))).toEqual(["Workflow b", "Workflow c", "Workflow a"]);
});

test("a cycle and a reference to itself terminate", () => {
  const set = [document("Workflow", "a", "Workflow b"), document("Workflow", "b", "Workflow a"), document("Workflow", "c", "Workflow c")];
  expect(names(orderDocuments(set)).sort()).toEqual(["Workflow a", "Workflow b", "Workflow c"]);
});

test("a chain of a whole set does not overflow the stack", () => {
  const set = Array.from({ length: 20_000 }, (_, index) => document("Workflow", `w${index}`, `Workflow w${index + 1}`));
  expect(names(orderDocuments(set))[0]).toBe("Workflow w19999");
});

test("the order of the set makes no difference, each comes once, and after what it needs unless that is a circle", () => {
  const anySet = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...applyKinds), fc.nat(6)), {
      selector: ([kind, n]) => documentKey(kind, `n${n}`),
      maxLength: 30,
    })
    .map((pairs) => pairs.map(([kind, n]) => document(kind, `n${n}`, ...(kind === "Workflow" && n > 0 ? [`Workflow n${n - 1}`] : []))));
  fc.assert(
    fc.property(anySet, fc.infiniteStream(fc.nat()), (set, keys) => {
      const shuffled = [...set].map((one) => [keys.next().value ?? 0, one] as const).sort(([one], [other]) => one - other);
      const ordered = names(orderDocuments(set));
      expect(names(orderDocuments(shuffled.map(([, one]) => one)))).toEqual(ordered);
      expect([...ordered].sort()).toEqual(names(set).sort());
      for (const { key, needs } of set)
        for (const needed of needs) if (ordered.includes(needed)) expect(ordered.indexOf(needed)).toBeLessThan(ordered.indexOf(key));
    }),
  );
});
