import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { errorOfTool, machineFaultOf } from "./machine-fault.ts";

const coded = (code: string, syscall = "open") => Object.assign(new Error(code), { code, syscall });

test.each(["ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE", "ENOMEM", "EIO"])(
  "%s is a fault of the machine, wherever it is met",
  (code) => {
    expect(machineFaultOf(coded(code))).toMatchObject({ code });
    expect(machineFaultOf(new Error("it went wrong", { cause: coded(code) }))).toMatchObject({ code });
  },
);

test("EAGAIN is one only when starting a process", () => {
  expect(machineFaultOf(coded("EAGAIN", "spawn /bin/sh"))).toMatchObject({ code: "EAGAIN" });
  expect(machineFaultOf(coded("EAGAIN", "read"))).toBeUndefined();
});

test.each(["ENOENT", "EACCES", "EEXIST", "E2BIG", "ECONNREFUSED"])("%s is none", (code) => {
  expect(machineFaultOf(coded(code))).toBeUndefined();
});

test("a missing program is not a fault of the machine", async () => {
  const error = await new Promise((resolve) => spawn("/nonexistent/program").on("error", resolve));
  expect(machineFaultOf(error)).toBeUndefined();
});

test("what a program of the system says about the machine is one", () => {
  expect(machineFaultOf(errorOfTool("no pipes", "mkfifo: cannot create fifo '/tmp/1': No space left on device\n"))).toMatchObject({
    code: "ENOSPC",
  });
  expect(machineFaultOf(errorOfTool("no pipes", "mkfifo: cannot create fifo '/tmp/1': File exists"))).toBeUndefined();
});
