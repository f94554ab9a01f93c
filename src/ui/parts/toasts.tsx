/** Short words about what has just been done or refused, read out to those who do not see them. */

import { effect, signal } from "@preact/signals";
import { errorOf } from "../lib/data.ts";
import { env } from "../lib/route.ts";

const SHOWN_MS = 6000;
/** What offers something gives more time, and stays as long as it is looked at or has the focus. */
const OFFERED_MS = 10_000;
const STAYS_MS = 1000;
const SHOWN_MAX = 3;

/** What a toast offers to do: "Undo". */
interface Offer {
  name: string;
  run: () => void;
}

interface Shown {
  id: number;
  text: string;
  offer: Offer | undefined;
  hide: () => void;
}

const shown = signal<readonly Shown[]>([]);
let last = 0;

/** Takes the last change back, also when its toast is gone: no hand has to be quick. */
export const undo = signal<(() => void) | undefined>(undefined);
effect(() => {
  // What was done in one environment isn't taken back in the other.
  env.value;
  undo.value = undefined;
});

/** `ms`: it goes exactly then. */
export function toast(text: string, offer?: Offer, ms?: number): void {
  last += 1;
  const id = last;
  const hide = () => {
    shown.value = shown.value.filter((toast) => toast.id !== id);
  };
  const end = () => {
    const isHeld = document.querySelector(`#toast-${id}`)?.matches(":hover, :focus-within");
    if (isHeld && ms === undefined) {
      setTimeout(end, STAYS_MS);
    } else {
      hide();
    }
  };
  let isRun = false;
  const run = () => {
    hide();
    undo.value = undefined;
    if (!isRun) {
      isRun = true;
      offer?.run();
    }
  };
  if (offer?.name === "Undo") {
    undo.value = run;
  }
  const made = { id, text, offer: offer && { ...offer, run }, hide };
  shown.value = [...shown.value, made].slice(-SHOWN_MAX);
  setTimeout(end, ms ?? (offer ? OFFERED_MS : SHOWN_MS));
}

/** Says what is about to be done. Resolves to whether nobody has called it off. */
export function undoable(text: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  toast(text, { name: "Undo", run: () => resolve(false) }, SHOWN_MS);
  const own = undo.peek();
  setTimeout(() => {
    resolve(true);
    if (undo.peek() === own) {
      undo.value = undefined;
    }
  }, SHOWN_MS);
  return promise;
}

/** Says what was done, and what of it will have no effect. */
export function sayDone(text: string, warning: string | null | undefined): void {
  toast(warning ? `${text}; ${warning}.` : `${text}.`);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text, offer, hide }) => (
        <p key={id} id={`toast-${id}`} class="toast">
          {text}
          {offer && (
            <button
              type="button"
              onClick={offer.run}
              onKeyDown={({ key }) => key === "Escape" && hide()}
            >
              {offer.name}
            </button>
          )}
        </p>
      ))}
    </div>
  );
}

/** Says what went wrong. */
export function toastError(cause: unknown): void {
  toast(errorOf(cause).message);
}

/** Says that it is done, or why it isn't. Never rejects. */
export function told(work: Promise<unknown>, done: string): Promise<void> {
  return work.then(() => toast(done), toastError);
}
