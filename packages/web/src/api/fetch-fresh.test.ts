import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { fetchFresh } from "./fetch-fresh.ts";

test("a read after a save does not return a response from before it", async () => {
  const client = new QueryClient();
  const answers: ((version: number) => void)[] = [];
  const query = { queryKey: ["task", "build"], queryFn: () => new Promise<number>((answer) => answers.push(answer)) };
  client.fetchQuery(query).catch(() => "given up");
  const fresh = fetchFresh(client, query);
  await expect.poll(() => answers.length).toBe(2);
  answers[0]?.(1);
  answers[1]?.(2);
  await expect(fresh).resolves.toBe(2);
  expect(client.getQueryData(query.queryKey)).toBe(2);
});
