import type { AdminSection } from "./admin-sections.ts";

/** Sections whose content is shared with the pages of teams: this is where they get their title and their place in the administration. */
export const mountedSections: Readonly<Record<string, AdminSection>> = {};
