/**
 * Phrases that filters and people know from unwanted email, by what they promise or press for. A phrase is
 * matched as whole words, in lower case, with any white space between them.
 *
 * Source: ours, after the kinds of claim that the US Federal Trade Commission and the large providers'
 * rules for senders name as deceptive; a single one proves nothing.
 */

export const PHRASES: Readonly<Record<PhraseKind, readonly string[]>> = {
  pressure: [
    "act now",
    "apply now",
    "buy now",
    "call now",
    "do it today",
    "don't delay",
    "expires today",
    "final notice",
    "last chance",
    "limited time",
    "offer expires",
    "order now",
    "sign up now",
    "urgent action",
    "while supplies last",
  ],
  money: [
    "100% free",
    "cash bonus",
    "double your income",
    "earn extra cash",
    "extra income",
    "fast cash",
    "financial freedom",
    "free access",
    "free gift",
    "free money",
    "free trial",
    "lowest price",
    "make money",
    "money back guarantee",
    "no cost",
    "no hidden fees",
    "pure profit",
    "save big",
    "work from home",
  ],
  promise: [
    "100% guaranteed",
    "amazing offer",
    "guaranteed results",
    "incredible deal",
    "miracle",
    "no catch",
    "no obligation",
    "no strings attached",
    "once in a lifetime",
    "risk free",
    "risk-free",
    "satisfaction guaranteed",
    "this is not spam",
    "too good to be true",
  ],
  lure: [
    "claim your prize",
    "click below",
    "click here",
    "congratulations",
    "dear friend",
    "open immediately",
    "special promotion",
    "verify your account",
    "you are a winner",
    "you have been selected",
    "you have won",
  ],
};
export type PhraseKind = "pressure" | "money" | "promise" | "lure";

/** Hosts whose links hide where they lead, and are shared with those who hide on purpose. */
export const SHORTENERS: readonly string[] = [
  "bit.ly",
  "bl.ink",
  "buff.ly",
  "cutt.ly",
  "goo.gl",
  "is.gd",
  "lnkd.in",
  "ow.ly",
  "rb.gy",
  "rebrand.ly",
  "s.id",
  "shorturl.at",
  "t.co",
  "t.ly",
  "tiny.cc",
  "tinyurl.com",
  "v.gd",
];
