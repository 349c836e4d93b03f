import { type ClientRequest, get, type IncomingMessage } from "node:http";

export interface Follower {
  request: ClientRequest;
  response: IncomingMessage;
  text: string;
  /** Resolves when this much has been received. */
  until(text: string): Promise<void>;
  /** Resolves when the response has ended; false if it was cut. */
  ended: Promise<boolean>;
}

/** Reads a streamed response over a real connection; resolves with its head. */
export function followStream(port: number, path: string, token: string, headers: Record<string, string> = {}): Promise<Follower> {
  return new Promise((resolve, reject) => {
    const request = get({ port, path, headers: { ...headers, authorization: `Bearer ${token}` }, agent: false }, (response) => {
      resolve(readAlong(request, response));
    });
    request.on("error", reject);
  });
}

function readAlong(request: ClientRequest, response: IncomingMessage): Follower {
  let check = () => {};
  const follower: Follower = {
    request,
    response,
    text: "",
    until: (text) =>
      new Promise((done, fail) => {
        check = () => follower.text.includes(text) && done();
        response.once("close", () => fail(new Error(`ended before ${text}: ${follower.text}`)));
        check();
      }),
    ended: new Promise((done) => response.once("close", () => done(response.complete))),
  };
  response.setEncoding("utf8").on("data", (chunk: string) => {
    follower.text += chunk;
    check();
  });
  response.on("error", () => {});
  return follower;
}
