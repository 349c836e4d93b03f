import { ref } from "@millrace/contract/schema.ts";
import { workflowTemplateResponsePage } from "@millrace/contract/workflow-template.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { withLatestTasksOfAll } from "../../domain/template/read-template.ts";
import {
  countTemplates,
  type ListedTemplate,
  listTemplates,
  type TemplateFilter,
  type TemplateRow,
} from "../../store/workflow/workflow-templates.ts";
import { defineEndpoint } from "../endpoint.ts";
import { labels, list, pageParameters, search, sort, toLabelFilter } from "../query-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewTemplate } from "./template.view.ts";

const maxPageBytes = 32 * 1024 * 1024;

export const queryTemplates = defineEndpoint({
  method: "GET",
  path: "/api/v2/workflowtemplate/query",
  summary: "Find workflow templates",
  description: "A page of the latest versions, by date of creation. A page larger than 32 MiB is refused: use a smaller limit.",
  tag: "Workflow templates",
  permission: "signed-in",
  transaction: "read",
  query: Type.Object({
    sort,
    ...pageParameters,
    labels,
    names: list("Names or IDs; default all"),
    search: search("the name, the display name or the description"),
  }),
  response: ref(workflowTemplateResponsePage),
  async handle({ db, query }) {
    const { limit, page, names } = query;
    const filter: TemplateFilter = { labels: toLabelFilter(query.labels), names: names?.length ? names : undefined, search: query.search };
    const total = await countTemplates(db, filter);
    const rows = await listTemplates(db, filter, { order: query.sort, limit, offset: page * limit, maxBytes: maxPageBytes });
    const read = await withLatestTasksOfAll(db, rows.map(complete));
    return viewPage(
      read.map((template) => viewTemplate(template)),
      { limit, page, total, sorted: true },
    );
  },
});

function complete(row: ListedTemplate): TemplateRow {
  if (row.document !== null) return { ...row, document: row.document };
  throw new AppError("QUERY_INVALID_FILTERS", ["limit", `the page would be larger than ${maxPageBytes} bytes; ask for fewer templates`]);
}
