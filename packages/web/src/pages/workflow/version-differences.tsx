import { Stack, Text } from "@mantine/core";
import { IconMinus, IconPencil, IconPlus } from "@tabler/icons-react";
import { useMemo } from "react";
import type { Workflow } from "../../api/queries/workflows.ts";
import { compareWorkflows, type Difference } from "../../components/compare-workflows.ts";
import { GraphPicture } from "../../components/graph-picture/graph-picture.tsx";
import { t } from "../../texts/workflow.ts";
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

/** The graph with what came, went and changed, and the same as a list in words. */
export function VersionDifferences({ before, after }: { before: Workflow; after: Workflow }) {
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
