import type { Schemas } from "@millrace/client/client.ts";
import { formatDate } from "../output/format-time.ts";
import { isId, type Kind, onlyOne } from "./kind.ts";

/** Teams, users and tokens. */

export const teamKind: Kind<Schemas["Team"]> = {
  name: "team",
  plural: "teams",
  documentKind: "Team",
  place: "instance",
  columns: [
    { header: "NAME", value: ({ name }) => name },
    { header: "DISPLAY NAME", value: ({ displayName }) => displayName },
    { header: "STATUS", value: ({ status }) => status, isStatus: true },
    { header: "MEMBERS", value: ({ memberCount }) => memberCount },
  ],
  nameOf: ({ name }) => name,
  list: ({ connection }, query) => connection.client.get("/api/v2/team/query", { params: { query: { ...query, order: "ASC" } } }),
  get: ({ connection }, team) => connection.client.get("/api/v2/team/{team}", { params: { path: { team } } }),
  toDocument: async (_, { name, displayName, status, labels }) => ({ name, displayName, status, labels }),
  remove: ({ connection }, team) => connection.client.delete("/api/v2/team/{team}", { params: { path: { team } } }),
};

export const userKind: Kind<Schemas["User"]> = {
  name: "user",
  plural: "users",
  place: "instance",
  columns: [
    { header: "ID", value: ({ id }) => id },
    { header: "EMAIL", value: ({ email }) => email },
    { header: "NAME", value: ({ displayName, name }) => displayName ?? name },
    { header: "TYPE", value: ({ type }) => type },
    { header: "STATUS", value: ({ status }) => status, isStatus: true },
    { header: "LAST SIGN-IN", value: ({ lastLoginDate }) => formatDate(lastLoginDate) },
  ],
  nameOf: ({ id }) => id,
  list: ({ connection }, query) => connection.client.get("/api/v2/user/query", { params: { query: { ...query, order: "ASC" } } }),
  get: async ({ connection: { client } }, name) => {
    if (isId(name)) return client.get("/api/v2/user/{userId}", { params: { path: { userId: name } } });
    const { content } = await client.get("/api/v2/user/query", { params: { query: { search: name, limit: 1000, page: 0 } } });
    return onlyOne(
      content.filter(({ email }) => email.toLowerCase() === name.toLowerCase()),
      "user",
      name,
    );
  },
  remove: async (scope, name) => {
    const { id } = await userKind.get(scope, name);
    return scope.connection.client.delete("/api/v2/user/{userId}", { params: { path: { userId: id } } });
  },
};

export const tokenKind: Kind<Schemas["Token"]> = {
  name: "token",
  plural: "tokens",
  place: "instance",
  columns: [
    { header: "ID", value: ({ id }) => id },
    { header: "NAME", value: ({ name }) => name },
    { header: "TYPE", value: ({ type }) => type },
    { header: "VALID", value: ({ valid }) => (valid ? "yes" : "no") },
    { header: "EXPIRES", value: ({ expirationDate }) => formatDate(expirationDate) ?? "never" },
    { header: "LAST USED", value: ({ lastUsedDate }) => formatDate(lastUsedDate) ?? "never" },
  ],
  nameOf: ({ id }) => id,
  list: ({ connection }, { limit, page }) => connection.client.get("/api/v2/token/query", { params: { query: { limit, page } } }),
  get: async ({ connection: { client } }, name) => {
    for (let page = 0; ; page++) {
      const { content, totalPages } = await client.get("/api/v2/token/query", { params: { query: { limit: 1000, page } } });
      const found = content.filter((token) => token.id === name || token.name === name);
      if (found.length > 0 || page + 1 >= totalPages) return onlyOne(found, "token", name);
    }
  },
  remove: async (scope, name) => {
    const { id } = await tokenKind.get(scope, name);
    return scope.connection.client.delete("/api/v2/token/{tokenId}", { params: { path: { tokenId: id } } });
  },
};
