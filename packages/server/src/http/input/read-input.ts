import { createUnknownFinder, type UnknownMember } from "@millrace/contract/unknown-members.ts";
import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { Endpoint } from "../../api/endpoint.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isStrict, strictFault } from "../../base/text/nearest-name.ts";
import { withoutHead } from "../../core/apply/own-document.ts";
import { createValidator, misleadingNames } from "../../core/document/validator.ts";
import { invalidYaml, readYamlBody } from "../../core/document/yaml-body.ts";
import { validationError } from "../answer/error-response.ts";
import { decodeText, parseJson, readMediaType } from "./read-body.ts";
import { createQueryReader, toParameterFaults } from "./read-query.ts";

/** The content of a request, read and validated. */
export interface Input {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
  rawBody: string;
  rawBytes: Uint8Array;
  mediaType: string;
  /** For a body that came as YAML: the same details with line and column. */
  placed?: Placed;
  /** Headers of the response about how the request was read. */
  replyHeaders: Record<string, string>;
}

type Placed = (details: readonly ErrorDetail[]) => ErrorDetail[];
type Body = Pick<Input, "body" | "rawBody" | "rawBytes" | "mediaType" | "placed">;

export function createInputReader(endpoint: Endpoint): (request: FastifyRequest) => Input {
  const readParams = createParamsReader(endpoint.params as TSchema | undefined);
  const queryReader = createQueryReader(endpoint.query as TSchema | undefined);
  const checkQuery = createQueryCheck(endpoint.query as TSchema | undefined);
  const readBody = createBodyReader(endpoint);
  const findUnknown = endpoint.body === undefined ? undefined : createUnknownFinder(endpoint.body as TSchema);
  return (request) => {
    const params = readParams(request);
    const query = queryReader.read((request.query as { raw: string }).raw);
    checkQuery(query.values);
    const body = readBody(request);
    const names = query.unknown.filter((name) => name !== "access_token").map((name) => `?${name}`);
    if (findUnknown === undefined) names.push(...membersOfUnwanted(request));
    const members = findUnknown !== undefined && typeof body.body === "object" ? findUnknown(body.body) : [];
    return { params, query: query.values, ...body, replyHeaders: reportUnknown(request, names, members, body.placed) };
  };
}

/**
 * Called before anything is looked up by a name in the path; the team comes first.
 * @throws VALIDATION_FAILED if a name in the path has characters that no stored text can have
 */
export function checkPathText(request: FastifyRequest): void {
  for (const [path, value] of Object.entries(request.params as Record<string, string>)) {
    const message = value.includes("\0")
      ? "contains a NUL character"
      : /\p{Cs}/u.test(value)
        ? "contains half a character (a lone surrogate)"
        : undefined;
    if (message !== undefined) throw validationError([{ path, message }], "path parameter");
  }
}

function createParamsReader(schema: TSchema | undefined): (request: FastifyRequest) => Record<string, string> {
  const validator = schema === undefined ? undefined : createValidator(schema);
  return (request) => {
    const params = request.params as Record<string, string>;
    const faults = validator?.faults(params) ?? [];
    if (faults.length > 0) throw validationError(toParameterFaults(faults), "path parameter");
    return params;
  };
}

/** In the published interface, a filter that isn't a list of known values has a reason of its own. */
function createQueryCheck(schema: TSchema | undefined): (values: Record<string, unknown>) => void {
  if (schema === undefined) return () => {};
  const validator = createValidator(schema);
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {};
  return (values) => {
    const faults = toParameterFaults(validator.faults(values));
    const [first] = faults;
    if (first === undefined) return;
    if (properties[first.path]?.type === "array")
      throw new AppError("QUERY_INVALID_FILTERS", [first.path, first.message], { details: faults });
    throw validationError(faults, "parameter");
  };
}

/** For a body where none is expected: all of its members are unknown. */
function membersOfUnwanted(request: FastifyRequest): string[] {
  const bytes = request.body as Buffer | undefined;
  if (bytes === undefined || bytes.length === 0) return [];
  try {
    const body: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return Object.keys(body).map((name) => `/${name}`);
  } catch {
    // Such a body is never read.
  }
  return ["the body"];
}

