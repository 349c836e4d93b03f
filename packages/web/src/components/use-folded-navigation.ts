import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { useParams } from "@tanstack/react-router";

/**
 * Whether the navigation shows its icons only. What somebody chose holds in this browser; until then it is folded where the designer needs the
 * room. On a telephone it lies over the page and is never folded.
 */
export function useFoldedNavigation(): { isFolded: boolean; fold: () => void } {
  const [wish, setWish] = useLocalStorage({ key: "millrace-navigation", defaultValue: "", getInitialValueInEffect: false });
  const isTelephone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const isTight = useMediaQuery("(max-width: 90em)", false, { getInitialValueInEffect: false });
  const isDesigner = (useParams({ strict: false }) as { workflow?: string }).workflow !== undefined;
  const isFolded = !isTelephone && (wish === "" ? isTight && isDesigner : wish === "folded");
  return { isFolded, fold: () => setWish(isFolded ? "open" : "folded") };
}
