import { useStoreApi } from "@xyflow/react";
import { useState } from "react";

/**
 * For a canvas whose nodes all say their size and where their edges end: nothing is measured when a node comes into the page.
 * Otherwise each one would be laid out at once, and its edges drawn a second time. Only inside of the canvas's provider, above the
 * canvas.
 */
export function useKnownSizes(): void {
  const store = useStoreApi();
  useState(() => store.setState({ updateNodeInternals: () => {} }));
}
