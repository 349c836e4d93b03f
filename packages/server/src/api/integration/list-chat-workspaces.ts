import { chatWorkspace } from "@millrace/contract/integration.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { listChatWorkspaces as list } from "../../store/integration/chat-workspaces.ts";
import { defineEndpoint } from "../endpoint.ts";

const maxListed = 1000;

export const listChatWorkspaces = defineEndpoint({
  method: "GET",
  path: "/api/v2/integration/chat/workspace",
  summary: "List the workspaces of the chat platform that have the app",
  description: `Newest first, at most ${maxListed}, with the teams linked to each. Needs the permission on the whole instance.`,
  tag: "Integrations",
  permission: "integration/read",
  transaction: "read",
  response: Type.Array(ref(chatWorkspace), { maxItems: maxListed }),
  async handle({ db }) {
    const rows = await list(db, maxListed);
    return rows.map(({ ref, name, scopes, teams }) => ({ ref, name: name ?? "", scopes, teams }));
  },
});
