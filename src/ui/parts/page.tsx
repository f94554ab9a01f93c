/** What every page is built of: its head, its cards, and what it says when it has nothing to show. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { OutriderError } from "#client.ts";
import type { Data } from "../lib/data.ts";
import { env, hasArrived, place, to } from "../lib/route.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { isOpen, whereNow } from "./navigation.ts";
import { Scroll } from "./scroll.tsx";
import { Tabs } from "./tabs.tsx";

export type Tone = "good" | "warn" | "bad" | "brand" | "plain";

/** What is read out of a page that one goes to: its heading has the focus, and its name is the tab's. */
export function Page(props: {
  title: string;
  /** What waits to be read, for the tab. */
  unread?: number | undefined;
  /** Which of several pages about the same it is. */
  part?: string | undefined;
  about?: ComponentChildren;
  badge?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, part, unread } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const names = [part, title, env.value === "test" ? "Sandbox" : undefined, "Outrider"];
  const name = names.filter((each) => each !== undefined).join(" · ");
  document.title = unread ? `(${unread}) ${name}` : name;
  useLayoutEffect(() => {
    if (hasArrived()) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [title, part]);
  const { entry, tab } = whereNow();
  const isBelow = tab !== undefined && tab.page !== place.value && tab.title !== title;
  return (
    <div class="page">
      <header class="page-head">
        <div class="titles">
          {isBelow && (
            <a class="way-back small" href={to(tab.page)}>
              {tab.title}
            </a>
          )}
          <div class="title-line">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {props.badge}
          </div>
          {props.about && <p class="quiet">{props.about}</p>}
        </div>
        {props.actions && <div class="actions">{props.actions}</div>}
      </header>
      {entry?.tabs && tab?.page === place.value && (
        <Tabs label={entry.title} tabs={entry.tabs.filter(isOpen)} />
      )}
      {props.children}
    </div>
  );
}

export function Card(props: {
  title?: ComponentChildren;
  note?: ComponentChildren;
  span?: 3 | 4 | 6 | 8 | 12;
  /** Its content reaches the edges, as tables do. */
  flush?: boolean;
  children: ComponentChildren;
}) {
  const span = props.span === undefined ? "" : ` span-${props.span}`;
  return (
    <section class={`card${span}${props.flush ? " flush" : ""}`}>
      {props.title && (
        <header>
          <h2>{props.title}</h2>
          {props.note && <span class="quiet small">{props.note}</span>}
        </header>
      )}
      {props.children}
    </section>
  );
}

export function Pill({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <span class="pill" data-tone={tone}>
      {children}
    </span>
  );
}

export function Notice(props: { tone: Tone; icon?: IconName; children: ComponentChildren }) {
  const icon = props.icon ?? (props.tone === "good" ? "check" : "warning");
  return (
    <div class="notice" data-tone={props.tone} role="status">
      <Icon name={icon} />
      <div>{props.children}</div>
    </div>
  );
}

/** Nothing here yet: what the page is for, the next step, and the same by `curl` for who wants it. */
export function Empty(props: {
  icon: IconName;
  title: string;
  children: ComponentChildren;
  action?: ComponentChildren;
  curl?: string;
}) {
  return (
    <div class="state">
      <Icon name={props.icon} />
      <h2>{props.title}</h2>
      <p>{props.children}</p>
      {props.action}
      {props.curl && <ApiRequest curl={props.curl} />}
    </div>
  );
}

function ApiRequest({ curl }: { curl: string }) {
  return (
    <details
      class="api-request"
      onKeyDown={({ key, currentTarget }) => {
        if (key === "Escape") {
          currentTarget.open = false;
        }
      }}
    >
      <summary aria-label="API request" title="API request">
        {"</>"}
      </summary>
      <Scroll label="API request">
        <pre>
          <code>{curl}</code>
        </pre>
      </Scroll>
    </details>
  );
}

/** Answers that asking again does not change. */
const FAILED: Readonly<Record<number, string>> = {
  403: "You don’t have access to this page",
  404: "Not found",
};

/** Says why a page has no data, in the API's words, and offers what can be done. */
export function Failed({ error, retry }: { error: Error; retry: () => void }) {
  const { status: said, field, requestId } = error instanceof OutriderError ? error : {};
  // An address with an id that is none leads nowhere either.
  const status = said === 422 && field === "id" ? 404 : said;
  return (
    <div class="state" role="alert">
      <Icon name="warning" />
      <h2>{FAILED[status ?? 0] ?? "Couldn’t load this"}</h2>
      <p>{error.message}</p>
      {requestId && <p class="faint small">Request {requestId}</p>}
      {status === 404 && (
        <a class="button" href={to(place.value.split("/")[0] ?? "")}>
          Back to the list
        </a>
      )}
      {FAILED[status ?? 0] === undefined && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** Lines in the place of what comes; shown only when it takes a moment. */
export function Loading({ lines = 4 }: { lines?: number | undefined }) {
  return (
    <div class="stack" aria-busy="true">
      <span class="unseen">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} class="skeleton" style={{ width: `${90 - ((line * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

/** `children` once there is data; its state until then. */
export function Loaded<Value>(props: {
  data: Data<Value>;
  lines?: number;
  children: (value: Value) => ComponentChildren;
}) {
  const { value, error, isStale, reload } = props.data;
  if (value !== undefined) {
    return <div data-stale={isStale || undefined}>{props.children(value)}</div>;
  }
  if (error !== undefined) {
    return <Failed error={error} retry={reload} />;
  }
  return <Loading lines={props.lines} />;
}
