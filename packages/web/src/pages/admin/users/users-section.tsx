import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../../api/client.ts";
import { type User, usersPageSize, usersQuery } from "../../../api/queries/identity/session.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useCaller, useRights } from "../../../hooks/use-caller.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/settings/administration.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { ListPage, NothingFound } from "../../../ui/list/list-page.tsx";
import { FilterSelect, SearchField } from "../../../ui/list/search-field.tsx";
import { StateMark } from "../../../ui/mark/state-mark.tsx";
import { EmptyState } from "../../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { RowMenu } from "../row-menu.tsx";
import { EditUserDialog } from "./edit-user-dialog.tsx";
import { userStatusWords, userTypeWords } from "./user-words.ts";

const commands = [
  { label: t("usersSection.findUsers"), command: curlCommand("GET", "/api/v2/user/query?limit=100&page=0&status=active") },
  { label: t("usersSection.deactivateUser"), command: curlCommand("PATCH", "/api/v2/user/ada@example.com", { status: "inactive" }) },
  { label: t("usersSection.createPasswordCode"), command: curlCommand("POST", "/api/v2/user/ada@example.com/password-code") },
];
const unfiltered = { find: "", status: "", type: "", page: 0 };
const choices = (words: Readonly<Record<string, { word: string }>>) =>
  Object.entries(words).map(([value, { word }]) => [value, word] as const);

type UserAction = "edit" | "code" | "delete";

/** The users of the instance: who they are, what they may do, and whether they can sign in. */
export function UsersSection() {
  const [{ find, status, type, page }, change] = useSearchState(unfiltered);
  const query = useQuery(usersQuery({ search: String(find), status, type, page }));
  const { data } = query;
  const caller = useCaller();
  const [action, setAction] = useState<{ what: UserAction; user: User }>();
  const close = () => setAction(undefined);
  const isFiltered = find !== "" || status !== "" || type !== "";
  return (
    <ListPage
      title={t("usersSection.users")}
      detail={t("usersSection.usersCreatedTheirFirst")}
      actions={<HowTo title={t("usersSection.usersApi")} commands={commands} />}
      filters={
        <>
          <SearchField
            label={t("usersSection.findUsers")}
            placeholder={t("usersSection.findUsersPlaceholder")}
            width={240}
            value={String(find)}
            onSearch={(text) => change({ find: text, page: 0 })}
          />
          <FilterSelect
            label={t("usersSection.status")}
            any={t("usersSection.anyStatus")}
            choices={choices(userStatusWords)}
            value={status}
            onChange={(next) => change({ status: next, page: 0 })}
          />
          <FilterSelect
            label={t("usersSection.type")}
            any={t("usersSection.anyType")}
            choices={choices(userTypeWords)}
            value={type}
            onChange={(next) => change({ type: next, page: 0 })}
          />
        </>
      }
      count={data && t("usersSection.personPeople", { totalElements: data.totalElements })}
      pages={data && { page, size: usersPageSize, total: data.totalElements, onChange: (next) => change({ page: next }) }}
    >
      <DataTable
        label={t("usersSection.users")}
        minWidth={840}
        query={query}
        rows={data?.content}
        keyOf={({ id }) => id}
        columns={[
          { title: t("usersSection.person"), cell: (user) => <Person user={user} isSelf={caller.userId === user.id} /> },
          ...userColumns,
          {
            title: t("usersSection.actions"),
            kind: "actions",
            cell: (user) => <UserMenu user={user} onAction={(what) => setAction({ what, user })} />,
          },
        ]}
        empty={
          isFiltered ? (
            <NothingFound things={t("usersSection.users2")} search={String(find)} onClear={() => change(unfiltered)} />
          ) : (
            <EmptyState title={t("usersSection.noUsersYet")}>
              <Text className="quiet">{t("usersSection.inviteSomeoneAddingEmail")}</Text>
            </EmptyState>
          )
        }
      />
      {action?.what === "edit" && <EditUserDialog user={action.user} onClose={close} />}
      {action?.what === "code" && <PasswordCodeDialog user={action.user} onClose={close} />}
      <DeleteUserDialog user={action?.what === "delete" ? action.user : undefined} onClose={close} />
    </ListPage>
  );
}

