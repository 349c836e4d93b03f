import { expect, test } from "vitest";
import { logKit } from "../../../test/kit/history/log-kit.ts";

/** The log of a finished task run is complete: what was read then is what is read later. */
const { app, kit, write, claimed, again } = await logKit();

async function textOf(path: string): Promise<string> {
  return (await app.as().get(`${path}?follow=false`)).text;
}

test("output of a lost attempt after the next one has ended the task is dropped", async () => {
  const { claim: first, path, id: teamId } = await claimed();
  await write(first, 0, ["one"]);
  const second = await again(first, teamId);
  await write(first, 1, ["late, but the task goes on"]);
  await write(second, 0, ["two"]);
  await kit.end(second, { status: "succeeded" });
  const whole = await textOf(path);
  expect(whole.split("\n").filter((line) => !line.startsWith("---"))).toEqual(["one", "late, but the task goes on", "two", ""]);
  await write(first, 2, ["too late"]);
  expect(await textOf(path)).toBe(whole);
});

test("output of a step during its cancellation is in its log", async () => {
  const { claim, path, runId, id: teamId } = await claimed();
  await write(claim, 0, ["begun"]);
  expect((await app.as().delete(`/api/v2/team/${teamId}/workflowrun/${runId}/cancel`)).status).toBeLessThan(300);
  await kit.settle();
  await write(claim, 1, ["cleaned up"]);
  expect(await textOf(path)).toBe("begun\ncleaned up\n");
});
