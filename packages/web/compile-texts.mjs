// The catalogues of texts are written as ICU messages. The interface gets them compiled, so that no browser parses one.
import compile from "icu-minify/compile";

const catalogues = /\/src\/texts\/en\/[\w-]+\.ts$/;

/**
 * For Vite: a catalogue (`export const place = { part: { key: "message" } } as const`) with each message in the form that
 * use-intl/format-message/format-only reads. It comes after the types are gone, so what is left is a module that can be run.
 *
 * @type {import("vite").Plugin}
 */
export const compiledTexts = {
  name: "compiled-texts",
  async transform(code, id) {
    if (!catalogues.test(id)) return undefined;
    const catalogue = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const lines = Object.entries(catalogue).map(([place, messages]) => `export const ${place} = ${JSON.stringify(compileAll(messages))};`);
    return { code: lines.join("\n"), map: null };
  },
};

function compileAll(messages) {
  if (typeof messages === "string") return compile(messages);
  return Object.fromEntries(Object.entries(messages).map(([key, inner]) => [key, compileAll(inner)]));
}
