import { Autocomplete, Select, TextInput } from "@mantine/core";
import { useContext } from "react";
import { t } from "../../texts/workflow/triggers.ts";
import classes from "./event-filters.module.css";
import { type AttributeText, FilterFactsContext, type FilterNode, type TextHow, textWords } from "./filter-tree.ts";

const hows = Object.entries(textWords).map(([value, label]) => ({ value, label }));

interface AttributeFilterProps {
  /** The filter's number for screen readers, e.g. `2.1`. */
  number: string;
  node: Extract<FilterNode, { kind: "text" }>;
  onChange: (node: FilterNode) => void;
}

/** An attribute, the comparison and the text. A filter created elsewhere may have several attributes. */
export function AttributeFilter({ number, node, onChange }: AttributeFilterProps) {
  const { attributes } = useContext(FilterFactsContext);
  const put = (index: number, part: Partial<AttributeText>) =>
    onChange({ ...node, pairs: node.pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)) });
  return (
    <>
      {node.pairs.map(({ attribute, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pairs have no other identity, and their fields are controlled
        <div key={index} className={classes.pair}>
          <Autocomplete
            aria-label={t("attributeFilter.attributeFilter", { number })}
            size="xs"
            data={[...attributes]}
            value={attribute}
            onChange={(next) => put(index, { attribute: next })}
          />
          {index === 0 ? (
            <Select
              aria-label={t("attributeFilter.comparisonFilter", { number })}
              size="xs"
              data={hows}
              value={node.how}
              allowDeselect={false}
              onChange={(how) => how && onChange({ ...node, how: how as TextHow })}
            />
          ) : (
            <span className={classes.and}>{t("attributeFilter.and", { textWord: textWords[node.how] })}</span>
          )}
          <TextInput
            aria-label={t("attributeFilter.textFilter", { number })}
            size="xs"
            value={text}
            onChange={(event) => put(index, { text: event.currentTarget.value })}
          />
        </div>
      ))}
    </>
  );
}
