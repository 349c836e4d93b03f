import { Badge, Table, Text } from "@mantine/core";
import type { User } from "../../../api/queries/users.ts";
import { useCaller, useRights } from "../../../hooks/use-caller.ts";
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
    <section className={classes.box} tabIndex={0} aria-label="Users">
      <Table horizontalSpacing="sm" verticalSpacing={4} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Person</Table.Th>
            <Table.Th>Email address</Table.Th>
            <Table.Th>Type</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Last sign-in</Table.Th>
            <Table.Th>Since</Table.Th>
            <Table.Th>
              <span className="only-heard">Actions</span>
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
  const needsAll = caller.permissions.includes("**/**")
    ? undefined
    : "Only administrators can create password codes, because a code lets its holder act as the user.";
  return (
    <Table.Tr>
      <Table.Td>
        <Text span size="sm" fw={500}>
          {user.displayName || user.name || user.email}
        </Text>
        {isSelf && (
          <Badge size="sm" fz={12} miw="max-content" variant="default" ml="xs" tt="none" fw={400}>
            You
          </Badge>
        )}
      </Table.Td>
      <Table.Td>{user.email}</Table.Td>
      <Table.Td>{userTypeWords[user.type]?.word ?? user.type}</Table.Td>
      <Table.Td>
        <StateMark {...status} />
      </Table.Td>
      <Table.Td>{user.lastLoginDate ? <TimeText at={user.lastLoginDate} /> : <span className="quiet">Never</span>}</Table.Td>
      <Table.Td>
        <TimeText at={user.creationDate} />
      </Table.Td>
      <Table.Td>
        <RowMenu
          of={user.email}
          actions={[
            { label: "Change…", onClick: () => onAction("edit", user), whyNot: rights.whyNot("user/write") },
            { label: "Create password code…", onClick: () => onAction("code", user), whyNot: rights.whyNot("user/write") ?? needsAll },
            {
              label: "Delete…",
              onClick: () => onAction("delete", user),
              whyNot: rights.whyNot("user/delete") ?? (isSelf ? "You can't delete yourself. Ask another administrator." : undefined),
              isDangerous: true,
            },
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}
