import { ref } from "@millrace/contract/schema.ts";
import { createUnknownFinder } from "@millrace/contract/unknown-members.ts";
import type { WorkflowInput } from "@millrace/contract/workflow.ts";
import { AppError } from "../../base/app-error.ts";
import { type CheckedDefinition, checkReferences } from "../../core/check-references.ts";
import { misspeltMember } from "../../core/misspelt-members.ts";
import { undeclaredParams } from "../../core/tekton/task-warnings.ts";
import type { CheckMode } from "./check-mode.ts";
import type { FoundTask, ResolvedTasks } from "./resolve-tasks.ts";
import type { CheckContext, DocumentWarning } from "./save-context.ts";

/**
 * What a document refers to, and what its tasks need: what leads nowhere is refused, what may is told.
 * @throws WORKFLOW_UNRESOLVED_REFERENCE
 */
export function checkNames(context: CheckContext, { document, definitions }: ResolvedTasks, { refuse }: CheckMode): void {
  const { problems, warnings } = checkReferences({ document, definitions: checkedDefinitions(definitions), ...context.parameters });
  context.warnings.push(...warnings.map((warning): DocumentWarning => ({ code: "UNRESOLVED_REFERENCE", ...warning })));
  const [first] = problems;
  if (first) refuse(new AppError("WORKFLOW_UNRESOLVED_REFERENCE", [first.message], { details: problems }));
}

/** Each definition once, however many tasks use it. */
function checkedDefinitions(definitions: ReadonlyMap<string, FoundTask>): Map<string, CheckedDefinition> {
  const byVersion = new Map<string, CheckedDefinition>();
  const checked = ({ versionId, name, spec }: FoundTask): CheckedDefinition => {
    const known = byVersion.get(versionId) ?? {
      name,
      params: spec?.params ?? [],
      results: spec?.results ?? [],
      workspaces: spec?.workspaces ?? [],
      undeclared: spec ? undeclaredParams(spec, name) : [],
    };
    byVersion.set(versionId, known);
    return known;
  };
  return new Map([...definitions].map(([task, definition]) => [task, checked(definition)]));
}

/** Members that are kept without a meaning, and look as if they should have one. */
export function warnOfMisspelt(context: CheckContext, input: WorkflowInput): void {
  for (const member of findUnknownMembers(input)) {
    const message = member.isKept ? misspeltMember(member) : undefined;
    if (message !== undefined) context.warnings.push({ code: "UNKNOWN_MEMBER", path: member.path, message });
  }
}

const findUnknownMembers = createUnknownFinder(ref<WorkflowInput>("Workflow"));
