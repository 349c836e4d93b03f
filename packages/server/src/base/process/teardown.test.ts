import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { Teardown } from "./teardown.ts";

const silent = createLog("silent");

test("stages stop last first, the parts of one at the same time, and a second call waits for the same end", async () => {
  const events: string[] = [];
  const teardown = new Teardown(silent);
  const part = (name: string, until: Promise<void> = Promise.resolve()) => ({
    name,
    async stop() {
      events.push(`${name} begins`);
      await until;
      events.push(`${name} ends`);
    },
  });
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  teardown.stage(1000).push(part("store"));
  teardown.stage(1000).push(part("worker", gate), part("requests"));
  const both = [teardown.run(), teardown.run()];
  await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual(["worker begins", "requests begins", "requests ends"]);
  open();
  await Promise.all(both);
  expect(events.slice(3)).toEqual(["worker ends", "store begins", "store ends"]);
});

test("a part that fails or hangs is named and does not block the others", async () => {
  const events: string[] = [];
  const teardown = new Teardown(silent);
  teardown.stage(1000).push({ name: "the store", stop: async () => void events.push("store") });
  teardown
    .stage(20)
    .push(
      { name: "the service worker", stop: () => new Promise(() => {}) },
      { name: "the service sweep", stop: () => Promise.reject(new Error("no database")) },
    );
  const failure = (await teardown.run().catch((error: unknown) => error)) as AggregateError;
  expect(failure.errors.map(({ message }: Error) => message)).toEqual([
    expect.stringContaining("the service worker failed to stop: did not finish within 0.02 s"),
    expect.stringContaining("the service sweep failed to stop: no database"),
  ]);
  expect(events).toEqual(["store"]);
});
