/** The pages that one can go to from anywhere, and the letter that goes there after `g`. */

import type { IconName } from "./icons.tsx";
import { isOpen } from "./tabs.tsx";

export interface Entry {
  page: string;
  title: string;
  icon: IconName;
  letter: string;
  /** What it takes to open it; nothing where it is left out. */
  scope?: string;
}

export const GROUPS: readonly { title: string | null; entries: readonly Entry[] }[] = [
  {
    title: null,
    entries: [
      { page: "", title: "Overview", icon: "overview", letter: "o" },
      { page: "campaigns", title: "Campaigns", icon: "campaigns", letter: "c" },
      { page: "tasks", title: "Tasks", icon: "tasks", letter: "t" },
      { page: "leads", title: "Leads", icon: "leads", letter: "l" },
      { page: "inbox", title: "Inbox", icon: "inbox", letter: "i" },
    ],
  },
  {
    title: "Improve",
    entries: [
      { page: "experiments", title: "Experiments", icon: "experiments", letter: "e" },
      { page: "placement", title: "Placement", icon: "placement", letter: "p" },
      { page: "accounts", title: "Mailboxes", icon: "accounts", letter: "a" },
      { page: "suppressions", title: "Suppressions", icon: "suppressions", letter: "s" },
    ],
  },
  {
    title: "Build",
    entries: [
      { page: "developers", title: "Developers", icon: "developers", letter: "d" },
      { page: "activity", title: "Activity", icon: "activity", letter: "y", scope: "audit:read" },
      { page: "settings", title: "Settings", icon: "settings", letter: "," },
    ],
  },
];

/** Only in the sandbox. */
export const SIMULATOR: Entry = {
  page: "simulator",
  title: "Simulator",
  icon: "simulator",
  letter: "m",
};

/** Pages that a phone's bar has room for; the others are behind "More". */
export const PHONE_PAGES: readonly string[] = ["", "campaigns", "inbox", "leads"];

export function entriesOf(env: "live" | "test"): readonly Entry[] {
  const entries = GROUPS.flatMap((group) => group.entries);
  return (env === "test" ? [...entries, SIMULATOR] : entries).filter(isOpen);
}
