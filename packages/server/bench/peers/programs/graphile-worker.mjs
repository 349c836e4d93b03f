// A queue of jobs: each step is a job that adds the next one; the last one responds to the caller.
import { makeWorkerUtils, run } from "graphile-worker";
import { answerChains } from "./answer-chains.mjs";

const connectionString = process.env.DATABASE_URL;
const waiting = new Map();
let chains = 0;

const utils = await makeWorkerUtils({ connectionString });
await utils.migrate();
await run({
  connectionString,
  concurrency: 24,
  maxPoolSize: 24,
  noHandleSignals: true,
  logger: undefined,
  taskList: {
    step: async ({ chain, value, steps }, helpers) => {
      if (value + 1 < steps) await helpers.addJob("step", { chain, value: value + 1, steps });
      else waiting.get(chain)(value + 1);
    },
  },
});

answerChains(async (steps) => {
  const chain = `${process.pid}-${chains++}`;
  const ended = new Promise((resolve) => waiting.set(chain, resolve));
  await utils.addJob("step", { chain, value: 0, steps });
  const value = await ended;
  waiting.delete(chain);
  return value;
});
