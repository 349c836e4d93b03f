import "../../../../test/kit/suite/property-seed.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startWork } from "../../../../test/kit/processor-ms.ts";
import { node, RunSimulator, workflow } from "../../../../test/kit/run-simulator.ts";
import type { DocumentNode } from "../../workflow/plan.ts";
import type { Layers } from "../run-state.ts";
import { planRerun } from "./plan-rerun.ts";
import { listUnmapped } from "./reasons.ts";
import type { RerunQuestion } from "./rerun-question.ts";

const params = (values: Record<string, string>) => ({ params: Object.entries(values).map(([name, value]) => ({ name, value })) });
const layers = (workflow: Record<string, unknown> = {}): Layers => ({ global: {}, team: {}, workflow, context: {} });

/** Plays a workflow until nothing changes any more; tasks end as given in `ends`, otherwise they succeed. */
function play(nodes: DocumentNode[], ends: Record<string, "failed" | "timedout"> = {}, given: Layers = layers()): RunSimulator {
  const run = new RunSimulator(nodes, { layers: given }).start();
  for (;;) {
    const ready = run.state.nodes.find(({ status }) => status === "ready");
    if (!ready) return run;
    run.end(ready.name, ends[ready.name] ?? "succeeded");
  }
}

function ask(run: RunSimulator, more: Partial<RerunQuestion> = {}): Record<string, string> {
  const question = questionOf(run, more);
  const plans = planRerun(question).filter(({ type }) => type !== "start" && type !== "end");
  return Object.fromEntries(plans.map(({ name, decision, why }) => [name, why ?? decision]));
}

function questionOf(run: RunSimulator, more: Partial<RerunQuestion> = {}): RerunQuestion {
  const before = { plan: run.plan, layers: run.state.layers };
  return { before, after: before, tasks: run.state.nodes, chosen: new Set(), marked: new Set(), hasWorkspace: false, ...more };
}

const on = (from: string, how: "success" | "failure" = "success") => [{ from, on: how }];
const chain = workflow(node("a", "script"), node("b", "script", on("a")), node("c", "script", on("b")));

describe("a rerun", () => {
  test("runs what was cancelled or skipped with its run", () => {
    const run = new RunSimulator(chain).start();
    run.end("a");
    run.send({ kind: "cancel", message: "" });
    expect(ask(run)).toEqual({ a: "reused", b: "not-run-before", c: "not-run-before" });
  });

  test("runs what failed again, and what follows", () => {
    expect(ask(play(chain, { b: "failed" }))).toEqual({ a: "reused", b: "failed", c: "downstream" });
  });

  test("of a run that succeeded begins at the chosen task", () => {
    expect(ask(play(chain), { chosen: new Set(["b"]) })).toEqual({ a: "reused", b: "chosen", c: "downstream" });
  });

  test("repeats what was undone, and never reuses what runs when the flow is over", () => {
    const nodes = workflow(
      node("book", "script", ["start"], { compensatedBy: "unbook" }),
      node("look", "script", ["start"]),
      node("pay", "script", ["book", "look"]),
    );
    const beside = [node("unbook", "script", []), node("tell", "script", [], { handler: "finally" })];
    const failed = play([...nodes, ...beside], { pay: "failed" });
    expect(ask(failed)).toEqual({ book: "undone", look: "reused", pay: "failed", unbook: "handler", tell: "handler" });
    const well = play([...nodes, ...beside]);
    expect(ask(well)).toEqual({ book: "reused", look: "reused", pay: "reused", unbook: "handler", tell: "handler" });
  });

  test("keeps no item of a list that was undone, or whose files are gone", () => {
    const each = (more: Partial<DocumentNode> = {}) => node("each", "script", ["start"], { forEach: { items: ["x", "y"] }, ...more });
    const itemsKept = (nodes: DocumentNode[], more: Partial<RerunQuestion> = {}) => {
      const run = new RunSimulator(nodes).start().end("each[0]").end("each[1]", "failed");
      if (nodes.some(({ name }) => name === "undo")) run.end("undo");
      const plan = planRerun(questionOf(run, more)).find(({ name }) => name === "each");
      return [plan?.why, plan?.keepsItems];
    };
    expect(itemsKept(workflow(each()))).toEqual(["failed", true]);
    expect(itemsKept(workflow(each()), { hasWorkspace: true })).toEqual(["failed", false]);
    expect(itemsKept([...workflow(each({ compensatedBy: "undo" })), node("undo", "script", [])])).toEqual(["undone", false]);
  });

  test("decides about failure handlers and skipped tasks when what is before them changes", () => {
    const run = play(workflow(node("a", "script"), node("repair", "script", on("a", "failure")), node("b", "script", on("a"))));
    expect(ask(run)).toEqual({ a: "reused", repair: "reused", b: "reused" });
    expect(ask(run, { chosen: new Set(["a"]) })).toEqual({ a: "chosen", repair: "downstream", b: "downstream" });
  });

  test("continues after a task that is marked as succeeded", () => {
    expect(ask(play(chain, { b: "failed" }), { marked: new Set(["b"]) })).toEqual({ a: "reused", b: "marked", c: "downstream" });
  });

  test("runs what refers to a result of a task that runs again", () => {
    const refers = params({ input: "$(tasks.a.results.out)" });
    const run = play(workflow(node("a", "script", ["start"], { results: [{ name: "out" }] }), node("c", "script", ["a"], refers)));
    expect(ask(run, { chosen: new Set(["a"]) }).c).toBe("downstream");
  });

  test("runs all tasks on workers again that share the workspace of the run", () => {
    const two = play(workflow(node("a", "script"), node("wait", "sleep", ["start"], params({ duration: "0" })), node("b", "script")), {
      b: "failed",
    });
    expect(ask(two, { hasWorkspace: true })).toMatchObject({ a: "workspace", b: "failed" });
  });
});

