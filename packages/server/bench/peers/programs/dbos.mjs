// A DBOS workflow: each step is a `DBOS.runStep`, whose result is a row before the next one begins.
import { DBOS } from "@dbos-inc/dbos-sdk";
import { answerChains } from "./answer-chains.mjs";

const chain = DBOS.registerWorkflow(
  async (steps) => {
    let value = 0;
    for (let index = 0; index < steps; index++) value = await DBOS.runStep(async () => value + 1, { name: `step ${index}` });
    return value;
  },
  { name: "chain" },
);

DBOS.setConfig({ name: "bench", systemDatabaseUrl: process.env.DATABASE_URL, logLevel: "error", runAdminServer: false });
await DBOS.launch();
answerChains((steps) => chain(steps));
