import {
  IconBell,
  IconBolt,
  IconBrandGit,
  IconBug,
  IconCalendarEvent,
  IconChartBar,
  IconCloud,
  IconDatabase,
  IconGitBranch,
  IconHandClick,
  IconMail,
  IconPackage,
  IconRocket,
  IconShieldLock,
  IconSitemap,
  IconTool,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { t } from "../texts/shared.ts";

export type TriggerKind = "manual" | "schedule" | "webhook" | "event" | "codehost" | "workflow";

interface TriggerLook {
  word: string;
  icon: typeof IconBolt;
}

/** A label and an icon for each kind of trigger. */
export const triggerLooks: Readonly<Record<TriggerKind, TriggerLook>> = {
  manual: { word: t("triggerLook.manual"), icon: IconHandClick },
  schedule: { word: t("triggerLook.schedule"), icon: IconCalendarEvent },
  webhook: { word: t("triggerLook.webhook"), icon: IconWebhook },
  event: { word: t("triggerLook.event"), icon: IconBolt },
  codehost: { word: t("triggerLook.codeHost"), icon: IconBrandGit },
  workflow: { word: t("triggerLook.afterWorkflow"), icon: IconSitemap },
};

export const triggerKinds = Object.keys(triggerLooks) as TriggerKind[];

const icons = {
  bell: IconBell,
  branch: IconGitBranch,
  bug: IconBug,
  chart: IconChartBar,
  cloud: IconCloud,
  database: IconDatabase,
  lock: IconShieldLock,
  mail: IconMail,
  package: IconPackage,
  people: IconUsers,
  rocket: IconRocket,
  tool: IconTool,
} as const;

type IconName = keyof typeof icons;

const isIcon = (name: string): name is IconName => Object.hasOwn(icons, name);

/** The available icons, with their display names. */
export const workflowIcons = Object.keys(icons)
  .filter(isIcon)
  .map((value) => ({ value: value as string, label: t(`workflowIcons.${value}`) }));

/** The icon of a workflow; an unknown name gets the default icon. */
export function WorkflowIcon({ name, size = 18 }: { name: string | null | undefined; size?: number }) {
  const Icon = name && isIcon(name) ? icons[name] : IconSitemap;
  return <Icon size={size} stroke={1.75} aria-hidden />;
}
