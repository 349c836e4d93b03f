// Prints the files of a test report (vitest's JSON) that did not pass, one per line, as paths within the repository.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const file of report.testResults) if (file.status !== "passed") console.log(relative(process.cwd(), file.name));
