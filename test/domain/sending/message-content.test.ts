/** Guarantees of `domain/sending/message-content.ts`: both bodies say the same, and no lead can break a header. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type ContentInput,
  isRenderable,
  type MessageContent,
  renderMessage,
  SUBJECT_BYTES_MAX,
} from "#domain/sending/message-content.ts";
import { isReservedName, TEMPLATE_FIELDS } from "#domain/sending/message-scope.ts";
import { isHtml, textToHtml } from "#domain/sending/text-to-html.ts";
import { unixMs } from "#domain/time.ts";

const LINK = "https://out.example/u/token?a=1&b=2";

const INPUT: ContentInput = {
  subject: "Hello {{ first_name }}",
  body: "Hi {{ first_name }},\n\nI saw {{ company }}.\nBest\n{{ sender.first_name }}",
  format: null,
  lead: {
    email: "ada@example.com",
    fields: { first_name: " Ada ", company: "A & B <Ltd>", website: "", phone: null },
    variables: { plan: "gold", seats: 12 },
  },
  sender: { email: "sam@out.test", name: "Sam van Dyk", signature: "Sam\nout.test" },
  postalAddress: "Main Street 1\n12345 Town",
  unsubscribe: { https: LINK, mailto: "mailto:sam@out.test?subject=unsubscribe%20token" },
  footer: true,
  unsubscribeText: null,
  language: "en",
  threadSubject: null,
  seed: "lead step",
  at: unixMs(0),
};

function ready(change: Partial<ContentInput>): Extract<MessageContent, { kind: "ready" }> {
  const content = renderMessage({ ...INPUT, ...change });
  if (content.kind !== "ready") {
    throw new Error(JSON.stringify(content));
  }
  return content;
}

describe("a plain text body", () => {
  test("becomes HTML paragraphs of the same words, escaped", () => {
    expect(ready({ footer: false })).toEqual({
      kind: "ready",
      subject: "Hello Ada",
      text: "Hi Ada,\n\nI saw A & B <Ltd>.\nBest\nSam",
      html: "<p>Hi Ada,</p>\n<p>I saw A &amp; B &lt;Ltd&gt;.<br>\nBest<br>\nSam</p>\n",
    });
  });

  test("becomes no HTML because of what a lead's field holds", () => {
    const lead = { ...INPUT.lead, fields: { first_name: "<b>Ada</b>", company: "C" } };
    expect(ready({ lead, footer: false }).html).toContain("&lt;b&gt;Ada&lt;/b&gt;");
  });

  test.each([
    ["see https://a.example/x?y=1&z=2.", '<a href="https://a.example/x?y=1&amp;z=2">'],
    ["(see http://a.example/b)", 'href="http://a.example/b">http://a.example/b</a>)'],
    ["https://a.example/b_(c)", 'href="https://a.example/b_(c)">'],
    ['"https://a.example/"', '&quot;<a href="https://a.example/">'],
  ])("turns web addresses into links: %p", (text, html) => {
    expect(textToHtml(text)).toContain(html);
  });
});

describe("a body whose format is named", () => {
  test("is plain text with all its line ends, whatever tags stand in it", () => {
    const body = "Hi,\n\nyour page has <b>no</b> title.\nBest";
    expect(ready({ body, format: "plain", footer: false })).toMatchObject({
      text: body,
      html: "<p>Hi,</p>\n<p>your page has &lt;b&gt;no&lt;/b&gt; title.<br>\nBest</p>\n",
    });
  });

  test("is HTML without any tag, so that what values hold is escaped", () => {
    const body = "Hi {{ company }} &amp; all";
    expect(ready({ body, format: "html", footer: false })).toMatchObject({
      text: "Hi A & B <Ltd> & all",
      html: "Hi A &amp; B &lt;Ltd&gt; &amp; all",
    });
  });
});

describe("an HTML body", () => {
  const body = '<p>Hi {{ first_name }} of {{ company }}, <a href="https://a.example/">look</a></p>';

  test("becomes text of the same words with the addresses of its links", () => {
    const content = ready({ body, footer: false });
    expect(content.html).toBe(
      '<p>Hi Ada of A &amp; B &lt;Ltd&gt;, <a href="https://a.example/">look</a></p>',
    );
    expect(content.text).toBe("Hi Ada of A & B <Ltd>, look [https://a.example/]");
  });

  test("takes a plain signature with its line ends, and an HTML one as it is", () => {
    const source = "<p>Hi</p>{{ signature }}";
    expect(ready({ body: source, footer: false }).html).toBe("<p>Hi</p><p>Sam<br>\nout.test</p>");
    const sender = { ...INPUT.sender, signature: "<p><b>Sam</b></p>" };
    expect(ready({ body: source, sender, footer: false }).html).toBe("<p>Hi</p><p><b>Sam</b></p>");
    expect(ready({ body: "Hi\n{{ signature }}", sender, footer: false }).text).toBe("Hi\nSam");
  });

  test.each([
    ["<p>a</p>", true],
    ["a<br>b", true],
    ["a<BR/>b", true],
    ['<a href="x">', true],
    ["</div>", true],
    ["1 < 2 > 0", false],
    ["Ada <ada@example.com>", false],
    ["<first name>", false],
    ["<appendix>", false],
  ])("is told from text by its tags: %p", (source, answer) => {
    expect(isHtml(source)).toBe(answer);
  });
});

describe("the footer", () => {
  test("ends both bodies with the postal address and the link", () => {
    const content = ready({});
    expect(content.text).toEndWith(`\n\nMain Street 1\n12345 Town\n\nUnsubscribe: ${LINK}`);
    expect(content.html).toContain("Main Street 1<br>\n12345 Town");
    expect(content.html).toContain('<a href="https://out.example/u/token?a=1&amp;b=2">Unsubscribe');
  });

  test("stands inside the body element", () => {
    const content = ready({ body: "<html><body><p>Hi</p></BODY></html>" });
    expect(content.html).toEndWith("Unsubscribe</a></p>\n</BODY></html>");
  });

  test("takes the mailto form where there is no https address", () => {
    const unsubscribe = { ...INPUT.unsubscribe, https: null };
    const content = ready({ unsubscribe });
    expect(content.text).toEndWith(`Unsubscribe: ${unsubscribe.mailto}`);
    expect(content.html).toContain(`<a href="${unsubscribe.mailto}">`);
  });

  test.each([
    ["text", "Hi\n{{ unsubscribe_url }}"],
    ["HTML", '<p>Hi <a href="{{ unsubscribe_url }}">stop</a></p>'],
    ["HTML", '<p>Hi <a href="{{ unsubscribe_url | raw }}">stop</a></p>'],
  ])("is left out where a %s body shows the link itself", (_name, body) => {
    const content = ready({ body });
    expect(content.text).not.toContain("Unsubscribe:");
    expect(content.text).not.toContain("Main Street");
    expect(content.text).toContain(LINK);
  });

  test("is kept where the body names the link only in a branch that was not taken", () => {
    const content = ready({ body: "Hi{% if website %}{{ unsubscribe_url }}{% endif %}" });
    expect(content.text).toContain(`Unsubscribe: ${LINK}`);
  });

  test("is the link alone for a team without a postal address, and nothing when it is off", () => {
    expect(ready({ body: "Hi", postalAddress: " " }).text).toBe(`Hi\n\nUnsubscribe: ${LINK}`);
    expect(ready({ body: "Hi", footer: false }).text).toBe("Hi");
  });
});

describe("the footer's link", () => {
  const toGermany = { ...INPUT.lead, email: "ada@firma.de" };

  test("speaks the language of the lead, else of its country, else of the team", () => {
    const french = { ...toGermany, variables: { language: "fr-FR" } };
    expect(ready({ lead: french }).text).toEndWith(`\n\nSe désabonner: ${LINK}`);
    expect(ready({ lead: toGermany }).text).toEndWith(`\n\nAbmelden: ${LINK}`);
    expect(ready({ lead: toGermany }).html).toContain(">Abmelden</a>");
    expect(ready({ language: "ja" }).text).toEndWith(`\n\n配信停止: ${LINK}`);
  });

  test("says what the team wants, whatever the language, escaped and never as a template", () => {
    const unsubscribeText = 'No {{ first_name }}, no <b>"more"</b> & {no|none}';
    const { text, html } = ready({ lead: toGermany, unsubscribeText });
    expect(text).toEndWith(`\n\n${unsubscribeText}: ${LINK}`);
    const escaped = "No {{ first_name }}, no &lt;b&gt;&quot;more&quot;&lt;/b&gt; &amp; {no|none}";
    expect(html).toContain(`>${escaped}</a></p>\n`);
  });

  test("gets no colon after a sentence", () => {
    const unsubscribeText = "Not for you?";
    expect(ready({ unsubscribeText }).text).toEndWith(`\n\nNot for you? ${LINK}`);
  });
});

describe("the subject", () => {
  test("is one line without controls, whatever the lead's fields hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const lead = { ...INPUT.lead, variables: { value: `x${value}\r\nBcc: eve@example.com` } };
        const { subject } = ready({ subject: " Hi {{ value }} ", lead });
        expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\ud800-\udfff]/u);
        expect(subject).toBe(subject.trim());
      }),
    );
  });

  test.each([
    ["Offer", "Re: Offer"],
    ["Re: Offer", "Re: Offer"],
    ["RE: Offer", "RE: Offer"],
    ["a\r\nb", "Re: a b"],
    ["", "Re:"],
  ])("of a follow-up without one continues the thread %p", (threadSubject, subject) => {
    expect(ready({ subject: null, threadSubject }).subject).toBe(subject);
    expect(ready({ subject: "  ", threadSubject }).subject).toBe(subject);
  });

  test("of a follow-up with one begins anew", () => {
    expect(ready({ threadSubject: "Offer" }).subject).toBe("Hello Ada");
  });

  test("keeps within its bytes: a thread's is cut, a rendered one fails and says so", () => {
    const { subject } = ready({ subject: null, threadSubject: "ü🙂".repeat(166) });
    expect(new TextEncoder().encode(subject).length).toBeLessThanOrEqual(SUBJECT_BYTES_MAX);
    expect(subject).toStartWith("Re: ü🙂");
    const content = renderMessage({ ...INPUT, subject: "x".repeat(SUBJECT_BYTES_MAX + 1) });
    expect(content).toMatchObject({ kind: "failed", field: "subject" });
  });
});

describe("a lead with holes", () => {
  test("is held, with every missing name of subject and body once", () => {
    expect(
      renderMessage({ ...INPUT, subject: "{{ a }} {{ website }}", body: "{{ website }} {{ b }}" }),
    ).toEqual({ kind: "held", missing: ["a", "website", "b"] });
  });

  test("counts blank fields as holes, so that a fallback and a condition see them", () => {
    const body = '{{ website | default: "no site" }}{% if phone %}call{% endif %}';
    expect(ready({ body, footer: false }).text).toBe("no site");
  });

  test("is not held because the sender has no signature", () => {
    const sender = { ...INPUT.sender, signature: "" };
    expect(ready({ body: "Hi {{ signature }}", sender, footer: false }).text).toBe("Hi");
  });

  test("cannot take a reserved name for a variable of its own", () => {
    const variables = {
      unsubscribe_url: "https://evil.example/",
      sender: "x",
      website: "w",
      plan: "p",
    };
    const lead = { ...INPUT.lead, variables };
    const body = "{{ unsubscribe_url }} {{ sender.email }} {{ plan }}";
    expect(ready({ body, lead }).text).toBe(`${LINK} sam@out.test p`);
    expect(renderMessage({ ...INPUT, lead, body: "{{ website }}" }).kind).toBe("held");
    expect(["email", "sender", "company", "plan"].map(isReservedName)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("a message", () => {
  test("fails, naming the field, when a template does not parse or renders to nothing", () => {
    const subject = renderMessage({ ...INPUT, subject: "{{ x" });
    expect(subject).toMatchObject({ kind: "failed", field: "subject" });
    const body = renderMessage({ ...INPUT, body: "{% if x %}" });
    expect(body).toMatchObject({ kind: "failed", field: "body" });
    const empty = renderMessage({ ...INPUT, body: "{% if website %}x{% endif %}" });
    expect(empty).toMatchObject({ kind: "failed", field: "body" });
  });

  test("is the same for the same seed", () => {
    const input = { ...INPUT, subject: "{a|b|c}", body: "{a|b}{c|d}{e|f}" };
    expect(renderMessage(input)).toEqual(renderMessage(input));
  });

  test("knows every field that is listed", () => {
    const body = TEMPLATE_FIELDS.map((field) => `${field}={{ ${field} | default: "-" }}`).join(
      "\n",
    );
    const { text } = ready({ body });
    expect(text).toContain("first_name=Ada\n");
    expect(text).toContain("sender.last_name=van Dyk\n");
    expect(text).toContain("postal_address=Main Street 1");
  });

  test("holds no control characters in its bodies but line ends and tabs", () => {
    const lead = { ...INPUT.lead, variables: { value: "a\0b\u0007c\r\nd\te\u0085" } };
    expect(ready({ body: "{{ value }}", lead, footer: false }).text).toBe("abc\nd\te");
  });
});

describe("what can be told without rendering", () => {
  const pieces = [
    "Hi ",
    " ",
    "{{ first_name }}",
    "{{company}}",
    '{{ website | default: "your site" }}',
    '{{ plan | default: "" }}',
    "{{- sender.name -}}",
    "{{ sender.phone }}",
    "{{ signature }}",
    "{Hello|Hey {{ phone }}|{a|b}}",
    "{% if company %}at {{ company }}{% endif %}",
    "{{ seats | times: 2 }}",
    "{{ company | raw }}",
    "{{ company | default: first_name }}",
    "{{ sender }}",
    "{{ unknown.deep.name }}",
    '{{ "words" }}',
    "<b>bold</b>",
    "x".repeat(400),
    "{% for %}",
  ];
  const source = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((all) => all.join(""));
  const field = fc.constantFrom(null, "", " ", "Ada", "<b>&", "y".repeat(300), "z".repeat(20_000));

  test("is what a rendering says", () => {
    const seen = { ready: 0, held: 0, failed: 0 };
    fc.assert(
      fc.property(
        fc.record({
          subject: source,
          body: source,
          name: field,
          company: field,
          plan: fc.constantFrom("", " ", "gold", false, 0, "z".repeat(20_000)),
        }),
        fc.constantFrom(null, "an earlier subject"),
        ({ subject, body, name, company, plan }, threadSubject) => {
          const input: ContentInput = {
            ...INPUT,
            subject,
            body,
            threadSubject,
            lead: {
              email: "ada@example.com",
              fields: { ...INPUT.lead.fields, first_name: name, company },
              variables: { plan, seats: 12 },
            },
          };
          const { kind } = renderMessage(input);
          seen[kind] += 1;
          expect([input, isRenderable(input)]).toEqual([input, kind === "ready"]);
        },
      ),
      { numRuns: 1000 },
    );
    expect(Math.min(seen.ready, seen.held, seen.failed)).toBeGreaterThan(20);
  });
});
