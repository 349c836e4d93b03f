import { ActionIcon, CopyButton, Group, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { t } from "../texts/ui.ts";
import classes from "./copy-field.module.css";

/** A text to copy: a command, a URL, a token that is shown once. @param label the label for screen readers */
export function CopyField({ value, label }: { value: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" className={classes.field}>
      <pre className={classes.text}>{value}</pre>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t("copyField.copied") : t("copyField.copy")}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t(copied ? "copyField.copiedLabel" : "copyField.copyLabel", { label })}
              onClick={copy}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
