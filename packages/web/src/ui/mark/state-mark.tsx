import { IconAlertTriangleFilled, IconCircleDashed, IconCircleXFilled, IconPointFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../texts/ui.ts";
import classes from "./state-mark.module.css";

const icons = { on: IconPointFilled, off: IconCircleXFilled, rest: IconCircleDashed, wait: IconAlertTriangleFilled };

/** Whether an object is in use, by word, shape and colour. Less prominent than the status of a run, because most objects are in use. */
export function StateMark({ tone, word }: { tone: keyof typeof icons; word: string }) {
  const Icon = icons[tone];
  return (
    <span className={classes.mark} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}

/** A tag beside a title. @param tone `changed`: the content shown differs from what is stored */
export function Tag({ tone = "quiet", children }: { tone?: "quiet" | "changed"; children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  );
}

/** Shown beside the title of an edited object until it is saved. */
export function UnsavedTag({ isNew = false }: { isNew?: boolean }) {
  return <Tag tone="changed">{isNew ? t("tag.notCreatedYet") : t("tag.unsavedChanges")}</Tag>;
}
