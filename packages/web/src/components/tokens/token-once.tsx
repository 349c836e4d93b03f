import { Button, Group, Stack, Text } from "@mantine/core";
import { CopyField } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/state/notice.tsx";

interface TokenOnceProps {
  token: string;
  team: string | undefined;
  permissions: readonly string[];
  onDone: () => void;
}

/** A token on the only occasion that it is shown, with a command that proves it. */
export function TokenOnce({ token, team, permissions, onDone }: TokenOnceProps) {
  return (
    <Stack gap="sm">
      <Notice title="Shown only once">
        Millrace keeps only a hash. Store the token in your secret store: anyone who has it can use its permissions.
      </Notice>
      <CopyField value={token} label="the token" />
      <Text size="sm">Try it:</Text>
      <CopyField value={exampleCommand(window.location.origin, team, permissions)} label="the command" />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

/** What such a token is mostly for; the token itself stays out of it, as commands end up in histories. */
function exampleCommand(origin: string, team: string | undefined, permissions: readonly string[]): string {
  const head = `read -rs MILLRACE_TOKEN   # paste the token\ncurl -H "Authorization: Bearer $MILLRACE_TOKEN"`;
  const mayRead = permissions.some((one) => ["**/**", "**/read", "workflow/**", "workflow/read"].includes(one));
  if (team !== undefined && mayRead)
    return `${head} \\\n  "${origin}/api/v2/team/${encodeURIComponent(team)}/workflow/query?limit=10&page=0"`;
  return `${head} \\\n  ${origin}/api/v2/auth/caller`;
}
