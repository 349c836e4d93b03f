import { ActionIcon, Text, TextInput } from "@mantine/core";
import { IconSearch, IconX } from "@tabler/icons-react";
import { Panel } from "@xyflow/react";
import { useState } from "react";
import { t } from "../../texts/workflow/designer.ts";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import classes from "./canvas-tools.module.css";
import { findNodes } from "./find-nodes.ts";

/** Finds tasks on the canvas: Enter moves to the next match, Shift and Enter to the previous one. */
export function NodeSearch({ edits, onClose }: { edits: Edits; onClose: () => void }) {
  const { history } = useDraft();
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const found = findNodes(history.present.tasks, search);
  const go = (to: number) => {
    const index = (to + found.length) % found.length;
    setAt(index);
    const name = found[index];
    if (name !== undefined) edits.show(name);
  };
  return (
    <Panel position="top-center" className={classes.search ?? ""} role="search">
      <TextInput
        size="xs"
        aria-label={t("nodeSearch.label")}
        placeholder={t("nodeSearch.placeholder")}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        data-autofocus
        autoFocus
        onChange={(event) => {
          const text = event.currentTarget.value;
          setSearch(text);
          setAt(0);
          const [first] = findNodes(history.present.tasks, text);
          if (first !== undefined) edits.show(first);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          else if (event.key === "Enter" && found.length > 0) go(at + (event.shiftKey ? -1 : 1));
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <Text size="sm" className="quiet" role="status">
        {search.trim() === "" ? "" : t("nodeSearch.count", { count: found.length })}
      </Text>
      <ActionIcon variant="subtle" color="gray" aria-label={t("nodeSearch.close")} onClick={onClose}>
        <IconX size={16} />
      </ActionIcon>
    </Panel>
  );
}
