import { Alert, Anchor, Group, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { shortId } from "../../components/run-words.ts";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { useSaving } from "../../editor/draft/save-context.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run/rerun.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";

/** Shown when the designer was opened from a failed run: saves the fix and reruns the run, after showing its plan. */
export function RerunNotice() {
  const { team, loaded, isDirty, pendingText, whyNotEdit } = useDraft();
  const { save, isSaving, isSent } = useSaving();
  const [{ rerun }] = useSearchState({ rerun: "" });
  const navigate = useNavigate();
  const [saved, setSaved] = useState<number>();
  const run = String(rerun);
  const open = (version: number) => navigate({ to: paths.run(team, run), search: { rerun: version } });
  // Navigates only once the saved version is the draft's base: before that, leaving would ask about unsaved changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each save
  useEffect(() => {
    if (saved !== undefined && !isDirty) void open(saved);
    setSaved(undefined);
  }, [saved]);
  if (run === "" || whyNotEdit !== undefined) return null;
  return (
    <Alert color="gray" variant="light" mx="md" my={8} py={4} role="note">
      <Group gap="sm">
        <Text size="sm">
          {t.rich("rerunNotice.fixes", {
            run: () => (
              <Anchor component={Link} to={paths.run(team, run)} inherit className="code">
                {shortId(run)}
              </Anchor>
            ),
          })}
        </Text>
        <ActionButton
          size="compact-sm"
          variant="default"
          whyNot={isSent ? t("rerunNotice.sent") : pendingText === undefined ? undefined : t("rerunNotice.fixErrorsCodeFirst")}
          loading={isSaving}
          onClick={() => (isDirty ? save({ onSaved: setSaved }) : open(loaded.data.version ?? 0))}
        >
          {t(isDirty ? "rerunNotice.saveRerun" : "rerunNotice.rerun")}
        </ActionButton>
      </Group>
    </Alert>
  );
}
