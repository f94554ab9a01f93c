/** The pages that one can go to from anywhere, those beside them, and the letter that goes there after `g`. */

import { place } from "../lib/route.ts";
import { can } from "../lib/session.ts";
import type { IconName } from "./icons.tsx";

interface Destination {
  page: string;
  title: string;
  letter?: string;
  /** What it takes to open it; nothing where it is left out. */
  scope?: string;
}

export interface Entry extends Destination {
  icon: IconName;
  /** Pages about the same: each has a tab. */
  tabs?: readonly Destination[];
}

export const ENTRIES: readonly Entry[] = [
  { page: "", title: "Overview", icon: "overview", letter: "o" },
  { page: "inbox", title: "Inbox", icon: "inbox", letter: "i" },
  { page: "campaigns", title: "Campaigns", icon: "campaigns", letter: "c" },
  {
    page: "leads",
    title: "Leads",
    icon: "leads",
    letter: "l",
    tabs: [
      { page: "leads", title: "Leads" },
      { page: "tasks", title: "Tasks", letter: "t" },
      { page: "suppressions", title: "Suppressions", letter: "s" },
    ],
  },
  {
    page: "accounts",
    title: "Mailboxes",
    icon: "accounts",
    letter: "a",
    tabs: [
      { page: "accounts", title: "Mailboxes" },
      { page: "accounts/providers", title: "Providers" },
      { page: "placement", title: "Placement", letter: "p" },
      { page: "placement/seeds", title: "Seed mailboxes" },
      { page: "placement/schedules", title: "Placement schedules" },
    ],
  },
  { page: "experiments", title: "Experiments", icon: "experiments", letter: "e" },
  {
    page: "developers",
    title: "Developers",
    icon: "developers",
    letter: "d",
    tabs: [
      { page: "developers/keys", title: "API keys", scope: "keys:read" },
      { page: "developers/webhooks", title: "Webhooks" },
      { page: "developers/events", title: "Events" },
      { page: "developers/requests", title: "Request log", scope: "audit:read" },
      { page: "developers/reference", title: "API reference" },
    ],
  },
  {
    page: "settings",
    title: "Settings",
    icon: "settings",
    letter: ",",
    tabs: [
      { page: "settings/team", title: "Team" },
      { page: "settings/members", title: "Members" },
      { page: "settings/you", title: "You" },
      { page: "settings/sending", title: "Sending rules" },
      { page: "settings/replies", title: "Canned replies" },
      { page: "settings/files", title: "Files" },
      { page: "settings/deleted", title: "Deleted" },
      { page: "settings/billing", title: "Billing", scope: "billing:read" },
      { page: "activity", title: "Activity", letter: "y", scope: "audit:read" },
      { page: "settings/backups", title: "Backups", scope: "operator" },
      { page: "settings/system", title: "System", scope: "operator" },
    ],
  },
];

/** Only in the sandbox, where its clock leads there. */
const SIMULATOR: Entry = { page: "simulator", title: "Simulator", icon: "simulator", letter: "m" };

/** Whether a phone's bar has room for it; the others are behind "More". */
export function isOnPhone({ page }: Entry): boolean {
  return ["", "inbox", "campaigns", "leads"].includes(page);
}

export function isOpen({ scope }: Destination): boolean {
  return scope === undefined || can(scope);
}

/** Everywhere that one may go: the entries first, then what is beside them. */
export function destinationsOf(env: "live" | "test"): readonly (Entry & { of: string })[] {
  const entries = env === "test" ? [...ENTRIES, SIMULATOR] : ENTRIES;
  const beside = entries.flatMap(({ page, title, icon, tabs = [] }) =>
    tabs.filter((tab) => tab.page !== page).map((tab) => ({ ...tab, icon, of: title })),
  );
  return [...entries.map((entry) => ({ ...entry, of: "Page" })), ...beside].filter(isOpen);
}

/** The entry that the page on show belongs to, and its tab: that of `placement/runs/1` is `placement`. */
export function whereNow(): { entry?: Entry; tab?: Destination } {
  const here = place.value;
  return (
    ENTRIES.flatMap((entry) => [entry, ...(entry.tabs ?? [])].map((tab) => ({ entry, tab })))
      .filter(({ tab: { page } }) => here === page || here.startsWith(`${page}/`))
      .toSorted((a, b) => b.tab.page.length - a.tab.page.length)[0] ?? {}
  );
}
