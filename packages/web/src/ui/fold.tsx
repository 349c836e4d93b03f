import { type ReactNode, useState } from "react";
import classes from "./fold.module.css";

interface FoldProps {
  title: string;
  /** Whether something in it has an error, so that it expands to show it. */
  isRefused?: boolean;
  /** Whether it is expanded initially, where it is the main content. */
  isOpenAtFirst?: boolean;
  children: ReactNode;
}

/** Rarely needed content behind a title. Rendered when it is first expanded. */
export function Fold({ title, isRefused = false, isOpenAtFirst = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [wasOpened, setOpened] = useState(isOpenAtFirst);
  return (
    <details
      className={classes.fold}
      open={isOpen || isRefused}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        setOpened(true);
      }}
    >
      <summary className={classes.title}>{title}</summary>
      {(wasOpened || isRefused) && <div className={classes.content}>{children}</div>}
    </details>
  );
}
