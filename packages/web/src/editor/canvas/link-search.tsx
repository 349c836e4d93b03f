import { Select, Text } from "@mantine/core";
import { Panel } from "@xyflow/react";
import { useMemo } from "react";
import { t } from "../../texts/workflow/designer.ts";
import { useDraft } from "../draft/draft-context.ts";
import { connect, findTask, whyNotConnect } from "../draft/graph-edits.ts";
import { focusOn, focusOnCanvas } from "./canvas-focus.ts";
import classes from "./canvas-tools.module.css";
import { edgeId, typeOf, useSelection } from "./flow-elements.ts";

/**
 * Links a task to another one by a few letters of its name. The new link is selected; that of a switch needs a condition, so its field gets
 * the focus.
 */
export function LinkSearch({ from, onClose }: { from: string; onClose: () => void }) {
  const { history, change, catalog } = useDraft();
  const { select } = useSelection();
  const draft = history.present;
  const names = useMemo(
    () => draft.tasks.map(({ name }) => name).filter((name) => whyNotConnect(draft, from, name) === undefined),
    [draft, from],
  );
  const link = (to: string) => {
    change((before) => connect(before, from, to));
    select([edgeId(from, to)]);
    onClose();
    const source = findTask(draft, from);
    if (source !== undefined && typeOf(source, catalog) === "decision") focusOn("[data-panel] textarea", ".react-flow");
    else focusOnCanvas(edgeId(from, to));
  };
  return (
    <Panel position="top-center" className={classes.search ?? ""} role="search">
      <Text size="sm">{t("linkSearch.from", { from })}</Text>
      <Select
        size="xs"
        aria-label={t("linkSearch.label", { from })}
        placeholder={t("nodeLinks.selectTaskPlaceholder")}
        searchable
        autoFocus
        defaultDropdownOpened
        selectFirstOptionOnChange
        data={names}
        value={null}
        nothingFoundMessage={t("nodeLinks.noTaskConnected")}
        onChange={(to) => to !== null && link(to)}
        onBlur={onClose}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key !== "Escape") return;
          event.preventDefault();
          onClose();
          focusOnCanvas(from);
        }}
      />
    </Panel>
  );
}
