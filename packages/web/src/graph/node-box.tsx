import type { ReactNode } from "react";
import classes from "./node-box.module.css";
import { TaskIcon } from "./task-icon.tsx";

interface NodeBoxProps {
  type: string | null | undefined;
  icon?: string | null | undefined;
  taskRef?: string | null | undefined;
  name: string;
  /** Shown below the name; start and end have none. */
  detail?: ReactNode;
  /** The status: announced first by screen readers, shown at the right of the name. The detail below has the whole width. */
  state?: ReactNode;
  /** Further marks beside the detail; the name has its own line. */
  marks?: ReactNode;
}

/** The content of a task in the designer and in the graph of a run: the same in both, so that tasks are easy to recognize. */
export function NodeBox({ type, icon, taskRef, name, detail, state, marks }: NodeBoxProps) {
  return (
    <>
      <span className={classes.icon}>
        <TaskIcon type={type} icon={icon} taskRef={taskRef} size={18} />
      </span>
      <span className={classes.words}>
        <span className={classes.head}>
          {state !== undefined && <span className={classes.state}>{state}</span>}
          <span className={classes.name}>{name}</span>
        </span>
        {(detail !== undefined || marks !== undefined) && (
          <span className={classes.more}>
            <span className={classes.detail}>{detail}</span>
            {marks !== undefined && <span className={classes.marks}>{marks}</span>}
          </span>
        )}
      </span>
    </>
  );
}

/** The class of the box around it. */
export const nodeBoxClass = classes.box ?? "";
