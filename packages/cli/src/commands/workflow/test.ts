import { writeFileSync } from "node:fs";
import type { Schemas } from "@millrace/client/client.ts";
import type { Command } from "commander";
import { readDocuments } from "../../apply/read-documents.ts";
import { type Connection, connect } from "../../connection/connect.ts";
import { exitCodes, Failure } from "../../failure.ts";
import { type Format, formatYaml, outputOption, plainAtTerminal, printValue } from "../../output/print.ts";
import { write } from "../../output/terminal.ts";
import { isPath } from "../../test-run/is-path.ts";
import { junitXml } from "../../test-run/junit-xml.ts";
import { planTests, type TestedSet } from "../../test-run/plan-tests.ts";
import { describeReport, describeTotals } from "../../test-run/show-report.ts";
import { collect, exampleCommand } from "../client-command.ts";

type Report = Schemas["WorkflowTestReport"];

interface TestFlags {
  name?: string[];
  junit?: string;
  fromRun?: string;
  save?: true;
  output: Format;
}

/** `millrace test` */
export function testCommand(): Command {
  return exampleCommand("test", "Run tests of workflows, with mocks instead of tasks", [
    "test orders",
    "test workflows/ --junit results.xml",
    "test orders.yaml orders.test.yaml",
    "test --from-run $RUN > orders.test.yaml",
  ])
    .argument("[TARGET...]", "files or folders with workflows and their tests; or names of saved workflows")
    .option("--name <TEST>", "only the tests with this name; can be repeated", collect)
    .option("--junit <FILE>", "also write the results as JUnit XML")
    .option("--from-run <RUN>", "run no tests; write a test made from this finished run")
    .option("--save", "with --from-run: save it as a test of the workflow")
    .addOption(outputOption())
    .action(runTests);
}

async function runTests(targets: string[], flags: TestFlags, command: Command): Promise<void> {
  if (flags.fromRun !== undefined) return makeTest(flags.fromRun, targets, flags, connect(command));
  if (targets.length === 0)
    throw new Failure(exitCodes.notUnderstood, "Nothing to test", "Name a file, a folder or a workflow; or a run with --from-run");
  const paths = targets.filter(isPath);
  const names = targets.filter((target) => !isPath(target));
  const sets: TestedSet[] = names.map((workflow) => ({ workflow, draftDocument: undefined, tests: undefined }));
  if (paths.length > 0) sets.push(...(await planTests(readDocuments(paths).text)));
  if (sets.length === 0)
    throw new Failure(exitCodes.notFound, `${paths.join(", ")} has no tests`, "Write documents with kind: WorkflowTest");
  const connection = connect(command);
  const reports: Report[] = [];
  for (const set of sets) reports.push(await runSet(connection, set, flags));
  await show(reports, flags);
  if (reports.some(({ failed }) => failed > 0)) process.exitCode = exitCodes.failed;
}

async function runSet({ client, team }: Connection, set: TestedSet, { name: names }: TestFlags): Promise<Report> {
  const { workflow, draftDocument } = set;
  const tests = names === undefined ? set.tests : set.tests?.filter((test) => names.includes(test.name));
  return client.post("/api/v2/team/{team}/workflow/{workflow}/test/run", {
    params: { path: { team: await team(), workflow } },
    body: { draftDocument, ...(tests === undefined ? { names } : { tests }) },
  });
}

async function show(reports: readonly Report[], { output, junit }: TestFlags): Promise<void> {
  if (junit !== undefined) writeReport(junit, junitXml(reports));
  if (output === "json" || output === "yaml") await printValue(output, reports);
  else if (output === "name")
    write(reports.flatMap(({ workflow, tests }) => tests.map(({ name }) => plainAtTerminal(`${workflow}/${name}\n`))).join(""));
  else write(reports.map(describeReport).join("\n") + describeTotals(reports));
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Failure(exitCodes.failed, `${file} can't be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** As a document for `millrace apply`. */
async function makeTest(runId: string, targets: readonly string[], flags: TestFlags, { client, team }: Connection): Promise<void> {
  if (targets.length > 0)
    throw new Failure(exitCodes.notUnderstood, "A test is made of a run, or tests are run", "Leave out --from-run, or the files");
  const [name] = flags.name ?? [];
  const {
    id: _id,
    version: _version,
    changeDate: _date,
    workflow,
    ...test
  } = await client.post("/api/v2/team/{team}/workflowrun/{runId}/test", {
    params: { path: { team: await team(), runId } },
    body: { name, dryRun: flags.save !== true },
  });
  const document = { apiVersion: "millrace.dev/v1", kind: "WorkflowTest", workflow, ...test };
  if (flags.output === "json") return printValue("json", document);
  write(plainAtTerminal(await formatYaml(document)));
}
