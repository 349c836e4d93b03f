import { expect, test } from "vitest";
import { testApp } from "../../kit/app.ts";
import { longestStretch } from "../../kit/longest-stretch.ts";
import { makeTask } from "../../kit/workflow-factories.ts";

/** Others get their turn while somebody's workflow of thousands of tasks is saved, read or started. */
const app = await testApp({ config: { checkAnswers: false } });
const size = 3000;

const tasks = Array.from({ length: size }, (_, index) => ({
  name: `t${index}`,
  taskRef: "set-result-parameter",
  params: [
    { name: "output", value: `o${index}` },
    { name: "value", value: index === 0 ? "$(params.a)" : `$(params.a) $(tasks.t${index - 1}.results.o${index - 1})` },
  ],
  dependencies: index === 0 ? [] : [{ taskRef: `t${index - 1}` }],
}));

test("no request for a large workflow does its work in one stretch", { timeout: 300_000 }, async () => {
  const team = await app.make.team();
  await makeTask(app.sql, { name: "set-result-parameter", type: "setwfproperty", params: [{ name: "output" }, { name: "value" }] });
  const client = app.as();
  const path = `/api/v2/team/${team.name}/workflow`;
  const workflow = (suffix: string) => ({
    name: "large",
    params: [{ name: "a", type: "text", default: "x" }],
    tasks: tasks.map((task, index) => (index === 7 ? { ...task, params: [task.params[0], { name: "value", value: suffix }] } : task)),
  });
  const requests = {
    check: () => client.post(`${path}/validate`, workflow("a")),
    save: (round: number) => client.put(path, workflow(`round ${round}`)),
    "read as a canvas": () => client.get(`${path}/large/compose`),
    start: () => client.post(`${path}/large/submit?start=true`, {}),
  };
  const shares: Record<string, number> = {};
  // The first round also compiles.
  for (const round of [1, 2]) {
    for (const [name, send] of Object.entries(requests)) {
      const { share, result } = await longestStretch(() => send(round));
      expect(result.status, `${name}: ${result.text.slice(0, 500)}`).toBeLessThan(300);
      shares[name] = share;
    }
  }
  for (const [name, share] of Object.entries(shares)) expect(share, JSON.stringify({ name, shares })).toBeLessThan(0.5);
});
