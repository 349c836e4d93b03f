import { Group, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type User, usersPageSize, usersQuery } from "../../../api/queries/users.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { NothingFound } from "../../../ui/list/nothing-found.tsx";
import { PageChoice } from "../../../ui/list/page-choice.tsx";
import { SearchField } from "../../../ui/list/search-field.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { EmptyState } from "../../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import classes from "../admin.module.css";
import { DeleteUserDialog } from "./delete-user-dialog.tsx";
import { EditUserDialog } from "./edit-user-dialog.tsx";
import { PasswordCodeDialog } from "./password-code-dialog.tsx";
import { UserTable } from "./user-table.tsx";
import { userStatusWords, userTypeWords } from "./user-words.ts";

const commands = [
  { label: "Find users", command: curlCommand("GET", "/api/v2/user/query?limit=100&page=0&status=active") },
  { label: "Deactivate a user", command: curlCommand("PATCH", "/api/v2/user/ada@example.com", { status: "inactive" }) },
  { label: "Create a password code", command: curlCommand("POST", "/api/v2/user/ada@example.com/password-code") },
];
const choices = (all: string, words: Readonly<Record<string, { word: string }>>) => [
  { value: "", label: all },
  ...Object.entries(words).map(([value, { word }]) => ({ value, label: word })),
];

/** The people of the instance: who they are, what they may do in it, and whether they get in. */
export function UsersSection() {
  const [{ find, status, type, page }, change] = useSearchState({ find: "", status: "", type: "", page: 0 });
  const query = useQuery(usersQuery({ search: String(find), status, type, page }));
  const { data } = query;
  const [action, setAction] = useState<{ what: "edit" | "code" | "delete"; user: User }>();
  const close = () => setAction(undefined);
  const shown = data?.content;
  const isFiltered = find !== "" || status !== "" || type !== "";
  return (
    <>
      <PageHeader title="Users" detail="Users are created at their first sign-in, or when a team invites their email address.">
        <HowTo title="Users by the API" commands={commands} />
      </PageHeader>
      <Group gap="xs" className={classes.tools}>
        <SearchField
          label="Find users"
          placeholder="Find by name or address"
          width={240}
          value={String(find)}
          onSearch={(text) => change({ find: text, page: 0 })}
        />
        <Select
          size="xs"
          w={160}
          aria-label="Status"
          allowDeselect={false}
          data={choices("Any status", userStatusWords)}
          value={status}
          onChange={(value) => change({ status: value ?? "", page: 0 })}
        />
        <Select
          size="xs"
          w={160}
          aria-label="Type"
          allowDeselect={false}
          data={choices("Any type", userTypeWords)}
          value={type}
          onChange={(value) => change({ type: value ?? "", page: 0 })}
        />
        {data && (
          <Text size="sm" className="quiet" role="status">
            {data.totalElements === 1 ? "1 person" : `${data.totalElements.toLocaleString()} people`}
          </Text>
        )}
      </Group>
      {shown !== undefined && shown.length > 0 && <UserTable users={shown} onAction={(what, user) => setAction({ what, user })} />}
      {shown && data && data.totalPages > 1 && (
        <PageChoice page={page} size={usersPageSize} total={data.totalElements} onChange={(next) => change({ page: next })} />
      )}
      {shown?.length === 0 && isFiltered && (
        <NothingFound things="users" search={String(find)} onClear={() => change({ find: "", status: "", type: "", page: 0 })} />
      )}
      {shown?.length === 0 && !isFiltered && (
        <EmptyState title="No users yet">
          <Text className="quiet">Invite someone by adding an email address to the members of a team.</Text>
        </EmptyState>
      )}
      <NotLoaded query={query} label="Loading users" />
      {action?.what === "edit" && <EditUserDialog user={action.user} onClose={close} />}
      {action?.what === "code" && <PasswordCodeDialog user={action.user} onClose={close} />}
      <DeleteUserDialog user={action?.what === "delete" ? action.user : undefined} onClose={close} />
    </>
  );
}
