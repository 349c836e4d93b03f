import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow.ts";
import classes from "./workflow-frame.module.css";

interface WorkflowTabsProps {
  team: string;
  workflow: string;
  view: string;
}

/** The views of one workflow. Each is a page of its own, so these are links. */
export function WorkflowTabs({ team, workflow, view }: WorkflowTabsProps) {
  const tabs = [
    ["design", t("workflowTabs.design"), paths.workflow(team, workflow)],
    ["code", t("workflowTabs.code"), paths.workflow(team, workflow, "code")],
    ["versions", t("workflowTabs.versions"), paths.workflow(team, workflow, "versions")],
    ["configure", t("workflowTabs.configure"), paths.workflowConfigure(team, workflow)],
  ] as const;
  return (
    <nav className={classes.tabs} aria-label={t("workflowTabs.workflowViews")}>
      {tabs.map(([key, label, to]) => (
        <Link key={key} to={to} className={classes.tab} {...(view === key && { "aria-current": "page" })}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
