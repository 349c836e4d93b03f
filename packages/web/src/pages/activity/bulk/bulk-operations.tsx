import { Drawer } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type BulkOperation, bulkListQuery } from "../../../api/queries/run/run-bulk.ts";
import { t } from "../../../texts/run/bulk.ts";
import { EmptyState } from "../../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { RowButton } from "../../../ui/table/scroll-box.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { BulkProgress } from "./bulk-progress.tsx";

/** The history of bulk operations: what was done, by whom, and the result. Mounted only while it is open. */
export function BulkOperations({ team, onClose }: { team: string; onClose: () => void }) {
  const query = useQuery(bulkListQuery(team));
  const [open, setOpen] = useState<string>();
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={t("bulkOperations.title")}>
      {open === undefined ? (
        <DataTable
          label={t("bulkOperations.title")}
          columns={columnsOf(setOpen)}
          rows={query.data}
          query={query}
          keyOf={({ id }) => id}
          isBare
          empty={<EmptyState title={t("bulkOperations.none")} />}
        />
      ) : (
        <BulkProgress team={team} id={open} onClose={() => setOpen(undefined)} />
      )}
    </Drawer>
  );
}

function columnsOf(onOpen: (id: string) => void): Column<BulkOperation>[] {
  return [
    {
      title: t("bulkOperations.operation"),
      cell: ({ id, action, total }) => <RowButton onClick={() => onOpen(id)}>{t(`bulkFilterDialog.${action}`, { total })}</RowButton>,
    },
    { title: t("bulkOperations.by"), cell: ({ createdByName }) => createdByName },
    { title: t("bulkOperations.started"), kind: "short", cell: ({ creationDate }) => <TimeText at={creationDate} /> },
    { title: t("bulkOperations.outcome"), cell: ({ done, failed, left }) => t("bulkProgress.counts", { done, failed, left }) },
  ];
}
