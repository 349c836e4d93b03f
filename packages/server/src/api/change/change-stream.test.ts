import { expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { EventBus } from "../../base/process/event-bus.ts";
import { ChangeStream } from "./change-stream.ts";

const { sql } = await testDatabase();

test("an idle stream sends heartbeats, so that no proxy closes it", async () => {
  const reach = { mark: "same", kindsIn: () => new Set<string>(), runTeams: [] };
  const stream = new ChangeStream({
    ...{ sql, bus: new EventBus(), reachNow: async () => reach },
    ...{ isReturning: false, stopping: undefined, beatMs: 20 },
  });
  let text = "";
  for await (const part of stream.setEncoding("utf8")) {
    text += part;
    if (text.endsWith(": still here\n\n: still here\n\n")) break;
  }
  expect(text).toBe("retry: 1000\n\n: still here\n\n: still here\n\n");
  expect(stream.destroyed).toBe(true);
});
