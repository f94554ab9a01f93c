/** Short words about what has just been done or refused, read out to those who do not see them. */

import { signal } from "@preact/signals";

const SHOWN_MS = 6000;
const SHOWN_MAX = 3;

const shown = signal<readonly { id: number; text: string }[]>([]);
let last = 0;

export function say(text: string): void {
  last += 1;
  const id = last;
  shown.value = [...shown.value, { id, text }].slice(-SHOWN_MAX);
  setTimeout(() => {
    shown.value = shown.value.filter((toast) => toast.id !== id);
  }, SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text }) => (
        <p key={id} class="toast">
          {text}
        </p>
      ))}
    </div>
  );
}
