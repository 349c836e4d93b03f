import type { Param } from "../parameter-form.tsx";

/** What the fields of one parameter work on. */
export interface ParamFieldsProps {
  param: Param;
  error: string | undefined;
  isReadOnly: boolean;
  onChange: (member: string, value: unknown) => void;
}
