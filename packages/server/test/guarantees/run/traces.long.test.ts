import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTracing } from "../../../src/base/trace/open-tracing.ts";
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from "../../fakes/otlp-receiver.ts";
import { startService } from "../../kit/start/start-service.ts";
import { until } from "../../kit/until.ts";

/** Runs as traces, from the caller through the service to the process of a step, as a collector receives them. */
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const caller = `00-${traceId}-00f067aa0ba902b7-01`;

const task = `
apiVersion: tekton.dev/v1
kind: Task
metadata: { name: tell }
spec:
  results: [{ name: parent }]
  steps:
    - name: tell
      script: |
        #!/bin/sh
        printf %s "\${TRACEPARENT-none}" > $(results.parent.path)
`;

async function world(environment: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "traces-"));
  const service = await startService(folder, { MILLRACE_ALLOW_UNSANDBOXED: "true", MILLRACE_SEED: "false", ...environment });
  onTestFinished(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const token = readFileSync(join(folder, ".millrace/admin-token"), "utf8").trim();
  const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const isText = typeof body === "string";
    const response = await fetch(`${service.address}/api/v2${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": isText ? "application/x-yaml" : "application/json", ...headers },
      body: isText ? body : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  await send("/team", { name: "hawks", displayName: "Hawks" });
  await send("/team/hawks/task", task);
  await send("/team/hawks/workflow", { name: "inner", tasks: [{ name: "tell", taskRef: "tell" }] });
  const nested = { name: "nest", taskRef: "run-workflow", params: [{ name: "workflowRef", value: "inner" }] };
  await send("/team/hawks/workflow", { name: "outer", tasks: [{ name: "tell", taskRef: "tell" }, nested] });
  const submit = (workflow: string, headers = {}) => send(`/team/hawks/workflow/${workflow}/submit?start=true&wait=30s`, {}, headers);
  const parentOf = async (run: { id: string }) => {
    const { tasks } = await service.api<{ tasks: { name: string; results: { value: string }[] }[] }>(
      "GET",
      `/team/hawks/workflowrun/${run.id}`,
    );
    return tasks.find(({ name }) => name === "tell")?.results[0]?.value;
  };
  return { service, send, submit, parentOf };
}

const named = ({ spans }: OtlpReceiver, name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`there is no span ${name} among ${spans.map((span) => span.name).join(", ")}`);
  return found;
};

test("a request, its run, its task runs and their attempts are one trace under the caller's, and a step hangs its own spans under its attempt", async () => {
  const collector = await otlpReceiver();
  const { submit, parentOf, service } = await world({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=secret-of-the-collector",
    OTEL_BSP_SCHEDULE_DELAY: "50",
    OTEL_SERVICE_NAME: "mill",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
  });
  const run = await submit("outer", { traceparent: caller });
  expect(run.status).toBe("succeeded");
  const requestOf = () => collector.spans.find(({ kind, traceId: id }) => kind === 2 && id === traceId);
  const wanted = ["run outer", "run inner", "task nest"];
  await until(
    () => requestOf() !== undefined && wanted.every((one) => collector.spans.some(({ name }) => name === one)),
    "the spans of the request and of both runs",
  );
  const request = requestOf();
  expect(request).toMatchObject({
    name: "POST /api/v2/team/:team/workflow/:workflow/submit",
    parentSpanId: "00f067aa0ba902b7",
    attributes: { "http.route": "/api/v2/team/:team/workflow/:workflow/submit", "http.response.status_code": "200" },
  });
  const outer = named(collector, "run outer");
  expect(outer).toMatchObject({
    ...{ traceId, parentSpanId: request?.spanId, error: undefined },
    attributes: { "millrace.run.id": run.id, "millrace.run.status": "succeeded", "millrace.workflow.name": "outer" },
  });
  const tell = collector.spans.find(({ name, parentSpanId }) => name === "task tell" && parentSpanId === outer.spanId);
  const attempt = collector.spans.find(({ name, parentSpanId }) => name === "attempt 1" && parentSpanId === tell?.spanId);
  expect(attempt).toMatchObject({ traceId, attributes: { "millrace.executor": "process" } });
  expect(await parentOf(run)).toBe(`00-${traceId}-${attempt?.spanId}-01`);
  expect(named(collector, "run inner")).toMatchObject({ traceId, parentSpanId: named(collector, "task nest").spanId });
  for (const span of collector.spans) {
    expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
    expect(span.startMs).toBeGreaterThan(Date.now() - 600_000);
  }
  expect(attempt?.startMs).toBeGreaterThanOrEqual(tell?.startMs as number);
  expect(attempt?.endMs).toBeLessThanOrEqual(outer.endMs);
  expect(collector.resource).toMatchObject({ "service.name": "mill", "deployment.environment": "test" });
  expect(collector.headers[0]).toMatchObject({ "x-key": "secret-of-the-collector" });
  expect(service.log.find((line) => line.includes('"run ended"') && line.includes(run.id))).toContain(`"traceId":"${traceId}"`);

  // Without a caller's trace, the trace has the ID of the run; a caller that asks for no trace gets none.
  const own = await submit("inner");
  expect(await parentOf(own)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const before = collector.spans.length;
  const unsampled = await submit("inner", { traceparent: `00-${"a".repeat(32)}-00f067aa0ba902b7-00` });
  expect(await parentOf(unsampled)).toMatch(/^00-a{32}-[0-9a-f]{16}-00$/);
  await service.stop();
  expect(collector.spans.slice(before).filter((span) => span.traceId === "a".repeat(32))).toEqual([]);
  expect(collector.spans.some(({ attributes }) => attributes["millrace.run.id"] === own.id)).toBe(true);
});

test("without a collector, steps get the trace of the caller, and nothing if there is none or it is no trace", async () => {
  const { submit, parentOf } = await world({});
  expect(await parentOf(await submit("inner", { traceparent: caller }))).toBe(caller);
  expect(await parentOf(await submit("inner"))).toBe("none");
  expect(await parentOf(await submit("inner", { traceparent: "00-'; rm -rf /" }))).toBe("none");
  expect(await parentOf(await submit("outer", { traceparent: caller }))).toBe(caller);
});

test("an unreachable collector affects no run, start or stop", async () => {
  const { submit, service } = await world({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
  expect((await submit("inner")).status).toBe("succeeded");
  expect(await service.stop()).toBe(0);
});

test.each([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf, not grpc/],
  [{ OTEL_TRACES_SAMPLER: "often" }, /OTEL_TRACES_SAMPLER must be one of .*, not often/],
  [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" }, /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not 2/],
])("%j is refused at the start", async (more, message) => {
  await expect(openTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", ...more })).rejects.toThrow(message);
});

test("traces are off without an endpoint, or when they are switched off", async () => {
  expect(await openTracing({ OTEL_SERVICE_NAME: "mill" })).toBeUndefined();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  expect(await openTracing({ ...endpoint, OTEL_SDK_DISABLED: "true" })).toBeUndefined();
  expect(await openTracing({ ...endpoint, OTEL_TRACES_EXPORTER: "none" })).toBeUndefined();
});
