/**
 * The published interface as a table: each of its operations with its parameters, what it takes and what it answers. It is written here by
 * hand and not taken from the code, so that the API document can be held against it (contract.test.ts).
 */

export type ParameterType = "String" | "Integer" | "Boolean" | "Long" | "List";

export interface InterfaceParameter {
  name: string;
  in: "query" | "header";
  type: ParameterType;
  isRequired: boolean;
  default?: unknown;
}

export interface InterfaceRow {
  /** `GET /api/v2/team/{team}`. */
  name: string;
  parameters: readonly InterfaceParameter[];
  /** A named schema, or what the interface calls it; undefined: no body declared. */
  body?: { type: "List" | "Object" | "String" | (string & {}); isRequired: boolean; media: readonly string[] };
  /** `empty` is a 204, `redirect` a 302; the others are a 200 with a body. */
  answer: "empty" | "redirect" | "List" | "Object" | "Boolean" | (string & {});
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

const parameter =
  (type: ParameterType) =>
  (name: string, preset?: unknown): InterfaceParameter => ({
    name,
    in: "query",
    type,
    isRequired: false,
    ...(preset !== undefined && { default: preset }),
  });
const text = parameter("String");
const integer = parameter("Integer");
const boolean = parameter("Boolean");
const long = parameter("Long");
const list = parameter("List");
const required = (one: InterfaceParameter): InterfaceParameter => ({ ...one, isRequired: true });
const header = (name: string): InterfaceParameter => ({ ...text(name), in: "header" });

const replace = boolean("replace", false);
const version = integer("version");
const page = [required(integer("limit")), required(integer("page"))];
const defaultedPage = [integer("limit", 10), integer("page", 0)];
/** Documented as required and with a default, so it may be omitted. */
const dateOrder = text("sort", "ASC");
const fieldOrder = (field: string) => [text("order", "DESC"), text("sort", field)];
const dates = [long("fromDate"), long("toDate")];
const callback = [required(text("ref")), required(text("topic")), text("status", "succeeded")];

const json = ["application/json"];
const jsonOrYaml = ["application/json", "application/x-yaml"];
const takes = (type: string, media: readonly string[] = json) => ({ type, isRequired: true, media });

function row(
  method: Method,
  path: string,
  answer: InterfaceRow["answer"],
  parameters: readonly InterfaceParameter[] = [],
  body?: InterfaceRow["body"],
): InterfaceRow {
  return { name: `${method} /api/v2${path}`, parameters, answer, ...(body && { body }) };
}

/** Exists both for the tasks of a team and for the global ones. */
const tasks = (base: string) => [
  row("PUT", `${base}/task/{name}`, "Task", [replace], takes("Task", jsonOrYaml)),
  row("POST", `${base}/task`, "Task", [], takes("Task", jsonOrYaml)),
  row("GET", `${base}/task/{name}`, "Task", [version]),
  row("GET", `${base}/task/{name}/changelog`, "List"),
  row("GET", `${base}/task/query`, "TaskResponsePage", [dateOrder, ...page, list("labels"), list("statuses"), list("names")]),
  row("POST", `${base}/task/validate`, "empty", [], takes("TaskDefinition", ["application/x-yaml"])),
];

const workflows = "/team/{team}/workflow";
const schedules = "/team/{team}/schedule";

/** Where the interface does not document a response, this is the response of the published system. */
export const interfaceTable: readonly InterfaceRow[] = [
  // workflows
  row("PUT", `${workflows}/{workflow}/compose`, "WorkflowCanvas", [replace], takes("WorkflowCanvas")),
  row("PUT", workflows, "Workflow", [replace], takes("Workflow")),
  row("GET", `${workflows}/{workflow}/compose`, "WorkflowCanvas", [version]),
  row("POST", workflows, "Workflow", [], takes("Workflow")),
  row("DELETE", `${workflows}/{workflow}`, "empty"),
  row("POST", `${workflows}/{workflow}/duplicate`, "Workflow"),
  row("GET", `${workflows}/{workflow}/export`, "Workflow"),
  row("GET", `${workflows}/{workflow}/available-parameters`, "List"),
  row("GET", `${workflows}/{workflow}/changelog`, "List"),
  row("GET", `${workflows}/{workflow}`, "Workflow", [version, boolean("withTasks", true)]),
  row("GET", `${workflows}/query`, "WorkflowResponsePage", [dateOrder, ...page, list("labels"), list("statuses"), list("workflows")]),
  row("POST", `${workflows}/{workflow}/submit`, "WorkflowRun", [boolean("start", false)], takes("WorkflowSubmitRequest")),
  // teams
  row("POST", "/team", "Team", [], takes("TeamRequest")),
  row("GET", "/team/{team}", "Team"),
  row("PATCH", "/team/{team}", "Team", [], takes("TeamRequest")),
  row("DELETE", "/team/{team}", "empty"),
  row("GET", "/team/query", "PageTeam", [...page, list("labels"), list("statuses"), list("teams"), ...fieldOrder("name")]),
  row("GET", "/team/quotas/default", "Quotas"),
  row("GET", "/team/roles", "List"),
  row("POST", "/team/validate-name", "Object", [], takes("TeamNameCheckRequest")),
  row("DELETE", "/team/{team}/approvers", "empty", [], takes("List")),
  row("DELETE", "/team/{team}/members", "empty", [], takes("List")),
  row("DELETE", "/team/{team}/leave", "empty"),
  row("DELETE", "/team/{team}/quotas", "empty"),
  row("DELETE", "/team/{team}/parameters/{name}", "empty"),
  // users
  row("PATCH", "/user/{userId}", "empty", [], takes("UserRequest")),
  row("DELETE", "/user/{userId}", "empty"),
  row("GET", "/user/{userId}", "User"),
  row("GET", "/user/query", "PageUser", [...page, list("labels"), list("status"), list("ids"), ...fieldOrder("name")]),
  row("GET", "/profile", "UserProfile"),
  row("PATCH", "/profile", "empty", [], takes("UserRequest")),
  // actions
  row("PUT", "/team/{team}/action", "empty", [], takes("List")),
  row("GET", "/team/{team}/action/{actionId}", "Action"),
  row("GET", "/team/{team}/action/query", "PageAction", [
    ...defaultedPage,
    ...[list("types"), list("statuses"), list("workflows")],
    ...fieldOrder("creationDate"),
    ...dates,
  ]),
  row("GET", "/team/{team}/action/summary", "ActionSummary", [list("workflows"), ...dates]),
  // tasks
  ...tasks("/team/{team}"),
  row("DELETE", "/team/{team}/task/{name}", "empty"),
  ...tasks(""),
  // workflow templates
  row("PUT", "/workflowtemplate", "WorkflowTemplate", [replace], takes("WorkflowTemplate")),
  row("POST", "/workflowtemplate", "WorkflowTemplate", [], takes("WorkflowTemplate")),
  row("DELETE", "/workflowtemplate/{name}", "empty"),
  row("GET", "/workflowtemplate/{name}", "WorkflowTemplate", [version, boolean("withTasks", true)]),
  row("GET", "/workflowtemplate/query", "WorkflowTemplateResponsePage", [dateOrder, ...page, list("labels"), list("names")]),
  // system
  row("GET", "/settings", "List"),
  row("PUT", "/settings", "List", [], takes("List")),
  row("GET", "/features", "Features"),
  row("GET", "/context", "HeaderNavigationResponse"),
  row("GET", "/navigation", "List", [text("team")]),
  row("PUT", "/activate", "Boolean", [], { type: "OneTimeCode", isRequired: false, media: json }),
  // global parameters
  row("POST", "/parameters", "AbstractParam", [], takes("AbstractParam")),
  row("PUT", "/parameters", "AbstractParam", [], takes("AbstractParam")),
  row("GET", "/parameters", "List"),
  row("DELETE", "/parameters/{name}", "empty"),
  // schedules
  row("POST", schedules, "WorkflowSchedule", [], takes("WorkflowSchedule")),
  row("PUT", schedules, "WorkflowSchedule", [], takes("WorkflowSchedule")),
  row("GET", `${schedules}/{scheduleId}`, "WorkflowSchedule"),
  row("DELETE", `${schedules}/{scheduleId}`, "empty"),
  row("GET", `${schedules}/calendars`, "List", [list("schedules"), ...dates].map(required)),
  row("GET", `${schedules}/query`, "PageWorkflowSchedule", [...defaultedPage, list("statuses"), list("types"), list("workflows")]),
  row("GET", `${schedules}/validate-cron`, "CronValidationResponse", [required(text("cron"))]),
  // task run logs
  row("GET", "/taskrun/{taskRunId}/log", "Object"),
  // integrations
  row("GET", "/integration", "List", [required(text("team"))]),
  row("GET", "/integration/codehost/installation", "Object", [integer("id"), text("team")]),
  row("POST", "/integration/codehost/link", "Object", [], takes("CodehostLinkRequest")),
  row("POST", "/integration/codehost/unlink", "empty", [], takes("CodehostLinkRequest")),
  row("GET", "/integration/chat/install", "redirect"),
  row("GET", "/integration/chat/auth", "redirect", [required(text("code"))]),
  row("POST", "/integration/chat/commands", "Object"),
  row(
    "POST",
    "/integration/chat/events",
    "Object",
    [required(header("x-chat-request-timestamp")), required(header("x-chat-signature"))],
    takes("Object"),
  ),
  row("POST", "/integration/chat/interactivity", "Object"),
  // events, callbacks and webhooks
  row("POST", "/event", "Object", [text("ref")], takes("String", ["application/json", "application/cloudevents+json"])),
  row("POST", "/callback", "empty", callback, takes("Object")),
  row("GET", "/callback", "empty", callback),
  row(
    "POST",
    "/webhook",
    "Object",
    [text("ref"), header("X-Codehost-Event"), header("X-Codehost-Hook-Installation-Target-ID"), header("x-chat-signature")],
    takes("Object"),
  ),
];
