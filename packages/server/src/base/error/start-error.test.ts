import { expect, test } from "vitest";
import { explainFault, faultOf, StartError } from "./start-error.ts";

const fault = (code: string, more: object = {}) => Object.assign(new Error(`${code}: words, open`), { code, syscall: "open", ...more });

test.each([
  ["EROFS", "its file system is read-only (EROFS). Mount it writable"],
  ["EACCES", "this user has no permission to use it (EACCES). Start Millrace as the user it belongs to"],
  ["ENOSPC", "the disk is full (ENOSPC). Free some space there"],
  ["EMFILE", "this process has reached its limit of open files (EMFILE). Raise its limit, for example with: ulimit -n 4096"],
])("%s is reported in words, with a remedy", (code, words) => {
  const told = faultOf(fault(code), "The data folder /x cannot be made");
  expect(told).toBeInstanceOf(StartError);
  expect(told.message).toContain(`The data folder /x cannot be made: ${words}`);
  expect(explainFault(fault(code, { path: "/x/admin-token" }))?.message).toContain(`/x/admin-token cannot be used: ${words}`);
});

test("a limit of the process needs no path, and other errors stay bugs", () => {
  expect(explainFault(fault("EMFILE", { syscall: "spawn find" }))?.message).toContain(
    "this process has reached its limit of open files (EMFILE)",
  );
  for (const other of [
    new TypeError("x"),
    fault("ERR_INVALID_ARG", { path: "/x" }),
    fault("EACCES"),
    fault("ENOENT", { path: "/x" }),
    undefined,
  ])
    expect(explainFault(other)).toBeUndefined();
});
