import { Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, type SyntheticEvent, useId, useRef, useState } from "react";
import { t } from "../../texts/designer.ts";
import classes from "./reference-field.module.css";
import { matchingReferences, openReference } from "./references.ts";

interface ReferenceFieldProps {
  label: string;
  description?: string | undefined;
  placeholder?: string;
  required?: boolean;
  error?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  /** What can stand between `$(` and `)`. */
  available: readonly string[];
  isLong?: boolean;
}

/** A field for text in which references are completed: after `$(` it offers what there is. */
export function ReferenceField({ available, value, onChange, isLong = false, placeholder = "", ...shared }: ReferenceFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const open = isOpen ? openReference(value, caret) : undefined;
  const offers = open ? matchingReferences(available, open.typed) : [];
  const choose = (offer: string) => {
    if (!open) return;
    const rest = value.slice(caret).replace(/^\)/, "");
    const next = `${value.slice(0, open.from)}$(${offer})`;
    onChange(next + rest);
    setOpen(false);
    requestAnimationFrame(() => field.current?.setSelectionRange(next.length, next.length));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (offers.length === 0) return;
    const step = stepOf(event.key, active, offers.length);
    if (step !== undefined) setActive(step);
    else if (event.key === "Enter" || event.key === "Tab") choose(offers[active] ?? offers[0] ?? "");
    else if (event.key === "Escape") setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const follow = (event: SyntheticEvent<HTMLInputElement | HTMLTextAreaElement>) => setCaret(event.currentTarget.selectionStart ?? 0);
  const props = {
    ...shared,
    ref: field,
    value,
    placeholder,
    autoComplete: "off",
    spellCheck: false,
    "aria-autocomplete": "list" as const,
    ...(offers.length > 0 && { "aria-controls": id, "aria-activedescendant": `${id}-${active}` }),
    onChange: (event: SyntheticEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      onChange(event.currentTarget.value);
      follow(event);
      setActive(0);
      setOpen(true);
    },
    onSelect: follow,
    onKeyDown,
    onBlur: () => setOpen(false),
  };
  return (
    <div className={classes.place}>
      {isLong ? <Textarea {...props} autosize minRows={2} maxRows={12} /> : <TextInput {...props} />}
      {offers.length > 0 && (
        <div id={id} role="listbox" aria-label={t("referenceField.references", { label: shared.label })} className={classes.offers}>
          {offers.map((offer, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active offer
            <div
              key={offer}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              className={classes.offer}
              onPointerDown={(event) => {
                event.preventDefault();
                choose(offer);
              }}
            >
              {offer}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Of the next offer up or down; undefined for a key that does not move. */
function stepOf(key: string, active: number, count: number): number | undefined {
  if (key === "ArrowDown") return (active + 1) % count;
  return key === "ArrowUp" ? (active + count - 1) % count : undefined;
}
