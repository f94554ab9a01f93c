/** A mailbox at a glance. */

import type { Account } from "#client.ts";
import { type Beat, Heartbeat } from "../../charts/heartbeat.tsx";
import { Ring } from "../../charts/ring.tsx";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { Pill } from "../../parts/page.tsx";
import { HourBars } from "./hour-bars.tsx";
import { providerName, scoreOf, stateOf, troubleOf } from "./words.ts";

export function AccountCard({ account, beats }: { account: Account; beats: readonly Beat[] }) {
  const usage = useData(() => api().getAccountUsage({ id: account.id }), ["email"]);
  const [tone, word] = stateOf(account);
  const trouble = troubleOf(account);
  const { value } = usage;
  return (
    <li class="card account-card">
      <div class="account-top">
        <Ring score={scoreOf(account)} label="Health" />
        <div class="account-who">
          <a href={to(`accounts/${account.id}`)}>{account.email}</a>
          <p class="quiet small">
            {account.display_name ? `${account.display_name} · ` : ""}
            {providerName(account.provider)}
          </p>
          <Pill tone={tone}>{word}</Pill>
        </div>
      </div>
      {trouble && (
        <p class="trouble small" data-tone={trouble.tone}>
          {trouble.text} <span class="quiet">{trouble.remedy}</span>
        </p>
      )}
      <div>
        <p class="today small">
          <span class="quiet">Sent today</span>
          <span class="number">
            {value ? (
              <>
                <strong>{count(value.day.used)}</strong> of {count(value.day.cap)}
                {value.day.cap < value.day.limit && (
                  <span class="faint"> (limit {count(value.day.limit)})</span>
                )}
              </>
            ) : (
              "…"
            )}
          </span>
        </p>
        <progress
          class="meter thin"
          aria-label={`${account.email}: sent today`}
          max={Math.max(1, value?.day.cap ?? 1)}
          value={value?.day.used ?? 0}
        />
        <HourBars beats={beats} />
      </div>
      <Heartbeat beats={beats} label={account.email} />
    </li>
  );
}