const userColumns: Column<User>[] = [
  { title: t("usersSection.emailAddress"), cell: ({ email }) => email },
  { title: t("usersSection.type"), kind: "short", cell: ({ type }) => userTypeWords[type]?.word ?? type },
  {
    title: t("usersSection.status"),
    kind: "short",
    cell: ({ status }) => <StateMark {...(userStatusWords[status] ?? { word: status, tone: "rest" })} />,
  },
  {
    title: t("usersSection.lastSign"),
    kind: "short",
    cell: ({ lastLoginDate }) =>
      lastLoginDate ? <TimeText at={lastLoginDate} /> : <span className="quiet">{t("usersSection.never")}</span>,
  },
  { title: t("usersSection.since"), kind: "short", cell: ({ creationDate }) => <TimeText at={creationDate} /> },
];

function Person({ user: { displayName, name, email }, isSelf }: { user: User; isSelf: boolean }) {
  return (
    <>
      <Text span size="sm" fw={500}>
        {displayName || name || email}
      </Text>
      {isSelf && (
        <Badge size="sm" fz={12} miw="max-content" variant="default" ml="xs" tt="none" fw={400}>
          {t("usersSection.you")}
        </Badge>
      )}
    </>
  );
}

function UserMenu({ user, onAction }: { user: User; onAction: (what: UserAction) => void }) {
  const caller = useCaller();
  const rights = useRights();
  const needsAll = caller.permissions.includes("**/**") ? undefined : t("usersSection.onlyAdministratorsCreate");
  const isSelf = caller.userId === user.id;
  return (
    <RowMenu
      of={user.email}
      actions={[
        { label: t("usersSection.change"), onClick: () => onAction("edit"), whyNot: rights.whyNot("user/write") },
        {
          label: t("usersSection.createPasswordCodeLabel"),
          onClick: () => onAction("code"),
          whyNot: rights.whyNot("user/write") ?? needsAll,
        },
        {
          label: t("usersSection.delete"),
          onClick: () => onAction("delete"),
          whyNot: rights.whyNot("user/delete") ?? (isSelf ? t("usersSection.cantDeleteYourselfAsk") : undefined),
          isDangerous: true,
        },
      ]}
    />
  );
}

/** Deletes a user permanently, and explains how that differs from deactivating the account. */
function DeleteUserDialog({ user, onClose }: { user: User | undefined; onClose: () => void }) {
  const renew = useRenew();
  const remove = async () => {
    if (user === undefined) return;
    await call(api.DELETE("/api/v2/user/{userId}", { params: { path: { userId: user.id } } }));
    await renew(["users"]);
    notifications.show({ message: t("usersSection.deleted", { email: user.email }) });
  };
  return (
    <ConfirmDialog
      isOpen={user !== undefined}
      onClose={onClose}
      title={t("usersSection.delete2", { email: user?.email ?? "" })}
      action={t("usersSection.deleteUser")}
      isDangerous
      typeToConfirm={user?.email ?? ""}
      onConfirm={remove}
    >
      {t("usersSection.usersSessionsTokensEnd")}
    </ConfirmDialog>
  );
}

/** A code with which a user sets a password. It is shown once and isn't kept in the page. */
function PasswordCodeDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const make = useMutation({
    mutationFn: () => call(api.POST("/api/v2/user/{userId}/password-code", { params: { path: { userId: user.id } } })),
    gcTime: 0,
  });
  return (
    <FormDialog
      title={t("passwordCodeDialog.passwordCode", { email: user.email })}
      form={useForm()}
      action={t("passwordCodeDialog.createCode")}
      onSubmit={() => make.mutateAsync()}
      onClose={onClose}
      staysOpen
      result={make.data && <CodeOnce code={make.data.code} until={make.data.expirationDate} onDone={onClose} />}
    >
      <Text>{t("passwordCodeDialog.codeLetsSetPassword", { displayName: user.displayName || user.email })}</Text>
    </FormDialog>
  );
}

function CodeOnce({ code, until, onDone }: { code: string; until: string; onDone: () => void }) {
  return (
    <Stack gap="sm">
      <Text>{t("passwordCodeDialog.codeShownOnlyOnce", { origin: window.location.origin })}</Text>
      <CopyField value={code} label={t("passwordCodeDialog.code")} />
      <Text size="sm" className="quiet">
        {t.rich("passwordCodeDialog.validUntil", { time: () => <TimeText at={until} isExact /> })}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t("passwordCodeDialog.done")}</Button>
      </Group>
    </Stack>
  );
}
