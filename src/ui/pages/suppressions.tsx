/** Suppressions: who is never written to, why, and who said so. */

import { useSignal } from "@preact/signals";
import { SUPPRESSION_REASONS } from "#domain/leads/suppression.ts";
import { actorName, namesOfActors } from "../lib/actors.ts";
import { api } from "../lib/api.ts";
import { curl } from "../lib/curl.ts";
import { useData } from "../lib/data.ts";
import { count, plural } from "../lib/format.ts";
import { SUPPRESSED_BY } from "../lib/mail-words.ts";
import { filter, setFilters } from "../lib/route.ts";
import { can } from "../lib/session.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import {
  bound,
  Field,
  Form,
  FormFault,
  Submit,
  TextField,
  useSubmission,
} from "../parts/form/form.tsx";
import { LongTable } from "../parts/long-table.tsx";
import { Card, Empty, Loaded, Notice, Page, Pill } from "../parts/page.tsx";
import { toast } from "../parts/toasts.tsx";
import { When } from "../parts/when.tsx";
import { suppressAll, suppressFile } from "./suppression-upload.ts";

const PAGE_ROWS = 100;

const CURL = curl("POST", "/suppressions", { email: "@competitor.example", reason: "manual" });

function startAdding(): void {
  document.querySelector<HTMLElement>(".suppress textarea")?.focus();
}

function reasonNow() {
  return SUPPRESSION_REASONS.find((name) => name === filter("reason"));
}

function loadRows(offset: number) {
  const reason = reasonNow();
  const query = { limit: PAGE_ROWS, offset, ...(reason === undefined ? {} : { reason }) };
  return api().listSuppressions(query);
}

type Suppression = Awaited<ReturnType<typeof loadRows>>["data"][number];

async function loadCounts() {
  return await Promise.all(
    SUPPRESSION_REASONS.toReversed().map(async (reason) => {
      const { total } = await api().listSuppressions({ reason, limit: 1 });
      return { reason, total };
    }),
  );
}

export function SuppressionsPage() {
  const turn = useSignal(0);
  const total = useSignal<number | undefined>(undefined);
  const shown = useSignal<Suppression | undefined>(undefined);
  const isEmpty = total.value === 0;
  const done = () => {
    turn.value += 1;
  };
  return (
    <Page title="Suppressions" about="Addresses and domains Outrider never emails">
      <div class="stack">
        <div class="grid">
          <Card span={6} title="By reason">
            <Reasons turn={turn.value} />
          </Card>
          <Card span={6} title="Check or suppress an address">
            <Check onDone={done} />
          </Card>
        </div>
        <Card
          flush
          title={
            reasonNow() === undefined
              ? "All suppressions"
              : SUPPRESSED_BY[reasonNow() ?? "manual"].name
          }
        >
          {isEmpty && (
            <Empty
              icon="suppressions"
              title={
                reasonNow() === undefined
                  ? "No suppressions yet"
                  : "No suppressions for this reason"
              }
              curl={CURL}
              action={
                reasonNow() ? (
                  <Button onClick={() => setFilters({ reason: "" })}>Show all</Button>
                ) : (
                  can("suppressions:write") && <Button onClick={startAdding}>Add address</Button>
                )
              }
            >
              People who unsubscribe, complain, or bounce are added automatically. To add someone
              yourself, enter an address, or @ and a domain, above.
            </Empty>
          )}
          <div hidden={isEmpty}>
            <LongTable
              key={filter("reason")}
              label="Suppressions"
              families={["suppression"]}
              load={async (offset) => {
                turn.value;
                const page = await loadRows(offset);
                total.value = page.total;
                return page;
              }}
              columns={[
                {
                  title: "Address",
                  track: [128, 1],
                  cell: (row) => (
                    <button type="button" class="why link" onClick={() => (shown.value = row)}>
                      {row.email ?? "Only a hash remains"}
                    </button>
                  ),
                },
                {
                  title: "Reason",
                  track: [126, 0],
                  cell: ({ reason }) => (
                    <Pill tone={SUPPRESSED_BY[reason].tone}>{SUPPRESSED_BY[reason].name}</Pill>
                  ),
                },
                {
                  title: "Added",
                  isMinor: true,
                  cell: ({ created_at }) => <When at={created_at} />,
                  isFigure: true,
                },
              ]}
            />
          </div>
        </Card>
      </div>
      {shown.value !== undefined && (
        <Details
          row={shown.value}
          onDone={done}
          onClose={() => {
            shown.value = undefined;
          }}
        />
      )}
    </Page>
  );
}

