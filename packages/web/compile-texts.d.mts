import type { Plugin } from "vite";

export const compiledTexts: Plugin;
