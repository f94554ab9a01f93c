/** Goes anywhere and does anything by a few letters: pages, campaigns, leads, mailboxes, actions. */

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { api } from "../lib/api.ts";
import { type KeyGroup, keyGroups } from "../lib/keys.ts";
import { env, go, to } from "../lib/route.ts";
import { setTheme, THEMES } from "../lib/theme.ts";
import { Icon, type IconName } from "./icons.tsx";
import { KeyCaps } from "./key-list.tsx";
import { destinationsOf } from "./navigation.ts";

interface Item {
  id: string;
  title: string;
  kind: string;
  icon: IconName;
  key?: string;
  run: () => void;
}

const SHOWN_MAX = 12;
const FOUND_MAX = 5;
/** Letters are collected this long before the server is asked. */
const ASK_AFTER_MS = 120;

export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal("");
  const at = useSignal(0);
  const found = useFound(() => typed.value.trim());
  const items = useComputed(() => {
    const wanted = typed.value.trim().toLowerCase();
    const known = [...pages(), ...actions(), ...pageKeys()];
    const fitting = wanted === "" ? known : known.filter(({ title }) => fits(title, wanted));
    return [...fitting.slice(0, SHOWN_MAX), ...found.value].slice(0, SHOWN_MAX);
  });
  // At once: the next key is typed into it, however soon it comes.
  useLayoutEffect(() => {
    const opened = document.activeElement;
    dialog.current?.showModal();
    return () => opened instanceof HTMLElement && opened.focus();
  }, []);
  const choose = (item: Item | undefined) => {
    if (item !== undefined) {
      onClose();
      item.run();
    }
  };
  const move = (by: number) => {
    const { length } = items.value;
    at.value = length === 0 ? 0 : (at.value + by + length) % length;
  };
  const selected = items.value[at.value];
  return (
    <dialog ref={dialog} class="dialog palette" aria-label="Command menu" onClose={onClose}>
      <div>
        <input
          class="input"
          role="combobox"
          aria-label="Command menu"
          aria-expanded="true"
          aria-controls="palette-items"
          aria-activedescendant={selected === undefined ? undefined : `palette-${selected.id}`}
          placeholder="Search pages, campaigns, leads, and mailboxes, or run a command"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={(event) => {
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (by !== undefined) {
              event.preventDefault();
              move(by);
            } else if (event.key === "Enter" && !event.isComposing) {
              event.preventDefault();
              choose(selected);
            }
          }}
        />
        <div class="palette-items" role="listbox" id="palette-items" aria-label="Results">
          {items.value.map((item, index) => (
            <div
              key={item.id}
              id={`palette-${item.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at.value}
              onPointerMove={() => {
                at.value = index;
              }}
              onClick={() => choose(item)}
              onKeyDown={({ key }) => key === "Enter" && choose(item)}
            >
              <Icon name={item.icon} />
              <span class="what">{item.title}</span>
              {item.key ? <KeyCaps of={item.key} /> : <span class="faint small">{item.kind}</span>}
            </div>
          ))}
        </div>
        {items.value.length === 0 && <p class="quiet small">No results. Try fewer letters.</p>}
      </div>
    </dialog>
  );
}

function pages(): Item[] {
  return destinationsOf(env.value).map(({ page, title, icon, letter, of }) => ({
    id: `page-${page.replaceAll("/", "-")}`,
    title,
    kind: of,
    icon,
    ...(letter === undefined ? {} : { key: `g ${letter}` }),
    run: () => go(to(page)),
  }));
}

function actions(): Item[] {
  const link = (title: string, page: string, icon: IconName): Item => ({
    id: `do-${page.replaceAll(/\W/g, "-")}`,
    title,
    kind: "Action",
    icon,
    run: () => go(to(page)),
  });
  const other = env.value === "test" ? "live" : "test";
  return [
    link("New campaign", "campaigns/new", "plus"),
    link("Create API key", "developers/keys?new=1", "plus"),
    link("Add webhook", "developers/webhooks?new=1", "plus"),
    {
      id: "do-environment",
      title: other === "test" ? "Switch to the sandbox" : "Switch to live",
      kind: "Action",
      icon: "simulator",
      run: () => go(to("", other)),
    },
    ...THEMES.map((name) => ({
      id: `do-theme-${name}`,
      title: name === "system" ? "Theme: system" : `Theme: ${name}`,
      kind: "Action",
      icon: "settings" as const,
      run: () => setTheme(name),
    })),
  ];
}

/** What the page on show does by keys can be done here by its name. */
function pageKeys(): Item[] {
  const groups: readonly KeyGroup[] = keyGroups.value;
  return groups
    .filter(({ name, isInDialog }) => name !== "General" && !isInDialog)
    .flatMap(({ name, keys }) =>
      Object.entries(keys()).flatMap(([key, action]) =>
        action === undefined
          ? []
          : [
              {
                id: `key-${key.replaceAll(/\W/g, (sign) => `_${sign.charCodeAt(0)}`)}`,
                title: `${name}: ${action.name}`,
                kind: name,
                icon: "right" as const,
                key,
                run: action.run,
              },
            ],
      ),
    );
}

/** What the server finds for the letters; nothing while there are none. */
function useFound(wanted: () => string) {
  const found = useSignal<readonly Item[]>([]);
  useSignalEffect(() => {
    const text = wanted();
    if (text.length < 2) {
      found.value = [];
      return;
    }
    let isCurrent = true;
    const asking = setTimeout(() => {
      search(text).then(
        (items) => {
          if (isCurrent) {
            found.value = items;
          }
        },
        () => undefined,
      );
    }, ASK_AFTER_MS);
    return () => {
      isCurrent = false;
      clearTimeout(asking);
    };
  });
  return found;
}

async function search(text: string): Promise<Item[]> {
  const wanted = text.toLowerCase();
  const [campaigns, accounts, leads] = await Promise.all([
    api().listCampaigns({ limit: 100 }),
    api().listAccounts({ limit: 100 }),
    api().listLeads({ search: text, limit: FOUND_MAX }),
  ]);
  const item = (kind: string, page: string, icon: IconName, id: string, title: string): Item => ({
    id: `${page}-${id}`,
    title,
    kind,
    icon,
    run: () => go(to(`${page}/${id}`)),
  });
  return [
    ...campaigns.data
      .filter(({ name }) => fits(name, wanted))
      .slice(0, FOUND_MAX)
      .map(({ id, name }) => item("Campaign", "campaigns", "campaigns", id, name)),
    ...leads.data.map(({ id, email }) => item("Lead", "leads", "leads", id, email)),
    ...accounts.data
      .filter(({ email }) => fits(email, wanted))
      .slice(0, FOUND_MAX)
      .map(({ id, email }) => item("Mailbox", "accounts", "accounts", id, email)),
  ];
}

/** Every word of what was typed begins somewhere in the title. */
function fits(title: string, wanted: string): boolean {
  const text = title.toLowerCase();
  return wanted.split(/\s+/).every((word) => text.includes(word));
}
