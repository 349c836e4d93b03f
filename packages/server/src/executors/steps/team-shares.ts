/**
 * `cpu.shares` of version 1 and of containers, from 2 to 262,144.
 * @param ofTeam of all attempts of a team together
 */
export function sharesOf(attempts: number, ofTeam = 102_400): number {
  return Math.max(2, Math.round(ofTeam / attempts));
}

const mostNice = 19;
/** Each step of niceness reduces the weight of a process to 4/5. */
const stepRatio = 1.25;

/**
 * Without control groups: the niceness of an attempt, by the number of its team's running attempts. It is set when a step starts and can't
 * be undone, so it is only approximate when the number changes.
 */
export function nicenessOf(attempts: number): number {
  return Math.min(mostNice, Math.round(Math.log(Math.max(1, attempts)) / Math.log(stepRatio)));
}

/** How many attempts of a team run in this process. */
export class TeamAttempts {
  readonly #counts = new Map<string, number>();

  begin(teamId: string): void {
    this.#counts.set(teamId, this.count(teamId) + 1);
  }

  end(teamId: string): void {
    const left = this.count(teamId) - 1;
    if (left > 0) this.#counts.set(teamId, left);
    else this.#counts.delete(teamId);
  }

  count(teamId: string): number {
    return this.#counts.get(teamId) ?? 0;
  }
}
