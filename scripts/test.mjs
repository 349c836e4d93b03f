// `npm test`: installs what is missing, then runs the whole suite. Further arguments go to vitest: `npm test -- store`; those after
// `--changed [COMMIT]`, too, in place of which stand the tests nearest to what has changed.
import { runInstalled } from "./run.mjs";

await runInstalled(async () => {
  const { runVitest } = await import("./run-vitest.mjs");
  const args = await withChanged(process.argv.slice(2));
  process.exitCode = args === undefined ? 0 : await runVitest(args);
});

async function withChanged(args) {
  const at = args.findIndex((arg) => /^--changed(=|$)/.test(arg));
  if (at === -1) return args;
  // biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
  const { findChangedTests } = await import("./changed-tests.mjs");
  const inside = args[at].split("=")[1];
  const beside = inside === undefined && args[at + 1]?.startsWith("-") === false ? args[at + 1] : undefined;
  const { changed, tests, further } = findChangedTests(inside ?? beside);
  const others = further > 0 ? `; ${further} more files of tests reach it from afar, which only the whole suite runs` : "";
  console.log(`millrace: ${changed.length} files have changed, ${tests.length} files of tests are nearest to them${others}`);
  if (tests.length === 0) return undefined;
  return [...args.slice(0, at), ...tests, ...args.slice(at + (beside === undefined ? 1 : 2))];
}
