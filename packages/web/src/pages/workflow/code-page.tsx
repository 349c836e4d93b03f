import { CodeView } from "../../editor/code-view.tsx";

/** The workflow as text. */
export function CodePage() {
  return <CodeView />;
}
