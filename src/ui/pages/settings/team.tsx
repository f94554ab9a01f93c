/** The team: its name, and the words by which it knows interest. */

import { Field, TextField } from "../../parts/form/form.tsx";
import { Page } from "../../parts/page.tsx";
import { TeamForm } from "./team-form.tsx";

const WORDS = [
  ["interested", "Means interested", "ping me, count us in"],
  ["meeting", "Means a meeting", "see my calendar"],
  ["neutral", "Means maybe later", "parked, after the fair"],
  ["not_interested", "Means not interested", "hard pass"],
] as const;

export function TeamPage() {
  return (
    <Page title="Team" about="Your team’s name, and how its replies are classified">
      <div class="stack">
        <TeamForm
          title="Team name"
          fields={["name"]}
          draftOf={({ name }) => ({ name })}
          changeOf={({ name }) => ({ name: name.trim() })}
        >
          {({ name }, set, submission) => (
            <TextField
              label="Name"
              name="name"
              of={submission}
              hint="Members see it when they sign in"
              required
              maxLength={200}
              value={name}
              onInput={({ currentTarget }) => set({ name: currentTarget.value })}
            />
          )}
        </TeamForm>
        <TeamForm
          title="Reply keywords"
          fields={WORDS.map(([word]) => `interest_words.${word}`)}
          draftOf={({ interest_words: words }) => ({
            interested: words.interested.join("\n"),
            meeting: words.meeting.join("\n"),
            neutral: words.neutral.join("\n"),
            not_interested: words.not_interested.join("\n"),
          })}
          changeOf={(draft) => ({
            interest_words: {
              interested: linesOf(draft.interested),
              meeting: linesOf(draft.meeting),
              neutral: linesOf(draft.neutral),
              not_interested: linesOf(draft.not_interested),
            },
          })}
        >
          {(draft, set, submission) => (
            <>
              <p class="quiet">
                Words and phrases in replies that mean something to you, in any language, one per
                line. They take priority over the built-in ones.
              </p>
              <div class="two">
                {WORDS.map(([word, label, example]) => (
                  <Field
                    key={word}
                    label={label}
                    name={`interest_words.${word}`}
                    of={submission}
                    hint={`For example: ${example}`}
                  >
                    {(attributes) => (
                      <textarea
                        {...attributes}
                        rows={4}
                        value={draft[word]}
                        onInput={({ currentTarget }) => set({ [word]: currentTarget.value })}
                      />
                    )}
                  </Field>
                ))}
              </div>
            </>
          )}
        </TeamForm>
      </div>
    </Page>
  );
}

function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter((line) => line !== "");
}
