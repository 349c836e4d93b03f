import { useLocalStorage } from "@mantine/hooks";

export interface SideFold {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/**
 * Whether a side of the designer is open. What somebody chose holds in this browser; until then the palette is folded where it
 * would lie over the canvas.
 */
export function useFold(side: "palette" | "form"): SideFold {
  const [wish, setWish] = useLocalStorage({ key: `millrace-designer-${side}`, defaultValue: "", getInitialValueInEffect: false });
  const isOpen = wish === "" ? side === "form" || window.matchMedia("(min-width: 62em)").matches : wish === "open";
  return { isOpen, setOpen: (open) => setWish(open ? "open" : "folded") };
}
