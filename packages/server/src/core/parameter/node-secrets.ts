import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import type { PlanNode } from "../workflow/plan.ts";
import { isSealed } from "../workflow/workflow-document-secrets.ts";
import { isSecretParam, openParams } from "./secret-params.ts";

/**
 * Secrets that belong to a node: values for secret parameters of its task, sealed in the workflow document (workflow-document-secrets.ts),
 * and defaults of such parameters, sealed in the definition of the task. The core resolves and shows a mask in their place; they are
 * decrypted only when the job is passed to an executor. Their values contain no references.
 */

/** Replaces a secret in everything that is stored in clear text or shown. */
export const secretMask = "******";

/** The owner of a sealed text, which determines how it is decrypted: the workflow, a task of the team, or a global task. */
export type SecretHolder = "workflow" | "task" | "globaltask";

export type OpenSecret = (sealed: string, holder: SecretHolder) => string;

type Secretive = Pick<PlanNode, "params" | "task">;

/** @param open absent: the secrets are masked */
export function nodeValues(params: readonly RunParam[], open?: OpenSecret): RunParam[] {
  return params.map((param) =>
    isSealed(param) ? { name: param.name, value: open ? open(String(param.value), "workflow") : secretMask } : param,
  );
}

/** The parameters that the definition of the node's task declares, in clear text or masked. @param open absent: the secrets are masked */
export function declaredValues({ task }: Pick<PlanNode, "task">, open?: OpenSecret): AbstractParam[] {
  const declared = (task?.spec.params as AbstractParam[] | undefined) ?? [];
  if (!declared.some(isSecretParam)) return declared;
  const holder = task?.isGlobal ? "globaltask" : "task";
  return openParams(declared, (sealed) => (open ? open(sealed, holder) : secretMask));
}

/** Whether the node has secrets of its own. */
export function hasNodeSecrets({ params, task }: Secretive): boolean {
  return params.some(isSealed) || declaredValues({ task }).some(isSecretParam);
}

/** The secrets in clear text, to be masked in logs and results. */
export function nodeSecretTexts({ params, task }: Secretive, open: OpenSecret): string[] {
  const defaults = declaredValues({ task }, open).filter(isSecretParam);
  const texts = [...nodeValues(params.filter(isSealed), open), ...defaults.map((param) => ({ value: param.default ?? param.value }))];
  return texts.map(({ value }) => value).filter((value) => typeof value === "string");
}
