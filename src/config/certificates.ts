/** Settings of certificates that the program gets for its own hosts. */

import { ConfigError, integer, parseEmail } from "./values.ts";

export interface CertificatesConfig {
  /** Whether the operator accepts the authority's terms; without that, a proxy has certificates, or nobody. */
  isAgreed: boolean;
  /** Where the authority's directory lies. */
  directory: string;
  /** Whom it may write to; null: nobody. */
  email: string | null;
  httpPort: number;
  httpsPort: number;
}

export const CERTIFICATES_SETTINGS = {
  acme: {
    about:
      "Get TLS certificates and serve https: off, or agree to accept the CA's terms of service",
    value: "off|agree",
    fallback: "off",
  },
  acme_directory: {
    about: "ACME directory of the CA",
    value: "URL",
    fallback: "https://acme-v02.api.letsencrypt.org/directory",
  },
  acme_email: { about: "Where the CA may write to you", value: "EMAIL", fallback: null },
  https_port: { about: "Port for https, with acme", value: "N", fallback: "443" },
  http_port: {
    about: "Port for the CA's checks and redirects to https, with acme; the CA connects to 80",
    value: "N",
    fallback: "80",
  },
} as const;

type Read = <Value>(
  name: keyof typeof CERTIFICATES_SETTINGS,
  parse: (text: string) => Value,
) => Value | null;

export function readCertificatesConfig(read: Read): CertificatesConfig {
  const port = integer(1, 65_535);
  return {
    isAgreed: read("acme", parseAgreed) ?? false,
    directory: read("acme_directory", parseDirectory) ?? "",
    email: read("acme_email", parseEmail),
    httpPort: read("http_port", port) ?? 0,
    httpsPort: read("https_port", port) ?? 0,
  };
}

function parseAgreed(text: string): boolean {
  if (text !== "off" && text !== "agree") {
    throw new ConfigError(`must be off, or agree if you accept the CA's terms, not "${text}"`);
  }
  return text === "agree";
}

function parseDirectory(text: string): string {
  if (URL.parse(text)?.protocol !== "https:") {
    throw new ConfigError(`must be an https URL, not "${text}"`);
  }
  return text;
}
