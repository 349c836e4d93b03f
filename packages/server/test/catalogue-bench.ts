import type { CatalogueBench } from "./catalogue-tasks.ts";
import { randomName } from "./factories.ts";
import { testInstance } from "./test-instance.ts";

/**
 * The whole product on a port of its own, with a team: what a user has. It ends with the test file.
 * @param environment which executors, and how they are reached
 */
export async function catalogueBench(
  environment: Record<string, string>,
  parts: Pick<CatalogueBench, "image" | "forge">,
): Promise<CatalogueBench> {
  const adminToken = "admin-token-of-the-catalogue";
  const { instance } = await testInstance({ MILLRACE_PORT: "0", MILLRACE_ADMIN_TOKEN: adminToken, ...environment });
  const api: CatalogueBench["api"] = async (method, path, body, type = "application/json") => {
    const response = await fetch(`${instance.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, ...(body !== undefined && { "content-type": type }) },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
  };
  const name = randomName("catalogue");
  await api("POST", "/api/v2/team", { name, displayName: name });
  return { api, team: `/api/v2/team/${name}`, ...parts };
}
