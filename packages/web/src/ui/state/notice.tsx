import type { ReactNode } from "react";
import classes from "./notice.module.css";

interface NoticeProps {
  title: string;
  tone?: "warning" | "info";
  children?: ReactNode;
}

/** Something to know before one goes on, in the flow of the page. */
export function Notice({ title, tone = "warning", children }: NoticeProps) {
  return (
    <section className={classes.notice} data-tone={tone} aria-label={title}>
      <div className={classes.title}>{title}</div>
      {children}
    </section>
  );
}
