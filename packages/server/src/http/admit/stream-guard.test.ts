import { once } from "node:events";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../../base/process/log.ts";
import { createStreamGuard, maxStreamsOfCaller } from "./stream-guard.ts";

test("the number of streams of a caller is limited, separately for each, and a closed one frees its place", async () => {
  const guard = createStreamGuard(createLog("silent"));
  onTestFinished(guard.stop);
  const open = (caller: string) => {
    const stream = new Readable({ read() {} });
    guard.watch(stream, caller, async () => true);
    return stream;
  };
  const [first] = Array.from({ length: maxStreamsOfCaller }, () => open("user:one"));
  const refused = new Readable({ read() {} });
  expect(() => guard.watch(refused, "user:one", async () => true)).toThrow(expect.objectContaining({ reason: "TOO_MANY_REQUESTS" }));
  expect(refused.destroyed).toBe(true);
  expect(open("user:two").destroyed).toBe(false);
  first!.destroy();
  await once(first!, "close");
  expect(open("user:one").destroyed).toBe(false);
});
