import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { documentNames } from "@millrace/contract/document-schema.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const examples = fileURLToPath(new URL("../../core/task/tekton/testdata/", import.meta.url));

/** They have numbers where Tekton wants strings. The service accepts them, and an editor marks them rightly. */
const withNumbers = ["older-members.yaml", "texts-and-values.yaml"];

async function validatorOf(name: string) {
  const { status, body, headers } = await app.as(null).get(`/api/v2/schema/${name}`);
  expect([status, headers["content-type"]]).toEqual([200, "application/schema+json; charset=utf-8"]);
  // Examples and formats are for people and for the service; the validator knows everything else.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, validateFormats: false, keywords: ["example"] });
  return ajv.compile(body);
}

test.each(documentNames)("the schema of a %s is whole, and an editor can use it without signing in", async (name) => {
  const validate = await validatorOf(name);
  expect(validate("no document")).toBe(false);
});

test("real tasks fit their schema, and what the service refuses does not", async () => {
  const validate = await validatorOf("task");
  const tasks = readdirSync(examples).flatMap((file) => {
    const document = parse(readFileSync(`${examples}${file}`, "utf8"));
    return document.kind === "Task" && !withNumbers.includes(file) ? [[file, document] as const] : [];
  });
  expect(tasks.length).toBeGreaterThan(0);
  for (const [file, document] of tasks) expect([file, validate(document), validate.errors]).toEqual([file, true, null]);
  expect(validate({ apiVersion: "tekton.dev/v1", kind: "Task", metadata: { name: "t" }, spec: { steps: "none" } })).toBe(false);
});

test("a workflow fits its schema", async () => {
  const validate = await validatorOf("workflow");
  expect(validate({ name: "w", tasks: [{ name: "a", taskRef: "t", dependencies: [] }] })).toBe(true);
  expect(validate({ name: "w", tasks: [{ name: "a", taskRef: "t", dependencies: "b" }] })).toBe(false);
});

test("another document is a 400 that names those that there are", async () => {
  const { status, text } = await app.as().get("/api/v2/schema/run");
  expect([status, text]).toEqual([400, expect.stringContaining("workflow-template")]);
});
