import {
  IconArrowsSplit2,
  IconBell,
  IconBox,
  IconClock,
  IconCode,
  IconFlag,
  IconFlagCheck,
  IconFlagFilled,
  IconHandStop,
  IconLock,
  IconLockOpen,
  IconPlayerPlay,
  IconSitemap,
  IconTerminal2,
  IconUserCheck,
  IconVariable,
  IconWorld,
} from "@tabler/icons-react";

/** By what a task does; those that run programs say by their own icon what for. */
const byType: Readonly<Record<string, typeof IconBox>> = {
  start: IconPlayerPlay,
  end: IconFlagFilled,
  script: IconTerminal2,
  custom: IconBox,
  generic: IconBox,
  decision: IconArrowsSplit2,
  approval: IconUserCheck,
  manual: IconHandStop,
  eventwait: IconBell,
  sleep: IconClock,
  acquirelock: IconLock,
  releaselock: IconLockOpen,
  runworkflow: IconSitemap,
  runscheduledworkflow: IconSitemap,
  setwfproperty: IconVariable,
  setwfstatus: IconFlagCheck,
};
const byIcon: Readonly<Record<string, typeof IconBox>> = { Globe: IconWorld, Terminal: IconTerminal2, Flag: IconFlag };

interface TaskIconProps {
  type?: string | null | undefined;
  icon?: string | null | undefined;
  /** Which task it is, where no definition with an icon is at hand. */
  taskRef?: string | null | undefined;
  size?: number;
}

/** The picture of a kind of task, on the canvas and in the palette. Says nothing by itself: a name always stands beside it. */
export function TaskIcon({ type, icon, taskRef, size = 16 }: TaskIconProps) {
  const Icon = byType[type ?? ""] ?? byIcon[icon ?? (taskRef?.includes("http") ? "Globe" : "")] ?? IconCode;
  return <Icon size={size} stroke={1.75} aria-hidden />;
}
