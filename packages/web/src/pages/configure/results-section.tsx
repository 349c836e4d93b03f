import { Stack } from "@mantine/core";
import { resultsFault } from "../../editor/declared/result-list.ts";
import { ResultList, useResultList } from "../../editor/declared/result-list-editor.tsx";
import type { SectionProps } from "../../editor/draft/use-section-draft.ts";
import { SaveBar } from "./save-bar.tsx";

/** What runs of the workflow give to those that start them. */
export function ResultsSection({ team }: SectionProps) {
  const { section, setters } = useResultList();
  return (
    <Stack gap="sm" maw={720}>
      <ResultList section={section} setters={setters} />
      <SaveBar team={team} section={section} fault={resultsFault(section.value.list)} />
    </Stack>
  );
}
