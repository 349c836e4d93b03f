import { t } from "../../texts/workflow/designer.ts";
import { type Draft, sameJson } from "./draft.ts";

/** Where to edit the members of a workflow that the canvas doesn't show. */
const sections: Readonly<Record<string, string>> = {
  displayName: t("unseenChange.general"),
  status: t("unseenChange.general"),
  icon: t("unseenChange.general"),
  description: t("unseenChange.general"),
  labels: t("unseenChange.general"),
  annotations: t("unseenChange.general"),
  params: t("unseenChange.parameters"),
  triggers: t("unseenChange.triggers"),
  timeout: t("unseenChange.options"),
  retries: t("unseenChange.options"),
  concurrency: t("unseenChange.limits"),
  rate: t("unseenChange.limits"),
  debounce: t("unseenChange.limits"),
  batch: t("unseenChange.limits"),
  priority: t("unseenChange.limits"),
  workspaces: t("unseenChange.workspaces"),
};
const seen = ["tasks", "canvasNotes", "markdown"];

/** Where a change was made, if it isn't visible on the canvas; undefined if it is visible or nothing differs. */
export function unseenChange(one: Draft, other: Draft): string | undefined {
  const members = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((member) => !sameJson(one[member], other[member]));
  if (members.length === 0 || members.some((member) => seen.includes(member))) return undefined;
  const places = new Set(
    members.map((member) => (sections[member] ? t("unseenChange.configure", { section: sections[member] }) : t("unseenChange.code"))),
  );
  return [...places].join(", ");
}
