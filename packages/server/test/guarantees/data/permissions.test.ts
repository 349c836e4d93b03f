import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { everyEndpoint } from "../../../src/http/answer/every-endpoint.ts";
import { endpoints } from "../../../src/http/routes.ts";
import { testApp } from "../../kit/app.ts";

/**
 * Who may call what: every endpoint, tried by every kind of caller, in their own team and in another one. The expected results are written
 * down here a second time, by the meaning of the words, and not taken from the code that decides.
 */
const app = await testApp();
const all = everyEndpoint(endpoints);

/** The only endpoints that answer without a credential. */
const open = [
  "GET /health",
  "GET /ready",
  "GET /api/docs",
  "GET /api/docs/spec",
  "PUT /api/v2/activate",
  "GET /api/v2/features",
  "GET /api/v2/schema/:document",
  "GET /api/v2/context",
  "GET /api/v2/auth/methods",
  "POST /api/v2/auth/password",
  "POST /api/v2/auth/password/reset",
  "POST /api/v2/invitation/read",
  "POST /api/v2/invitation/accept",
  "GET /api/v2/auth/oidc/start",
  "GET /api/v2/auth/oidc/callback",
  "POST /api/v2/auth/sign-out",
  "POST /api/v2/auth/device",
  "POST /api/v2/auth/device/token",
  "GET /api/v2/integration/chat/install",
  "GET /api/v2/integration/chat/auth",
];

const everyone = [
  "nobody",
  "outsider",
  "reader",
  "editor",
  "owner",
  "operator",
  "admin",
  "teamToken",
  "readingTeamToken",
  "workflowToken",
] as const;
type Who = (typeof everyone)[number];

/** What each caller may do in their own team; callers with instance-wide permissions may do it in every team. */
const inTeam: Record<string, readonly Who[]> = {
  read: ["reader", "editor", "owner", "operator", "admin", "teamToken", "readingTeamToken"],
  write: ["editor", "owner", "operator", "admin", "teamToken"],
  action: ["editor", "owner", "operator", "admin", "teamToken"],
  delete: ["owner", "admin", "teamToken"],
  grant: ["owner", "admin", "teamToken"],
};
/** What each caller may do with the things of the instance. */
const inInstance: Record<string, readonly Who[]> = {
  read: ["operator", "admin"],
  write: ["operator", "admin"],
  action: ["operator", "admin"],
  delete: ["admin"],
  grant: ["admin"],
};
const ofInstance: readonly Who[] = ["operator", "admin"];

async function credentials(team: { id: string }): Promise<Record<Who, string | null>> {
  const elsewhere = await app.make.team();
  const [workflow] = await app.sql`
    insert into workflow (team_id, name, display_name, triggers, latest_version) values (${team.id}, 'mine', 'Mine', '{}', 1) returning id`;
  const user = async (type: "operator" | "admin") => app.make.userToken((await app.make.user({ type })).id);
  return {
    nobody: null,
    outsider: (await app.make.member(elsewhere.id, "owner")).token,
    reader: (await app.make.member(team.id, "reader")).token,
    editor: (await app.make.member(team.id, "editor")).token,
    owner: (await app.make.member(team.id, "owner")).token,
    operator: await user("operator"),
    admin: await user("admin"),
    teamToken: await app.make.teamToken(team.id),
    readingTeamToken: await app.make.teamToken(team.id, ["**/read"]),
    workflowToken: await app.make.workflowToken(team.id, workflow!["id"] as string),
  };
}

function call(endpoint: Endpoint, credential: string | null, team: string) {
  const path = endpoint.path.replace(":team", team).replace(/:\w+/g, "unknown");
  return app.as(credential).send(endpoint.method, path);
}

/** `in`: access was granted, whatever the handler returns then. */
function door({ status, body }: { status: number; body?: { reason?: string } }): string {
  if (status === 401) return "401";
  if (body?.reason === "TEAM_INVALID_REF") return "404";
  return body?.reason === "PERMISSION_DENIED" ? "403" : "in";
}

