import { describe, expect, it } from "vitest";
import { readScript } from "./step-command.ts";

describe("the interpreter of a script", () => {
  it.each([
    ["no first line", "echo hi\n", ["/bin/sh", "-e"], "echo hi\n"],
    ["a shell", "#!/bin/bash\necho", ["/bin/bash"], "#!/bin/bash\necho"],
    [
      "one argument, blanks and all",
      "#! /usr/bin/env -S node --x  \n1",
      ["/usr/bin/env", "-S node --x"],
      "#! /usr/bin/env -S node --x  \n1",
    ],
    ["Windows line ends", "#!/bin/sh -e\r\necho a\r\n", ["/bin/sh", "-e"], "#!/bin/sh -e\necho a\n"],
    ["Windows line ends without a first line", "echo a\r\necho b", ["/bin/sh", "-e"], "echo a\necho b"],
    ["a CR that belongs to a later line", "echo a\nprintf 'x\r\n'", ["/bin/sh", "-e"], "echo a\nprintf 'x\r\n'"],
    ["only a first line", "#!/bin/true", ["/bin/true"], "#!/bin/true"],
  ])("is read from %s", (_, script, interpreter, text) => {
    expect(readScript(script)).toEqual({ interpreter, text });
  });

  it("must be an absolute path", () => {
    for (const script of ["#!python3\nx", "#!\nx", "#!   \n", "#!./run\n"]) expect(readScript(script)).toHaveProperty("problem");
  });
});
