/** What programs have asked lately, to be asked again by `curl`. */

import { useEffect } from "preact/hooks";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { count, NONE } from "../../lib/format.ts";
import { filter, setFilters, to } from "../../lib/route.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { FilterPick } from "../../parts/form/pick.tsx";
import { Card, Empty, Loaded, Page, Pill, type Tone } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";

const OUTCOMES = [
  ["ok", "Succeeded"],
  ["refused", "Refused"],
  ["failed", "Failed on our side"],
] as const;
const METHODS = ["GET", "POST", "PATCH", "DELETE"];
const PAGE_ROWS = 100;
/** Nothing tells of requests, so the page asks. */
const ASK_EVERY_MS = 5000;

export function RequestsPage() {
  const requests = useData(() => {
    const query: Record<string, string | number> = { limit: PAGE_ROWS };
    for (const name of ["method", "outcome", "path"]) {
      if (filter(name) !== "") {
        query[name] = filter(name);
      }
    }
    return api().listRequests(query);
  });
  useEffect(() => {
    const asking = setInterval(() => {
      if (document.visibilityState === "visible") {
        requests.reload();
      }
    }, ASK_EVERY_MS);
    return () => clearInterval(asking);
  }, [requests.reload]);
  const isFiltered = ["method", "outcome", "path"].some((name) => filter(name) !== "");
  return (
    <Page
      title="Request log"
      about="The latest 500 requests made with API keys since the server started"
    >
      <Card flush>
        <Filters />
        <Loaded data={requests}>
          {({ data, total }) =>
            data.length === 0 ? (
              <Empty
                icon="developers"
                title={isFiltered ? "No matching requests" : "No requests yet"}
                curl={curl("GET", "/campaigns")}
                action={
                  isFiltered ? (
                    <Button onClick={() => setFilters({ method: "", outcome: "", path: "" })}>
                      Clear filters
                    </Button>
                  ) : (
                    <a class="button" href={to("developers/keys")}>
                      View API keys
                    </a>
                  )
                }
              >
                Requests made with your API keys show up here. What you do in the console is in the
                activity log.
              </Empty>
            ) : (
              <>
                <Table
                  label="Requests"
                  rows={data}
                  columns={[
                    { title: "When", cell: ({ created_at }) => <When at={created_at} isWall /> },
                    {
                      title: "Request",
                      cell: ({ method, path }) => (
                        <span class="request">
                          <span class="method" data-method={method}>
                            {method}
                          </span>
                          <code>{path.replace(/^\/api\/v1/, "")}</code>
                        </span>
                      ),
                    },
                    {
                      title: "Status",
                      cell: ({ status }) => <Pill tone={toneOf(status)}>{status}</Pill>,
                    },
                    {
                      title: "Duration",
                      cell: ({ duration_ms }) =>
                        duration_ms === 0 ? "under 1 ms" : `${count(duration_ms)} ms`,
                      isFigure: true,
                    },
                    { title: "Key", cell: ({ key_name }) => key_name ?? NONE },
                    { title: "Request ID", cell: ({ id }) => <code class="faint">{id}</code> },
                    {
                      title: "Repeat",
                      cell: ({ method, path }) => (
                        <CopyButton
                          label="Copy as curl"
                          text={curl(method, path.replace(/^\/api\/v1/, ""))}
                        />
                      ),
                    },
                  ]}
                />
                <p class="card-foot quiet small">
                  {total > data.length
                    ? `Latest ${count(data.length)} of ${count(total)}`
                    : `${count(total)} total`}
                </p>
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

function toneOf(status: number): Tone {
  if (status < 400) {
    return "good";
  }
  return status < 500 ? "warn" : "bad";
}

function Filters() {
  return (
    <div class="filters">
      <label>
        Path contains
        <input
          class="input"
          type="search"
          value={filter("path")}
          maxLength={200}
          onInput={({ currentTarget }) => setFilters({ path: currentTarget.value })}
        />
      </label>
      <FilterPick label="Outcome" name="outcome" any="Any" options={OUTCOMES} />
      <FilterPick
        label="Method"
        name="method"
        any="Any"
        options={METHODS.map((method) => [method, method])}
      />
    </div>
  );
}
