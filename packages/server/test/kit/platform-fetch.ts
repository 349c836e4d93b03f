import { createGuardedFetch } from "../../src/integrations/outbound/outbound-http.ts";

/** The platforms of the tests run on this machine, which the configuration has to allow. */
export const platformFetch = createGuardedFetch({ allow: ["127.0.0.0/8", "::1"] });
