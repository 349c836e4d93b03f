import type { Site } from "./site.ts";

/** A team with the workflow `report`, the URL of its configuration, and a function that reads it. @param more members of the workflow */
export async function withWorkflow(site: Site, more: object = {}) {
  const team = await site.make.team();
  const at = `/api/v2/team/${team.name}/workflow`;
  await site.call(site.adminToken, "POST", at, { name: "report", displayName: "Report", labels: { area: "money" }, tasks: [], ...more });
  const page = (section: string) => `/${team.name}/workflows/report/configure/${section}`;
  const read = () => site.call<Record<string, unknown>>(site.adminToken, "GET", `${at}/report`);
  return { team, at, page, read };
}
