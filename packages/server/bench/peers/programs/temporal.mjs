// A worker of Temporal and a client beside it: each step is an activity, which is durable before the next one begins.
import { fileURLToPath } from "node:url";
import { Client, Connection } from "@temporalio/client";
import { NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { answerChains } from "./answer-chains.mjs";

const address = process.env.TEMPORAL_ADDRESS;
Runtime.install({ logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error: console.error } });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue: "chains",
  workflowsPath: fileURLToPath(new URL("./temporal-chain.mjs", import.meta.url)),
  activities: { step: async (value) => value + 1 },
});
void worker.run();

const client = new Client({ connection: await Connection.connect({ address }) });
let chains = 0;
answerChains((steps) =>
  client.workflow.execute("chain", { taskQueue: "chains", workflowId: `chain-${process.pid}-${chains++}`, args: [steps] }),
);
