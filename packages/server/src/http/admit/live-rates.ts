import type { Database } from "../../store/database/database.ts";
import { defaultRates, type Rates } from "./rate-limits.ts";

/** What keeps the settings in memory, as far as it is needed here. */
interface KnownSettings {
  load(db: Database): Promise<{ rateLimit: Rates }>;
}

/**
 * The rates that the settings name. No request waits for them: it goes by what is known, and what has changed counts from the next one on.
 * While the database is away the last ones hold.
 */
export function createLiveRates(settings: KnownSettings, sql: Database): () => Rates {
  let known = defaultRates;
  return () => {
    settings.load(sql).then(
      ({ rateLimit }) => {
        known = rateLimit;
      },
      () => undefined,
    );
    return known;
  };
}
