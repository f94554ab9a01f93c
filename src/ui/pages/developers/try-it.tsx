/** Asks the API from the reference, in the environment on show and as the person who is signed in. */

import { useSignal } from "@preact/signals";
import {
  type ApiDocument,
  type Parameter,
  type Placed,
  type Schema,
  sampleOf,
} from "#domain/openapi.ts";
import { curl } from "../../lib/curl.ts";
import { env } from "../../lib/route.ts";
import { Code } from "../../parts/copy.tsx";
import { bound, Form } from "../../parts/form/form.tsx";
import { Pill } from "../../parts/page.tsx";

interface Shown {
  status: number;
  text: string;
}

/** More of a response is not shown. */
const SHOWN_CHARS_MAX = 20_000;

export function TryIt(props: {
  of: ApiDocument;
  placed: Placed;
  parameters: readonly Parameter[];
  body: Schema | undefined;
}) {
  const { of, placed, parameters, body } = props;
  const values = useSignal<Readonly<Record<string, string>>>({});
  const text = useSignal(body === undefined ? "" : JSON.stringify(sampleOf(of, body), null, 2));
  const answer = useSignal<Shown | undefined>(undefined);
  const isBusy = useSignal(false);
  const asked = parameters.filter((parameter) => parameter.in !== "header");
  const path = fill(placed.path, asked, values.value);
  const isStream = placed.path === "/events/stream";
  const send = async () => {
    isBusy.value = true;
    answer.value = await call(placed.method, path, text.value);
    isBusy.value = false;
  };
  return (
    <Form look="try-it" onSend={() => void send()}>
      <h3>Try it {env.value === "test" ? "in the sandbox" : "with live data"}</h3>
      {asked.length > 0 && (
        <div class="two">
          {asked.map((parameter) => (
            <label key={parameter.name} class="field">
              <span class="label">{parameter.name}</span>
              <input
                class="input mono"
                required={parameter.in === "path"}
                autocomplete="off"
                value={values.value[parameter.name] ?? ""}
                onInput={({ currentTarget }) => {
                  values.value = { ...values.value, [parameter.name]: currentTarget.value };
                }}
              />
            </label>
          ))}
        </div>
      )}
      {body && (
        <label class="field">
          <span class="label">Body</span>
          <textarea
            class="input mono"
            rows={Math.min(14, text.value.split("\n").length + 1)}
            spellcheck={false}
            {...bound(text)}
          />
        </label>
      )}
      <Code label="curl command" text={curl(placed.method, path, parsed(text.value))} />
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={isBusy.value || isStream}>
          Send request
        </button>
        {isStream && (
          <span class="quiet small centred">A stream doesn’t end, so try it from a shell.</span>
        )}
      </div>
      {answer.value && (
        <div class="stack" role="status">
          <p>
            <Pill tone={answer.value.status > 0 && answer.value.status < 400 ? "good" : "bad"}>
              {answer.value.status === 0 ? "No response" : `HTTP ${answer.value.status}`}
            </Pill>
          </p>
          {answer.value.text !== "" && <Code label="Response" text={answer.value.text} />}
        </div>
      )}
    </Form>
  );
}

function fill(
  path: string,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place } of parameters) {
    const value = values[name] ?? "";
    if (place === "path" && value !== "") {
      filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    } else if (place === "query" && value !== "") {
      query.append(name, value);
    }
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function parsed(text: string): unknown {
  if (text.trim() === "") {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function call(method: string, path: string, body: string): Promise<Shown> {
  const hasBody = method !== "GET" && body.trim() !== "";
  try {
    const answer = await fetch(`/${env.peek()}/api/v1${path}`, {
      method,
      credentials: "same-origin",
      ...(hasBody ? { body, headers: { "Content-Type": "application/json" } } : {}),
    });
    return { status: answer.status, text: pretty(await answer.text()) };
  } catch {
    return { status: 0, text: "" };
  }
}

function pretty(text: string): string {
  const value = parsed(text);
  const whole = typeof value === "object" ? JSON.stringify(value, null, 2) : text;
  return whole.length > SHOWN_CHARS_MAX ? `${whole.slice(0, SHOWN_CHARS_MAX)}\n…` : whole;
}
