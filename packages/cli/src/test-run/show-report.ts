import type { Schemas } from "@millrace/client/client.ts";
import { plainLine } from "../output/plain-text.ts";
import { paint } from "../output/terminal.ts";

type Report = Schemas["WorkflowTestReport"];
type Result = Schemas["WorkflowTestResult"];

/** A workflow and its tests, in the style of test runners. */
export function describeReport({ workflow, version, tests, coverage }: Report): string {
  const head = `${paint("bold", plainLine(workflow))} (${version === undefined ? "draft" : `version ${version}`})\n`;
  const none = tests.length === 0 ? "  No tests\n" : "";
  return head + none + tests.map(describeTest).join("") + describeCoverage(coverage);
}

function describeTest({ name, outcome, problem, failures }: Result): string {
  if (outcome === "passed") return `  ${paint("green", "✓")} ${plainLine(name)}\n`;
  const details = failures.length === 0 ? `      ${plainLine(problem ?? "failed")}\n` : failures.map(describeFailure).join("");
  return `  ${paint("red", "✗")} ${plainLine(name)}\n${details}`;
}

function describeFailure({ path, message, expected, actual }: Result["failures"][number]): string {
  const lines = [`${paint("dim", plainLine(path))} ${plainLine(message)}`];
  if (expected !== undefined) lines.push(`  ${paint("green", `- expected ${shown(expected)}`)}`);
  if (actual !== undefined) lines.push(`  ${paint("red", `+ actual   ${shown(actual)}`)}`);
  return lines.map((line) => `      ${line}\n`).join("");
}

function shown(value: unknown): string {
  return plainLine(JSON.stringify(value) ?? "nothing");
}

const mostNamed = 5;

function describeCoverage({ tasks, links }: Report["coverage"]): string {
  if (tasks.total === 0) return "";
  const text = `  ${tasks.covered} of ${tasks.total} tasks and ${links.covered} of ${links.total} links are covered`;
  const missing = links.missing.slice(0, mostNamed).map(({ from, to }) => plainLine(`${from} → ${to}`));
  const more = links.missing.length > mostNamed ? ` and ${links.missing.length - mostNamed} more` : "";
  return `${paint("dim", missing.length === 0 ? text : `${text}; not taken: ${missing.join(", ")}${more}`)}\n`;
}

export function describeTotals(reports: readonly Report[]): string {
  const [passed, failed] = [sum(reports, "passed"), sum(reports, "failed")];
  const text = `${passed + failed} ${passed + failed === 1 ? "test" : "tests"}: ${passed} passed, ${failed} failed`;
  return `\n${paint(failed > 0 ? "red" : "green", text)}\n`;
}

function sum(reports: readonly Report[], member: "passed" | "failed"): number {
  return reports.reduce((total, report) => total + report[member], 0);
}
