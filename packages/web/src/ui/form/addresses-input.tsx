import { TagsInput, type TagsInputProps } from "@mantine/core";

interface AddressesInputProps
  extends Pick<TagsInputProps, "label" | "description" | "disabled" | "searchValue" | "onSearchChange" | "error"> {
  value?: string[];
  defaultValue?: string[];
  onChange?: (addresses: string[]) => void;
  /** The first field of its dialog. */
  "data-autofocus"?: boolean;
}

const separator = /[,;\s]+/;

/**
 * Several email addresses. A comma, a semicolon or a space ends one. The field of the library only sees these characters as keys and in
 * pasted text: the keyboard of a phone and a password manager insert text without either, so it is split once more when it is added.
 */
export function AddressesInput({ onChange, ...field }: AddressesInputProps) {
  return (
    <TagsInput
      openOnFocus={false}
      splitChars={[",", ";", " "]}
      {...field}
      onChange={(added) => onChange?.([...new Set(added.flatMap((text) => text.split(separator)).filter(Boolean))])}
    />
  );
}
