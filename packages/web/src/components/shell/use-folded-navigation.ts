import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { useParams } from "@tanstack/react-router";

const atOnce = { getInitialValueInEffect: false };

/**
 * Whether the navigation shows its icons only. What somebody chose holds in this browser; until then it is folded where the page
 * needs the room more. On a telephone it lies over the page and is never folded.
 */
export function useFoldedNavigation(): { isFolded: boolean; fold: () => void } {
  const [wish, setWish] = useLocalStorage({ key: "millrace-navigation", defaultValue: "", getInitialValueInEffect: false });
  const isTelephone = useMediaQuery("(max-width: 47.99em)", false, atOnce);
  const isTablet = useMediaQuery("(max-width: 62em)", false, atOnce);
  const isTight = useMediaQuery("(max-width: 90em)", false, atOnce);
  const isDesigner = useParams({ strict: false }).workflow !== undefined;
  const isFolded = !isTelephone && (wish === "" ? isTablet || (isTight && isDesigner) : wish === "folded");
  return { isFolded, fold: () => setWish(isFolded ? "open" : "folded") };
}
