import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { testApp } from "../../../test/kit/app.ts";
import { repositoryRoot } from "../../base/file/repository-root.ts";

const app = await testApp();
const team = await app.make.team();
const path = `/api/v2/team/${team.name}/task`;
const editor = app.as((await app.make.member(team.id, "editor")).token);
const asYaml = { accept: "application/x-yaml" };
const fromYaml = { "content-type": "application/x-yaml" };

describe("GET", () => {
  test("the latest version, or another one, by name and by id", async () => {
    const { body: first } = await editor.put(`${path}/t`, { spec: { script: "one" } });
    await editor.put(`${path}/t`, { spec: { script: "two" } });
    expect((await editor.get(`${path}/t`)).body).toMatchObject({ version: 2, spec: { script: "two" } });
    expect((await editor.get(`${path}/${first.id}?version=1`)).body).toMatchObject({ version: 1, spec: { script: "one" } });
    expect(await editor.get(`${path}/t?version=9`)).toMatchObject({
      status: 404,
      body: { code: 1401, reason: "TASK_INVALID_REFERENCE", message: "There is no task or template t in version 9" },
    });
    for (const version of ["0", "x", "1.5", "99999999999"]) expect((await editor.get(`${path}/t?version=${version}`)).status).toBe(400);
    expect((await editor.get(`${path}/unknown`)).status).toBe(404);
  });

  test("does not find another team's task, nor a global one under a team", async () => {
    await app.as().put("/api/v2/task/global-one", { spec: { script: "x" } });
    const { body } = await editor.put(`${path}/mine`, { spec: { script: "x" } });
    const other = await app.make.team();
    const outsider = app.as((await app.make.member(other.id, "owner")).token);
    for (const ref of ["mine", body.id]) {
      expect((await outsider.get(`/api/v2/team/${other.name}/task/${ref}`)).status).toBe(404);
      expect((await outsider.get(`/api/v2/team/${team.name}/task/${ref}`)).body.reason).toBe("TEAM_INVALID_REF");
      expect((await app.as().get(`/api/v2/task/${ref}`)).status).toBe(404);
      expect((await outsider.get(`/api/v2/team/${other.name}/task/${ref}/changelog`)).status).toBe(404);
    }
    expect((await editor.get(`${path}/global-one`)).status).toBe(404);
    expect((await outsider.get("/api/v2/task/global-one")).status).toBe(200);
    expect((await outsider.get("/api/v2/task/global-one/changelog")).body).toHaveLength(1);
    expect((await app.as(null).get("/api/v2/task/global-one")).status).toBe(401);
  });

  test("as a document, in the spelling of the media type that is accepted", async () => {
    await editor.put(`${path}/doc`, {
      displayName: "A document",
      labels: { a: "on" },
      spec: { script: "#!/bin/sh\necho hi\n", arguments: ["1.0"] },
    });
    const answer = await editor.get(`${path}/doc`, asYaml);
    expect(answer.headers).toMatchObject({ "content-type": "application/x-yaml; charset=utf-8", vary: expect.stringContaining("Accept") });
    expect(answer.text).toBe(`apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: doc
  labels:
    a: "on"
  annotations:
    millrace.dev/displayName: A document
    millrace.dev/type: template
    millrace.dev/version: 1
    millrace.dev/verified: false
spec:
  steps:
    - name: doc
      args:
        - "1.0"
      script: |
        #!/bin/sh
        echo hi
`);
    for (const accept of ["application/yaml", "text/yaml, */*;q=0.1", "application/json;q=0.5, text/x-yaml"]) {
      expect((await editor.get(`${path}/doc`, { accept })).text).toBe(answer.text);
    }
    for (const accept of ["*/*", "application/json", "text/html, */*"]) {
      expect((await editor.get(`${path}/doc`, { accept })).body).toMatchObject({ name: "doc" });
    }
    expect((await editor.get(`${path}/doc`, { accept: "image/png" })).status).toBe(406);
  });
});

