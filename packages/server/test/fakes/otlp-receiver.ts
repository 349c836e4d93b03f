import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A span as an OpenTelemetry collector reads it. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Record<string, string>;
  /** Message of the status; undefined: not an error. */
  error: string | undefined;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Attributes of the resource, such as `service.name`. */
  resource: Record<string, string>;
  headers: IncomingHttpHeaders[];
}

/** Receives traces as OTLP over HTTP in protobuf, decoded only by the rules of the wire format. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const receiver: OtlpReceiver = { url: "", spans: [], resource: {}, headers: [] };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      receiver.headers.push(request.headers);
      const isTraces =
        request.method === "POST" && request.url === "/v1/traces" && request.headers["content-type"] === "application/x-protobuf";
      if (isTraces) readExport(Buffer.concat(parts), receiver);
      response.writeHead(isTraces ? 200 : 404, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

/** Fields by number, with all their occurrences: numbers of 32 and 64 bits as bigint, the rest as bytes. */
type Message = Map<number, (bigint | Buffer)[]>;

function readExport(bytes: Buffer, receiver: OtlpReceiver): void {
  for (const perResource of messages(read(bytes), 1)) {
    for (const resource of messages(perResource, 1)) Object.assign(receiver.resource, attributesIn(resource, 1));
    for (const perScope of messages(perResource, 2)) receiver.spans.push(...messages(perScope, 2).map(toSpan));
  }
}

function toSpan(span: Message): ReceivedSpan {
  const [status] = messages(span, 15);
  const nanoseconds = (field: number) => Number(((span.get(field)?.[0] as bigint | undefined) ?? 0n) / 1000n) / 1000;
  return {
    ...{ traceId: hex(span, 1), spanId: hex(span, 2), parentSpanId: hex(span, 4), name: text(span, 5) },
    kind: Number(span.get(6)?.[0] ?? 0),
    ...{ startMs: nanoseconds(7), endMs: nanoseconds(8), attributes: attributesIn(span, 9) },
    error: status && Number(status.get(3)?.[0] ?? 0) === 2 ? text(status, 2) : undefined,
  };
}

function attributesIn(message: Message, field: number): Record<string, string> {
  return Object.fromEntries(
    messages(message, field).map((pair) => {
      const [value] = messages(pair, 2);
      const isText = value?.has(1);
      return [text(pair, 1), isText ? text(value as Message, 1) : String([...(value?.values() ?? [])][0]?.[0] ?? "")];
    }),
  );
}

function messages(message: Message, field: number): Message[] {
  return (message.get(field) ?? []).map((bytes) => read(bytes as Buffer));
}

const hex = (message: Message, field: number) => ((message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString("hex");
const text = (message: Message, field: number) => String(message.get(field)?.[0] ?? "");

function read(bytes: Buffer): Message {
  const message: Message = new Map();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at++] as number);
      value |= (byte & 127n) << shift;
      if (byte < 128n) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const value = readValue(key & 7, varint, take);
    message.set(key >> 3, [...(message.get(key >> 3) ?? []), value]);
  }
  return message;
}

function readValue(wireType: number, varint: () => bigint, take: (length: number) => Buffer): bigint | Buffer {
  if (wireType === 0) return varint();
  if (wireType === 1) return take(8).readBigUInt64LE();
  if (wireType === 5) return BigInt(take(4).readUInt32LE());
  return take(Number(varint()));
}
