// Prints how many tests of a test report (vitest's JSON) had a container engine, and how many needed one but had none.
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const tests = report.testResults.flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ file: name, ...test })));
const engines = tests.filter(({ file, fullName }) => /\/container[/-]/.test(file) || /\b(docker|podman)\b/i.test(fullName));
const ran = engines.filter(({ status }) => status === "passed" || status === "failed").length;
console.log(`NOTE: of the tests with containers ${ran} ran, ${engines.length - ran} were skipped`);
