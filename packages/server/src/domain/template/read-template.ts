import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTemplate, listLatestGlobalTasks, type TemplateRow } from "../../store/workflow/workflow-templates.ts";

/** A template with one of its versions. Secrets in its document are encrypted: only a view may show it. */
export interface ReadTemplate {
  template: TemplateRow;
  /** The newest version of each task that it uses, by the task's name. */
  latestTasks: ReadonlyMap<string, number>;
}

/** @throws TASK_INVALID_REFERENCE for an unknown template or version */
export async function readTemplate(db: Queryable, ref: string, version?: number): Promise<ReadTemplate> {
  const template = await findTemplate(db, ref, version);
  if (template === undefined) throw new AppError("TASK_INVALID_REFERENCE", [version === undefined ? ref : `${ref} in version ${version}`]);
  return withLatestTasks(db, template);
}

export async function withLatestTasks(db: Queryable, template: TemplateRow): Promise<ReadTemplate> {
  return { template, latestTasks: await listLatestGlobalTasks(db, taskNames(template)) };
}

/** The same for a page of templates, in one statement. */
export async function withLatestTasksOfAll(db: Queryable, templates: readonly TemplateRow[]): Promise<ReadTemplate[]> {
  const latestTasks = await listLatestGlobalTasks(db, [...new Set(templates.flatMap(taskNames))]);
  return templates.map((template) => ({ template, latestTasks }));
}

function taskNames({ document }: TemplateRow): string[] {
  return document.tasks.flatMap(({ taskRef }) => taskRef ?? []);
}
