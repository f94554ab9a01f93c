/** Pages whose script comes when it is needed: most people open few of them in a day. */

import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../button.tsx";
import { Loading, Page } from "../page.tsx";

type Values = Readonly<Record<string, string>>;

export type Pages = readonly [pattern: string, page: (values: Values) => ComponentChildren][];

export interface Area {
  /** Undefined until they have come. */
  pages: Signal<Pages | undefined>;
  isMissing: Signal<boolean>;
  load: () => void;
}

export function createArea(fetchPages: () => Promise<Pages>): Area {
  const pages = signal<Pages | undefined>(undefined);
  const isMissing = signal(false);
  const load = () => {
    fetchPages().then(
      (come) => {
        pages.value = come;
      },
      () => {
        isMissing.value = true;
      },
    );
  };
  return { pages, isMissing, load };
}

/** In the place of a page until its script is there. A newer server has other files: it is asked anew. */
export function AreaComing({ area }: { area: Area }) {
  useEffect(area.load, [area]);
  return area.isMissing.value ? (
    <Page title="Couldn’t load this page">
      <div class="state" role="alert">
        <p>The server isn’t responding, or Outrider was updated after you opened the console.</p>
        <Button onClick={() => location.reload()}>Reload console</Button>
      </div>
    </Page>
  ) : (
    <Loading />
  );
}
