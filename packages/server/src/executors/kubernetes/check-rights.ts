import type { Cluster } from "./cluster.ts";

/** What the executor does in its namespace: deploy/kubernetes/executor-rbac.yaml gives exactly these. */
export const neededRights: readonly { group: string; resource: string; verbs: readonly string[] }[] = [
  { group: "batch", resource: "jobs", verbs: ["create", "get", "list", "watch", "patch", "delete"] },
  { group: "", resource: "pods", verbs: ["list", "watch"] },
  { group: "", resource: "pods/exec", verbs: ["get", "create"] },
  { group: "", resource: "secrets", verbs: ["create", "list", "patch", "delete"] },
  { group: "", resource: "persistentvolumeclaims", verbs: ["create", "list", "delete"] },
  { group: "", resource: "events", verbs: ["list"] },
  { group: "networking.k8s.io", resource: "networkpolicies", verbs: ["create", "get", "update"] },
];

/** @returns the rights that are missing, as `create jobs`; rejects when the cluster can't be asked */
export async function missingRights({ library, config, namespace }: Cluster): Promise<string[]> {
  const api = config.makeApiClient(library.AuthorizationV1Api);
  const asked = neededRights.flatMap(({ group, resource, verbs }) => verbs.map((verb) => ({ group, resource, verb })));
  const answers = await Promise.all(
    asked.map(async ({ group, resource: full, verb }) => {
      const [resource, subresource] = full.split("/");
      const resourceAttributes = { namespace, verb, group, resource: resource ?? "", ...(subresource && { subresource }) };
      const { status } = await api.createSelfSubjectAccessReview({ body: { spec: { resourceAttributes } } });
      return status?.allowed === true ? [] : [`${verb} ${full}`];
    }),
  );
  return answers.flat();
}
