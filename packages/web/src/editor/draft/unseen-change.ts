import { type Draft, sameJson } from "./draft.ts";

/** Where each member of a workflow is edited that the canvas does not show. */
const sections: Readonly<Record<string, string>> = {
  displayName: "General",
  status: "General",
  icon: "General",
  description: "General",
  labels: "General",
  annotations: "General",
  params: "Parameters",
  triggers: "Triggers",
  timeout: "Options",
  retries: "Options",
  workspaces: "Workspaces",
};
const seen = ["tasks", "canvasNotes", "markdown"];

/** Where a change is, when nothing of it can be seen on the canvas; undefined: it can, or nothing differs. */
export function unseenChange(one: Draft, other: Draft): string | undefined {
  const members = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((member) => !sameJson(one[member], other[member]));
  if (members.length === 0 || members.some((member) => seen.includes(member))) return undefined;
  const places = new Set(members.map((member) => (sections[member] ? `Configure › ${sections[member]}` : "Code")));
  return [...places].join(", ");
}
