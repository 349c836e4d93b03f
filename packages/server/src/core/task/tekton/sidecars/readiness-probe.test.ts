import fc from "fast-check";
import { expect, test } from "vitest";
import { readProbe } from "./readiness-probe.ts";

const ports = [{ name: "sql", containerPort: 5432 }, { name: "odd", containerPort: 0 }, null];
const read = (probe: unknown) => readProbe(probe, ports, "/p");
const said = (probe: unknown): string => {
  const found = read(probe);
  return "fault" in found ? `${found.fault.path} ${found.fault.message}` : JSON.stringify(found.action);
};

test("a probe has the times of Kubernetes, and asks every second unless it says otherwise", () => {
  expect(read({ exec: { command: ["pg_isready", "-q"] } })).toEqual({
    action: { kind: "exec", command: ["pg_isready", "-q"] },
    initialDelayMs: 0,
    periodMs: 1000,
    timeoutMs: 1000,
    successes: 1,
  });
  const times = { initialDelaySeconds: 3, periodSeconds: 5, timeoutSeconds: 2, successThreshold: 4, failureThreshold: 9 };
  expect(read({ tcpSocket: { port: "sql", host: "localhost" }, ...times, terminationGracePeriodSeconds: 1 })).toEqual({
    action: { kind: "tcp", port: 5432 },
    initialDelayMs: 3000,
    periodMs: 5000,
    timeoutMs: 2000,
    successes: 4,
  });
  expect(said({ httpGet: { port: 80, path: "health?x=$(params.a)", scheme: "HTTP", httpHeaders: [{ name: "X-A", value: "b c" }] } })).toBe(
    '{"kind":"http","port":80,"path":"/health?x=$(params.a)","headers":[{"name":"X-A","value":"b c"}]}',
  );
});

test.each<[unknown, string]>([
  [null, "/p must be a map with exec, httpGet or tcpSocket"],
  [[], "/p must be a map"],
  [{}, "/p must have one of exec, httpGet, tcpSocket; it has 0"],
  [{ exec: { command: ["a"] }, tcpSocket: { port: 1 } }, "it has 2"],
  [{ grpc: { port: 1 } }, "/p/grpc is not supported; there can be exec, httpGet, tcpSocket, initialDelaySeconds"],
  [{ exec: { command: [] } }, "/p/exec/command must be a list of 1 to 100 texts"],
  [{ exec: { command: "true" } }, "/p/exec/command must be a list of texts"],
  [{ exec: { command: ["a", 1] } }, "/p/exec/command must be a list of 1 to 100 texts"],
  [{ exec: { command: ["a\0b"] } }, "/p/exec/command must not contain NUL"],
  [{ exec: { command: ["x".repeat(70_000)] } }, "/p/exec/command has 70000 bytes; it can have 65536"],
  [{ tcpSocket: { port: 0 } }, "/p/tcpSocket/port is 0; it must be a whole number from 1 to 65535"],
  [{ tcpSocket: { port: 65_536 } }, "/p/tcpSocket/port is 65536"],
  [{ tcpSocket: {} }, "/p/tcpSocket/port is missing"],
  [{ tcpSocket: { port: "$(params.port)" } }, '/p/tcpSocket/port is "$(params.port)"; it must be a number from 1 to 65535, or the name'],
  [{ tcpSocket: { port: "odd" } }, "/p/tcpSocket/port is 0; it must be a whole number"],
  [{ tcpSocket: { port: 1, host: "169.254.169.254" } }, '/p/tcpSocket/host is "169.254.169.254"; a probe asks the sidecar itself'],
  [{ httpGet: { port: 1, host: ["a"] } }, '/p/httpGet/host is ["a"]; a probe asks'],
  [{ httpGet: { port: 1, scheme: "HTTPS" } }, '/p/httpGet/scheme is "HTTPS", which is not supported; it must be HTTP'],
  [{ httpGet: { port: 1, path: "/a b" } }, "/p/httpGet/path must be a path"],
  [{ httpGet: { port: 1, path: "/\r\nX: y" } }, "/p/httpGet/path must be a path"],
  [{ httpGet: { port: 1, httpHeaders: {} } }, "/p/httpGet/httpHeaders must be a list"],
  [{ httpGet: { port: 1, httpHeaders: [{ name: "A", value: "b\r\nC: d" }] } }, "/p/httpGet/httpHeaders/0 must have name and value"],
  [{ httpGet: { port: 1, httpHeaders: [{ name: "Content-Length", value: "9" }] } }, "/p/httpGet/httpHeaders/0 must have"],
  [{ tcpSocket: { port: 1 }, periodSeconds: 0 }, "/p/periodSeconds is 0; it must be a whole number from 1 to 3600"],
  [{ tcpSocket: { port: 1 }, timeoutSeconds: "1s" }, '/p/timeoutSeconds is "1s"; it must be a whole number from 1 to 60'],
  [{ tcpSocket: { port: 1 }, initialDelaySeconds: -1 }, "/p/initialDelaySeconds is -1"],
  [{ tcpSocket: { port: 1 }, failureThreshold: 1.5 }, "/p/failureThreshold is 1.5"],
])("%j is refused", (probe, expected) => {
  expect(said(probe)).toContain(expected);
});

test("anything else is refused as well, and never ends in an error", () => {
  fc.assert(
    fc.property(fc.anything(), (probe) => {
      const found = readProbe(probe, probe, "/p");
      expect("fault" in found || "action" in found).toBe(true);
    }),
  );
});
