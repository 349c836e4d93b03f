// The catalogues of texts are written as ICU messages. The interface gets them compiled, so that no browser parses one.
import { readFile } from "node:fs/promises";
import compile from "icu-minify/compile";

const english = /\/src\/texts\/(?!german\/|language\.ts$)(?:[\w-]+\/)?([\w-]+)\.ts$/;
const german = /\/src\/texts\/german\/(?!all\.ts$)(?:[\w-]+\/)?[\w-]+\.ts$/;

/**
 * For Vite: a catalogue (`export const t = translate("place", { part: { key: "message" } })`, in German `export const place = { … }`) with
 * each message in the form that use-intl/format-message/format-only reads. It comes after the types are gone. The messages are then a
 * literal, and all that has to be run. German ones are without their keys, which are a third of them: they are read by the order of the
 * English ones.
 *
 * @type {import("vite").Plugin}
 */
export const compiledTexts = {
  name: "compiled-texts",
  async transform(code, id) {
    const place = english.exec(id)?.[1];
    if (place !== undefined) {
      const { imported, messages } = await readEnglish(code);
      const texts = JSON.stringify(inEach(messages, compile));
      return { code: `${imported}\nexport const t = translate(${JSON.stringify(place)}, ${texts});`, map: null };
    }
    if (!german.test(id)) return undefined;
    const original = id.replace("/texts/german/", "/texts/");
    this.addWatchFile(original);
    const { messages } = await readEnglish(await readFile(original, "utf8"));
    const [[name, texts]] = Object.entries(await run(code));
    const rows = Object.entries(messages).map(([part, keys]) => Object.keys(keys).map((key) => compile(texts[part][key])));
    return { code: `export const ${name} = ${JSON.stringify(rows)};`, map: null };
  },
};

/** An English catalogue has no types, so that it can be run as it is written. */
async function readEnglish(code) {
  const [imported] = code.match(/^import .*$/m);
  const { t } = await run(code.replace(imported, "const translate = (place, messages) => messages;"));
  return { imported, messages: t };
}

function run(code) {
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

function inEach(messages, change) {
  if (typeof messages === "string") return change(messages);
  return Object.fromEntries(Object.entries(messages).map(([key, inner]) => [key, inEach(inner, change)]));
}
