import { describe, expect, test } from "vitest";
import { teamNamesUsed, usedAmong } from "./team-names-used.ts";

const used = (value: unknown) => usedAmong(teamNamesUsed(value), [{ name: "key" }, { name: "a.b" }]).map(({ name }) => name);

describe("the parameters of the team that a workflow may reach", () => {
  test.each([
    ["a reference", { tasks: [{ params: [{ value: "echo $(params.key)" }] }] }],
    ["the layer", "x $(team.params.key) y"],
    ["the older name", "$(inputs.params.key)"],
    ["brackets", `$(team.params['key'])`],
    ["a key of it", "$(team.params.key.password)"],
    ["a reference within a command of the shell", "x=$(cat $(params.key))"],
    ["the environment of a step", { steps: [{ env: [{ valueFrom: { secretKeyRef: { name: "key", key: "user" } } }] }] }],
    ["all keys", { steps: [{ envFrom: [{ secretRef: { name: "key" } }] }] }],
  ])("are found by %s", (_, value) => {
    expect(used(value)).toEqual(["key"]);
  });

  test("have names with dots", () => {
    expect(used("$(params['a.b'])")).toEqual(["a.b"]);
  });

  test("are all, if a step takes a secret whose name is a reference", () => {
    expect(used({ valueFrom: { secretKeyRef: { name: "$(params.which)", key: "user" } } })).toEqual(["key", "a.b"]);
  });

  test("are none by other layers, results and plain text", () => {
    expect(used(["$(workflow.params.key)", "$(global.params.key)", "$(tasks.key.results.key)", "$(key)", "params.key"])).toEqual([]);
  });

  test("are those of the instance by its layer, and by the name alone unless that means a parameter of the team", () => {
    const secrets = [
      { name: "key", layer: "global" },
      { name: "own", layer: "global", hasShortName: false },
      { name: "closed", layer: "global", isOpen: false },
    ] as const;
    const found = (value: unknown) => usedAmong(teamNamesUsed(value), secrets).map(({ name }) => name);
    expect(found(["$(global.params.key)", "$(global.params.own)", "$(global.params.closed)"])).toEqual(["key", "own"]);
    expect(found(["$(params.key)", "$(params.own)", { secretRef: { name: "own" } }])).toEqual(["key"]);
    expect(found({ secretRef: { name: "$(params.which)" } })).toEqual(["key"]);
    expect(found(["$(team.params.key)", "$(workflow.params.key)"])).toEqual([]);
  });
});
