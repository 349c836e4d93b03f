import { useDocumentTitle } from "@mantine/hooks";
import { createContext, useContext } from "react";
import { t } from "../texts/ui.ts";

/** Where the page is, such as the name of the team: told behind the page's own title, so that many tabs can be told apart. */
export const TabPlace = createContext<string | undefined>(undefined);

/** The title of the browser's tab: what most tells pages apart comes first, because a narrow tab shows no more. */
export function useTabTitle(...words: (string | undefined)[]): void {
  const place = useContext(TabPlace);
  useDocumentTitle([...new Set([...words, place, t("tabTitle.millrace")])].filter((word) => word !== undefined && word !== "").join(" · "));
}