/** One bar for each reason; choosing one shows those alone. */
function Reasons({ turn }: { turn: number }) {
  const counts = useData(loadCounts, ["suppression"]);
  return (
    <Loaded data={counts} key={turn}>
      {(rows) => {
        const most = Math.max(1, ...rows.map(({ total }) => total));
        return (
          <ul class="reasons">
            {rows.map(({ reason, total }) => (
              <li key={reason}>
                <button
                  type="button"
                  aria-pressed={reasonNow() === reason}
                  onClick={() => setFilters({ reason: reasonNow() === reason ? "" : reason })}
                >
                  <span>{SUPPRESSED_BY[reason].name}</span>
                  <span class="number">{count(total)}</span>
                  <i
                    data-tone={SUPPRESSED_BY[reason].tone}
                    style={{ width: `${(total / most) * 100}%` }}
                  />
                </button>
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

interface Found {
  email: string;
  suppressed: boolean;
  match: "address" | "domain" | null;
  reason: Suppression["reason"] | null;
}

function Check({ onDone }: { onDone: () => void }) {
  const text = useSignal("");
  const found = useSignal<Found | undefined>(undefined);
  const submission = useSubmission();
  const addresses = [...new Set(text.value.split(/[\s,;]+/).filter(Boolean))];
  const [address = ""] = addresses;
  const isMany = addresses.length > 1;
  const check = async () => {
    const answer = await api().checkSuppression({ email: address });
    found.value = { email: address, ...answer };
  };
  const add = async () => {
    await api().createSuppression({ body: { email: address, reason: "manual" } });
    toast(`${address} won’t get any more emails`);
    await check();
    onDone();
  };
  /** What is refused stays, to be fixed. */
  const addAll = async (upload: Promise<string[]>) => {
    const left = await upload;
    text.value = left.join("\n");
    if (left.length > 0) {
      const [first = ""] = left;
      throw new Error(
        `${plural(left.length, "address", "addresses")} not suppressed. ${first}: must be an address or a domain`,
      );
    }
  };
  const addList = () => addAll(suppressAll(addresses, onDone));
  const isOff = address === "" || submission.isBusy;
  return (
    <Form
      of={submission}
      look="stack suppress"
      onSend={() => submission.submit(isMany ? addList : check)}
    >
      <Field
        label="Email addresses or @domains"
        name="email"
        of={submission}
        hint="One, or a list. @example.com covers every address at that domain, but not its subdomains."
      >
        {(attributes) => (
          <textarea
            {...attributes}
            rows={3}
            autocomplete="off"
            spellcheck={false}
            {...bound(text)}
          />
        )}
      </Field>
      <FormFault of={submission} fields={["email"]} />
      {found.value !== undefined && <Verdict found={found.value} />}
      <div class="actions">
        {!isMany && (
          <Submit of={submission} look="" isOff={isOff}>
            Check
          </Submit>
        )}
        {can("suppressions:write") && (
          <Button
            look="primary"
            disabled={isOff}
            onClick={() => submission.submit(isMany ? addList : add)}
          >
            {isMany ? `Suppress ${count(addresses.length)} addresses` : "Suppress"}
          </Button>
        )}
        {can("suppressions:write") && (
          <label class="button">
            Upload a file
            <input
              type="file"
              class="unseen"
              accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json,text/csv"
              disabled={submission.isBusy}
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? [];
                currentTarget.value = "";
                if (file !== undefined) {
                  submission.submit(() => addAll(suppressFile(file, onDone)));
                }
              }}
            />
          </label>
        )}
      </div>
    </Form>
  );
}

function Verdict({ found }: { found: Found }) {
  const { email, suppressed, match, reason } = found;
  return suppressed ? (
    <Notice tone="bad">
      {email} is suppressed{match === "domain" && " along with its whole domain"}
      {reason !== null && `: ${SUPPRESSED_BY[reason].name.toLowerCase()}`}.
    </Notice>
  ) : (
    <Notice tone="good">{email} isn’t suppressed. You can email it.</Notice>
  );
}

/** Who added it, and taking it away with a reason that is kept. */
function Details(props: { row: Suppression; onDone: () => void; onClose: () => void }) {
  const { row, onDone, onClose } = props;
  const why = useSignal("");
  const submission = useSubmission();
  const log = useData(async () => {
    const query = { target: `suppression:${row.id}`, limit: 20 };
    const [{ data }, names] = await Promise.all([api().listAudit(query), namesOfActors()]);
    return { data, names };
  });
  const lift = async () => {
    const reason = why.value.trim();
    await api().deleteSuppression({ id: row.id, ...(reason === "" ? {} : { reason }) });
    toast(`${row.email ?? "The address"} can be emailed again`);
    onDone();
    onClose();
  };
  const isTheirs = row.reason === "unsubscribe" || row.reason === "complaint";
  return (
    <Dialog title={row.email ?? "Address unknown"} onClose={onClose}>
      <p>
        <Pill tone={SUPPRESSED_BY[row.reason].tone}>{SUPPRESSED_BY[row.reason].name}</Pill>{" "}
        <span class="quiet">
          <When at={row.created_at} />
        </span>
      </p>
      <Loaded data={log} lines={1}>
        {({ data, names }) =>
          data.length === 0 ? (
            <p class="quiet small">Added automatically after a bounce, complaint, or opt-out.</p>
          ) : (
            <ul class="small quiet">
              {data.map((entry) => (
                <li key={entry.seq}>
                  {entry.action.endsWith("create") ? "Added" : "Changed"} by{" "}
                  {names.get(entry.actor) ?? actorName(entry.actor)}{" "}
                  <When at={entry.created_at} isWall />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {can("suppressions:write") && (
        <>
          {isTheirs && (
            <Notice tone="warn">
              This person opted out or complained. Remove the suppression only if it was a mistake.
            </Notice>
          )}
          <TextField
            label="Reason for removing it"
            name="reason"
            of={submission}
            hint="With a reason, the suppression counts as a mistake: sequences it ended continue. The reason is kept in the audit log."
            {...bound(why)}
          />
          <FormFault of={submission} fields={["reason"]} />
        </>
      )}
      <div class="actions">
        <Button onClick={onClose}>Close</Button>
        {can("suppressions:write") && (
          <Button
            look="danger"
            disabled={submission.isBusy || (isTheirs && why.value.trim() === "")}
            onClick={() => submission.submit(lift)}
          >
            Remove suppression
          </Button>
        )}
      </div>
    </Dialog>
  );
}
