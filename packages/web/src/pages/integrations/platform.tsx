import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Integration } from "../../api/queries/integrations.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/integrations.ts";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { Notice } from "../../ui/state/notice.tsx";
import classes from "./platforms.module.css";

interface PlatformProps {
  integration: Integration;
  /** Keys of the group `integration` that an administrator sets first. */
  keys: readonly string[];
  /** At the right. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** One platform: what it is for, whether the team has it, and, before it can be linked, what an administrator has to set. */
export function Platform({ integration, keys, actions, children }: PlatformProps) {
  const { name, description, status, isConfigured } = integration;
  const maySet = useRights().may("system/write");
  const word = isConfigured ? (status === "linked" ? t("platform.linked") : t("platform.notLinked")) : t("platform.notConfigured");
  return (
    <section className={classes.platform} aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Title order={2}>{name}</Title>
            <StateMark tone={status === "linked" ? "on" : "rest"} word={word} />
          </Group>
          <Group gap="xs">{actions}</Group>
        </Group>
        <Text size="sm">{description}</Text>
        {!isConfigured && (
          <Notice tone="info" title={t("platform.administratorMustConfigure")}>
            {t.rich("platform.seeSettingsGroup", {
              code: () => <code>integration</code>,
              keys: () => keys.map((key, index) => [index > 0 && ", ", <code key={key}>{key}</code>]),
            })}{" "}
            {maySet && (
              <Anchor component={Link} to={paths.admin("settings")} size="sm">
                {t("platform.openSettings")}
              </Anchor>
            )}
          </Notice>
        )}
        {children}
      </Stack>
    </section>
  );
}
