import { ActionIcon } from "@mantine/core";
import { IconUserCircle } from "@tabler/icons-react";
import type { ComponentPropsWithRef } from "react";
import { t } from "../../texts/frame.ts";

/** Opens the account menu. */
export function AccountButton(props: Omit<ComponentPropsWithRef<"button">, "color" | "style">) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("shell.account")} {...props}>
      <IconUserCircle size={20} />
    </ActionIcon>
  );
}
