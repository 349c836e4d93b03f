import { Text, Title } from "@mantine/core";
import type { History } from "../../../api/queries/settings.ts";
import { t } from "../../../texts/settings/administration.ts";
import { percentText } from "../../../ui/format.ts";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { bytesText } from "./history-words.ts";

type Storage = History["storage"];
type Figures = Storage["kinds"][number];
type Folder = Storage["folders"][number];

/** What takes up space in the database and on the disks of the server that answers the request. */
export function DiskUse({ storage }: { storage: Storage }) {
  return (
    <>
      <Title order={2}>{t("diskUse.diskUse")}</Title>
      <Text size="sm">{t("diskUse.databaseSize", { size: bytesText(storage.databaseBytes) })}</Text>
      <DataTable
        label={t("diskUse.databaseByKind")}
        minWidth={420}
        columns={figureColumns}
        rows={storage.kinds}
        keyOf={({ kind }) => kind}
      />
      {storage.folders.length > 0 && (
        <DataTable label={t("diskUse.folders")} minWidth={640} columns={folderColumns} rows={storage.folders} keyOf={({ kind }) => kind} />
      )}
    </>
  );
}

const figureColumns: Column<Figures>[] = [
  { title: t("diskUse.kind"), cell: ({ kind }) => t(`storageKinds.${kind}`) },
  { title: t("diskUse.size"), kind: "number", cell: ({ bytes }) => bytesText(bytes) },
  { title: t("diskUse.growth"), kind: "number", cell: ({ bytesPerDay }) => orNone(bytesPerDay) },
];

const folderColumns: Column<Folder>[] = [
  {
    title: t("diskUse.folder"),
    cell: ({ kind, path }) => (
      <>
        {t(`storageFolders.${kind}`)} <span className="quiet">{path}</span>
      </>
    ),
  },
  { title: t("diskUse.size"), kind: "number", cell: (folder) => folderSize(folder) },
  { title: t("diskUse.free"), kind: "number", cell: (folder) => freeText(folder) },
];

const orNone = (bytes: number | null) => (bytes === null ? t("diskUse.notMeasured") : bytesText(bytes));

function folderSize({ bytes, isComplete }: Pick<Folder, "bytes" | "isComplete">): string {
  const size = orNone(bytes);
  return isComplete ? size : t("diskUse.atLeast", { size });
}

/** `31 GiB of 80 GiB (39%)` */
function freeText({ freeBytes, totalBytes }: Pick<Folder, "freeBytes" | "totalBytes">): string {
  const part = totalBytes === 0 ? 0 : freeBytes / totalBytes;
  const percent = percentText(part);
  return t("diskUse.freeOfTotal", { free: bytesText(freeBytes), total: bytesText(totalBytes), percent });
}
