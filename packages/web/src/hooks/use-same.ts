import { useRef } from "react";

/** Returns the previous value while the new one is equal, so that dependent values aren't computed again. Both must be JSON. */
export function useSame<Value>(value: Value): Value {
  const kept = useRef({ value, text: JSON.stringify(value) });
  if (kept.current.value === value) return value;
  const text = JSON.stringify(value);
  if (text !== kept.current.text) kept.current = { value, text };
  return kept.current.value;
}
