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
  /** At the right, such as how it stands. */
  marks?: ReactNode;
}

/** What is inside of a task in the designer and in the graph of a run: the same in both, so that a task is known again. */
export function NodeBox({ type, icon, taskRef, name, detail, marks }: NodeBoxProps) {
  return (
    <>
      <span className={classes.icon}>
        <TaskIcon type={type} icon={icon} taskRef={taskRef} size={18} />
      </span>
      <span className={classes.words}>
        <span className={classes.name}>{name}</span>
        {detail !== undefined && <span className={classes.detail}>{detail}</span>}
      </span>
      {marks !== undefined && <span className={classes.marks}>{marks}</span>}
    </>
  );
}

/** Of the box around it. */
export const nodeBoxClass = classes.box ?? "";
