import type { Plugin as BundlePlugin } from "esbuild";
import type { Plugin } from "vitest/config";

export const driverPlugin: Plugin;
export const driverBundlePlugin: BundlePlugin;
