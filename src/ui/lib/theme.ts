/** Light, dark, or what the system says. */

import { signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "outrider-theme";

export const theme = signal<Theme>(stored());

export function setTheme(next: Theme): void {
  theme.value = next;
  localStorage.setItem(KEY, next);
  show(next);
}

/** Before the first paint. */
export function startTheme(): void {
  show(theme.value);
}

function show(next: Theme): void {
  if (next === "system") {
    delete document.documentElement.dataset["theme"];
  } else {
    document.documentElement.dataset["theme"] = next;
  }
}

function stored(): Theme {
  const found = localStorage.getItem(KEY);
  return THEMES.find((name) => name === found) ?? "system";
}
