import { describe, expect, test } from "vitest";
import { readBinaryEvent, readStructuredEvent, workflowOfSubject } from "./cloud-event.ts";

const event = { specversion: "1.0", id: "1", source: "/shop", type: "order.placed" };
const faults = (read: ReturnType<typeof readStructuredEvent>) => ("faults" in read ? read.faults.map(({ path }) => path) : []);

describe("a structured event", () => {
  test("is kept unchanged, with extensions, and null counts as absent", () => {
    const given = { ...event, time: "2026-03-01T12:00:00+01:00", trace: "abc", data: { a: [1] } };
    expect(readStructuredEvent({ ...given, subject: null })).toEqual({ event: given, data: { a: [1] } });
    expect(readStructuredEvent(event)).toEqual({ event, data: undefined });
    for (const data of ["text", 5, false, []]) expect(readStructuredEvent({ ...event, data })).toMatchObject({ data });
  });

  test("of version 0.3 is read as well", () => {
    const old = { ...event, specversion: "0.3", schemaurl: "http://x", datacontentencoding: "base64", datacontenttype: "application/json" };
    expect(readStructuredEvent({ ...old, data: Buffer.from('{"a":1}').toString("base64") })).toMatchObject({ data: { a: 1 } });
  });

  test("with data in base64 gives what its content type says", () => {
    const encoded = (datacontenttype: string | undefined, text: string) => ({
      ...event,
      ...(datacontenttype && { datacontenttype }),
      data_base64: Buffer.from(text).toString("base64"),
    });
    expect(readStructuredEvent(encoded("application/vnd.x+json; charset=utf-8", "[1]"))).toMatchObject({ data: [1] });
    expect(readStructuredEvent(encoded(undefined, "no json"))).toMatchObject({ data: "no json" });
    expect(readStructuredEvent(encoded("text/plain", "[1]"))).toMatchObject({ data: "[1]" });
    expect(readStructuredEvent(encoded("image/png", "png"))).toMatchObject({ data: Buffer.from("png").toString("base64") });
  });

  test.each<[unknown, string[]]>([
    [{}, ["/specversion", "/id", "/source", "/type"]],
    [{ ...event, id: undefined }, ["/id"]],
    [{ ...event, id: "" }, ["/id"]],
    [{ ...event, id: 5 }, ["/id"]],
    [{ ...event, source: null }, ["/source"]],
    [{ ...event, type: {} }, ["/type"]],
    [{ ...event, specversion: "2.0" }, ["/specversion"]],
    [{ ...event, specversion: 1 }, ["/specversion"]],
    [{ ...event, subject: 5 }, ["/subject"]],
    [{ ...event, time: "yesterday" }, ["/time"]],
    [{ ...event, time: "2026-13-01T00:00:00Z" }, ["/time"]],
    [{ ...event, source: "x".repeat(2001) }, ["/source"]],
    [{ ...event, data: 1, data_base64: "AA==" }, ["/data_base64"]],
    [{ ...event, data_base64: "%%" }, ["/data_base64"]],
    [{ ...event, specversion: "0.3", datacontentencoding: "base64", data: {} }, ["/data"]],
    [{ ...event, data_base64: Buffer.from("text\0").toString("base64"), datacontenttype: "text/plain" }, ["/data"]],
    [[], [""]],
    ["text", [""]],
    [null, [""]],
  ])("%j is refused with the reason", (value, paths) => expect(faults(readStructuredEvent(value))).toEqual(paths));
});

describe("a binary event", () => {
  const headers = { "ce-specversion": "1.0", "ce-id": "1", "ce-source": "/shop", "ce-type": "t", host: "x" };

  test("has its attributes in headers, percent-decoded, and its data in the body", () => {
    const read = readBinaryEvent({ ...headers, "ce-subject": "caf%C3%A9 100%25", "ce-trace": "50%" }, "application/json", { a: 1 });
    const attributes = { specversion: "1.0", id: "1", source: "/shop", type: "t", subject: "café 100%", trace: "50%" };
    expect(read).toEqual({ event: { ...attributes, datacontenttype: "application/json", data: { a: 1 } }, data: { a: 1 } });
    const raw = Buffer.from("café").toString("latin1");
    expect(readBinaryEvent({ ...headers, "ce-subject": raw, "ce-trace": "caf\u00e9" }, "", undefined)).toMatchObject({
      event: { subject: "café", trace: "café" },
    });
    expect(readBinaryEvent(headers, "", undefined)).toMatchObject({ data: undefined });
  });

  test("says which header is missing or can't be kept", () => {
    expect(faults(readBinaryEvent({ "ce-id": "1" }, "", undefined))).toEqual(["ce-specversion", "ce-source", "ce-type"]);
    expect(faults(readBinaryEvent({ ...headers, "ce-trace": "%00" }, "", undefined))).toEqual(["ce-trace"]);
  });
});

test.each([
  ["/build", "build"],
  ["/build/topic/x", "build"],
  ["build", "build"],
  ["//build/", "build"],
  ["/", undefined],
  ["", undefined],
  [undefined, undefined],
])("the subject %s names the workflow %s", (subject, workflow) => expect(workflowOfSubject(subject)).toBe(workflow));
