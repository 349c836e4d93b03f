import { Stack, Text, Title } from "@mantine/core";
import type { Template } from "../../api/queries/templates.ts";
import { kindWord } from "../../forms/parameter-kinds.ts";
import { t } from "../../texts/templates.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { GraphPreview } from "./graph-preview.tsx";
import classes from "./templates.module.css";

/** What the template does, what it asks for, and its graph. */
export function TemplateOverview({ template }: { template: Template }) {
  const { description, tasks, params } = template;
  const markdown = template["markdown"];
  return (
    <div className={classes.split}>
      <Stack gap="sm">
        {description && <Text>{description}</Text>}
        {typeof markdown === "string" && markdown !== "" && (
          <div>
            <Markdown text={markdown} />
          </div>
        )}
        <Title order={2}>{t("templateOverview.parameters")}</Title>
        <DataTable
          label={t("templateOverview.parameters")}
          minWidth={400}
          columns={paramColumns}
          rows={params ?? []}
          keyOf={({ name }) => name}
          empty={<Text className="quiet">{t("templateOverview.noParameters")}</Text>}
        />
      </Stack>
      <Stack gap="sm">
        <Title order={2}>{t("templateOverview.tasks")}</Title>
        <GraphPreview tasks={tasks ?? []} />
      </Stack>
    </div>
  );
}

const paramColumns: Column<NonNullable<Template["params"]>[number]>[] = [
  {
    title: t("templateOverview.parameter"),
    cell: ({ name, label, required, description }) => (
      <>
        {label || name}
        {required && <span className="quiet"> {t("templateOverview.required")}</span>}
        <Text size="sm" className="quiet">
          {description}
        </Text>
      </>
    ),
  },
  { title: t("templateOverview.type"), width: 120, cell: ({ type }) => kindWord(type) },
  {
    title: t("templateOverview.default"),
    width: 120,
    cell: ({ default: preset }) => (
      <code className={classes.preset}>{preset === undefined ? "" : typeof preset === "string" ? preset : JSON.stringify(preset)}</code>
    ),
  },
];
