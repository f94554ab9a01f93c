/** DKIM as somebody else checks it. */

import { dkimVerify } from "mailauth/lib/dkim/verify.js";

export interface Verified {
  /** `pass`, `fail`, `none`, `neutral`, `temperror` or `permerror`. */
  result: string;
  domain: string | undefined;
  selector: string | undefined;
  /** Names of the signed headers, in lower case. */
  headers: string[];
}

/** What each signature of `raw` is worth when `texts` are the TXT records of the environment. */
export async function verifyDkim(
  raw: Uint8Array,
  texts: Readonly<Record<string, readonly string[]>>,
): Promise<Verified[]> {
  const { results } = await dkimVerify(Buffer.from(raw), {
    resolver: async (name: string) => {
      const records = texts[name];
      if (records === undefined) {
        throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
      }
      return records.map((record) => [record]);
    },
  });
  return (results as Signature[]).map(({ status, signingDomain, selector, signingHeaders }) => ({
    result: status.result,
    domain: signingDomain,
    selector,
    headers: (signingHeaders?.keys ?? "").split(":").map((name) => name.trim().toLowerCase()),
  }));
}

interface Signature {
  status: { result: string };
  signingDomain?: string;
  selector?: string;
  signingHeaders?: { keys: string };
}
