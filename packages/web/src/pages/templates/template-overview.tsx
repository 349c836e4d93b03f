import { Stack, Table, Text, Title } from "@mantine/core";
import type { Template } from "../../api/queries/templates.ts";
import { kindWord } from "../../forms/parameter-kinds.ts";
import { t } from "../../texts/templates.ts";
import { Markdown } from "../../ui/markdown.tsx";
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
        {(params ?? []).length === 0 ? (
          <Text className="quiet">{t("templateOverview.noParameters")}</Text>
        ) : (
          <Params params={params ?? []} />
        )}
      </Stack>
      <Stack gap="sm">
        <Title order={2}>{t("templateOverview.tasks")}</Title>
        <GraphPreview tasks={tasks ?? []} />
      </Stack>
    </div>
  );
}

function Params({ params }: { params: NonNullable<Template["params"]> }) {
  return (
    <Table.ScrollContainer minWidth={400} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("templateOverview.parameter")}</Table.Th>
            <Table.Th w={120}>{t("templateOverview.type")}</Table.Th>
            <Table.Th w={120}>{t("templateOverview.default")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {params.map(({ name, label, type, required, default: preset, description }) => (
            <Table.Tr key={name}>
              <Table.Td>
                {label || name}
                {required && <span className="quiet"> {t("templateOverview.required")}</span>}
                <Text size="sm" className="quiet">
                  {description}
                </Text>
              </Table.Td>
              <Table.Td>{kindWord(type)}</Table.Td>
              <Table.Td>
                <code className={classes.preset}>
                  {preset === undefined ? "" : typeof preset === "string" ? preset : JSON.stringify(preset)}
                </code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
