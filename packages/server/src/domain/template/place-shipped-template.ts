import { createHash } from "node:crypto";
import type { WorkflowTemplateInput } from "@millrace/contract/workflow/workflow-template.ts";
import type { Queryable } from "../../store/database/database.ts";
import { markTemplateShipped } from "../../store/workflow/workflow-templates.ts";
import { applyTemplate, holdTemplate, type SaveTemplateContext } from "./save-template.ts";

/**
 * Installs a shipped template. Each content is installed once: a template that was deleted or changed since stays so, until a new content
 * is shipped, which becomes a new version of it; a deleted one does not come back. A template that an administrator created under its name
 * before is left alone. Safe if several processes start at once. Call it in a transaction, after the global tasks were installed.
 *
 * @param text the document; it has no secrets
 * @returns whether anything was written
 */
export async function placeShippedTemplate(db: Queryable, context: SaveTemplateContext, text: string): Promise<boolean> {
  const document = JSON.parse(text) as WorkflowTemplateInput;
  const mark = await markTemplateShipped(db, document.name, createHash("sha256").update(text).digest("hex"));
  if (mark === "known") return false;
  const isThere = (await holdTemplate(db, document.name)) !== undefined;
  if (isThere !== (mark === "newer")) return false;
  await applyTemplate(db, context, document, { replace: false, check: () => undefined });
  return true;
}
