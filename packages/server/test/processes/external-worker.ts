import { TerminalError, task, worker } from "../../../worker-sdk/src/worker.ts";

/** An external worker as a user writes it. Arguments: URL, team, token, seconds of its lease. Prints what it does. */
const [url = "", team = "", token = "", lease = "5"] = process.argv.slice(2);
const say = (text: string) => process.stdout.write(`${text}\n`);

const tasks = {
  greet: task({
    params: { name: "string", times: { type: "number", default: 1 }, loud: { type: "boolean", optional: true } },
    results: ["greeting"],
    run: ({ name, times, loud }) => {
      const greeting = Array.from({ length: times }, () => `hello ${name}`).join(" ");
      return { greeting: loud ? greeting.toUpperCase() : greeting };
    },
  }),
  login: task({
    params: { password: "secret" },
    run: async ({ password }, { log }) => {
      await log(`signing in with ${password}`);
      return { used: password };
    },
  }),
  flaky: (_params: object, { attempt }: { attempt: number }) => {
    if (attempt === 1) throw new Error("the gate is shut");
    return { attempt };
  },
  hopeless: () => {
    throw new TerminalError("there is no gate");
  },
  wait: async (_params: object, { signal, attempt, log }: { signal: AbortSignal; attempt: number; log(text: string): Promise<void> }) => {
    say(`waiting ${attempt}`);
    await log("waiting");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    say("stopped");
  },
  brief: async ({ ms }: { ms: string }) => {
    say("brief");
    await new Promise((resolve) => setTimeout(resolve, Number(ms)));
    return { done: true };
  },
};

const one = worker({
  url,
  team,
  token,
  tasks,
  leaseSeconds: Number(lease),
  graceSeconds: 10,
  onWarning: (text) => process.stderr.write(`${text}\n`),
});
process.stdout.write("started\n");
await one.run();
say("ended");
