import { Text } from "@mantine/core";
import { IconAlertTriangleFilled } from "@tabler/icons-react";
import type { WorkflowProblem } from "../api/queries/workflow-draft.ts";
import classes from "./side-panel.module.css";

interface ProblemListProps {
  problems: readonly WorkflowProblem[];
  /** Leads to the task that it is about. */
  onChoose?: (node: string) => void;
}

/** What the service would refuse, in its own words. */
export function ProblemList({ problems, onChoose }: ProblemListProps) {
  if (problems.length === 0) return null;
  return (
    <ul className={classes.problems} aria-label="Problems">
      {problems.map((problem) => (
        <li key={`${problem.path} ${problem.message}`}>
          <Problem problem={problem} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  );
}

function Problem({ problem: { node, message }, onChoose }: { problem: WorkflowProblem; onChoose: ProblemListProps["onChoose"] }) {
  const words = (
    <>
      <IconAlertTriangleFilled size={16} aria-hidden />
      <span>
        {node !== undefined && onChoose && (
          <Text span fw={500} fz="inherit">
            {node}:{" "}
          </Text>
        )}
        {message}
      </span>
    </>
  );
  if (node === undefined || !onChoose) return <div className={classes.problem}>{words}</div>;
  return (
    <button type="button" className={classes.problem} onClick={() => onChoose(node)}>
      {words}
    </button>
  );
}
