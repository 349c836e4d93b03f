// The catalogues of texts are written as ICU messages. The interface gets them compiled, so that no browser parses one.
import compile from "icu-minify/compile";

const catalogues = /\/src\/texts\/(?!language\.ts$)[\w-]+\.ts$/;

/**
 * For Vite: a catalogue (`export const t = translate({ part: { key: "message" } })`) with each message in the form that
 * use-intl/format-message/format-only reads. It comes after the types are gone. The messages are then a literal, and all that has to be run.
 *
 * @type {import("vite").Plugin}
 */
export const compiledTexts = {
  name: "compiled-texts",
  async transform(code, id) {
    if (!catalogues.test(id)) return undefined;
    const [imported] = code.match(/^import .*$/m);
    const messages = await import(
      `data:text/javascript,${encodeURIComponent(code.replace(imported, "const translate = (read) => read;"))}`
    );
    return { code: `${imported}\nexport const t = translate(${JSON.stringify(compileAll(messages.t))});`, map: null };
  },
};

function compileAll(messages) {
  if (typeof messages === "string") return compile(messages);
  return Object.fromEntries(Object.entries(messages).map(([key, inner]) => [key, compileAll(inner)]));
}
