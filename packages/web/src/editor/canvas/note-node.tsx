import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { t } from "../../texts/designer.ts";
import { Markdown } from "../../ui/markdown.tsx";
import type { NoteNode } from "./flow-elements.ts";
import classes from "./note-node.module.css";

/** A remark on the canvas. */
export const NoteNodeView = memo(
  function NoteNodeView({ data, selected }: NodeProps<NoteNode>) {
    return (
      <div className={classes.note} data-selected={selected || undefined}>
        {data.note.text === "" ? <span className="quiet">{t("noteNode.emptyNote")}</span> : <Markdown text={data.note.text} />}
      </div>
    );
  },
  (before, after) => before.data === after.data && before.selected === after.selected,
);