const isOpen = ({ permission }: Endpoint) => permission === "open";

test("only the listed endpoints work without a credential", () => {
  const found = all.filter(isOpen).map(({ method, path }) => `${method} ${path}`);
  expect(found.sort()).toEqual([...open].sort());
});

describe("in the own team", () => {
  test.each(
    all
      .filter(({ path, permission }) => path.includes("/:team") && permission.includes("/"))
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
  )("%s", async (_, endpoint) => {
    const found: Partial<Record<Who, string>> = {};
    const wanted: Partial<Record<Who, string>> = {};
    for (const who of everyone) {
      if (who === "workflowToken" && (endpoint.keepsToWorkflow === true || endpoint.path.includes("/:workflow"))) continue;
      const team = await app.make.team();
      found[who] = door(await call(endpoint, (await credentials(team))[who], team.name));
      wanted[who] = expectedInTeam(endpoint, who);
    }
    expect(found).toEqual(wanted);
  });

  function expectedInTeam({ permission, entrance }: Endpoint, who: Who): string {
    if (who === "nobody") return "401";
    if (who === "outsider") return "404";
    const isIn = [permission, ...(entrance ? [entrance] : [])].some((one) => inTeam[one.split("/")[1]!]!.includes(who));
    return isIn ? "in" : "403";
  }
});

describe("in a foreign team", async () => {
  const foreign = await app.make.team();
  const insiders = await credentials(await app.make.team());
  const seen = everyone.filter((who) => who !== "nobody" && who !== "outsider" && !ofInstance.includes(who));

  test.each(all.filter(({ path }) => path.includes("/:team")).map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))(
    "%s",
    async (_, endpoint) => {
      for (const reference of [foreign.name, foreign.id, foreign.name.toUpperCase()]) {
        const answers = await Promise.all(seen.map((who) => call(endpoint, insiders[who], reference)));
        expect(answers.map(door)).toEqual(seen.map(() => "404"));
        expect(answers.every(({ text }) => !text.includes(foreign.id) || reference === foreign.id)).toBe(true);
      }
    },
  );
});

describe("in the instance", async () => {
  const insiders = await credentials(await app.make.team());

  test.each(
    all
      .filter(({ path, permission }) => !path.includes("/:team") && permission.includes("/"))
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
  )("%s", async (_, endpoint) => {
    for (const who of everyone) {
      const wanted = who === "nobody" ? "401" : inInstance[endpoint.permission.split("/")[1]!]!.includes(who) ? "in" : "403";
      expect([who, door(await call(endpoint, insiders[who], ""))]).toEqual([who, wanted]);
    }
  });

  test.each(
    all.filter(({ permission }) => permission === "signed-in").map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
  )("%s takes a credential", async (_, endpoint) => {
    // Where a header is required, a missing header is reported first.
    expect((await call(endpoint, null, "x")).status).toBe((endpoint.headers as { required?: string[] })?.required ? 400 : 401);
    if (!endpoint.path.includes("/:team")) expect(door(await call(endpoint, insiders.reader, ""))).not.toBe("401");
  });
});

test("a workflow token is valid only for its own workflow", async () => {
  const team = await app.make.team();
  const { workflowToken } = await credentials(team);
  const ofWorkflow = all.filter(
    ({ path, permission }) => path.includes("/:workflow") && path.includes("/:team") && permission.includes("/"),
  );
  for (const endpoint of ofWorkflow) {
    const at = (name: string) =>
      app
        .as(workflowToken)
        .send(endpoint.method, endpoint.path.replace(":team", team.name).replace(":workflow", name).replace(/:\w+/g, "unknown"));
    expect(await at("other")).toMatchObject({ status: 404, body: { reason: "WORKFLOW_INVALID_REFERENCE" } });
  }
});
