import { expect, it } from "vitest";
import { availableParameters } from "./parameters-available.ts";
import { scanReferences } from "./references.ts";

it("lists every parameter with and without its layer, and the results of tasks, each as it can be written", () => {
  const keys = availableParameters({
    global: ["host", "shared"],
    team: ["shared"],
    workflow: ["who", "a.b"],
    context: ["workflowrun-ref"],
    topics: ["paid", "paid by Ada.com"],
    tasks: [
      { name: "Build it", results: ["image"] },
      { name: "v1.2", results: ["x.y"] },
      { name: "end", results: [] },
    ],
  });
  expect(keys).toEqual([
    "global.params.host",
    "global.params.shared",
    "team.params.shared",
    "workflow.params.who",
    "workflow.params['a.b']",
    "context.params.workflowrun-ref",
    "params.host",
    "params.shared",
    "params.who",
    "params['a.b']",
    "params.workflowrun-ref",
    "context.params.callback-url.paid",
    "context.params.callback-url['paid by Ada.com']",
    "tasks.Build it.results.image",
    "tasks['v1.2'].results['x.y']",
  ]);
  for (const key of keys) expect(scanReferences(`$(${key})`)[0]?.reference).toBeDefined();
});
