import type { Step } from "@millrace/contract/task/task.ts";
import { describe, expect, it } from "vitest";
import { envSourceFaults, type FindSource, MissingSource } from "./env-sources.ts";
import { resolveSteps } from "./job-steps.ts";

const sources: Record<string, Record<string, unknown>> = {
  "secret registry": { user: "someone", password: "$(params.name)" },
  "config settings": { level: "debug", port: 8080, user: "nobody" },
};
const find: FindSource = (kind, name) => sources[`${kind} ${name}`];
const secretKey = (name: string, key: string, more = {}) => ({ valueFrom: { secretKeyRef: { name, key, ...more } } });

function environment(step: Step, template?: Step) {
  const spec = { steps: [{ name: "s", script: "true", ...step }], ...(template && { stepTemplate: template }) };
  const { steps } = resolveSteps({ name: "t", type: "template", spec, annotations: {} }, { task: { name: "registry" } }, find);
  return Object.fromEntries((steps[0]?.env ?? []).map(({ name, value }) => [name, value]));
}

describe("the environment of a step", () => {
  it("has the content of Secrets and ConfigMaps, in which references are not resolved", () => {
    const env = [
      { name: "A", value: "$(params.name)" },
      { name: "B", ...secretKey("registry", "password") },
      { name: "C", valueFrom: { configMapKeyRef: { name: "settings", key: "port" } } },
    ];
    expect(environment({ env })).toEqual({ A: "registry", B: "$(params.name)", C: "8080" });
  });

  it("takes all keys with envFrom, later ones over earlier ones, and env over both", () => {
    const envFrom = [
      { secretRef: { name: "registry" } },
      { configMapRef: { name: "settings" } },
      { prefix: "R_", secretRef: { name: "registry" } },
    ];
    expect(environment({ envFrom, env: [{ name: "level", value: "info" }] })).toEqual({
      user: "nobody",
      password: "$(params.name)",
      level: "info",
      port: "8080",
      R_user: "someone",
      R_password: "$(params.name)",
    });
  });

  it("finds names that come from parameters, and what the step template says", () => {
    const env = [{ name: "A", ...secretKey("$(params.name)", "user") }];
    expect(environment({}, { env })).toEqual({ A: "someone" });
  });

  it("says what is missing, unless it is optional", () => {
    const missing = (step: Step) => () => environment(step);
    expect(missing({ env: [{ name: "A", ...secretKey("other", "user") }] })).toThrow(MissingSource);
    expect(missing({ env: [{ name: "A", ...secretKey("other", "user") }] })).toThrow(
      "there is no secret other; add a parameter other of type secret",
    );
    expect(missing({ env: [{ name: "A", ...secretKey("registry", "token") }] })).toThrow("the secret registry has no key token");
    expect(missing({ env: [{ name: "A", ...secretKey("settings", "level") }] })).toThrow("there is no secret settings");
    expect(missing({ envFrom: [{ configMapRef: { name: "registry" } }] })).toThrow("there is no ConfigMap registry");
    expect(missing({ env: [{ name: "A", ...secretKey("registry", "toString") }] })).toThrow("has no key toString");
    const optional = { optional: true };
    expect(
      environment({ env: [{ name: "A", ...secretKey("other", "user", optional) }], envFrom: [{ secretRef: { name: "x", ...optional } }] }),
    ).toEqual({});
  });
});

describe("hostile sources", () => {
  it("a missing optional key is ignored, whatever its name, and does not hide values of envFrom", () => {
    const optional = { optional: true };
    const env = ["constructor", "toString", "__proto__"].map((key) => ({ name: key, ...secretKey("registry", key, optional) }));
    expect(environment({ env })).toEqual({});
    const envFrom = [{ secretRef: { name: "registry" } }];
    expect(environment({ envFrom, env: [{ name: "user", ...secretKey("other", "user", optional) }] })).toHaveProperty("user", "someone");
  });

  it("a source is read once for any number of variables", () => {
    let looks = 0;
    const counting: FindSource = () => {
      looks++;
      return { a: { large: "value" } };
    };
    const env = Array.from({ length: 1000 }, (_, n) => ({
      name: `V${n}`,
      valueFrom: { configMapKeyRef: { name: "settings", key: "a" } },
    }));
    const spec = { steps: [1, 2].map((n) => ({ name: `s${n}`, script: "true", env })) };
    const { steps } = resolveSteps({ name: "t", type: "template", spec, annotations: {} }, { task: {} }, counting);
    expect(steps[1]?.env).toHaveLength(1000);
    expect(looks).toBe(1);
  });

  it("more variables than a step can use are refused", () => {
    const large = Object.fromEntries(Array.from({ length: 2001 }, (_, n) => [`k${n}`, "v"]));
    const step = { name: "s", script: "true", envFrom: [{ configMapRef: { name: "settings" } }] };
    const task = { name: "t", type: "template", spec: { steps: [step] }, annotations: {} };
    expect(() => resolveSteps(task, { task: {} }, () => large)).toThrow("envFrom gives more than 2000 variables");
  });
});

describe("a source that can't be read", () => {
  it.each<[string, Step, string]>([
    ["value and valueFrom", { env: [{ name: "A", value: "x", ...secretKey("a", "b") }] }, "has both value and valueFrom for A"],
    ["no key", { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "a" } } }] }, "with name and key as texts"],
    [
      "two of them",
      { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "a", key: "b" }, configMapKeyRef: { name: "a", key: "b" } } }] },
      "must be",
    ],
    ["nothing", { env: [{ name: "A", valueFrom: {} }] }, "must be secretKeyRef or configMapKeyRef"],
    ["no list", { envFrom: { secretRef: { name: "a" } } as never }, "must be a list"],
    ["a name that every object has", { envFrom: [{ constructor: { name: "a" } } as never] }, "must have secretRef or configMapRef"],
    ["optional as text", { env: [{ name: "A", ...secretKey("a", "b", { optional: "true" }) }] }, "optional is true or false"],
    ["a prefix that is no text", { envFrom: [{ prefix: 5, secretRef: { name: "a" } }] }, "must be text without ="],
    ["a prefix with =", { envFrom: [{ prefix: "X=", secretRef: { name: "a" } }] }, "must be text without ="],
    ["101 sources", { envFrom: Array.from({ length: 101 }, () => ({ secretRef: { name: "a" } })) }, "has 101 entries"],
    ["no name", { envFrom: [{ secretRef: {} }] }, "must have secretRef or configMapRef"],
    ["a key where all are taken", { envFrom: [{ secretKeyRef: { name: "a", key: "b" } }] }, "must have secretRef or configMapRef"],
  ])("is refused: %s", (_, step, message) => {
    expect(envSourceFaults(step, "/spec/steps/0").map((fault) => fault.message)).toEqual([expect.stringContaining(message)]);
  });
});
