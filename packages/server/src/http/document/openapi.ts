import { toPlainSchema } from "@millrace/contract/plain-schema.ts";
import { namedSchemas } from "@millrace/contract/schema.ts";
import Type, { type TSchema } from "typebox";
import type { Endpoint } from "../../api/endpoint.ts";
import { examplesOf, pipelineDocument, taskDocument } from "./openapi-examples.ts";
import { errorComponents, errorResponses } from "./openapi-responses.ts";

/** The API document (OpenAPI 3.1), built from the same values that validate the requests. */
export interface ApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, unknown>;
  [member: string]: unknown;
}

export interface Operation {
  operationId?: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
  security?: unknown[];
}

const description =
  "Workflow automation for teams. Unless stated otherwise, a request needs a credential: `Authorization: Bearer TOKEN`, `x-access-token: TOKEN` or a session cookie. " +
  "Every error response is an ErrorBody. Unknown members of a body are ignored and named in the header " +
  "`x-unknown-members`; with `Prefer: handling=strict` they are refused. JSON can be sent, and asked for with Accept, as `application/yaml`.";

export function makeApiDocument(endpoints: readonly Endpoint[]): ApiDocument {
  const paths: ApiDocument["paths"] = {};
  for (const endpoint of endpoints) {
    const path = toTemplate(endpoint.path);
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = toOperation(endpoint);
  }
  return {
    openapi: "3.1.1",
    info: { title: "Millrace", version: "2.0.0", description, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: "/" }],
    security: anyOf,
    tags,
    paths,
    components: {
      schemas: Object.fromEntries([...namedSchemas()].sort(byName).map(([name, schema]) => [name, componentOf(name, schema)])),
      responses: errorComponents(),
      securitySchemes: {
        BearerAuth: { type: "http", scheme: "bearer" },
        "x-access-token": { type: "apiKey", in: "header", name: "x-access-token" },
        access_token: { type: "apiKey", in: "query", name: "access_token" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-millrace-session",
          description:
            "Set when you sign in with a browser; named `millrace-session` without HTTPS. Writes must come from a page of the same origin",
        },
      },
    },
  };
}

/** In the form that is committed and compared. */
export function renderApiDocument(endpoints: readonly Endpoint[]): string {
  return `${JSON.stringify(makeApiDocument(endpoints), null, 2)}\n`;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function componentOf(name: string, schema: TSchema): object {
  const examples = examplesOf(name, schema);
  return { ...(toPlainSchema(schema, true) as object), ...(examples.length > 0 && { examples }) };
}

function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function toOperation(endpoint: Endpoint): Operation {
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint), ...headerParameters(endpoint)];
  return {
    ...(endpoint.operationId !== undefined && { operationId: endpoint.operationId }),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, permissionText(endpoint)].filter(Boolean).join("\n\n"),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body !== undefined && { requestBody: requestBody(endpoint) }),
    responses: responses(endpoint),
    security: securityOf(endpoint),
  };
}

/** Any one of them is enough. */
const anyOf = [{ BearerAuth: [] }, { "x-access-token": [] }, { session: [] }];

function securityOf({ permission, tokenInQuery }: Endpoint): object[] {
  if (permission === "open") return [];
  return tokenInQuery === true ? [...anyOf, { access_token: [] }] : anyOf;
}

