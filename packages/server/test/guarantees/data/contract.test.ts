import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { everyEndpoint } from "../../../src/http/answer/every-endpoint.ts";
import { makeApiDocument, type Operation } from "../../../src/http/document/openapi.ts";
import { endpoints } from "../../../src/http/routes.ts";
import { type InterfaceParameter, type InterfaceRow, interfaceTable } from "../../kit/documents/interface-table.ts";
import { wireNames } from "../../kit/documents/wire-names.ts";
import { isAsNamed } from "../../kit/documents/wire-types.ts";

/**
 * The API matches the published interface exactly: each of its operations is in the API document with its parameters, body and response,
 * and each of its schemas with its members. Our additions are optional, so that a client that doesn't know them works.
 */

/** A page's `sort` is an object of three booleans (schema PageSort), never the list of these that was once documented. */
const superseded = ["SortObject"];

/** Path of the file with the published interface, if it exists. */
const specFolder = process.env["MILLRACE_SPEC_DIR"] ?? join(repositoryRoot, "../shared/spec");

const document = makeApiDocument(everyEndpoint(endpoints));
const schemas = document.components["schemas"] as Record<string, Schema>;
const operations = new Map<string, Operation>(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  ),
);

interface Schema {
  type?: string | string[];
  format?: string;
  $ref?: string;
  properties?: Record<string, Schema>;
  default?: unknown;
  enum?: unknown[];
  items?: Schema;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}

interface Body {
  required?: boolean;
  content?: Record<string, { schema: Schema }>;
}

describe("operations", () => {
  test("there are 84, without duplicates", () => {
    expect(new Set(interfaceTable.map(({ name }) => name)).size).toBe(84);
  });

  test("all are there", () => {
    expect(interfaceTable.map(({ name }) => name).filter((name) => !operations.has(name))).toEqual([]);
  });

  test.skipIf(!existsSync(join(specFolder, "endpoints.txt")))("the table is that of the file", () => {
    const lines = readFileSync(join(specFolder, "endpoints.txt"), "utf8").trim().split("\n").sort();
    expect(interfaceTable.map(({ name }) => name).sort()).toEqual(lines);
  });
});

describe.each(interfaceTable.map((row) => [row.name, row]))("%s", (_, row) => {
  const operation = operations.get(row.name) ?? ({ responses: {} } as Operation);
  const parameters = ((operation.parameters ?? []) as Parameter[]).filter((one) => one.in !== "path");

  test("takes the parameters of the interface, and needs no others", () => {
    expect(row.parameters.map((wanted) => describeFound(wanted, parameters))).toEqual(row.parameters.map(describeWanted));
    const added = parameters.filter(({ name }) => !row.parameters.some((wanted) => isSame(wanted, { name })));
    expect(added.filter((one) => one.required).map(({ name }) => name)).toEqual([]);
  });

  test("takes the body and gives the answer of the interface", () => {
    checkBody(row, operation.requestBody as Body | undefined);
    checkAnswer(row, operation);
  });
});

const types: Record<InterfaceParameter["type"], string> = {
  String: "string",
  Integer: "integer",
  Boolean: "boolean",
  Long: "integer",
  List: "array",
};

/** Header names are case-insensitive. */
function isSame(wanted: InterfaceParameter, { name }: { name: string }): boolean {
  return wanted.in === "header" ? wanted.name.toLowerCase() === name.toLowerCase() : wanted.name === name;
}

function describeWanted({ name, type, isRequired, default: preset, ...rest }: InterfaceParameter): object {
  const format = type === "Long" ? "int64" : undefined;
  return { name, in: rest.in, type: types[type], format, required: isRequired, ...(preset !== undefined && { default: preset }) };
}

function describeFound(wanted: InterfaceParameter, parameters: readonly Parameter[]): object {
  const found = parameters.find((one) => one.in === wanted.in && isSame(wanted, one));
  if (found === undefined) return { name: wanted.name, missing: true };
  const { type, format, default: preset } = found.schema;
  return { name: wanted.name, in: found.in, type, format, required: found.required, ...(preset !== undefined && { default: preset }) };
}

function checkBody({ body: wanted, name }: InterfaceRow, found: Body | undefined): void {
  if (wanted === undefined) {
    expect({ name, required: found?.required ?? false }).toEqual({ name, required: false });
    return;
  }
  expect(Object.keys(found?.content ?? {})).toEqual(expect.arrayContaining([...wanted.media]));
  expect(found?.required).toBe(wanted.isRequired);
  // The API document describes YAML as text.
  const asJson = found?.content?.["application/json"]?.schema;
  if (wanted.media.includes("application/json")) expect(shapeOf(asJson, wanted.type)).toBe(wanted.type);
}

function checkAnswer({ answer: wanted }: InterfaceRow, { responses }: Operation): void {
  const successes = Object.keys(responses).filter((status) => /^[23]/.test(status));
  const status = wanted === "empty" ? "204" : wanted === "redirect" ? "302" : "200";
  expect(successes).toContain(status);
  const { content } = responses[status] as Body;
  if (status !== "200") expect(content).toBeUndefined();
  else if (content?.["application/json"]) expect(shapeOf(content["application/json"].schema, wanted)).toBe(wanted);
  else expect({ wanted, content: Object.keys(content ?? {}) }).toEqual({ wanted: "Object", content: ["text/plain"] });
}

/** In the terms of the interface. An Object may be a named schema, or one of several; a String that holds JSON may be any value. */
function shapeOf(schema: Schema | undefined, wanted: string): string {
  const name = schema?.$ref?.split("/").at(-1);
  const whole = name === undefined ? schema : schemas[name];
  if (name !== undefined && wanted !== "Object") return name;
  if (whole?.type === "array") return "List";
  if (whole?.type === "boolean") return "Boolean";
  return wanted === "String" || wanted === "Object" ? wanted : JSON.stringify(schema);
}

describe("schemas", () => {
  const wanted = Object.keys(wireNames).filter((name) => !superseded.includes(name));

  test("all are there", () => {
    expect(wanted.filter((name) => schemas[name] === undefined)).toEqual([]);
  });

  test.each(wanted)("%s has the members of the interface", (name) => {
    const { properties = {} } = schemas[name] ?? {};
    const members = wireNames[name]!.trim()
      .split(/\s+/)
      .map((member) => member.split(":") as [string, string]);
    const found = members.map(
      ([member, type]) => `${member}: ${isAsNamed(properties[member], type) ? type : JSON.stringify(properties[member])}`,
    );
    expect(found).toEqual(members.map(([member, type]) => `${member}: ${type}`));
  });

  test.skipIf(!existsSync(join(specFolder, "wire-names.json")))("the table is that of the file", () => {
    const file = JSON.parse(readFileSync(join(specFolder, "wire-names.json"), "utf8")) as Record<string, Record<string, string>>;
    const names = (lists: Record<string, string[]>) =>
      Object.fromEntries(Object.entries(lists).map(([name, members]) => [name, members.sort()]));
    const ours = Object.entries(wireNames).map(([name, text]) => [
      name,
      text
        .trim()
        .split(/\s+/)
        .map((member) => member.split(":")[0]!),
    ]);
    const theirs = Object.entries(file).map(([name, members]) => [name, Object.keys(members)]);
    expect(names(Object.fromEntries(ours))).toEqual(names(Object.fromEntries(theirs)));
  });
});
