import "@millrace/contract/error-body.ts";
import type { Reason } from "@millrace/contract/errors.ts";
import type { Endpoint } from "../../api/endpoint.ts";
import { AppError } from "../../base/error/app-error.ts";
import { hasWriteTransaction } from "../admit/admit.ts";
import { isLimited } from "../admit/rate-limits.ts";
import { errorBody } from "../answer/error-response.ts";

/** The error responses of the API document: each status once, with an example, and which of them an endpoint can return. */

interface Refusal {
  name: string;
  status: number;
  description: string;
  example: readonly [Reason, ...(string | number)[]];
  headers?: Record<string, object>;
  isPossible(endpoint: Endpoint): boolean;
}

const hasInput = ({ params, query, body }: Endpoint) => params !== undefined || query !== undefined || body !== undefined;
const hasBody = ({ body }: Endpoint) => body !== undefined;
const isClosed = ({ permission }: Endpoint) => permission !== "open";
const isWrite = (endpoint: Endpoint) => hasWriteTransaction(endpoint) && endpoint.method !== "GET";
const takesIfMatch = ({ headers }: Endpoint) => "If-Match" in ((headers as { properties?: object } | undefined)?.properties ?? {});

const refusals: readonly Refusal[] = [
  {
    name: "BadRequest",
    status: 400,
    description: "The request is malformed or invalid; `errors` says where",
    example: ["VALIDATION_FAILED", "limit is missing"],
    isPossible: hasInput,
  },
  {
    name: "Unauthenticated",
    status: 401,
    description: "No credential, or one that is unknown, revoked or expired",
    example: ["UNAUTHENTICATED", "send Authorization: Bearer TOKEN or x-access-token: TOKEN"],
    headers: { "WWW-Authenticate": { description: "How to sign in", schema: { type: "string" } } },
    isPossible: isClosed,
  },
  {
    name: "Forbidden",
    status: 403,
    description: "Known, but not allowed",
    example: ["PERMISSION_DENIED", "this needs the permission team/write in team hawks"],
    isPossible: isClosed,
  },
  {
    name: "NotFound",
    status: 404,
    description: "Unknown, or not visible to you: both look the same",
    example: ["TEAM_INVALID_REF", "hawks"],
    isPossible: ({ path }) => path.includes("/:"),
  },
  {
    name: "Conflict",
    status: 409,
    description: "Not possible in the current state, or someone else was faster",
    example: ["CONFLICT", "The request conflicts with an existing object"],
    isPossible: isWrite,
  },
  {
    name: "PreconditionFailed",
    status: 412,
    description: "Changed since the `ETag` in `If-Match`",
    example: ["PRECONDITION_FAILED", 'If-Match names "1-1", but its tag is "1-2" now; read it again and repeat the change'],
    isPossible: takesIfMatch,
  },
  {
    name: "BodyTooLarge",
    status: 413,
    description: "The body is too large",
    example: ["BODY_TOO_LARGE", 1_048_576],
    isPossible: hasBody,
  },
  {
    name: "UnsupportedMediaType",
    status: 415,
    description: "The content type of the body is not supported here",
    example: ["UNSUPPORTED_MEDIA_TYPE", "text/csv", "application/json"],
    isPossible: hasBody,
  },
  {
    name: "Unprocessable",
    status: 422,
    description: "A name is taken or reserved",
    example: ["TEAM_NON_UNIQUE_NAME", "hawks", "taken"],
    isPossible: (endpoint) => isWrite(endpoint) && hasBody(endpoint),
  },
  {
    name: "Locked",
    status: 423,
    description: "The instance is not activated yet, or the team is inactive",
    example: ["NOT_ACTIVATED"],
    isPossible: isClosed,
  },
  {
    name: "TooManyRequests",
    status: 429,
    description: "Too many requests, or a quota is used up",
    example: ["TOO_MANY_REQUESTS", 1],
    headers: { "Retry-After": { description: "Seconds after which to try again", schema: { type: "integer" } } },
    isPossible: isLimited,
  },
];

/** By status, for an operation: references to the components below. A status that isn't listed has the same form. */
export function errorResponses(endpoint: Endpoint): Record<string, object> {
  const possible = refusals.filter(({ isPossible }) => isPossible(endpoint));
  const listed = possible.map(({ status, name }) => [String(status), { $ref: `#/components/responses/${name}` }] as const);
  return { ...Object.fromEntries(listed), default: { $ref: "#/components/responses/Error" } };
}

/** `components.responses` of the document. */
export function errorComponents(): Record<string, object> {
  const schema = { $ref: "#/components/schemas/ErrorBody" };
  const named = refusals.map(({ name, description, example, headers }) => {
    const content = { "application/json": { schema, example: exampleOf(...example) } };
    return [name, { description, ...(headers && { headers }), content }] as const;
  });
  const rest = { description: "What was wrong", content: { "application/json": { schema } } };
  return { ...Object.fromEntries(named), Error: rest };
}

function exampleOf(reason: Reason, ...values: (string | number)[]): object {
  const body = errorBody(new AppError(reason, values), "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e");
  return { ...body, timestamp: "2026-03-01T12:00:00.000Z" };
}
