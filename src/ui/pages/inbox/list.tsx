/** The list of conversations: who, about what, what it was taken for. */

import { useEffect, useRef } from "preact/hooks";
import { withoutTokens } from "#domain/inbox/opt-out-token.ts";
import { INTEREST_LABELS, KINDS } from "../../lib/mail-words.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Pill } from "../../parts/page.tsx";
import { When } from "../../parts/when.tsx";
import { type Thread, threadHref } from "./data.ts";
import { useMembers } from "./handling.tsx";
import { selected as chosen, select } from "./selection.tsx";
import { useSwipe } from "./swipe.ts";

export function ThreadList(props: {
  rows: readonly Thread[];
  hasMore: boolean;
  selected: string;
  onMore: () => void;
}) {
  const { rows, hasMore, selected, onMore } = props;
  const members = useMembers();
  const nameOf = (id: string) => {
    const who = members.find((one) => one.id === id);
    return who?.name || who?.email || "a former member";
  };
  return (
    <nav class="inbox-list" aria-label="Conversations">
      <ul>
        {rows.map((row) => (
          <Row key={row.id} row={row} isOpen={row.id === selected} nameOf={nameOf} />
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

function Row(props: { row: Thread; isOpen: boolean; nameOf: (id: string) => string }) {
  const { row, isOpen, nameOf } = props;
  const link = useRef<HTMLAnchorElement>(null);
  const { pulledPx, handlers } = useSwipe(row);
  const pulled = pulledPx.value;
  useEffect(() => {
    if (isOpen) {
      link.current?.scrollIntoView({ block: "nearest" });
    }
  }, [isOpen]);
  return (
    <li>
      {can("inbox:write") && (
        <input
          type="checkbox"
          aria-label={`Select the conversation with ${row.from_name || row.from_address}`}
          checked={chosen.value.has(row.id)}
          onChange={({ currentTarget }) => select(row.id, currentTarget.checked)}
        />
      )}
      <a
        {...handlers}
        data-swipe={pulled === 0 ? undefined : pulled > 0 ? "interested" : "not_interested"}
        style={pulled === 0 ? undefined : { transform: `translateX(${pulled}px)` }}
        ref={link}
        href={threadHref(row.id)}
        class={row.read ? "" : "is-unread"}
        aria-current={isOpen ? "true" : undefined}
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
        <Marks row={row} nameOf={nameOf} />
      </a>
    </li>
  );
}

/** What it was taken for, and who takes care of it. */
function Marks({ row, nameOf }: { row: Thread; nameOf: (id: string) => string }) {
  const { kind, interest } = row;
  const label = interest === null || kind !== "reply" ? KINDS[kind] : INTEREST_LABELS[interest];
  return (
    <span class="marks">
      <Pill tone={label.tone}>{label.name}</Pill>
      {row.answered_at !== null && <span class="small faint">replied</span>}
      {row.snoozed_until !== null && (
        <span class="small faint">
          until <When at={row.snoozed_until} />
        </span>
      )}
      {row.assignee_id !== null && (
        <span class="small faint">
          <bdi>{nameOf(row.assignee_id)}</bdi>
        </span>
      )}
      {row.tags.map((tag) => (
        <Pill key={tag}>{tag}</Pill>
      ))}
    </span>
  );
}
