// `npm run test:kubernetes`: the tests that need a real cluster, which is started for them. What it needs is installed and built if it is
// missing. If that is not possible, it prints the reason and succeeds, unless MILLRACE_TEST_REQUIRE names `kubernetes`.
import { runInstalled } from "./run.mjs";

await runInstalled(async () => {
  // biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
  const { prepareKubernetes } = await import("./kubernetes/binaries.mjs");
  const found = await prepareKubernetes({ say: (line) => console.log(`millrace: ${line}`) });
  if ("folder" in found) {
    const { runVitest } = await import("./run-vitest.mjs");
    process.exitCode = await runVitest(["--config", "scripts/kubernetes/vitest.config.mjs", ...process.argv.slice(2)]);
  } else {
    const isRequired = (process.env.MILLRACE_TEST_REQUIRE ?? "").split(",").includes("kubernetes");
    console.log(`${isRequired ? "FAILED" : "SKIPPED"}: ${found.why}`);
    process.exitCode = isRequired ? 1 : 0;
  }
});
