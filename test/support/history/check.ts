/** Everything that is asked of a history. No findings: it could have been that of a program that keeps its word. */

import { checkEvents } from "./check-events.ts";
import { checkMade } from "./check-made.ts";
import { checkMail } from "./check-mail.ts";
import { checkRecords } from "./check-records.ts";
import type { Entry, Finding, Rules } from "./history.ts";

export function checkHistory(entries: readonly Entry[], rules: Rules): Finding[] {
  return [
    ...checkRecords(entries, rules),
    ...checkMade(entries),
    ...checkMail(entries, rules),
    ...checkEvents(entries, rules),
  ];
}
