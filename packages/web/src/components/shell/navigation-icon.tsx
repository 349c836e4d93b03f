import {
  IconActivity,
  IconAdjustments,
  IconApps,
  IconArchive,
  IconCalendarEvent,
  IconChartDots,
  IconFile,
  IconHistory,
  IconHome,
  IconKey,
  IconSend,
  IconServer,
  IconSettings,
  IconSitemap,
  IconStack2,
  IconTools,
  IconUser,
  IconUserCheck,
  IconUsersGroup,
  IconVariable,
} from "@tabler/icons-react";

/** The words are those of `GET /api/v2/navigation`. */
const icons: Readonly<Record<string, typeof IconFile>> = {
  Home: IconHome,
  FlowData: IconSitemap,
  Activity: IconActivity,
  Stamp: IconUserCheck,
  ChartScatter: IconChartDots,
  CalendarHeatMap: IconCalendarEvent,
  AppConnectivity: IconApps,
  TaskSettings: IconTools,
  Parameter: IconVariable,
  SettingsAdjust: IconAdjustments,
  Settings: IconSettings,
  Teams: IconUsersGroup,
  Users: IconUser,
  "Global Parameters": IconVariable,
  "Global Tokens": IconKey,
  "Task Manager": IconTools,
  "Template Workflows": IconStack2,
  Workers: IconServer,
  History: IconArchive,
  Events: IconSend,
  Insights: IconChartDots,
  Audit: IconHistory,
};

export function NavigationIcon({ name }: { name: string }) {
  const Icon = icons[name] ?? IconFile;
  return <Icon size={16} stroke={1.75} aria-hidden />;
}
