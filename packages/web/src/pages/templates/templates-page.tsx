import { Anchor, Group, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Template, templateListQuery, templatesPageSize } from "../../api/queries/templates.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { paths } from "../../paths.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { NothingFound } from "../../ui/list/nothing-found.tsx";
import { PageChoice } from "../../ui/list/page-choice.tsx";
import { SearchField } from "../../ui/list/search-field.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { CreateTemplateDialog } from "./create-template-dialog.tsx";
import classes from "./templates.module.css";
import { UseTemplate } from "./use-template.tsx";

/** What workflows can begin with, in every team. */
export function TemplatesPage() {
  const rights = useRights();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader title="Templates" detail="Starting points for workflows, available to every team">
        <ActionButton size="xs" leftSection={<IconPlus size={16} />} whyNot={rights.whyNot("workflowtemplate/write")} onClick={open}>
          Create template
        </ActionButton>
      </PageHeader>
      <TemplateList />
      <CreateTemplateDialog isOpen={isOpen} onClose={close} />
    </>
  );
}

function TemplateList() {
  const [{ q, page }, change] = useSearchState({ q: "", page: 0 });
  const search = String(q);
  const query = useQuery(templateListQuery({ search, page }));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label="Loading templates" />;
  if (data.total === 0 && search === "")
    return (
      <EmptyState title="No templates yet">
        <p className="quiet">A template is a workflow that belongs to no team. Create one from a workflow or a file.</p>
      </EmptyState>
    );
  return (
    <>
      <Group px="md" pb="sm" gap="xs" role="search">
        <SearchField
          label="Search templates"
          placeholder="Name or description"
          width={240}
          value={search}
          onSearch={(text) => change({ q: text, page: 0 })}
        />
        <span className="quiet" role="status">
          {data.total === 1 ? "1 template" : `${data.total.toLocaleString()} templates`}
        </span>
      </Group>
      {data.templates.length === 0 ? (
        <NothingFound things="templates" search={search} onClear={() => change({ q: "", page: 0 })} />
      ) : (
        <TemplateTable templates={data.templates} />
      )}
      {data.total > templatesPageSize && (
        <PageChoice page={page} size={templatesPageSize} total={data.total} onChange={(next) => change({ page: next })} />
      )}
    </>
  );
}

function TemplateTable({ templates }: { templates: readonly Template[] }) {
  return (
    <Table.ScrollContainer minWidth={720} px="md" pb="lg" scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table className={classes.table} highlightOnHover verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Template</Table.Th>
            <Table.Th w={72}>Tasks</Table.Th>
            <Table.Th w={80}>Version</Table.Th>
            <Table.Th w={170}>Changed</Table.Th>
            <Table.Th w={150}>
              <span className="only-heard">Action</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {templates.map((template) => (
            <Table.Tr key={template.name}>
              <Table.Td>
                <Anchor component={Link} to={paths.template(template.name)} c="inherit" fw={500} underline="hover">
                  {template.displayName || template.name}
                </Anchor>{" "}
                <code className="quiet">{template.name}</code>
                <Text size="sm" className="quiet">
                  {template.description}
                </Text>
              </Table.Td>
              <Table.Td>{template.tasks?.filter(({ type }) => type !== "start" && type !== "end").length ?? 0}</Table.Td>
              <Table.Td>{template.version}</Table.Td>
              <Table.Td>
                <TimeText at={template.changelog.date} />
                <Text size="sm" className="quiet" truncate>
                  {template.changelog.author}
                </Text>
              </Table.Td>
              <Table.Td>
                <UseTemplate name={template.name} isSmall />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
