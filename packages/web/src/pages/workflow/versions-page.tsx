import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workflowChangesQuery, workflowQuery } from "../../api/queries/workflows.ts";
import { workflowYaml } from "../../forms/workflow-text.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/workflow.ts";
import { TextDiff } from "../../ui/code/text-diff.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { VersionDifferences } from "./version-differences.tsx";
import { VersionList } from "./version-list.tsx";
import classes from "./versions.module.css";

/** All versions of a workflow, what differs between two of them, and the way back to an old one. */
export function VersionsPage() {
  const team = useTeam();
  const workflow = useParam("workflow");
  const query = useQuery(workflowChangesQuery(team, workflow));
  const { data } = query;
  const [state, change] = useSearchState({ before: 0, after: 0, show: "graph" });
  if (data === undefined) return <NotLoaded query={query} label={t("versionsPage.loadingVersions")} />;
  const latest = data.at(-1)?.version ?? 1;
  const after = state.after || latest;
  const before = state.before || Math.max(1, after - 1);
  return (
    <div className={classes.page}>
      <VersionList team={team} workflow={workflow} versions={data} before={before} after={after} onChoose={change} />
      <div className={classes.content}>
        {before === after ? (
          <EmptyState title={t("versionsPage.firstVersionSelectTwo", { count: data.length })} />
        ) : (
          <Compared
            team={team}
            workflow={workflow}
            before={Math.min(before, after)}
            after={Math.max(before, after)}
            show={state.show}
            onShow={(show) => change({ show })}
          />
        )}
      </div>
    </div>
  );
}

interface ComparedProps {
  team: string;
  workflow: string;
  before: number;
  after: number;
  show: string;
  onShow: (show: string) => void;
}

function Compared({ team, workflow, before, after, show, onShow }: ComparedProps) {
  const old = useQuery(workflowQuery(team, workflow, before));
  const now = useQuery(workflowQuery(team, workflow, after));
  if (old.data === undefined || now.data === undefined)
    return <NotLoaded query={{ data: undefined, error: old.error ?? now.error }} label={t("versionsPage.loadingBothVersions")} />;
  return (
    <Tabs value={show} onChange={(next) => onShow(next ?? "graph")} keepMounted={false}>
      <Tabs.List aria-label={t("versionsPage.comparisonView")} mb="md">
        <Tabs.Tab value="graph">{t("versionsPage.graphList")}</Tabs.Tab>
        <Tabs.Tab value="text">{t("versionsPage.yaml")}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="graph">
        <VersionDifferences before={old.data.data} after={now.data.data} />
      </Tabs.Panel>
      <Tabs.Panel value="text">
        <TextDiff
          label={t("versionsPage.differencesBetweenVersion", { before, after })}
          language="yaml"
          before={workflowYaml(old.data.data)}
          after={workflowYaml(now.data.data)}
        />
      </Tabs.Panel>
    </Tabs>
  );
}
