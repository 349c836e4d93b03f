interface Given {
  files: string[];
  changed: string[];
  read: (file: string) => string;
  secondsOf: (test: string) => number;
}

/** The nearest first; `further`: how many more files of tests the change reaches. */
export function chooseTests(given: Given): { tests: string[]; further: number };

/** What has changed since that commit, or since the last one; paths from the root. */
export function findChangedTests(since?: string): { tests: string[]; further: number; changed: string[] };
