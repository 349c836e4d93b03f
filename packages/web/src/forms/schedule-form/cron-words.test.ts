import { expect, test } from "vitest";
import { cronWords } from "./cron-words.ts";

test.each([
  ["* * * * *", "Every minute"],
  ["*/5 * * * *", "Every 5 minutes"],
  ["0 * * * *", "Every hour"],
  ["15 */6 * * *", "Every 6 hours at 15 min past"],
  ["30 2 * * *", "Every day at 02:30"],
  ["0 8,17 * * *", "Every day at 08:00 and 17:00"],
  ["0 8 * * MON-FRI", "Monday to Friday at 08:00"],
  ["0 8 * * 1-5", "Monday to Friday at 08:00"],
  ["0 8 * * 1,3", "Every Monday and Wednesday at 08:00"],
  ["0 8 * * 7", "Every Sunday at 08:00"],
  ["0 0 1 * *", "On the 1st of the month at 00:00"],
  ["0 0 2,3,11 * *", "On the 2nd, 3rd and 11th of the month at 00:00"],
  ["0 0 L * *", "On the last day of the month at 00:00"],
  ["0 6 24 12 *", "On the 24th of December at 06:00"],
  ["0 6 * JAN,FEB *", "Every day in January and February at 06:00"],
  ["*/10 9-17 * * 1-5", "Every 10 minutes from 09:00 to 17:59, Monday to Friday"],
  ["0 30 8 ? * MON,TUE", "Every Monday and Tuesday at 08:30"],
  ["0 30 8 ? * 2-6", "Monday to Friday at 08:30"],
  ["*/10 * * * * *", "Every 10 seconds"],
  ["@daily", "Every day at 00:00"],
  ["@weekly", "Every Sunday at 00:00"],
  ["0 0 1 * 1", undefined],
  ["0 8 * * FRI#2", undefined],
  ["0 0 1 1 *  2031 x", undefined],
  ["nonsense", undefined],
  ["", undefined],
])("%s is %s", (expression, words) => {
  expect(cronWords(expression)).toBe(words);
});
