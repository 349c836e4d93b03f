import type { Schemas } from "@millrace/client/client.ts";
import { plainText } from "../output/plain-text.ts";

type Report = Schemas["WorkflowTestReport"];
type Result = Schemas["WorkflowTestResult"];

/** The format that CI systems read: a suite for each workflow, a case for each test. */
export function junitXml(reports: readonly Report[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${reports.map(suite).join("")}</testsuites>\n`;
}

function suite({ workflow, passed, failed, tests }: Report): string {
  const counts = `tests="${passed + failed}" failures="${failed}" errors="0" skipped="0"`;
  return `  <testsuite name=${quoted(workflow)} ${counts}>\n${tests.map((test) => testCase(workflow, test)).join("")}  </testsuite>\n`;
}

function testCase(workflow: string, { name, outcome, problem, failures }: Result): string {
  const head = `    <testcase classname=${quoted(workflow)} name=${quoted(name)}`;
  if (outcome === "passed") return `${head}/>\n`;
  const message = problem ?? failures[0]?.message ?? "failed";
  const lines = failures.map(({ path, message: why, expected, actual }) => {
    return `${path} ${why}\n  expected ${JSON.stringify(expected)}\n  actual ${JSON.stringify(actual)}`;
  });
  return `${head}>\n      <failure message=${quoted(message)}>${escaped(lines.join("\n"))}</failure>\n    </testcase>\n`;
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll("\n", "&#10;")}"`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML doesn't allow are shown as codes. */
function escaped(text: string): string {
  return plainText(text).replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
