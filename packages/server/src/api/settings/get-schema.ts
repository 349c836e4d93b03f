import { documentNames, documentSchema } from "@millrace/contract/document-schema.ts";
import { stringEnum } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { defineEndpoint, reply } from "../endpoint.ts";

export const getSchema = defineEndpoint({
  method: "GET",
  path: "/api/v2/schema/:document",
  summary: "Read the JSON Schema of a document, for editors and validators",
  description:
    "In a YAML file, the comment `# yaml-language-server: $schema=https://HOST/api/v2/schema/workflow` gives completion and checks in editors. " +
    "`task` is a task as a Tekton document, `task-resource` as JSON.",
  tag: "Operation",
  permission: "open",
  transaction: "none",
  params: Type.Object({ document: stringEnum(documentNames, { description: "Which document" }) }),
  produces: ["application/schema+json"],
  response: Type.Unknown(),
  async handle({ params }) {
    const headers = { "content-type": "application/schema+json; charset=utf-8", "cache-control": "max-age=300" };
    return reply({ headers, body: JSON.stringify(documentSchema(params.document)) });
  },
});
