import type { Caller } from "@millrace/contract/identity/sign-in.ts";
import type { HeaderNavigationResponse } from "@millrace/contract/settings/system.ts";
import type { InstanceSettings } from "../../core/settings/instance-settings.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { Notice, Services } from "../endpoint.ts";

/** What the frame of each page of the interface shows of the instance. */
export async function loadPlatform(db: Queryable, services: Services): Promise<Caller["platform"]> {
  const { look } = await services.runs.settings.load(db);
  return { name: platformNameOf(look), message: viewNotices(services.notices?.() ?? []) };
}

export const platformNameOf = ({ platformName, appName }: InstanceSettings["look"]) => `${platformName} ${appName}`.trim();

export function viewNotices(notices: readonly Notice[]): HeaderNavigationResponse["platformMessage"] {
  const [first] = notices;
  if (first === undefined) return null;
  return { kind: "warning", title: first.title, message: notices.map(({ text }) => sentence(text)).join(" ") };
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
