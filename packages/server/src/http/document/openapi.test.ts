import { namedSchemas } from "@millrace/contract/schema.ts";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { documentSchemas } from "../../../test/kit/documents/document-schemas.ts";
import { createValidator } from "../../core/document/validator.ts";
import { everyEndpoint } from "../answer/every-endpoint.ts";
import { endpoints } from "../routes.ts";
import { renderDocsPage } from "./docs-page.ts";
import { makeApiDocument } from "./openapi.ts";

const app = await testApp();
const all = everyEndpoint(endpoints);
const document = makeApiDocument(all);
const text = JSON.stringify(document);

test("every endpoint is in the document, with its full path, a unique id and the error shape", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(all.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(all.length);
  for (const { responses } of operations) expect(responses["default"]).toEqual({ $ref: "#/components/responses/Error" });
  expect(Object.keys(document.paths)).toContain("/api/v2/team/{team}");
});

test("every reference leads somewhere, and no mark of a library is left", () => {
  const schemas = (document.components as { schemas: Record<string, unknown> }).schemas;
  for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) expect(schemas).toHaveProperty([name!]);
  expect(text).not.toMatch(/"\$id"|"~kind"|"\$ref":"[A-Z]/);
});

/** The rules of OpenAPI leave this to JSON Schema. */
test("every schema is one", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const written: [string, object][] = Object.entries(document.components["schemas"] as Record<string, object>);
  JSON.stringify(document.paths, (key, value) => {
    if (key === "schema") written.push([JSON.stringify(value), value]);
    return value;
  });
  const faulty = written.filter(([, schema]) => !ajv.validateSchema(schema));
  expect(faulty.map(([name]) => name)).toEqual([]);
});

test("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});

describe("to a reader", () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  const find = ({ path, method }: { path: string; method: string }) =>
    document.paths[path.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!;
  const isMonitored = (path: string) => /^\/(?:health|ready|metrics)$/.test(path);

  test.each(operations)("%s says what it does, where it belongs and who may call it", (_, { summary, description, tags, security }) => {
    expect(summary).toMatch(/^[A-Z][^.]{4,80}$/);
    expect(description).toMatch(/Needs /);
    const known = (document["tags"] as { name: string }[]).map(({ name }) => name);
    expect(tags.filter((tag) => known.includes(tag))).toHaveLength(1);
    const schemes = Object.keys((document.components as { securitySchemes: object }).securitySchemes);
    expect(security).toBeDefined();
    expect(security!.flatMap((one) => Object.keys(one as object)).filter((name) => !schemes.includes(name))).toEqual([]);
  });

  test.each(all.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))("%s lists its errors", (_, endpoint) => {
    const { responses, security } = find(endpoint);
    const wanted = [
      ...(endpoint.query !== undefined || endpoint.body !== undefined ? ["400"] : []),
      ...(endpoint.permission === "open" ? [] : ["401", "403", "423"]),
      ...(endpoint.path.includes("/:") ? ["404"] : []),
      ...(endpoint.body === undefined ? [] : ["413", "415"]),
      ...(/^(PUT|DELETE) .*(\/workflow|\/task\/:name|\/:workflow|\/compose|\/workflowtemplate(\/:name)?)$/.test(
        `${endpoint.method} ${endpoint.path}`,
      )
        ? ["412"]
        : []),
      ...(isMonitored(endpoint.path) ? [] : ["429"]),
    ];
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([...wanted, "default"]));
    expect(security).toHaveLength(endpoint.permission === "open" ? 0 : endpoint.tokenInQuery === true ? 4 : 3);
  });

  test("every type is a word of JSON Schema or a plain list of them", () => {
    const types = [...text.matchAll(/"type":(\[[^\]]*\])/g)].map(([, list]) => list!);
    expect(types.length).toBeGreaterThan(0);
    expect(types.filter((list) => list.lastIndexOf("[") > 0)).toEqual([]);
  });

  test("every schema that a request or an answer names has an example, and every example fits its schema", () => {
    const { schemas, faults } = documentSchemas(document);
    const bare = [...text.matchAll(/"schema":\{(?:"type":"array","items":\{)?"\$ref":"#\/components\/schemas\/(\w+)"/g)]
      .map(([, name]) => name!)
      .filter((name) => schemas[name]!.examples === undefined);
    expect([...new Set(bare)]).toEqual([]);
    for (const [name, { examples = [] }] of Object.entries(schemas))
      for (const example of examples) expect({ name, faults: faults(name, example) }).toEqual({ name, faults: [] });
  });

  test("examples have no member that their schema lacks", () => {
    const { schemas } = documentSchemas(document);
    const unknown = Object.entries(schemas).flatMap(([name, { examples = [] }]) =>
      examples.flatMap((example) => unknownMembers(schemas as Record<string, SchemaNode>, schemas[name] as SchemaNode, example, name)),
    );
    expect(unknown).toEqual([]);
  });

  test("an enumeration lists one spelling of each word, and every array says what is in it", () => {
    const faulty: string[] = [];
    JSON.stringify(document, (key, value) => {
      const { type, enum: words } = (value ?? {}) as { type?: unknown; enum?: unknown };
      if ([type].flat().includes("array") && !("items" in value)) faulty.push(`${key}: an array without items`);
      const spellings = Array.isArray(words) ? words.map((word) => String(word).toLowerCase()) : [];
      if (new Set(spellings).size < spellings.length) faulty.push(`${key}: ${spellings.join(", ")}`);
      return value;
    });
    expect(faulty).toEqual([]);
  });

  test("every kind of refusal has an example of the documented form", () => {
    const { faults } = documentSchemas(document);
    const responses = (document.components as { responses: Record<string, { content: Record<string, { example?: unknown }> }> }).responses;
    for (const [name, { content }] of Object.entries(responses)) {
      if (name !== "Error")
        expect({ name, faults: faults("ErrorBody", content["application/json"]!.example) }).toEqual({ name, faults: [] });
    }
  });
});