const noBody: Body = { body: undefined, rawBody: "", rawBytes: new Uint8Array(), mediaType: "" };

/**
 * Bodies of other systems, at the endpoints that take their token in the query, are read as those systems write them. An empty body counts
 * as none, whatever its content type is. Without a schema no body is accepted, see `membersOfUnwanted`.
 */
function createBodyReader(endpoint: Endpoint): (request: FastifyRequest) => Body {
  const schema = endpoint.body as TSchema | undefined;
  if (schema === undefined) return () => noBody;
  const allowed = endpoint.consumes ?? (takesYaml(endpoint) ? ["application/json", yamlType] : ["application/json"]);
  const isOwnYaml = endpoint.readsYaml ?? (() => endpoint.consumes !== undefined);
  const validator = createValidator(schema);
  const check = (value: unknown) => {
    const own = endpoint.documentKinds === undefined ? { body: value, faults: [] } : withoutHead(value, endpoint.documentKinds);
    const body = endpoint.presentBody?.(own.body) ?? own.body;
    return { body, faults: [...own.faults, ...validator.faults(body), ...misleadingNames(body)] };
  };
  return (request) => {
    const bytes = request.body as Buffer | undefined;
    if (bytes === undefined || bytes.length === 0) {
      if (endpoint.bodyOptional === true) return noBody;
      throw new AppError("BAD_REQUEST", [`a body of type ${allowed.join(" or ")} is required`]);
    }
    const coding = request.headers["content-encoding"] ?? "identity";
    if (coding !== "identity") throw new AppError("UNSUPPORTED_MEDIA_TYPE", [`with content-encoding ${coding}`, "no content-encoding"]);
    const mediaType = readMediaType(request.headers["content-type"] ?? allowed[0] ?? "application/json", allowed);
    const rawBody = decodeText(bytes);
    const isYaml = mediaType === yamlType && !isOwnYaml(rawBody);
    if (!isYaml && !/[/+]json$/.test(mediaType)) return { body: rawBody, rawBody, rawBytes: bytes, mediaType };
    if (rawBody.trim() === "" && endpoint.bodyOptional === true) return noBody;
    if (isYaml) {
      const { value, placed } = readYamlBody(rawBody, schema);
      const { body, faults } = check(value);
      if (faults.length > 0) throw invalidYaml(placed(faults));
      return { body, rawBody, rawBytes: bytes, mediaType: "application/json", placed };
    }
    const { body, faults } = check(parseJson(rawBody, { mayRepeat: endpoint.tokenInQuery === true }));
    if (faults.length > 0) throw validationError(faults, "body");
    return { body, rawBody, rawBytes: bytes, mediaType };
  };
}

const yamlType = "application/x-yaml";

/** Bodies that people write, not those that other systems send and sign. */
function takesYaml({ tokenInQuery, signedBy }: Endpoint): boolean {
  return tokenInQuery !== true && signedBy === undefined;
}

/**
 * RFC 7240: without `handling=strict`, an unknown member is kept if the schema allows it and otherwise ignored, and the response names it.
 */
function reportUnknown(
  request: FastifyRequest,
  names: readonly string[],
  members: readonly UnknownMember[],
  placed: Placed = (details) => [...details],
): Record<string, string> {
  const { prefer } = request.headers;
  if (prefer !== undefined && isStrict(String(prefer))) {
    const details: ErrorDetail[] = [...names.map((path) => ({ path, message: "is unknown here" })), ...placed(members.map(strictFault))];
    if (details.length > 0) throw validationError(details, "with Prefer: handling=strict,");
  }
  const unknown = [...names, ...members.filter(({ isKept }) => !isKept).map(({ path }) => path)];
  return unknown.length === 0 ? {} : { "x-unknown-members": unknownMembersHeader(unknown) };
}

/** Named in a response header. */
const maxReported = 20;

/** Names of members are the caller's text: only harmless characters go into a header, up to a limited length. */
function unknownMembersHeader(names: readonly string[]): string {
  return names
    .slice(0, maxReported)
    .map((name) => encodeURI(name.slice(0, 100).replace(/\p{Surrogate}/gu, "?")).replaceAll(",", "%2C"))
    .join(", ");
}
