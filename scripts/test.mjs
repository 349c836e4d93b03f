// `npm test`: installs what is missing, then runs the whole suite. Further arguments go to vitest: `npm test -- store`.
import { runInstalled } from "./run.mjs";

await runInstalled(async () => {
  const { runVitest } = await import("./run-vitest.mjs");
  process.exitCode = await runVitest(process.argv.slice(2));
});
