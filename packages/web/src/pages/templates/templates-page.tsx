import { Anchor, Button, Table, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Template, templatesQuery } from "../../api/queries/templates.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { paths } from "../../paths.ts";
import { DeedButton } from "../../ui/deed-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { CreateTemplateDialog } from "./create-template-dialog.tsx";
import classes from "./templates.module.css";
import { UseTemplate } from "./use-template.tsx";

/** What workflows can begin with, in every team. */
export function TemplatesPage() {
  const rights = useRights();
  const { data, error, refetch } = useQuery(templatesQuery);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader title="Templates" detail="What workflows can begin with, in every team">
        <DeedButton leftSection={<IconPlus size={16} />} whyNot={rights.whyNot("workflowtemplate/write")} onClick={open}>
          Create template
        </DeedButton>
      </PageHeader>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <LoadingState label="Loading the templates" />}
      {data !== undefined && <TemplateList templates={data} />}
      <CreateTemplateDialog isOpen={isOpen} onClose={close} />
    </>
  );
}

function TemplateList({ templates }: { templates: readonly Template[] }) {
  const [{ q }, change] = useSearchState({ q: "" });
  const found = templates.filter(({ name, displayName, description }) =>
    `${name} ${displayName ?? ""} ${description ?? ""}`.toLowerCase().includes(String(q).toLowerCase()),
  );
  if (templates.length === 0)
    return (
      <EmptyState title="No template">
        <p className="quiet">A template is a workflow that belongs to no team. It can be made of a workflow, or of a file.</p>
      </EmptyState>
    );
  return (
    <>
      <TextInput
        size="xs"
        mx="md"
        mb="sm"
        maw={240}
        role="searchbox"
        aria-label="Search templates"
        placeholder="Name or description"
        leftSection={<IconSearch size={14} />}
        value={String(q)}
        onChange={(event) => change({ q: event.currentTarget.value })}
      />
      {found.length === 0 ? (
        <EmptyState title="No template matches">
          <Button variant="default" size="xs" onClick={() => change({ q: "" })}>
            Clear the search
          </Button>
        </EmptyState>
      ) : (
        <TemplateTable templates={found} />
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
            <Table.Th w={150}>Deed</Table.Th>
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
