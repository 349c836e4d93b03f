import type { BenchContext } from "../bench-context.ts";
import { startExternalWorker } from "../external.ts";
import { answeredLatencies, latencies, throughput } from "../measure-runs.ts";
import { median, timeMs } from "../statistics.ts";
import { type BenchWorkflow, chain, type FunctionKind, fanOut, functionChain, functionTask } from "../workflows.ts";

/** Something that two checkouts do alternately (pairs.ts). */
export interface Way {
  title: string;
  /** Costs are given per run, or per step of it. */
  unit: "run" | "step";
  /** Creates what is needed, and runs it once. @returns the function to measure, and one that cleans up */
  open(context: BenchContext): Promise<OpenWay>;
}

interface OpenWay {
  measure(): Promise<Done>;
  close?(): Promise<void>;
}

interface Done {
  /** How many runs or steps. */
  count: number;
  /** Of a run, the median. */
  ms: number;
}

/** What can be compared, by the name of its case. */
export function pairedWays(isQuick: boolean): Record<string, Way[]> {
  const runs = isQuick ? 1_000 : 4_000;
  const times = isQuick ? 5 : 20;
  return {
    chain3: [
      manyRuns("start=true, 200 callers", chain("pure", 3), { start: true, callers: 200, runs }),
      manyRuns("through the queue, 200 callers", chain("pure", 3), { start: false, callers: 200, runs }),
      manyRuns("start=true, one after the other", chain("pure", 3), { start: true, callers: 1, runs: runs / 2 }),
    ],
    external: [external40(times), external3(runs / 4)],
    scripts40: [chainOf("40 scripts in a chain", () => chain("script", 40), 40, Math.ceil(times / 5))],
    "fanout-scripts": [itemsOf("a list of scripts side by side", fanOut("script", isQuick ? 100 : 500), isQuick ? 100 : 500)],
    functions40: [functions("javascript", times), functions("python", times)],
  };
}

function manyRuns(
  title: string,
  workflow: BenchWorkflow,
  { start, callers, runs }: { start: boolean; callers: number; runs: number },
): Way {
  return {
    title,
    unit: "run",
    async open(context) {
      await makeWorkflow(context, workflow);
      await throughput(context, workflow, start, Math.ceil(runs / 10), callers);
      return {
        measure: async () => ({ count: runs, ms: 1000 / (await throughput(context, workflow, start, runs, callers)).runsPerSecond }),
      };
    },
  };
}

/** Two ways may share a workflow. */
function makeWorkflow({ client }: BenchContext, workflow: BenchWorkflow): Promise<void> {
  return client.createWorkflow(workflow).catch(() => undefined);
}

function chainOf(
  title: string,
  make: (context: BenchContext) => BenchWorkflow | Promise<BenchWorkflow>,
  length: number,
  times: number,
): Way {
  return {
    title,
    unit: "step",
    async open(context) {
      const workflow = await make(context);
      await makeWorkflow(context, workflow);
      await answeredLatencies(context, workflow, 2);
      return { measure: async () => ({ count: length * times, ms: median(await answeredLatencies(context, workflow, times)) }) };
    },
  };
}

/** A run may last longer than an answer waits for its end. */
function itemsOf(title: string, workflow: BenchWorkflow, items: number): Way {
  return {
    title,
    unit: "step",
    async open(context) {
      await makeWorkflow(context, workflow);
      return { measure: async () => ({ count: items, ms: median(await latencies(context, workflow, true, 1)) }) };
    },
  };
}

function functions(language: FunctionKind, times: number): Way {
  const make = async ({ client }: BenchContext) => {
    await client.createTask(functionTask(language)).catch(() => undefined);
    return functionChain(language, 40, true);
  };
  return chainOf(`40 kept functions in a chain, ${language}`, make, 40, times);
}

/** Polling all the time would slow down the steps, so the last step signals when to poll. */
function external40(times: number): Way {
  return {
    title: "40 external tasks in a chain",
    unit: "step",
    async open(context) {
      const { client } = context;
      let notifyLast = () => {};
      const close = await startExternalWorker(context, ({ name }) => name === "step-40" && notifyLast());
      const workflow = chain("external", 40);
      await makeWorkflow(context, workflow);
      const runOnce = async () => {
        const last = new Promise<void>((resolve) => {
          notifyLast = resolve;
        });
        const run = await client.submit(workflow.name, { start: true });
        await last;
        await client.waitForEnd(run);
      };
      const measure = async () => {
        const sample: number[] = [];
        for (let index = 0; index < times; index++) sample.push(await timeMs(runOnce));
        return { count: 40 * times, ms: median(sample) };
      };
      await runOnce();
      return { measure, close };
    },
  };
}

function external3(runs: number): Way {
  const way = manyRuns("3 external tasks, 200 callers", chain("external", 3), { start: true, callers: 200, runs });
  return {
    ...way,
    async open(context) {
      const close = await startExternalWorker(context, () => undefined);
      return { ...(await way.open(context)), close };
    },
  };
}
