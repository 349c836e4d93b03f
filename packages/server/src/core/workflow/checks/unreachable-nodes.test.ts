import { describe, expect, test } from "vitest";
import { startWork } from "../../../../test/kit/processor-ms.ts";
import { type ReachedNode, unreachableNodes } from "./unreachable-nodes.ts";

type Way = string | [string, string];

/** A node after others; `a success` is a link with that condition, `["switch", "x"]` is a link of a switch. */
function node(name: string, ways: readonly Way[] = ["start"], type = "script"): ReachedNode {
  const dependencies = ways.map((way) => {
    if (typeof way !== "string") return { taskRef: way[0], decisionCondition: way[1] };
    const [taskRef = "", executionCondition] = way.split(" ");
    return { taskRef, ...(executionCondition && { executionCondition }) };
  });
  return { name, type, dependencies };
}

function unreachable(...nodes: ReachedNode[]): Record<string, string> {
  const all = [node("start", [], "start"), ...nodes];
  const paths = new Map(nodes.map(({ name }) => [name, name]));
  return Object.fromEntries(unreachableNodes(all, paths).map(({ path, message }) => [path, message]));
}

describe("no run reaches", () => {
  test("what waits for the start to fail, and what comes behind it", () => {
    expect(unreachable(node("a", ["start failure"]), node("b", ["a"]), node("c", ["start", "b success"]))).toEqual({
      a: 'never runs: "start", which it waits for, can\'t fail',
      b: 'never runs, because "a" before it never runs',
      c: 'never runs, because "b" before it never runs',
    });
  });

  test("what joins the success and the failure of one task", () => {
    const found = unreachable(
      node("a"),
      node("good", ["a success"]),
      node("bad", ["a failure"]),
      node("join", ["good success", "bad success"]),
    );
    expect(found).toEqual({ join: 'never runs: the links before it need task "a" both to succeed and to fail' });
  });

  test.each([
    ["x", "y"],
    ["x\ny", "z"],
    ["", "x"],
  ])("what joins the ways %j and %j of one switch by success", (one, other) => {
    const found = unreachable(
      node("which", ["start"], "decision"),
      node("left", [["which", one]]),
      node("right", [["which", other]]),
      node("join", ["left success", "right success"]),
    );
    expect(found).toEqual({ join: expect.stringContaining('switch "which" to choose two paths') });
  });
});

describe("a run may reach", () => {
  test("what joins such ways by links that always hold", () => {
    expect(unreachable(node("a"), node("good", ["a success"]), node("bad", ["a failure"]), node("join", ["good", "bad"]))).toEqual({});
  });

  test.each([
    ["x.*", "xy"],
    ["x\ny", "y"],
  ])("what joins the ways %j and %j of a switch, which may both be chosen", (one, other) => {
    const found = unreachable(
      node("which", ["start"], "decision"),
      node("left", [["which", one]]),
      node("right", [["which", other]]),
      node("join", ["left success", "right success"]),
    );
    expect(found).toEqual({});
  });

  test("the end, whatever happens to one way to it", () => {
    expect(unreachable(node("a", ["start failure"]), node("b"), node("end", ["a success", "b"], "end"))).toEqual({
      a: expect.any(String),
    });
  });

  test("a long chain of tasks that may fail is checked quickly", () => {
    const chain = Array.from({ length: 5000 }, (_, index) => [
      node(`n${index}`, [index === 0 ? "start" : `n${index - 1} success`]),
      node(`f${index}`, [`n${index} failure`]),
    ]).flat();
    const expectWithin = startWork();
    expect(unreachable(...chain)).toEqual({});
    expectWithin(5000);
  });
});
