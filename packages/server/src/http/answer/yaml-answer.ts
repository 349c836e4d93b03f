import type { FastifyRequest } from "fastify";
import type { Endpoint, Reply } from "../../api/endpoint.ts";
import { preferredType } from "../../base/text/preferred-type.ts";
import { answerYaml, maxYamlLength, writeBoundedYaml } from "../../core/document/write-yaml.ts";
import { isWrite } from "../admit/check-origin.ts";
import type { Answer } from "./idempotent.ts";

/**
 * Whether the JSON of this endpoint is to be answered as YAML: only to who names YAML in Accept. What has a YAML form of its own (tasks,
 * pipelines) chooses for itself. Asked before anything is written.
 */
export function isYamlAsked({ produces, response }: Endpoint, { headers }: FastifyRequest): boolean {
  const accept = headers.accept;
  if (produces !== undefined || response === null || accept === undefined || !yamlRange.test(accept)) return false;
  return preferredType(accept, ["application/json", "application/x-yaml"]) === "application/x-yaml";
}

/** Another type that has these letters in its name asks for JSON, as any other does. */
const yamlRange = /(?:^|,)\s*(?:application|text)\/(?:x-)?yaml\s*(?:[;,]|$)/i;

/**
 * Streams and what has a type of its own stay what they are, and so does the answer to a write that is too long, since it is done.
 * @throws NOT_ACCEPTABLE where something long is only read
 */
export function toYaml(endpoint: Endpoint, answer: Answer | Reply): Answer | Reply {
  if ("reply" in answer || answer.text === null) return answer;
  const { status, text, headers } = answer;
  const write = isWrite(endpoint) ? writeBoundedYaml : answerYaml;
  const body = write(text.length > maxYamlLength ? undefined : JSON.parse(text), text.length);
  if (body === undefined) return answer;
  const type = { "content-type": "application/x-yaml; charset=utf-8", vary: "Accept" };
  return { reply: true, status, headers: { ...headers, ...type }, body };
}
