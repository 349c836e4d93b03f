import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMasker } from "./mask.ts";

function stream(secrets: string[], chunks: (string | Buffer)[]): string {
  const mask = createMasker(secrets).openStream();
  const parts = chunks.map((chunk) => mask.push(Buffer.from(chunk as string)));
  return Buffer.concat([...parts, mask.end()]).toString("utf8");
}

describe("masking a stream", () => {
  it.each([
    ["in one chunk", ["a hunter22 b"], "a *** b"],
    ["across two chunks", ["a hunt", "er22 b"], "a *** b"],
    ["byte by byte", [..."a hunter22 b"], "a *** b"],
    ["twice in a row as one mask", ["hunter22hunter22"], "***"],
    ["twice in a row, cut between", ["hunter22", "hunter22!"], "***!"],
    ["a beginning that comes to nothing", ["hunter2", "3 hunt"], "hunter23 hunt"],
    ["a beginning at the end of the stream", ["x hunter2"], "x hunter2"],
  ])("masks a secret %s", (_, chunks, expected) => {
    expect(stream(["hunter22"], chunks)).toBe(expected);
  });

  it("holds back exactly the tail that could begin a secret, and nothing else", () => {
    const mask = createMasker(["hunter22"]).openStream();
    expect(mask.push(Buffer.from("some text hun")).toString()).toBe("some text ");
    expect(mask.push(Buffer.from("gry")).toString()).toBe("hungry");
    expect(mask.push(Buffer.from("hunter22")).toString()).toBe("***");
    expect(mask.end().toString()).toBe("");
  });

  it("lets the longer of two secrets win and masks those that overlap as one", () => {
    expect(stream(["token", "tokens-are-long"], ["a tokens-are-long b token c"])).toBe("a *** b *** c");
    expect(stream(["abcd", "cdef"], ["xabcdefx"])).toBe("x***x");
    expect(stream(["bcde", "abcdefgh"], ["abcde", "fgX"])).toBe("a***fgX");
  });

  it("masks a secret of several bytes a character wherever it is cut", () => {
    const bytes = Buffer.from("é pässwörd-日本 é");
    for (let at = 0; at <= bytes.length; at++) {
      expect(stream(["pässwörd-日本"], [bytes.subarray(0, at), bytes.subarray(at)])).toBe("é *** é");
    }
  });

  it("ignores secrets under four characters, which would shred every line", () => {
    expect(stream(["abc", ""], ["abc abcd"])).toBe("abc abcd");
  });
});

