import { expect, test } from "vitest";
import { readAddress } from "./address.ts";
import { chooseConnection, readWanted } from "./choose-connection.ts";

const config = {
  current: "prod",
  contexts: {
    prod: { url: "https://prod.example.com", token: "of-prod", team: "mill" },
    stage: { url: "https://stage.example.com/base", token: "of-stage" },
    left: { url: "https://left.example.com" },
  },
};

test.each([
  ["nothing", {}, {}, { url: "https://prod.example.com", token: "of-prod", team: "mill" }],
  ["a context", { context: "stage" }, {}, { url: "https://stage.example.com/base", token: "of-stage" }],
  ["a context of the environment", {}, { MILLRACE_CONTEXT: "stage" }, { token: "of-stage" }],
  [
    "a flag before the environment",
    { context: "stage" },
    { MILLRACE_CONTEXT: "prod", MILLRACE_URL: "https://x.example.com" },
    { token: "of-stage" },
  ],
  ["the saved address, written otherwise", { url: "HTTPS://Stage.example.com:443/base/" }, {}, { token: "of-stage", context: "stage" }],
  ["another address", { url: "https://evil.example.com" }, {}, { url: "https://evil.example.com", token: undefined, team: undefined }],
  ["another port", { url: "https://prod.example.com:8443" }, {}, { token: undefined }],
  ["the address without encryption", { url: "http://prod.example.com" }, {}, { token: undefined }],
  [
    "a token of the environment",
    {},
    { MILLRACE_TOKEN: "of-ci", MILLRACE_TEAM: "ci" },
    { url: "https://prod.example.com", token: "of-ci", team: "ci" },
  ],
  [
    "all of the environment",
    {},
    { MILLRACE_URL: "ci.example.com", MILLRACE_TOKEN: "of-ci" },
    { url: "https://ci.example.com", token: "of-ci" },
  ],
  [
    "a context beside the address and the token of the environment",
    { context: "stage" },
    { MILLRACE_URL: "ci.example.com", MILLRACE_TOKEN: "of-ci" },
    { url: "https://stage.example.com/base", token: "of-stage" },
  ],
  [
    "an address beside those of the environment",
    { url: "https://evil.example.com" },
    { MILLRACE_URL: "ci.example.com", MILLRACE_TOKEN: "of-ci" },
    { url: "https://evil.example.com", token: undefined },
  ],
  [
    "the address of the environment, written otherwise",
    { url: "https://ci.example.com:443/" },
    { MILLRACE_URL: "ci.example.com", MILLRACE_TOKEN: "of-ci" },
    { token: "of-ci" },
  ],
  ["a signed-out context", { context: "left" }, {}, { token: undefined }],
])("with %s, a token is sent only to its own address", (_, flags, environment, expected) => {
  expect(chooseConnection(readWanted(flags, environment), config)).toMatchObject(expected);
});

test.each([
  [{}, { contexts: {} }, /^No service is chosen/],
  [{ context: "none" }, config, /^There is no context none/],
  [{ context: "__proto__" }, config, /^There is no context __proto__/],
  [{ url: "https://x.example.com", context: "prod" }, config, /is for https:\/\/prod.example.com, not for https:\/\/x.example.com/],
])("%j is refused", (flags, saved, message) => {
  expect(() => chooseConnection(readWanted(flags, {}), saved)).toThrow(message);
});

test.each([
  ["localhost:8080", "http://localhost:8080"],
  ["127.0.0.1:8080/", "http://127.0.0.1:8080"],
  ["millrace.example.com", "https://millrace.example.com"],
  ["http://millrace/base/", "http://millrace/base"],
])("the address %s is %s", (given, address) => {
  expect(readAddress(given)).toBe(address);
});

test.each([
  "ftp://x",
  "https://user:secret@x",
  "https://user:secret@x:99999",
  "ftp://user:secret@x",
  "user:secret@x:99999",
  "https://u:secret@@@",
  "https://x?q=1",
  "https://x#y",
  "",
  "https://",
])("%j is refused as an address, and a password in it is not repeated", (given) => {
  expect(() => readAddress(given)).toThrow(/^(?!.*secret)/);
});
