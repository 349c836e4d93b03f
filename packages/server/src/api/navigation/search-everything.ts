import { stringEnum } from "@millrace/contract/schema.ts";
import { type SearchHit, type SearchResult, searchKinds, searchResult } from "@millrace/contract/search.ts";
import Type from "typebox";
import { teamsAllowing, teamsReadBy } from "../../policy/teams.ts";
import { findTasks, findTeams, findTemplates, findWorkflows } from "../../store/database/name-finder.ts";
import { defineEndpoint } from "../endpoint.ts";

export const searchEverything = defineEndpoint({
  method: "GET",
  path: "/api/v2/search",
  summary: "Find teams, workflows, tasks and templates by name",
  description:
    "Searches everything that you can read. Each word must be part of a name of the object or of its team. The order: names that " +
    "start with the first word, names with a word that starts with it, names that contain it, then matches by team; the newest first among equals. " +
    "Without words: the newest of each kind.",
  tag: "System",
  permission: "signed-in",
  transaction: "read",
  query: Type.Object({
    q: Type.String({ maxLength: 200, default: "", description: "Search words, in upper or lower case", examples: ["nightly"] }),
    kinds: Type.Optional(Type.Array(stringEnum(searchKinds), { maxItems: 100, description: "Default all" })),
    limit: Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Maximum number of each kind" }),
  }),
  response: searchResult,
  async handle({ db, query: { q, kinds, limit }, principal }): Promise<SearchResult> {
    const wanted = { search: q, limit };
    const find: Record<(typeof searchKinds)[number], () => Promise<SearchHit[]>> = {
      team: () => findTeams(db, teamsReadBy(principal), wanted),
      workflow: () => findWorkflows(db, teamsAllowing(principal, "workflow/read"), wanted),
      task: () => findTasks(db, teamsAllowing(principal, "task/read"), wanted),
      template: () => findTemplates(db, wanted),
    };
    const hits: SearchHit[] = [];
    for (const kind of searchKinds) if (!kinds?.length || kinds.includes(kind)) hits.push(...(await find[kind]()));
    return { hits };
  },
});
