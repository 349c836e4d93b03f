import { Skeleton, Stack } from "@mantine/core";
import { t } from "../../texts/ui.ts";

/** While something loads: rows of the size of what will come, and a word for who does not see them. */
export function LoadingState({ label = t("loadingState.loading"), rows = 5 }: { label?: string; rows?: number }) {
  return (
    <Stack gap="xs" p="md" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all the same
        <Skeleton key={row} height={24} />
      ))}
    </Stack>
  );
}
