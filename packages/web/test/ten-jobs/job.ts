import type { Page } from "playwright-core";
import { type Hand, handAt } from "../kit/hand.ts";
import type { Site } from "../kit/site.ts";

/** One of the ten jobs of docs/design.md, as it is played. */
export interface Job {
  /** The name in `jobs.json`. */
  name: string;
  /** From the start state to the end state, which it checks. The count is the user's input in between. */
  play(site: Site): Promise<Hand>;
}

/** A team with its owner, and calls of its API as that owner. */
export async function jobTeam(site: Site) {
  const team = await site.make.team();
  const { token } = await site.make.member(team.id, "owner");
  const at = `/api/v2/team/${team.name}`;
  const call = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    site.call<Body>(token, method, `${at}${path}`, body);
  return {
    ...{ team, token, call },
    /** A page of the owner. Counting starts when this is open. */
    async open(path: string): Promise<Hand> {
      return handAt(await site.open(`/${team.name}${path}`, token));
    },
  };
}

export function nodeOf(page: Page, name: string) {
  return page.getByRole("group", { name: new RegExp(`^${name},`) });
}
