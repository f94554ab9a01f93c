/** The frame round every page: where one can go, which environment is on show, who is signed in. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { now, sandboxClock } from "../lib/clock.ts";
import { count, dateTime, words } from "../lib/format.ts";
import { type KeyAction, type Keys, useKeys } from "../lib/keys.ts";
import { connection } from "../lib/live.ts";
import { env, go, place, to } from "../lib/route.ts";
import { session, showTeam, signOut } from "../lib/session.ts";
import { setTheme, THEMES, type Theme, theme } from "../lib/theme.ts";
import { leave } from "../lib/unsaved.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Pick } from "./form/pick.tsx";
import { Icon } from "./icons.tsx";
import { KeyCaps, KeyList } from "./key-list.tsx";
import { destinationsOf, ENTRIES, type Entry, isOnPhone, whereNow } from "./navigation.ts";
import { Palette } from "./palette.tsx";
import { toastError, undo } from "./toasts.tsx";

type Layer = "palette" | "keys" | "more" | undefined;

export function Shell({ children }: { children: ComponentChildren }) {
  const layer = useSignal<Layer>(undefined);
  const open = (next: Layer) => {
    layer.value = next;
  };
  const close = () => open(undefined);
  useKeys(everywhere(open), "General");
  return (
    <div class="shell" data-env={env.value} data-connection={connection.value}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Bar onSearch={() => open("palette")} onKeys={() => open("keys")} />
      <div class="beside">
        <nav class="phone-top" aria-label="Environment">
          <EnvSwitch />
        </nav>
        <Offline />
        <main class="content" id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <PhoneBar onMore={() => open("more")} />
      {layer.value === "palette" && <Palette onClose={close} />}
      {layer.value === "keys" && <KeyList onClose={close} />}
      {layer.value === "more" && <More onClose={close} onSearch={() => open("palette")} />}
    </div>
  );
}

function everywhere(open: (layer: Layer) => void): Keys {
  const keys: Record<string, KeyAction | undefined> = {
    "mod+k": { name: "Open command menu", run: () => open("palette") },
    "/": { name: "Search", run: () => open("palette") },
    "?": { name: "Show keyboard shortcuts", run: () => open("keys") },
    z: undo.value && { name: "Undo last change", run: undo.value },
  };
  for (const { page, title, letter } of destinationsOf(env.value)) {
    if (letter !== undefined) {
      keys[`g ${letter}`] = { name: `Go to ${title.toLowerCase()}`, run: () => go(to(page)) };
    }
  }
  return keys;
}

function Bar({ onSearch, onKeys }: { onSearch: () => void; onKeys: () => void }) {
  const isTest = env.value === "test";
  return (
    <nav class="bar" aria-label="Pages">
      <a class="brand" href={to("")}>
        <Mark />
        Outrider
        {isTest && <strong class="sandbox-word">Sandbox</strong>}
      </a>
      <EnvSwitch />
      {isTest && <SandboxTime />}
      <button type="button" class="search-button" onClick={onSearch}>
        <Icon name="search" />
        Search
        <KeyCaps of="mod+k" />
      </button>
      <BarLinks entries={ENTRIES} />
      <footer class="bar-foot">
        <TeamChoice />
        {session.value && (
          <div class="figure-row">
            <a class="who small" href={to("settings/you")} title={session.value.user.email}>
              <strong class="plain-strong">
                {session.value.user.name || session.value.user.email}
              </strong>
              <span class="quiet">
                {isOfMany() ? words(session.value.user.role) : session.value.team.name}
              </span>
            </a>
            <Button look="plain compact" onClick={signOut}>
              Sign out
            </Button>
          </div>
        )}
        <div class="figure-row">
          <Connection />
          <Button look="plain compact" onClick={onKeys}>
            Shortcuts <kbd>?</kbd>
          </Button>
        </div>
        <ThemeChoice />
      </footer>
    </nav>
  );
}

/** On a phone: the pages that are looked at on the way, and the others behind a button. */
function PhoneBar({ onMore }: { onMore: () => void }) {
  const here = whereNow().entry;
  return (
    <nav class="phone-bar" aria-label="Pages">
      {ENTRIES.filter(isOnPhone).map(({ page, title, icon }) => (
        <a key={page} href={to(page)} aria-current={here?.page === page ? "page" : undefined}>
          <Icon name={icon} />
          {title}
        </a>
      ))}
      <button
        type="button"
        onClick={onMore}
        aria-current={here && isOnPhone(here) ? undefined : "page"}
      >
        <Icon name="more" />
        More
      </button>
    </nav>
  );
}

function More({ onClose, onSearch }: { onClose: () => void; onSearch: () => void }) {
  return (
    <Dialog title="More" onClose={onClose}>
      <TeamChoice />
      {env.value === "test" && <SandboxTime />}
      <div class="more-pages">
        <BarLinks entries={ENTRIES.filter((entry) => !isOnPhone(entry))} onGo={onClose} />
      </div>
      <ThemeChoice />
      <div class="actions">
        <Button onClick={onSearch}>
          <Icon name="search" />
          Search
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

/** While the server cannot be reached, what is shown may be out of date. */
function Offline() {
  return (
    <div role="status">
      {connection.value === "away" && (
        <p class="offline">
          <Icon name="refresh" />
          Reconnecting… This page may be out of date. Anything you typed is safe.
        </p>
      )}
    </div>
  );
}

/** What time it is in the sandbox, and how fast it goes. */
function SandboxTime() {
  const { speed = 0, advancing = false } = sandboxClock.value ?? {};
  const pace = speed === 0 ? "paused" : `running at ${count(speed)}×`;
  return (
    <a
      class="bar-link sandbox-time"
      href={to("simulator")}
      aria-current={place.value === "simulator" ? "page" : undefined}
    >
      <Icon name="simulator" />
      <span>
        Simulator
        <span class="small quiet number">
          {dateTime(new Date(now.value).toISOString())}, {advancing ? "advancing…" : pace}
        </span>
      </span>
    </a>
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

function BarLinks({ entries, onGo }: { entries: readonly Entry[]; onGo?: () => void }) {
  const here = whereNow().entry;
  return entries.map((entry) => (
    <a
      key={entry.page}
      class="bar-link"
      href={to(entry.page)}
      aria-current={entry === here ? "page" : undefined}
      onClick={onGo}
    >
      <Icon name={entry.icon} />
      {entry.title}
    </a>
  ));
}

function isOfMany(): boolean {
  return (session.value?.teams.length ?? 0) > 1;
}

/** For who belongs to several: whose data are on show. */
function TeamChoice() {
  const { team, teams } = session.value ?? {};
  return isOfMany() ? (
    <Pick
      label="Team"
      isBare
      value={team?.id ?? ""}
      options={teams?.map(({ id, name }) => [id, name]) ?? []}
      onPick={(id) => leave(() => void showTeam(id).catch(toastError))}
    />
  ) : null;
}

const CONNECTION = {
  connecting: "Connecting",
  open: "Up to date",
  away: "Reconnecting…",
} as const;

function Connection() {
  return (
    <p class="small quiet" data-connection={connection.value}>
      {CONNECTION[connection.value]}
    </p>
  );
}

const THEME_NAMES = { system: "System", light: "Light", dark: "Dark" } as const;

function ThemeChoice() {
  return (
    <Pick
      look="field"
      label="Theme"
      isBare
      value={theme.value}
      options={THEMES.map((name) => [name, THEME_NAMES[name]])}
      onPick={(value) => setTheme(value as Theme)}
    />
  );
}
