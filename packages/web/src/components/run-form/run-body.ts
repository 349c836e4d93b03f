import type { components } from "@millrace/client/schema.generated.ts";
import type { ParamValues } from "../../forms/parameter-values.ts";

/** Quotes a text so that a shell reads it as a single word, whatever it contains. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface Request {
  method?: string;
  url: string;
  body: unknown;
  /** Further headers, as `Name: value`. */
  headers?: readonly string[];
}

/** The same request as a curl command. The credential is read from a variable, so that it appears neither in a history nor on a screen. */
export function curlCommand({ method, url, body, headers = [] }: Request): string {
  const parts = [
    `curl -sS --fail-with-body ${method ? `-X ${method} ` : ""}${shellQuoted(url)}`,
    `-H "Authorization: Bearer $MILLRACE_TOKEN"`,
    ...["Content-Type: application/json", ...headers].map((header) => `-H ${shellQuoted(header)}`),
    `-d ${shellQuoted(JSON.stringify(body, null, 2))}`,
  ];
  return parts.join(" \\\n  ");
}

/** Replaces secrets in text that can be copied. */
export const secretPlaceholder = "TYPE_THE_SECRET_HERE";

export type SubmitRequest = components["schemas"]["WorkflowSubmitRequest"];

/** What can be set for a run in addition to its parameters. Empty means: as in the workflow. */
export interface RunOptions {
  isStartedNow: boolean;
  /** Each `KEY=VALUE`. */
  labels: string[];
  version: string;
  timeout: string;
  retries: string;
  isDebug: boolean;
}

/** The values of the run form. */
export interface RunValues extends RunOptions {
  params: ParamValues;
}

export const noOptions: RunOptions = { isStartedNow: false, labels: [], version: "", timeout: "", retries: "", isDebug: false };

/** `a=b=c` is the key `a` with the value `b=c`; without `=` the value is empty. */
export function labelsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The body of the request: only what differs from the workflow. */
export function bodyOf(params: { name: string; value: unknown }[], options: RunOptions): SubmitRequest {
  const { labels, version, timeout, retries, isDebug } = options;
  return {
    trigger: "manual",
    ...(params.length > 0 && { params }),
    ...(labels.length > 0 && { labels: labelsOf(labels) }),
    ...(version !== "" && { workflowVersion: Number(version) }),
    ...(timeout !== "" && { timeout: Number(timeout) }),
    ...(retries !== "" && { retries: Number(retries) }),
    ...(isDebug && { debug: true }),
  };
}

/** The field that shows a member of the body, by the member's path. */
export function fieldOfOption(path: string): keyof RunOptions | undefined {
  const member = path.split("/")[1] ?? "";
  const fields: Readonly<Record<string, keyof RunOptions>> = { workflowVersion: "version", debug: "isDebug" };
  return fields[member] ?? (["labels", "timeout", "retries"] as const).find((field) => field === member);
}
