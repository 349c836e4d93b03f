import { IconAlertTriangle } from "@tabler/icons-react";
import classes from "./problem-list.module.css";

/** What would be refused of what stands above, sentence by sentence. */
export function ProblemList({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className={classes.problems}>
      {problems.map((problem) => (
        <li key={problem}>
          <IconAlertTriangle size={14} aria-hidden />
          {problem}
        </li>
      ))}
    </ul>
  );
}
