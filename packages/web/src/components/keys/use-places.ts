import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { navigationQuery } from "../../api/queries/session.ts";
import { placeWords } from "../shell/place-words.ts";
import type { Place } from "./place-keys.ts";

/** All places where the caller can go from here, without their order in groups. */
export function usePlaces(team: string | undefined): readonly Place[] {
  const { data } = useQuery(navigationQuery(team));
  return useMemo(
    () =>
      (data ?? [])
        .flatMap((place) => [place, ...(place.childLinks ?? [])])
        .flatMap(({ name, link, disabled }) => (link && !disabled ? [{ name: placeWords(name ?? ""), link }] : [])),
    [data],
  );
}
