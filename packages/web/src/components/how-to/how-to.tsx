import { Button, Popover, Stack, Text } from "@mantine/core";
import { IconTerminal2 } from "@tabler/icons-react";
import { useId } from "react";
import { t } from "../../texts/shared.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { setUpCommand } from "./set-up-command.ts";

export interface HowToProps {
  /** What the commands do, e.g. `This run by the API`. */
  title: string;
  /** Commands with `$MILLRACE` for the address and `$TOKEN` for the token, so that they contain no secret. */
  commands: { label: string; command: string }[];
}

/** How a program does the same as this screen: commands to copy, behind a small button. */
export function HowTo({ title, commands }: HowToProps) {
  const heading = useId();
  return (
    <Popover position="bottom-end" width="min(560px, calc(100vw - 32px))" shadow="md" trapFocus withRoles>
      <Popover.Target>
        <Button size="xs" variant="subtle" color="gray" c="var(--ink-quiet)" leftSection={<IconTerminal2 size={16} aria-hidden />}>
          {t("howTo.api")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-labelledby={heading}>
        <Stack gap="sm">
          <Text id={heading} fw={500}>
            {title}
          </Text>
          <Command label={t("howTo.onceShell")} command={setUpCommand(window.location.origin)} />
          {commands.map((one) => (
            <Command key={one.label} {...one} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Command({ label, command }: { label: string; command: string }) {
  return (
    <Stack gap={4}>
      <Text size="sm" className="quiet">
        {label}
      </Text>
      <CopyField value={command} label={label} />
    </Stack>
  );
}
