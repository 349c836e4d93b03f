import { expect, test, vi } from "vitest";
import { createOutboundPolicy } from "./outbound-policy.ts";

test("the addresses of the database are looked up again, and kept when its name can't be resolved", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const answers: (string[] | Error)[] = [["10.0.0.1"], ["10.0.0.2"], new Error("no answer")];
    const resolve = async (): Promise<string[]> => {
      const answer = answers.shift();
      if (answer === undefined || answer instanceof Error) throw answer;
      return answer;
    };
    const guarded = [{ what: "the database", host: "db.internal", port: () => 5432 }];
    const policy = createOutboundPolicy({ privateNetworks: true, allow: [], guarded, resolve });
    const refused = async (): Promise<string[]> => {
      const rule = await policy.rule();
      return ["10.0.0.1", "10.0.0.2"].filter((address) => rule.refusal({ host: address, address, port: 5432 }) !== undefined);
    };
    expect(await refused()).toEqual(["10.0.0.1"]);
    expect(await refused()).toEqual(["10.0.0.1"]);
    vi.advanceTimersByTime(6_000);
    expect(await refused()).toEqual(["10.0.0.2"]);
    vi.advanceTimersByTime(6_000);
    expect(await refused()).toEqual(["10.0.0.2"]);
    expect(answers).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test("a socket is guarded as soon as it is open", async () => {
  const listening: { port: number | undefined } = { port: undefined };
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const guarded = [{ what: "this service", port: () => listening.port, isSealed: true }];
    const policy = createOutboundPolicy({ privateNetworks: true, allow: ["127.0.0.1"], guarded });
    const refusal = async () => (await policy.rule()).refusal({ host: "127.0.0.1", address: "127.0.0.1", port: 8080 });
    expect(await refusal()).toBeUndefined();
    listening.port = 8080;
    vi.advanceTimersByTime(6_000);
    expect(await refusal()).toContain("this service");
  } finally {
    vi.useRealTimers();
  }
});
