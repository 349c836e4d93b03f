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

/** Icons by task type. Tasks that run programs have their own icon for their purpose. */
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
  /** The task's name, if there is no definition with an icon. */
  taskRef?: string | null | undefined;
  size?: number;
}

/** The icon of a task, on the canvas and in the palette. It needs no label of its own, since a name is always beside it. */
export function TaskIcon({ type, icon, taskRef, size = 16 }: TaskIconProps) {
  const Icon = byType[type ?? ""] ?? byIcon[icon ?? (taskRef?.includes("http") ? "Globe" : "")] ?? IconCode;
  return <Icon size={size} stroke={1.75} aria-hidden />;
}
