import { Text } from "@mantine/core";
import { IconAlertTriangle, IconAlertTriangleFilled } from "@tabler/icons-react";
import type { WorkflowProblem } from "../../api/queries/workflow/workflow-draft.ts";
import { t } from "../../texts/workflow/designer.ts";
import classes from "./side-panel.module.css";

interface ProblemListProps {
  problems: readonly WorkflowProblem[];
  /** Opens the task that the problem is about. */
  onChoose?: (node: string) => void;
}

/** The service's errors and warnings, in its own words. */
export function ProblemList({ problems, onChoose }: ProblemListProps) {
  if (problems.length === 0) return null;
  return (
    <ul className={classes.problems} aria-label={t("problemList.problems")}>
      {problems.map((problem) => (
        <li key={`${problem.path} ${problem.message}`}>
          <Problem problem={problem} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  );
}

function Problem({ problem: { node, message, severity }, onChoose }: { problem: WorkflowProblem; onChoose: ProblemListProps["onChoose"] }) {
  const words = (
    <>
      {severity === "error" ? <IconAlertTriangleFilled size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
      <span>
        {node !== undefined && onChoose && (
          <Text span fw={500} fz="inherit">
            {node}:{" "}
          </Text>
        )}
        {severity === "warning" ? t("problemList.warning", { message }) : message}
      </span>
    </>
  );
  if (node === undefined || !onChoose)
    return (
      <div className={classes.problem} data-severity={severity}>
        {words}
      </div>
    );
  return (
    <button type="button" className={classes.problem} data-severity={severity} onClick={() => onChoose(node)}>
      {words}
    </button>
  );
}