describe("another version or other parameters", () => {
  const change = (run: RunSimulator, nodes: DocumentNode[], more: Partial<RerunQuestion> = {}) => {
    const after = { plan: new RunSimulator(nodes).plan, layers: run.state.layers };
    return { asked: ask(run, { after, ...more }), unmapped: listUnmapped(questionOf(run, { after })), plan: after };
  };

  test("runs what is defined in another way, and what follows", () => {
    const changed = workflow(node("a", "script"), node("b", "script", on("a"), params({ x: "1" })), node("c", "script", on("b")));
    expect(change(play(chain), changed).asked).toEqual({ a: "reused", b: "definition-changed", c: "downstream" });
    const same = workflow(node("a", "script"), node("b", "script", on("a"), { timeout: 9 }), node("c", "script", on("b")));
    expect(change(play(chain), same).asked).toEqual({ a: "reused", b: "reused", c: "reused" });
  });

  test("runs new tasks and says what it can't use", () => {
    const { asked, unmapped } = change(
      play(chain),
      workflow(node("a", "sleep"), node("b", "script", on("a")), node("d", "script", on("b"))),
    );
    expect(asked).toEqual({ a: "new", b: "downstream", d: "new" });
    expect(unmapped.map(({ task, why }) => [task, why])).toEqual([
      ["a", "type-changed"],
      ["c", "renamed"],
    ]);
    expect(change(play(chain), workflow(node("a", "script"))).unmapped.map(({ why }) => why)).toEqual(["removed", "removed"]);
  });

  test("runs what has other values by a parameter, and nothing else", () => {
    const nodes = workflow(
      node("a", "script", ["start"], params({ x: "$(params.city)" })),
      node("b", "script", ["start"], params({ x: "$(params.other)" })),
      node("c", "script", ["b"]),
    );
    const run = play(nodes, {}, layers({ city: "Oslo", other: "1" }));
    const after = { plan: run.plan, layers: layers({ city: "Bergen", other: "1" }) };
    expect(ask(run, { after })).toEqual({ a: "input-changed", b: "reused", c: "reused" });
  });
});

