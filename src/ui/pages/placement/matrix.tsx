/** Every account against every seed, a mark each; choosing one shows what its headers say. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { dateTime, words } from "../../lib/format.ts";
import { env } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Scroll } from "../../parts/scroll.tsx";
import { providerName } from "../accounts/words.ts";
import { PLACES, placeOf, type Result } from "./words.ts";

export function Matrix({ runId, results }: { runId: string; results: readonly Result[] }) {
  const selected = useSignal<string | undefined>(undefined);
  const accounts = distinct(results, "account_id");
  const seeds = distinct(
    results.toSorted((a, b) => a.seed_provider.localeCompare(b.seed_provider)),
    "seed_id",
  );
  const at = new Map(results.map((result) => [keyOf(result, result), result]));
  const shown = selected.value === undefined ? undefined : at.get(selected.value);
  return (
    <>
      <Legend />
      <Scroll label="Results by mailbox and seed">
        <table class="matrix" aria-label="Where each mailbox’s email to each seed landed">
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">Mailbox</span>
              </th>
              {seeds.map(({ seed_id, seed_email, seed_provider }) => (
                <th key={seed_id} scope="col" title={seed_email}>
                  <span>{providerName(seed_provider)}</span>
                  <span class="faint small">
                    {seed_email.split("@")[0]}
                    <wbr />@{seed_email.split("@")[1]}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {accounts.map((account) => (
              <tr key={account.account_id}>
                <th scope="row">{account.account_email}</th>
                {seeds.map((seed) => {
                  const key = keyOf(account, seed);
                  return (
                    <td key={seed.seed_id}>
                      <Dot
                        result={at.get(key)}
                        isSelected={selected.value === key}
                        onClick={() => {
                          selected.value = selected.value === key ? undefined : key;
                        }}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {shown === undefined ? (
        <p class="quiet small matrix-hint">
          Select a result to see its folder, headers, and delay.
        </p>
      ) : (
        <>
          <Seen result={shown} />
          {env.value === "test" && placeOf(shown) === "waiting" && can("sandbox:write") && (
            <Decide key={selected.value} runId={runId} result={shown} />
          )}
        </>
      )}
    </>
  );
}

/** One result of each account, or of each seed. */
function distinct(results: readonly Result[], by: "account_id" | "seed_id"): Result[] {
  return [...new Map(results.map((result) => [result[by], result])).values()];
}

function keyOf({ account_id }: Result, { seed_id }: Result): string {
  return `${account_id} ${seed_id}`;
}

function Legend() {
  return (
    <ul class="legend">
      {Object.values(PLACES).map(({ name, mark, tone }) => (
        <li key={name}>
          <b class="dot" data-tone={tone} aria-hidden="true">
            {mark}
          </b>
          {name}
        </li>
      ))}
    </ul>
  );
}

function Dot(props: { result: Result | undefined; isSelected: boolean; onClick: () => void }) {
  const { result, isSelected, onClick } = props;
  if (result === undefined) {
    return <span class="faint">–</span>;
  }
  const place = PLACES[placeOf(result)];
  const said = `${result.account_email} to ${result.seed_email}: ${place.name}${result.error ? `, ${result.error}` : ""}`;
  return (
    <button
      type="button"
      class="dot"
      data-tone={place.tone}
      aria-label={said}
      title={said}
      aria-pressed={isSelected}
      onClick={onClick}
    >
      {place.mark}
    </button>
  );
}

function Seen({ result }: { result: Result }) {
  const verdict = (value: string | null) =>
    value === null ? "not reported" : value === "pass" ? "✓ pass" : `✗ ${value}`;
  const isFound = result.latency_ms !== null;
  const facts: [name: string, value: string | null | false][] = [
    ["Folder", result.folder],
    ["Tab", result.tab && words(result.tab)],
    ["SPF", isFound && verdict(result.spf)],
    ["DKIM", isFound && verdict(result.dkim)],
    ["DMARC", isFound && verdict(result.dmarc)],
    [
      "Unsubscribe headers signed",
      isFound &&
        (result.one_click_signed === null ? "missing" : result.one_click_signed ? "✓ yes" : "✗ no"),
    ],
    ["Sent", dateTime(result.sent_at)],
    ["Found after", result.latency_ms === null ? null : delayOf(result.latency_ms)],
    ["Error", result.error],
  ];
  return (
    <section class="seen" aria-live="polite">
      <h3>
        {result.account_email} → {result.seed_email}: {PLACES[placeOf(result)].name}
      </h3>
      <dl class="counts">
        {facts.map(
          ([name, value]) =>
            value !== null &&
            value !== false && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

/** In the sandbox a person may say where an email that is on its way ends. */
function Decide({ runId, result }: { runId: string; result: Result }) {
  const { seed_id, account_id } = result;
  return (
    <fieldset class="clock-row seen">
      <legend>Place it in</legend>
      {ENDS.map((placement) => (
        <Act
          key={placement}
          label={PLACES[placement].name}
          look="compact"
          done="It shows up there the next time the seed is checked"
          run={() =>
            api().injectIntoSandbox({
              body: {
                kind: "placement",
                run_id: runId,
                seed_id,
                account_id,
                placement,
              },
            })
          }
        />
      ))}
    </fieldset>
  );
}

const ENDS = ["inbox", "promotions", "spam", "not_delivered"] as const;

/** "12 s", "3 min", "1.5 h". */
export function delayOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) {
    return `${seconds} s`;
  }
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
