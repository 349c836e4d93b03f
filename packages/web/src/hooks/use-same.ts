import { useRef } from "react";

/** The value of before as long as the new one says the same, so that what depends on it is not made again. Both must be JSON. */
export function useSame<Value>(value: Value): Value {
  const kept = useRef({ value, text: JSON.stringify(value) });
  if (kept.current.value === value) return value;
  const text = JSON.stringify(value);
  if (text !== kept.current.text) kept.current = { value, text };
  return kept.current.value;
}