describe("locks and decisions", () => {
  const guarded = workflow(
    node("lock", "acquirelock", ["start"], params({ key: "k" })),
    node("a", "script", ["lock"]),
    node("b", "script", ["a"]),
    node("free", "releaselock", ["b"], params({ key: "k" })),
    node("after", "script", on("free")),
  );

  test("a lock is acquired again, with all that it guards, if any of that runs again", () => {
    const run = play(guarded, { b: "failed" });
    expect(ask(run)).toEqual({ lock: "lock", a: "downstream", b: "failed", free: "downstream", after: "downstream" });
    const later = play(guarded, { after: "failed" });
    expect(ask(later)).toEqual({ lock: "reused", a: "reused", b: "reused", free: "reused", after: "failed" });
    expect(ask(play(guarded), { chosen: new Set(["free"]) }).lock).toBe("lock");
  });

  const approved = (nodes: DocumentNode[], ends: Record<string, "failed"> = {}) => {
    const run = new RunSimulator(nodes).start();
    for (;;) {
      const open = run.state.nodes.find(({ status }) => status === "ready" || status === "waiting");
      if (!open) return run;
      if (open.status === "ready") run.end(open.name, ends[open.name] ?? "succeeded");
      else run.send({ kind: "decided", taskRunId: open.id, approved: true, results: [], message: "" });
    }
  };

  test("people are asked again only if what they approved is another", () => {
    const run = approved(workflow(node("ask", "approval"), node("a", "script", ["ask"], params({ x: "$(params.city)" }))), { a: "failed" });
    expect(ask(run)).toEqual({ ask: "reused", a: "failed" });
    const before = { plan: run.plan, layers: layers({ city: "Oslo" }) };
    expect(ask(run, { before, after: { plan: run.plan, layers: layers({ city: "Bergen" }) } }).ask).toBe("approval");
  });

  test("people are asked again if a person gives results that they have not seen", () => {
    const beside = approved(workflow(node("build", "script"), node("ask", "approval"), node("a", "script", ["ask", ...["build"]])), {
      build: "failed",
    });
    expect(ask(beside, { marked: new Set(["build"]) }).ask).toBe("approval");
    const behind = approved(workflow(node("ask", "approval"), node("build", "script", ["ask"]), node("a", "script", on("build"))), {
      build: "failed",
    });
    expect(ask(behind, { marked: new Set(["build"]) }).ask).toBe("reused");
  });
});

const draft = fc.record({
  from: fc.uniqueArray(fc.nat(6), { maxLength: 3 }),
  how: fc.constantFrom<"always" | "success" | "failure">("always", "success", "failure"),
  end: fc.constantFrom(undefined, undefined, "failed" as const, "timedout" as const),
  type: fc.constantFrom("script" as const, "script" as const, "acquirelock" as const),
});
const drafts = fc.array(draft, { minLength: 1, maxLength: 9 });

function build(list: readonly { from: number[]; how: "always" | "success" | "failure"; type: "script" | "acquirelock" }[]): DocumentNode[] {
  return workflow(
    ...list.map(({ from, how, type }, index) => {
      const sources = [...new Set(from.map((pick) => (index === 0 ? "start" : `n${pick % index}`)))];
      const links = sources.length === 0 ? ["start"] : sources.map((source) => (source === "start" ? source : { from: source, on: how }));
      return node(`n${index}`, type, links, params({ key: `k${index}` }));
    }),
  );
}

describe("any plan", () => {
  test("reuses everything if nothing failed, nothing changed and nothing was chosen", () => {
    fc.assert(
      fc.property(drafts, (list) => {
        expect(new Set(Object.values(ask(play(build(list)))))).toEqual(new Set(["reused"]));
      }),
    );
  });

  test("reuses nothing that depends on what runs again, and is the same when it is asked for another time", () => {
    fc.assert(
      fc.property(drafts, fc.nat(8), fc.boolean(), (list, pick, hasWorkspace) => {
        const run = play(build(list), Object.fromEntries(list.flatMap(({ end }, index) => (end ? [[`n${index}`, end]] : []))));
        const question = questionOf(run, { chosen: new Set([`n${pick % list.length}`]), hasWorkspace });
        const plans = planRerun(question);
        for (const { node, decision } of plans) {
          const sources = run.plan.nodes[node]!.incoming.map(({ from }) => plans[from]!.decision);
          if (node !== run.plan.end && decision === "reused") expect(new Set([...sources, "reused"])).toEqual(new Set(["reused"]));
        }
        expect(planRerun(question)).toEqual(plans);
      }),
    );
  });

  test("for 500 tasks takes at most 100 ms", () => {
    const many = (x: string) =>
      workflow(
        ...Array.from({ length: 500 }, (_, index) =>
          node(`n${index}`, "script", index === 0 ? ["start"] : [`n${index - 1}`], params({ x, city: "$(params.city)" })),
        ),
      );
    const run = play(many("1"), {}, layers({ city: "Oslo" }));
    const after = { plan: new RunSimulator(many("1")).plan, layers: layers({ city: "Bergen" }) };
    planRerun(questionOf(run, { after }));
    const expectWithin = startWork();
    planRerun(questionOf(run, { after }));
    expectWithin(100);
  });
});
