import { Select } from "@mantine/core";

interface FilterSelectProps {
  /** What it filters by, such as `Status`. */
  label: string;
  /** What it says while it is not set, such as `Any status`. */
  any: string;
  /** Values with what people read. */
  choices: readonly (readonly [value: string, word: string])[];
  /** Empty: not set. */
  value: string;
  onChange: (value: string) => void;
  isSearchable?: boolean;
}

/** One filter of a list, of which one value can be chosen, or any. */
export function FilterSelect({ label, any, choices, value, onChange, isSearchable = false }: FilterSelectProps) {
  return (
    <Select
      size="xs"
      w={160}
      aria-label={label}
      allowDeselect={false}
      searchable={isSearchable}
      data={[{ value: "", label: any }, ...choices.map(([choice, word]) => ({ value: choice, label: word }))]}
      value={value}
      onChange={(next) => onChange(next ?? "")}
    />
  );
}