describe("a document with comments", () => {
  const document = (name: string, preset = "") => `# What it is for
apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: ${name}   # as workflows call it
spec:
  # What it needs
  params:
  - {name: token, default: "${preset}"} # ${preset || "none"} for now
  steps:
  - name: only
    script: |-
      echo "no line end"   # said once
`;

  test("comes back with them, edited as text or read in an earlier version", async () => {
    await editor.post(path, document("told"), fromYaml);
    const first = (await editor.get(`${path}/told`, asYaml)).text;
    expect(first).toContain(document("told").slice(document("told").indexOf("spec:")));
    expect(first).toMatch(/^# What it is for\n/);
    expect(first).toContain("name: told # as workflows call it\n");
    const edited = first.replace("said once", "said twice");
    expect((await editor.put(`${path}/told`, edited, { ...fromYaml, ...asYaml })).text).toBe(
      edited.replace('millrace.dev/version: "1"', 'millrace.dev/version: "2"'),
    );
    expect((await editor.get(`${path}/told?version=1`, asYaml)).text).toBe(first);
    await editor.put(`${path}/told`, { spec: { script: "echo other" } });
    expect((await editor.get(`${path}/told`, asYaml)).text).not.toContain("# ");
  });

  test("loses its comments when a secret is in it, which a comment could repeat", async () => {
    const form = "  annotations:\n    millrace.dev/params: [{name: token, type: password}]\nspec:";
    const sent = (preset: string) => document("hidden", preset).replace("spec:", form);
    await editor.post(path, sent("a-secret-text"), fromYaml);
    const read = (await editor.get(`${path}/hidden`, asYaml)).text;
    expect(read).not.toContain("a-secret-text");
    expect(read).not.toContain("# What");
    await editor.put(`${path}/hidden`, sent(""), fromYaml);
    expect((await editor.get(`${path}/hidden`, asYaml)).text).toContain("# What it needs");
  });
});

/** Documents of the public catalogue, which are no part of this repository; read when someone has put them beside it. */
const catalogue = join(repositoryRoot, "../shared/data/tekton-catalog");
const shipped = join(repositoryRoot, "packages/server/catalog/tasks");
const files = [catalogue, shipped].flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)) : []));

describe.each(files.map((file) => [file.split("/").at(-1), file] as const))("%s", (_name, file) => {
  test("goes in and comes out without loss, also after a client of the JSON interface sent it back", async () => {
    const text = readFileSync(file, "utf8");
    const original = parse(text, { schema: "failsafe" });
    // Some have privileged steps.
    app.context.allowsPrivileged = true;
    await app.as().patch(`/api/v2/team/${team.name}`, { allowPrivileged: true });
    const created = await editor.post(path, text, fromYaml);
    expect(created).toMatchObject({ status: 200, body: { name: original.metadata.name } });
    const read = async () => parse((await editor.get(`${path}/${original.metadata.name}`, asYaml)).text, { schema: "failsafe" });
    expect(await read()).toMatchObject(original.metadata.labels ? { metadata: { labels: original.metadata.labels } } : {});
    expect((await read()).spec).toEqual(original.spec);
    const sentBack = await editor.put(`${path}/${original.metadata.name}`, created.body);
    expect(sentBack).toMatchObject({ status: 200, body: { version: 2, spec: created.body.spec, annotations: created.body.annotations } });
    const again = (await read()).spec;
    expect({ ...again, params: undefined }).toEqual({ ...original.spec, params: undefined });
    expect(again.params ?? []).toMatchObject(original.spec.params ?? []);
    expect(
      await editor.put(`${path}/${original.metadata.name}`, (await editor.get(`${path}/${original.metadata.name}`, asYaml)).text, fromYaml),
    ).toMatchObject({
      status: 200,
      body: { version: 3, spec: created.body.spec },
    });
  });
});
