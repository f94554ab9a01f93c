/**
 * The full-text index, and the triggers that say what it lacks: Drizzle knows neither.
 *
 * The index keeps words and no texts (`content=''`). Writing a row adds it to `search_due`, which costs an
 * import a microsecond a lead; the words follow in slices (`engine/search.ts`). What is deleted leaves the
 * index in the same transaction, so that nothing is found of a person who was erased; a conversation that
 * gets another mail is written anew and so leaves it until its words follow.
 *
 * Source: https://sqlite.org/fts5.html, "Contentless-Delete Tables"; words against three letters each are
 * measured in `docs/decisions.md`, "Search".
 */

/** Columns of a lead that are searched. */
const LEAD_TEXTS = ["first_name", "last_name", "company", "website", "phone", "variables"];

const isChanged = LEAD_TEXTS.map((name) => `old.${name} is not new.${name}`).join(" or ");

function forgets(table: string): string {
  return `create trigger if not exists search_forgets_${table} after delete on ${table} begin
    delete from search_text where rowid = (select doc from search_docs where id = old.id);
    delete from search_docs where id = old.id;
  end`;
}

/** After the tables. `deletemerge`: deleted words leave the file once they are a hundredth of a segment. */
export const SEARCH_SCHEMA: readonly string[] = [
  `create virtual table if not exists search_text using fts5(
    words, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')`,
  "insert into search_text(search_text, rank) values ('deletemerge', 1)",
  `create trigger if not exists search_new_lead after insert on leads begin
    insert into search_due (id, kind) values (new.id, 'lead');
  end`,
  `create trigger if not exists search_changed_lead after update of ${LEAD_TEXTS.join(", ")} on leads
    when ${isChanged} begin
    insert into search_due (id, kind) values (new.id, 'lead');
  end`,
  `create trigger if not exists search_new_thread after insert on threads begin
    insert into search_due (id, kind) values (new.id, 'thread');
  end`,
  forgets("leads"),
  forgets("threads"),
];
