import { query as queryJson } from "jsonpath-rfc9535";
import { paramText, quote, runStep, StepError, writeResult } from "./parts/step.mjs";

/** JSONPath (RFC 9535) over the parameter `json`: the first value found becomes the result `evaluation`. */
function main() {
  const expression = withRoot(paramText("query").trim());
  const found = evaluate(parse(paramText("json")), expression);
  if (found.length === 0) throw new StepError(`query ${quote(expression)} finds nothing in the JSON`);
  if (found.length > 1) process.stdout.write(`query ${quote(expression)} finds ${found.length} values; the first one is the result\n`);
  writeResult("evaluation", typeof found[0] === "string" ? found[0] : JSON.stringify(found[0]));
  return 0;
}

/** People write `a.b` for `$.a.b`. @param {string} text */
function withRoot(text) {
  if (text === "") throw new StepError("parameter query is empty; write a JSONPath like $.items[0].id");
  if (text.startsWith("$")) return text;
  return text.startsWith("[") ? `$${text}` : `$.${text}`;
}

/** @param {string} text */
function parse(text) {
  if (text.trim() === "") throw new StepError("parameter json is empty; give it a JSON text");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StepError(`parameter json is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** @param {import("jsonpath-rfc9535").JsonValue} document @param {string} expression */
function evaluate(document, expression) {
  try {
    return queryJson(document, expression);
  } catch (error) {
    throw new StepError(`query ${quote(expression)} is not JSONPath (RFC 9535): ${error instanceof Error ? error.message : error}`);
  }
}

await runStep(main);
