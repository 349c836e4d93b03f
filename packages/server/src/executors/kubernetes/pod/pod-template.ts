import type { V1PodSpec } from "@kubernetes/client-node";
import { parse } from "yaml";
import { StartError } from "../../../base/error/start-error.ts";

/** What an operator may configure for every pod; the containers are ours. */
export type PodTemplate = Pick<
  V1PodSpec,
  | "nodeSelector"
  | "tolerations"
  | "affinity"
  | "serviceAccountName"
  | "imagePullSecrets"
  | "priorityClassName"
  | "runtimeClassName"
  | "schedulerName"
  | "topologySpreadConstraints"
  | "dnsPolicy"
  | "dnsConfig"
  | "securityContext"
>;

const allowed = [
  "nodeSelector",
  "tolerations",
  "affinity",
  "serviceAccountName",
  "imagePullSecrets",
  "priorityClassName",
  "runtimeClassName",
  "schedulerName",
  "topologySpreadConstraints",
  "dnsPolicy",
  "dnsConfig",
  "securityContext",
] as const satisfies (keyof PodTemplate)[];

const allowedSecurity = ["runAsUser", "runAsGroup", "fsGroup", "fsGroupChangePolicy", "supplementalGroups", "seLinuxOptions"];

/**
 * Reads the template of an operator. Members that would weaken the isolation of pods, or that the service decides, are refused.
 * @throws StartError naming the member
 */
export function readPodTemplate(text: string | undefined): PodTemplate {
  if (text === undefined || text.trim() === "") return {};
  const found = parseObject(text);
  const spec =
    "spec" in found && Object.keys(found).every((key) => ["apiVersion", "kind", "metadata", "spec"].includes(key)) ? found["spec"] : found;
  const members = asObject(spec, "it");
  for (const name of Object.keys(members)) refuseUnlessKnown(name, allowed, "");
  const security = members["securityContext"];
  if (security !== undefined)
    for (const name of Object.keys(asObject(security, "securityContext"))) refuseUnlessKnown(name, allowedSecurity, "securityContext.");
  return members as PodTemplate;
}

function refuseUnlessKnown(name: string, known: readonly string[], prefix: string): void {
  if (known.includes(name)) return;
  throw new StartError(
    `the pod template can't have ${prefix}${name}: it would change what the service decides, or how pods are isolated. Allowed: ${known.map((one) => prefix + one).join(", ")}`,
  );
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return asObject(parse(text), "it");
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`the pod template is neither YAML nor JSON: ${(error as Error).message}`, { cause: error });
  }
}

function asObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new StartError(`the pod template can't be used: ${what} is not an object with the members of a PodSpec`);
}
