import { Button, Grid, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { templatesQuery, type Workflow, type WorkflowTemplate } from "../../api/queries/workflow/workflows.ts";
import { GraphPicture } from "../../components/graph-picture/graph-picture.tsx";
import { graphOf } from "../../components/graph-picture/picture-of-graph.ts";
import { withoutComputed } from "../../forms/workflow-text.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { RefusalAlert } from "../../ui/state/refusal-alert.tsx";
import { isAboutName } from "./from-scratch.tsx";
import { slugOf, useCreation } from "./use-creation.ts";
import classes from "./workflows.module.css";

/** The templates of the instance, and the content of the selected one. */
export function FromTemplate({ team }: { team: string }) {
  const query = useQuery(templatesQuery);
  const { data } = query;
  const [{ template: chosen }, change] = useSearchState({ from: "scratch", template: "" });
  if (data === undefined) return <NotLoaded query={query} label={t("fromTemplate.loadingTemplates")} />;
  if (data.content.length === 0) return <EmptyState title={t("fromTemplate.instanceHasNoTemplates")} />;
  const template = data.content.find(({ name }) => name === chosen) ?? data.content[0];
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, sm: 4 }}>
        <Stack gap="xs">
          {data.content.map((one) => (
            <button
              key={one.name}
              type="button"
              className={classes.choice}
              aria-pressed={one === template}
              onClick={() => change({ template: one.name })}
            >
              <Text component="span" fw={500} display="block">
                {one.displayName || one.name}
              </Text>
              <Text component="span" size="sm" className="quiet" lineClamp={2}>
                {one.description}
              </Text>
            </button>
          ))}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 8 }}>{template && <Preview key={template.name} team={team} template={template} />}</Grid.Col>
    </Grid>
  );
}

function Preview({ team, template }: { team: string; template: WorkflowTemplate }) {
  const [title, setTitle] = useState(template.displayName || template.name);
  const creation = useCreation(team);
  const name = slugOf(title.trim());
  const isOfName = isAboutName(creation.error);
  const create = () => creation.mutate({ ...withoutComputed(template), name, displayName: title.trim() } as Workflow);
  const params = template.params ?? [];
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <Title order={2}>{template.displayName || template.name}</Title>
        <Text className="quiet">{template.description}</Text>
      </Stack>
      <GraphPicture
        graph={graphOf(template.tasks ?? [])}
        label={t("fromTemplate.graph", { displayName: template.displayName || template.name })}
      />
      {params.length > 0 && (
        <Text size="sm">
          <span className="quiet">{t("fromTemplate.parameters")} </span>
          {params.map(({ label, name: param }) => label || param).join(", ")}
        </Text>
      )}
      {template.markdown && <Markdown text={template.markdown} />}
      <Group align="flex-start" gap="sm">
        <TextInput
          label={t("fromTemplate.nameNewWorkflow")}
          description={t("fromTemplate.nameNewWorkflowHelp", { name: name || "…" })}
          error={isOfName ? messageOf(creation.error) : undefined}
          required
          maxLength={128}
          flex={1}
          miw={240}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
      </Group>
      {creation.error !== null && !isOfName && <RefusalAlert title={t("fromTemplate.couldntCreateWorkflow")} error={creation.error} />}
      <Group>
        <Button onClick={create} loading={creation.isPending} disabled={name === ""}>
          {t("fromTemplate.useTemplate")}
        </Button>
      </Group>
    </Stack>
  );
}
