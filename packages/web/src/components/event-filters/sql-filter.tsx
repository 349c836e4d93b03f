import { Textarea } from "@mantine/core";
import { t } from "../../texts/triggers.ts";
import type { FilterNode } from "./filter-tree.ts";

interface SqlFilterProps {
  number: string;
  node: Extract<FilterNode, { kind: "sql" }>;
  onChange: (node: FilterNode) => void;
}

/** A condition in CloudEvents SQL. */
export function SqlFilter({ number, node, onChange }: SqlFilterProps) {
  return (
    <Textarea
      aria-label={t("sqlFilter.sqlFilter", { number })}
      size="xs"
      autosize
      minRows={1}
      maxRows={6}
      placeholder={t("sqlFilter.typeLikeOrderExistsPlaceholder")}
      leftSection={<span aria-hidden>{t("sqlFilter.sql")}</span>}
      leftSectionWidth={44}
      styles={{ input: { fontFamily: "var(--font-code)" } }}
      value={node.text}
      onChange={(event) => onChange({ ...node, text: event.currentTarget.value })}
    />
  );
}