function permissionText({ permission, entrance, signedBy }: Endpoint): string {
  if (signedBy !== undefined) return "Needs a credential, or the signature of the outside platform.";
  if (permission === "open") return "Needs no credential.";
  if (permission === "signed-in") return "Needs any credential.";
  return `Needs the permission \`${permission}\`${entrance ? `, for parts of it only \`${entrance}\`` : ""}.`;
}

type Properties = Record<string, TSchema & { description?: string; default?: unknown; type?: string }>;

function propertiesOf(schema: unknown): { properties: Properties; required: string[] } {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Properties; required?: string[] };
  return { properties, required };
}

function pathParameters({ path, params }: Endpoint): object[] {
  const { properties } = propertiesOf(params);
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => parameter("path", name!, properties[name!] ?? Type.String(), true));
}

/** A member with a default may be omitted, whatever the schema says. */
function queryParameters({ query, tokenInQuery }: Endpoint): object[] {
  const { properties, required } = propertiesOf(query);
  const listed = Object.entries(properties).map(([name, schema]) =>
    parameter("query", name, schema, required.includes(name) && schema.default === undefined),
  );
  if (tokenInQuery !== true) return listed;
  return [
    ...listed,
    {
      name: "access_token",
      in: "query",
      required: false,
      description: "The credential, for callers that can set a URL only",
      schema: { type: "string" },
    },
  ];
}

function headerParameters({ headers, idempotent }: Endpoint): object[] {
  const { properties, required } = propertiesOf(headers);
  const listed = Object.entries(properties).map(([name, schema]) => parameter("header", name, schema, required.includes(name)));
  if (idempotent !== true) return listed;
  const text = "The same key with the same request within 24 hours gets the first answer again; with another request a 409";
  return [
    ...listed,
    { name: "Idempotency-Key", in: "header", required: false, description: text, schema: { type: "string", maxLength: 255 } },
  ];
}

function parameter(place: "path" | "query" | "header", name: string, schema: Properties[string], required: boolean): object {
  const { description: text, ...rest } = toPlainSchema(schema) as { description?: string };
  const isList = schema.type === "array";
  return { name, in: place, required, ...(text && { description: text }), ...(isList && { style: "form", explode: false }), schema: rest };
}

function requestBody({ body, bodyOptional = false, documentedBody, consumes = ["application/json"] }: Endpoint): object {
  const { schema = body, isRequired = !bodyOptional } = documentedBody ?? {};
  return { required: isRequired, content: contentOf(consumes, schema) };
}

function responses(endpoint: Endpoint): Record<string, unknown> {
  return { [successStatus(endpoint)]: success(endpoint), ...errorResponses(endpoint) };
}

function successStatus({ response, redirects }: Endpoint): string {
  if (redirects === true) return "302";
  return response === null ? "204" : "200";
}

function success({ response, redirects, produces = ["application/json"] }: Endpoint): object {
  if (redirects === true) return { description: "Goes on at `Location`", headers: { location: { schema: { type: "string" } } } };
  if (response === null) return { description: "Done" };
  return { description: "Done", content: contentOf(produces, response) };
}

/** In the document, every content type other than JSON is text. YAML is a task definition, or the pipeline of a workflow. */
function contentOf(types: readonly string[], schema: unknown): Record<string, object> {
  const text = { schema: { type: "string" } };
  const example = (schema as { $ref?: string } | undefined)?.$ref === "Workflow" ? pipelineDocument : taskDocument;
  const content = (type: string) => {
    if (/[/+]json$/.test(type)) return { schema: toPlainSchema(schema) };
    return type === "application/x-yaml" ? { ...text, example } : text;
  };
  return Object.fromEntries(types.map((type) => [type, content(type)]));
}

/** The groups of the API document, in the reading order for new users: what people work with first, the instance last. */
const tags: readonly { name: string; description: string }[] = [
  { name: "Workflows", description: "Versioned graphs of tasks that belong to a team. Submitting one creates a run." },
  { name: "Workflow tests", description: "Tests of a workflow: mocked tasks, and what is expected of the path and the results." },
  { name: "Protected publishing", description: "Workflows whose new versions wait for an approval." },
  { name: "Runs", description: "Submitted runs: queued, running and finished." },
  { name: "Task runs", description: "The tasks of runs, with their attempts and logs." },
  { name: "Actions", description: "Approvals and manual tasks that wait for people." },
  { name: "Schedules", description: "Runs at scheduled times." },
  { name: "Events", description: "Inbound events: CloudEvents, webhooks, and callbacks for waiting tasks." },
  { name: "Outgoing events", description: "Subscriptions that send events to other systems, and the outcome of each delivery." },
  { name: "Insights", description: "Statistics of runs." },
  { name: "Team tasks", description: "Versioned definitions of tasks for the workflows of one team." },
  { name: "Global tasks", description: "Definitions of tasks for all workflows." },
  { name: "Workflow templates", description: "Workflow documents of the instance from which teams create workflows." },
  { name: "Apply", description: "Sets of documents, saved at once." },
  { name: "Teams", description: "Teams with their members, approver groups, parameters and quotas." },
  { name: "Users", description: "The users of the instance, and your own profile." },
  { name: "Sign-in", description: "Signing in with a browser, and sessions." },
  { name: "Tokens", description: "Credentials for programs." },
  { name: "External workers", description: "Programs outside of Millrace that run the task runs of external tasks." },
  { name: "Integrations", description: "The code-hosting platform and the chat platform." },
  { name: "Global parameters", description: "Values that the workflows of all teams can use." },
  { name: "Audit", description: "Who changed what." },
  { name: "System", description: "Activation, settings, and information for user interfaces." },
  { name: "Operation", description: "For operators: health, metrics, and this document." },
];
