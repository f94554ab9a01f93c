/**
 * Guarantees of `domain/sending/template.ts` and `domain/sending/spintax.ts`: a hole is named and never sent, a value
 * is never taken for markup, the pick is stable, and no template takes the process down.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { choicesIn, markSpintax } from "#domain/sending/spintax.ts";
import { checkTemplate, type RenderOptions, renderTemplate } from "#domain/sending/template.ts";
import { TEMPLATE_CHARS_MAX, TrustedHtml } from "#domain/sending/template-engine.ts";
import { unixMs } from "#domain/time.ts";

const SCOPE = {
  first_name: "Ada",
  company: "A & B <Ltd>",
  size: 12,
  vip: true,
  sender: { email: "sam@out.test", name: null },
};
const TEXT: RenderOptions = { seed: "lead step", escape: "none" };
const HTML: RenderOptions = { seed: "lead step", escape: "html" };

const rendered = (source: string, options = TEXT) => {
  const result = renderTemplate(source, SCOPE, options);
  return result.ok ? result.text : result;
};

describe("variables", () => {
  test.each([
    ["a value", "Hi {{ first_name }}", "Hi Ada"],
    ["a nested value", "{{ sender.email }}", "sam@out.test"],
    ["a number and a boolean", "{{ size }} {{ vip }}", "12 true"],
    ["a fallback", '{{ last_name | default: "there" }}', "there"],
    ["a fallback after other filters", '{{ last_name | strip | default: "there" }}', "there"],
    ["a fallback that is a variable", "{{ last_name | default: first_name }}", "Ada"],
    ["a condition on an absent one", "{% if website %}x{{ website }}{% endif %}ok", "ok"],
    ["its else", "{% if website %}x{% else %}none{% endif %}", "none"],
    ["a comparison with an absent one", '{% if website == "x" %}x{% else %}no{% endif %}', "no"],
    ["unless", "{% unless website %}none{% endunless %}", "none"],
    ["a case on an absent one", '{% case website %}{% when "a" %}1{% else %}2{% endcase %}', "2"],
    ["a loop over an absent one", "{% for one in list %}x{% endfor %}ok", "ok"],
    ["an assignment", '{% assign who = last_name | default: "you" %}{{ who }}', "you"],
    ["literal Liquid", "{% raw %}{{ x }} {a|b}{% endraw %}", "{{ x }} {a|b}"],
  ])("%s", (_name, source, text) => {
    expect(rendered(source)).toBe(text);
    expect(checkTemplate(source)).toBeNull();
  });

  test.each([
    ["every one of them, once", "{{ a }} {{ b.c }} {{ a }} {{ first_name }}", ["a", "b.c"]],
    ["null like absent", "{{ sender.name }}", ["sender.name"]],
    ["through filters", "{{ a | upcase | truncate: 5 }}", ["a"]],
    ["as an argument", '{{ "Hi " | append: a }}', ["a"]],
    ["through an assignment, by its own name", "{% assign x = a %}{{ x }}", ["a"]],
    ["a fallback that is absent too", "{{ a | default: b }}", ["b"]],
    ["inside a block that is shown", "{% if vip %}{{ a }}{% endif %}", ["a"]],
    ["names of the language", "{{ constructor }} {{ __proto__ }}", ["constructor", "__proto__"]],
    ["the clock where there is none", '{{ "now" | date: "%Y" }}', ["now"]],
  ])("names what is missing: %s", (_name, source, missing) => {
    expect(renderTemplate(source, SCOPE, TEXT)).toEqual({ ok: false, missing });
  });

  test("are escaped in HTML, once, and the template is not", () => {
    expect(rendered("<b>{{ company }}</b>", HTML)).toBe("<b>A &amp; B &lt;Ltd&gt;</b>");
    expect(rendered("{% capture c %}{{ company }}{% endcapture %}{{ c }}", HTML)).toBe(
      "A &amp; B &lt;Ltd&gt;",
    );
    expect(rendered("{{ company | raw }}", HTML)).toBe("A & B <Ltd>");
    expect(rendered("{{ company }}", TEXT)).toBe("A & B <Ltd>");
  });

  test("that are trusted HTML are printed as they are", () => {
    const scope = { signature: new TrustedHtml("<p>Sam</p>") };
    expect(renderTemplate("{{ signature }}", scope, HTML)).toEqual({
      ok: true,
      text: "<p>Sam</p>",
    });
  });

  test("cannot smuggle Liquid, spintax or HTML, whatever they hold", () => {
    const nasty = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("{a|b}", "{{ x }}", "{% if %}", "<script>", "{%or__%}", "$&", "' \""),
    );
    fc.assert(
      fc.property(nasty, nasty, (value, other) => {
        const result = renderTemplate("[{{ value }}|{{ other }}]", { value, other }, TEXT);
        expect(result).toEqual({ ok: true, text: `[${value}|${other}]` });
        const html = renderTemplate("{{ value }}", { value }, HTML);
        expect(html.ok && /[<>"']/.test(html.text)).toBe(false);
      }),
    );
  });

  test("read the instant that was handed in where they ask for now", () => {
    const at = unixMs(Temporal.Instant.from("2026-03-01T23:30:00Z").epochMilliseconds);
    expect(rendered('{{ "now" | date: "%A %-d %B %H:%M" }}', { ...TEXT, at })).toBe(
      "Sunday 1 March 23:30",
    );
  });
});

describe("a template is refused", () => {
  test.each([
    ["that includes a file", "{% include 'a' %}", 'tag "include" not found'],
    ["that renders a file", "{% render 'a' %}", 'tag "render" not found'],
    ["that has a layout", "{% layout 'a' %}", 'tag "layout" not found'],
    ["whose variable does not end", "{{ first_name", "not closed"],
    ["whose block does not end", "{% if a %}x", "not closed"],
    ["with an unknown filter", "{{ a | shout }}", "undefined filter: shout"],
    ["with a filter of chance", "{{ a | sample }}", "undefined filter: sample"],
    ["whose block leaves its alternative", "{a {% if x %}|b{% endif %}}", "inside the same"],
    ["whose block enters an alternative", "{% if x %}{a{% endif %}|b}", "endif"],
    ["that is too long", "x".repeat(TEMPLATE_CHARS_MAX + 1), "at most"],
  ])("%s", (_name, source, words) => {
    expect(checkTemplate(source)?.message).toContain(words);
    expect(renderTemplate(source, SCOPE, TEXT)).toEqual({
      ok: false,
      error: expect.stringContaining(words),
    });
  });
});

describe("a rendering ends", () => {
  test.each([
    ["a long range", "{% for i in (1..100000000) %}a{% endfor %}"],
    ["loops in loops", "{% for i in (1..999) %}{% for j in (1..999) %}{% endfor %}{% endfor %}"],
    [
      "text that doubles",
      "{% assign s = 'xxxxxxxx' %}{% for i in (1..64) %}{% assign s = s | append: s %}{% endfor %}",
    ],
    ["a long result", `{% for i in (1..999) %}${"x".repeat(200)}{% endfor %}`],
    ["a product of two long texts", "{{ long | replace: 'x', long }}"],
    ["a record that is printed", "{{ sender }}"],
  ])("with an error for %s", (_name, source) => {
    const scope = { ...SCOPE, long: "x".repeat(10_000) };
    expect(renderTemplate(source, scope, TEXT)).toEqual({ ok: false, error: expect.any(String) });
  });

  test("without an exception for anything at all", () => {
    const piece = fc.constantFrom(
      ..."{{|}}|{%|%}|{|}|'|\"|if a|endif|for x in (1..9)|raw|endraw|comment|<style>|x|-| | a |: 1"
        .split("|")
        .concat("|", "{% if a %}", "{% endif %}", "{% assign a = 1 %}", "{% capture b %}"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const result = renderTemplate(pieces.join(""), SCOPE, HTML);
        expect(typeof result.ok).toBe("boolean");
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ["{", 100_000],
    ["{a|", 33_000],
    ["{{", 50_000],
    ["{% raw %}", 11_000],
    ["{% comment %}", 7000],
    ["<style", 16_000],
    ["{{'", 33_000],
    ["{% if a %}", 10_000],
    ["{a|b}", 20_000],
  ])("for %p again and again", (piece, times) => {
    expect(typeof renderTemplate(piece.repeat(times), SCOPE, HTML).ok).toBe("boolean");
  });
});

describe("spintax", () => {
  test.each([
    ["braces without a bar", "a {b} c } d { e"],
    ["a bar without braces", "a | b"],
    ["a brace that does not close", "{a|b"],
    ["CSS", "<style>@media (x) { a[lang|=en] { color: red } }</style>"],
    ["bars inside a variable's tag", '{{ "a|b" }}'],
  ])("leaves alone: %s", (_name, source) => {
    expect(markSpintax(source)).toBe(source);
  });

  test("marking only ever touches braces and bars", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("{", "|", "}", "a", " ") }), (source) => {
        const marked = markSpintax(source);
        const back = marked
          .replace(/\{%spin__ \d+%\}/g, "{")
          .replaceAll("{%or__%}", "|")
          .replaceAll("{%endspin__%}", "}");
        expect(back).toBe(source);
      }),
    );
  });

  test.each([
    ["{Hi|Hello} {{ first_name }}, {a|b|}", ["{Hi|Hello}", "{a|b|}"]],
    ["{Hi {{ name | default: 'x' }}|Hey {a|b}}!", ["{Hi {{ name | default: 'x' }}|Hey {a|b}}"]],
    ["{{{first_name}}|friend}", ["{{{first_name}}|friend}"]],
    ["{b} | { c", []],
    ["{a {b|c} d", ["{b|c}"]],
    ["{% raw %}{a|b}{% endraw %} <style>p { a[x|=y] {} }</style> {{ '{a|b}' }}", []],
  ])("shows people the choices that are spun: %s", (source, expected) => {
    expect(choicesIn(source)).toEqual(expected);
  });

  test("what people are shown as choices is what is spun, and nothing else", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("{", "|", "}", "a", " ") }), (source) => {
        let rest = source;
        for (const choice of choicesIn(source)) {
          expect(markSpintax(choice)).toStartWith("{%spin__");
          rest = rest.replace(choice, "x");
        }
        expect(markSpintax(rest)).toBe(rest);
      }),
    );
  });

  test.each(["{", "{a|", "{{", "{%", "}", "{a|b}", "<style", "{|", "{{'"])(
    "a hundred thousand characters of %p are looked through at once",
    (piece) => {
      const times = Math.floor(100_000 / piece.length);
      expect(choicesIn(piece.repeat(times)).length).toBe(piece === "{a|b}" ? times : 0);
      expect(choicesIn("{a|".repeat(times) + "}".repeat(times))).toHaveLength(1);
    },
  );

  test("nests, and every alternative comes up about equally often", () => {
    const counts = new Map<string, number>();
    for (let lead = 0; lead < 6000; lead += 1) {
      const text = rendered("{Hi|Hello|Hey {you|there}}", { ...TEXT, seed: `lead ${lead}` });
      counts.set(String(text), (counts.get(String(text)) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(["Hello", "Hey there", "Hey you", "Hi"]);
    expect(counts.get("Hi")).toBeGreaterThan(1800);
    expect(counts.get("Hello")).toBeGreaterThan(1800);
    expect(counts.get("Hey you")).toBeGreaterThan(850);
    expect(counts.get("Hey there")).toBeGreaterThan(850);
  });

  test("picks the same for the same seed, and choices of one template independently", () => {
    const source = "{a|b}{a|b}{a|b}{a|b}{a|b}{a|b}{a|b}{a|b}";
    const texts = Array.from({ length: 200 }, (_, lead) => {
      return rendered(source, { ...TEXT, seed: `lead ${lead}` });
    });
    expect(texts).toEqual(
      texts.map((_, lead) => rendered(source, { ...HTML, seed: `lead ${lead}` })),
    );
    expect(new Set(texts).size).toBeGreaterThan(100);
  });

  test("may hold variables and blocks, and a hole counts only where it is picked", () => {
    const source = "{{{first_name}}|{% if vip %}friend{% endif %}}";
    const texts = Array.from({ length: 50 }, (_, lead) => {
      return rendered(source, { ...TEXT, seed: `lead ${lead}` });
    });
    expect(new Set(texts)).toEqual(new Set(["Ada", "friend"]));
  });

  test("leaves braces without a bar alone beside one that is spun", () => {
    expect(["{x} b", "{x} c"]).toContain(String(rendered("{x} {b|c}")));
    expect(markSpintax("{x} | {y}")).toBe("{x} | {y}");
  });

  test("may have an empty alternative", () => {
    const texts = Array.from({ length: 50 }, (_, lead) => {
      return rendered("so {very |}good", { ...TEXT, seed: `lead ${lead}` });
    });
    expect(new Set(texts)).toEqual(new Set(["so very good", "so good"]));
  });
});
