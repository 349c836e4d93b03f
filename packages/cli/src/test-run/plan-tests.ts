import type { Schemas } from "@millrace/client/client.ts";
import { exitCodes, Failure } from "../failure.ts";

export interface TestedSet {
  workflow: string;
  /** Undefined: the saved workflow is tested. */
  draftDocument: string | undefined;
  /** Undefined: the stored tests are run. */
  tests: Schemas["WorkflowTest"][] | undefined;
}

interface Content {
  kind?: unknown;
  name?: unknown;
  workflow?: unknown;
  tasks?: unknown;
}

/**
 * Which tests are run with which workflow. A workflow without tests in the stream is tested with its stored tests, and tests without their
 * workflow test the saved workflow. Other documents are ignored.
 *
 * @param text a YAML stream. @throws {Failure}
 */
export async function planTests(text: string): Promise<TestedSet[]> {
  const sets = new Map<string, TestedSet>();
  const setOf = (workflow: string) => {
    const set = sets.get(workflow) ?? { workflow, draftDocument: undefined, tests: undefined };
    sets.set(workflow, set);
    return set;
  };
  for (const { text: document, value } of await parseStream(text)) {
    const content = value as Content | null;
    if (typeof content !== "object" || content === null) continue;
    if (content.kind === "WorkflowTest") addTest(content, setOf);
    else if (content.kind === "Workflow" || (content.kind === undefined && content.tasks !== undefined))
      setOf(nameOf(content.name, "A workflow")).draftDocument =
        "apiVersion" in content ? document : `apiVersion: millrace.dev/v1\n${document}`;
  }
  return [...sets.values()];
}

async function parseStream(text: string) {
  const { parseYamlStream } = await import("../output/yaml-text.ts");
  try {
    return parseYamlStream(text);
  } catch (error) {
    throw new Failure(exitCodes.notUnderstood, `The documents are not valid YAML: ${(error as Error).message.split("\n")[0]}`);
  }
}

function addTest(content: Content, setOf: (workflow: string) => TestedSet): void {
  const { apiVersion: _version, kind: _kind, ...test } = content as Content & { apiVersion?: unknown };
  const name = nameOf(test.name, "A test");
  const set = setOf(nameOf(test.workflow, `Test ${name}`, "workflow"));
  set.tests = [...(set.tests ?? []), { ...test, name } as Schemas["WorkflowTest"]];
}

function nameOf(name: unknown, what: string, member = "name"): string {
  if (typeof name === "string" && name !== "") return name;
  throw new Failure(exitCodes.notUnderstood, `${what} has no ${member}`, `Add ${member}: NAME`);
}
