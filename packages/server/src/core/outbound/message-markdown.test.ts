import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownAsChat, markdownAsHtml } from "./message-markdown.ts";

const message = `# Release

Version **1.4.0** is *ready*, ~~not yet~~ see [the notes](https://example.com/notes?a=1&b=2) and <https://example.com/plain>.
Run \`deploy <x>\`:

1. build
2. test
   - unit
   - [x] browser

> quoted

\`\`\`sh
echo a && b
\`\`\`
![a picture](https://example.com/p.png)`;

test("a message is formatted in an email, with the address of each link beside it", () => {
  expect(markdownAsHtml(message)).toBe(`<p><strong>Release</strong></p>
<p>Version <strong>1.4.0</strong> is <em>ready</em>, <del>not yet</del> see the notes (<a href="https://example.com/notes?a=1&amp;b=2">\
https://example.com/notes?a=1&amp;b=2</a>) and <a href="https://example.com/plain">https://example.com/plain</a>.<br>Run <code>deploy &lt;x&gt;\
</code>:</p>
<ol>
<li>build</li>
<li>test<ul>
<li>unit</li>
<li>[x] browser</li>
</ul>
</li>
</ol>
<blockquote>
<p>quoted</p>
</blockquote>
<pre>echo a &amp;&amp; b</pre>
<p>a picture</p>`);
});

test("a message is formatted in a chat, in the markup of the platform", () => {
  expect(markdownAsChat(message, 2000)).toBe(`*Release*

Version *1.4.0* is _ready_, ~not yet~ see the notes (<https://example.com/notes?a=1&amp;b=2>) and <https://example.com/plain>.
Run \`deploy &lt;x&gt;\`:

1. build
2. test
    • unit
    • [x] browser

>quoted

\`\`\`echo a &amp;&amp; b\`\`\`
a picture`);
});

test.each([
  ["<b>bold</b> & <img src=x onerror=alert(1)>", "&lt;b&gt;bold&lt;/b&gt; &amp; &lt;img src=x onerror=alert(1)&gt;"],
  ["[click](javascript:alert(1)) [file](file:///etc/passwd) [here](/admin) [data](data:text/html,x)", "click file here data"],
  ["<!channel> @here", "&lt;!channel&gt; @here"],
])("%s is shown as text", (text, shown) => {
  expect([markdownAsHtml(text), markdownAsChat(text, 500)]).toEqual([`<p>${shown}</p>`, shown]);
});

test("a label can't hide where a link leads", () => {
  const text = "[https://bank.example](https://evil.example/x)";
  expect(markdownAsHtml(text)).toContain('https://bank.example (<a href="https://evil.example/x">https://evil.example/x</a>)');
  expect(markdownAsChat(text, 500)).toBe("https://bank.example (<https://evil.example/x>)");
});

const ours = /^<\/?(p|strong|em|del|a|br|code|pre|ol|ul|li|blockquote|hr|table|thead|tbody|tr|th|td)( (href|start|align)="[^"<>]*")*>$/;

test("whatever a message contains, an email has only our own tags, and a chat message neither mentions nor links without an address", () => {
  const part = fc.constantFrom(
    "**",
    "_",
    "`",
    "```\n",
    "> ",
    "- ",
    "1. ",
    "[",
    "](",
    ")",
    "<",
    ">",
    "!",
    "&",
    "|",
    "\n",
    "\n\n",
    "#",
    "\\",
    "a",
    " ",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.oneof(part, fc.constantFrom("https://x.example", "<!here>", "<pre>", "<script>")), { maxLength: 40 })
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (text) => {
      for (const tag of markdownAsHtml(text).match(/<[^>]*>?/g) ?? []) expect(tag).toMatch(ours);
      const chat = markdownAsChat(text, 300);
      expect(chat.length).toBeLessThanOrEqual(300);
      for (const link of chat.match(/<[^>]*>?/g) ?? []) expect(link).toMatch(/^<(https?:\/\/|mailto:)[^<>|]*>$/);
    }),
  );
});

const hostile = [">", "[", "_a", "**_~~[", "\\[", "- ", "1. ", "+ ", "- 1. ", "> - ", "`", "a@", "a.", "<a", "http://", "~~a"];

test.each(hostile)("4,000 characters of %j are shown in little time", (part) => {
  const text = `${part.repeat(4000 / part.length - 1)}a`;
  const startedAt = process.cpuUsage();
  expect([markdownAsHtml(text).length > 0, markdownAsChat(text, 20_000).length > 0]).toEqual([true, true]);
  const { user } = process.cpuUsage(startedAt);
  expect(user).toBeLessThan(300_000);
});
