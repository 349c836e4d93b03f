import { IconArchive, IconCircleCheck } from "@tabler/icons-react";
import classes from "./tasks.module.css";

/** Whether workflows can take the task; by word and shape. */
export function StatusTag({ status }: { status: string }) {
  const isActive = status === "active";
  const Icon = isActive ? IconCircleCheck : IconArchive;
  return (
    <span className={classes.status} data-active={isActive || undefined}>
      <Icon size={14} aria-hidden /> {isActive ? "Active" : "Archived"}
    </span>
  );
}
