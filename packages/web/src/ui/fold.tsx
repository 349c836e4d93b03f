import { type ReactNode, useState } from "react";
import classes from "./fold.module.css";

/** What is seldom needed, behind its title. It is drawn when it is opened first. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details className={classes.fold} onToggle={() => setOpened(true)}>
      <summary className={classes.title}>{title}</summary>
      {wasOpened && <div className={classes.content}>{children}</div>}
    </details>
  );
}
