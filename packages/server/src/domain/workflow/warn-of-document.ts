import { ref } from "@millrace/contract/schema.ts";
import { createUnknownFinder, type UnknownMember } from "@millrace/contract/unknown-members.ts";
import { type WorkflowInput, workflow } from "@millrace/contract/workflow/workflow.ts";
import { inSlices, pauseIfLarge } from "../../base/process/slices.ts";
import { shortSecrets } from "../../core/parameter/secret-params.ts";
import { unreachableNodesSteps } from "../../core/workflow/checks/unreachable-nodes.ts";
import { misspeltMember } from "../../core/workflow/misspelt-members.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { CheckContext, DocumentWarning } from "./save-context.ts";

/**
 * Warnings about a workflow or a template that need only its document: unreachable tasks, secrets that are too short, misspelt members, and
 * known ones that have no effect.
 */
export async function warnOfDocument(
  { warnings }: Pick<CheckContext, "warnings">,
  document: WorkflowDocument,
  input: Pick<WorkflowInput, "tasks" | "workspaces">,
  paths: ReadonlyMap<string, string>,
): Promise<void> {
  const found = await inSlices(unreachableNodesSteps(document.tasks, paths));
  const unreachable = found.map((finding): DocumentWarning => ({ code: "UNREACHABLE_NODE", ...finding }));
  const short = shortSecrets(document.params, "/params").map(
    ({ path, name, message }): DocumentWarning => ({ code: "SHORT_SECRET", path, message: `parameter ${name} ${message}` }),
  );
  await pauseIfLarge(document.tasks.length);
  const isEmpty = (input.tasks ?? []).every(({ type }) => type === "start" || type === "end");
  const misspelt = findUnknownMembers(input).flatMap((member): DocumentWarning[] => {
    const why = misspeltMember(member) ?? (isEmpty ? whyOfEmpty(member) : undefined);
    return why === undefined ? [] : [{ code: "UNKNOWN_MEMBER", path: member.path, message: `${member.name} ${why}` }];
  });
  warnings.push(...unreachable, ...short, ...misspelt, ...volumesOfOwn(input.workspaces ?? []));
}

/** In a cluster a workspace is a volume, whose access mode and class the operator chooses. */
function volumesOfOwn(workspaces: NonNullable<WorkflowInput["workspaces"]>): DocumentWarning[] {
  return workspaces.flatMap(({ spec }, index) =>
    (["accessMode", "className"] as const)
      .filter((name) => spec?.[name])
      .map((name) => ({
        code: "UNKNOWN_MEMBER",
        path: `/workspaces/${index}/spec/${name}`,
        message: `${name} has no effect: a cluster uses the settings of its executor`,
      })),
  );
}

/**
 * An author who writes unknown members into a workflow without tasks most likely expects them to have an effect: the document may be of
 * another product.
 */
function whyOfEmpty({ path, name }: UnknownMember): string | undefined {
  if (path.lastIndexOf("/") > 0 || name === "canvasNotes") return undefined;
  return "is unknown here and has no effect, and the workflow has no tasks: it would succeed at once";
}

/** Members without a meaning, whether they are stored or ignored. */
const findUnknownMembers = createUnknownFinder(ref(workflow));
