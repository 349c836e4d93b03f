export type Tier = "browser" | "container" | "podman" | "podman-rootless" | "kubernetes";

/**
 * Tests that need more than a bare machine belong to a tier: `browser`, `container`, `podman`, `podman-rootless`, `kubernetes`. They report
 * why they can't run; if `MILLRACE_TEST_REQUIRE` names their tier, that is a failure.
 */
export function isRequiredTier(tier: Tier): boolean {
  return isNamed(process.env["MILLRACE_TEST_REQUIRE"], tier);
}

/** `MILLRACE_TEST_WITHOUT` skips tiers that another part of CI has run already. */
export function isTierLeftOut(tier: Tier): boolean {
  return isNamed(process.env["MILLRACE_TEST_WITHOUT"], tier);
}

function isNamed(list = "", tier: Tier): boolean {
  return list.split(",").some((name) => name.trim() === tier);
}
