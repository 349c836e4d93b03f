import { TagsInput, type TagsInputProps } from "@mantine/core";

interface AddressesInputProps
  extends Pick<TagsInputProps, "label" | "description" | "disabled" | "searchValue" | "onSearchChange" | "error"> {
  value?: string[];
  defaultValue?: string[];
  onChange?: (addresses: string[]) => void;
  /** The first field of its dialog. */
  "data-autofocus"?: boolean;
}

/** Also those of a list from a mail program, `Ada <ada@example.com>, Bob <bob@example.com>`, whose names are left out. */
function addressesIn(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.split(/[,;\s]+/)).filter(Boolean);
  const isNamed = words.some((word) => /^<.+@.+>$/.test(word));
  const addresses = words.filter((word) => !isNamed || word.includes("@")).map((word) => word.replace(/^<(.*)>$/, "$1"));
  return [...new Set(addresses)];
}

/**
 * Several email addresses. A comma, a semicolon or a space ends one. The field of the library only sees these characters as keys and in
 * pasted text: the keyboard of a phone and a password manager insert text without either, so it is split once more when it is added.
 */
export function AddressesInput({ onChange, ...field }: AddressesInputProps) {
  return <TagsInput openOnFocus={false} splitChars={[",", ";", " "]} {...field} onChange={(added) => onChange?.(addressesIn(added))} />;
}
