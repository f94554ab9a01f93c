/** The API's reference, drawn from its own document: works without a network, and can be tried. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import {
  type ApiDocument,
  kindOf,
  operationsOf,
  type Placed,
  resolve,
  type Schema,
} from "#domain/openapi.ts";
import { useData } from "../../lib/data.ts";
import { plural, words } from "../../lib/format.ts";
import { filter, setFilters } from "../../lib/route.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Empty, Loaded, Page } from "../../parts/page.tsx";
import { loadDocument } from "./document.ts";
import { TryIt } from "./try-it.tsx";

export function ReferencePage() {
  const document_ = useData(loadDocument);
  const wanted = filter("search").toLowerCase();
  return (
    <Page
      title="API reference"
      about="Everything the console does, your programs can do too. Try any operation here as yourself."
      actions={
        <>
          <a class="button" href="/api/v1/openapi.json" download="outrider-openapi.json">
            OpenAPI document
          </a>
          <a class="button" href="/docs">
            Full reference
          </a>
          <a class="button" href="/docs/guide">
            Guide
          </a>
        </>
      }
    >
      <div class="filters plain">
        <label>
          Search
          <input
            class="input wide"
            type="search"
            placeholder="pause, webhook, /leads"
            value={filter("search")}
            onInput={({ currentTarget }) => setFilters({ search: currentTarget.value })}
          />
        </label>
      </div>
      <Loaded data={document_} lines={12}>
        {(value) => {
          const found = operationsOf(value).filter((placed) => fits(placed, wanted));
          return found.length === 0 ? (
            <Card>
              <Empty
                icon="search"
                title="No matching operations"
                action={<Button onClick={() => setFilters({ search: "" })}>Clear search</Button>}
              >
                Search for a path, or for what you want to do.
              </Empty>
            </Card>
          ) : (
            <div class="stack">
              {value.tags.map((tag) => (
                <TagCard
                  key={tag.name}
                  tag={tag}
                  of={value}
                  operations={found.filter(({ operation }) => operation.tags?.[0] === tag.name)}
                />
              ))}
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function fits({ method, path, operation }: Placed, wanted: string): boolean {
  const text = `${method} ${path} ${operation.summary ?? ""} ${operation.operationId}`;
  return wanted.split(/\s+/).every((word) => text.toLowerCase().includes(word));
}

function TagCard(props: {
  tag: { name: string; description?: string };
  of: ApiDocument;
  operations: readonly Placed[];
}) {
  const { tag, of, operations } = props;
  if (operations.length === 0) {
    return null;
  }
  return (
    <Card title={words(tag.name)} note={plural(operations.length, "operation")} flush>
      {tag.description && <p class="quiet card-text">{tag.description}.</p>}
      <ul class="log">
        {operations.map((placed) => (
          <Entry key={placed.operation.operationId} of={of} placed={placed} />
        ))}
      </ul>
    </Card>
  );
}

function Entry({ of, placed }: { of: ApiDocument; placed: Placed }) {
  const { method, path, operation } = placed;
  const isOpen = filter("operation") === operation.operationId;
  return (
    <li>
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => {
          const is = filter("operation") === operation.operationId;
          if (currentTarget.open !== is) {
            setFilters({ operation: currentTarget.open ? operation.operationId : "" });
          }
        }}
      >
        <summary class="operation">
          <span class="method" data-method={method}>
            {method}
          </span>
          <code>{path}</code>
          <span class="what">{operation.summary}</span>
        </summary>
        {isOpen && <Detail of={of} placed={placed} />}
      </details>
    </li>
  );
}

function Detail({ of, placed }: { of: ApiDocument; placed: Placed }) {
  const { operation } = placed;
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(of, parameter));
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  const scope = operation.security?.[0]?.["apiKey"]?.[0];
  const answers = Object.entries(operation.responses ?? {}).filter(([status]) => status < "300");
  return (
    <div class="inside">
      {operation.description && <p>{operation.description}</p>}
      {scope && (
        <p class="quiet small">
          Requires scope <code>{scope}</code>
        </p>
      )}
      {parameters.length > 0 && (
        <Part title="Parameters">
          <Rows
            rows={parameters.map((parameter) => ({
              name: parameter.name,
              kind: kindOf(of, parameter.schema ?? {}),
              isRequired: parameter.required === true,
              note: [`in ${parameter.in}`, parameter.description ?? parameter.schema?.description]
                .filter(Boolean)
                .join(" · "),
            }))}
          />
        </Part>
      )}
      {body && (
        <Part title="Body">
          <Fields of={of} schema={body} />
        </Part>
      )}
      {answers.map(([status, answer]) => {
        const schema = resolve(of, answer).content?.["application/json"]?.schema;
        return (
          <Part key={status} title={`Response ${status}`}>
            {schema === undefined ? (
              <p class="quiet small">{resolve(of, answer).description ?? "No body"}</p>
            ) : (
              <Fields of={of} schema={schema} />
            )}
          </Part>
        );
      })}
      <TryIt of={of} placed={placed} parameters={parameters} body={body} />
    </div>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  const isOpen = useSignal(title === "Body" || title === "Parameters");
  return (
    <details
      class="part"
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{title}</summary>
      {isOpen.value && children}
    </details>
  );
}

interface Row {
  name: string;
  kind: string;
  isRequired: boolean;
  note: string;
}

function Fields({ of, schema }: { of: ApiDocument; schema: Schema }) {
  const whole = resolve(of, schema);
  const { properties, required = [] } = whole;
  if (properties === undefined) {
    const items = whole.items === undefined ? undefined : resolve(of, whole.items);
    return items?.properties === undefined ? (
      <p class="quiet small">{kindOf(of, whole)}</p>
    ) : (
      <Fields of={of} schema={items} />
    );
  }
  return (
    <Rows
      rows={Object.entries(properties).map(([name, property]) => ({
        name,
        kind: kindOf(of, property),
        isRequired: required.includes(name),
        note: property.description ?? "",
      }))}
    />
  );
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <dl class="fields">
      {rows.map(({ name, kind, isRequired, note }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {isRequired && <span class="faint small"> required</span>}
          </dt>
          <dd>
            <code class="faint">{kind}</code>
            {note && <span class="quiet">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
