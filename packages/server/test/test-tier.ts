/**
 * Tests that take more than a bare machine has are of a tier: `container`, `podman`, `kubernetes`. They say why they can't run; where
 * `MILLRACE_TEST_REQUIRE` names their tier, that is a failure.
 */
export function isRequiredTier(tier: "container" | "podman" | "kubernetes"): boolean {
  return (process.env["MILLRACE_TEST_REQUIRE"] ?? "").split(",").includes(tier);
}