describe("a secret that is broken over lines", () => {
  const token = "ghp_Zx8Qv3Lw9Kt5Rn2Bm7Yc4Hd6Jf1Sg0Pa";
  const wrap = (text: string, width: number, end = "\n") => text.replace(new RegExp(`.{${width}}(?=.)`, "g"), `$&${end}`);
  /** What of the text is still there, without masks and breaks. */
  const left = (text: string, given: string) =>
    stream([text], [given])
      .replaceAll("***", "")
      .replace(/[\r\n \t]/g, "");

  it.each([
    ["as fold does", wrap(token, 10)],
    ["with the line ends of Windows", wrap(token, 10, "\r\n")],
    ["with indentation", wrap(token, 10, "\n      ")],
    ["by two prints", `${token.slice(0, 20)}\n${token.slice(20)}`],
  ])("is masked %s", (_, given) => expect(stream([token], [`a ${given} b`])).toBe("a *** b"));

  it("is masked wherever the chunks are cut", () => {
    const given = Buffer.from(`x\n${wrap(token, 7, "\n  ")}\ny`);
    for (let at = 0; at <= given.length; at++)
      expect(stream([token], [given.subarray(0, at), given.subarray(at)]), String(at)).toBe("x\n***\ny");
  });

  it("is masked in the credentials of a Basic header, as base64 breaks them", () => {
    for (const user of ["u", "me", "bot", "user", "x-access-token", "someone@example.com"]) {
      const header = Buffer.from(`${user}:${token}`).toString("base64");
      expect(left(token, header).length, user).toBeLessThan(Buffer.from(user).toString("base64").length + 6);
    }
    const long = `${token}${token}${token}`;
    const header = wrap(Buffer.from(`x-access-token:${long}`).toString("base64"), 76);
    expect(left(long, header)).toMatch(/^eC1hY2Nlc3MtdG9rZW46.{0,4}$/);
  });

  it("is masked inside a longer file in base64, unless the break is within its first characters", () => {
    for (let before = 0; before < 57; before++) {
      const file = wrap(Buffer.from(`${"#".repeat(before)}${token}${"#".repeat(30)}`).toString("base64"), 76);
      const shown = Buffer.from(left(token, file), "base64").toString("latin1");
      const isEarly = 76 - Math.ceil((before * 8) / 6) < 5;
      if (!isEarly) expect(shown, `after ${before}`).not.toContain(token.slice(8, 28));
    }
  });

  it("leaves what only looks like it: short secrets, blank lines, rulers and other lines", () => {
    expect(stream(["1234567"], ["1\n2\n3\n4\n5\n6\n7"])).toBe("1\n2\n3\n4\n5\n6\n7");
    expect(stream(["12345678"], ["1\n2\n3\n4\n5\n6\n7\n8"])).toBe("1\n2\n3\n4\n5\n6\n7\n8");
    expect(stream([token], [`${token.slice(0, 12)}\n${token.slice(13)}`])).toBe(`${token.slice(0, 12)}\n${token.slice(13)}`);
    expect(stream([token], [`${token}\n${token}`])).toBe("***\n***");
  });

  it("holds nothing of an ordinary line back, and little of one that ends like a secret begins", () => {
    const mask = createMasker(["-----BEGIN KEY-----", token]).openStream();
    expect(mask.push(Buffer.from("a ruler -----\n")).toString()).toBe("a ruler -----\n");
    expect(mask.push(Buffer.from("uses gh\n")).toString()).toBe("uses gh\n");
    expect(mask.push(Buffer.from(`uses ghp_\n`)).toString()).toBe("uses ");
    expect(mask.push(Buffer.from("\n".repeat(15))).toString()).toBe("");
    expect(mask.push(Buffer.from("\n")).toString()).toBe(`ghp_${"\n".repeat(17)}`);
    expect(mask.push(Buffer.from(`${token}\n`)).toString()).toBe("***\n");
  });
});

