import { Text } from "@mantine/core";
import { t } from "../../texts/workflow/protection.ts";

interface SecretUsesProps {
  isProtected: boolean;
  /** The workflows that use the secret, by display name. */
  workflows: readonly { name: string; approved: boolean }[];
}

/** What uses a secret, and whose runs are refused. */
export function SecretUses({ isProtected, workflows }: SecretUsesProps) {
  const names = (some: typeof workflows) => some.map(({ name }) => name).join(", ");
  const refused = workflows.filter(({ approved }) => !approved);
  return (
    <>
      <Text size="sm">
        {workflows.length === 0 ? t("secretProtection.unused") : t("secretProtection.uses", { names: names(workflows) })}
      </Text>
      {isProtected && refused.length > 0 && (
        <Text size="sm" className="quiet">
          {t("secretProtection.refused", { names: names(refused) })}
        </Text>
      )}
    </>
  );
}
