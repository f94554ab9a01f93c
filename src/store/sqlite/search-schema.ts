/**
 * The full-text index, and the triggers that take out of it what is deleted: Drizzle knows neither.
 *
 * The index keeps words and no texts (`content=''`). Who writes a row adds it to `search_due` (`search.ts`),
 * and the words follow in slices (`usecases/leads/search.ts`). What is deleted leaves the index in the same
 * transaction, whoever deletes it, so that nothing is found of a person who was erased; a conversation that
 * gets another email is written anew and so leaves it until its words follow. Inserting has no trigger: with
 * one, SQLite keeps a journal of each statement, which made an import three times as slow.
 *
 * Source: https://sqlite.org/fts5.html, "Contentless-Delete Tables"; words against three letters each are
 * measured in `docs/adr/store.md`, "Search stores words and no texts".
 */

function forgets(table: string): string {
  return `create trigger if not exists search_forgets_${table} after delete on ${table} begin
    delete from search_text where rowid = (select doc from search_docs where id = old.id);
    delete from search_docs where id = old.id;
  end`;
}

/**
 * After the tables. `deletemerge`: deleted words leave the file once they are a hundredth of a segment.
 * `automerge`, `crisismerge`: writing never merges, which takes as long as the index is large; whoever has
 * written merges in slices (`search.ts`), eight segments at a time.
 */
export const SEARCH_SCHEMA: readonly string[] = [
  `create virtual table if not exists search_text using fts5(
    words, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')`,
  "insert into search_text(search_text, rank) values ('deletemerge', 1)",
  "insert into search_text(search_text, rank) values ('automerge', 0)",
  "insert into search_text(search_text, rank) values ('crisismerge', 1000)",
  "insert into search_text(search_text, rank) values ('usermerge', 8)",
  forgets("leads"),
  forgets("threads"),
];
