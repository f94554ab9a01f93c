/** What a step said before: each of its texts with who wrote it and when, as the audit log has them. */

import type { AuditList, CampaignStep } from "#client.ts";
import { actorName, namesOfActors } from "../../../lib/actors.ts";
import { api } from "../../../lib/api.ts";
import { useData } from "../../../lib/data.ts";
import { filter, setFilters } from "../../../lib/route.ts";
import { can } from "../../../lib/session.ts";
import { Button } from "../../../parts/button.tsx";
import { Loaded } from "../../../parts/page.tsx";
import { When } from "../../../parts/when.tsx";
import { type Content, type Entry, type PastText, textsOf } from "./past-texts.ts";
import { Wording } from "./step-variants.tsx";

const ENTRIES_MAX = 500;

async function readTexts(step: CampaignStep): Promise<PastText[]> {
  const entries: Entry[] = [];
  let after: string | null = "";
  while (after !== null && entries.length < ENTRIES_MAX) {
    const page: AuditList = await api().listAudit({
      ...{ target: `step:${step.id}`, limit: 100 },
      ...(after !== "" && { after }),
    });
    entries.push(...page.data);
    after = page.next_cursor;
  }
  return textsOf(step, entries);
}

/** The step's texts, where the address asks for them, and the one that it names. */
export function useHistory(step: CampaignStep) {
  const asked = filter("history");
  const isOpen = asked !== "" && ["", step.id].includes(filter("step")) && can("audit:read");
  const texts = useData(async () => (isOpen ? await readTexts(step) : []), ["step"]);
  const all = isOpen ? (texts.value ?? []) : [];
  const shown = all.find(({ seq, revision }) => asked === `${seq}` || asked === `r${revision}`);
  return { isOpen, texts, shown: shown ?? all[0] };
}

const close = () => setFilters({ history: "" });

export function StepHistory(props: {
  of: ReturnType<typeof useHistory>;
  /** Null for those who may only read. */
  onRestore: ((content: Content) => void) | null;
}) {
  const { onRestore, of } = props;
  const { texts: data, shown } = of;
  const names = useData(namesOfActors);
  return (
    <Loaded data={data}>
      {(texts) => (
        <section class="stack" aria-label="History">
          <ol class="past-texts">
            {texts.map(({ seq, revision, at, actor }, place) => (
              <li key={seq}>
                <button
                  type="button"
                  class="button compact"
                  aria-pressed={seq === shown?.seq}
                  onClick={() => setFilters({ history: `${seq}` })}
                >
                  {place === 0 ? "Current" : <When at={at} isWall />}
                  <span class="faint small">
                    {names.value?.get(actor) ?? actorName(actor)} · Revision {revision}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          {shown !== undefined && <Wording {...shown.content} />}
          <div class="actions">
            {onRestore !== null && shown !== undefined && shown !== texts[0] && (
              <Button
                look="primary"
                onClick={() => {
                  onRestore(shown.content);
                  close();
                }}
              >
                Restore this text
              </Button>
            )}
            <Button onClick={close}>Back to editing</Button>
          </div>
        </section>
      )}
    </Loaded>
  );
}
