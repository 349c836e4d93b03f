import { Group, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type User, usersPageSize, usersQuery } from "../../../api/queries/users.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/administration.ts";
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
  { label: t("usersSection.findUsers"), command: curlCommand("GET", "/api/v2/user/query?limit=100&page=0&status=active") },
  { label: t("usersSection.deactivateUser"), command: curlCommand("PATCH", "/api/v2/user/ada@example.com", { status: "inactive" }) },
  { label: t("usersSection.createPasswordCode"), command: curlCommand("POST", "/api/v2/user/ada@example.com/password-code") },
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
      <PageHeader title={t("usersSection.users")} detail={t("usersSection.usersCreatedTheirFirst")}>
        <HowTo title={t("usersSection.usersApi")} commands={commands} />
      </PageHeader>
      <Group gap="xs" className={classes.tools}>
        <SearchField
          label={t("usersSection.findUsers")}
          placeholder={t("usersSection.findUsersPlaceholder")}
          width={240}
          value={String(find)}
          onSearch={(text) => change({ find: text, page: 0 })}
        />
        <Select
          size="xs"
          w={160}
          aria-label={t("usersSection.status")}
          allowDeselect={false}
          data={choices(t("usersSection.anyStatus"), userStatusWords)}
          value={status}
          onChange={(value) => change({ status: value ?? "", page: 0 })}
        />
        <Select
          size="xs"
          w={160}
          aria-label={t("usersSection.type")}
          allowDeselect={false}
          data={choices(t("usersSection.anyType"), userTypeWords)}
          value={type}
          onChange={(value) => change({ type: value ?? "", page: 0 })}
        />
        {data && (
          <Text size="sm" className="quiet" role="status">
            {t("usersSection.personPeople", { totalElements: data.totalElements })}
          </Text>
        )}
      </Group>
      {shown !== undefined && shown.length > 0 && <UserTable users={shown} onAction={(what, user) => setAction({ what, user })} />}
      {shown && data && data.totalPages > 1 && (
        <PageChoice page={page} size={usersPageSize} total={data.totalElements} onChange={(next) => change({ page: next })} />
      )}
      {shown?.length === 0 && isFiltered && (
        <NothingFound
          things={t("usersSection.users2")}
          search={String(find)}
          onClear={() => change({ find: "", status: "", type: "", page: 0 })}
        />
      )}
      {shown?.length === 0 && !isFiltered && (
        <EmptyState title={t("usersSection.noUsersYet")}>
          <Text className="quiet">{t("usersSection.inviteSomeoneAddingEmail")}</Text>
        </EmptyState>
      )}
      <NotLoaded query={query} label={t("usersSection.loadingUsers")} />
      {action?.what === "edit" && <EditUserDialog user={action.user} onClose={close} />}
      {action?.what === "code" && <PasswordCodeDialog user={action.user} onClose={close} />}
      <DeleteUserDialog user={action?.what === "delete" ? action.user : undefined} onClose={close} />
    </>
  );
}
