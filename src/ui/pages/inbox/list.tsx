/** The list of conversations: who, about what, what it was taken for. */

import { useEffect, useRef } from "preact/hooks";
import { INTEREST_LABELS, KINDS, withoutTokens } from "../../lib/mail-words.ts";
import { Button } from "../../parts/button.tsx";
import { Pill } from "../../parts/page.tsx";
import { When } from "../../parts/when.tsx";
import { type Thread, threadHref } from "./data.ts";

export function ThreadList(props: {
  rows: readonly Thread[];
  hasMore: boolean;
  selected: string;
  onMore: () => void;
}) {
  const { rows, hasMore, selected, onMore } = props;
  return (
    <nav class="inbox-list" aria-label="Conversations">
      <ul>
        {rows.map((row) => (
          <Row key={row.id} row={row} isSelected={row.id === selected} />
        ))}
      </ul>
      {hasMore && (
        <Button look="plain" onClick={onMore}>
          Show older
        </Button>
      )}
    </nav>
  );
}

function Row({ row, isSelected }: { row: Thread; isSelected: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isSelected) {
      link.current?.scrollIntoView({ block: "nearest" });
    }
  }, [isSelected]);
  const { kind, interest } = row;
  const label = interest === null || kind !== "reply" ? KINDS[kind] : INTEREST_LABELS[interest];
  return (
    <li>
      <a
        ref={link}
        href={threadHref(row.id)}
        class={row.read ? "" : "is-unread"}
        aria-current={isSelected ? "true" : undefined}
      >
        <span class="who">
          {!row.read && <span class="unseen">Unread: </span>}
          <bdi>{row.from_name || row.from_address || "Unknown sender"}</bdi>
        </span>
        <span class="small faint">
          <When at={row.last_mail_at} />
        </span>
        <bdi class="subject">{withoutTokens(row.subject) || "(no subject)"}</bdi>
        <span class="small quiet snippet">{row.snippet}</span>
        <span class="marks">
          <Pill tone={label.tone}>{label.name}</Pill>
          {row.answered_at !== null && <span class="small faint">replied</span>}
        </span>
      </a>
    </li>
  );
}
