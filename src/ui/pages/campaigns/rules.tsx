/** Where a campaign's leads move on to: what has to happen, which campaign they go to, and how long after. */

import type { Campaign, CampaignDetail } from "#client.ts";
import { RULE_EVENTS, RULE_WAIT_DAYS, type RuleEvent } from "#domain/campaigns/rule.ts";
import { api } from "../../lib/api.ts";
import { type Data, useData } from "../../lib/data.ts";
import { plural } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { numberOf, useDraft } from "../../parts/form/draft.ts";
import { DraftForm } from "../../parts/form/draft-form.tsx";
import type { Submission } from "../../parts/form/form.tsx";
import { Input, Select } from "../../parts/form/input.tsx";
import type { Options } from "../../parts/form/pick.tsx";
import { Card, Loaded } from "../../parts/page.tsx";
import { CampaignFrame } from "./frame.tsx";

const EVENTS: Readonly<Record<RuleEvent, string>> = {
  interested: "Is interested",
  meeting: "Wants a meeting",
  neutral: "Sends a neutral reply",
  replied: "Replies anything else, except a refusal",
  completed: "Got all emails and didn’t reply",
};

const CAMPAIGNS_MAX = 1000;
/** As many as the API lists at once. */
const PAGE = 100;

/** As the form holds it: numbers as they are typed. */
interface Row {
  on: RuleEvent;
  campaign_id: string;
  wait_days: string;
  wait_minutes: string;
}
interface Fields {
  rules: readonly Row[];
}

const fieldsOf = ({ rules }: Campaign): Fields => ({
  rules: rules.map(({ on, campaign_id, wait_days: days, wait_minutes: minutes }) => ({
    on,
    campaign_id,
    wait_days: String(days ?? RULE_WAIT_DAYS),
    wait_minutes: String(minutes ?? 0),
  })),
});

/** Campaigns to choose from, the latest first; a rule may lead to an old one. */
async function readCampaigns(): Promise<Campaign[]> {
  const found: Campaign[] = [];
  for (let isMore = true; isMore && found.length < CAMPAIGNS_MAX; ) {
    const { data } = await api().listCampaigns({ limit: PAGE, offset: found.length });
    isMore = data.length === PAGE;
    found.push(...data);
  }
  return found;
}

export function RulesPage({ id }: { id: string }) {
  return (
    <CampaignFrame id={id}>
      {(campaign, { reload }) => <Rules campaign={campaign} onSaved={reload} />}
    </CampaignFrame>
  );
}

function Rules({ campaign, onSaved }: { campaign: CampaignDetail; onSaved: () => void }) {
  const { id } = campaign;
  const campaigns = useData(readCampaigns, ["campaign"]);
  const of = useDraft({
    target: `campaign:${id}`,
    keptAs: `campaigns/${id}/rules`,
    read: () => api().getCampaign({ id }),
    stored: campaign as Campaign,
    fieldsOf,
    changeOf: (_, { rules }) => ({
      rules: rules.map((rule) => ({
        ...rule,
        wait_days: numberOf(rule.wait_days),
        wait_minutes: numberOf(rule.wait_minutes),
      })),
    }),
    write: (body, options) => api().patchCampaign({ id, body }, options),
    isAuto: false,
    onSaved,
  });
  const { rules } = of.fields;
  const set = (next: readonly Row[]) => of.set({ rules: next });
  const isReadOnly = !can("campaigns:write");
  const free = RULE_EVENTS.filter((event) => rules.every(({ on }) => on !== event));
  return (
    <Card title="Move leads to another campaign">
      <Loaded data={campaigns}>
        {(all) => (
          <DraftForm
            of={of}
            told={(fields) => ["Rules", wordsOf(fields, all)]}
            action="Save rules"
            isReadOnly={isReadOnly}
            fields={rules.flatMap((row, at) => Object.keys(row).map((name) => pathOf(at, name)))}
          >
            <p class="small quiet">
              A lead that a rule moves gets nothing more from this campaign. If it writes again, or
              you correct its interest, before the first email there, it stays.
            </p>
            {rules.map((row, at) => (
              <RuleFields
                key={String(at)}
                {...{ row, at, free }}
                of={of.form}
                options={optionsFor(row, all, id)}
                onChange={(change) =>
                  set(rules.map((each) => (each === row ? { ...row, ...change } : each)))
                }
                {...(!isReadOnly && { onRemove: () => set(rules.filter((each) => each !== row)) })}
              />
            ))}
            {!isReadOnly && (
              <div>
                <Button
                  disabled={free.length === 0}
                  onClick={() => {
                    const [on = "completed"] = free;
                    const wait = { wait_days: String(RULE_WAIT_DAYS), wait_minutes: "0" };
                    set([...rules, { on, campaign_id: "", ...wait }]);
                  }}
                >
                  Add rule
                </Button>
              </div>
            )}
          </DraftForm>
        )}
      </Loaded>
    </Card>
  );
}

const pathOf = (at: number, name: string) => `rules.${at}.${name}`;

function RuleFields(props: {
  row: Row;
  at: number;
  of: Submission;
  /** Events that no rule is about. */
  free: readonly RuleEvent[];
  options: Options;
  onChange: (change: Partial<Row>) => void;
  /** Left out for who may only look. */
  onRemove?: () => void;
}) {
  const { row, at, of, free, options, onChange, onRemove } = props;
  const field = (name: keyof Row) => ({ of, name: pathOf(at, name), value: row[name] });
  return (
    <fieldset class="bare stack">
      <legend class="unseen">Rule {at + 1}</legend>
      <div class="field-grid">
        <Select
          label="When a lead"
          {...field("on")}
          options={RULE_EVENTS.filter((event) => event === row.on || free.includes(event)).map(
            (event) => [event, EVENTS[event]],
          )}
          onPick={(on) => onChange({ on: on as RuleEvent })}
        />
        <Select
          label="Move it to"
          {...field("campaign_id")}
          options={options}
          onPick={(campaign_id) => onChange({ campaign_id })}
        />
        <Input
          label="Days to wait"
          type="number"
          {...field("wait_days")}
          onText={(wait_days) => onChange({ wait_days })}
        />
        <Input
          label="And minutes"
          type="number"
          {...field("wait_minutes")}
          onText={(wait_minutes) => onChange({ wait_minutes })}
        />
      </div>
      {onRemove && (
        <div>
          <Button look="compact" aria-label={`Remove rule ${at + 1}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      )}
    </fieldset>
  );
}

type Known = Data<readonly Campaign[]>["value"] & object;

/** One that is archived or gone stays in sight where a rule leads to it. */
function optionsFor({ campaign_id: to }: Row, all: Known, own: string): Options {
  const open = all.filter(({ id, status }) => id !== own && (status !== "archived" || id === to));
  return [
    ["", "Select a campaign"],
    ...open.map(
      ({ id, name, status }) => [id, status === "archived" ? `${name} (archived)` : name] as const,
    ),
    ...(to === "" || open.some(({ id }) => id === to) ? [] : [[to, "Deleted campaign"] as const]),
  ];
}

function wordsOf({ rules }: Fields, all: Known): string {
  return rules
    .map(({ on, campaign_id: to, wait_days: days, wait_minutes: minutes }) => {
      const name = all.find(({ id }) => id === to)?.name ?? "none";
      const wait = `${plural(Number(days), "day")} and ${plural(Number(minutes), "minute")}`;
      return `${EVENTS[on]}: ${name}, after ${wait}`;
    })
    .join("\n");
}
