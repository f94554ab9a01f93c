/** Settings of a language model of the operator's that reads replies. */

import { ConfigError } from "./values.ts";

export interface ReplyModelConfig {
  /** Base of an OpenAI-compatible API: `http://127.0.0.1:11434/v1`. */
  url: string | null;
  name: string;
  /** Null: it needs none. */
  key: string | null;
}

export const REPLY_MODEL_SETTINGS = {
  reply_model_url: {
    about:
      "OpenAI-compatible API, such as http://127.0.0.1:11434/v1, to label unclear replies with",
    value: "URL",
    fallback: null,
  },
  reply_model_name: { about: "Model to use there", value: "NAME", fallback: "default" },
  reply_model_key: {
    about: "API key for reply_model_url",
    value: "KEY",
    fallback: null,
    secret: true,
  },
} as const;

type Read = <Value>(
  name: keyof typeof REPLY_MODEL_SETTINGS,
  parse: (text: string) => Value,
) => Value | null;

export function readReplyModel(read: Read): ReplyModelConfig {
  return {
    url: read("reply_model_url", parseBase),
    name: read("reply_model_name", String) ?? "",
    key: read("reply_model_key", String),
  };
}

function parseBase(text: string): string {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === null || !isWeb || url.username !== "" || url.search !== "" || url.hash !== "") {
    throw new ConfigError(`must be a URL like http://127.0.0.1:11434/v1, not "${text}"`);
  }
  return url.href.replace(/\/+$/, "");
}
