import type { ReactNode } from "react";
import classes from "./node-box.module.css";
import { TaskIcon } from "./task-icon.tsx";

interface NodeBoxProps {
  type: string | null | undefined;
  icon?: string | null | undefined;
  taskRef?: string | null | undefined;
  name: string;
  /** Below the name; start and end have none. */
  detail?: ReactNode;
  /** How it stands: heard first, seen at the right of the name. What is below the name has the whole width. */
  state?: ReactNode;
  /** What else there is to know, beside the detail: the name has its lines for itself. */
  marks?: ReactNode;
}

/** What is inside of a task in the designer and in the graph of a run: the same in both, so that a task is known again. */
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

/** Of the box around it. */
export const nodeBoxClass = classes.box ?? "";
