/** The editor of rich text comes when the first one is opened: it weighs as much as half of the console. */

import { signal } from "@preact/signals";

type Editor = typeof import("./rich-text.tsx");

/** Undefined until it has come; "missing" where it couldn't be had. */
export const editor = signal<Editor | "missing" | undefined>(undefined);

export async function loadEditor(): Promise<Editor | undefined> {
  try {
    const come = await import("./rich-text.tsx");
    editor.value = come;
    return come;
  } catch {
    editor.value = "missing";
    return undefined;
  }
}
