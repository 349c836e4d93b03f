import { startWalkService } from "../documents/walk-service.ts";
import type { CatalogueBench } from "./catalogue-tasks.ts";

/**
 * The whole product as `npm start` starts it, with a team: what a user has. The caller must stop it.
 * @param environment which executors, and how they are reached
 */
export async function catalogueBench(
  environment: Record<string, string>,
  parts: Pick<CatalogueBench, "image" | "forge">,
): Promise<CatalogueBench & { stop(): Promise<void> }> {
  const token = "admin-token-of-the-catalogue";
  const settings = {
    MILLRACE_ADMIN_TOKEN: token,
    MILLRACE_SEED: "false",
    MILLRACE_ALLOW_UNSANDBOXED: "true",
    MILLRACE_ALLOW_HOST_NETWORK: "true",
    // The forge may run on this machine, which tasks reach only if it is allowed.
    MILLRACE_TASK_OUTBOUND_ALLOW: new URL(parts.forge.url).host,
  };
  const service = await startWalkService({ ...settings, ...environment });
  const api: CatalogueBench["api"] = async (method, path, body, type = "application/json") => {
    const response = await fetch(`${service.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": type }) },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
  };
  const { executors } = (await api("GET", "/health?detail=true")) as { executors: { kind: string; available: boolean; detail: string }[] };
  const off = executors.find(({ available }) => !available);
  if (off) {
    await service.stop();
    throw new Error(`the executor ${off.kind} is off: ${off.detail}`);
  }
  const name = "catalogue";
  await api("POST", "/api/v2/team", { name, displayName: name });
  return { api, team: `/api/v2/team/${name}`, stop: service.stop, ...parts };
}
