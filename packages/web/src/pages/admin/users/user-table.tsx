import { Badge, Table, Text } from "@mantine/core";
import type { User } from "../../../api/queries/users.ts";
import { useCaller, useRights } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/administration.ts";
import { StateMark } from "../../../ui/mark/state-mark.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import classes from "../admin.module.css";
import { RowMenu } from "../row-menu.tsx";
import { userStatusWords, userTypeWords } from "./user-words.ts";

type What = "edit" | "code" | "delete";
interface UserTableProps {
  users: readonly User[];
  onAction: (what: What, user: User) => void;
}

/** One person a line. */
export function UserTable({ users, onAction }: UserTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section className={classes.box} tabIndex={0} aria-label={t("userTable.users")}>
      <Table horizontalSpacing="sm" verticalSpacing={4} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("userTable.person")}</Table.Th>
            <Table.Th>{t("userTable.emailAddress")}</Table.Th>
            <Table.Th>{t("userTable.type")}</Table.Th>
            <Table.Th>{t("userTable.status")}</Table.Th>
            <Table.Th>{t("userTable.lastSign")}</Table.Th>
            <Table.Th>{t("userTable.since")}</Table.Th>
            <Table.Th>
              <span className="only-heard">{t("userTable.actions")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <UserRow key={user.id} user={user} onAction={onAction} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function UserRow({ user, onAction }: { user: User } & Pick<UserTableProps, "onAction">) {
  const caller = useCaller();
  const rights = useRights();
  const isSelf = caller.userId === user.id;
  const status = userStatusWords[user.status] ?? { word: user.status, tone: "rest" as const };
  const needsAll = caller.permissions.includes("**/**") ? undefined : t("userTable.onlyAdministratorsCreate");
  return (
    <Table.Tr>
      <Table.Td>
        <Text span size="sm" fw={500}>
          {user.displayName || user.name || user.email}
        </Text>
        {isSelf && (
          <Badge size="sm" fz={12} miw="max-content" variant="default" ml="xs" tt="none" fw={400}>
            {t("userTable.you")}
          </Badge>
        )}
      </Table.Td>
      <Table.Td>{user.email}</Table.Td>
      <Table.Td>{userTypeWords[user.type]?.word ?? user.type}</Table.Td>
      <Table.Td>
        <StateMark {...status} />
      </Table.Td>
      <Table.Td>
        {user.lastLoginDate ? <TimeText at={user.lastLoginDate} /> : <span className="quiet">{t("userTable.never")}</span>}
      </Table.Td>
      <Table.Td>
        <TimeText at={user.creationDate} />
      </Table.Td>
      <Table.Td>
        <RowMenu
          of={user.email}
          actions={[
            { label: t("userTable.change"), onClick: () => onAction("edit", user), whyNot: rights.whyNot("user/write") },
            {
              label: t("userTable.createPasswordCode"),
              onClick: () => onAction("code", user),
              whyNot: rights.whyNot("user/write") ?? needsAll,
            },
            {
              label: t("userTable.delete"),
              onClick: () => onAction("delete", user),
              whyNot: rights.whyNot("user/delete") ?? (isSelf ? t("userTable.cantDeleteYourselfAsk") : undefined),
              isDangerous: true,
            },
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}
