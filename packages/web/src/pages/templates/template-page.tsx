import { Stack, Tabs, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { deleteTemplate, type Template, templateQuery } from "../../api/queries/workflow/templates.ts";
import { PageView } from "../../components/missing/page-view.tsx";
import { kindWord } from "../../forms/parameter-kinds.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useParam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/templates.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { UnsavedTag } from "../../ui/mark/state-mark.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { TemplateEditor } from "./template-editor.tsx";
import { templateText } from "./template-text.ts";
import { TemplateVersions } from "./template-versions.tsx";
import classes from "./templates.module.css";
import { UseTemplate } from "./use-template.tsx";

const TaskPicture = lazy(() =>
  import("../../components/graph-picture/task-picture.tsx").then((module) => ({ default: module.TaskPicture })),
);

/** What the template does, its parameters, and its graph. */
function TemplateOverview({ template }: { template: Template }) {
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
        <Suspense>
          <TaskPicture tasks={tasks ?? []} label={t("templateOverview.graphTemplate")} />
        </Suspense>
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

/** One template: what it does, its text, and its versions. */
export function TemplatePage() {
  const name = useParam("template");
  const query = useQuery(templateQuery(name));
  return (
    <PageView query={query} label={t("templatePage.loadingTemplate")} rows={8} sought={{ kind: "template", name }}>
      {({ template, etag }) => <LoadedTemplate key={name} template={template} etag={etag} />}
    </PageView>
  );
}

function LoadedTemplate({ template, etag }: { template: Template; etag: string | undefined }) {
  const rights = useRights();
  const [{ view }, change] = useSearchState({ view: "overview" });
  const text = templateText(template);
  const [draft, setDraft] = useState<string>();
  const whyNot = rights.whyNot("workflowtemplate/write");
  const isDirty = draft !== undefined && draft !== text;
  return (
    <>
      <PageHeader
        title={template.displayName || template.name}
        state={isDirty && <UnsavedTag />}
        detail={t.rich("templatePage.versionChanged", {
          code: () => <code>{template.name}</code>,
          version: String(template.version),
          time: () => <TimeText at={template.changelog.date} />,
          author: template.changelog.author ?? "",
        })}
      >
        <DeleteTemplate name={template.name} />
        <UseTemplate name={template.name} />
      </PageHeader>
      <Tabs value={view} onChange={(next) => change({ view: next ?? "overview" }, { replace: false })} keepMounted={false}>
        <Tabs.List px="xs" mb="md">
          <Tabs.Tab value="overview">{t("templatePage.overview")}</Tabs.Tab>
          <Tabs.Tab value="yaml">{t("templatePage.yaml")}</Tabs.Tab>
          <Tabs.Tab value="versions">{t("templatePage.versions")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={view}>
          {view === "overview" && <TemplateOverview template={template} />}
          {view === "yaml" && (
            <div className={classes.pane}>
              <TemplateEditor
                key={etag}
                initial={text}
                draft={draft}
                etag={etag}
                whyNot={whyNot}
                onText={setDraft}
                onSaved={() => setDraft(undefined)}
              />
            </div>
          )}
          {view === "versions" && <TemplateVersions name={template.name} latest={template.version} etag={etag} whyNot={whyNot} />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Deletes the template permanently, with all versions. */
function DeleteTemplate({ name }: { name: string }) {
  const rights = useRights();
  const client = useQueryClient();
  const renew = useRenew();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = async () => {
    await deleteTemplate(name);
    await navigate({ to: paths.templates() });
    client.removeQueries({ queryKey: ["template", name] });
    void renew(["templates"]);
  };
  return (
    <>
      <ActionButton
        size="xs"
        variant="default"
        leftSection={<IconTrash size={16} />}
        whyNot={rights.whyNot("workflowtemplate/delete")}
        onClick={open}
      >
        {t("templatePage.delete")}
      </ActionButton>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title={t("templatePage.delete2", { name })}
        action={t("templatePage.deleteTemplate")}
        isDangerous
        typeToConfirm={name}
        onConfirm={remove}
      >
        {t("templatePage.permanentlyDeletesAllVersions")}
      </ConfirmDialog>
    </>
  );
}
