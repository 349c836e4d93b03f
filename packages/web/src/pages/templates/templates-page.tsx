import { Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type Template, templateListQuery, templatesPageSize } from "../../api/queries/workflow/templates.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/templates.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ListPage, NothingFound } from "../../ui/list/list-page.tsx";
import { SearchField } from "../../ui/list/search-field.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { CreateTemplateDialog } from "./create-template-dialog.tsx";
import { UseTemplate } from "./use-template.tsx";

/** The templates from which every team can create workflows. */
export function TemplatesPage() {
  const rights = useRights();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [{ q, page }, change] = useSearchState({ q: "", page: 0 });
  const search = String(q);
  const query = useQuery(templateListQuery({ search, page }));
  const { data } = query;
  const hasNone = data?.total === 0 && search === "";
  return (
    <ListPage
      title={t("templatesPage.templates")}
      detail={t("templatesPage.startingPointsWorkflows")}
      actions={
        <ActionButton size="xs" leftSection={<IconPlus size={16} />} whyNot={rights.whyNot("workflowtemplate/write")} onClick={open}>
          {t("templatesPage.createTemplate")}
        </ActionButton>
      }
      filters={
        data &&
        !hasNone && (
          <SearchField
            label={t("templatesPage.searchTemplates")}
            placeholder={t("templatesPage.searchTemplatesPlaceholder")}
            width={240}
            value={search}
            onSearch={(text) => change({ q: text, page: 0 })}
          />
        )
      }
      count={data && t("templatesPage.templateTemplates", { total: data.total })}
      pages={data && { page, size: templatesPageSize, total: data.total, onChange: (next) => change({ page: next }) }}
    >
      <DataTable
        label={t("templatesPage.templates")}
        minWidth={720}
        columns={templateColumns}
        query={query}
        rows={data?.templates}
        keyOf={({ name }) => name}
        empty={
          hasNone ? (
            <EmptyState title={t("templatesPage.noTemplatesYet")}>
              <p className="quiet">{t("templatesPage.templateWorkflowBelongsNo")}</p>
            </EmptyState>
          ) : (
            <NothingFound things={t("templatesPage.templates2")} search={search} onClear={() => change({ q: "", page: 0 })} />
          )
        }
      />
      <CreateTemplateDialog isOpen={isOpen} onClose={close} />
    </ListPage>
  );
}

const templateColumns: Column<Template>[] = [
  {
    title: t("templatesPage.template"),
    cell: ({ name, displayName, description }) => (
      <>
        <RowLink to={paths.template(name)}>{displayName || name}</RowLink> <code className="quiet">{name}</code>
        <Text size="sm" className="quiet">
          {description}
        </Text>
      </>
    ),
  },
  {
    title: t("templatesPage.tasks"),
    width: 72,
    cell: ({ tasks }) => tasks?.filter(({ type }) => type !== "start" && type !== "end").length ?? 0,
  },
  { title: t("templatesPage.version"), width: 80, cell: ({ version }) => version },
  {
    title: t("templatesPage.changed"),
    width: 170,
    cell: ({ changelog }) => (
      <>
        <TimeText at={changelog.date} />
        <Text size="sm" className="quiet" truncate>
          {changelog.author}
        </Text>
      </>
    ),
  },
  { title: t("templatesPage.action"), kind: "actions", cell: ({ name }) => <UseTemplate name={name} isSmall /> },
];
