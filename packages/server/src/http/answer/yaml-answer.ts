import type { FastifyRequest } from "fastify";
import type { Endpoint, Reply } from "../../api/endpoint.ts";
import { preferredType } from "../../base/text/preferred-type.ts";
import { answerYaml, maxYamlLength, writeBoundedYaml } from "../../core/document/write-yaml.ts";
import { isWrite } from "../admit/check-origin.ts";
import type { Answer } from "./idempotent.ts";

/**
 * Whether the JSON of this endpoint is to be sent as YAML: only if Accept names YAML. Endpoints with a YAML form of their own (tasks,
 * pipelines) decide for themselves. Called before anything is written.
 */
export function isYamlAsked({ produces, response }: Endpoint, { headers }: FastifyRequest): boolean {
  const accept = headers.accept;
  if (produces !== undefined || response === null || accept === undefined || !yamlRange.test(accept)) return false;
  return preferredType(accept, ["application/json", "application/x-yaml"]) === "application/x-yaml";
}

/** Another media type whose name contains these letters counts as a request for JSON. */
const yamlRange = /(?:^|,)\s*(?:application|text)\/(?:x-)?yaml\s*(?:[;,]|$)/i;

/**
 * Streams, and responses with a content type of their own, are not converted. Neither is a response to a write that is too long, because
 * the write has happened.
 * @throws NOT_ACCEPTABLE if the response to a read is too long
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
