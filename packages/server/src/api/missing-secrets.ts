import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { AppError } from "../base/error/app-error.ts";
import { isStrict } from "../base/text/nearest-name.ts";
import { missingSecrets } from "../core/task/former-tasks.ts";
import type { WorkflowDocument } from "../core/workflow/workflow-document.ts";

const maxReported = 20;

/**
 * A document that was read contains secrets that can't be seen. If it is written as another workflow, or with a task under another name,
 * some may be missing: the response names them, by JSON pointers into what was written, or refuses under strict handling.
 *
 * @param place of the params of tasks: `/tasks/0/params`, or the equivalent on a canvas
 * @throws VALIDATION_FAILED under strict handling
 */
export function missingSecretsHeader(
  headers: Readonly<Record<string, string | undefined>>,
  written: WorkflowInput,
  stored: WorkflowDocument,
  place: (task: number) => string = (task) => `/tasks/${task}/params`,
): Record<string, string> {
  const missing = missingSecrets(written, stored)
    .slice(0, maxReported)
    .map(({ task, param }) => `${place(task)}/${param}`);
  if (missing.length === 0) return {};
  if (!isStrict(headers["prefer"])) return { "x-missing-secrets": missing.join(", ") };
  const message = "keeps its stored secret if it is left empty, but there is none; give its value";
  const details = missing.map((path) => ({ path: `${path}/value`, message }));
  throw new AppError("VALIDATION_FAILED", [`with Prefer: handling=strict, ${details[0]?.path} ${message}`], { details });
}
