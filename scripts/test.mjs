// `npm test`: installs what is missing, then runs the suite. Further arguments are passed to vitest: `npm test -- store`; so are those
// after `--changed [COMMIT]`, which itself is replaced by the tests nearest to the changes. The files `*.long.test.ts` run with `npm run
// test:long`, or if an argument selects files.
import { runInstalled } from "./run.mjs";

await runInstalled(async () => {
  const { runVitest } = await import("./run-vitest.mjs");
  const given = process.argv.slice(2);
  const args = await withChanged(given[0] === "--long" ? ["--project=long*", ...given.slice(1)] : given);
  if (args === undefined) process.exitCode = 0;
  else process.exitCode = await runVitest(args.every((arg) => arg.startsWith("-")) ? unlessLong(args) : args);
});

/** Without arguments that select files or a project, the suite is run. */
function unlessLong(args) {
  return args.some((arg) => arg.startsWith("--project")) ? args : ["--project=!long*", ...args];
}

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
