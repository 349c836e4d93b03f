import type { ReactNode } from "react";
import { t } from "../../texts/ui.ts";
import classes from "./tag.module.css";

/** A word beside a title. @param tone `changed`: what is seen differs from what is stored */
export function Tag({ tone = "quiet", children }: { tone?: "quiet" | "changed"; children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  );
}

/** Beside the title of whatever is edited here, until it is saved. */
export function UnsavedTag({ isNew = false }: { isNew?: boolean }) {
  return <Tag tone="changed">{isNew ? t("tag.notCreatedYet") : t("tag.unsavedChanges")}</Tag>;
}
