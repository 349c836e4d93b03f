import { type ApplyKind, ownApiVersion } from "@millrace/contract/apply.ts";
import { stepActionType } from "@millrace/contract/status.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";

/** Whether a YAML text says that it is a document of Millrace. Otherwise it belongs to Tekton or another product. */
export function isOwnYaml(text: string): boolean {
  return /^(?:\{\s*)?(["']?)apiVersion\1\s*:\s*["']?millrace\.dev\//m.test(text);
}

/**
 * A document in the form that its own endpoint accepts: without the members that say what kind it is.
 * @param kinds those that the endpoint accepts
 */
export function withoutHead(body: unknown, kinds: readonly ApplyKind[]): { body: unknown; faults: ErrorDetail[] } {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return { body, faults: [] };
  const { apiVersion, kind, ...members } = body as Record<string, unknown>;
  if (typeof apiVersion !== "string" || !apiVersion.startsWith("millrace.dev/")) return { body, faults: [] };
  const faults: ErrorDetail[] = [];
  if (apiVersion !== ownApiVersion)
    faults.push({ path: "/apiVersion", message: `is ${apiVersion.slice(0, 80)}; it must be ${ownApiVersion}` });
  if (kind !== undefined && !kinds.some((one) => one === kind))
    faults.push({ path: "/kind", message: `is ${JSON.stringify(kind).slice(0, 80)}; this endpoint takes ${kinds.join(" or ")}` });
  return { body: membersOf(kind, members), faults };
}

/** A StepAction is a task of that type; its kind already says so. */
export function membersOf(kind: unknown, members: Record<string, unknown>): Record<string, unknown> {
  return kind === "StepAction" ? { type: stepActionType, ...members } : members;
}