interface SchemaNode {
  $ref?: string;
  properties?: Record<string, SchemaNode>;
  additionalProperties?: unknown;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/** Paths of members that no alternative of the schema names, if it names any. */
function unknownMembers(schemas: Record<string, SchemaNode>, schema: SchemaNode, value: unknown, path: string): string[] {
  if (schema.$ref) return unknownMembers(schemas, schemas[schema.$ref.slice("#/components/schemas/".length)]!, value, path);
  if (typeof value !== "object" || value === null) return [];
  const found = (schema.anyOf ?? [schema]).map((one) => {
    if (one !== schema) return unknownMembers(schemas, one, value, path);
    if (Array.isArray(value)) return value.flatMap((item, index) => unknownMembers(schemas, one.items ?? {}, item, `${path}/${index}`));
    const { properties, additionalProperties } = one;
    return Object.entries(value).flatMap(([key, member]) => {
      const known = properties?.[key];
      if (known) return unknownMembers(schemas, known, member, `${path}/${key}`);
      return properties && !additionalProperties ? [`${path}/${key}`] : [];
    });
  });
  return found.find((faults) => faults.length === 0) ?? found[0]!;
}

test("every schema compiles, and its examples fit it", () => {
  for (const [name, schema] of namedSchemas()) {
    const validator = createValidator(schema);
    const { examples = [] } = schema as { examples?: unknown[] };
    for (const example of examples) expect({ name, faults: validator.faults(example) }).toEqual({ name, faults: [] });
    validator.faults({});
  }
  for (const { params, query, body, response } of all)
    for (const schema of [params, query, body, response]) if (schema) createValidator(schema).faults({});
});

test("query parameters with a default are optional, lists are comma-separated, credentials are declared", () => {
  const { parameters } = document.paths["/api/v2/team/query"]!["get"]!;
  expect(parameters).toContainEqual(expect.objectContaining({ name: "limit", in: "query", required: true }));
  expect(parameters).toContainEqual(
    expect.objectContaining({ name: "order", required: false, schema: expect.objectContaining({ default: "DESC" }) }),
  );
  expect(parameters).toContainEqual(expect.objectContaining({ name: "statuses", style: "form", explode: false }));
  expect(document["security"]).toEqual([{ BearerAuth: [] }, { "x-access-token": [] }, { session: [] }]);
  expect(document.paths["/health"]!["get"]!.security).toEqual([]);
});

test("every operation has a readable id, and every group an operation and a description", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.map(({ operationId }) => operationId).filter((id) => !/^[a-z]+[A-Z][A-Za-z]+$|^signOut$/.test(id ?? ""))).toEqual([]);
  const groups = document["tags"] as { name: string; description: string }[];
  const used = new Set(operations.flatMap(({ tags }) => tags));
  expect(groups.map(({ name }) => name).sort()).toEqual([...used].sort());
  expect(groups.filter(({ description }) => !description)).toEqual([]);
});

test("every parameter says what it means", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const parameters = operations.flatMap(({ operationId, parameters = [] }) =>
    (parameters as { name: string; description?: string }[]).map((one) => ({ operationId, ...one })),
  );
  expect(parameters.filter(({ description }) => !description).map(({ operationId, name }) => `${operationId} ${name}`)).toEqual([]);
});

test("every link of the page leads to one place in it, and its tags close", async () => {
  const { text: page } = await app.as(null).get("/api/docs");
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
  expect(new Set(ids).size).toBe(ids.length);
  const linked = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id!);
  expect([...new Set(linked)].filter((id) => !ids.includes(id))).toEqual([]);
  for (const tag of ["details", "summary", "table", "tr", "td", "p", "pre", "code", "section", "main"])
    expect([tag, page.split(`</${tag}>`).length]).toEqual([tag, page.split(new RegExp(`<${tag}[ >]`)).length]);
});

test("text of the document can't become markup of the page", () => {
  const hostile = `<img src=x onerror="alert('1')">&`;
  const page = renderDocsPage({
    ...document,
    info: { ...document.info, title: hostile, description: hostile },
    tags: [{ name: "Workflows", description: hostile }],
    paths: {
      [`/${hostile}`]: {
        get: {
          operationId: "tryOut",
          tags: ["Workflows"],
          summary: hostile,
          description: hostile,
          parameters: [{ name: hostile, in: "query", required: true, description: hostile, schema: { enum: [hostile], default: hostile } }],
          responses: { 200: { description: hostile, content: { [hostile]: { schema: { type: hostile } } } } },
        },
      },
    },
    components: {
      schemas: { Hostile: { description: hostile, properties: { [hostile]: { const: hostile } }, examples: [hostile] } },
      responses: {},
    },
  } as never);
  expect(page).toContain("&#60;img");
  expect(page).not.toMatch(/<img|"alert|'1'/);
});

test("the document and its page are open, and the page takes nothing from elsewhere", async () => {
  const spec = await app.as(null).get("/api/docs/spec");
  expect(spec).toMatchObject({ status: 200, body: JSON.parse(text) });
  const page = await app.as(null).get("/api/docs");
  expect(page).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
  expect(page.text).toContain("/api/v2/team/{team}");
  expect(page.text).not.toMatch(/<script|src=|href="http/);
});
