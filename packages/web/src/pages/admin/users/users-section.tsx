import { Group, Select, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type User, usersListed, usersQuery } from "../../../api/queries/users.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import classes from "../admin.module.css";
import { matches } from "../matches.ts";
import { DeleteUserDialog } from "./delete-user-dialog.tsx";
import { EditUserDialog } from "./edit-user-dialog.tsx";
import { PasswordCodeDialog } from "./password-code-dialog.tsx";
import { UserTable } from "./user-table.tsx";
import { userStatusWords, userTypeWords } from "./user-words.ts";

const commands = [
  { label: "Find users", command: curlCommand("GET", "/api/v2/user/query?limit=100&page=0&status=active") },
  { label: "Deactivate one", command: curlCommand("PATCH", "/api/v2/user/ada@example.com", { status: "inactive" }) },
  { label: "A code for a password", command: curlCommand("POST", "/api/v2/user/ada@example.com/password-code") },
];
const choices = (all: string, words: Readonly<Record<string, { word: string }>>) => [
  { value: "", label: all },
  ...Object.entries(words).map(([value, { word }]) => ({ value, label: word })),
];

/** The people of the instance: who they are, what they may do in it, and whether they get in. */
export function UsersSection() {
  const { data, error, refetch } = useQuery(usersQuery);
  const [{ find, status, type }, change] = useSearchState({ find: "", status: "", type: "" });
  const [deed, setDeed] = useState<{ what: "edit" | "code" | "delete"; user: User }>();
  const close = () => setDeed(undefined);
  const shown = data?.content.filter(
    (user) =>
      matches(find, user.email, user.displayName, user.name) &&
      (status === "" || user.status === status) &&
      (type === "" || user.type === type),
  );
  return (
    <>
      <PageHeader title="Users" detail="People come in when they first sign in, or are invited into a team by their address.">
        <HowTo title="Users by the API" commands={commands} />
      </PageHeader>
      <Group gap="xs" className={classes.tools}>
        <TextInput
          size="xs"
          aria-label="Find users"
          placeholder="Find by name or address"
          value={find}
          onChange={(event) => change({ find: event.currentTarget.value })}
        />
        <Select
          size="xs"
          w={160}
          aria-label="Status"
          allowDeselect={false}
          data={choices("Every status", userStatusWords)}
          value={status}
          onChange={(value) => change({ status: value ?? "" })}
        />
        <Select
          size="xs"
          w={160}
          aria-label="Type"
          allowDeselect={false}
          data={choices("Every type", userTypeWords)}
          value={type}
          onChange={(value) => change({ type: value ?? "" })}
        />
        {shown && data && <Count shown={shown.length} all={data.totalElements} />}
      </Group>
      {shown !== undefined && shown.length > 0 && <UserTable users={shown} onDeed={(what, user) => setDeed({ what, user })} />}
      {shown?.length === 0 && (
        <EmptyState title={data?.content.length === 0 ? "Nobody yet" : "Nobody is like that"}>
          <Text className="quiet">Invite somebody by adding an e-mail address to the members of a team.</Text>
        </EmptyState>
      )}
      {data === undefined &&
        (error === null ? <LoadingState label="Loading the users" /> : <ErrorState error={error} onRetry={() => void refetch()} />)}
      {deed?.what === "edit" && <EditUserDialog user={deed.user} onClose={close} />}
      {deed?.what === "code" && <PasswordCodeDialog user={deed.user} onClose={close} />}
      <DeleteUserDialog user={deed?.what === "delete" ? deed.user : undefined} onClose={close} />
    </>
  );
}

function Count({ shown, all }: { shown: number; all: number }) {
  const text = all > usersListed ? `${shown} of the first ${usersListed} (of ${all})` : `${shown} of ${all}`;
  return (
    <Text size="sm" className="quiet" role="status">
      {text}
    </Text>
  );
}
