// Turns the "Unreleased" section of CHANGELOG.md into the section of a version, in the format of Keep a Changelog.

const unreleased = "## [Unreleased]";

/**
 * @param {string} text of the changelog
 * @param {{version: string, date: string}} release date: 2026-11-28
 * @returns {string} with an empty "Unreleased" on top. A section of the version that exists already gets the new points: until the tag
 *   exists, the version is not released
 * @throws {Error} when there is nothing about that version
 */
export function releaseChangelog(text, { version, date }) {
  const [head, ...sections] = text.split(/^(?=## \[)/m);
  const fresh = sections.find((section) => section.startsWith(unreleased));
  if (fresh === undefined) throw new Error(`CHANGELOG.md has no section "${unreleased}"`);
  const others = sections.filter((section) => section !== fresh);
  const points = partsOf(fresh);
  const existing = others.find((section) => section.startsWith(`## [${version}]`));
  if (existing === undefined && points.size === 0) throw new Error(`CHANGELOG.md has nothing under "Unreleased" for version ${version}`);
  const title = existing?.split("\n", 1)[0] ?? `## [${version}] - ${date}`;
  const parts = existing === undefined ? points : merge(partsOf(existing), points);
  const section = [title, ...[...parts].map(([name, lines]) => (name === "" ? lines : `${name}\n\n${lines}`))].join("\n\n");
  return `${head}${unreleased}\n\n${section}\n${others
    .filter((one) => one !== existing)
    .map((one) => `\n${one}`)
    .join("")}`;
}

/** The texts below each third-level heading; "" is the text above the first one. */
function partsOf(section) {
  const [, body = ""] = /^[^\n]*\n(.*)$/s.exec(section) ?? [];
  const parts = body.split(/^(?=### )/m).map((part) => {
    const [, name = "", lines] = /^(### [^\n]*)?(.*)$/s.exec(part);
    return [name, lines.trim()];
  });
  return new Map(parts.filter(([, lines]) => lines !== ""));
}

function merge(known, more) {
  const merged = new Map(known);
  for (const [name, lines] of more) merged.set(name, merged.has(name) ? `${merged.get(name)}\n${lines}` : lines);
  return merged;
}
