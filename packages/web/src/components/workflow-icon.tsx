import {
  IconBell,
  IconBug,
  IconChartBar,
  IconCloud,
  IconDatabase,
  IconGitBranch,
  IconMail,
  IconPackage,
  IconRocket,
  IconShieldLock,
  IconSitemap,
  IconTool,
  IconUsers,
} from "@tabler/icons-react";

const icons: Readonly<Record<string, typeof IconBell>> = {
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
};

/** Words that have a picture. */
export const workflowIcons = Object.keys(icons);

/** The picture of a workflow; a word that has none shows the common one. */
export function WorkflowIcon({ name, size = 18 }: { name: string | null | undefined; size?: number }) {
  const Icon = icons[name ?? ""] ?? IconSitemap;
  return <Icon size={size} stroke={1.75} aria-hidden />;
}
