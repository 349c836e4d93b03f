import { Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, type SyntheticEvent, useId, useRef, useState } from "react";
import { t } from "../../texts/workflow/designer.ts";
import { usePreview } from "../node/preview-context.ts";
import { FieldUnderlines } from "./field-underlines.tsx";
import classes from "./reference-field.module.css";
import { matchingReferences, type Offer, openReference } from "./references.ts";
import { useFieldPreview } from "./use-field-preview.tsx";

interface ReferenceFieldProps {
  label: string;
  description?: string | undefined;
  placeholder?: string;
  required?: boolean;
  error?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  /** The possible references between `$(` and `)`. */
  available: readonly Offer[];
  isLong?: boolean;
  autoFocus?: boolean;
  /** The parameter whose value this is, for the preview of its current value. */
  param?: string | undefined;
}

/**
 * A text field that completes references: after `$(` it suggests what is available, with the last values. The current result is shown
 * below, and invalid references are underlined.
 */
export function ReferenceField({ available, value, onChange, isLong = false, placeholder = "", param, ...shared }: ReferenceFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { setTarget } = usePreview();
  const { line, unknown } = useFieldPreview(param, value);
  const open = isOpen ? openReference(value, caret) : undefined;
  const offers = open ? matchingReferences(available, open.typed) : [];
  const put = (text: string, from: number, to: number) => {
    onChange(value.slice(0, from) + text + value.slice(to));
    setOpen(false);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(from + text.length, from + text.length);
    });
  };
  const choose = (offer: Offer) => {
    if (open) put(`$(${offer.name})`, open.from, value[caret] === ")" ? caret + 1 : caret);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (offers.length === 0) return;
    const step = stepOf(event.key, active, offers.length);
    const chosen = offers[active] ?? offers[0];
    if (step !== undefined) setActive(step);
    else if ((event.key === "Enter" || event.key === "Tab") && chosen) choose(chosen);
    else if (event.key === "Escape") setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const insert = (text: string) => {
    const { selectionStart: from, selectionEnd: to } = field.current ?? { selectionStart: value.length, selectionEnd: value.length };
    put(text, from ?? value.length, to ?? value.length);
  };
  const latest = useRef(insert);
  latest.current = insert;
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
    onFocus: () => setTarget((text) => latest.current(text)),
    onKeyDown,
    onBlur: () => setOpen(false),
  };
  return (
    <div className={classes.place}>
      {isLong ? <Textarea {...props} autosize minRows={2} maxRows={12} /> : <TextInput {...props} />}
      {unknown.length > 0 && <FieldUnderlines field={field} text={value} parts={unknown} />}
      {line}
      {offers.length > 0 && (
        <div id={id} role="listbox" aria-label={t("referenceField.references", { label: shared.label })} className={classes.offers}>
          {offers.map((offer, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active suggestion
            <div
              key={offer.name}
              id={`${id}-${index}`}
              role="option"
              aria-label={offer.name}
              aria-selected={index === active}
              className={classes.offer}
              onPointerDown={(event) => {
                event.preventDefault();
                choose(offer);
              }}
            >
              <span>{offer.name}</span>
              {offer.last !== undefined && <span className={classes.last}>{offer.last}</span>}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** The index of the next suggestion up or down; undefined for a key that doesn't move. */
function stepOf(key: string, active: number, count: number): number | undefined {
  if (key === "ArrowDown") return (active + 1) % count;
  return key === "ArrowUp" ? (active + count - 1) % count : undefined;
}
