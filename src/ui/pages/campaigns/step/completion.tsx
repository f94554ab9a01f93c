/** What is offered while a merge field or a choice is typed, from its brace to the cursor. */

import { useSignal } from "@preact/signals";

interface Offer {
  name: string;
  words: string;
}

/** What is typed so far of a name, and of a choice. */
const NAMING = /\{\{\s*([\w.]{0,40})$/;
const CHOOSING = /(?<!\{)\{([^{}|%]{0,40})$/;
const OFFERED_MAX = 6;
const CHOICES = [
  ...["Hi|Hello|Hey", "Thanks|Thank you", "Best|Kind regards|Cheers"],
  ...["Quick question|Question", "Would you be open to|Are you interested in"],
];

function offersOf(before: string | null, names: readonly string[]): Offer[] {
  const name = NAMING.exec(before ?? "")?.[1]?.toLowerCase();
  if (name !== undefined) {
    const found = names.filter((one) => one.toLowerCase().startsWith(name));
    return found.slice(0, OFFERED_MAX).map((one) => ({ name: one, words: `{{${one}}}` }));
  }
  const choice = CHOOSING.exec(before ?? "")?.[1]?.toLowerCase();
  const found = choice === undefined ? [] : CHOICES;
  return found
    .filter((one) => one.toLowerCase().startsWith(choice ?? ""))
    .map((one) => ({ name: one.replaceAll("|", " | "), words: `{${one}}` }));
}

/** `insert` puts words in place of as many characters before the cursor. */
export function useCompletion(
  names: readonly string[],
  insert: (words: string, back: number) => void,
) {
  /** Null: nothing is typed that could be completed, or nothing is wanted. */
  const before = useSignal<string | null>(null);
  const at = useSignal(0);
  const offers = offersOf(before.value, names);
  const pick = ({ words }: Offer) => {
    const typed = before.peek() ?? "";
    before.value = null;
    insert(words, (NAMING.exec(typed) ?? CHOOSING.exec(typed))?.[0].length ?? 0);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const picked = offers[at.value];
    if (picked === undefined || event.isComposing) {
      return;
    }
    if (step !== undefined) {
      at.value = (at.value + step + offers.length) % offers.length;
    } else if (event.key === "Enter" || event.key === "Tab") {
      pick(picked);
    } else if (event.key === "Escape") {
      before.value = null;
      event.stopPropagation();
    } else {
      return;
    }
    event.preventDefault();
  };
  return {
    offers: <Offered offers={offers} at={at.value} onPick={pick} />,
    onKey,
    look: (text: string | null) => {
      before.value = text;
      at.value = 0;
    },
  };
}

function Offered(props: { offers: readonly Offer[]; at: number; onPick: (offer: Offer) => void }) {
  const { offers, at, onPick } = props;
  return offers.length === 0 ? null : (
    <fieldset class="actions mentions" aria-label="Variables to insert">
      {offers.map((offer, nth) => (
        <button
          key={offer.name}
          type="button"
          class="button compact"
          aria-pressed={nth === at}
          // Before the field loses the focus, and with it what was typed.
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(offer);
          }}
        >
          {offer.name}
        </button>
      ))}
    </fieldset>
  );
}