describe("the forms of a secret", () => {
  const secret = 'p"ss w/rd+é\\1';
  it.each([
    ["base64", Buffer.from(secret).toString("base64")],
    ["base64 inside user:password", Buffer.from(`user:${secret}`).toString("base64").slice(7)],
    ["base64 inside a longer text, other offset", Buffer.from(`ab${secret}`).toString("base64").slice(3)],
    ["base64url", Buffer.from(secret).toString("base64url")],
    ["URL", encodeURIComponent(secret)],
    ["form", new URLSearchParams({ s: secret }).toString().slice(2)],
    ["JSON", JSON.stringify(secret)],
    ["JSON in ASCII", '"p\\"ss w/rd+\\u00e9\\\\1"'],
  ])("are masked: %s", (_, form) => {
    expect(stream([secret], [form])).toContain("***");
    expect(stream([secret], [form]).replaceAll("***", "").length).toBeLessThan(6);
  });

  const marked = `p'a"s!(1)*<b>&/é ~$end`;
  it.each([
    ["URL, as Python writes it", "p%27a%22s%21%281%29%2A%3Cb%3E%26/%C3%A9%20~%24end"],
    ["URL with all marks", "p%27a%22s%21%281%29%2A%3Cb%3E%26%2F%C3%A9%20~%24end"],
    ["URL in lower case", "p%27a%22s%21%281%29%2a%3cb%3e%26%2f%c3%a9%20~%24end"],
    ["form, as Python writes it", "p%27a%22s%21%281%29%2A%3Cb%3E%26%2F%C3%A9+~%24end"],
    ["a whole URL", encodeURI(marked)],
    ["JSON, as Go writes it", `p'a\\"s!(1)*\\u003cb\\u003e\\u0026/é ~$end`],
    ["JSON, as PHP writes it", `p'a\\"s!(1)*<b>&\\/\\u00e9 ~$end`],
    ["HTML", "p&#39;a&quot;s!(1)*&lt;b&gt;&amp;/é ~$end"],
    ["JSON in JSON", JSON.stringify(JSON.stringify(marked)).slice(3, -3)],
    ["JSON in JSON, as Python writes it", `p'a\\\\\\"s!(1)*<b>&/\\\\u00e9 ~$end`],
    ["hexadecimal", Buffer.from(marked).toString("hex")],
    ["hexadecimal in upper case", Buffer.from(marked).toString("hex").toUpperCase()],
  ])("with marks are masked whole: %s", (_, form) => {
    expect(stream([marked], [`a ${form} b`])).toBe("a *** b");
  });

  it("masks the lines of a dump in hexadecimal", () => {
    const long = "correct horse battery staple, and then some more";
    const lines =
      Buffer.from(long)
        .toString("hex")
        .match(/.{1,60}/g) ?? [];
    expect(stream([long], [lines.join("\n")])).toBe("***\n***");
  });

  it("masks each line of a key, alone and in base64, but no short line", () => {
    const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\nabc\n-----END KEY-----\n";
    expect(stream([key], ["x hkiG9w0BAQEFAASC y abc z"])).toBe("x *** y abc z");
    expect(stream([key], [key])).toBe("***");
    const wrapped = (
      Buffer.from(key)
        .toString("base64")
        .match(/.{1,76}/g) ?? []
    ).join("\n");
    expect(stream([key], [wrapped]).replace(/\*\*\*|\n/g, "").length).toBeLessThan(8);
  });

  it("masks a secret without its last line end, as a shell prints it", () => {
    expect(stream(["s3cr3t-value\n"], ["got s3cr3t-value!"])).toBe("got ***!");
  });

  it("masks inside values: texts, names and numbers", () => {
    const masker = createMasker(["hunter22", "987654"]);
    expect(masker.maskValue({ a: ["x hunter22"], hunter22: 987654, n: 5, t: true, z: null })).toEqual({
      a: ["x ***"],
      "***": "***",
      n: 5,
      t: true,
      z: null,
    });
  });

  it("masks short secrets whatever large ones there are", () => {
    const large = Array.from({ length: 5 }, (_, n) => `${n}-${"0123456789abcdef".repeat(4_000)}`);
    const spread = large.map((text) =>
      [...text]
        .map((letter, at) => letter + (at * 7919).toString(36))
        .join("")
        .slice(0, 65_000),
    );
    expect(createMasker([...spread, "hunter22"]).maskText("password hunter22")).toBe("password ***");
  });

  it("stays bounded in memory and held-back bytes for a huge secret", () => {
    const huge = Array.from({ length: 60_000 }, (_, index) => index.toString(36)).join("-");
    const mask = createMasker([huge]).openStream();
    const out = mask.push(Buffer.from(huge.slice(0, 100_000)));
    expect(out.toString()).toBe("***");
  });
});

describe("masking as a property", () => {
  const secrets = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 7 }), { maxLength: 4 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 60 });

  it("does not depend on where the chunks are cut", () => {
    fc.assert(
      fc.property(secrets, fc.array(text), (words, chunks) => {
        expect(stream(words, chunks)).toBe(stream(words, [chunks.join("")]));
      }),
    );
  });

  it("leaves no secret and touches nothing else", () => {
    fc.assert(
      fc.property(secrets, text, (words, input) => {
        // No encoded form except base64 can consist of these letters alone; the model is a direct search.
        const hidden = new Array<boolean>(input.length).fill(false);
        for (const word of words) {
          for (let at = input.indexOf(word); at >= 0; at = input.indexOf(word, at + 1)) hidden.fill(true, at, at + word.length);
        }
        const expected = [...input]
          .map((letter, at) => (hidden[at] ? "\0" : letter))
          .join("")
          .replace(/\0+/g, "***");
        expect(stream(words, [input])).toBe(expected);
      }),
    );
  });
});
