import { expect, test } from "vitest";
import { ApplyPlaces } from "./apply-places.ts";

test("a caller applies at most two sets at once, all callers together six, and a finished one frees its slot", async () => {
  const places = new ApplyPlaces();
  const ends: (() => void)[] = [];
  const begin = (caller: string) => places.within(caller, () => new Promise<void>((resolve) => void ends.push(resolve)));
  const begun = ["a", "a"].map(begin);
  await expect(begin("a")).rejects.toMatchObject({ reason: "CONFLICT", retryAfterSeconds: 2 });
  begun.push(...["b", "b", "c", "c"].map(begin));
  await expect(begin("d")).rejects.toMatchObject({ reason: "CONFLICT" });
  for (const end of ends) end();
  await Promise.all(begun);
  await expect(places.within("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  const again = ["a", "a"].map(begin);
  for (const end of ends) end();
  await Promise.all(again);
});
