import { Stack, Tabs, Text } from "@mantine/core";
import { IconMinus, IconPencil, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Workflow, workflowChangesQuery, workflowQuery } from "../../api/queries/workflow/workflows.ts";
import { compareWorkflows, type Difference } from "../../components/compare-workflows.ts";
import { GraphPicture } from "../../components/graph-picture/graph-picture.tsx";
import { workflowYaml } from "../../forms/workflow-text.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { TextDiff } from "../../ui/code/code-editor.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { VersionList } from "./version-list.tsx";
import classes from "./versions.module.css";

const looks = {
  added: { word: t("versionDifferences.added"), icon: IconPlus },
  removed: { word: t("versionDifferences.removed"), icon: IconMinus },
  changed: { word: t("versionDifferences.changed"), icon: IconPencil },
} as const;

const words: Readonly<Record<Difference["what"], string>> = {
  task: t("versionDifferences.wordTask"),
  edge: t("versionDifferences.wordEdge"),
  parameter: t("versionDifferences.wordParameter"),
  workspace: t("versionDifferences.wordWorkspace"),
  member: "",
};

/** The graph with added, removed and changed parts, and the same differences as a list. */
function VersionDifferences({ before, after }: { before: Workflow; after: Workflow }) {
  const { differences, graph } = useMemo(() => compareWorkflows(before, after), [before, after]);
  return (
    <Stack gap="md">
      <GraphPicture graph={graph} label={t("versionDifferences.graphDifferences")} />
      {differences.length === 0 && <Text className="quiet">{t("versionDifferences.onlyLayoutUnversionedSettings")}</Text>}
      <ul className={classes.differences} aria-label={t("versionDifferences.differences")}>
        {differences.map(({ change, what, name, members }) => {
          const { word, icon: Icon } = looks[change];
          return (
            <li key={`${what} ${name}`} data-change={change}>
              <Icon size={16} aria-hidden />
              <span>
                <strong>{word}</strong> {words[what]} <code>{name}</code>
                {members.length > 0 && <span className="quiet">: {members.join(", ")}</span>}
              </span>
            </li>
          );
        })}
      </ul>
    </Stack>
  );
}

/** All versions of a workflow, the differences between two of them, and a way to restore an old one. */
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
          label={t("versionsPage.differencesBetweenVersion", { before: String(before), after: String(after) })}
          language="yaml"
          before={workflowYaml(old.data.data)}
          after={workflowYaml(now.data.data)}
        />
      </Tabs.Panel>
    </Tabs>
  );
}
