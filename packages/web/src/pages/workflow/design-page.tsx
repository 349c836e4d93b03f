import { Designer } from "../../editor/designer.tsx";

/** The workflow as a drawing. */
export function DesignPage() {
  return <Designer />;
}
