/** The frame round every page: where one can go, which environment is on show, who is signed in. */

import type { ComponentChildren } from "preact";

import { connection } from "../lib/live.ts";
import { env, place, to } from "../lib/route.ts";
import { setTheme, THEMES, theme } from "../lib/theme.ts";
import { Icon, type IconName } from "./icons.tsx";

interface Entry {
  page: string;
  title: string;
  icon: IconName;
}

const GROUPS: readonly { title: string | null; entries: readonly Entry[] }[] = [
  {
    title: null,
    entries: [
      { page: "", title: "Overview", icon: "overview" },
      { page: "campaigns", title: "Campaigns", icon: "campaigns" },
      { page: "tasks", title: "Tasks", icon: "tasks" },
      { page: "leads", title: "Leads", icon: "leads" },
      { page: "inbox", title: "Inbox", icon: "inbox" },
    ],
  },
  {
    title: "Improve",
    entries: [
      { page: "experiments", title: "Experiments", icon: "experiments" },
      { page: "placement", title: "Placement", icon: "placement" },
      { page: "accounts", title: "Accounts", icon: "accounts" },
      { page: "suppressions", title: "Suppressions", icon: "suppressions" },
    ],
  },
  {
    title: "Build",
    entries: [
      { page: "developers", title: "Developers", icon: "developers" },
      { page: "activity", title: "Activity", icon: "activity" },
      { page: "settings", title: "Settings", icon: "settings" },
    ],
  },
];

const SIMULATOR: Entry = { page: "simulator", title: "Simulator", icon: "simulator" };

export function Shell({ children }: { children: ComponentChildren }) {
  const isTest = env.value === "test";
  return (
    <div class="shell" data-env={env.value}>
      <nav class="bar" aria-label="Pages">
        <a class="brand" href={to("")}>
          <Mark />
          Outrider
        </a>
        <EnvSwitch />
        {GROUPS.map((group) => (
          <Group key={group.title} title={group.title} entries={group.entries} />
        ))}
        {isTest && <Group title="Sandbox" entries={[SIMULATOR]} />}
        <footer class="bar-foot">
          <Connection />
          <ThemeChoice />
        </footer>
      </nav>
      <main class="content" id="content">
        {children}
      </main>
    </div>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M7 11.5 16 18l9-6.5M7 10h18v12.5H7z" />
    </svg>
  );
}

function EnvSwitch() {
  return (
    <div class="env-switch">
      {(["live", "test"] as const).map((each) => (
        <a
          key={each}
          href={to("", each)}
          data-env={each}
          aria-current={env.value === each ? "true" : undefined}
        >
          {each === "live" ? "Live" : "Sandbox"}
        </a>
      ))}
    </div>
  );
}

function Group({ title, entries }: { title: string | null; entries: readonly Entry[] }) {
  const here = place.value.split("/")[0] ?? "";
  return (
    <>
      {title && <p class="bar-group">{title}</p>}
      {entries.map((entry) => (
        <a
          key={entry.page}
          class="bar-link"
          href={to(entry.page)}
          aria-current={here === entry.page ? "page" : undefined}
        >
          <Icon name={entry.icon} />
          {entry.title}
        </a>
      ))}
    </>
  );
}

const CONNECTION = {
  connecting: "Connecting",
  open: "Up to date",
  away: "Reconnecting…",
} as const;

function Connection() {
  return (
    <p class="small quiet" role="status" data-connection={connection.value}>
      {CONNECTION[connection.value]}
    </p>
  );
}

const THEME_NAMES = { system: "As the system", light: "Light", dark: "Dark" } as const;

function ThemeChoice() {
  return (
    <label class="field">
      <span class="unseen">Theme</span>
      <select
        class="input"
        value={theme.value}
        onChange={({ currentTarget }) => {
          const chosen = THEMES.find((name) => name === currentTarget.value);
          if (chosen !== undefined) {
            setTheme(chosen);
          }
        }}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {THEME_NAMES[name]}
          </option>
        ))}
      </select>
    </label>
  );
}
