import { IconBolt, IconBrandGit, IconCalendarEvent, IconHandClick, IconSitemap, IconWebhook } from "@tabler/icons-react";
import { t } from "../texts/shared.ts";

export type TriggerKind = "manual" | "schedule" | "webhook" | "event" | "codehost" | "workflow";

interface TriggerLook {
  word: string;
  icon: typeof IconBolt;
}

/** A word and a shape for each kind of trigger. */
export const triggerLooks: Readonly<Record<TriggerKind, TriggerLook>> = {
  manual: { word: t("triggerLook.manual"), icon: IconHandClick },
  schedule: { word: t("triggerLook.schedule"), icon: IconCalendarEvent },
  webhook: { word: t("triggerLook.webhook"), icon: IconWebhook },
  event: { word: t("triggerLook.event"), icon: IconBolt },
  codehost: { word: t("triggerLook.codeHost"), icon: IconBrandGit },
  workflow: { word: t("triggerLook.afterWorkflow"), icon: IconSitemap },
};

export const triggerKinds = Object.keys(triggerLooks) as TriggerKind[];
