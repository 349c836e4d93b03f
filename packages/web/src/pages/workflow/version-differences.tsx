import { Stack, Text } from "@mantine/core";
import { IconMinus, IconPencil, IconPlus } from "@tabler/icons-react";
import { useMemo } from "react";
import type { Workflow } from "../../api/queries/workflows.ts";
import { compareWorkflows, type Difference } from "../../components/compare-workflows.ts";
import { GraphPicture } from "../../components/graph-picture/graph-picture.tsx";
import classes from "./versions.module.css";

const looks = {
  added: { word: "Added", icon: IconPlus },
  removed: { word: "Removed", icon: IconMinus },
  changed: { word: "Changed", icon: IconPencil },
} as const;

const words: Readonly<Record<Difference["what"], string>> = {
  task: "task",
  edge: "edge",
  parameter: "parameter",
  workspace: "workspace",
  member: "",
};

/** The graph with what came, went and changed, and the same as a list in words. */
export function VersionDifferences({ before, after }: { before: Workflow; after: Workflow }) {
  const { differences, graph } = useMemo(() => compareWorkflows(before, after), [before, after]);
  return (
    <Stack gap="md">
      <GraphPicture graph={graph} label="Graph of the differences" />
      {differences.length === 0 && <Text className="quiet">Only the layout or unversioned settings differ.</Text>}
      <ul className={classes.differences} aria-label="Differences">
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
