import { IconBolt, IconBrandGit, IconCalendarEvent, IconHandClick, IconSitemap, IconWebhook } from "@tabler/icons-react";

export type TriggerKind = "manual" | "schedule" | "webhook" | "event" | "codehost" | "workflow";

interface TriggerLook {
  word: string;
  icon: typeof IconBolt;
}

/** A word and a shape for each kind of trigger. */
export const triggerLooks: Readonly<Record<TriggerKind, TriggerLook>> = {
  manual: { word: "Manual", icon: IconHandClick },
  schedule: { word: "Schedule", icon: IconCalendarEvent },
  webhook: { word: "Webhook", icon: IconWebhook },
  event: { word: "Event", icon: IconBolt },
  codehost: { word: "Code host", icon: IconBrandGit },
  workflow: { word: "After a workflow", icon: IconSitemap },
};

export const triggerKinds = Object.keys(triggerLooks) as TriggerKind[];
