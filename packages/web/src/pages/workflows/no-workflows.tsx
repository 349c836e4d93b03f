import { Button, Group, Text } from "@mantine/core";
import { useRights } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflows.ts";
import { PlaceLink } from "../../ui/place-link.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";

/** A team's beginning: the ways to its first workflow. */
export function NoWorkflows({ team }: { team: string }) {
  const whyNot = useRights(team).whyNot("workflow/write");
  return (
    <EmptyState title={t("noWorkflows.noWorkflowsYet")}>
      <Text className="quiet" maw={480}>
        {t("noWorkflows.workflowGraphTasksRun")}
      </Text>
      {whyNot === undefined ? (
        <Group gap="xs" justify="center">
          {ways.map(({ from, word }, index) => (
            <Button
              key={from}
              variant={index === 0 ? "filled" : "default"}
              component={PlaceLink}
              to={paths.workflowCreate(team)}
              search={{ from }}
            >
              {word}
            </Button>
          ))}
        </Group>
      ) : (
        <Text className="quiet">{whyNot}</Text>
      )}
    </EmptyState>
  );
}

const ways = [
  { from: "template", word: t("noWorkflows.startTemplate") },
  { from: "scratch", word: t("noWorkflows.startScratch") },
  { from: "file", word: t("noWorkflows.importFile") },
] as const;
