import { type ReactNode, useState } from "react";
import classes from "./fold.module.css";

interface FoldProps {
  title: string;
  /** Something in it was refused: it opens, so that it can be seen. */
  isRefused?: boolean;
  /** Here it is what one came for. */
  isOpenAtFirst?: boolean;
  children: ReactNode;
}

/** What is seldom needed, behind its title. It is drawn when it is opened first. */
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
