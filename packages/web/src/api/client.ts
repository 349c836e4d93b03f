import createClient from "openapi-fetch";
import { t } from "../texts/frame.ts";
import { ApiError } from "./api-error.ts";
import type { paths } from "./schema.generated.ts";

/**
 * The whole way to the server: every call goes through here, with the types of openapi.json. Requests go to the origin that served
 * the page; the browser adds the session's cookie by itself.
 */
export const api = createClient<paths>({
  baseUrl: "/",
  credentials: "same-origin",
  querySerializer: { array: { style: "form", explode: false } },
});

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The body of a success. @throws {ApiError} for everything else, without an answer too */
export async function call<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    throw new ApiError(0, "NO_ANSWER", t("client.cantReachServerCheck"), String(cause));
  });
  if (!response.ok) throw toError(response, error);
  return data as Data;
}

/** With the ETag for a later `If-Match`. */
export async function callWithTag<Data>(request: Promise<Answer<Data>>): Promise<{ data: Data; etag: string | undefined }> {
  let etag: string | undefined;
  const data = await call(
    request.then((answer) => {
      etag = answer.response.headers.get("etag") ?? undefined;
      return answer;
    }),
  );
  return { data, etag };
}

function toError(response: Response, body: unknown): ApiError {
  const { reason, message, errors } =
    typeof body === "object" && body !== null ? (body as { reason?: string; message?: string; errors?: ApiError["errors"] }) : {};
  const requestId = response.headers.get("x-request-id") ?? undefined;
  return new ApiError(
    response.status,
    reason ?? "UNKNOWN",
    message ?? t("client.serverReturned", { status: response.status }),
    requestId,
    errors,
  );
}
