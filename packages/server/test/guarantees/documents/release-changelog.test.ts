import { expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { releaseChangelog } from "../../../../../scripts/release/changelog.mjs";

const head = "# Changelog\n\nAll changes.\n\n";
const release = { version: "7.2.0", date: "2027-01-31" };

test("what is unreleased becomes the section of the version, and an empty one stays on top", () => {
  const older = "## [7.1.0] - 2026-11-28\n\n### Added\n\n- all of it\n";
  const before = `${head}## [Unreleased]\n\n### Added\n\n- one\n  more of it\n\n### Fixed\n\n- two\n\n${older}`;
  const section = "## [7.2.0] - 2027-01-31\n\n### Added\n\n- one\n  more of it\n\n### Fixed\n\n- two\n";
  expect(releaseChangelog(before, release)).toBe(`${head}## [Unreleased]\n\n${section}\n${older}`);
});

test("points that come up before the tag go into the section of the version, each below its heading", () => {
  const section = "## [7.2.0] - 2027-01-30\n\n### Added\n\n- one\n\n### Fixed\n\n- two\n";
  const before = `${head}## [Unreleased]\n\n### Fixed\n\n- three\n\n### Security\n\n- four\n\n${section}`;
  const after = "## [7.2.0] - 2027-01-30\n\n### Added\n\n- one\n\n### Fixed\n\n- two\n- three\n\n### Security\n\n- four\n";
  expect(releaseChangelog(before, release)).toBe(`${head}## [Unreleased]\n\n${after}`);
});

test("a second time changes nothing", () => {
  const once = releaseChangelog(`${head}## [Unreleased]\n\n### Added\n\n- one\n`, release);
  expect(releaseChangelog(once, { ...release, date: "2027-02-01" })).toBe(once);
});

test("a version without a point is refused, and so is a file without the section", () => {
  expect(() => releaseChangelog(`${head}## [Unreleased]\n`, release)).toThrow('has nothing under "Unreleased" for version 7.2.0');
  expect(() => releaseChangelog(head, release)).toThrow('has no section "## [Unreleased]"');
});
